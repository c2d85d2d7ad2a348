//! What became of the redirects of a dataset.

use std::collections::BTreeMap;

/// The table `redirects` as it was made, of the whole dataset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Redirects {
    /// The reference dialect, whose rows are counted.
    pub dialect: String,
    /// The hops that it follows; `None` for no limit.
    pub max_hops: Option<u8>,
    /// Its rows by outcome; an outcome without rows is listed too.
    pub outcomes: BTreeMap<&'static str, u64>,
    /// Bytes of the table's files.
    pub bytes: u64,
}
