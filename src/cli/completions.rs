//! `robocensus completions`: the script by which a shell completes commands and flags.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_complete::Shell;

use super::args::Cli;

/// The name by which the program is called.
const PROGRAM: &str = "robocensus";

/// Prints the script.
pub fn run(shell: Shell) -> anyhow::Result<()> {
    let mut script = Vec::new();
    // Made in memory, since the generator panics where a pipe is closed.
    clap_complete::generate(shell, &mut Cli::command(), PROGRAM, &mut script);
    io::stdout().write_all(&script)?;
    Ok(())
}
