//! The command `compare` from outside: its output, its exit codes, and what goes wrong.

use std::{fs, thread, time::Duration};

use serde_json::Value;

use super::{
    bodies::bodies,
    files::{archive_of, record, totals},
};
use crate::util::{
    Census, Dir, TestCommand, assert_begins, assert_says, files_with_end, gzip, or_skip, package,
    shared,
};

pub(super) fn compare(baseline: &str, candidate: &str, more: &[&str]) -> TestCommand {
    let mut words = vec!["compare", "--baseline", baseline, "--candidate", candidate];
    words.push("--quiet");
    words.extend(more);
    TestCommand::new(words)
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
    let dir = Dir::new();
    let archive = archive(&dir);
    let parser = adapter("parsers/python/urllib_robotparser.py");
    for (number, side) in ["google", "python", "baidu", &parser].iter().enumerate() {
        let out = dir.word(&number.to_string());
        let more = [&*archive, "--out", &out, "--timeout", "20s"];
        let ran = compare(side, side, &more).succeed();
        assert_eq!((&*ran.stdout, &*ran.stderr), ("", ""), "{side}");
        let census = Census(out.into());
        assert_eq!(census.table("flips").n_rows(), 0);
        assert_eq!(census.table("causes").n_rows(), 0);
        // Dialects are not timed.
        assert_eq!(census.table("timings").n_rows() > 0, *side == parser);
    }
}

#[test]
fn flips_are_rows_of_every_capture_and_causes_sum_them_up() {
    let dir = Dir::new();
    let body = b"User-agent: *\nDisallow: /a\nAllow: /\n";
    let hosts = ["a.example", "b.example", "a.example"];
    let records = hosts.map(|host| gzip(&record(host, body)));
    let archive = dir.write("one.warc.gz", records.concat());
    let out = dir.word("out");
    // Python takes the first rule that matches, and Google the longest: here they agree.
    let more = ["--probes", "matrix", "--out", &out, "--overwrite", &archive];
    compare("google", "python", &more).succeed();
    let body = b"User-agent: *\nAllow: /\nDisallow: /a\n";
    let records = hosts.map(|host| gzip(&record(host, body)));
    let archive = dir.write("two.warc.gz", records.concat());
    let more = ["--probes", "matrix", "--out", &out, "--overwrite", &archive];
    compare("google", "python", &more).end_with(1);
    let census = Census(dir.path("out"));
    let (flips, causes) = (census.table("flips"), census.table("causes"));
    let n = flips.n_rows();
    let columns = "changes hosts captures files cells disallow_to_allow is_minimal";
    let wanted = [format!("precedence=first 2 3 1 {n} {n} true")];
    assert_eq!(causes.lines(columns), wanted);
    assert!(n > 0 && n.is_multiple_of(3));
    let columns = "baseline_verdict candidate_verdict baseline_line candidate_line warc_filename";
    let first = &flips.lines(columns)[0];
    assert_eq!(first, "disallow allow 3 2 two.warc.gz");
    assert!(
        flips
            .all_texts("agent")
            .iter()
            .all(|agent| !agent.is_empty())
    );
    let example = causes.all_texts("example_robots_txt").remove(0);
    assert!(example.len() < body.len(), "{example}");
}

#[test]
fn cases_are_what_each_side_answers() {
    let dir = Dir::new();
    let archive = archive(&dir);
    let mine = dir.write("mine.toml", "base = \"google\"\nprecedence = \"first\"\n");
    let parser = adapter("parsers/python/urllib_robotparser.py");
    for sides in [[&*mine, "python"], ["google", &parser]] {
        let out = dir.word("out");
        let more = [&*archive, "--out", &out, "--overwrite"];
        compare(sides[0], sides[1], &more).end_with(1);
        let n_causes = Census(out.into()).table("causes").n_rows();
        assert!(n_causes > 5, "{n_causes}");
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
    let asked = "\"agent\": \"a\", \"url\": \"/a\"";
    for (line, code, says) in [
        (
            format!("{{\"robots\": \"\", {asked}, \"expect\": \"allow\"}}"),
            1,
            "",
        ),
        (
            format!("{{\"robots\": \"\", {asked}, \"status\": 404}}"),
            2,
            "expected a file",
        ),
        ("{\"status\": 404}".to_owned(), 2, "expected a file"),
        (
            "{\"status\": 404, \"dialect\": \"google\"}".to_owned(),
            0,
            "",
        ),
        (
            format!("{{\"robots\": \"# die\\n\", {asked}}}"),
            2,
            "hostile 1: expected an answer",
        ),
    ] {
        let cases = dir.write("cases.jsonl", &line);
        let ran = TestCommand::new(["check", "--cases", &cases, "--dialect", &hostile()]).end();
        assert_eq!(ran.code, code, "{line}: {}", ran.stderr);
        assert!(ran.stderr.contains(says), "{line}: {}", ran.stderr);
    }
}

#[test]
fn accepted_causes_are_exit_code_0_and_a_new_one_is_named_first() {
    let dir = Dir::new();
    let archive = archive(&dir);
    let list = dir.word("accepted.toml");
    let out = dir.word("out");
    let more = [&*archive, "--out", &out, "--write-expect", &list];
    compare("google", "python", &more).end_with(1);
    let again = |list: &str| {
        TestCommand::new(["compare", "--baseline", "google"])
            .words(&["--candidate", "python", &archive])
            .words(&["--out", &dir.word("again"), "--overwrite"])
            .words(&["--expect", list])
    };
    again(&list).succeed();
    let text = fs::read_to_string(&list).unwrap();
    let without = text
        .split("[[cause]]")
        .filter(|cause| !cause.contains("\"precedence=first\""))
        .collect::<Vec<_>>();
    assert!(without.len() < text.split("[[cause]]").count(), "{text}");
    let shorter = dir.write("shorter.toml", without.join("[[cause]]"));
    let ran = again(&shorter).end_with(1);
    assert_begins(&ran.stdout, "new cause: precedence=first: ");
    let wrong = dir.write("wrong.toml", "[[cause]]\nchange = \"precedence=first\"\n");
    let ran = again(&wrong).end_with(2);
    assert_says(&ran.stderr, "wrong.toml: line 2");
    assert_says(&ran.stderr, "change");
}

/// Which answers are found by what files show is for the unit tests of `compare::fit` to say.
#[test]
fn a_dialect_with_one_other_answer_is_found_out_by_it_and_written_again() {
    let dir = Dir::new();
    let archive = archive(&dir);
    for (base, name, value) in [
        ("google", "precedence", "first"),
        ("rfc9309", "agent_case", "sensitive"),
        ("python", "empty_pattern", "ignored"),
    ] {
        let text = format!("base = \"{base}\"\n{name} = \"{value}\"\n");
        let candidate = dir.write("candidate.toml", &text);
        let (out, fit) = (dir.word("out"), dir.word("fit.toml"));
        let more = [&*archive, "--out", &out, "--fit", &fit, "--overwrite"];
        compare(base, &candidate, &more).end_with(1);
        let causes = Census(out.into()).table("causes").all_texts("changes");
        assert_eq!(causes, [format!("{name}={value}")], "{base}");
        let fitted = fs::read_to_string(fit).unwrap();
        let is_said = |line: &&str| !line.is_empty() && !line.starts_with('#');
        assert!(fitted.lines().filter(is_said).eq(text.lines()), "{fitted}");
    }
}

#[test]
fn only_files_that_flipped_before_are_asked() {
    let dir = Dir::new();
    let archive = archive(&dir);
    let (out, again) = (dir.word("out"), dir.word("again"));
    compare("google", "rfc9309", &[&archive, "--out", &out]).end();
    let more = [&*archive, "--out", &again, "--only", &out];
    compare("google", "rfc9309", &more).end();
    let (all, only) = (totals(&dir, "out"), totals(&dir, "again"));
    assert_eq!(only["files"], all["flipping_files"]);
    assert_eq!(only["flips"], all["flips"]);
    assert!(only["files"].as_u64() < all["files"].as_u64());
    // What is accepted among all files is accepted here too, where it has more of the cells.
    let list = dir.word("accepted.toml");
    let more = [
        &*archive,
        "--out",
        &out,
        "--overwrite",
        "--write-expect",
        &list,
    ];
    compare("google", "rfc9309", &more).end();
    let limits = fs::read_to_string(&list).unwrap().replace("# max_", "max_");
    assert!(limits.contains("\nmax_share_of_cells = "), "{limits}");
    fs::write(&list, limits).unwrap();
    let more = [
        &*archive,
        "--out",
        &again,
        "--overwrite",
        "--only",
        &out,
        "--expect",
        &list,
    ];
    compare("google", "rfc9309", &more).succeed();
    let [third, none] = ["third", "none"].map(|name| dir.word(name));
    let more = [&*archive, "--out", &third, "--only", &none];
    let ran = compare("google", "rfc9309", &more).end_with(2);
    let says = "none: expected the folder of a comparison";
    assert!(ran.stderr.contains(says), "{}", ran.stderr);
}

#[test]
fn a_fault_is_a_row_and_exit_code_1_and_the_run_continues() {
    let dir = Dir::new();
    let acts = ["die", "hang", "flood", "garbage", "short", "lie", "repeat"];
    let mut bodies: Vec<Vec<u8>> = (0..40)
        .map(|n| format!("# fine {n}\nUser-agent: *\nDisallow: /x{n}\n").into_bytes())
        .collect();
    for act in acts {
        bodies.push(format!("# {act}\nUser-agent: *\nDisallow: /\n").into_bytes());
    }
    let archive = dir.write("files.warc.gz", archive_of(&bodies));
    let out = dir.word("out");
    let more = [&*archive, "--out", &out, "--timeout", "1s"];
    let ran = compare("google", &hostile(), &more).end_with(1);
    let census = Census(dir.path("out"));
    let faults = census.table("parser_faults");
    let mut kinds = faults.all_texts("kind");
    kinds.sort();
    assert_eq!(
        kinds,
        [
            "answer_too_long",
            "exited",
            "invalid_answer",
            "repeated_answer",
            "timed_out",
            "unknown_id",
            "wrong_count"
        ]
    );
    for (side, message) in faults.rows::<(String, String)>("side message") {
        assert_eq!(side, "candidate");
        assert_begins(&message, "expected");
    }
    let at_fault = faults.texts("url_host_name");
    assert!(
        at_fault.iter().filter(|host| host.is_some()).count() >= acts.len() - 1,
        "{at_fault:?}"
    );
    // All other files were answered: the parser forbids what Google allows.
    let flips = census.table("flips");
    let hosts: std::collections::BTreeSet<_> =
        flips.all_texts("url_host_name").into_iter().collect();
    assert_eq!(hosts.len(), 40);
    assert!(ran.stderr.contains("candidate: host-04"), "{}", ran.stderr);
    let log = fs::read_to_string(dir.path("out/candidate.stderr.txt")).unwrap();
    assert!(log.contains("dying"), "{log}");
}

/// A parser that is at fault whenever a file is made smaller may take its timeout for each.
#[test]
fn faults_while_examples_are_made_smaller_are_limited() {
    let dir = Dir::new();
    let file = |c: char| format!("User-agent: *\nAllow: /{c}\n# {}\n", "-".repeat(80)).into_bytes();
    let bodies: Vec<_> = "!$&'()+,;=:@[]{}|^~<>".chars().map(file).collect();
    let archive = dir.write("files.warc.gz", archive_of(&bodies));
    let counted = dir.word("counted");
    let parser = format!("{} long {counted}", hostile());
    compare("google", &parser, &[&archive, "--out", &dir.word("out")]).end_with(1);
    // Ten for an example, and a hundred for all, each of which may be asked about again.
    let n_faults = fs::read(counted).unwrap().len();
    assert!((100..=200).contains(&n_faults), "{n_faults}");
    let causes = Census(dir.path("out")).table("causes").n_rows();
    assert!(causes >= 15, "{causes}");
}

#[test]
fn flips_are_asked_about_as_often_as_wanted() {
    let dir = Dir::new();
    // A parser that allows a file the third time that it is asked about it.
    let script = "import json,sys\n\
        sys.stdin.readline()\n\
        print(json.dumps({'protocol':'robocensus-parser/1','name':'moody','version':'1'}),flush=True)\n\
        n={}\n\
        for line in sys.stdin:\n\
        \x20 r=json.loads(line); b=r['robots_b64']; n[b]=n.get(b,0)+1\n\
        \x20 v='allow' if n[b]==3 else 'disallow'\n\
        \x20 print(json.dumps({'id':r['id'],'verdicts':[v]*len(r['queries'])}),flush=True)\n";
    let parser = format!("exec:python3 {}", dir.write("moody.py", script));
    let body = b"User-agent: *\nAllow: /\n".to_vec();
    let archive = dir.write("files.warc.gz", archive_of(&[body]));
    for (repeat, is_unstable) in [("1", false), ("2", false), ("3", true)] {
        let out = dir.word("out");
        let more = ["--workers", "1", "--repeat", repeat, "--reduce-steps", "0"];
        let words = [&*archive, "--out", &out, "--overwrite"];
        compare("google", &parser, &[&words[..], &more].concat()).end();
        let totals = totals(&dir, "out");
        let is_flip = totals["flips"].as_u64() > Some(0);
        let found = (is_flip, totals["unstable"].as_u64() > Some(0));
        assert_eq!(found, (!is_unstable, is_unstable), "{repeat}: {totals}");
    }
}

#[test]
fn a_killed_comparison_leaves_no_half_tables() {
    let dir = Dir::new();
    let archive = archive(&dir);
    // It answers nothing for a long time.
    let bodies = vec![b"# hang\n".to_vec(); 1];
    let slow = dir.write("slow.warc.gz", archive_of(&bodies));
    let out = dir.word("out");
    let mut child = TestCommand::line("compare --baseline google --candidate")
        .words(&[&hostile(), &archive, &slow, "--out", &out])
        .words(&["--timeout", "1m", "--workers", "1", "--in-flight", "1"])
        .start();
    while !dir.path("out/_dataset.json").exists() {
        thread::sleep(Duration::from_millis(20));
    }
    thread::sleep(Duration::from_millis(500));
    child.kill().unwrap();
    child.wait().unwrap();
    let mut tables = files_with_end(&dir.path("out"), "parquet");
    tables.retain(|path| !path.starts_with(dir.path("out/_tmp")));
    assert!(tables.is_empty(), "{tables:?}");
    // The folder can be used again.
    let more = [&*archive, "--out", &out, "--overwrite"];
    compare("google", "google", &more).succeed();
    assert!(!dir.path("out/_tmp").exists());
}

#[test]
fn what_cannot_be_run_is_one_sentence_and_exit_code_2() {
    let dir = Dir::new();
    let archive = archive(&dir);
    let wrong = dir.write("wrong.toml", "base = \"google\"\nprecedence = \"last\"\n");
    let urls = dir.write("urls.txt", "/\n");
    for (candidate, more, says) in [
        ("exec:no-such-program-here", &[][..], "no-such-program-here"),
        (&*format!("{} ends", hostile()), &[], "robocensus-parser/1"),
        (&*wrong, &[], "wrong.toml: line 2"),
        ("goggle", &[], "expected one of"),
        ("python", &["--urls", &*urls], "--probes matrix"),
    ] {
        let out = dir.word("never");
        let mut words = vec![&*archive, "--out", &out];
        words.extend(more);
        let ran = compare("google", candidate, &words).end_with(2);
        assert!(ran.stderr.contains(says), "{}", ran.stderr);
        assert_eq!(ran.stderr.trim_end().lines().count(), 1, "{}", ran.stderr);
        assert!(!dir.path("never").exists(), "{candidate}");
    }
}

#[test]
fn a_value_that_is_no_side_or_time_is_one_sentence() {
    let dir = Dir::new();
    let archive = archive(&dir);
    let out = dir.word("out");
    let text = "base = \"google\"\nprecedence = \"first\"\n";
    let file = dir.write("a=b.toml", text);
    let ran = compare("google", &file, &[&archive, "--out", &out]).end();
    let says = format!(
        "robocensus: --candidate: {file}: expected name = \"...\" in the text, since the file has no name that a dialect may have: expected letters, digits, -, _ and ., but found \"a=b\"\n"
    );
    assert_eq!((ran.code, ran.stderr), (2, says));
    dir.write("a=b.toml", format!("name = \"first\"\n{text}"));
    let words = [&*archive, "--out", &out, "--overwrite"];
    let ran = compare("google", &file, &words).end_with(1);
    assert_eq!(ran.stderr, "");
    let words = [&*archive, "--out", &out, "--timeout", "0s"];
    let ran = compare("google", "python", &words).end();
    let says = "robocensus: --timeout: expected more than no time, such as 10s\n";
    assert_eq!((ran.code, &*ran.stderr), (2, says));
}

#[test]
fn check_answers_a_path_that_begins_with_two_slashes_behind_an_origin() {
    let dir = Dir::new();
    let body = b"User-agent: *\nAllow: /\nDisallow: //a\n";
    let file = dir.write("robots.txt", body);
    let archive = dir.write("one.warc.gz", archive_of(&[body.to_vec()]));
    compare("google", "python", &[&archive, "--out", &dir.word("out")]).end();
    let flips = Census(dir.path("out")).table("flips");
    let rows = flips.lines("url agent baseline_verdict");
    let found = rows.iter().find(|row| row.starts_with("//")).unwrap();
    let [url, agent, verdict] = found.split(' ').collect::<Vec<_>>()[..] else {
        panic!("{found}");
    };
    let check = |url: &str| {
        let words = ["check", &file, "--dialect", "google", "--agent", agent];
        let ran = TestCommand::new(words).words(&["--url", url]).succeed();
        ran.stdout.lines().next().unwrap().to_owned()
    };
    assert!(check(&format!("https://example.com{url}")).ends_with(verdict));
    assert!(!check(url).ends_with(verdict));
}

#[test]
fn a_damaged_archive_is_named_and_exit_code_1() {
    let dir = Dir::new();
    let whole = archive_of(&bodies());
    let archive = dir.write("cut.warc.gz", &whole[..whole.len() - 20]);
    let out = dir.word("out");
    let ran = compare("google", "google", &[&archive, "--out", &out]).end_with(1);
    assert_says(&ran.stderr, "cut.warc.gz: offset ");
    assert_eq!(ran.stderr.trim_end().lines().count(), 1, "{}", ran.stderr);
}

#[test]
fn weights_and_ranks_weigh_flips() {
    let dir = Dir::new();
    let body = b"User-agent: *\nAllow: /\nDisallow: /a\n";
    let records = ["a.example", "b.example"].map(|host| gzip(&record(host, body)));
    let archive = dir.write("one.warc.gz", records.concat());
    let urls = dir.write("urls.txt", "/a\t10\n/b\n");
    let agents = dir.write("agents.tsv", "Foo\tx\t3\n");
    let ranks = dir.write("ranks.csv", "1,a.example\n4,b.example\n");
    let more = [
        &*archive,
        "--out",
        &dir.word("out"),
        "--probes",
        "matrix",
        "--urls",
        &urls,
        "--agents",
        &agents,
        "--ranks",
        &ranks,
    ];
    compare("google", "python", &more).end_with(1);
    let census = Census(dir.path("out"));
    let flips = census.table("flips").lines("url weight host_rank");
    assert_eq!(flips, ["/a 30.0 1", "/a 7.5 4"]);
    assert_eq!(census.table("causes").floats("weight"), [Some(37.5)]);
}

#[test]
fn named_causes_explain_the_flips_of_real_files() {
    let corpus = or_skip!(shared("corpus"));
    let dir = Dir::new();
    let archives = ["robots-00000.warc.gz", "robots-00004.warc.gz"].map(|name| corpus.join(name));
    let [one, other] = archives.each_ref().map(|path| path.to_str().unwrap());
    for candidate in ["python", "rfc9309"] {
        let out = dir.word(candidate);
        compare("google", candidate, &[one, other, "--out", &out]).end_with(1);
        let totals = totals(&dir, candidate);
        let count = |name: &str| totals[name].as_u64().unwrap();
        assert!(count("flips") > 1_000, "{totals}");
        assert!(count("unexplained") * 20 <= count("flips"), "{totals}");
    }
}
