//! Variables of queries: one that no query reads, or a value that no dataset has, is refused, and
//! what a figure does not show is reported with it.

use std::{io::Read, path::Path};

use serde_json::Value;

use super::{by_hand, by_hand::census};
use crate::util::{
    Dir, TestCommand, answered, assert_begins, assert_says, column, duckdb, gzip, or_skip, query,
    read_json, record, run, run_into,
};

/// Returns a query to a dataset as a command.
fn ask(data: &Path, words: &[&str]) -> TestCommand {
    query(data, &["--format", "json"]).words(words)
}

#[test]
fn datasets_that_cannot_be_compared_are_refused_with_what_differs() {
    let dir = Dir::new();
    let data = by_hand().both();
    let compare = |words: &[&str]| {
        let before = census(&dir, &[&["--overwrite"], words].concat());
        ask(
            &data,
            &["count-changes", "--before", before.to_str().unwrap()],
        )
    };
    let description: Value = read_json(data.join("_dataset.json"));
    let dialects = description["options"]["dialects"].as_str().unwrap();
    let (reference, _) = dialects.split_once(',').unwrap_or((dialects, ""));
    let says = "max_body is 100 there and 8388608 in";
    compare(&["--max-body", "100"]).refuse(&[says, "the options of the other"]);
    compare(&["--dialects", "original-1994"])
        .refuse(&["the reference dialect is original-1994 there", reference]);
    compare(&["--redirect-window", "3d"]).refuse(&["redirect_window"]);
    compare(&["--dialects", reference])
        .words(&["--set", "dialect=mine"])
        .refuse(&["has the dialects", "compared"]);
    or_skip!(duckdb());
    let agents = dir.write("agents.txt", "GPTBot\nCCBot\n");
    let few = compare(&["--dialects", dialects, "--agents", &agents]);
    let said = few.succeed().stderr;
    assert_says(&said, "note: --before: agents are 2");
    assert_says(&said, "that only one of them has");
}

#[test]
fn a_default_that_the_matrix_lacks_is_refused() {
    or_skip!(duckdb());
    let dir = Dir::new();
    let agents = dir.write("agents.txt", "CCBot\nClaudeBot\n");
    let data = census(&dir, &["--agents", &agents]);
    let query = "count-hosts-blocking-gptbot";
    ask(&data, &[query]).refuse(&[
        "uses GPTBot unless the variable agent is set",
        "the dataset has no agent \"GPTBot\"",
    ]);
    ask(&data, &[query, "--set", "agent=CCBot"]).succeed();
}

/// Queries that compare dialects; each but the last one counts.
const COMPARING: [&str; 3] = [
    "count-flips-between-dialects",
    "count-disagreements-of-dialects",
    "list-disagreements-of-dialects",
];

#[test]
fn a_comparison_of_dialects_needs_two() {
    or_skip!(duckdb());
    let dir = Dir::new();
    let data = census(&dir, &["--dialects", "rfc9309"]);
    for query in COMPARING {
        ask(&data, &[query]).refuse(&[query, "compares two dialects", "only rfc9309"]);
    }
}

#[test]
fn the_dialects_asked_are_those_of_the_run() {
    or_skip!(duckdb());
    let dir = Dir::new();
    let mine = dir.write("mine.toml", "base = \"google\"\nagent_cut = \"token\"\n");
    let out = census(&dir, &["--dialects", &format!("{mine},google")]);
    let rows = |words: &[&str]| -> Vec<Value> { ask(&out, words).json() };
    let blocking = "count-hosts-blocking-gptbot";
    let of_mine = rows(&[blocking, "--set", "dialect=mine"]);
    assert_eq!(rows(&[blocking]), of_mine);
    let flips = rows(&["count-flips-between-dialects"]);
    let set = ["--set=base=mine", "--set=candidate=google"];
    let explicit = ["count-flips-between-dialects", set[0], set[1]];
    assert_eq!(flips, rows(&explicit));
    let cells = column(&flips, "cells");
    assert!(cells.iter().all(|cell| cell != "0"), "{flips:?}");
}

#[test]
fn nothing_to_count_is_reported() {
    or_skip!(duckdb());
    let dir = Dir::new();
    let of_none = "has no fetch of a robots.txt: the figures are of 0 hosts";
    for (name, note) in [
        ("index.html", of_none),
        ("robots.txt", "no robots.txt was read in the dataset"),
    ] {
        let url = format!("https://a.example/{name}");
        let absent = gzip(&answered(&url, "HTTP/1.1 404 Not Found\r\n\r\n"));
        let archive = dir.write(&format!("{name}.warc.gz"), absent);
        let out = dir.path(name);
        run(&[&*archive, "--out", out.to_str().unwrap()]).end();
        // The matrix has the URL of the second query, but no capture has a verdict for it.
        for query in [
            "compare-restriction-by-agent",
            "count-hosts-blocking-gptbot",
        ] {
            let said = ask(&out, &[query]).succeed().stderr;
            assert_begins(&said, "robocensus: note: ");
            assert_says(&said, note);
        }
    }
}

#[test]
fn agents_that_a_dialect_cannot_name_are_noted_where_agents_are_compared() {
    or_skip!(duckdb());
    let dir = Dir::new();
    let agents = dir.write("agents.tsv", "GPTBot\tai-training\nMJ12bot\tseo\n");
    let words = ["--dialects", "google,rfc9309", "--agents", &agents];
    let data = census(&dir, &words);
    let note = "robocensus: note: no user-agent line can name MJ12bot in the dialect google, so";
    for query in &COMPARING[..2] {
        let said = ask(&data, &[query]).succeed().stderr;
        assert_eq!(said.matches(note).count(), 1, "{query}: {said}");
        assert!(!said.contains("dialect rfc9309"), "{query}");
    }
    // A column of this query has it in each row, and this agent can be named.
    for words in [
        &["compare-restriction-by-agent"][..],
        &["count-disagreements-of-dialects", "--set", "agent=GPTBot"],
    ] {
        assert_eq!(ask(&data, words).succeed().stderr, "", "{words:?}");
    }
}

#[test]
fn years_of_archives_that_name_no_crawl_are_noted_where_crawls_are_compared() {
    or_skip!(duckdb());
    let dir = Dir::new();
    let members = ["2015", "2026"].map(|year| {
        let url = format!("https://of-{year}.org/robots.txt");
        let date = format!("WARC-Date: {year}-01-02T03:04:05Z\r\n");
        let http = "HTTP/1.1 200 OK\r\n\r\nUser-agent: *\n";
        gzip(&record(&url, &date, http))
    });
    let archive = dir.write("years.warc.gz", members.concat());
    let out = run_into(dir.path("census"), &[archive]);
    let said = ask(&out, &["compare-agents-by-crawl"]).succeed().stderr;
    assert_says(&said, "fetches span 2015 to 2026");
}

#[test]
#[cfg(unix)]
fn a_closed_pipe_is_success() {
    or_skip!(duckdb());
    let sql = "SELECT range AS n FROM range(3_000_000)";
    let mut child = query(&by_hand().both(), &[sql, "--format", "csv"]).start();
    let mut head = [0; 8];
    child.stdout.take().unwrap().read_exact(&mut head).unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(&head, b"n\n0\n1\n2\n");
    assert_eq!(String::from_utf8(ended.stderr).unwrap(), "");
    assert_eq!(ended.status.code(), Some(0));
}
