//! Every figure of the summary and of the queries against `tests/recount/`, which counts again from
//! the raw archives and shares nothing with the program.
//!
//! Without Python or DuckDB the test says so and passes; with `CI=true` it fails.

use std::{
    env,
    process::{Command, Stdio},
};

use crate::util::{Dir, TestCommand, duckdb, needed, or_skip, package, shared};

/// What must at least be compared: fewer would mean that the recount lost a part of itself.
const LEAST_QUERIES: usize = 30;
const LEAST_FIGURES: usize = 5_000;

/// Runs a program of `tests/recount/` and returns what it said, or nothing where Python cannot be
/// had.
fn python(program: &str, words: &[&str]) -> Option<String> {
    let path = package().join("tests/recount").join(program);
    let ran = Command::new("python3")
        .arg("-B")
        .arg(&path)
        .args(words)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output();
    needed(ran.is_ok(), "python3")?;
    let ran = ran.unwrap();
    let said = String::from_utf8(ran.stdout).unwrap();
    let end = &said[said.len().saturating_sub(20_000)..];
    assert!(ran.status.success(), "{program}: {}\n{end}", ran.status);
    Some(said)
}

/// Recounts archives and returns how many figures of how many queries were compared; one that
/// differs fails the test.
fn recounted(work: &str, archives: &[&str]) -> Option<(usize, usize)> {
    let program = env!("CARGO_BIN_EXE_robocensus");
    let words = [&["--program", program, "--work", work], archives].concat();
    let said = python("recount.py", &words)?;
    let last = said.lines().last().unwrap();
    eprintln!("{last}");
    let numbers = last.split_whitespace().filter_map(|word| word.parse().ok());
    let numbers: Vec<usize> = numbers.collect();
    let [figures, queries, differing] = numbers[..] else {
        panic!("{last:?}")
    };
    assert_eq!(differing, 0, "{said}");
    Some((figures, queries))
}

/// Archives with all shapes, the sample, and a generated one; and without the first, whose crawls
/// have names, so that what the archives of no crawl say is not left out as another crawl's.
#[test]
fn every_figure_agrees_with_a_recount_of_the_raw_archives() {
    or_skip!(duckdb());
    let dir = Dir::new();
    let made = dir.word("made");
    or_skip!(python("made.py", &[&made]));
    let generated = dir.word("generated.warc.gz");
    TestCommand::new(["sample", "--captures", "400", "--seed", "12", "--out"])
        .words(&[&generated])
        .succeed();
    let sample = package().join("data-sample/archives");
    let of_no_crawl = [generated.as_str(), sample.to_str().unwrap()];
    let all = [&[made.as_str()], &of_no_crawl[..]].concat();
    for (work, archives) in [("all", &all[..]), ("of-no-crawl", &of_no_crawl[..])] {
        let (figures, queries) = or_skip!(recounted(&dir.word(work), archives));
        assert!(queries >= LEAST_QUERIES, "{work}: {queries} queries");
        assert!(figures >= LEAST_FIGURES, "{work}: {figures} figures");
    }
}

/// The recount has a parser and a matcher of its own: they agree with what the specifications and
/// Google's own suite say.
#[test]
fn the_matcher_of_the_recount_agrees_with_the_cases() {
    let cases = or_skip!(shared("cases"));
    let names = ["verdicts.jsonl", "google-suite.jsonl"];
    let paths: Vec<_> = names.iter().map(|name| cases.join(name)).collect();
    let words: Vec<_> = paths.iter().map(|path| path.to_str().unwrap()).collect();
    if let Some(said) = python("cases.py", &words) {
        eprintln!("{}", said.trim_end());
    }
}
