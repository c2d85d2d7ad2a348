//! `robocensus redirects`: the table of that name made anew, alone.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use robocensus::{Progress, pipeline::extent};

use super::{
    args::RedirectsArgs,
    escape::{lines, say},
    extent::of_archives,
    report,
};

/// Makes the table and shows how chains end.
pub fn run(args: &RedirectsArgs) -> anyhow::Result<ExitCode> {
    let redirects = robocensus::resolve_redirects(&args.dataset, &Progress::default())?;
    if !args.quiet {
        let text = report::render_redirects(&redirects);
        io::stdout().write_all(lines(&text).as_bytes())?;
    }
    if let Some(note) = of_archives(&extent(&args.dataset)?) {
        say(&format!("note: {note}"));
    }
    Ok(ExitCode::SUCCESS)
}
