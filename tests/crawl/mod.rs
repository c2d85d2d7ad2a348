//! Crawls by their names, choices of archives, and lists of what would be read; the crawls are in a
//! folder, or behind a server of the test.

mod append;
mod http;
mod shards;

use std::{collections::BTreeSet, fs};

use serde_json::Value;

use crate::util::{
    CRAWL, Census, Dir, Ran, TestCommand, assert_says, gzip, or_skip, read_json, run, sample,
};

/// Returns the names of archives of a crawl.
fn names(crawl: &str, subset: &str, n: usize) -> Vec<String> {
    let name = |number| format!("crawl-data/{crawl}/segments/1.2/{subset}/CC-{number:05}.warc.gz");
    (0..n).map(name).collect()
}

/// Writes archives and the list of their paths below the folder `base`.
fn write_crawl(dir: &Dir, crawl: &str, subset: &str, n: usize) -> Vec<String> {
    let names = names(crawl, subset, n);
    for (seed, name) in (1..).zip(&names) {
        dir.write(&format!("base/{name}"), sample(20, seed));
    }
    write_list(dir, crawl, subset, gzip(names.join("\n").as_bytes()));
    names
}

fn write_list(dir: &Dir, crawl: &str, subset: &str, bytes: impl AsRef<[u8]>) {
    let path = format!("base/crawl-data/{crawl}/{subset}.paths.gz");
    dir.write(&path, bytes);
}

/// Returns a run over crawls below the folder `base`.
fn run_crawl(dir: &Dir, crawl: &str) -> TestCommand {
    run(&["--crawl", crawl, "--crawl-base", &dir.word("base")])
}

/// Returns a run over the crawl into a dataset; `flags` have blanks between.
fn run_into(dir: &Dir, census: &str, flags: &str) -> TestCommand {
    let flags: Vec<_> = flags.split_whitespace().collect();
    let out = ["--out", &dir.word(census)];
    run_crawl(dir, CRAWL).words(&out).words(&flags)
}

fn finish(dir: &Dir, census: &str) -> Ran {
    TestCommand::new(["finish", "--quiet", &dir.word(census)]).succeed()
}

fn assert_is_sound(dir: &Dir, census: &str) {
    TestCommand::new(["verify", &dir.word(census)]).succeed();
}

/// Returns the names of the archives of a dataset.
fn archives(dir: &Dir, census: &str) -> Vec<String> {
    let archives = Census(dir.path(census)).table("archives");
    archives.all_texts("warc_filename")
}

/// Returns the rows of `--list-inputs`, and what it said beside.
fn listed(command: TestCommand) -> (Vec<[String; 4]>, String) {
    let ran = command.words(&["--list-inputs"]).succeed();
    let mut lines = ran.stdout.lines();
    assert_eq!(lines.next(), Some("part\tbytes\tname\tlocation"));
    let row = |line: &str| {
        let columns: Vec<_> = line.split('\t').map(str::to_owned).collect();
        columns.try_into().unwrap()
    };
    (lines.map(row).collect(), ran.stderr)
}

#[test]
fn several_crawls_and_another_subset_are_one_dataset() {
    let dir = Dir::new();
    let mut names = write_crawl(&dir, CRAWL, "crawldiagnostics", 2);
    names.extend(write_crawl(&dir, "CC-MAIN-2026-09", "crawldiagnostics", 1));
    let subset = ["--subset", "crawldiagnostics", "--quiet", "--out"];
    for (out, words) in [
        ("repeated", &["CC-MAIN-2026-09", "--crawl", CRAWL][..]),
        ("listed", &["CC-MAIN-2026-05,CC-MAIN-2026-09"]),
    ] {
        run(&["--crawl-base", &dir.word("base"), "--crawl"])
            .words(words)
            .words(&subset)
            .words(&[dir.word(out)])
            .succeed();
        let mut found = archives(&dir, out);
        found.sort();
        assert_eq!(found, names);
        let table = Census(dir.path(out)).table("archives");
        assert_eq!(table.all_texts("subset"), ["crawldiagnostics"; 3]);
    }
    let says = "there is no list of the robotstxt archives of CC-MAIN-2026-05";
    run_into(&dir, "none", "").refuse(&[says]);
}

#[test]
fn a_crawl_that_cannot_be_read_is_refused_in_one_sentence() {
    let dir = Dir::new();
    let refuse = |crawl: &str, says: &[&str]| {
        let out = ["--out", &dir.word("census")];
        run_crawl(&dir, crawl).words(&out).refuse(says);
        assert!(!dir.path("census").exists());
    };
    for name in ["CC-MAIN-2025", "2025-05", "CC-MAIN-2025-05/..", ""] {
        refuse(name, &["expected the name of a crawl", "collinfo.json"]);
    }
    let path = dir.word("base/crawl-data/CC-MAIN-2026-05/robotstxt.paths.gz");
    refuse(CRAWL, &[&path, "there is no list", "collinfo.json"]);
    let good = gzip(names(CRAWL, "robotstxt", 500).join("\n").as_bytes());
    let html = b"<!DOCTYPE html><title>Sign in</title>\n";
    let of_another = b"crawl-data/CC-MAIN-2026-09/a.warc.gz\n";
    let outside = b"crawl-data/CC-MAIN-2026-05/../../a.warc.gz\n";
    for (bytes, says) in [
        (&html[..], "a page of HTML"),
        (&good[..good.len() - 20], "cannot decompress"),
        (b"\n\n", "this list names no archive"),
        (of_another, "line 1: expected a path"),
        (outside, "line 1: expected"),
        (b"\xff\n", "expected a list of paths in UTF-8"),
    ] {
        write_list(&dir, CRAWL, "robotstxt", bytes);
        refuse(CRAWL, &[&path, says]);
    }
}

#[test]
fn archives_are_chosen_by_their_names_and_the_dataset_says_so() {
    let dir = Dir::new();
    let names = write_crawl(&dir, CRAWL, "robotstxt", 12);
    let chosen_by = |command: TestCommand| -> BTreeSet<String> {
        let (rows, _) = listed(command);
        rows.into_iter().map(|[_, _, name, _]| name).collect()
    };
    let chosen = |words: &[&str]| chosen_by(run_crawl(&dir, CRAWL).words(words));
    let all: BTreeSet<_> = names.into_iter().collect();
    let three = chosen(&["--limit", "3"]);
    assert!(three.len() == 3 && three.is_subset(&all), "{three:?}");
    let half = chosen(&["--sample", "50%"]);
    assert!(!half.is_empty() && half.len() < 12, "{half:?}");
    assert_ne!(chosen(&["--limit", "3", "--seed", "1"]), three);
    // Another way to name the archives makes the same choice.
    let of_folder = chosen_by(run(&[&dir.word("base"), "--limit", "3"]));
    assert_eq!(of_folder, three);

    let [json, census, all] = ["summary.json", "census", "all"].map(|name| dir.word(name));
    let limited = run_into(&dir, "census", "--limit 3");
    let ran = limited.words(&["--summary-json", &json]).succeed();
    let says = "3 of 12 archives of CC-MAIN-2026-05 robotstxt, seed 0";
    assert_says(&ran.stdout, says);
    let summary: Value = read_json(&json);
    assert_eq!(summary["dataset"]["choice"], says);
    let description: Value = read_json(dir.path("census/_dataset.json"));
    assert_eq!(description["options"]["choice"], says);
    let found: BTreeSet<_> = archives(&dir, "census").into_iter().collect();
    assert_eq!(found, three);
    // Other archives do not belong to that dataset.
    run_into(&dir, "census", "--join").refuse(&["choice is", "not set here"]);
    let page = dir.word("page.html");
    let report = TestCommand::new(["report", "--out", &page, "--data", &census]);
    or_skip!(report.end_in_duckdb());
    assert!(fs::read_to_string(page).unwrap().contains(says));
    let said = |data: &str| {
        let words = ["query", "count-captures-by-status", "--data", data];
        TestCommand::new(words).succeed().stderr
    };
    let note = format!("robocensus: note: --data: the archives are a choice: {says}\n");
    assert_says(&said(&census), &note);
    run(&[&dir.word("base"), "--quiet", "--out", &all]).succeed();
    assert!(!said(&all).contains("choice"), "{}", said(&all));
}

#[test]
fn what_would_be_read_is_listed_in_the_order_of_reading() {
    let dir = Dir::new();
    let names = write_crawl(&dir, CRAWL, "robotstxt", 3);
    fs::remove_file(dir.path(&format!("base/{}", names[1]))).unwrap();
    let (rows, said) = listed(run_crawl(&dir, CRAWL));
    for ([part, bytes, of_row, location], name) in rows.iter().zip(&names) {
        assert!(part.starts_with("CC-0000"), "{part}");
        let path = dir.word(&format!("base/{name}"));
        let size = fs::metadata(&path).map_or(String::new(), |meta| meta.len().to_string());
        assert_eq!((of_row, bytes, location), (name, &size, &path));
    }
    // One whose size is not known is a part of its own.
    assert_eq!(said, "robocensus: 3 archives, of unknown size, 3 parts\n");
    let (rows, said) = listed(run(&[dir.word("base")]));
    let parts: BTreeSet<_> = rows.iter().map(|[part, ..]| part).collect();
    assert_eq!((rows.len(), parts.len()), (2, 1));
    assert!(said.starts_with("robocensus: 2 archives, "), "{said}");
    assert!(said.ends_with(" KiB, 1 part\n"), "{said}");
}

#[test]
fn a_name_with_a_tab_is_listed_so_that_it_can_be_told_what_it_was() {
    let dir = Dir::new();
    let paths = ["a\tb.warc", r"a\tb.warc", "a\nb.warc"].map(|name| dir.write(name, ""));
    let (rows, _) = listed(run(&paths));
    let found: Vec<_> = rows.iter().map(|[_, _, name, _]| name.as_str()).collect();
    assert_eq!(found, [r"a\tb.warc", r"a\nb.warc", r"a\\tb.warc"]);
}
