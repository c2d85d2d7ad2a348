//! Samples: which files `--sample` and `--budget` take, what they count of them, and what they
//! estimate.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use super::{
    command::compare,
    data::dataset,
    files::{archive_of, record, totals},
};
use crate::util::{Census, Dir, TestCommand, assert_same_files, assert_says, gzip, parser};

const FIRST: &str = "base = \"google\"\nprecedence = \"first\"\n";

/// A flip: the body, the host, the agent and the URL.
type Flip = (String, String, String, String);

fn flips(dir: &Dir, out: &str) -> BTreeSet<Flip> {
    let flips = Census(dir.path(out)).table("flips");
    let rows = flips.rows("content_digest url_host_name agent url");
    let rows: BTreeSet<Flip> = rows.into_iter().collect();
    assert_eq!(rows.len(), flips.n_rows());
    rows
}

/// The captures of a body: one, or up to 15 of one body in ten.
fn n_captures(body: usize) -> usize {
    match body % 10 {
        0 => 1 + body / 10 % 15,
        _ => 1,
    }
}

/// Writes three archives with captures of 600 bodies, which all flip, and those of one body far
/// from each other; returns the word that names them.
fn archives(dir: &Dir, name: &str, is_reversed: bool) -> String {
    let mut captures: Vec<(usize, usize)> = (0..15)
        .flat_map(|capture| (0..600).map(move |body| (capture, body)))
        .filter(|&(capture, body)| capture < n_captures(body))
        .collect();
    if is_reversed {
        captures.reverse();
    }
    let third = captures.len().div_ceil(3);
    let archives = captures
        .chunks(third)
        .enumerate()
        .map(|(number, captures)| {
            let records = captures.iter().flat_map(|(capture, body)| {
                let text = format!("User-agent: *\nAllow: /\nDisallow: /p{body}\n");
                gzip(&record(&format!("host-{body}-{capture}.example"), text))
            });
            let archive: Vec<u8> = records.collect();
            dir.write(&format!("{name}/{number}.warc.gz"), archive)
        });
    let paths: Vec<_> = archives.collect();
    format!("@{}", dir.write(&format!("{name}.txt"), paths.join("\n")))
}

/// Returns a parser that takes so many seconds for a file, and forbids all of a file with a rule
/// for /x.
fn slow(dir: &Dir, seconds: &str) -> String {
    let answer = format!("time.sleep({seconds}) or b'/x' not in body");
    parser(dir, &format!("slow-{seconds}"), &answer)
}

#[test]
fn the_same_files_are_taken_with_all_captures_whatever_the_threads_and_the_order() {
    let dir = Dir::new();
    let first = dir.write("first.toml", FIRST);
    let forward = archives(&dir, "forward", false);
    let backward = archives(&dir, "backward", true);
    for (out, list, words) in [
        ("all", &forward, &["--threads", "2"][..]),
        ("one", &forward, &["--sample", "10%", "--threads", "1"]),
        ("three", &forward, &["--sample", "10%", "--threads", "3"]),
        ("reversed", &backward, &["--sample", "10%"]),
        ("whole", &forward, &["--sample", "100%"]),
    ] {
        let out = dir.word(out);
        let more = [&[&**list, "--out", &out], words].concat();
        let ran = compare("google", &first, &more).end_with(1);
        assert_eq!(ran.stderr, "", "{out}");
    }
    let [one, three] = ["one", "three"].map(|out| Census(dir.path(out)).files());
    assert_same_files(&three, &one);
    let (all, sample) = (flips(&dir, "all"), flips(&dir, "one"));
    assert!(sample == flips(&dir, "reversed"));
    assert!(all == flips(&dir, "whole"));

    // Every flip of every capture of a file that is taken is a row, and each is counted.
    let taken: BTreeSet<&str> = sample.iter().map(|flip| &*flip.0).collect();
    let of_taken = all.iter().filter(|flip| taken.contains(&*flip.0));
    assert!(of_taken.eq(&sample));
    let hosts: BTreeSet<&str> = sample.iter().map(|flip| &*flip.1).collect();
    let mut captures: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for flip in &all {
        captures.entry(&flip.0).or_default().insert(&flip.1);
    }
    for out in ["one", "reversed"] {
        let totals = totals(&dir, out);
        for (name, expected) in [
            ("files", taken.len()),
            ("flipping_files", taken.len()),
            ("captures", hosts.len()),
            ("flipping_captures", hosts.len()),
            ("hosts", hosts.len()),
            ("flipping_hosts", hosts.len()),
            ("flips", sample.len()),
        ] {
            assert_eq!(totals[name], expected, "{out}: {name}");
        }
        assert_eq!(totals["sample"]["files"], 600);
    }

    // Of all files the estimates are the totals.
    let totals = totals(&dir, "whole");
    for name in ["flipping_files", "flipping_captures", "flips"] {
        let exact = [totals[name].as_f64(); 3];
        assert_eq!(totals["sample"][name], serde_json::json!(exact), "{name}");
    }

    // All that have ten captures are taken, and some of the others: of those with one some 54.
    let always = captures.iter().filter(|(_, hosts)| hosts.len() >= 10);
    assert!(always.clone().count() >= 20 && always.clone().all(|(body, _)| taken.contains(body)));
    let with_one = captures.iter().filter(|(_, hosts)| hosts.len() == 1);
    let n = with_one.filter(|(body, _)| taken.contains(*body)).count();
    assert!((30..80).contains(&n), "{n}");
}

#[test]
fn files_for_which_there_is_no_time_are_counted_and_estimated() {
    let dir = Dir::new();
    let parser = slow(&dir, "0.02");
    let records = (0..400).flat_map(|body| {
        let path = if body % 4 == 0 { "x" } else { "a" };
        let text = format!("# {body}\nUser-agent: *\nAllow: /{path}\n");
        let hosts = (0..n_captures(body)).map(move |n| format!("host-{body}-{n}.example"));
        hosts.map(move |host| gzip(&record(&host, &text)))
    });
    let records: Vec<_> = records.collect();
    let archive = dir.write("files.warc.gz", records.concat());
    let data = dataset(&dir, "data", &[&archive]);
    let ask = |out: &str, words: &[&str]| {
        let [markdown, out] = [format!("{out}.md"), out.to_owned()].map(|name| dir.word(&name));
        TestCommand::line("compare --baseline google --candidate")
            .words(&[&parser, "--out", &out, "--markdown", &markdown])
            .words(&["--timeout", "20s", "--probes", "matrix"])
            .words(words)
    };
    ask("full", &[&archive]).end_with(1);
    let full = totals(&dir, "full");
    assert_eq!(full["not_asked"], 0);
    let input = ["--data", &data];
    for (out, words) in [
        ("one", &["--budget", "1s", &archive][..]),
        ("two", &[&["--budget", "2s"], &input[..]].concat()),
        ("none", &["--budget", "0s", "--seed", "2", &archive]),
    ] {
        let ran = ask(out, words).end();
        let totals = totals(&dir, out);
        // What was not asked is no reason to fail: of the eight files of the last none flips.
        let code = i32::from(totals["flips"] != 0);
        assert_eq!(ran.code, code, "{out}: {}", ran.stderr);
        assert_eq!(totals["parser_faults"], 0, "{}", ran.stderr);
        let count = |name: &str| totals[name].as_u64().unwrap();
        assert!(count("files") >= 8 && count("not_asked") > 0, "{totals}");
        assert_eq!(count("files") + count("not_asked"), 400, "{totals}");
        assert_eq!(totals["sample"]["files"], 400);
        if out == "none" {
            assert_eq!((count("files"), ran.code), (8, 0));
        }
        for name in ["flipping_files", "flipping_captures", "flips"] {
            let [low, high] = [1, 2].map(|n| totals["sample"][name][n].as_f64().unwrap());
            let all = full[name].as_f64().unwrap();
            assert!(low <= all && all <= high, "{out}: {all}: {totals}");
        }
        let said = format!("{} of 400 files were not asked", count("not_asked"));
        let markdown = fs::read_to_string(dir.path(&format!("{out}.md"))).unwrap();
        assert!(markdown.contains(&said), "{markdown}");
        assert_says(&ran.stdout, "\n  files not asked ");
        let mut lines = ran.stdout.lines().filter(|line| line.contains(" to "));
        let is_shown = lines.any(|line| line.starts_with("  files that flip"));
        assert!(is_shown, "{}", ran.stdout);
    }
}

#[test]
fn a_slow_reference_is_not_waited_for_beyond_a_budget() {
    let dir = Dir::new();
    let body = |n| format!("# {n}\nUser-agent: *\nAllow: /x\n");
    let archive = archive_of(&Vec::from_iter((0..200).map(body)));
    let archive = dir.write("files.warc.gz", archive);
    let ran = TestCommand::line("compare --baseline google --budget 4s --timeout 20s --candidate")
        .words(&[&slow(&dir, "0"), "--reference", &slow(&dir, "0.2")])
        .words(&[&archive, "--out", &dir.word("out")])
        .end();
    let totals = totals(&dir, "out");
    assert!(totals["not_asked_again"].as_u64() > Some(0), "{totals}");
    assert_says(&ran.stdout, "\n  not asked again ");
    let stances = totals["stances"].as_object().unwrap().values();
    let with_a_stance: u64 = stances.map(|n| n.as_u64().unwrap()).sum();
    assert!(Some(with_a_stance) < totals["flips"].as_u64(), "{totals}");
}

#[test]
fn with_time_for_all_files_the_result_is_that_without_a_budget() {
    let dir = Dir::new();
    let first = dir.write("first.toml", FIRST);
    let list = archives(&dir, "files", false);
    for (out, words) in [("full", &[][..]), ("budget", &["--budget", "1h"])] {
        let out = dir.word(out);
        let words = [&[&*list, "--out", &out], words].concat();
        compare("google", &first, &words).end_with(1);
    }
    assert_eq!(totals(&dir, "budget"), totals(&dir, "full"));
    let [full, budget] = ["full", "budget"].map(|out| Census(dir.path(out)));
    for table in ["flips", "causes"] {
        let [full, budget] = [&full, &budget].map(|census| census.table(table));
        assert!(full.n_rows() > 0, "{table}");
        budget.assert_same_without(&[], &full);
    }
    let words = [&list, "--out", &dir.word("both"), "--budget", "1s"];
    let command = compare("google", &first, &words).words(&["--sample", "1%"]);
    assert_says(&command.end_with(2).stderr, "--sample");
}
