//! `robocensus run`: archives in, a dataset and a summary out.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::{anyhow, bail};
use robocensus::{
    ArchiveSource, Config, Error, ErrorKind, Progress, Summary,
    archive::input::{self, Inputs},
    dataset::{
        run::{Shard, adds_crawls, planned_parts, prepare},
        sink::{Dataset, OpenMode},
    },
    robots::matrix::Matrix,
};
use serde_json::json;

use super::{
    args::RunArgs,
    config::config,
    escape::{lines, print, print_lines, print_message},
    inputs,
    layout::counted,
    output_file::OutputFile,
    plan,
    progress::{note_waits, stopped_by_ctrl_c, with_progress},
    summary_text,
    template::rendered,
};

/// The dialects, agents and URLs that are evaluated.
const MATRIX: &str = include_str!("templates/matrix.txt.j2");

/// Runs, shows the summary and returns the exit code.
pub fn run(args: &RunArgs) -> anyhow::Result<u8> {
    let mut config = config(args)?;
    if args.print_matrix {
        print(&matrix_in_text(&config))?;
        return Ok(0);
    }
    if !args.quiet {
        note_waits();
    }
    let Inputs {
        archives, choice, ..
    } = inputs::expand(args)?;
    config.choice = choice;
    if config.mode == OpenMode::New && args.out.is_some() && adds_crawls(&config.out, &archives)? {
        config.mode = OpenMode::Join;
    }
    let progress = stopped_by_ctrl_c()?;
    if !args.quiet {
        inputs::announce_look_up(&archives);
    }
    let parts = planned_parts(&config, &archives, &progress)?;
    if args.prepare {
        prepare(&config, &archives)?;
    }
    if args.list_inputs {
        inputs::list(&parts, &archives)?;
    }
    if args.prepare || args.list_inputs {
        return Ok(0);
    }
    let totals = inputs::totals(&parts, &archives);
    let plan = plan::text(&config, &totals, parts.len());
    if args.print_plan {
        print(&lines(&plan))?;
        return Ok(0);
    }
    let is_json_to_stdout = args.summary_json.as_deref() == Some(Path::new("-"));
    // A summary that cannot be written should be known before hours of work, not after.
    let json_path = args.summary_json.as_deref().filter(|_| !is_json_to_stdout);
    let begin = |path| begin_summary(path, args, &archives);
    let json = json_path.map(begin).transpose()?;
    if args.verbose {
        print_lines(&plan);
    }
    let run = || robocensus::run(&config, &archives, &progress);
    let summary = if args.quiet {
        run()
    } else {
        with_progress(&progress, totals, args.progress.form, args.verbose, run)
    };
    let summary = summary.map_err(|error| explained(error, args, &config))?;
    if let Some(json) = json {
        json.finish(|out| writeln!(out, "{:#}", summary.to_json()))?;
    }
    if is_json_to_stdout {
        writeln!(io::stdout(), "{:#}", summary.to_json())?;
    }
    if !args.quiet {
        let text = summary_text::render(&summary, &config.out.display().to_string());
        if is_json_to_stdout {
            print_lines(&text);
        } else {
            print(&lines(&text))?;
        }
    }
    print_exceptions(&summary, &archives);
    if let Some(shard) = config.shard.filter(|_| !args.quiet) {
        let n_parts = if parts.is_empty() {
            Some(n_parts(args, &archives, &progress)?)
        } else {
            None
        };
        print_message(&format!("note: {}", after_shards(shard, n_parts, &config)));
    }
    if summary.n_incomplete() == 0 {
        return Ok(0);
    }
    let text = summary_text::render_incomplete(&summary);
    print_lines(&format!("\nDamaged or skipped:\n{text}"));
    Ok(1)
}

/// Says which archives were not read, and which parts were made again.
fn print_exceptions(summary: &Summary, archives: &[ArchiveSource]) {
    for archive in archives {
        if summary.not_read.contains(&archive.name) {
            print_message(&not_read(archive));
        }
    }
    for part in &summary.rebuilt {
        print_message(&format!("part {} was rebuilt: {}", part.part, part.reason));
    }
    if let Some(text) = summary_text::left_out(summary) {
        print_message(&text);
    }
}

/// Checks that the summary can be written to a file, which is none that the run reads.
fn begin_summary(
    path: &Path,
    args: &RunArgs,
    archives: &[ArchiveSource],
) -> anyhow::Result<OutputFile> {
    if args.inputs.iter().any(|word| word == "-") && input::is_stdin(path) {
        bail!(
            "{}: this is an input (standard input), which is not written to; give another file",
            path.display()
        );
    }
    let of_archives = archives.iter().filter_map(|archive| archive.source.path());
    OutputFile::begin(path, args.out.as_deref(), of_archives.chain(files_of(args)))
}

/// Returns why a stream was not read, and how another one can be.
fn not_read(archive: &ArchiveSource) -> String {
    let (stream, instead) = match archive.source.path() {
        Some(path) => (path.display().to_string(), "a file name of its own"),
        None => ("standard input".to_owned(), "another --stdin-name"),
    };
    format!(
        "{}: its part is published already, so {stream} was not read; another stream needs {instead}",
        archive.name
    )
}

/// Returns how many parts all shards make.
fn n_parts(args: &RunArgs, archives: &[ArchiveSource], progress: &Progress) -> anyhow::Result<u64> {
    let whole = Config {
        shard: None,
        ..config(args)?
    };
    Ok(planned_parts(&whole, archives, progress)?.len() as u64)
}

/// Returns what is to be done when the runs of all shards have ended; `n_parts` is how many parts
/// they make if none of them is of this one.
fn after_shards(shard: Shard, n_parts: Option<u64>, config: &Config) -> String {
    let out = config.out.display();
    let is_to_finish =
        config.tables.needs_redirects() || config.pages && config.tables.needs_page_robots();
    let mut text = match n_parts {
        Some(n) => format!(
            "shard {shard} has no archives: the inputs make {}",
            counted(n, "part")
        ),
        None => format!("shard {shard} is complete"),
    };
    if is_to_finish {
        let complete = if n_parts.is_some() { " complete" } else { "" };
        let n = shard.count();
        text += &format!("; once all {n} are{complete}: robocensus finish {out}");
    }
    text
}

/// Returns the files that `run` reads besides archives: lists and dialects.
fn files_of(args: &RunArgs) -> impl Iterator<Item = &Path> {
    let lists = args.inputs.iter().filter_map(|word| word.strip_prefix('@'));
    let flags = [&args.agents, &args.urls, &args.cohort, &args.records]
        .into_iter()
        .flatten();
    let dialects = args.dialects.iter().map(Path::new);
    lists
        .map(Path::new)
        .chain(flags.map(PathBuf::as_path))
        .chain(dialects)
}

/// Adds to an error what remains of a run that stopped, and how to continue it.
fn explained(error: Error, args: &RunArgs, config: &Config) -> anyhow::Error {
    let began = match error.kind() {
        ErrorKind::Usage(_) | ErrorKind::Folder { .. } | ErrorKind::Corrupt { .. } => false,
        // Where this cannot be told, the error itself says why.
        _ => Dataset::exists(&config.out).unwrap_or(false),
    };
    if !began {
        return error.into();
    }
    let again = match config.mode {
        OpenMode::Join if config.shard.is_some() => "",
        OpenMode::Join if args.join => " with --join",
        OpenMode::Overwrite => " with --resume instead of --overwrite",
        OpenMode::New | OpenMode::Resume | OpenMode::Join => " with --resume",
    };
    let why = format!("{:#}", anyhow::Error::from(error));
    anyhow!(
        "{why}; complete parts remain in {}, and the same command{again} builds the others",
        config.out.display()
    )
}

/// Returns the dialects, agents and URLs that are evaluated, each on a line.
fn matrix_in_text(config: &Config) -> String {
    let Matrix { agents, urls } = &config.matrix;
    let of_agents = agents.iter().map(|agent| {
        let category = agent.category.as_deref().unwrap_or_default();
        let line = format!("{}\t{category}", agent.chain.join(","));
        line.trim_end().to_owned()
    });
    let facts = json!({
        "dialects": config.dialect_names(),
        "agents": of_agents.collect::<Vec<_>>(),
        "paths": urls.paths(),
        "absolute": urls.absolute().collect::<Vec<_>>(),
        "verdicts": config.dialects.len() * agents.len() * urls.paths().len(),
    });
    rendered(MATRIX, facts)
}
