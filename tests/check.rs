//! `robocensus check` and `robocensus errors`: evidence for a person, and lines of JSON for
//! programs.

use serde_json::{Value, json};

use crate::util::{Dir, TestCommand, assert_begins, assert_says, check, gzip, lines};

const ROBOTS: &str =
    "User-agent: GPTBot\nAllow: /\nDisallow: /a?b\nDisalow: /c\n\nUser-agent: *\nDisallow: /*?\n";

/// Returns the lines of JSON of a text.
fn json_lines(text: &str) -> Vec<Value> {
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.collect()
}

fn cases(lines: impl AsRef<[u8]>, code: i32) -> (Vec<Value>, String) {
    let command = TestCommand::line("check --cases -");
    let ran = command.stdin(lines.as_ref().to_vec()).end_with(code);
    (json_lines(&ran.stdout), ran.stderr)
}

#[test]
fn a_person_sees_verdict_group_rule_and_losers() {
    let text = check("--agent GPTBot --url https://example.com/a?b=1", ROBOTS);
    for part in [
        "verdict   disallow\n",
        "dialect   google\n",
        "basis     rule: ",
        "group     lines 1-4, names the agent\n",
        "       3 | Disallow: /a?b\n         |           ^^^^\n",
        "lost      line 2: allow: / (1 octet; shorter)\n",
        "line 4: error, misspelt_field\n",
        "meant: disallow\n",
    ] {
        assert_says(&text, part);
    }
}

#[test]
fn the_fetch_and_the_location_decide_first() {
    let words = "--agent GPTBot --url https://example.com/ --status 503";
    let text = check(words, ROBOTS);
    assert_begins(&text, "verdict   disallow\n");
    assert_says(&text, "access    status 503: full_disallow\n");
    let words = "--agent GPTBot --url https://example.com/a?b \
        --robots-url http://example.com/robots.txt";
    let text = check(words, ROBOTS);
    assert_begins(&text, "verdict   allow\n");
    assert_says(&text, "basis     out_of_scope");
    assert_says(&text, "does not apply to the URL");
}

#[test]
fn all_dialects_are_rows_with_the_disagreements_marked() {
    let text = check("--agent CCBot --url /x?y --dialect all", ROBOTS);
    let mut lines = text.lines().filter(|line| line.starts_with("!  "));
    assert_begins(lines.next().unwrap(), "!  original-1994  allow");
    assert_eq!(lines.count(), 1, "{text}");
    assert_says(&text, "2 of 8 dialects differ from google (!)");
    let text = check("--agent CCBot --url /x --dialect all", ROBOTS);
    assert_says(&text, "all 8 dialects agree");
}

#[test]
fn json_holds_the_same_evidence() {
    let text = check("--agent GPTBot --url /a?b --dialect all --json", ROBOTS);
    let value: Value = serde_json::from_str(&text).unwrap();
    let answers = value["answers"].as_array().unwrap();
    assert_eq!(answers.len(), 8);
    assert_eq!(
        answers[0]["rule"],
        json!({"line": 3, "kind": "disallow", "value": "/a?b", "byte_offset": 38, "pattern_octets": 4})
    );
    assert_eq!(answers[0]["lost"][0]["lost"], "shorter");
    assert_eq!(value["errors"][0]["code"], "misspelt_field");
    assert_eq!(value["errors"][0]["accepted_by"], json!(["google"]));
}

#[test]
fn any_bytes_can_be_shown() {
    let robots = b"\xff\xfeu\0\x1b[31m\r\nUser-agent: *\nDisallow: /\xe9\x07\xe2\x80\xae\n";
    let text = check("--agent a --url /%E9%07 --dialect python", robots);
    assert!(!text.contains(['\x1b', '\x07', '\u{202e}']), "{text:?}");
    let long = format!("User-agent: *\nDisallow: /{}\n", "a".repeat(100_000));
    let words = format!("--agent a --url /{}", "a".repeat(20_000));
    let text = check(&words, long);
    let longest = text.lines().map(str::len).max();
    assert!(longest < Some(25_000), "{longest:?}");
}

#[test]
fn wrong_words_are_named() {
    let table = "check - => --agent
        check - --agent a => --url
        check --cases - --url / => --cases
        check - --agent a --url / --dialect goggle => google-legacy
        check - --agent a --url / --only-failures => --only-failures
        check - --agent a --url / --status 0 => such as 404, from 100 to 999
        check --cases - --dialect all => one dialect
        check --cases no-such-file => no-such-file: cannot read
        check host.example --agent a => no such file; https://host.example
        check host.example:8080 --agent a --url / => no such file; https://host.example
        check absent.txt --agent a --url / => absent.txt: cannot read
        dialects goggle => expected one of google";
    for line in table.lines() {
        let (words, says) = line.trim().split_once(" => ").unwrap();
        let ran = TestCommand::line(words).end_with(2);
        assert!(ran.stderr.contains(says), "{words}: {}", ran.stderr);
    }
}

#[test]
fn a_case_is_answered_in_one_line() {
    let case = r#"{"id": "x", "robots": "user-agent: *\ndisallow: /a", "agent": "b", "url": "/a", "expect": "disallow", "line": 2}"#;
    let answer = json!({"id": "x", "agent": "b", "url": "/a", "line": 2, "dialect": "google", "verdict": "disallow", "basis": "rule", "group_line": 1, "rule_line": 2, "expect": "disallow", "ok": true});
    assert_eq!(cases(case, 0).0, [answer]);
}

#[test]
fn queries_are_answered_in_order() {
    let case = r#"{"id": 1, "dialect": "rfc9309", "robots_b64": "dXNlci1hZ2VudDogYQpkaXNhbGxvdzogLwo=", "queries": [{"agent": "a", "url": "/", "expect": "disallow", "line": 2}, {"agents": ["b", "a"], "url": "/"}, {"agent": "c", "url": "/", "line": 0}]}"#;
    let shown = lines(&cases(case, 0).0, "id query verdict ok").join(", ");
    assert_eq!(shown, "1 0 disallow true, 1 1 disallow -, 1 2 allow true");
}

#[test]
fn a_bad_line_is_named_and_the_others_are_answered() {
    let lines = "{\"status\": 200, \"expect\": \"undefined\"}\n\nnot json\n{\"status\": 200, \"dialect\": \"x\"}\r\n\
        {\"robots\": \"\\ud800\", \"agent\": \"\\udcff\", \"url\": \"\\udc80\"}";
    let (answers, stderr) = cases(lines, 2);
    assert_eq!(answers.len(), 2);
    assert_says(&stderr, "-: line 3: ");
    assert_says(&stderr, "-: line 4: dialect: expected one of google");
    assert_eq!(stderr.lines().count(), 2);
}

#[test]
fn an_answer_repeats_agent_and_url() {
    let lines = r#"{"robots": "", "agents": ["\udcff", "b"], "url": "/\u0061"}
{"robots": "", "queries": [{"agent": "a", "url": "/1"}, {"agent": "b", "url": "/2"}]}"#;
    let command = TestCommand::line("check --cases -").stdin(lines.into());
    let text = command.succeed().stdout;
    let says = [
        "\"agents\":[\"\u{fffd}\",\"b\"],\"url\":\"/a\",",
        r#""query":0,"agent":"a","url":"/1","#,
        r#""query":1,"agent":"b","url":"/2","#,
    ];
    for (line, says) in text.lines().zip(says) {
        assert_says(line, says);
    }
    assert_eq!(text.lines().count(), says.len());
}

#[test]
fn only_failures_and_a_total_are_printed() {
    let lines = r#"{"id": 1, "robots": "", "agent": "a", "url": "/", "expect": "allow"}
{"id": 2, "robots": "", "agent": "a", "url": "/", "expect": "disallow"}
{"id": 3, "robots": "", "agent": "a", "url": "/"}
{"id": 4, "robots": "", "queries": [{"agent": "a", "url": "/", "line": 1}, {"agent": "a", "url": "/", "line": 0}]}
{"id": 5, "status": 404, "expect": "full_disallow"}
{"id": 6, "robots_url": "http://a/robots.txt", "url": "http://a/", "applies": false}
"#;
    let run = |lines: &str, code| {
        let command = TestCommand::line("check --only-failures --cases -");
        json_lines(&command.stdin(lines.into()).end_with(code).stdout)
    };
    let printed = run(lines, 1);
    let ids: Vec<_> = printed.iter().map(|line| line["id"].as_i64()).collect();
    assert_eq!(ids, [Some(2), Some(4), Some(5), Some(6), None]);
    let total = json!({"answers": 7, "failed": 4, "unchecked": 1, "invalid": 0});
    assert_eq!(printed[4], total);
    let printed = run(&format!("{lines}no case\n"), 2);
    assert_eq!(printed[4]["invalid"], 1);
    let total = json!({"answers": 0, "failed": 0, "unchecked": 0, "invalid": 0});
    assert_eq!(run("", 0), [total]);
}

#[test]
fn a_case_may_name_a_file_of_a_dialect_next_to_it() {
    let dir = Dir::new();
    let strict = "base = \"google\"\nagent_case = \"sensitive\"\n";
    dir.write("cases/mine/strict.toml", strict);
    let case = |dialect: &str| {
        let case = r#"{"dialect": "DIALECT", "robots": "user-agent: a\ndisallow: /", "agent": "A", "url": "/", "expect": "allow"}"#;
        case.replace("DIALECT", dialect) + "\n"
    };
    let good = dir.write("cases/a.jsonl", case("mine/strict.toml").repeat(2));
    let ran = TestCommand::new(["check", "--cases", &good]).succeed();
    assert_says(&ran.stdout, r#""dialect":"strict""#);
    let google = dir.write("cases/b.jsonl", case("google"));
    TestCommand::new(["check", "--cases", &google]).end_with(1);
    dir.write("cases/bad.toml", "base = \"google\"\nagent_cases = 1\n");
    for (dialect, says) in [
        ("none.toml", "cases/none.toml: cannot read"),
        ("bad.toml", "cases/bad.toml: "),
        ("strict", "dialect: expected one of google"),
    ] {
        let bad = dir.write("cases/c.jsonl", case(dialect));
        let ran = TestCommand::new(["check", "--cases", &bad]).end_with(2);
        assert_says(&ran.stderr, says);
        assert_says(&ran.stderr, "c.jsonl: line 1: ");
    }
}

#[test]
fn an_unknown_key_is_named_once_and_the_line_is_answered() {
    let line = r#"{"robots": "", "agent": "a", "url": "/", "expect": "allow", "source": "x"}"#;
    let (answers, stderr) = cases(format!("{line}\n").repeat(245), 0);
    assert_eq!(answers.len(), 245);
    let says = "robocensus: -: line 1: the key \"source\" is ignored";
    assert_eq!(stderr, format!("{says}, and so in 244 more lines\n"));
    // Once in a line, however many queries have it.
    let line = r#"{"robots": "", "queries": [{"agent": "a", "url": "/", "source": 1}, {"agent": "b", "url": "/", "source": 2}]}"#;
    let (_, stderr) = cases(format!("{line}\n"), 0);
    assert_eq!(stderr, format!("{says}\n"));
    // A misspelling is no remark: without its meaning the answer would be another.
    let line = r#"{"robots": "", "agent": "a", "url": "/", "expct": "disallow"}"#;
    let (answers, stderr) = cases(format!("{line}\n").repeat(3), 2);
    assert_eq!((answers.len(), stderr.lines().count()), (0, 1));
    assert_says(&stderr, "but found \"expct\", and so in 2 more lines");
}

#[test]
fn the_exit_code_is_one_unless_every_verdict_is_allow() {
    for (words, code) in [
        ("--url /ok", 0),
        ("--url /a?b", 1),
        ("--url /ok --status 503", 1),
        ("--url /ok --status 301", 1),
        ("--url /ok --dialect all", 0),
        ("--url /a?b --dialect all", 1),
        ("--url /a?b --json", 1),
        ("--url c", 2),
        ("--url /ok --status 0", 2),
        ("--url /ok --status 1000", 2),
        ("--url /ok --dialect none", 2),
    ] {
        let line = format!("check - --exit-code --agent GPTBot {words}");
        let command = TestCommand::line(&line).stdin(ROBOTS.into());
        let ran = command.end_with(code);
        assert_eq!(ran.stdout.is_empty(), code == 2, "{words}");
    }
}

#[test]
fn gzip_is_told_by_its_bytes_and_dialects_by_files() {
    let dir = Dir::new();
    let case = br#"{"robots": "user-agent: *\ndisallow: /", "agent": "a", "url": "/", "expect": "undefined"}"#;
    let path = dir.write("cases.jsonl", gzip(case));
    let dialect = dir.write("mine.toml", "base = \"google-2019\"\n");
    TestCommand::new(["check", "--cases", &path, "--dialect", &dialect]).end_with(1);
    let named = r#"{"dialect": "mine", "robots": "user-agent: *\ndisallow: /", "agent": "a", "url": "/", "expect": "disallow"}"#;
    let path = dir.write("cases.jsonl", named);
    let ran = TestCommand::new(["check", "--cases", &path, "--dialect", &dialect]).succeed();
    assert_says(&ran.stdout, "\"dialect\":\"mine\"");
}

#[test]
fn a_file_of_gigabytes_is_refused_by_its_size() {
    let dir = Dir::new();
    let path = dir.path("zeros");
    // It is sparse, and takes no space on disk.
    let zeros = std::fs::File::create(&path).unwrap();
    zeros.set_len(3 << 30).unwrap();
    let url = "--agent GPTBot --url https://example.com/a";
    for words in [
        &format!("check {url}"),
        &format!("reduce {url} --baseline google --candidate python"),
        "check --cases",
    ] {
        let began = std::time::Instant::now();
        let command = TestCommand::line(words).words(&[path.to_str().unwrap()]);
        command.refuse(&["expected at most 64 MiB, but the "]);
        assert!(began.elapsed().as_secs() < 60, "{words}");
    }
}

#[test]
fn findings_beyond_the_limit_of_a_list_are_in_the_sum() {
    let text = check("--agent a --url /", "Disalow /a\n".repeat(2_500));
    let sum = "Findings on the file: 5,000, of which 5,000 are errors\n";
    assert_says(&text, sum);
    let end = "\nand 4,980 more; --json lists 2,000 in all\n";
    assert!(text.ends_with(end), "{text}");
}

#[test]
fn codes_are_listed_with_an_example_each_or_explained_one_by_one() {
    let all = TestCommand::line("errors").succeed().stdout;
    let listed: Value = TestCommand::line("errors --json").json();
    let listed = listed.as_array().unwrap();
    for code in listed {
        let [name, sentence] = ["code", "sentence"].map(|key| code[key].as_str().unwrap());
        assert!(all.contains(&format!("\n{name} (")) || all.starts_with(name));
        assert_says(&all, &format!("\n  {sentence}\n"));
        assert!(!code["example"].as_str().unwrap().is_empty());
    }
    assert_eq!(all.matches("  example: ").count(), listed.len());
    for code in ["misspelt_field", "http_chunking_invalid", "too_many_lines"] {
        let text = TestCommand::line(&format!("errors {code}")).end().stdout;
        assert_begins(&text, &format!("{code} ("));
        assert_says(&all, &text);
        assert_eq!(text.matches("  example: ").count(), 1);
    }
    let listed: Value = TestCommand::line("errors misspelt_field --json").json();
    assert_eq!(listed.as_array().unwrap().len(), 1);
    TestCommand::line("errors open_failed").refuse(&["one of archive_errors", "help inputs"]);
    let misspelt = TestCommand::line("errors mispelt_field");
    misspelt.refuse(&["no code is called mispelt_field; did you mean misspelt_field?"]);
    TestCommand::line("errors E404").refuse(&["robocensus errors lists all"]);
}
