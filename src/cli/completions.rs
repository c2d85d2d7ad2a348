//! `robocensus completions`: the script by which a shell completes commands and flags.

use std::io::{self, Write};

use clap::CommandFactory;

use super::args::{Cli, CompletionsArgs};

/// The name by which the program is called.
const PROGRAM: &str = "robocensus";

/// Prints the script.
pub fn run(args: &CompletionsArgs) -> anyhow::Result<()> {
    let mut script = Vec::new();
    // Made in memory, since the generator panics where a pipe is closed.
    clap_complete::generate(args.shell, &mut Cli::command(), PROGRAM, &mut script);
    io::stdout().write_all(&script)?;
    Ok(())
}
