//! `--progress json`: what a program that shows progress reads from standard error.

use std::{fs, io::Write, process::Child, thread, time::Duration};

use serde_json::{Value, json};

use super::good;
use crate::util::{Dir, Ran, TestCommand, assert_says, ended, gzip, response, run};

/// Returns the objects of progress on standard error, and all other lines.
fn progress(ran: &Ran) -> (Vec<Value>, Vec<&str>) {
    let (mut objects, mut others) = (Vec::new(), Vec::new());
    for line in ran.stderr.lines() {
        match serde_json::from_str::<Value>(line) {
            Ok(object) => objects.push(object["progress"].clone()),
            Err(_) => others.push(line),
        }
    }
    (objects, others)
}

/// Returns the objects of progress of a run that says nothing else.
fn only_progress(ran: &Ran) -> Vec<Value> {
    let (objects, others) = progress(ran);
    assert!(others.is_empty(), "{others:?}");
    objects
}

/// Begins a run over standard input with progress in JSON.
fn begin(dir: &Dir) -> Child {
    let words = ["run", "-", "--progress", "json", "--threads", "1", "--out"];
    let command = TestCommand::new(words).words(&[dir.word("census")]);
    command.start()
}

#[test]
fn progress_in_json_ends_with_all_that_was_read() {
    let dir = Dir::new();
    let archive = dir.write("a.warc.gz", good());
    let words = [&*archive, "--progress", "json", "--no-finish", "--out"];
    let ran = run(&words).words(&[dir.word("census")]).succeed();
    let bytes = fs::metadata(&archive).unwrap().len();
    let expected = json!({"bytes": bytes, "total_bytes": bytes, "archives": 1, "total_archives": 1, "captures": 1});
    assert_eq!(only_progress(&ran).last(), Some(&expected));
    assert_says(&ran.stdout, "1 part");
}

#[test]
fn progress_in_json_only_grows_and_has_no_total_where_none_is_known() {
    let dir = Dir::new();
    let mut child = begin(&dir);
    let mut stdin = child.stdin.take().unwrap();
    for host in 0..4 {
        let url = format!("https://host{host}.example/robots.txt");
        stdin.write_all(&gzip(&response(&url, ""))).unwrap();
        stdin.flush().unwrap();
        thread::sleep(Duration::from_millis(300));
    }
    drop(stdin);
    let ran = ended(child);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let objects = only_progress(&ran);
    let is_of_bytes = |object: &&Value| object.get("bytes").is_some();
    let read: Vec<_> = objects.iter().filter(is_of_bytes).collect();
    assert!(read.len() >= 3, "{}", ran.stderr);
    for key in ["bytes", "archives", "captures"] {
        let figures: Vec<_> = read.iter().map(|object| object[key].as_u64()).collect();
        assert!(figures.is_sorted(), "{key}: {figures:?}");
    }
    assert!(read.iter().all(|object| object["total_bytes"].is_null()));
    assert_eq!(read.last().unwrap()["captures"], 4);
}

#[test]
fn a_run_ends_when_the_program_that_reads_its_progress_is_gone() {
    let dir = Dir::new();
    let mut child = begin(&dir);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&good()).unwrap();
    drop(child.stderr.take());
    // The input stays open: without an end of its own, only the closed pipe can end the run.
    let blanks = b"\r\n".repeat(1 << 12);
    let writer = thread::spawn(move || while stdin.write_all(&gzip(&blanks)).is_ok() {});
    let ran = ended(child);
    writer.join().unwrap();
    assert_eq!(ran.code, 2, "{}", ran.stdout);
}

#[test]
fn progress_in_json_tells_the_steps_of_a_comparison() {
    let dir = Dir::new();
    let (archive, out) = (dir.write("a.warc.gz", good()), dir.word("flips"));
    let ran = TestCommand::line("compare --baseline google --candidate rfc9309 --progress json")
        .words(&[&*archive, "--out", &out])
        .end_with(1);
    let last = only_progress(&ran).pop().unwrap();
    assert_eq!(last["done"], last["total"], "{last}");
    assert!(last["step"].is_string(), "{last}");
}

#[test]
fn lines_that_are_no_progress_stay_messages() {
    let dir = Dir::new();
    let damaged = dir.write("a.warc.gz", &good()[..60]);
    let ran = run(&[&damaged, "--progress", "json", "--verbose", "--out"])
        .words(&[dir.word("census")])
        .end_with(1);
    let (objects, others) = progress(&ran);
    assert!(!objects.is_empty() && !others.is_empty());
    let messages = "inputs: |output: |dialects: |matrix: |parts: |threads: |tables: |not computed: |plan: |\
        published: |Damaged or skipped:|a.warc.gz: ";
    for line in others.iter().filter(|line| !line.is_empty()) {
        let is_message = messages.split('|').any(|text| line.contains(text));
        assert!(is_message, "{line}");
    }
}
