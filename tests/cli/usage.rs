//! Flags and the files they name: what is wrong is said in one sentence, and what would be asked
//! can be looked at.

use std::fs;

use super::good;
use crate::util::{Census, Dir, TestCommand, assert_says, package, run, run_into};

#[test]
fn wrong_usage_is_two_and_says_what_is_missing() {
    for (words, says) in [
        ("run --out census", "<INPUT>"),
        ("run a.warc.gz", "--out"),
        ("run a.warc.gz --out x --overwrite --join", "--join"),
        ("sample", "--out"),
        ("census", "census"),
    ] {
        assert_eq!(TestCommand::line(words).stop(says).stdout, "");
    }
    assert_eq!(TestCommand::new([]).stop("Usage").stdout, "");
}

/// Command lines, each with what its refusal says. What else is no number is in unit tests.
const REFUSED: &str = "\
run a.warc.gz --out census --threads many: expected a whole number from 1
run a.warc.gz --out census --threads 0: expected a whole number from 1
run a.warc.gz --out census --threads 99999999999999999999: too large
run a.warc.gz --out census --threads -1: expected a whole number from 1
run a.warc.gz --out census --part-size -1M: expected a number of bytes
run a.warc.gz --out census --max-body 99999999999G: the number is too large
run a.warc.gz --out census --redirect-window -1d: expected a number and a unit
check robots.txt --agent a --url / --status ok: expected an HTTP status code, such as 404
sample --out a.warc.gz --captures -1: expected a whole number
sample --out a.warc.gz --seed x: expected a whole number
report --data census --out a.html --title=: expected a text that is not blank";

#[test]
fn a_wrong_number_or_text_is_refused_with_what_was_expected() {
    for line in REFUSED.lines() {
        let (words, expected) = line.split_once(": ").unwrap();
        let said = TestCommand::line(words).stop(expected).stderr;
        assert!(!said.contains("invalid digit"), "{said}");
        // A value is never taken for another flag.
        assert!(!said.contains("tip"), "{said}");
    }
    let report = TestCommand::line("report --data census --out a.html --title");
    report
        .words(&[" "])
        .stop("expected a text that is not blank");
}

#[test]
fn the_views_are_printed_whole() {
    let views = TestCommand::line("query --print views").succeed().stdout;
    let file = fs::read_to_string(package().join("queries/views.sql")).unwrap();
    assert_eq!(views, file);
    let words = ["query", "views", "--data", "census"];
    TestCommand::new(words).refuse(&["\"views\"", "--print views"]);
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
    let wanted = "# 2 dialects; the first is the reference\nrfc9309\ngoogle\n\n\
                  # 2 agents: chain of tokens, category\nGooglebot-News,Googlebot\tnews\nCCBot\n\n\
                  # 1 path, evaluated for every host\n/\n\n\
                  # 1 absolute URL, each evaluated for its own origin\nhttp://a.example/x\n\n\
                  # 4 verdicts for each capture, besides those of absolute URLs\n";
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
