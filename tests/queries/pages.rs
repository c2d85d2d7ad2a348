//! Results for pages written by hand.

use std::{
    path::{Path, PathBuf},
    sync::OnceLock,
};

use robocensus::dataset::table::PAGE_TABLES;
use serde_json::Value;

use super::by_hand;
use crate::{
    page_runs::Pages,
    util::{Dir, TestCommand, answer, lasting, lines, or_skip, run},
};

/// Returns whether a query reads the views over pages.
pub fn is_of_pages(sql: &str) -> bool {
    let tables = sql.lines().find_map(|line| line.strip_prefix("-- Tables:"));
    let mut tables = tables.into_iter().flat_map(|tables| tables.split(','));
    tables.any(|name| PAGE_TABLES.iter().any(|table| table.name == name.trim()))
}

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
        let out = folder.join("census");
        run(&[archive.to_str().unwrap(), "--pages", "--quiet", "--out", out.to_str().unwrap()]).succeed();
        out
    })
}

#[test]
fn robots_and_pages_are_compared_by_agent() {
    let rows = or_skip!(answer(census(), "compare-robots-and-pages", &[]));
    let of = |agent: &str| -> Vec<Value> {
        let is_agent = |row: &&Value| row["agent"] == agent;
        rows.iter().filter(is_agent).cloned().collect()
    };
    let columns = "hosts pages let_in_by_both shut_out_by_page shut_out_by_robots shut_out_by_both undefined share_shut_out_by_page share_shut_out_by_both";
    // /2 of b.org states noindex for GPTBot alone; c.example has no robots.txt.
    assert_eq!(lines(&of("GPTBot"), columns), ["2 4 1 2 0 1 0 0.5 0.25"]);
    assert_eq!(
        lines(&of("Googlebot"), columns),
        ["2 4 2 1 0 1 0 0.25 0.25"]
    );
    assert_eq!(rows[0]["agent"], "GPTBot");
}

#[test]
fn a_dataset_without_pages_is_refused_and_others_need_none() {
    let without = by_hand().both();
    let data = without.to_str().unwrap();
    let query = |sql: &str| TestCommand::new(["query", sql, "--data", data]);
    query("count-nofollow-links").refuse(&["expected a dataset with pages", "run --pages"]);
    let own = "WITH pages AS (SELECT 1 AS n) SELECT n FROM pages";
    or_skip!(answer(&without, own, &[]));
    let dir = Dir::new();
    let mut pages = Pages::default();
    pages.page(0, "http://a.example/");
    let archive = pages.write(&dir, "a.warc");
    let out = dir.word("census");
    // Queries of robots.txt need the table redirects, and it is the first that is missing.
    run(&[&archive, "--pages", "--no-finish", "--quiet", "--out", &out]).succeed();
    let sql = ["query", "compare-robots-and-pages", "--data", &out];
    TestCommand::new(sql).refuse(&["the table redirects is missing; robocensus finish"]);
    TestCommand::new(["finish", "--quiet", &out]).succeed();
    TestCommand::new(sql).succeed();
}
