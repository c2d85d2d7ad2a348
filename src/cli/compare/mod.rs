//! `robocensus compare`: archives and two parsers in, what flips and why out.

mod config;
mod summary;

use std::{
    fs,
    io::ErrorKind::NotFound,
    path::{Path, PathBuf},
};

use anyhow::{Context, anyhow, bail};
use robocensus::{
    ArchiveSource, Error, ErrorKind, FolderConflict, Progress,
    archive::input::{self, ExpandOptions},
    compare::{
        CompareConfig, CompareInput, Comparison, Gate, compare, formats::to_toml, found::FoundCause,
    },
    dataset::{lookup::CaptureStore, sink::Dataset},
};
use serde_json::json;

use super::{
    args::CompareArgs,
    corpus::is_parquet,
    escape::{lines, print, print_message},
    inputs::print_notes,
    output_file::OutputFile,
    progress::{InputTotals, note_waits, stopped_by_ctrl_c, with_progress},
    side_argument::start_side,
    template::rendered,
};

/// Faults that are named one by one.
const MOST_NAMED: usize = 10;

/// What is not on the list of accepted causes.
const NOT_ACCEPTED: &str = include_str!("../templates/not-accepted.txt.j2");

/// Compares each candidate, writes what was asked for, shows the summaries and returns the exit
/// code.
pub fn run(args: &CompareArgs) -> anyhow::Result<u8> {
    let (mut config, candidates) = config::config(args)?;
    if !args.quiet {
        note_waits();
    }
    let store = args.data.as_deref().map(CaptureStore::open).transpose()?;
    let corpus = corpus(args)?;
    let archives = match (&args.data, corpus) {
        (None, None) => expand(&args.inputs)?,
        _ => Vec::new(),
    };
    let input = match (&store, corpus) {
        (Some(store), _) => CompareInput::Dataset(store),
        (None, Some(path)) => CompareInput::Corpus(path),
        (None, None) => CompareInput::Archives(&archives),
    };
    let inputs: Vec<_> = archives
        .iter()
        .filter_map(|archive| archive.source.path())
        .chain(corpus)
        .chain(config::files_of(args))
        .collect();
    // What cannot be written should be known before hours of work, not after.
    let mut files = Vec::new();
    for path in config::outputs(args) {
        let begin = |path| OutputFile::begin(path, Some(&*config.out), inputs.iter().copied());
        files.push(path.as_deref().map(begin).transpose()?);
    }
    let progress = stopped_by_ctrl_c()?;
    let folders = match &*candidates {
        [_] => vec![args.out.clone()],
        _ => folders(args, &progress)?,
    };
    let (mut code, n_candidates) = (0, candidates.len());
    for (index, (candidate, folder)) in candidates.into_iter().zip(folders).enumerate() {
        if index > 0 && !args.quiet {
            print("\n")?;
        }
        if n_candidates > 1 && !args.quiet {
            let (number, folder) = (index + 1, folder.display());
            print_message(&format!("{folder}: candidate {number} of {n_candidates}"));
        }
        (config.candidate, config.out) = (candidate, folder);
        let compare = || compare(&config, input, &progress);
        let comparison = if args.quiet {
            compare()
        } else {
            let totals = InputTotals::new(archives.iter());
            with_progress(&progress, totals, args.progress.form, false, compare)
        };
        let comparison = comparison.map_err(explained)?;
        code = code.max(finish(
            args,
            &config,
            &comparison,
            std::mem::take(&mut files),
        )?);
    }
    Ok(code)
}

/// Writes the files that were asked for, shows the summary and returns the exit code.
fn finish(
    args: &CompareArgs,
    config: &CompareConfig,
    comparison: &Comparison,
    files: Vec<Option<OutputFile>>,
) -> anyhow::Result<u8> {
    let gate = comparison.gate(config);
    // In the order of the files.
    let texts: [&dyn Fn() -> String; 5] = [
        &|| comparison.fitted.to_toml(&comparison.sides),
        &|| gate.to_markdown(),
        &|| gate.to_junit(),
        &|| gate.to_sarif(),
        &|| to_toml(&comparison.causes, &comparison.faults, &comparison.totals),
    ];
    for (file, text) in files.into_iter().zip(texts) {
        if let Some(file) = file {
            file.finish(|out| out.write_all(text().as_bytes()))?;
        }
    }
    if gate.has_list {
        print(&lines(&not_accepted(&gate)))?;
    }
    if !args.quiet {
        let text = summary::render(comparison, &config.out);
        print(&lines(&text))?;
    }
    let place = match &*args.sides.candidate {
        [_] => String::new(),
        _ => format!("{}: ", config.out.display()),
    };
    report_problems(&gate, &place);
    Ok(u8::from(!gate.is_passed()))
}

/// Returns the folders of the results of several candidates, by their names. So a candidate that
/// cannot be started and a folder that cannot be used are known before others are compared.
fn folders(args: &CompareArgs, progress: &Progress) -> anyhow::Result<Vec<PathBuf>> {
    let out = args.out.display();
    if is_dataset(&args.out) {
        bail!(
            "{out}: expected a folder in which each candidate has one, but this is a dataset; give another"
        );
    }
    let mut folders = Vec::new();
    for candidate in &args.sides.candidate {
        let stop = progress.stop_flag();
        let name = start_side("--candidate", candidate, args.sides.timeout, stop)?.name();
        let is_plain = |char: char| char.is_ascii_alphanumeric() || ".-_".contains(char);
        let mut name = name.replace(|char| !is_plain(char), "-");
        if name.starts_with('.') {
            name.replace_range(..1, "-");
        }
        progress.check()?;
        let folder = args.out.join(name);
        let shown = folder.display();
        if folders.contains(&folder) {
            bail!(
                "--candidate: expected candidates of different names, but {shown} is the folder of two; compare one apart"
            );
        }
        let is_used = match fs::read_dir(&folder) {
            Ok(mut entries) => entries.next().is_some(),
            Err(error) if error.kind() == NotFound => false,
            Err(error) => return Err(error).context(format!("{shown}: cannot be written to")),
        };
        if is_used && !(args.overwrite && is_dataset(&folder)) {
            bail!(
                "{shown}: this folder is not empty; replace a result with --overwrite, or give another folder with --out"
            );
        }
        folders.push(folder);
    }
    Ok(folders)
}

/// Returns the corpus that takes the place of archives.
fn corpus(args: &CompareArgs) -> anyhow::Result<Option<&Path>> {
    let mut paths = args.inputs.iter().map(Path::new);
    let Some(path) = paths.find(|path| is_parquet(path)) else {
        return Ok(None);
    };
    let path_text = path.display();
    if args.inputs.len() > 1 {
        bail!("{path_text}: expected no input beside a corpus; give it alone");
    }
    if args.max_body.is_some() {
        bail!("--max-body: expected archives with it, since {path_text} has files that were cut");
    }
    Ok(Some(path))
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

/// Returns what is not on the list of accepted causes, a line for each.
fn not_accepted(gate: &Gate<'_>) -> String {
    let assessment = &gate.assessment;
    let cause = |cause: &FoundCause| json!({"id": cause.id, "key": cause.key, "cells": cause.cells, "hosts": cause.hosts});
    let new = assessment.new.iter().map(|new| cause(new));
    let combined = assessment.combined.iter();
    let combined = combined.map(|(combined, waits)| (cause(combined), waits));
    let exceeded = assessment.exceeded.iter().map(|(_, limit)| limit);
    let facts = json!({
        "new": new.collect::<Vec<_>>(),
        "combined": combined.collect::<Vec<_>>(),
        "exceeded": exceeded.collect::<Vec<_>>(),
        "unmatched": assessment.unmatched,
        "is_unmeasured": gate.is_unmeasured,
    });
    rendered(NOT_ACCEPTED, facts)
}

/// Prints what is no matter of causes, each behind the place of the result.
fn report_problems(gate: &Gate<'_>, place: &str) {
    for problem in &gate.problems {
        print_message(&format!("{place}{problem}"));
    }
    let mut more = 0;
    for (index, fault) in gate.assessment.new_faults.iter().enumerate() {
        more += fault.faults;
        if index < MOST_NAMED {
            more -= 1;
            print_message(&format!("{place}{}", fault.sentence));
        }
    }
    if more > 0 {
        print_message(&format!(
            "{place}{more} more faults are in the table parser_faults"
        ));
    }
}
