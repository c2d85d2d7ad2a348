//! `robocensus check`: one question with its evidence, for a person.

use std::process::ExitCode;

use super::{args::CheckArgs, cases, config};

/// Answers, and returns the exit code.
pub fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    if let Some(path) = &args.cases {
        return cases::run(path, &config::dialect("--dialect", &args.dialect)?);
    }
    Ok(ExitCode::SUCCESS)
}
