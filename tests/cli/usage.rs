//! Flags and the files they name: what is wrong is said in one sentence, and what would be asked
//! can be looked at.

use super::good;
use crate::util::{Census, Dir, TestCommand, assert_says, run, run_into};

/// Command lines, each with what its refusal says. What else is no number is in unit tests.
const REFUSED: &str = include_str!("../testdata/refused.txt");

#[test]
fn wrong_usage_is_two_and_says_what_is_missing_or_what_was_expected() {
    for line in REFUSED.lines() {
        let (words, says) = line.split_once(": ").unwrap();
        let ran = TestCommand::line(words).stop(says);
        assert_eq!(ran.stdout, "");
        // Neither what a parser of Rust says, nor a usage that clap makes of optional words.
        for text in ["invalid digit", " [ROBOTS]\n"] {
            assert!(!ran.stderr.contains(text), "{words}: {}", ran.stderr);
        }
        // A value is never taken for another flag.
        assert!(!ran.stderr.contains("tip"), "{words}: {}", ran.stderr);
    }
    assert_eq!(TestCommand::new([]).stop("Usage").stdout, "");
    let report = TestCommand::line("report --data census --out a.html --title");
    report
        .words(&[" "])
        .stop("expected a text that is not blank");
}

#[test]
fn help_and_version_are_success() {
    let help = TestCommand::new(["--help"]).succeed().stdout;
    assert_says(&help, "Exit codes: 0 complete; 1 finished");
    let version = TestCommand::new(["--version"]).succeed().stdout;
    let wanted = format!("robocensus {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(version, wanted);
}

#[test]
fn a_wrong_line_of_a_list_is_named_with_its_file() {
    let dir = Dir::new();
    let archive = dir.write("a.warc.gz", good());
    for (flag, text, says) in [
        ("--agents", &b"GPTBot\n\nA,,B\n"[..], "line 3"),
        ("--agents", b"GPTBot\tx\nCCBot\nGPTBot\n", "line 3"),
        ("--agents", b"", "at least one agent"),
        ("--urls", b"/\nabout.html\n", "line 2"),
        ("--urls", b"# none\n", "at least one URL"),
        ("--urls", b"/caf\xe9\n", "offset 4: expected text in UTF-8"),
    ] {
        let list = dir.write("list.tsv", text);
        run(&[&archive, "--out", &dir.word("census"), flag, &list]).refuse(&[&list, says]);
    }
    let list = dir.word("none.txt");
    run(&[&archive, "--out", &dir.word("census"), "--urls", &list]).refuse(&[&list, "cannot read"]);
    assert!(!dir.path("census").exists());
}

#[test]
fn a_byte_order_mark_of_a_list_is_no_text() {
    let dir = Dir::new();
    dir.write("good.warc.gz", good());
    let agents = dir.write("agents.tsv", "\u{feff}GPTBot\n");
    let urls = dir.write("urls.txt", "\u{feff}/\n");
    let list = dir.write("list.txt", "\u{feff}good.warc.gz\n");
    let words = ["--agents", &agents, "--urls", &urls, &format!("@{list}")];
    let verdicts = Census(run_into(dir.path("census"), &words)).table("verdicts");
    assert_eq!(verdicts.all_texts("agent"), ["GPTBot"]);
    assert_eq!(verdicts.all_texts("url"), ["/"]);
}

/// Lines of the built-in matrix.
const PRINTED: &str = "\
# 24 agents: chain of tokens, category
GPTBot\tai-training
*\twildcard
# 6 paths, evaluated for every host
google
# 144 verdicts for each capture, besides those of absolute URLs";

#[test]
fn the_matrix_can_be_looked_at_without_input_or_output() {
    let dir = Dir::new();
    let built_in = run(&["--print-matrix"]).succeed().stdout;
    for line in PRINTED.lines() {
        let is_there = built_in.lines().any(|found| found == line);
        assert!(is_there, "{line:?} in {built_in}");
    }
    let agents = dir.write("agents.tsv", "Googlebot-News, Googlebot\tnews\nCCBot\n");
    let urls = dir.write("urls.txt", "/\nhttp://a.example/x\n");
    let own = run(&["--print-matrix", "--dialects", "rfc9309,google"])
        .words(&["--agents", &agents, "--urls", &urls]);
    let wanted = include_str!("../testdata/matrix.txt");
    assert_eq!(own.succeed().stdout, wanted);
}

#[test]
fn the_printed_agents_and_urls_can_be_read_again() {
    let dir = Dir::new();
    let printed = run(&["--print-matrix"]).succeed().stdout;
    let section = |title: &str| {
        let of_title = |section: &&str| section.lines().next().unwrap().contains(title);
        dir.write(title, printed.split("\n\n").find(of_title).unwrap())
    };
    let (agents, urls) = (section("agents"), section("paths"));
    let again = run(&["--print-matrix", "--agents", &agents, "--urls", &urls]);
    assert_eq!(again.succeed().stdout, printed);
}
