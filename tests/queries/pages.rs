//! The dataset of pages written by hand, and one that is not finished.

use std::{
    path::{Path, PathBuf},
    sync::OnceLock,
};

use crate::{
    page_runs::Pages,
    util::{Dir, TestCommand, duckdb, lasting, or_skip, query, run_into},
};

/// Returns a dataset with six pages.
pub fn census() -> &'static Path {
    static ONCE: OnceLock<PathBuf> = OnceLock::new();
    ONCE.get_or_init(|| {
        let pages = Pages::of(include_str!("../testdata/queries/pages.jsonl"));
        let folder = lasting("queries-of-pages");
        let archive = folder.join("pages.warc");
        std::fs::write(&archive, pages.held("pages.warc").bytes).unwrap();
        run_into(
            folder.join("census"),
            &[archive.to_str().unwrap(), "--pages", "--quiet"],
        )
    })
}

#[test]
fn the_first_table_that_is_missing_is_named() {
    or_skip!(duckdb());
    let dir = Dir::new();
    let mut pages = Pages::default();
    pages.page(0, "http://a.example/");
    let archive = pages.write(&dir, "a.warc");
    let words = [&*archive, "--pages", "--no-finish", "--quiet"];
    let data = run_into(dir.path("census"), &words);
    // Queries of robots.txt need the table redirects, and it is the first that is missing.
    let ask = || query(&data, &["compare-robots-and-pages"]);
    ask().refuse(&["the table redirects is missing; robocensus finish"]);
    let finish = ["finish", "--quiet", data.to_str().unwrap()];
    TestCommand::new(finish).succeed();
    ask().succeed();
}
