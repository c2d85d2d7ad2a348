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
    util::{Dir, TestCommand, answer, lasting, lines, run},
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

fn assert_rows(query: &str, words: &[&str], columns: &[&str], wanted: &[&str]) {
    if let Some(rows) = answer(census(), query, words) {
        assert_eq!(lines(&rows, columns), wanted, "{query}");
    }
}

#[test]
fn directives_are_counted_by_place() {
    assert_rows(
        "count-pages-by-directive",
        &[],
        &[
            "directive",
            "source",
            "place",
            "for_all",
            "parse_ok",
            "pages",
            "share_of_pages",
            "hosts",
            "statements",
        ],
        &[
            "nofollow link body true true 2 0.3333 1 2",
            "noindex meta head true true 2 0.3333 1 2",
            "all header header false true 1 0.1667 1 1",
            "index header header true true 1 0.1667 1 1",
            "noai meta head true true 1 0.1667 1 1",
            "noarchive header header true true 1 0.1667 1 1",
            "nofollow meta head true true 1 0.1667 1 1",
            "noidx header header true false 1 0.1667 1 1",
            "noidx meta head true false 1 0.1667 1 1",
            "noindex meta head false true 1 0.1667 1 1",
            "tdm-reservation meta head true true 1 0.1667 1 1",
            "ugc link body true true 1 0.1667 1 1",
        ],
    );
}

#[test]
fn coverage_tells_which_responses_were_read_as_pages() {
    assert_rows(
        "list-coverage-of-pages",
        &[],
        &["section", "item", "n", "whole"],
        &[
            "Pages responses read as pages 6 -",
            "Pages of other paths, counted as skipped: not robots path 6 6",
            "Pages captures too: a robots.txt redirects there 0 6",
            "Pages HTML 5 6",
            "Pages with a statement on the page as a whole 6 6",
            "Pages with something missing header longer than is read 0 6",
            "Pages with something missing body cut 0 6",
            "Pages with something missing attribute longer than is recorded 0 6",
            "Pages with something missing more statements than are recorded 0 6",
            "Pages with something missing elements nested deeper than is recorded 0 6",
            "Pages with something missing encoding unknown, another one assumed 0 6",
        ],
    );
}

#[test]
fn noindex_behind_a_disallow_is_unread() {
    let columns = [
        "url_host_name",
        "unread_pages",
        "noindex_pages",
        "share_unread",
        "robots_line",
        "example_url",
    ];
    let wanted = ["a.example 1 2 0.5 2 http://a.example/p"];
    assert_rows("list-hosts-with-unread-noindex", &[], &columns, &wanted);
    assert_rows(
        "list-hosts-with-unread-noindex",
        &["--set", "agent=GPTBot"],
        &columns,
        &wanted,
    );
}

#[test]
fn robots_and_pages_are_compared_by_agent() {
    let Some(rows) = answer(census(), "compare-robots-and-pages", &[]) else {
        return;
    };
    let of = |agent: &str| -> Vec<Value> {
        let is_agent = |row: &&Value| row["agent"] == agent;
        rows.iter().filter(is_agent).cloned().collect()
    };
    let columns = [
        "hosts",
        "pages",
        "let_in_by_both",
        "shut_out_by_page",
        "shut_out_by_robots",
        "shut_out_by_both",
        "undefined",
        "share_shut_out_by_page",
        "share_shut_out_by_both",
    ];
    // /2 of b.org states noindex for GPTBot alone; c.example has no robots.txt.
    assert_eq!(lines(&of("GPTBot"), &columns), ["2 4 1 2 0 1 0 0.5 0.25"]);
    assert_eq!(
        lines(&of("Googlebot"), &columns),
        ["2 4 2 1 0 1 0 0.25 0.25"]
    );
    assert_eq!(rows[0]["agent"], "GPTBot");
}

#[test]
fn reservations_are_counted_by_top_level_domain() {
    assert_rows(
        "count-ai-reservations-by-tld",
        &[],
        &[
            "url_host_tld",
            "hosts",
            "hosts_noai",
            "hosts_tdm",
            "hosts_license",
            "hosts_reserving",
            "share_reserving",
            "hosts_with_signal",
            "hosts_with_both",
            "share_with_both",
        ],
        &["example 2 0 0 0 0 0.0 0 0 0.0", "org 1 1 1 0 1 1.0 1 1 1.0"],
    );
}

#[test]
fn links_are_counted_by_top_level_domain() {
    assert_rows(
        "count-nofollow-links",
        &[],
        &[
            "url_host_tld",
            "is_total",
            "hosts",
            "pages",
            "links",
            "nofollow_links",
            "share_nofollow",
            "ugc_links",
            "share_ugc",
            "sponsored_links",
            "pages_with_nofollow",
            "share_of_pages",
        ],
        &[
            "- true 3 5 5 2 0.4 1 0.2 0 2 0.4",
            "example false 2 3 3 2 0.6667 0 0.0 0 2 0.6667",
            "org false 1 2 2 0 0.0 1 0.5 0 0 0.0",
        ],
    );
}

#[test]
fn headers_and_elements_that_contradict_each_other_are_listed() {
    assert_rows(
        "list-contradictions-of-header-and-element",
        &[],
        &[
            "url",
            "agent_token",
            "aspect",
            "header_directive",
            "element_directive",
            "place",
        ],
        &[
            "http://a.example/q * index index noindex head",
            "http://b.org/2 gptbot index all noindex head",
        ],
    );
}

#[test]
fn unknown_directives_are_ranked_by_hosts() {
    assert_rows(
        "rank-unknown-page-directives",
        &[],
        &[
            "directive",
            "hosts",
            "share_of_hosts",
            "pages",
            "statements",
            "in_headers",
            "example_text",
        ],
        &["noidx 2 0.6667 2 2 1 NoIdx"],
    );
}

#[test]
fn page_policies_have_the_verdict_of_robots_txt() {
    let sql = "SELECT pages.url, value, robots_verdict, robots_line FROM page_policies JOIN pages USING (page_id) WHERE agent = 'GPTBot' AND dialect = 'google' AND directive = 'may_index' ORDER BY 1";
    assert_rows(
        sql,
        &[],
        &["url", "value", "robots_verdict", "robots_line"],
        &[
            "http://a.example/p false disallow 2",
            "http://a.example/q false allow -",
            "http://b.org/2 false allow 3",
        ],
    );
}

#[test]
fn a_dataset_without_pages_is_refused_and_others_need_none() {
    let without = by_hand().both();
    let data = without.to_str().unwrap();
    let query = |sql: &str| TestCommand::new(["query", sql, "--data", data]);
    query("count-nofollow-links").refuse(&["expected a dataset with pages", "run --pages"]);
    let own = "WITH pages AS (SELECT 1 AS n) SELECT n FROM pages";
    if answer(&without, own, &[]).is_none() {
        return;
    }
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
