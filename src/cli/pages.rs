//! `robocensus pages`: rebuilds the table `page_robots`.

use std::io::{self, Write};

use robocensus::dataset::{finish::resolve_pages, run::extent};

use super::{
    args::PagesArgs,
    dataset_notes::on_archives,
    escape::{lines, print_message},
    exit_code::ExitCode,
    progress::stopped_by_ctrl_c,
    summary_text,
};

/// Rebuilds the table and prints what robots.txt states about the pages.
pub fn run(args: &PagesArgs) -> anyhow::Result<ExitCode> {
    let progress = stopped_by_ctrl_c()?;
    let counts = resolve_pages(&args.dataset, &progress)?;
    if !args.quiet {
        let text = summary_text::render_pages(&counts);
        io::stdout().write_all(lines(&text).as_bytes())?;
    }
    if let Some(note) = on_archives(&extent(&args.dataset)?) {
        print_message(&format!("note: {note}"));
    }
    Ok(ExitCode::SUCCESS)
}
