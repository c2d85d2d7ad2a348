//! Variables of queries: one that no query reads, or a value that no dataset has, is refused, and
//! what a figure does not show is reported with it.

use std::{
    fs,
    io::Read,
    path::Path,
    process::{Command, Stdio},
};

use serde_json::Value;

use super::{by_hand, by_hand::census};
use crate::util::{
    Dir, TestCommand, assert_says, column, duckdb, gzip, or_skip, piped, read_json, record, run,
};

/// Returns a query to a dataset as a command.
fn ask(data: &Path, words: &[&str]) -> TestCommand {
    TestCommand::new(["query", "--format", "json"])
        .words(&["--data", data.to_str().unwrap()])
        .words(words)
}

fn both(words: &[&str]) -> TestCommand {
    ask(&by_hand().both(), words)
}

#[test]
fn a_variable_that_the_query_does_not_read_is_refused() {
    let query = "count-hosts-blocking-gptbot";
    both(&[query, "--set", "agnet=CCBot"]).refuse(&["--set agnet", query, "did you mean agent?"]);
    both(&[query, "--set", "Agent=CCBot"]).refuse(&["did you mean agent?"]);
    both(&[query, "--set", "agent=CCBot", "--set", "agent=GPTBot"]).refuse(&["set twice"]);
    both(&[query, "--set", "data=elsewhere"]).refuse(&["given by --data"]);
    // It counts captures, those of all crawls.
    both(&["count-captures-by-status", "--set", "crawl=CC-MAIN-2026-05"])
        .refuse(&["count-captures-by-status reads no variable of this name"]);
    let before = by_hand().path("before");
    for query in ["count-captures-by-status", "count-hosts-blocking-gptbot"] {
        both(&[query, "--before", &before]).refuse(&["reads no earlier dataset", "count-changes"]);
    }
}

/// What SQL of a user reads is not known for sure.
#[test]
fn a_variable_that_sql_of_a_user_does_not_name_has_a_note() {
    or_skip!(duckdb());
    let note = |words: &[&str]| both(words).succeed().stderr;
    let unread = note(&["SELECT getvariable('mine') AS mine", "--set", "mien=1"]);
    assert_says(&unread, "note: --set mien: neither the SQL nor");
    let before = by_hand().path("before");
    let unread = note(&[
        "SELECT count(*) AS n FROM host_policies",
        "--before",
        &before,
    ]);
    assert_says(&unread, "note: --before: the SQL reads no earlier");
    for sql in [
        "SELECT getvariable('mine') AS mine",
        "SELECT GetVariable( 'mine' ) AS mine",
    ] {
        assert_eq!(note(&[sql, "--set", "mine=1"]), "", "{sql}");
    }
    // The view reads it.
    let read = note(&["SELECT count(*) AS n FROM hosts", "--set", "html=included"]);
    assert!(!read.contains("--set html"), "{read}");
}

#[test]
fn datasets_that_cannot_be_compared_are_refused_with_what_differs() {
    let dir = Dir::new();
    let made = |name: &str, words: &[&str]| {
        fs::create_dir_all(dir.path(name)).unwrap();
        let out = census(&dir, words);
        let target = dir.path(name).join("census");
        fs::rename(out, &target).unwrap();
        target.to_str().unwrap().to_owned()
    };
    let data = by_hand().both();
    let compare = |before: &str, words: &[&str]| {
        let asked = ["count-changes", "--before", before];
        ask(&data, &asked).words(words)
    };
    let description: Value = read_json(data.join("_dataset.json"));
    let dialects = description["options"]["dialects"].as_str().unwrap();
    let (reference, _) = dialects.split_once(',').unwrap_or((dialects, ""));
    let short = made("short", &["--max-body", "100"]);
    compare(&short, &[]).refuse(&[
        "max_body is 100 there and 8388608 in",
        "the options of the other",
    ]);
    let other = made("other", &["--dialects", "original-1994"]);
    compare(&other, &[]).refuse(&["the reference dialect is original-1994 there", reference]);
    let window = made("window", &["--redirect-window", "3d"]);
    compare(&window, &[]).refuse(&["redirect_window"]);
    let alone = made("alone", &["--dialects", reference]);
    compare(&alone, &["--set", "dialect=mine"]).refuse(&["has the dialects", "compared"]);
    if duckdb().is_some() {
        let agents = dir.write("agents.txt", "GPTBot\nCCBot\n");
        let few = made("few", &["--dialects", dialects, "--agents", &agents]);
        let ran = compare(&few, &[]).succeed();
        let says = "note: --before: agents are 2";
        assert!(ran.stderr.contains(says), "{}", ran.stderr);
        assert_says(&ran.stderr, "that only one of them has");
    }
}

#[test]
fn a_default_that_the_matrix_lacks_is_refused() {
    or_skip!(duckdb());
    let dir = Dir::new();
    let agents = dir.write("agents.txt", "CCBot\nClaudeBot\n");
    let data = census(&dir, &["--agents", &agents]);
    ask(&data, &["count-hosts-blocking-gptbot"]).refuse(&[
        "uses GPTBot unless the variable agent is set",
        "the dataset has no agent \"GPTBot\"",
    ]);
    ask(
        &data,
        &["count-hosts-blocking-gptbot", "--set", "agent=CCBot"],
    )
    .succeed();
}

#[test]
fn a_comparison_of_dialects_needs_two() {
    or_skip!(duckdb());
    let dir = Dir::new();
    let data = census(&dir, &["--dialects", "rfc9309"]);
    for query in [
        "count-flips-between-dialects",
        "count-disagreements-of-dialects",
        "list-disagreements-of-dialects",
    ] {
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
    let by_default = rows(&["count-hosts-blocking-gptbot"]);
    assert_eq!(
        by_default,
        rows(&["count-hosts-blocking-gptbot", "--set", "dialect=mine"])
    );
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
    for (name, uri, note) in [
        (
            "page",
            "https://a.example/index.html",
            "has no fetch of a robots.txt: the figures are of 0 hosts",
        ),
        (
            "none",
            "https://a.example/robots.txt",
            "no robots.txt was read in the dataset",
        ),
    ] {
        let archive = dir.path(&format!("{name}.warc.gz"));
        let date = "WARC-Date: 2026-01-10T12:00:00Z\r\n";
        fs::write(
            &archive,
            gzip(&record(uri, date, "HTTP/1.1 404 Not Found\r\n\r\n")),
        )
        .unwrap();
        let out = dir.path(name);
        run(&[archive.to_str().unwrap(), "--out", out.to_str().unwrap()]).end();
        let ran = ask(&out, &["compare-restriction-by-agent"]).succeed();
        assert!(
            ran.stderr.starts_with("robocensus: note: "),
            "{name}: {}",
            ran.stderr
        );
        assert!(ran.stderr.contains(note), "{name}: {}", ran.stderr);
        // The matrix has the URL of the query, but no capture has a verdict for it.
        let ran = ask(&out, &["count-hosts-blocking-gptbot"]).succeed();
        assert!(ran.stderr.contains(note), "{name}: {}", ran.stderr);
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
    for query in [
        "count-flips-between-dialects",
        "count-disagreements-of-dialects",
    ] {
        let ran = ask(&data, &[query]).succeed();
        assert_eq!(
            ran.stderr.matches(note).count(),
            1,
            "{query}: {}",
            ran.stderr
        );
        assert!(!ran.stderr.contains("dialect rfc9309"), "{query}");
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
        let uri = format!("https://of-{year}.org/robots.txt");
        let date = format!("WARC-Date: {year}-01-02T03:04:05Z\r\n");
        gzip(&record(
            &uri,
            &date,
            "HTTP/1.1 200 OK\r\n\r\nUser-agent: *\n",
        ))
    });
    let archive = dir.write("years.warc.gz", members.concat());
    let out = dir.path("census");
    run(&[&archive, "--out", out.to_str().unwrap()]).succeed();
    let ran = ask(&out, &["compare-agents-by-crawl"]).succeed();
    assert_says(&ran.stderr, "fetches span 2015 to 2026");
}

#[test]
#[cfg(unix)]
fn a_closed_pipe_is_success() {
    or_skip!(duckdb());
    let data = by_hand().both();
    let sql = "SELECT range AS n FROM range(3_000_000)";
    let mut command = Command::new(env!("CARGO_BIN_EXE_robocensus"));
    command
        .args(["query", sql, "--format", "csv", "--data"])
        .arg(data);
    let mut child = piped(command.stdin(Stdio::null()));
    let mut head = [0; 8];
    child.stdout.take().unwrap().read_exact(&mut head).unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(&head, b"n\n0\n1\n2\n");
    assert_eq!(String::from_utf8(ended.stderr).unwrap(), "");
    assert_eq!(ended.status.code(), Some(0));
}
