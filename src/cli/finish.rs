//! `robocensus finish`: makes the tables of a dataset that depend on all of its parts.

use robocensus::dataset::{run::extent, sink::Dataset};

use super::{
    args::FinishArgs,
    dataset_notes::notes,
    escape::{lines, print, print_message},
    progress::stopped_by_ctrl_c,
    summary_text,
};

/// Makes the tables and prints how chains of redirects end, how many hosts there are, and what
/// robots.txt states about the pages.
pub fn run(args: &FinishArgs) -> anyhow::Result<()> {
    let progress = stopped_by_ctrl_c()?;
    if let Some(crawl) = &args.drop_crawl {
        Dataset::drop_crawl(&args.dataset, crawl)?;
    }
    let finished = robocensus::finish(&args.dataset, &progress)?;
    if !args.quiet {
        let redirects = finished.redirects.as_ref();
        let pages = finished.page_robots.as_ref();
        let redirects = redirects.map(summary_text::render_redirects);
        let pages = pages.map(summary_text::render_page_robots);
        print(&lines(
            &[redirects, pages].map(Option::unwrap_or_default).concat(),
        ))?;
    }
    let extent = extent(&args.dataset)?;
    let window = finished.redirects.map(|_| "window");
    let kinds: Vec<_> = ["archives"].into_iter().chain(window).collect();
    for note in notes(&extent, &kinds) {
        print_message(&format!("note: {note}"));
    }
    Ok(())
}
