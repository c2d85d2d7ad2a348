//! From flags to the options of a comparison: whatever is wrong with them is reported before an
//! archive is opened.

use std::path::{Path, PathBuf};

use anyhow::bail;
use robocensus::{
    compare::{
        Budget, CompareConfig, Probes, Ranks, Sampling, SideConfig, expect::AcceptedCauses,
        external::ParserCommand, read_weights,
    },
    dataset::sink::OpenMode,
    robots::matrix::read_urls,
};

use super::super::{
    args::{CompareArgs, ProbeKind},
    config::{MOST_AGENTS, MOST_LIST, agents, at, read_text, read_toml, set_max_body},
    side_argument::read_side,
};

/// Columns of weights in lists without a head: behind token and category, and behind the URL.
const WEIGHT_OF_AGENT: usize = 2;
const WEIGHT_OF_URL: usize = 1;

/// Returns the options that the flags of `compare` ask for, with the first candidate, and all
/// candidates.
pub fn config(args: &CompareArgs) -> anyhow::Result<(CompareConfig, Vec<SideConfig>)> {
    let CompareArgs { sides, queries, .. } = args;
    if sides.timeout.is_zero() {
        bail!("--timeout: expected more than no time, such as 10s");
    }
    let mut of_one = outputs(args).into_iter().chain([&args.expect]);
    let is_of_one = of_one.any(Option::is_some) || args.inputs.iter().any(|word| word == "-");
    if is_of_one && sides.candidate.len() > 1 {
        bail!(
            "--candidate: expected one with --expect, --fit, --markdown, --junit, --sarif, --write-expect or standard input; compare others apart"
        );
    }
    let parser = ParserCommand {
        words: Vec::new(),
        workers: sides.workers.get(),
        in_flight: sides.in_flight.get(),
        timeout: sides.timeout,
    };
    let baseline = read_side("--baseline", &sides.baseline, parser.clone())?;
    let candidates = sides.candidate.iter();
    let candidates = candidates.map(|side| read_side("--candidate", side, parser.clone()));
    let candidates: Vec<_> = candidates.collect::<Result<_, _>>()?;
    let mut config = CompareConfig::new(&args.out, baseline, candidates[0].clone());
    let reference = sides.reference.as_deref();
    let reference = reference.map(|side| read_side("--reference", side, parser));
    config.reference = reference.transpose()?;
    if args.overwrite {
        config.mode = OpenMode::Overwrite;
    }
    config.threads = args.threads.unwrap_or(config.threads);
    config.probes = match queries.probes {
        ProbeKind::Derived => Probes::Derived(queries.max_probes.get()),
        ProbeKind::Matrix => Probes::Matrix,
    };
    if let Some(path) = &queries.agents {
        let text = read_text(path, MOST_AGENTS)?;
        config.matrix.agents = agents(path, &text)?;
        config.agent_weights = read_weights(&text, WEIGHT_OF_AGENT).map_err(at(path))?;
    }
    if let Some(path) = &queries.urls {
        if queries.probes == ProbeKind::Derived {
            bail!(
                "--urls: expected --probes matrix with it, since derived queries take their URLs from each file"
            );
        }
        let text = read_text(path, MOST_LIST)?;
        config.matrix.urls = read_urls(&text).map_err(at(path))?;
        config.url_weights = read_weights(&text, WEIGHT_OF_URL).map_err(at(path))?;
    }
    if let Some(path) = &queries.ranks {
        config.ranks = Ranks::read(&read_text(path, MOST_LIST)?).map_err(at(path))?;
    }
    config.sampling = queries.sample.map(|share| Sampling {
        share,
        seed: queries.seed,
    });
    config.budget = queries.budget.map(|time| Budget {
        time,
        seed: queries.seed,
    });
    config.only.clone_from(&queries.only);
    if let Some(path) = &args.expect {
        config.accepted = Some(read_toml(path, AcceptedCauses::from_toml)?);
    }
    config.repeat = queries.repeat;
    config.reduce_steps = args.reduce_steps;
    if let Some(bytes) = args.max_body {
        set_max_body(&mut config.limits, bytes)?;
    }
    Ok((config, candidates))
}

/// Returns the files that `compare` writes beside the folder of the result.
pub fn outputs(args: &CompareArgs) -> [&Option<PathBuf>; 5] {
    [
        &args.fit,
        &args.markdown,
        &args.junit,
        &args.sarif,
        &args.write_expect,
    ]
}

/// Returns the files that `compare` reads besides archives.
pub fn files_of(args: &CompareArgs) -> impl Iterator<Item = &Path> {
    let CompareArgs { sides, queries, .. } = args;
    let lists = args.inputs.iter().filter_map(|word| word.strip_prefix('@'));
    let sides = sides
        .candidate
        .iter()
        .chain([&sides.baseline])
        .chain(&sides.reference);
    let flags = [&queries.agents, &queries.urls, &queries.ranks, &args.expect];
    let flags = flags.into_iter().flatten().map(PathBuf::as_path);
    lists
        .map(Path::new)
        .chain(sides.map(Path::new))
        .chain(flags)
}
