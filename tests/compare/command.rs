//! The command `compare` from outside: its output, its exit codes, and what goes wrong.

use std::{collections::BTreeSet, fs, thread, time::Duration};

use serde_json::Value;

use super::{
    bodies::{bodies, rule_behind},
    files::{ComparedFiles, archive_of, archive_of_copies, totals},
};
use crate::util::{
    Dir, TestCommand, assert_begins, assert_says, files_with_end, or_skip, package, parser, shared,
};

pub(super) fn compare(baseline: &str, candidate: &str, more: &[&str]) -> TestCommand {
    TestCommand::line("compare --quiet --baseline")
        .words(&[baseline, "--candidate", candidate])
        .words(more)
}

pub(super) fn archive(dir: &Dir) -> String {
    dir.write("files.warc.gz", archive_of(&bodies()))
}

pub(super) fn adapter(script: &str) -> String {
    let path = package().join(script);
    format!("exec:python3 {}", path.to_str().unwrap())
}

/// Returns the command of a parser that follows what each file says in its first line.
pub(super) fn hostile() -> String {
    adapter("tests/adapters/hostile.py")
}

#[test]
fn a_side_against_itself_is_silent() {
    let files = ComparedFiles::of(&bodies());
    let parser = adapter("parsers/python/urllib_robotparser.py");
    for side in ["google", "python", "baidu", &parser] {
        let ran = files.compare([side, side], "--timeout 20s").succeed();
        assert_eq!((&*ran.stdout, &*ran.stderr), ("", ""), "{side}");
        let n_rows = ["flips", "causes"].map(|table| files.table(table).n_rows());
        assert_eq!(n_rows, [0, 0], "{side}");
        // Dialects are not timed.
        assert_eq!(files.table("timings").n_rows() > 0, side == parser);
    }
}

#[test]
fn flips_are_rows_of_every_capture_and_causes_sum_them_up() {
    let hosts = ["a.example", "b.example", "a.example"];
    let compared = |body: &str, code| {
        let files = ComparedFiles::in_archive(archive_of_copies(&hosts, body));
        let command = files.compare(["google", "python"], "--probes matrix");
        command.end_with(code);
        files
    };
    // Python takes the first rule that matches, and Google the longest: here they agree.
    compared("User-agent: *\nDisallow: /a\nAllow: /\n", 0);
    let body = "User-agent: *\nAllow: /\nDisallow: /a\n";
    let files = compared(body, 1);
    let (flips, causes) = (files.table("flips"), files.table("causes"));
    let n = flips.n_rows();
    let columns = "changes hosts captures files cells disallow_to_allow is_minimal";
    let wanted = [format!("precedence=first 2 3 1 {n} {n} true")];
    assert_eq!(causes.lines(columns), wanted);
    assert!(n > 0 && n.is_multiple_of(3));
    let columns = "baseline_verdict candidate_verdict baseline_line candidate_line warc_filename";
    let first = &flips.lines(columns)[0];
    assert_eq!(first, "disallow allow 3 2 files.warc.gz");
    assert!(!flips.all_texts("agent").contains(&String::new()));
    let example = causes.all_texts("example_robots_txt").remove(0);
    assert!(example.len() < body.len(), "{example}");
}

#[test]
fn cases_are_what_each_side_answers() {
    let own = Dir::new();
    let mine = own.write("mine.toml", "base = \"google\"\nprecedence = \"first\"\n");
    let parser = adapter("parsers/python/urllib_robotparser.py");
    // The limit of a file, beyond which each step to a smaller one takes long.
    let long = [rule_behind(505_000), rule_behind(600_000)];
    for (bodies, sides, flags, least) in [
        (&*bodies(), [&*mine, "python"], "", 6),
        (&bodies(), ["google", &parser], "", 6),
        (&long, ["google", &parser], "--reduce-steps 100", 1),
    ] {
        let files = ComparedFiles::of(bodies);
        let dir = &files.dir;
        files.compare(sides, flags).end_with(1);
        let n_causes = files.table("causes").n_rows();
        assert!(n_causes >= least, "{n_causes}");
        for (name, other) in [("baseline", 1), ("candidate", 0)] {
            let cases = dir.word(&format!("out/cases/{name}.jsonl"));
            let answers = |side| {
                let ran = TestCommand::new(["check", "--cases", &cases, "--dialect", side]).end();
                let lines = ran.stdout.lines();
                let answers = lines.map(|line| serde_json::from_str(line).unwrap());
                (ran.code, answers.collect::<Vec<Value>>(), ran.stderr)
            };
            let (code, own, stderr) = answers(sides[1 - other]);
            assert_eq!((code, own.len(), &*stderr), (0, n_causes, ""), "{name}");
            assert!(own.iter().all(|answer| answer["ok"] == true));
            let (code, others, _) = answers(sides[other]);
            assert_eq!(code, 1, "{name}");
            assert!(others.iter().all(|answer| answer["ok"] == false));
            let id = own[0]["id"].as_str().unwrap();
            assert!(dir.path(&format!("out/cases/{id}.robots.txt")).exists());
        }
    }
}

#[test]
fn check_says_where_a_parser_cannot_answer() {
    let dir = Dir::new();
    for (line, code, says) in [
        (r#"{"robots": "", ASKED, "expect": "allow"}"#, 1, ""),
        (
            r#"{"robots": "", ASKED, "status": 404}"#,
            2,
            "expected a file",
        ),
        (r#"{"status": 404}"#, 2, "expected a file"),
        (r#"{"status": 404, "dialect": "google"}"#, 0, ""),
        (
            r##"{"robots": "# die\n", ASKED}"##,
            2,
            "hostile 1: expected an answer",
        ),
    ] {
        let line = line.replace("ASKED", r#""agent": "a", "url": "/a""#);
        let cases = dir.write("cases.jsonl", &line);
        let ran = TestCommand::new(["check", "--cases", &cases, "--dialect", &hostile()]).end();
        assert_eq!(ran.code, code, "{line}: {}", ran.stderr);
        assert!(ran.stderr.contains(says), "{line}: {}", ran.stderr);
    }
}

/// Which answers are found by what files show is for the unit tests of `compare::fit` to say.
#[test]
fn a_dialect_with_one_other_answer_is_found_out_by_it_and_written_again() {
    let files = ComparedFiles::of(&bodies());
    for (base, name, value) in [
        ("google", "precedence", "first"),
        ("rfc9309", "agent_case", "sensitive"),
        ("python", "empty_pattern", "ignored"),
    ] {
        let text = format!("base = \"{base}\"\n{name} = \"{value}\"\n");
        let candidate = files.dir.write("candidate.toml", &text);
        let fit = files.dir.word("fit.toml");
        let command = files.compare([base, &candidate], &format!("--fit {fit}"));
        command.end_with(1);
        let causes = files.table("causes").all_texts("changes");
        assert_eq!(causes, [format!("{name}={value}")], "{base}");
        let fitted = fs::read_to_string(fit).unwrap();
        let is_said = |line: &&str| !line.is_empty() && !line.starts_with('#');
        assert!(fitted.lines().filter(is_said).eq(text.lines()), "{fitted}");
    }
}

#[test]
fn only_files_that_flipped_before_are_asked() {
    let files = ComparedFiles::of(&bodies());
    let [out, list, none] = ["out", "accepted.toml", "none"].map(|name| files.dir.word(name));
    let sides = ["google", "rfc9309"];
    let compare = |flags: &str| files.compare(sides, flags);
    let again = |flags: String| files.compare_into("again", sides, &flags);
    compare("").end_with(1);
    again(format!("--only {out}")).end_with(1);
    let (all, only) = (files.totals(), totals(&files.dir, "again"));
    assert_eq!(only["files"], all["flipping_files"]);
    assert_eq!(only["flips"], all["flips"]);
    assert!(only["files"].as_u64() < all["files"].as_u64());
    // What is accepted among all files is accepted here too, where it has more of the cells.
    compare(&format!("--write-expect {list}")).end_with(1);
    let limits = fs::read_to_string(&list).unwrap().replace("# max_", "max_");
    assert_says(&limits, "\nmax_share_of_cells = ");
    fs::write(&list, limits).unwrap();
    again(format!("--only {out} --expect {list}")).succeed();
    let ran = again(format!("--only {none}")).end_with(2);
    assert_says(&ran.stderr, "none: expected the folder of a comparison");
}

#[test]
fn a_fault_is_a_row_and_exit_code_1_and_the_run_continues() {
    let acts = ["die", "hang", "flood", "garbage", "short", "lie", "repeat"];
    let fine = (0..40).map(|n| format!("# fine {n}\nUser-agent: *\nDisallow: /x{n}\n"));
    let at_fault = acts.map(|act| format!("# {act}\nUser-agent: *\nDisallow: /\n"));
    let files = ComparedFiles::of(&fine.chain(at_fault).collect::<Vec<_>>());
    let command = files.compare(["google", &hostile()], "--timeout 1s");
    let ran = command.end_with(1);
    let faults = files.table("parser_faults");
    let mut kinds = faults.all_texts("kind");
    kinds.sort();
    let all =
        "answer_too_long exited invalid_answer repeated_answer timed_out unknown_id wrong_count";
    assert_eq!(kinds.join(" "), all);
    for (side, message) in faults.rows::<(String, String)>("side message") {
        assert_eq!(side, "candidate");
        assert_begins(&message, "expected");
    }
    let hosts = faults.texts("url_host_name");
    let n_known = hosts.iter().flatten().count();
    assert!(n_known >= acts.len() - 1, "{hosts:?}");
    // All other files were answered: the parser forbids what Google allows.
    let hosts = files.table("flips").all_texts("url_host_name");
    assert_eq!(BTreeSet::from_iter(hosts).len(), 40);
    assert_says(&ran.stderr, "candidate: host-04");
    let log = fs::read_to_string(files.dir.path("out/candidate.stderr.txt"));
    assert_says(&log.unwrap(), "dying");
}

/// A parser that is at fault whenever a file is made smaller may take its timeout for each.
#[test]
fn faults_while_examples_are_made_smaller_are_limited() {
    let file = |c: char| format!("User-agent: *\nAllow: /{c}\n# {}\n", "-".repeat(80));
    let bodies: Vec<_> = "!$&'()+,;=:@[]{}|^~<>".chars().map(file).collect();
    let files = ComparedFiles::of(&bodies);
    let counted = files.dir.word("counted");
    let parser = format!("{} long {counted}", hostile());
    files.compare(["google", &parser], "").end_with(1);
    // Ten for an example, and a hundred for all, each of which may be asked about again.
    let n_faults = fs::read(counted).unwrap().len();
    assert!((100..=200).contains(&n_faults), "{n_faults}");
    let causes = files.table("causes").n_rows();
    assert!(causes >= 15, "{causes}");
}

#[test]
fn flips_are_asked_about_as_often_as_wanted() {
    let files = ComparedFiles::of(&["User-agent: *\nAllow: /\n"]);
    // It allows a file the third time that it is asked about it.
    let parser = parser(&files.dir, "moody", "asked.count(body) == 3");
    for (repeat, is_unstable) in [("1", false), ("2", false), ("3", true)] {
        let flags = format!("--workers 1 --reduce-steps 0 --repeat {repeat}");
        files.compare(["google", &parser], &flags).end();
        let totals = files.totals();
        let is_flip = totals["flips"].as_u64() > Some(0);
        let found = (is_flip, totals["unstable"].as_u64() > Some(0));
        assert_eq!(found, (!is_unstable, is_unstable), "{repeat}: {totals}");
    }
}

#[test]
fn a_killed_comparison_leaves_no_half_tables() {
    let files = ComparedFiles::of(&bodies());
    // It answers nothing for a long time.
    let slow = files.dir.write("slow.warc.gz", archive_of(&["# hang\n"]));
    let flags = "--timeout 1m --workers 1 --in-flight 1";
    let command = files.compare(["google", &hostile()], flags);
    let mut child = command.words(&[slow]).start();
    let out = files.dir.path("out");
    while !out.join("_dataset.json").exists() {
        thread::sleep(Duration::from_millis(20));
    }
    thread::sleep(Duration::from_millis(500));
    child.kill().unwrap();
    child.wait().unwrap();
    let mut tables = files_with_end(&out, "parquet");
    tables.retain(|path| !path.starts_with(out.join("_tmp")));
    assert!(tables.is_empty(), "{tables:?}");
    // The folder can be used again.
    files.compare(["google", "google"], "").succeed();
    assert!(!out.join("_tmp").exists());
}

#[test]
fn what_cannot_be_run_is_one_sentence_and_exit_code_2() {
    let files = ComparedFiles::of(&bodies());
    let dir = &files.dir;
    let text = "base = \"google\"\nprecedence = ";
    let wrong = dir.write("wrong.toml", format!("{text}\"last\"\n"));
    let unnamed = dir.write("a=b.toml", format!("{text}\"first\"\n"));
    let says = format!(
        "--candidate: {unnamed}: expected name = \"...\" in the text, since the file has no name that a dialect may have: expected letters, digits, -, _ and ., but found \"a=b\"\n"
    );
    let urls = format!("--urls {}", dir.write("urls.txt", "/\n"));
    let [ends, other] = ["ends", "other-protocol"].map(|act| format!("{} {act}", hostile()));
    let no_time = "--timeout: expected more than no time, such as 10s\n";
    for (candidate, flags, says) in [
        ("exec:no-such-program-here", "", "no-such-program-here"),
        (&*ends, "", "robocensus-parser/1"),
        (&ends, "", "exit status: 3"),
        (&other, "", "robots/9"),
        (&wrong, "", "wrong.toml: line 2"),
        (&unnamed, "", &says),
        ("goggle", "", "expected one of"),
        ("python", &urls, "--probes matrix"),
        ("python", "--timeout 0s", no_time),
    ] {
        let ran = files.compare(["google", candidate], flags).end_with(2);
        assert_says(&ran.stderr, says);
        assert_eq!(ran.stderr.trim_end().lines().count(), 1, "{}", ran.stderr);
        assert!(!dir.path("out").exists(), "{candidate}");
    }
    let ran = files.compare(["google", "python"], "--max-probes 0");
    assert_says(&ran.end_with(2).stderr, "a whole number from 1");
    dir.write("a=b.toml", format!("name = \"first\"\n{text}\"first\"\n"));
    let ran = files.compare(["google", &unnamed], "").end_with(1);
    assert_eq!(ran.stderr, "");
}

#[test]
fn check_answers_a_path_that_begins_with_two_slashes_behind_an_origin() {
    let body = "User-agent: *\nAllow: /\nDisallow: //a\n";
    let files = ComparedFiles::of(&[body]);
    let file = files.dir.write("robots.txt", body);
    files.compare(["google", "python"], "").end_with(1);
    let rows = files
        .table("flips")
        .rows::<[String; 3]>("url agent baseline_verdict");
    let is_found = |row: &[String; 3]| row[0].starts_with("//");
    let [url, agent, verdict] = rows.into_iter().find(is_found).unwrap();
    let check = |url: &str| {
        let words = ["check", &file, "--dialect", "google", "--agent", &agent];
        let ran = TestCommand::new(words).words(&["--url", url]).succeed();
        ran.stdout.lines().next().unwrap().to_owned()
    };
    assert!(check(&format!("https://example.com{url}")).ends_with(&verdict));
    assert!(!check(&url).ends_with(&verdict));
}

#[test]
fn a_damaged_archive_is_named_and_exit_code_1() {
    let mut cut = archive_of(&bodies());
    cut.truncate(cut.len() - 20);
    let files = ComparedFiles::in_archive(cut);
    let ran = files.compare(["google", "google"], "").end_with(1);
    assert_says(&ran.stderr, "files.warc.gz: offset ");
    assert_eq!(ran.stderr.trim_end().lines().count(), 1, "{}", ran.stderr);
}

#[test]
fn weights_and_ranks_weigh_flips() {
    let body = "User-agent: *\nAllow: /\nDisallow: /a\n";
    let copies = archive_of_copies(&["a.example", "b.example"], body);
    let files = ComparedFiles::in_archive(copies);
    let [urls, agents, ranks] = [
        ("urls.txt", "/a\t10\n/b\n"),
        ("agents.tsv", "Foo\tx\t3\n"),
        ("ranks.csv", "1,a.example\n4,b.example\n"),
    ]
    .map(|(name, text)| files.dir.write(name, text));
    let flags = format!("--probes matrix --urls {urls} --agents {agents} --ranks {ranks}");
    files.compare(["google", "python"], &flags).end_with(1);
    let flips = files.table("flips").lines("url weight host_rank");
    assert_eq!(flips, ["/a 30.0 1", "/a 7.5 4"]);
    assert_eq!(files.table("causes").floats("weight"), [Some(37.5)]);
}

#[test]
fn named_causes_explain_the_flips_of_real_files() {
    let corpus = or_skip!(shared("corpus"));
    let dir = Dir::new();
    let archive = corpus.join("robots-00005.warc.gz");
    for candidate in ["python", "rfc9309"] {
        let out = dir.word(candidate);
        compare(
            "google",
            candidate,
            &[archive.to_str().unwrap(), "--out", &out],
        )
        .end_with(1);
        let totals = totals(&dir, candidate);
        let count = |name: &str| totals[name].as_u64().unwrap();
        assert!(count("flips") > 1_000, "{totals}");
        assert!(count("unexplained") * 20 <= count("flips"), "{totals}");
    }
}
