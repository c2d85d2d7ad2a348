//! The command-line tool.
//!
//! Exit codes: 0 complete; 1 finished, but archives were damaged or skipped, an expectation of a
//! case does not hold, a verdict is not allow where `--exit-code` asks for it, or a dataset is not
//! as it was published; 2 stopped, wrong usage, or a case that cannot be read. A reader that closes
//! the pipe early is success.

mod cli;

use std::{
    env,
    io::{self, Write},
    process::ExitCode,
};

use clap::FromArgMatches;
use cli::{
    args::{Cli, Command},
    escape,
};

fn main() -> ExitCode {
    cli::allocator::fix_mmap_threshold();
    let words = cli::query::words(env::args_os());
    let parsed = cli::help::command().try_get_matches_from(words);
    let result = match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => run(&cli.command),
        Err(error) if error.use_stderr() => return explain(&error),
        Err(help_or_version) => show(&help_or_version).map_err(Into::into),
    };
    match result {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let hint = cli::hints::hint(&error).map(|hint| format!("; {hint}"));
            // Errors of files name their path.
            let is_output = error.is::<io::Error>() && error.chain().count() == 1;
            let file = if is_output { "standard output: " } else { "" };
            escape::print_message(&format!("{file}{error:#}{}", hint.unwrap_or_default()));
            ExitCode::from(2)
        }
    }
}

fn run(command: &Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Run(args) => cli::run::run(args),
        Command::Redirects(args) => cli::redirects::run(args),
        Command::Pages(args) => cli::pages::run(args),
        Command::Verify(args) => cli::verify::run(args),
        Command::Check(args) => cli::check::run(args),
        Command::Compare(args) => cli::compare::run(args),
        Command::Reduce(args) => cli::reduce::run(args),
        Command::Dialects(args) => cli::dialects::run(args),
        Command::Errors(args) => cli::errors::run(args),
        Command::Tables(args) => cli::tables::run(args),
        Command::Query(args) => cli::query::run(args),
        Command::Report(args) => cli::report_page::run(args),
        Command::Sample(args) => cli::sample::run(args),
        Command::Help(args) => cli::help::run(args),
    }
}

/// Shows help or the version, which clap reports as an error.
fn show(error: &clap::Error) -> io::Result<ExitCode> {
    error.print()?;
    io::stdout().flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Shows what is wrong with the words of the command line.
fn explain(error: &clap::Error) -> ExitCode {
    let words = env::args_os();
    let words: Vec<_> = words
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    if words.iter().all(|word| escape::line(word) == *word) {
        error.exit();
    }
    // A shell pattern may have expanded to file names; clap would print them unescaped.
    eprint!("{}", escape::lines(&error.to_string()));
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
}
