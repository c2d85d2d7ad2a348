//! The command line: words in, calls of the library, exit codes out. The library uses nothing of
//! it.
//!
//! Exit codes: 0 complete; 1 finished, but archives were damaged or skipped, an expectation of a
//! case does not hold, a verdict is not allow where `--exit-code` asks for it, or a dataset is not
//! as it was published; 2 stopped, wrong usage, or a case that cannot be read. A reader that closes
//! the pipe early is success.

mod allocator;
mod args;
mod asof;
mod check;
mod color;
mod compare;
mod completions;
mod config;
mod corpus;
mod dataset_notes;
mod dialects;
mod duckdb;
mod duckdb_s3;
mod errors;
mod escape;
mod finish;
mod help;
mod hints;
mod inputs;
mod layout;
mod man;
mod output_file;
#[cfg(unix)]
mod parent;
mod place;
mod plan;
mod progress;
mod publish;
mod query;
mod reduce;
mod report_page;
mod run;
mod sample;
mod side_argument;
mod site;
mod summary_text;
mod tables;
mod template;
mod values;
mod verify;

use std::{
    ffi::OsString,
    io::{self, Write},
};

use clap::FromArgMatches;
use robocensus::archive::remote;

use self::args::{Cli, Command};

/// Runs the program with the words of its command line, of which the first is its name, and returns
/// its exit code.
///
/// It writes to the standard streams of the process and handles its SIGINT, so it is called once,
/// before other threads run.
pub fn main(words: impl IntoIterator<Item = OsString>) -> u8 {
    allocator::keep_memory();
    #[cfg(unix)]
    {
        progress::keep_ignoring_hangups();
        parent::end_with_parent();
    }
    let words: Vec<_> = words.into_iter().collect();
    let parsed = help::command().try_get_matches_from(query::words(words.iter().cloned()));
    let result = match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => run_command(&cli.command),
        Err(error) if error.use_stderr() => return explain(&error, &words),
        Err(help_or_version) => show(&help_or_version).map_err(Into::into),
    };
    match result {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => 0,
        Err(error) => {
            let hint = hints::hint(&error).map(|hint| format!("; {hint}"));
            // Errors of files name their path.
            let is_output = error.is::<io::Error>() && error.chain().count() == 1;
            let file = if is_output { "standard output: " } else { "" };
            escape::print_message(&format!("{file}{error:#}{}", hint.unwrap_or_default()));
            2
        }
    }
}

fn run_command(command: &Command) -> anyhow::Result<u8> {
    match command {
        Command::Run(args) => return run::run(args),
        Command::Verify(args) => return verify::run(args),
        Command::Check(args) => return check::run(args),
        Command::Compare(args) => return compare::run(args),
        Command::Asof(args) => asof::run(args)?,
        Command::Corpus(args) => corpus::run(args)?,
        Command::Finish(args) => finish::run(args)?,
        Command::Reduce(args) => reduce::run(args)?,
        Command::Dialects(args) => dialects::run(args)?,
        Command::Errors(args) => errors::run(args)?,
        Command::Tables(args) => tables::run(args)?,
        Command::Query(args) => query::run(args)?,
        Command::Report(args) => report_page::run(args)?,
        Command::Publish(args) => publish::run(args)?,
        Command::Sample(args) => sample::run(args)?,
        Command::Completions { shell } => completions::run(*shell)?,
        Command::Man { folder } => man::run(folder)?,
        Command::Help { topic } => help::run(topic.as_deref())?,
    }
    Ok(0)
}

/// Shows help or the version, which clap reports as an error.
fn show(error: &clap::Error) -> io::Result<u8> {
    error.print()?;
    io::stdout().flush()?;
    Ok(0)
}

/// Shows what is wrong with the words of the command line.
fn explain(error: &clap::Error, words: &[OsString]) -> u8 {
    let is_plain = |word: &OsString| {
        let word = word.to_string_lossy();
        escape::line(&word) == *word
    };
    let text = error.to_string();
    let shown = without_secrets(&text, words);
    if shown == text && words.iter().all(is_plain) {
        // A closed standard error is no reason for another exit code.
        let _ = error.print();
    } else {
        // A shell pattern may have expanded to file names; clap would print them unescaped.
        escape::print_lines(&shown);
    }
    u8::try_from(error.exit_code()).unwrap_or(2)
}

/// Returns a message about words of the command line without the secrets of URLs among them.
fn without_secrets(text: &str, words: &[OsString]) -> String {
    let words = words.iter().map(|word| word.to_string_lossy());
    words.fold(text.to_owned(), |text, word| {
        // A flag may be followed by its value.
        let value = word.split_once('=').filter(|_| word.starts_with('-'));
        let value = value.map_or(&*word, |(_, value)| value);
        if remote::is_remote(value) || remote::is_misspelled(value) {
            text.replace(value, &remote::without_secrets(value))
        } else {
            text
        }
    })
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
}
