//! The pages of a dataset and their robots.txt, counted.

use std::collections::BTreeMap;

use serde::Serialize;

/// The table `page_robots` of the whole dataset, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PageRobotsCounts {
    /// Pages of which a statement is about the page as a whole.
    pub pages: u64,
    /// Those of whose origin the dataset has a robots.txt.
    pub pages_with_robots: u64,
    /// Rows by verdict.
    pub verdicts: BTreeMap<&'static str, u64>,
    /// Bytes of the table's files.
    #[serde(skip)]
    pub bytes: u64,
}
