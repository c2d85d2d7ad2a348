//! `robocensus compare`: archives and two parsers in, what flips and why out.

mod config;
mod summary;

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use anyhow::{Context, anyhow};
use robocensus::{
    Error, ErrorKind, FolderConflict,
    archive::input::{self, ExpandOptions, Inputs},
    compare::{
        Comparison, compare,
        expect::{AcceptedCauses, Assessment, to_toml},
        markdown::markdown,
    },
};

use super::{
    args::CompareArgs,
    escape::{lines, print_message},
    exit_code::ExitCode,
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
    let Inputs {
        archives, notes, ..
    } = input::expand_with(&args.inputs, &ExpandOptions::default())?;
    for note in notes.iter().take(MOST_NAMED) {
        print_message(&format!("note: {note}"));
    }
    let inputs: Vec<_> = archives
        .iter()
        .filter_map(|archive| archive.source.path())
        .chain(config::files_of(args))
        .collect();
    // What cannot be written should be known before hours of work, not after.
    let begin = |path: &Option<std::path::PathBuf>| {
        let begin = |path: &std::path::PathBuf| {
            OutputFile::begin(path, Some(&config.out), inputs.iter().copied())
        };
        path.as_ref().map(begin).transpose()
    };
    let [fit, markdown_file, expect_file] = [
        begin(&args.fit)?,
        begin(&args.markdown)?,
        begin(&args.write_expect)?,
    ];
    let totals = InputTotals::of(archives.iter());
    let progress = stopped_by_ctrl_c()?;
    let compare = || compare(&config, &archives, &progress);
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
    if let Some(file) = fit {
        let text = fitted.to_toml(sides);
        file.finish(|out| out.write_all(text.as_bytes()))?;
    }
    if let Some(file) = markdown_file {
        let text = markdown(&sides[0], &sides[1], causes, totals);
        file.finish(|out| out.write_all(text.as_bytes()))?;
    }
    if let Some(file) = expect_file {
        let text = to_toml(causes, faults, totals);
        file.finish(|out| out.write_all(text.as_bytes()))?;
    }
    let none = AcceptedCauses::default();
    let accepted_or_none = accepted.as_ref().unwrap_or(&none);
    let assessment = accepted_or_none.assess(causes, faults, totals);
    let is_checked = accepted.is_some();
    if is_checked {
        io::stdout().write_all(lines(&not_accepted(&assessment)).as_bytes())?;
    }
    if !args.quiet {
        let text = summary::render(&comparison, &config.out);
        io::stdout().write_all(lines(&text).as_bytes())?;
    }
    report_problems(&comparison, &assessment);
    let is_empty = totals.queries == 0 && args.only.is_none();
    let is_sound = totals.answered_by_one == 0 && comparison.damaged.is_empty() && !is_empty;
    Ok(match is_sound && assessment.is_accepted() {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(1),
    })
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
    let (named, others) = match assessment.new_faults.split_at_checked(MOST_NAMED) {
        Some((named, others)) => (named, others),
        None => (&*assessment.new_faults, &[][..]),
    };
    for fault in named {
        print_message(&fault.sentence);
    }
    let more = named.iter().map(|fault| fault.faults - 1).sum::<u64>()
        + others.iter().map(|fault| fault.faults).sum::<u64>()
        + assessment.other_faults;
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
