//! `robocensus redirects`: rebuilds the tables `redirects` and `hosts`.

use std::io::{self, Write};

use robocensus::dataset::run::extent;

use super::{
    args::RedirectsArgs,
    dataset_notes::{on_archives, on_window},
    escape::{lines, print_message},
    exit_code::ExitCode,
    progress::stopped_by_ctrl_c,
    summary_text,
};

/// Rebuilds the tables and prints how chains of redirects end, and how many hosts there are.
pub fn run(args: &RedirectsArgs) -> anyhow::Result<ExitCode> {
    let progress = stopped_by_ctrl_c()?;
    let redirects = robocensus::resolve_redirects(&args.dataset, &progress)?;
    if !args.quiet {
        let text = summary_text::render_redirects(&redirects);
        io::stdout().write_all(lines(&text).as_bytes())?;
    }
    let extent = extent(&args.dataset)?;
    for note in [on_archives(&extent), on_window(&extent)]
        .into_iter()
        .flatten()
    {
        print_message(&format!("note: {note}"));
    }
    Ok(ExitCode::SUCCESS)
}
