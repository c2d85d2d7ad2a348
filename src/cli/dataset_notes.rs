//! Sentences on what is missing in a dataset.

use robocensus::dataset::summary::{CrawlExtent, Extent, duration_in_words};
use serde_json::json;

use super::{layout::counted, template::rendered};

/// Crawls that a sentence names.
const MOST_CRAWLS: usize = 8;

/// The sentences, a line each.
const NOTES: &str = include_str!("templates/dataset-notes.txt.j2");

/// Returns a sentence on how the archives were chosen.
pub fn on_choice(choice: &str) -> String {
    format!("the archives are a choice: {choice}")
}

/// Returns the sentences on the parts of a dataset that lack something: of `archives`, `crawls`,
/// `redirects`, `hosts` and `pages` those that are asked for, and on the `window` of redirects.
pub fn notes(extent: &Extent, kinds: &[&str]) -> Vec<String> {
    let of_crawl = |lacking: &CrawlExtent| {
        let complete = lacking.archives_complete;
        let counted = counted(lacking.archives_planned, "archive");
        match &lacking.crawl {
            Some(crawl) => format!("{complete} of {counted} of {crawl}"),
            None => format!("{complete} of {counted} that name no crawl"),
        }
    };
    let facts = json!({
        "kinds": kinds,
        "archives": extent.archives,
        "archives_planned": extent.archives_planned,
        "crawls": extent.crawls_lacking.iter().map(of_crawl).collect::<Vec<_>>(),
        "most_crawls": MOST_CRAWLS,
        "parts": extent.parts,
        "parts_of_redirects": extent.parts_of_redirects,
        "parts_of_hosts": extent.parts_of_hosts,
        "parts_of_pages": extent.parts_of_pages,
        "has_stale_redirects": extent.has_stale_redirects(),
        "window": extent.redirect_window.map(duration_in_words),
    });
    rendered(NOTES, facts).lines().map(str::to_owned).collect()
}
