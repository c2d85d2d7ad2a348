//! What a comparison must not take for success, and when it ends.

use std::{
    collections::BTreeSet,
    thread,
    time::{Duration, Instant},
};

use super::{
    command::{adapter, hostile},
    files::{ComparedFiles, archive_of},
};
use crate::util::{TestCommand, assert_begins, assert_says, signal};

/// Returns one file, which every crawler may fetch, for the hostile parser.
fn file_of_act(act: &str) -> ComparedFiles {
    ComparedFiles::of(&[format!("# {act}\nUser-agent: *\nAllow: /\n")])
}

#[test]
fn a_parser_that_fails_when_it_is_asked_again_is_at_fault() {
    let files = file_of_act("once");
    let command = format!("{} again {}", hostile(), files.dir.word("answered"));
    let ran = files
        .compare(["google", &command], "--workers 1")
        .end_with(1);
    assert_says(&ran.stderr, "exit status: 9");
    let faults = files.table("parser_faults").lines("kind url_host_name");
    assert_eq!(faults, ["exited host-000.example"]);
}

/// Returns bodies beyond 500 KiB, in each of which something else is beyond it.
fn long_bodies() -> [String; 4] {
    const LIMIT: usize = 500 * 1024;
    let rules = |prefix: &str, n: usize| -> String {
        let rules = (0..n).map(|n| format!("Disallow: /{prefix}{n:05}/\n"));
        rules.collect()
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
        "User-agent: *\n".to_owned() + &rules("a", 27_000) + &rules("rest", 13_000),
        filled(format!("User-agent: *\n{}", rules("b", 5_000))) + &rules("end", 3),
        // Groups of crawlers, and a group that begins beyond.
        (0..12_000).map(group).collect(),
        filled(format!("User-agent: x\n{}", rules("c", 400)))
            + "User-agent: y\nDisallow: /\n\nUser-agent: z\nAllow: /\n",
    ]
}

#[test]
fn a_parser_that_reads_500_kib_is_found_out_with_the_default() {
    let bodies = long_bodies();
    assert!(bodies.iter().all(|body| body.len() > 500 * 1024));
    let files = ComparedFiles::of(&bodies);
    let all = "base = \"google\"\nbyte_limit = \"none\"\n";
    let all = files.dir.write("all.toml", all);
    let ran = TestCommand::line("compare --candidate google --baseline")
        .words(&[&all, &files.archive, "--out", &files.dir.word("out")])
        .end_with(1);
    let causes = files.table("causes").all_texts("changes");
    assert_eq!(causes, ["byte_limit=512000"]);
    let hosts = files.table("flips").all_texts("url_host_name");
    let hosts: BTreeSet<_> = hosts.into_iter().collect();
    assert_eq!(hosts.len(), bodies.len(), "{hosts:?}");
    // What was not asked is stated.
    for line in ["files cut", "rules not asked about"] {
        assert_says(&ran.stdout, line);
    }
    let totals = files.totals();
    assert_eq!(totals["cut_files"], 4, "{totals}");
    // Two rules, which the limit cuts, are read in two ways.
    let n_rules = 2 + 40_000 + 5_003 + 24_000 + 402;
    assert_eq!(totals["rules"], n_rules, "{totals}");
    let left_out = totals["rules_left_out"].as_u64().unwrap();
    assert!(left_out > 60_000 && left_out < 69_400, "{totals}");
}

#[test]
fn a_mistake_is_not_accepted_because_its_smallest_example_could_be_another_cause() {
    let files = ComparedFiles::of(&[
        "User-agent: *\nDisallow: */a/\nDisallow: hidden.md\n",
        "User-agent: *\nDisallow: /old$\nDisallow: /my$\nDisallow: /x/y$\n",
    ]);
    let list = files.dir.word("star.toml");
    let compared = |candidate: &str, flag: &str| {
        let sides = [regressed("wild"), regressed(candidate)];
        files.compare([&sides[0], &sides[1]], &format!("{flag} {list}"))
    };
    compared("wild star", "--write-expect").end_with(1);
    assert_eq!(compared("wild star", "--expect").succeed().stdout, "");
    // It is named first, with a summary below.
    let sides = [regressed("wild"), regressed("wild star open")];
    let ran = TestCommand::line("compare --overwrite --baseline")
        .words(&[&sides[0], "--candidate", &sides[1], &files.archive])
        .words(&["--expect", &list, "--out", &files.dir.word("out")])
        .end_with(1);
    assert_begins(&ran.stdout, "new cause: ");
    assert!(ran.stdout.lines().count() > 2, "{}", ran.stdout);
}

#[test]
fn a_comparison_that_compares_nothing_is_not_accepted() {
    let files = file_of_act("error");
    let ran = files.compare(["google", &hostile()], "").end_with(1);
    assert_says(&ran.stderr, "nothing was compared");
    assert_says(&ran.stderr, "answered by one side alone");
    let totals = files.totals();
    let unanswered = totals["unanswered"].as_u64().unwrap();
    // There is one capture, so that queries are cells; Google answers all of them.
    let all = totals["answered_by_one"] == unanswered;
    assert!(unanswered > 0 && all, "{totals}");
    assert_eq!(totals["cells"], 0);
    let empty = ComparedFiles::of(&[""; 0]);
    let ran = empty.compare(["google", "python"], "").end_with(1);
    assert_says(&ran.stderr, "nothing was compared");
}

#[test]
fn a_comparison_that_is_stopped_does_not_wait_for_a_parser_that_hangs() {
    let files = file_of_act("hang");
    let command = files.compare(["google", &hostile()], "--timeout 50s");
    let mut child = command.start();
    thread::sleep(Duration::from_secs(3));
    signal(&child, "TERM");
    let begun = Instant::now();
    let status = child.wait().unwrap();
    // The parser sleeps for a minute.
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(30), "{took:?}");
    assert_eq!(status.code(), Some(2));
    let out = files.dir.path("out");
    assert!(!out.join("flips").exists() && !out.join("_comparison.json").exists());
}

/// Returns the command of a parser with these regressions.
pub(super) fn regressed(regressions: &str) -> String {
    format!("{} {regressions}", adapter("tests/adapters/regressed.py"))
}

#[test]
fn a_cause_that_is_accepted_lets_no_other_one_pass() {
    let files = ComparedFiles::of(&[
        "User-agent: *\rDisallow: /one/\rAllow: /two/\r",
        "User-agent: *\n  Disallow: /one/\nAllow: /two/\n",
        "User-agent: *\nDisallow : /one/\nAllow: /two/\n",
        "User-agent: *\nDISALLOW: /one/\nAllow: /two/\n",
        "User-agent: *\nDisallow: /one/\nAllow: /two/\n",
    ]);
    let compared = |regressions: &str, flag: &str, list: &str| {
        let list = files.dir.word(list);
        let sides = [regressed(""), regressed(regressions)];
        files.compare([&sides[0], &sides[1]], &format!("{flag} {list}"))
    };
    let regressions = ["cr", "indented", "blank", "case"];
    let keys = regressions.map(|regression| {
        compared(regression, "--write-expect", regression).end_with(1);
        let ran = compared(regression, "--expect", regression).succeed();
        assert_eq!(ran.stdout, "", "{regression}");
        let keys = files.table("causes").all_texts("changes");
        assert_eq!(keys.len(), 1, "{regression}: {keys:?}");
        keys.concat()
    });
    assert_eq!(BTreeSet::from_iter(&keys).len(), keys.len(), "{keys:?}");
    // One regression is known, and a second one comes.
    for (second, key) in regressions.iter().zip(&keys).skip(1) {
        let ran = compared(&format!("cr {second}"), "--expect", "cr").end_with(1);
        assert_begins(&ran.stdout, &format!("new cause: {key}: "));
        assert_eq!(ran.stdout.lines().count(), 1, "{}", ran.stdout);
    }
}

#[test]
fn an_oddity_is_one_cause_whatever_is_around_it() {
    let files = ComparedFiles::of(&[
        "User-agent: *\nDisallow: /a[1]\n",
        "User-agent: *\nDisallow: /\nAllow: /b[2\n",
        "User-agent: *\nAllow: /c[\nDisallow: /c\n",
        "User-agent: *\nDisallow: /d[/*/e\nAllow: /d\nDisallow: /f\n",
        // What both agree on keeps other names from it.
        "User-agent: *\nDisallow: /\nAllow: /g\n",
        "User-agent: *\nDisallow: /h&i\n",
    ]);
    let list = files.dir.word("known.toml");
    let compared = |candidate: &str, flag: &str| {
        let sides = [regressed(""), regressed(candidate)];
        files.compare([&sides[0], &sides[1]], &format!("{flag} {list}"))
    };
    // Another oddity is another cause, though a file that has both characters shows the one too.
    compared("bracket", "--write-expect").end_with(1);
    let ran = compared("bracket ampersand", "--expect").end_with(1);
    assert_says(&ran.stdout, "new cause: unexplained:");
    compared("bracket", "--expect").succeed();
    let directions = files.table("flips").all_texts("direction");
    let directions: BTreeSet<_> = directions.into_iter().collect();
    assert_eq!(directions.len(), 2, "{directions:?}");
    let causes = files.table("causes");
    let example = ["example_robots_txt", "example_url"].map(|column| causes.all_texts(column));
    assert_eq!(example[0], ["User-agent:*\nDisallow:/["]);
    assert_eq!(example[1], ["https://example.com/["]);
}

#[test]
fn a_parser_that_answers_differently_each_time_is_at_fault() {
    let files = ComparedFiles::of(&["User-agent: *\nDisallow: /one/\n"]);
    let list = files.dir.word("known.toml");
    let compared = |flag: &str| {
        let flags = format!("--workers 1 {flag} {list}");
        files.compare(["google", &regressed("moody")], &flags)
    };
    let ran = compared("--write-expect").end_with(1);
    let says = "candidate: host-000.example: expected the same";
    assert_says(&ran.stderr, says);
    assert_eq!(files.table("flips").n_rows(), 0);
    let kinds = files.table("parser_faults").all_texts("kind");
    assert_eq!(kinds, ["unstable_answer"]);
    let totals = files.totals();
    assert!(totals["unstable"].as_u64() > Some(0), "{totals}");
    let ran = compared("--expect").succeed();
    assert_eq!((&*ran.stdout, &*ran.stderr), ("", ""));
}

#[test]
fn a_fault_that_is_known_is_accepted_for_its_file_alone() {
    let fine = "User-agent: *\nDisallow: /one/\n";
    let files = ComparedFiles::of(&[fine, "# crash\nUser-agent: *\nDisallow: /\n"]);
    let list = files.dir.word("known.toml");
    let parser = regressed("crash");
    let compared = |flags: String| files.compare([&parser, &parser], &flags);
    compared(format!("--write-expect {list}")).end_with(1);
    let ran = compared(format!("--expect {list}")).succeed();
    assert_eq!((&*ran.stdout, &*ran.stderr), ("", ""));
    // So many of a kind are accepted whatever the file: two, one of each side.
    for (most, code) in [(2, 0), (1, 1)] {
        let entry = format!("[[fault]]\nkind = \"exited\"\nreason = \"x\"\nmax_faults = {most}\n");
        let limited = files.dir.write("limited.toml", entry);
        let ran = compared(format!("--expect {limited}")).end_with(code);
        let says = "fault:exited: expected at most 1, but found 2";
        let found = (&*ran.stdout, ran.stderr.contains(says));
        assert_eq!(found, ("", code == 1), "{}", ran.stderr);
    }
    // Another file at fault is not accepted, and one that is no more is a note.
    let other = archive_of(&[fine, "# crash too\nUser-agent: *\nDisallow: /\n"]);
    files.dir.write("files.warc.gz", other);
    let ran = compared(format!("--expect {list}")).end_with(1);
    assert_says(&ran.stderr, "exit status: 7");
    let note = "note: no parser has the accepted fault exited:";
    assert_begins(&ran.stdout, note);
    let wrong = files
        .dir
        .write("wrong.toml", "[[fault]]\nkind = \"exited\"\n");
    let ran = compared(format!("--expect {wrong}")).end_with(2);
    assert_says(&ran.stderr, "wrong.toml: line 1: missing field `reason`");
}
