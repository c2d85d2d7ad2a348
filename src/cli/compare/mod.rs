//! `robocensus compare`: archives and two parsers in, what flips and why out.

mod config;
mod summary;

use std::{fs, path::Path};

use anyhow::{Context, anyhow, bail};
use robocensus::{
    ArchiveSource, Error, ErrorKind, FolderConflict,
    archive::input::{self, ExpandOptions},
    compare::{
        CompareInput, Comparison, compare,
        expect::{AcceptedCauses, Assessment, to_toml},
        markdown::markdown,
    },
    dataset::{lookup::CaptureStore, sink::Dataset},
};

use super::{
    args::CompareArgs,
    escape::{lines, print, print_message},
    exit_code::ExitCode,
    inputs::print_notes,
    output_file::OutputFile,
    progress::{InputTotals, note_waits, stopped_by_ctrl_c, with_progress},
};

/// Faults and archives that are named one by one.
const MOST_NAMED: usize = 10;

/// Compares, writes what was asked for, shows the summary and returns the exit code.
pub fn run(args: &CompareArgs) -> anyhow::Result<ExitCode> {
    let config = config::config(args)?;
    let accepted = args.expect.as_deref().map(read_accepted).transpose()?;
    if !args.quiet {
        note_waits();
    }
    let store = args.data.as_deref().map(CaptureStore::open).transpose()?;
    let archives = match args.data {
        Some(_) => Vec::new(),
        None => expand(&args.inputs)?,
    };
    let input = match &store {
        Some(store) => CompareInput::Dataset(store),
        None => CompareInput::Archives(&archives),
    };
    let inputs: Vec<_> = archives
        .iter()
        .filter_map(|archive| archive.source.path())
        .chain(config::files_of(args))
        .collect();
    // What cannot be written should be known before hours of work, not after.
    let mut files = Vec::new();
    for path in [&args.fit, &args.markdown, &args.write_expect] {
        let begin = |path| OutputFile::begin(path, Some(&config.out), inputs.iter().copied());
        files.push(path.as_deref().map(begin).transpose()?);
    }
    let totals = InputTotals::new(archives.iter());
    let progress = stopped_by_ctrl_c()?;
    let compare = || compare(&config, input, &progress);
    let comparison = if args.quiet {
        compare()
    } else {
        with_progress(&progress, totals, args.progress.form, false, compare)
    };
    let comparison = comparison.map_err(explained)?;
    let Comparison {
        sides,
        causes,
        totals,
        faults,
        fitted,
        ..
    } = &comparison;
    let texts: [&dyn Fn() -> String; 3] = [
        &|| fitted.to_toml(sides),
        &|| markdown(&sides[0], &sides[1], causes, totals),
        &|| to_toml(causes, faults, totals),
    ];
    for (file, text) in files.into_iter().zip(texts) {
        if let Some(file) = file {
            file.finish(|out| out.write_all(text().as_bytes()))?;
        }
    }
    let none = AcceptedCauses::default();
    let accepted_or_none = accepted.as_ref().unwrap_or(&none);
    let assessment = accepted_or_none.assess(causes, faults, totals);
    let is_checked = accepted.is_some();
    if is_checked {
        print(&lines(&not_accepted(&assessment)))?;
    }
    if !args.quiet {
        let text = summary::render(&comparison, &config.out);
        print(&lines(&text))?;
    }
    report_problems(&comparison, &assessment);
    let is_empty = totals.queries == 0 && args.only.is_none();
    let is_sound = totals.answered_by_one == 0 && comparison.damaged.is_empty() && !is_empty;
    let is_accepted = is_sound && assessment.is_accepted();
    Ok(ExitCode::from(u8::from(!is_accepted)))
}

/// Returns the archives that the words name. The folder of a dataset has none, and what it is good
/// for is another flag.
fn expand(words: &[String]) -> anyhow::Result<Vec<ArchiveSource>> {
    if let Some(word) = words.iter().find(|word| is_dataset(Path::new(word))) {
        bail!("{word}: expected archives, but this is a dataset; give it as --data {word}");
    }
    let expanded = input::expand_with(words, &ExpandOptions::default())?;
    print_notes(&expanded);
    Ok(expanded.archives)
}

fn is_dataset(path: &Path) -> bool {
    path.is_dir() && Dataset::exists(path).unwrap_or_default()
}

/// Says what compare can do about a folder that exists: it cannot resume.
fn explained(error: Error) -> anyhow::Error {
    match error.kind() {
        ErrorKind::Folder { conflict, .. } if *conflict == FolderConflict::Exists => {
            anyhow!("{error}; replace it with --overwrite, or give another folder with --out")
        }
        _ => error.into(),
    }
}

fn read_accepted(path: &Path) -> anyhow::Result<AcceptedCauses> {
    let name = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("{name}: cannot read"))?;
    AcceptedCauses::from_toml(&text).map_err(|message| anyhow!("{name}: {message}"))
}

/// Returns what is not on the list of accepted causes, a line for each.
fn not_accepted(assessment: &Assessment<'_>) -> String {
    let new = assessment.new.iter().map(|cause| {
        let example = format!("cases/{}.robots.txt", cause.id);
        format!(
            "new cause: {}: {} flips on {} hosts, such as {example}\n",
            cause.key, cause.cells, cause.hosts
        )
    });
    let exceeded = assessment
        .exceeded
        .iter()
        .map(|limit| format!("limit: {limit}\n"));
    let unmatched = assessment.unmatched.iter();
    let unmatched = unmatched.map(|key| match key.strip_prefix("fault:") {
        Some(fault) => format!("note: no parser has the accepted fault {fault}\n"),
        None => format!("note: no flip has the accepted cause {key}\n"),
    });
    new.chain(exceeded).chain(unmatched).collect()
}

fn report_problems(comparison: &Comparison, assessment: &Assessment<'_>) {
    let totals = &comparison.totals;
    if totals.queries == 0 {
        print_message(
            "nothing was compared: expected a robots.txt that both sides read and answer, but found none",
        );
    }
    if totals.answered_by_one > 0 {
        print_message(&format!(
            "{} queries were answered by one side alone: the other reports an error",
            totals.answered_by_one
        ));
    }
    let mut more = assessment.other_faults;
    for (index, fault) in assessment.new_faults.iter().enumerate() {
        more += fault.faults;
        if index < MOST_NAMED {
            more -= 1;
            print_message(&fault.sentence);
        }
    }
    if more > 0 {
        print_message(&format!(
            "{more} more faults are in the table parser_faults"
        ));
    }
    for archive in comparison.damaged.iter().take(MOST_NAMED) {
        print_message(&format!("{}: {}", archive.name, archive.fault));
    }
    let more = comparison.damaged.len().saturating_sub(MOST_NAMED);
    if more > 0 {
        print_message(&format!("{more} more archives are damaged"));
    }
}
