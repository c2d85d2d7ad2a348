//! The flags of `reduce`.

use std::{path::PathBuf, time::Duration};

use clap::Args;

use super::super::values::{duration, url, whole};

/// The flags of `reduce`.
#[derive(Debug, Args)]
#[command(
    override_usage = "robocensus reduce [OPTIONS] <ROBOTS> --agent <TOKENS> --url <URL>\n       \
                      --baseline <SIDE> --candidate <SIDE>"
)]
pub struct ReduceArgs {
    /// The robots.txt file; - for standard input
    pub robots: PathBuf,

    /// The crawler's product token, or several separated by commas
    #[arg(long, value_name = "TOKENS")]
    pub agent: String,

    /// The URL, or its path alone
    #[arg(long, value_parser = url)]
    pub url: String,

    /// The one parser: a dialect, a TOML file, exec:COMMAND or shell:COMMAND
    ///
    /// A command is a process that answers JSON lines, the same as of compare. With exec: it is
    /// split at blanks, as a shell does, and run without one.
    #[arg(long, value_name = "SIDE")]
    pub baseline: String,

    /// The other parser
    #[arg(long, value_name = "SIDE")]
    pub candidate: String,

    /// Smaller files, agents and URLs to try
    ///
    /// If they do not suffice, the result says that it may not be the smallest.
    #[arg(
        long,
        value_name = "N",
        default_value_t = robocensus::compare::DEFAULT_REDUCE_STEPS,
        value_parser = whole::<usize>
    )]
    pub reduce_steps: usize,

    /// How long a command may take for one file, such as 60s
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = duration)]
    pub timeout: Duration,

    /// File to which the small robots.txt is written
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}
