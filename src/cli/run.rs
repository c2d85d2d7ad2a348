//! `robocensus run`.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    process::{ExitCode, exit},
    sync::Arc,
    thread,
};

use anyhow::{Context, anyhow, bail};
use robocensus::{
    ArchiveSource, Config, Error, ErrorKind, Progress,
    input::{self, Inputs},
    matrix::Matrix,
    sink::{Dataset, OpenMode},
};

use super::{
    args::RunArgs,
    config::config,
    escape::{lines, say},
    hints,
    outputs::Output,
    progress::Shown,
    report,
};

/// Notes on inputs that are shown.
const MOST_NOTES: usize = 10;

/// Runs, shows the summary and returns the exit code.
pub fn run(args: &RunArgs) -> anyhow::Result<ExitCode> {
    let config = config(args)?;
    if args.print_matrix {
        print_matrix(&config)?;
        return Ok(ExitCode::SUCCESS);
    }
    let Inputs { archives, notes } = input::expand_with(&args.inputs, args.stdin_name.as_deref())?;
    for note in notes.iter().take(MOST_NOTES) {
        say(&format!("note: {note}"));
    }
    if notes.len() > MOST_NOTES {
        let more = notes.len() - MOST_NOTES;
        say(&format!(
            "note: and {more} more inputs that are passed over"
        ));
    }
    // A summary that cannot be written is better known before hours of work than after.
    let json = args.summary_json.as_ref().map(|path| {
        if args.inputs.iter().any(|word| word == "-") && input::is_stdin(path) {
            bail!(
                "{}: this is an input (standard input), which is not written to; give another file",
                path.display()
            );
        }
        let of_archives = archives.iter().filter_map(|archive| archive.source.path());
        Output::begin(path, Some(&config.out), of_archives.chain(files_of(args)))
    });
    let json = json.transpose()?;
    let progress = Arc::new(Progress::default());
    let watched = progress.clone();
    ctrlc::set_handler(move || {
        // Whoever asks twice means now. What is not published stays in the temporary folder.
        if watched.is_stopped() {
            exit(2);
        }
        watched.stop();
    })
    .context("cannot watch for Ctrl-C")?;
    let summary = thread::scope(|scope| {
        let _shown = (!args.quiet).then(|| Shown::begin(scope, &progress, &archives));
        robocensus::run(&config, &archives, &progress)
    })
    .map_err(|error| explained(error, &config))?;
    if let Some(json) = json {
        json.finish(|out| writeln!(out, "{:#}", summary.to_json()))?;
    }
    if !args.quiet {
        let text = report::render(&summary, &config.out.display().to_string());
        io::stdout().write_all(lines(&text).as_bytes())?;
    }
    for archive in &archives {
        if summary.not_read.contains(&archive.name) {
            say(&not_read(archive));
        }
    }
    for again in &summary.rebuilt {
        say(&format!(
            "the part {} was made again: {}",
            again.part, again.reason
        ));
    }
    if let Some(text) = report::left_out(&summary) {
        say(&text);
    }
    if summary.n_incomplete() == 0 {
        return Ok(ExitCode::SUCCESS);
    }
    let text = report::render_given_up(&summary);
    eprint!("\nDamaged or given up:\n{}", lines(&text));
    Ok(ExitCode::from(1))
}

/// Says of a stream why it was not read, and how another one can be.
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

/// Returns the files that the flags of `run` name, beside archives: those that are read before an
/// archive is.
fn files_of(args: &RunArgs) -> impl Iterator<Item = &Path> {
    let lists = args.inputs.iter().filter_map(|word| word.strip_prefix('@'));
    let flags = [&args.agents, &args.urls].into_iter().flatten();
    let dialects = args.dialects.iter().map(Path::new);
    lists
        .map(Path::new)
        .chain(flags.map(PathBuf::as_path))
        .chain(dialects)
}

/// Says what is left of a run that stopped, and how to go on.
fn explained(error: Error, config: &Config) -> anyhow::Error {
    let began = match error.kind() {
        ErrorKind::Usage(_) | ErrorKind::Corrupt { .. } => false,
        _ => Dataset::stands_in(&config.out),
    };
    if !began {
        let message = error.to_string();
        return match message.ends_with(hints::STREAM_NAME.0) {
            true => anyhow!("{message}{}", hints::STREAM_NAME.1),
            false => error.into(),
        };
    }
    let (instead, flag) = match config.mode {
        OpenMode::Join => ("", "--join"),
        OpenMode::Overwrite => (" instead of --overwrite", "--resume"),
        OpenMode::New | OpenMode::Resume => ("", "--resume"),
    };
    let why = format!("{:#}", anyhow::Error::from(error));
    anyhow!(
        "{why}; parts that were complete stay in {}, and the same command with {flag}{instead} makes the others",
        config.out.display()
    )
}

fn print_matrix(config: &Config) -> io::Result<()> {
    let Matrix { agents, urls } = &config.matrix;
    let mut out = io::BufWriter::new(io::stdout().lock());
    writeln!(
        out,
        "# {} dialects; the first is the reference",
        config.dialects.len()
    )?;
    for name in config.dialect_names() {
        writeln!(out, "{name}")?;
    }
    writeln!(
        out,
        "\n# {} agents: chain of tokens, category",
        agents.len()
    )?;
    for agent in agents {
        let category = agent.category.as_deref().unwrap_or_default();
        writeln!(
            out,
            "{}",
            format!("{}\t{category}", agent.chain.join(",")).trim_end()
        )?;
    }
    writeln!(out, "\n# {} paths, asked of every host", urls.paths().len())?;
    for path in urls.paths() {
        writeln!(out, "{path}")?;
    }
    if urls.n_absolute() > 0 {
        writeln!(
            out,
            "\n# {} absolute URLs, each asked of its origin",
            urls.n_absolute()
        )?;
        for url in urls.absolute() {
            writeln!(out, "{url}")?;
        }
    }
    let cells = config.dialects.len() * agents.len() * urls.paths().len();
    writeln!(
        out,
        "\n# {cells} cells for each capture, beside those of absolute URLs"
    )?;
    out.flush()
}
