//! A comparison: start the sides, ask, explain, reduce, and write.

use std::{collections::HashSet, path::Path, time::Instant};

use arrow_array::{cast::AsArray, types::Int32Type};
use base64::{Engine, engine::general_purpose::STANDARD};
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde_json::json;

use super::{
    ask::ask,
    cause::Change,
    collect::Asked,
    config::{CompareConfig, Comparison, FittedDialect, Probes},
    examples::name_causes,
    explain::Explainer,
    external::Usage,
    fan_out::fan_out,
    fit::{best_built_in, contradicted_share, fit, nearest},
    found::{COMPARISON_FILE, FoundCause, SampleTotals},
    input::{CompareInput, read_corpus},
    observe::{misfits, right_answers},
    output::Output,
    record::FlippingFiles,
    reduce::Example,
    refine::refine,
    settle::{Settled, settle},
    side::{CellAnswer, REFERENCE, SIDES, Side, SideConfig},
};
use crate::{
    archive::error::Error,
    dataset::{
        run::Progress,
        sink::{Dataset, Input, WholeTable, read_columns},
        table::{CaptureKey, as_i32, flips},
    },
    digest::{Base32Digest, hex, sha1, sha1_of_list},
    robots::dialect::{Dialect, Verdict},
};

/// The folder of the smallest examples.
const CASES: &str = "cases";
/// The share of a budget of time after which dialects are fitted no further.
const FITTED_WITHIN: f64 = 0.6;
/// The share of a budget of time after which nothing is asked about what flips: the rest is for the
/// smallest examples, by which causes are recognized.
const SETTLED_WITHIN: f64 = 0.75;
/// The end of the names of the files of standard error.
const STDERR_END: &str = ".stderr.txt";

/// Asks both sides about all files and writes what differs; `progress` counts what is read, and can
/// stop the comparison.
///
/// Faults of parsers and damaged archives are no errors: they are counted and named.
///
/// Memory does not grow with the archives, except by some 80 bytes for each distinct body up to
/// 2 million (with a sample 8 more, and some 60 for each that is taken), and 9 bytes for each body
/// that flips. What flips is put aside on disk, in the output folder, until all files have been
/// asked; so is, with a sample, where the captures are of bodies that are not taken. With a budget
/// all bodies are put aside there, and memory has some 120 bytes for each, however many there are.
///
/// # Errors
///
/// A side that cannot be started, an output folder that cannot be used or written, and
/// [`ErrorKind::Interrupted`](crate::ErrorKind::Interrupted) if it was stopped. No table is
/// published then.
pub fn compare(
    config: &CompareConfig,
    input: CompareInput<'_>,
    progress: &Progress,
) -> Result<Comparison, Error> {
    let start = Instant::now();
    progress.begin_again();
    match input {
        CompareInput::Archives(_) => {}
        CompareInput::Dataset(store) => store.require_files()?,
        // It is small, so whatever is wrong with it is known before there is a folder.
        CompareInput::Corpus(path) => read_corpus(path, |_| Ok(()))?,
    }
    let only = config.only.as_deref().map(digests_of_flips).transpose()?;
    let mut sides = start_sides(config, progress)?;
    let names: Vec<String> = sides.iter().map(Side::name).collect();
    let archives = input.archives();
    let mut output = open_output(config, input, &archives, &names)?;
    let pool = start_pool(config)?;
    let mut asked = ask(
        config,
        input,
        progress,
        only,
        both(&mut sides),
        &pool,
        &mut output,
    )?;
    let dialects = [0, 1].map(|side: usize| sides[side].dialect().cloned());
    let n_fitted = dialects.iter().filter(|dialect| dialect.is_none()).count();
    progress.begin_step("dialects fitted", n_fitted as u64);
    let within = |share: f64| start.checked_add(config.budget?.time.mul_f64(share));
    let until = within(FITTED_WITHIN);
    let (explainer, contradicted_share) =
        pool.install(|| explainer(&dialects, &mut asked, until))?;
    let mut settled = settle(
        &mut asked,
        (config.repeat, within(SETTLED_WITHIN)),
        &explainer,
        &mut sides,
        &pool,
        progress,
        &mut output,
    )?;
    let (steps, until) = (config.reduce_steps, within(1.0));
    let compared = both(&mut sides);
    let named = name_causes(&settled, &explainer, compared, steps, until, progress)?;
    // Whatever follows the last answer is known before any table is written.
    let usage = end_sides(sides, &mut asked, &mut settled.files, &mut output)?;
    let mut totals = std::mem::take(&mut asked.totals);
    totals.kinds_not_reduced = named.n_not_reduced;
    totals.parser_faults = asked.faults.found.iter().map(|found| found.faults).sum();
    let (captures, files) = (&mut asked.captures, &mut settled.files);
    let causes = fan_out(captures, files, named, &archives, &mut totals, &mut output)?;
    totals.sample = sample_totals(config, &asked, &mut settled.files)?;
    let fitted = fitted_dialect(&explainer, &settled, totals.queries, contradicted_share);
    append_timings(&mut output, &asked);
    write_cases(&output.dataset, &causes)?;
    let dataset = output.publish(&causes)?;
    let comparison = Comparison {
        sides: [names[0].clone(), names[1].clone()],
        reference: names.into_iter().nth(REFERENCE),
        causes,
        totals,
        faults: asked.faults.found,
        usage,
        damaged: asked.damaged,
        fitted,
        seconds: start.elapsed().as_secs_f64(),
    };
    // It comes last, so that it tells a comparison that is complete.
    let description = comparison.describe(config);
    dataset.write_file(COMPARISON_FILE, description.as_bytes())?;
    Ok(comparison)
}

fn start_pool(config: &CompareConfig) -> Result<ThreadPool, Error> {
    ThreadPoolBuilder::new()
        .num_threads(config.threads.get())
        .build()
        .map_err(|e| Error::usage(format!("cannot start {} threads: {e}", config.threads)))
}

/// Starts baseline and candidate, and the reference if there is one.
fn start_sides(config: &CompareConfig, progress: &Progress) -> Result<Vec<Side>, Error> {
    let sides = [&config.baseline, &config.candidate].into_iter();
    let sides = sides.chain(&config.reference).zip(SIDES);
    let started = sides.map(|(side, name)| {
        let side = Side::start(side, progress.stop_flag());
        side.map_err(|error| Error::usage(format!("{name}: {error}")))
    });
    started.collect()
}

/// Returns baseline and candidate.
fn both(sides: &mut [Side]) -> &mut [Side; 2] {
    sides.first_chunk_mut().expect("there are at least two")
}

/// Opens the output folder, and deletes what is not a table: it is of an earlier comparison, which
/// this one replaces.
fn open_output(
    config: &CompareConfig,
    input: CompareInput<'_>,
    archives: &[Input],
    names: &[String],
) -> Result<Output, Error> {
    let output = Output::open(
        &config.out,
        config.mode,
        options(config, names),
        archives,
        &input.paths(),
    )?;
    let dataset = &output.dataset;
    dataset.delete_files("", &[COMPARISON_FILE, STDERR_END])?;
    dataset.delete_files(CASES, &[".robots.txt", ".jsonl", ".toml"])?;
    Ok(output)
}

/// Ends all sides, takes the faults that followed their answers, writes down what they wrote to
/// standard error, and returns what baseline and candidate took.
fn end_sides(
    sides: Vec<Side>,
    asked: &mut Asked,
    files: &mut FlippingFiles,
    output: &mut Output,
) -> Result<[Option<Usage>; 2], Error> {
    let mut usages = [None; 2];
    for (index, side) in sides.into_iter().enumerate() {
        let (log, mut late, usage) = side.end();
        match usages.get_mut(index) {
            Some(of_side) => *of_side = usage,
            // It was asked about other files than those of the first pass.
            None => late.iter_mut().for_each(|late| late.id = None),
        }
        files.dropped.extend(asked.take_late(output, index, &late)?);
        if !log.is_empty() {
            let path = format!("{}{STDERR_END}", SIDES[index]);
            output.dataset.write_file(&path, &log)?;
        }
    }
    Ok(usages)
}

/// Returns the dialect of the candidate, with how many of the `queries` it reproduces.
fn fitted_dialect(
    explainer: &Explainer,
    settled: &Settled,
    queries: u64,
    contradicted_share: f64,
) -> FittedDialect {
    let n_flips: u64 = (settled.examples.values()).map(|group| group.n_flips).sum();
    let n_agreed = queries.saturating_sub(n_flips) as f64;
    let contradicted = (n_agreed * contradicted_share).round() as u64;
    FittedDialect {
        dialect: explainer.fitted.clone(),
        reproduced: queries.saturating_sub(settled.not_reproduced + contradicted),
        queries,
    }
}

/// Returns the explainer of the flips: by the answers of the candidate where both sides are
/// dialects, else by the dialects that are fitted to what external parsers answer; and the share
/// of the cells on which the sides agree that the dialect of the candidate contradicts. Dialects
/// are fitted until a time.
fn explainer(
    [baseline, candidate]: &[Option<Dialect>; 2],
    asked: &mut Asked,
    until: Option<Instant>,
) -> Result<(Explainer, f64), Error> {
    if asked.files.len() == 0 {
        let base = baseline.as_ref().or(candidate.as_ref());
        let base = base.unwrap_or(&Dialect::GOOGLE);
        return Ok((Explainer::new(base, Vec::new(), true), 0.0));
    }
    let base = match baseline {
        Some(baseline) => baseline.clone(),
        None => {
            let observations = asked.observations.of_side(0);
            let near = candidate.as_ref();
            let near = near.unwrap_or_else(|| best_built_in(&observations));
            let nearest = nearest(near, &observations, until);
            let misfits = misfits(&mut asked.files, [&nearest, near], 0)?;
            let right_answers = |dialect: &Dialect| right_answers(&mut asked.files, dialect, 0);
            refine(&nearest, &observations, &misfits, until, right_answers)?
        }
    };
    let (candidate, contradicted_share) = match candidate {
        Some(candidate) => (candidate.clone(), 0.0),
        None => {
            let observations = asked.observations.of_side(1);
            let fitted = fit(&base, &observations, until);
            let misfits = misfits(&mut asked.files, [&base, &fitted], 1)?;
            let right_answers = |dialect: &Dialect| right_answers(&mut asked.files, dialect, 1);
            let refined = refine(&fitted, &observations, &misfits, until, right_answers)?;
            let share = contradicted_share(&refined, &observations);
            (refined, share)
        }
    };
    let changes = Change::between(&base, &candidate);
    let explainer = Explainer::new(&base, changes, baseline.is_some());
    Ok((explainer, contradicted_share))
}

/// Returns the options by which the folder of a comparison is described.
fn options(config: &CompareConfig, names: &[String]) -> Vec<(String, String)> {
    let side = |side: &SideConfig, name: &str| match side {
        SideConfig::Dialect(dialect) => {
            let digest = hex(&sha1(dialect.to_toml().as_bytes()));
            format!("{}, sha1 {digest}", dialect.name)
        }
        SideConfig::External(command) => format!("{name}: {}", command.words.join(" ")),
    };
    let reference = config.reference.as_ref();
    let reference = reference.map_or_else(String::new, |config| side(config, &names[REFERENCE]));
    let probes = match config.probes {
        Probes::Derived(max) => format!("derived, at most {max}"),
        Probes::Matrix => "matrix".to_owned(),
    };
    let only = config.only.as_ref();
    let only = only.map_or_else(String::new, |folder| folder.display().to_string());
    let sample = match (config.budget, config.sampling) {
        (Some(budget), _) => format!("in {:?}, seed {}", budget.time, budget.seed),
        (None, Some(sampling)) => format!("{}, seed {}", sampling.share, sampling.seed),
        (None, None) => "all".to_owned(),
    };
    [
        ("kind", "comparison".to_owned()),
        ("baseline", side(&config.baseline, &names[0])),
        ("candidate", side(&config.candidate, &names[1])),
        ("reference", reference),
        ("probes", probes),
        ("sample", sample),
        ("queries", digest_of_queries(config)),
        ("only", only),
        ("repeat", config.repeat.to_string()),
        ("reduce_steps", config.reduce_steps.to_string()),
        ("max_body", config.limits.body.to_string()),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into()
}

/// Returns a digest of the agents, URLs, weights and ranks.
fn digest_of_queries(config: &CompareConfig) -> String {
    let agents = config.matrix.agents.iter();
    let agents: Vec<String> = agents.map(|agent| agent.chain.join(",")).collect();
    let urls: Vec<&str> = config.matrix.urls.absolute().collect();
    let texts = [
        agents.join("\n"),
        config.matrix.urls.paths().join("\n"),
        urls.join("\n"),
        format!("{:?}", config.agent_weights),
        format!("{:?}", config.url_weights),
        config.ranks.digest(),
    ];
    hex(&sha1_of_list(texts.iter().map(String::as_str)))
}

/// Returns the digests of the bodies that flip in another comparison.
fn digests_of_flips(root: &Path) -> Result<HashSet<Base32Digest>, Error> {
    let tables = WholeTable::read_all(root)?;
    let mut tables = tables.iter();
    let Some(table) = tables.find(|table| table.table == flips::TABLE.name) else {
        return Err(Error::usage(format!(
            "{}: expected the folder of a comparison, but it has no table flips",
            root.display()
        )));
    };
    let mut digests = HashSet::new();
    for file in &table.files {
        read_columns(&root.join(&file.path), &["content_digest"], |batch| {
            let column = batch.column(0).as_dictionary::<Int32Type>();
            let values = column.values().as_string::<i32>();
            let texts = values.iter().flatten();
            digests.extend(texts.filter_map(|text| Base32Digest::try_from(text.as_bytes()).ok()));
            Ok(())
        })?;
    }
    Ok(digests)
}

/// Returns what a sample tells about all files.
fn sample_totals(
    config: &CompareConfig,
    asked: &Asked,
    files: &mut FlippingFiles,
) -> Result<Option<SampleTotals>, Error> {
    let Some(sample) = &asked.sample else {
        return Ok(None);
    };
    let mut n_flips = Vec::new();
    for flipping in sample.flipping() {
        n_flips.push(match flipping {
            Some(number) => files.read(number)?.0.flips.len() as u64,
            None => 0,
        });
    }
    let max_flips = match config.probes {
        Probes::Derived(max) => max,
        Probes::Matrix => {
            let urls = &config.matrix.urls;
            config.matrix.agents.len() * (urls.paths().len() + urls.absolute().count())
        }
    };
    Ok(Some(sample.totals(&n_flips, max_flips as u64)))
}

fn append_timings(output: &mut Output, asked: &Asked) {
    for (side, timings) in asked.timings.iter().enumerate() {
        for timing in timings {
            let key = CaptureKey {
                id: timing.key.capture_id,
                host: &timing.key.host,
            };
            let rows = output.timings();
            rows.side.append(SIDES[side]);
            rows.capture.append(key);
            rows.content_digest.append(timing.key.digest());
            rows.content_length.append(as_i32(timing.content_length));
            rows.queries.append(as_i32(timing.queries));
            rows.milliseconds
                .append(timing.microseconds.0 as f64 / 1000.0);
        }
    }
}

/// Writes the smallest example of each cause, and for each side what it answers to all of them, as
/// cases for `robocensus check`.
fn write_cases(dataset: &Dataset, causes: &[FoundCause]) -> Result<(), Error> {
    let mut cases = [String::new(), String::new()];
    for cause in causes {
        let FoundCause { id, example, .. } = cause;
        dataset.write_file(&format!("{CASES}/{id}.robots.txt"), &example.body)?;
        for (cases, answer) in cases.iter_mut().zip(cause.answers) {
            cases.push_str(&case_line(id, example, answer));
        }
    }
    for (side, cases) in SIDES.iter().zip(cases) {
        dataset.write_file(&format!("{CASES}/{side}.jsonl"), cases.as_bytes())?;
    }
    Ok(())
}

/// Returns the line of a case with what a side answers. It names no dialect, so that any parser can
/// be held against it.
fn case_line(id: &str, example: &Example, answer: CellAnswer) -> String {
    let mut case = json!({
        "id": id,
        "url": example.url,
        "expect": answer.verdict.map_or("error", Verdict::as_str),
        "line": answer.line,
    });
    match str::from_utf8(&example.body) {
        Ok(text) => case["robots"] = text.into(),
        Err(_) => case["robots_b64"] = STANDARD.encode(&example.body).into(),
    }
    if example.agent.contains(',') {
        case["agents"] = example.agent.split(',').collect();
    } else {
        case["agent"] = example.agent.as_str().into();
    }
    format!("{case}\n")
}
