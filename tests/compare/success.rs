//! What a comparison must not take for success, and when it ends.

use std::{collections::BTreeSet, thread, time::Duration};

use super::{
    command::{compare, hostile},
    files::{archive_of, totals},
};
use crate::util::{Census, Dir, TestCommand, assert_says, package, signal};

/// Returns an archive of one file, which every crawler may fetch, for the hostile parser.
fn archive_of_act(dir: &Dir, act: &str) -> String {
    let body = format!("# {act}\nUser-agent: *\nAllow: /\n").into_bytes();
    dir.write("act.warc.gz", archive_of(&[body]))
}

#[test]
fn a_parser_that_fails_when_it_is_asked_again_is_at_fault() {
    let dir = Dir::new();
    let archive = archive_of_act(&dir, "once");
    let out = dir.word("out");
    let command = format!("{} again {}", hostile(), dir.word("answered"));
    let more = [&*archive, "--out", &out, "--workers", "1"];
    let ran = compare("google", &command, &more).end_with(1);
    assert!(ran.stderr.contains("exit status: 9"), "{}", ran.stderr);
    let faults = Census(out.into()).table("parser_faults");
    assert_eq!(faults.all_texts("kind"), ["exited"]);
    assert_eq!(faults.all_texts("url_host_name"), ["host-000.example"]);
}

/// Returns bodies beyond 500 KiB, in each of which something else is beyond it.
fn long_bodies() -> [Vec<u8>; 4] {
    const LIMIT: usize = 500 * 1024;
    let rules = |prefix: &str, n: usize| -> String {
        (0..n)
            .map(|n| format!("Disallow: /{prefix}{n:05}/\n"))
            .collect()
    };
    let filled = |mut text: String| {
        while text.len() < LIMIT {
            text.push_str("# nothing of this is a rule\n");
        }
        text
    };
    let group = |n: usize| format!("User-agent: crawler{n}\nDisallow: /{n}/\nAllow: /a{n}/\n\n");
    [
        // One group that continues, and one of which three rules are beyond. The rule that the
        // limit cuts is /a, and forbids nothing else.
        format!(
            "User-agent: *\n{}{}",
            rules("a", 27_000),
            rules("rest", 13_000)
        ),
        filled(format!("User-agent: *\n{}", rules("b", 5_000))) + &rules("end", 3),
        // Groups of crawlers, and a group that begins beyond.
        (0..12_000).map(group).collect(),
        filled(format!("User-agent: x\n{}", rules("c", 400)))
            + "User-agent: y\nDisallow: /\n\nUser-agent: z\nAllow: /\n",
    ]
    .map(String::into_bytes)
}

#[test]
fn a_parser_that_reads_500_kib_is_found_out_with_the_default() {
    let dir = Dir::new();
    let bodies = long_bodies();
    assert!(bodies.iter().all(|body| body.len() > 500 * 1024));
    let archive = dir.write("long.warc.gz", archive_of(&bodies));
    let all = dir.write("all.toml", "base = \"google\"\nbyte_limit = \"none\"\n");
    let out = dir.word("out");
    let words = [
        "compare",
        "--baseline",
        &all,
        "--candidate",
        "google",
        &archive,
    ];
    let ran = TestCommand::new(words.into_iter().chain(["--out", &out])).end_with(1);
    let census = Census(out.into());
    assert_eq!(
        census.table("causes").all_texts("changes"),
        ["byte_limit=512000"]
    );
    let hosts = census.table("flips").all_texts("url_host_name");
    let hosts: BTreeSet<_> = hosts.into_iter().collect();
    assert_eq!(hosts.len(), bodies.len(), "{hosts:?}");
    // What was not asked is stated.
    for line in ["files cut", "rules not asked about"] {
        assert!(ran.stdout.contains(line), "{}", ran.stdout);
    }
    let totals = totals(&dir, "out");
    assert_eq!(totals["cut_files"], 4, "{totals}");
    // Two rules, which the limit cuts, are read in two ways.
    assert_eq!(
        totals["rules"],
        2 + 40_000 + 5_003 + 24_000 + 402,
        "{totals}"
    );
    let left_out = totals["rules_left_out"].as_u64().unwrap();
    assert!(left_out > 60_000 && left_out < 69_400, "{totals}");
}

#[test]
fn a_mistake_is_not_accepted_because_its_smallest_example_could_be_another_cause() {
    let dir = Dir::new();
    let bodies = [
        "User-agent: *\nDisallow: */a/\nDisallow: hidden.md\n",
        "User-agent: *\nDisallow: /old$\nDisallow: /my$\nDisallow: /x/y$\n",
    ];
    let bodies = bodies.map(|body| body.as_bytes().to_vec());
    let archive = dir.write("files.warc.gz", archive_of(&bodies));
    let (out, list) = (dir.word("out"), dir.word("star.toml"));
    let compared = |candidate: &str, flag: &str| {
        let words = [&archive, "--out", &out, "--overwrite", flag, &list];
        compare(&regressed("wild"), &regressed(candidate), &words)
    };
    compared("wild star", "--write-expect").end_with(1);
    assert_eq!(compared("wild star", "--expect").succeed().stdout, "");
    let ran = compared("wild star open", "--expect").end_with(1);
    assert!(ran.stdout.starts_with("new cause: "), "{}", ran.stdout);
}

#[test]
fn a_comparison_that_compares_nothing_is_not_accepted() {
    let dir = Dir::new();
    let archive = archive_of_act(&dir, "error");
    let more = [&*archive, "--out", &dir.word("errors")];
    let ran = compare("google", &hostile(), &more).end_with(1);
    assert_says(&ran.stderr, "nothing was compared");
    assert_says(&ran.stderr, "answered by one side alone");
    let totals = totals(&dir, "errors");
    let unanswered = totals["unanswered"].as_u64().unwrap();
    // There is one capture, so that queries are cells; Google answers all of them.
    assert!(
        unanswered > 0 && totals["answered_by_one"] == unanswered,
        "{totals}"
    );
    assert_eq!(totals["cells"], 0);
    let empty = dir.write("empty.warc.gz", archive_of(&[]));
    let more = [&*empty, "--out", &dir.word("empty")];
    let ran = compare("google", "python", &more).end_with(1);
    assert_says(&ran.stderr, "nothing was compared");
    let words = [&*archive, "--max-probes", "0", "--out", &dir.word("none")];
    let ran = compare("google", "python", &words).end_with(2);
    assert_says(&ran.stderr, "a whole number from 1");
}

#[test]
#[cfg(unix)]
fn a_comparison_that_is_stopped_does_not_wait_for_a_parser_that_hangs() {
    let dir = Dir::new();
    let archive = archive_of_act(&dir, "hang");
    let out = dir.path("out");
    let mut child = TestCommand::line("compare --timeout 50s --quiet --baseline google")
        .words(&[
            "--candidate",
            &hostile(),
            &archive,
            "--out",
            &dir.word("out"),
        ])
        .start();
    thread::sleep(Duration::from_secs(3));
    signal(&child, "TERM");
    let begun = std::time::Instant::now();
    let status = child.wait().unwrap();
    // The parser sleeps for a minute.
    assert!(
        begun.elapsed() < Duration::from_secs(30),
        "{:?}",
        begun.elapsed()
    );
    assert_eq!(status.code(), Some(2));
    assert!(!out.join("flips").exists() && !out.join("_comparison.json").exists());
}

/// Returns the command of a parser with these regressions.
pub(super) fn regressed(regressions: &str) -> String {
    let script = package().join("tests/adapters/regressed.py");
    format!("exec:python3 {} {regressions}", script.display())
}

#[test]
fn a_cause_that_is_accepted_lets_no_other_one_pass() {
    let dir = Dir::new();
    let regressions = ["cr", "indented", "blank", "case"];
    let bodies = [
        "User-agent: *\rDisallow: /one/\rAllow: /two/\r",
        "User-agent: *\n  Disallow: /one/\nAllow: /two/\n",
        "User-agent: *\nDisallow : /one/\nAllow: /two/\n",
        "User-agent: *\nDISALLOW: /one/\nAllow: /two/\n",
        "User-agent: *\nDisallow: /one/\nAllow: /two/\n",
    ];
    let bodies = bodies.map(|body| body.as_bytes().to_vec());
    let archive = dir.write("files.warc.gz", archive_of(&bodies));
    let compared = |candidate: &str, more: &[&str]| {
        let out = dir.word("out");
        let words = [&[&*archive, "--out", &out, "--overwrite"], more].concat();
        compare(&regressed(""), &regressed(candidate), &words)
    };
    let keys: Vec<String> = regressions
        .iter()
        .map(|regression| {
            let list = dir.word(&format!("{regression}.toml"));
            compared(regression, &["--write-expect", &list]).end_with(1);
            let ran = compared(regression, &["--expect", &list]).succeed();
            assert_eq!(ran.stdout, "", "{regression}");
            let keys = Census(dir.path("out")).table("causes").all_texts("changes");
            assert_eq!(keys.len(), 1, "{regression}: {keys:?}");
            keys.concat()
        })
        .collect();
    let distinct: BTreeSet<_> = keys.iter().collect();
    assert_eq!(distinct.len(), keys.len(), "{keys:?}");
    // One regression is known, and a second one comes.
    let list = dir.word("cr.toml");
    for (second, key) in regressions.iter().zip(&keys).skip(1) {
        let ran = compared(&format!("cr {second}"), &["--expect", &list]).end_with(1);
        let expected = format!("new cause: {key}: ");
        assert!(
            ran.stdout.starts_with(&expected),
            "{second}: {}",
            ran.stdout
        );
        assert_eq!(ran.stdout.lines().count(), 1, "{}", ran.stdout);
    }
}

/// Returns an archive of robots.txt files.
fn archive_of_texts(dir: &Dir, texts: &[&str]) -> String {
    let bodies: Vec<Vec<u8>> = texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    dir.write("texts.warc.gz", archive_of(&bodies))
}

#[test]
fn an_oddity_is_one_cause_whatever_is_around_it() {
    let dir = Dir::new();
    let texts = [
        "User-agent: *\nDisallow: /a[1]\n",
        "User-agent: *\nDisallow: /\nAllow: /b[2\n",
        "User-agent: *\nAllow: /c[\nDisallow: /c\n",
        "User-agent: *\nDisallow: /d[/*/e\nAllow: /d\nDisallow: /f\n",
        // What both agree on keeps other names from it.
        "User-agent: *\nDisallow: /\nAllow: /g\n",
        "User-agent: *\nDisallow: /h&i\n",
    ];
    let archive = archive_of_texts(&dir, &texts);
    let [out, list] = ["out", "known.toml"].map(|name| dir.word(name));
    let compared = |candidate: &str, more: &[&str]| {
        let words = [&*archive, "--out", &out, "--overwrite"];
        compare(
            &regressed(""),
            &regressed(candidate),
            &[&words, more].concat(),
        )
    };
    // Another oddity is another cause, though a file that has both characters shows the one too.
    compared("bracket", &["--write-expect", &list]).end_with(1);
    let ran = compared("bracket ampersand", &["--expect", &list]).end_with(1);
    assert_says(&ran.stdout, "new cause: unexplained:");
    compared("bracket", &["--expect", &list]).succeed();
    let flips = Census(dir.path("out")).table("flips");
    let directions: BTreeSet<_> = flips.all_texts("direction").into_iter().collect();
    assert_eq!(directions.len(), 2, "{directions:?}");
    let causes = Census(dir.path("out")).table("causes");
    let example = ["example_robots_txt", "example_url"].map(|column| causes.all_texts(column));
    assert_eq!(example[0], ["User-agent:*\nDisallow:/["]);
    assert_eq!(example[1], ["https://example.com/["]);
}

#[test]
fn a_parser_that_answers_differently_each_time_is_at_fault() {
    let dir = Dir::new();
    let archive = archive_of_texts(&dir, &["User-agent: *\nDisallow: /one/\n"]);
    let [out, list] = ["out", "known.toml"].map(|name| dir.word(name));
    let compared = |more: &[&str]| {
        let words = [&*archive, "--out", &out, "--overwrite", "--workers", "1"];
        compare("google", &regressed("moody"), &[&words, more].concat())
    };
    let ran = compared(&["--write-expect", &list]).end_with(1);
    assert_says(
        &ran.stderr,
        "candidate: host-000.example: expected the same",
    );
    let census = Census(dir.path("out"));
    assert_eq!(census.table("flips").n_rows(), 0);
    let kinds = census.table("parser_faults").all_texts("kind");
    assert_eq!(kinds, ["unstable_answer"]);
    let totals = totals(&dir, "out");
    assert!(totals["unstable"].as_u64() > Some(0), "{totals}");
    let ran = compared(&["--expect", &list]).succeed();
    assert_eq!((&*ran.stdout, &*ran.stderr), ("", ""));
}

#[test]
fn a_fault_that_is_known_is_accepted_for_its_file_alone() {
    let dir = Dir::new();
    let fine = "User-agent: *\nDisallow: /one/\n";
    let known = "# crash\nUser-agent: *\nDisallow: /\n";
    let archive = archive_of_texts(&dir, &[fine, known]);
    let [out, list] = ["out", "known.toml"].map(|name| dir.word(name));
    let compared = |archive: &str, more: &[&str]| {
        let words = [archive, "--out", &out, "--overwrite"];
        let parser = regressed("crash");
        compare(&parser, &parser, &[&words, more].concat())
    };
    compared(&archive, &["--write-expect", &list]).end_with(1);
    let ran = compared(&archive, &["--expect", &list]).succeed();
    assert_eq!((&*ran.stdout, &*ran.stderr), ("", ""));
    // So many of a kind are accepted whatever the file: two, one of each side.
    for (most, code) in [(2, 0), (1, 1)] {
        let entry = format!("[[fault]]\nkind = \"exited\"\nreason = \"x\"\nmax_faults = {most}\n");
        let limited = dir.write("limited.toml", entry);
        let ran = compared(&archive, &["--expect", &limited]).end_with(code);
        let says = "fault:exited: expected at most 1, but found 2";
        let found = (&*ran.stdout, ran.stderr.contains(says));
        assert_eq!(found, ("", code == 1), "{}", ran.stderr);
    }
    // Another file at fault is not accepted, and one that is no more is a note.
    let other = archive_of_texts(&dir, &[fine, "# crash too\nUser-agent: *\nDisallow: /\n"]);
    let ran = compared(&other, &["--expect", &list]).end_with(1);
    assert!(ran.stderr.contains("exit status: 7"), "{}", ran.stderr);
    let note = "note: no parser has the accepted fault exited:";
    assert!(ran.stdout.starts_with(note), "{}", ran.stdout);
    let wrong = dir.write("wrong.toml", "[[fault]]\nkind = \"exited\"\n");
    let ran = compared(&archive, &["--expect", &wrong]).end_with(2);
    assert_says(&ran.stderr, "line 1: missing field `reason`");
}
