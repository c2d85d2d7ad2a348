//! What is asked where a dataset has other dialects, nothing to count or no crawls; what else is
//! refused or noted is in the cases of `testdata/queries/messages.toml`.

use std::{io::Read, path::Path};

use serde_json::Value;

use super::by_hand::{self, census};
use crate::util::{
    Dir, TestCommand, answered, assert_begins, assert_says, column, duckdb, gzip, or_skip, query,
    record, run, run_into,
};

/// Returns a query to a dataset as a command.
fn ask(data: &Path, words: &[&str]) -> TestCommand {
    query(data, &["--format", "json"]).words(words)
}

#[test]
fn the_dialects_asked_are_those_of_the_run() {
    or_skip!(duckdb());
    let dir = Dir::new();
    let mine = dir.write("mine.toml", "base = \"google\"\nagent_cut = \"token\"\n");
    let dialects = format!("--dialects={mine},google");
    let out = census(dir.path("census"), &[dialects]);
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
    let mut child = by_hand::ask(&[sql, "--format", "csv"]).start();
    let mut head = [0; 8];
    child.stdout.take().unwrap().read_exact(&mut head).unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(&head, b"n\n0\n1\n2\n");
    assert_eq!(String::from_utf8(ended.stderr).unwrap(), "");
    assert_eq!(ended.status.code(), Some(0));
}
