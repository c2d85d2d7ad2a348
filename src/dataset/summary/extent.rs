//! The extent of a dataset: how many of its archives it contains.

use std::time::Duration;

/// How much of a dataset is complete.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Archives in published parts.
    pub archives: u64,
    /// Archives that runs into the dataset were given.
    pub archives_planned: u64,
    /// Crawls of which archives are in no part or were not read to their end; the name `None` is
    /// that of archives that name no crawl.
    pub crawls_lacking: Vec<CrawlExtent>,
    /// Digest of the contents of the archives in published parts, 40 hexadecimal digits.
    pub archives_digest: String,
    /// Crawls that the table `hosts` has; archives that name none are one.
    pub crawls: u64,
    /// Published parts.
    pub parts: u64,
    /// Of those, the ones that the table `redirects` was built from; `None` if there is no such
    /// table.
    pub parts_of_redirects: Option<u64>,
    /// The same of the table `hosts`.
    pub parts_of_hosts: Option<u64>,
    /// The same of the table `page_robots`.
    pub parts_of_pages: Option<u64>,
    /// The longest time between a redirect and its target where archives name no crawl; `None` if
    /// the table `redirects` has no such redirect.
    pub redirect_window: Option<Duration>,
}

/// How much of a crawl a dataset contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrawlExtent {
    /// The crawl.
    pub crawl: Option<String>,
    /// Its archives that were read to their end, without a loss.
    pub archives_complete: u64,
    /// Its archives that runs were given.
    pub archives_planned: u64,
}

impl Extent {
    /// Returns true if and only if every archive is in a part.
    pub fn has_all_archives(&self) -> bool {
        self.archives == self.archives_planned
    }

    /// Returns true if and only if the table `redirects` exists and lacks parts.
    pub fn has_stale_redirects(&self) -> bool {
        self.parts_of_redirects
            .is_some_and(|parts| parts < self.parts)
    }
}

/// Returns a duration in words, such as `14 days`, in the largest unit of which it has whole ones.
pub fn duration_in_words(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let units = [("day", 86_400), ("hour", 3_600), ("minute", 60)];
    let unit = units
        .into_iter()
        .find(|(_, length)| seconds >= *length && seconds.is_multiple_of(*length));
    let (unit, length) = unit.unwrap_or(("second", 1));
    match seconds / length {
        1 => format!("1 {unit}"),
        n => format!("{n} {unit}s"),
    }
}
