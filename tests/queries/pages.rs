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
        let noindex = "<!doctype html><meta name=robots content=noindex><a rel=nofollow href=/>x</a>";
        let mut pages = Pages::default();
        pages
            .robots(0, "http://a.example", "User-agent: *\nDisallow: /p\n")
            .robots(0, "http://b.org", "User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n")
            .fetch(1, "http://a.example/p", 200, &[], noindex)
            .fetch(2, "http://a.example/q", 200, &["X-Robots-Tag: index"], noindex)
            .fetch(
                3,
                "http://b.org/1",
                200,
                &[],
                "<!doctype html><meta name=robots content='noai, noidx'><a href=/>x</a><a rel=ugc href=/>y</a>",
            )
            .fetch(
                4,
                "http://b.org/2",
                200,
                &["X-Robots-Tag: gptbot: all"],
                "<!doctype html><meta name=tdm-reservation content=1><meta name=GPTBot content=noindex>",
            )
            .fetch(
                5,
                "http://c.example/1",
                200,
                &["X-Robots-Tag: NoIdx"],
                "<!doctype html><meta name=robots content=nofollow><a href=/>x</a>",
            )
            .fetch(6, "http://c.example/x.pdf", 200, &["X-Robots-Tag: noarchive"], "%PDF-1.4");
        let folder = lasting("queries-of-pages");
        let archive = folder.join("pages.warc");
        std::fs::write(&archive, pages.held("pages.warc").bytes).unwrap();
        run_into(folder.join("census"), &[archive.to_str().unwrap(), "--pages", "--quiet"])
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
