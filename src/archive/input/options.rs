//! What inputs are besides the words of a command line, and which of their archives are read.

use super::name::SUBSETS;
use crate::archive::index::RecordIndex;

/// Where Common Crawl publishes its crawls; `s3://commoncrawl/` has the same.
pub(crate) const DEFAULT_CRAWL_BASE: &str = "https://data.commoncrawl.org/";

/// Options of [`expand_with`](super::expand_with).
#[derive(Clone, Debug)]
pub struct ExpandOptions {
    /// The name of standard input in the tables, such as a path of Common Crawl's lists, whose
    /// crawl and subset then count too; [`STDIN_NAME`](super::STDIN_NAME) if `None`.
    pub stdin_name: Option<String>,
    /// Crawls such as `CC-MAIN-2025-05`, whose archives are inputs too.
    pub crawls: Vec<String>,
    /// Which archives of the crawls: `robotstxt`, `warc` or `crawldiagnostics`.
    pub subset: String,
    /// The records that are read in place of whole archives; then there are no other inputs.
    pub records: Option<RecordIndex>,
    /// The folder or URL below which `crawl-data/` is; that of Common Crawl by default.
    pub crawl_base: String,
    /// How many archives are read at most: those whose names have the smallest hashes.
    pub limit: Option<usize>,
    /// The share of the archives that is read, from 0 to 1: those whose names have hashes below it.
    pub sample: Option<f64>,
    /// The seed of the hashes: another one chooses other archives.
    pub seed: u64,
    /// Whether servers outside this network may redirect to addresses inside, such as 10.0.0.1.
    pub allow_private: bool,
}

impl Default for ExpandOptions {
    fn default() -> Self {
        Self {
            stdin_name: None,
            crawls: Vec::new(),
            records: None,
            subset: SUBSETS[0].to_owned(),
            crawl_base: DEFAULT_CRAWL_BASE.to_owned(),
            limit: None,
            sample: None,
            seed: 0,
            allow_private: false,
        }
    }
}
