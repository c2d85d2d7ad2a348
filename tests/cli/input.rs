//! What a word of the command line may name, and what becomes of an input that is no archive.

use std::{fs, io::Write, thread, time::Duration};

use robocensus::sample::random::Random;

use super::{census, good, hosts};
use crate::util::{Dir, assert_begins, assert_says, ended, gzip, response, run, run_into};

/// What else is no input is in a unit test.
#[test]
fn an_input_that_is_nothing_stops_the_run_before_it_begins() {
    let dir = Dir::new();
    let good = dir.write("good.warc.gz", good());
    dir.write("notes/readme.txt", "no archive");
    let list = dir.write("list", "# nothing\n");
    for (word, says) in [
        (dir.word("missing.warc.gz"), "missing.warc.gz: cannot read"),
        (dir.word("notes"), "no archive in this folder"),
        (format!("@{list}"), "this list names no archive"),
    ] {
        run(&[&good, &word, "--out", &dir.word("census")]).refuse(&[says]);
        assert!(!dir.path("census").exists(), "{says}");
    }
}

/// A million paths take a second and some hundred megabytes, whatever is chosen among them.
#[test]
fn lists_of_more_than_a_million_archives_are_refused_before_any_is_looked_at() {
    let dir = Dir::new();
    let long = dir.write("long", "a\n".repeat(1_000_001));
    let short = dir.write("short", "b\n".repeat(2));
    let rest = dir.write("rest", "c\n".repeat(999_999));
    let says = "expected at most 1000000 archives in a run, but found ";
    let out = dir.word("census");
    run(&[&format!("@{long}"), "--limit", "2", "--out", &out]).refuse(&[&long, says, "1000001"]);
    let lists = [format!("@{short}"), format!("@{rest}")];
    run(&[&lists[0], &lists[1], "--out", &out]).refuse(&[&rest, says, "1000001", "several runs"]);
}

#[test]
fn any_name_may_be_that_of_an_archive() {
    let dir = Dir::new();
    let names = "mein Archiv (1) 'ü'.warc.gz|-.warc.gz|[a].warc.gz|no-ending|@x.warc";
    for name in names.split('|') {
        let archive = dir.write(name, good());
        run_into(dir.path("census"), &[&archive, "--overwrite"]);
        let captures = census(&dir).table("captures");
        assert_eq!(captures.all_texts("warc_filename"), [name]);
    }
}

#[test]
fn what_is_no_archive_is_named_and_the_rest_is_read() {
    let dir = Dir::new();
    let good = good();
    for (name, bytes) in [
        ("cut.warc.gz", good[..good.len() - 20].to_vec()),
        ("empty.warc.gz", Vec::new()),
        ("noise.warc.gz", Random::new(1).bytes(100_000)),
        ("nothing.warc.gz", gzip(b"")),
        ("page.warc.gz", b"<!DOCTYPE html>".to_vec()),
        ("text.warc", b"User-agent: *\nDisallow: /\n".to_vec()),
    ] {
        let (good, bad) = (dir.write("good.warc.gz", &good), dir.write(name, bytes));
        let words = [&good, &bad, "--out", &dir.word("census"), "--overwrite"];
        let said = run(&words).end_with(1).stderr;
        let named = said.split("Damaged or skipped:\n").nth(1).unwrap();
        assert_eq!(named.lines().count(), 1, "{named}");
        assert_begins(named, &format!("{name}: offset 0: "));
        assert_eq!(hosts(&dir), ["good.example"], "{name}");
        // Faults are named even with --quiet.
        let quiet = run(&words).words(&["--quiet"]).end_with(1);
        assert_eq!(quiet.stdout, "");
        assert_says(&quiet.stderr, named);
    }
}

#[test]
fn a_folder_that_a_list_names_is_an_archive_that_cannot_be_opened() {
    let dir = Dir::new();
    let list = dir.write("list", "good.warc.gz\nsub\n");
    dir.write("good.warc.gz", good());
    dir.write("sub/other.warc.gz", good());
    let words = [&format!("@{list}"), "--out", &dir.word("census")];
    for mode in [&[][..], &["--resume"]] {
        let said = run(&words).words(mode).end_with(1).stderr;
        assert_says(&said, "sub: ");
        assert_says(&said, "cannot open: expected a file, but this is a folder");
        assert_eq!(hosts(&dir), ["good.example"]);
        let errors = census(&dir).table("archive_errors");
        assert_eq!(errors.all_texts("code"), ["open_failed"]);
        assert_eq!(errors.all_texts("warc_filename"), ["sub"]);
    }
}

#[test]
fn a_missing_archive_that_is_spelled_in_two_ways_is_one() {
    let dir = Dir::new();
    let good = dir.write("good.warc.gz", good());
    let spelled = ["./missing.warc.gz", "missing.warc.gz", ".//missing.warc.gz"].map(str::to_owned);
    let beside = [
        "missing.warc.gz",
        "./missing.warc.gz",
        "in/../missing.warc.gz",
    ];
    let beside = beside.map(|name| dir.word(name));
    fs::create_dir(dir.path("in")).unwrap();
    let mut seen = Vec::new();
    for mut names in [spelled, beside] {
        for _ in 0..names.len() {
            names.rotate_left(1);
            let list = dir.write("list", format!("{good}\n{}\n", names.join("\n")));
            let words = [&format!("@{list}"), "--overwrite", "--quiet", "--out"];
            let said = run(&words).words(&[dir.word("census")]).end_with(1).stderr;
            assert_says(&said, ": the same file as ");
            let census = census(&dir);
            let archives = census.table("archives").all_texts("warc_filename");
            assert_eq!(archives, ["good.warc.gz", "missing.warc.gz"]);
            seen.push(census.table("archive_errors").all_texts("message"));
        }
    }
    for of_spellings in seen.chunks(3) {
        assert!(of_spellings.iter().all(|one| *one == of_spellings[0]));
    }
}

#[test]
fn a_folder_a_pattern_and_lists_name_the_same_archives() {
    let dir = Dir::new();
    for host in ["a", "b"] {
        let url = format!("http://{host}.example/robots.txt");
        dir.archive(&format!("in/{host}.warc.gz"), &[(url, "")]);
    }
    let list = "# comment\n\nin/a.warc.gz\r\nin/b.warc.gz\n";
    let plain = dir.write("list.txt", list);
    let packed = dir.write("list.txt.gz", gzip(list.as_bytes()));
    let mut seen = Vec::new();
    for word in [
        dir.word("in"),
        dir.word("in/*.warc.gz"),
        dir.word("**/[ab].warc.gz"),
        format!("@{plain}"),
        format!("@{packed}"),
    ] {
        run_into(dir.path("census"), &[&word, "--overwrite"]);
        assert_eq!(hosts(&dir), ["a.example", "b.example"], "{word}");
        seen.push(census(&dir).files());
    }
    assert!(seen.windows(2).all(|two| two[0] == two[1]));
}

#[test]
fn standard_input_is_an_archive() {
    let dir = Dir::new();
    let words = ["-", "--out", &dir.word("census"), "--overwrite", "--quiet"];
    for bytes in [good(), response("https://good.example/robots.txt", "")] {
        run(&words).stdin(bytes).succeed();
        assert_eq!(hosts(&dir), ["good.example"]);
        let archives = census(&dir).table("archives");
        assert_eq!(archives.all_texts("warc_filename"), ["stdin"]);
    }
    assert_says(&run(&words).end_with(1).stderr, "stdin: offset 0");
}

#[test]
fn a_second_stream_without_a_name_is_refused_and_the_first_stays() {
    let dir = Dir::new();
    let census = dir.word("census");
    let of = |host: &str| response(&format!("https://{host}/robots.txt"), "");
    let join = |words: &[&str]| run(&["-", "--join", "--quiet", "--out", &census]).words(words);
    join(&[]).stdin(of("a.example")).succeed();
    let says = "the dataset has a part of standard input (stdin) already";
    join(&[])
        .stdin(of("b.example"))
        .refuse(&[says, "--stdin-name"]);
    assert_eq!(hosts(&dir), ["a.example"]);
    run(&["-", "--resume", "--out", &census])
        .stdin(of("b.example"))
        .refuse(&["stdin: its size is not known"]);
    let named = "crawl-data/CC-MAIN-2026-05/segments/1.2/robotstxt/b.warc.gz";
    let named = ["--stdin-name", named];
    join(&named).stdin(of("b.example")).succeed();
    assert_eq!(hosts(&dir), ["a.example", "b.example"]);
    let captures = self::census(&dir).table("captures");
    let mut rows = captures.lines("warc_filename crawl");
    rows.sort();
    let of_name = format!("{} CC-MAIN-2026-05", named[1]);
    assert_eq!(rows, [of_name.as_str(), "stdin -"]);
    // The name says that this is the same stream: it is not read again, which is said.
    let again = join(&named).stdin(of("c.example")).succeed();
    let said = "b.warc.gz: its part is published already, so standard input was not read; another stream needs another --stdin-name";
    assert_says(&again.stderr, said);
    assert_eq!(hosts(&dir), ["a.example", "b.example"]);
}

#[test]
fn of_two_streams_without_a_name_at_work_at_once_the_later_is_refused() {
    let dir = Dir::new();
    let census = dir.word("census");
    // The first waits for its input while the second publishes.
    let mut first = run(&["-", "--join", "--quiet", "--out", &census]).start();
    while !dir.path("census/_dataset.json").exists() {
        thread::sleep(Duration::from_millis(5));
    }
    run(&["-", "--join", "--quiet", "--out", &census])
        .stdin(response("https://b.example/robots.txt", ""))
        .succeed();
    let mut stdin = first.stdin.take().unwrap();
    let late = response("https://a.example/robots.txt", "");
    stdin.write_all(&late).unwrap();
    drop(stdin);
    let ran = ended(first);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert_says(&ran.stderr, "--stdin-name");
    assert_eq!(hosts(&dir), ["b.example"]);
}

#[test]
fn a_name_for_standard_input_needs_standard_input_and_letters() {
    let dir = Dir::new();
    let archive = dir.write("a.warc.gz", good());
    let census = dir.word("census");
    run(&[&archive, "--out", &census, "--stdin-name", "x"])
        .refuse(&["expected standard input (-) among the inputs"]);
    for name in ["", "a\nb"] {
        run(&["-", "--out", &census, "--stdin-name", name])
            .refuse(&["expected a name for standard input"]);
    }
    run(&["-", &archive, "--out", &census, "--stdin-name", "a.warc.gz"])
        .refuse(&["two archives are named a.warc.gz"]);
}
