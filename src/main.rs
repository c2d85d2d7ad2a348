//! The command-line program. All of it is in the library, which the Python package shares.

use std::{env, process::ExitCode};

fn main() -> ExitCode {
    ExitCode::from(robocensus::cli::main(env::args_os()))
}
