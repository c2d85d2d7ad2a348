//! `robocensus pages`: rebuilds the table `page_robots`.

use std::io::{self, Write};

use robocensus::{
    Progress,
    pipeline::{extent, resolve_pages},
};

use super::{
    args::PagesArgs,
    dataset_notes::on_archives,
    escape::{lines, print_message},
    exit_code::ExitCode,
    summary_text,
};

/// Rebuilds the table and prints what robots.txt states about the pages.
pub fn run(args: &PagesArgs) -> anyhow::Result<ExitCode> {
    let counts = resolve_pages(&args.dataset, &Progress::default())?;
    if !args.quiet {
        let text = summary_text::render_pages(&counts);
        io::stdout().write_all(lines(&text).as_bytes())?;
    }
    if let Some(note) = on_archives(&extent(&args.dataset)?) {
        print_message(&format!("note: {note}"));
    }
    Ok(ExitCode::SUCCESS)
}
