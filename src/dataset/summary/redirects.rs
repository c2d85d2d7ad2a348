//! The redirects and the hosts of a dataset, counted.

use std::collections::BTreeMap;

/// The tables `redirects` and `hosts` of the whole dataset, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Redirects {
    /// The reference dialect, whose rows are counted.
    pub dialect: String,
    /// The hops that it follows; `None` for no limit.
    pub max_hops: Option<u8>,
    /// Its rows by outcome; an outcome without rows is listed too. Empty if the table `redirects`
    /// is not among those of the dataset.
    pub outcomes: BTreeMap<&'static str, u64>,
    /// Bytes of the files of both tables that were written: those of crawls without new parts stay.
    pub bytes: u64,
    /// The hosts of the latest crawl, once redirects are followed by the reference dialect; `None`
    /// if the table `hosts` is not among those of the dataset.
    pub hosts: Option<Hosts>,
}

/// The rows of the latest crawl in the table `hosts`, counted: each host name once, by its primary
/// origin. Exact, over all captures of the crawl.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hosts {
    /// The crawl, the last by name; `None` if the archives name none.
    pub crawl: Option<String>,
    /// Origins of which a robots.txt was requested: rows of the table.
    pub origins: u64,
    /// Registered domains of these origins. A host without one, such as an address, is a domain of
    /// its own.
    pub domains: u64,
    /// Host names of which a robots.txt was requested.
    pub asked: u64,
    /// Those that have a robots.txt: the column `has_robots_txt`.
    pub read: u64,
    /// Registered domains that have one, by the host name that represents each.
    pub domains_read: u64,
    /// Of those, the ones whose rules shut agents out of `/`, by category in the order of the
    /// matrix. `None` if the matrix lacks the path `/`, or the dataset the table `verdict_sets`.
    pub categories: Option<Vec<HostShare>>,
    /// The same of registered domains.
    pub domain_categories: Option<Vec<HostShare>>,
}

/// Hosts whose rules shut agents of one category out of `/`, under the reference dialect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostShare {
    /// At least one agent of the category.
    pub any: u64,
    /// Every agent of the category.
    pub all: u64,
}
