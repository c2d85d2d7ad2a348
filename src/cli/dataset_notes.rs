//! Sentences on what is missing in a dataset.

use robocensus::dataset::summary::{CrawlExtent, Extent, duration_in_words};

use super::layout::{counted, listed};

/// Crawls of a long list that a sentence has.
const MOST_CRAWLS: usize = 8;

/// Returns a sentence on a dataset of archives that were chosen among more, in these words.
pub fn on_choice(choice: &str) -> String {
    format!("the archives are a choice: {choice}")
}

/// Returns a sentence on how far redirects are followed where archives name no crawl; `None` if the
/// dataset has no such redirect.
pub fn on_window(extent: &Extent) -> Option<String> {
    extent.redirect_window.map(|window| {
        format!(
            "redirects of archives that name no crawl lead to captures within {} (--redirect-window)",
            duration_in_words(window)
        )
    })
}

/// Returns a sentence on archives that are in no part yet; `None` if all are.
pub fn on_archives(extent: &Extent) -> Option<String> {
    (!extent.has_all_archives()).then(|| {
        format!(
            "the dataset holds {} of {} archives: the others are read by the shards that are missing, or by the same command with --resume in place of --shard",
            extent.archives, extent.archives_planned
        )
    })
}

/// Returns a sentence on crawls of which archives are missing or were read in part; `None` if there
/// are none.
pub fn on_crawls(extent: &Extent) -> Option<String> {
    let of_crawl = |lacking: &CrawlExtent| {
        let complete = lacking.archives_complete;
        let counted = counted(lacking.archives_planned, "archive");
        match &lacking.crawl {
            Some(crawl) => format!("{complete} of {counted} of {crawl}"),
            None => format!("{complete} of {counted} that name no crawl"),
        }
    };
    let crawls: Vec<_> = extent.crawls_lacking.iter().map(of_crawl).collect();
    (!crawls.is_empty()).then(|| {
        format!(
            "only {} were read whole: what was not read of the others is in no figure",
            listed(&crawls, MOST_CRAWLS)
        )
    })
}

/// Returns a sentence on parts that are missing in the table `page_robots`; `None` if none are.
pub fn on_pages(extent: &Extent) -> Option<String> {
    let of = extent.parts_of_pages.filter(|&of| of < extent.parts)?;
    Some(of_parts(
        "robots.txt verdicts for pages",
        of,
        extent,
        "the table",
    ))
}

/// Returns a sentence on parts that are missing in the table `hosts`, but not in `redirects`, which
/// is rebuilt with it; `None` if none are.
pub fn on_hosts(extent: &Extent) -> Option<String> {
    let of = extent.parts_of_hosts.filter(|&of| of < extent.parts)?;
    (!extent.has_stale_redirects()).then(|| of_parts("the table hosts", of, extent, "the table"))
}

/// Returns a sentence on parts that are missing in the table `redirects`; `None` if none are.
pub fn on_redirects(extent: &Extent) -> Option<String> {
    let of = extent.parts_of_redirects?;
    let both = "the tables redirects and hosts";
    (extent.has_stale_redirects()).then(|| of_parts("redirects", of, extent, both))
}

fn of_parts(what: &str, of: u64, extent: &Extent, rebuilt: &str) -> String {
    format!(
        "the dataset has {what} of {of} of {} parts: the others were published later; robocensus finish rebuilds {rebuilt} from all",
        extent.parts
    )
}
