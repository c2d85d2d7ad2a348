//! `robocensus check` and `robocensus errors`: evidence for a person, and lines of JSON for
//! programs.

use serde_json::{Value, json};

use crate::util::{Dir, TestCommand, check, gzip};

const ROBOTS: &str =
    "User-agent: GPTBot\nAllow: /\nDisallow: /a?b\nDisalow: /c\n\nUser-agent: *\nDisallow: /*?\n";

fn cases(lines: impl AsRef<[u8]>, code: i32) -> (Vec<Value>, String) {
    let command = TestCommand::line("check --cases -");
    let ran = command.stdin(lines.as_ref().to_vec()).end_with(code);
    let answers = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    (answers.collect(), ran.stderr)
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
        assert!(text.contains(part), "{part:?} in\n{text}");
    }
}

#[test]
fn the_fetch_and_the_location_decide_first() {
    let text = check(
        "--agent GPTBot --url https://example.com/ --status 503",
        ROBOTS,
    );
    assert!(text.starts_with("verdict   disallow\n"), "{text}");
    assert!(
        text.contains("access    status 503: full_disallow\n"),
        "{text}"
    );
    let words = "--agent GPTBot --url https://example.com/a?b \
        --robots-url http://example.com/robots.txt";
    let text = check(words, ROBOTS);
    assert!(
        text.starts_with("verdict   allow\n") && text.contains("basis     out_of_scope"),
        "{text}"
    );
    assert!(text.contains("does not apply to the URL"), "{text}");
}

#[test]
fn all_dialects_are_rows_with_the_disagreements_marked() {
    let text = check("--agent CCBot --url /x?y --dialect all", ROBOTS);
    let marked: Vec<_> = text
        .lines()
        .filter(|line| line.starts_with("!  "))
        .collect();
    assert_eq!(marked.len(), 2, "{text}");
    assert!(marked[0].starts_with("!  original-1994  allow"), "{text}");
    assert!(
        text.contains("2 of 8 dialects differ from google (!)"),
        "{text}"
    );
    let text = check("--agent CCBot --url /x --dialect all", ROBOTS);
    assert!(text.contains("all 8 dialects agree"), "{text}");
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
    assert!(
        text.lines().all(|line| line.len() < 25_000),
        "{}",
        text.len()
    );
}

#[test]
fn wrong_words_are_named() {
    for (words, says) in [
        ("check -", "--agent"),
        ("check - --agent a", "--url"),
        ("check --cases - --url /", "--cases"),
        (
            "check - --agent a --url / --dialect goggle",
            "google-legacy",
        ),
        ("check --cases - --dialect all", "one dialect"),
        (
            "check no-such-file --agent a --url /",
            "no-such-file: cannot read",
        ),
        ("check --cases no-such-file", "no-such-file: cannot read"),
    ] {
        let ran = TestCommand::line(words).end_with(2);
        assert!(ran.stderr.contains(says), "{words}: {}", ran.stderr);
    }
}

#[test]
fn a_case_is_answered_in_one_line() {
    let (answers, _) = cases(
        r#"{"id": "x", "robots": "user-agent: *\ndisallow: /a", "agent": "b", "url": "/a", "expect": "disallow", "line": 2}"#,
        0,
    );
    assert_eq!(
        answers,
        [
            json!({"id": "x", "dialect": "google", "verdict": "disallow", "basis": "rule", "group_line": 1, "rule_line": 2, "expect": "disallow", "ok": true})
        ]
    );
}

#[test]
fn queries_are_answered_in_order() {
    let (answers, _) = cases(
        r#"{"id": 1, "dialect": "rfc9309", "robots_b64": "dXNlci1hZ2VudDogYQpkaXNhbGxvdzogLwo=", "queries": [{"agent": "a", "url": "/", "expect": "disallow", "line": 2}, {"agents": ["b", "a"], "url": "/"}, {"agent": "c", "url": "/", "line": 0}]}"#,
        0,
    );
    let shown: Vec<_> = answers
        .iter()
        .map(|a| (&a["id"], &a["query"], &a["verdict"], &a["ok"]))
        .collect();
    assert_eq!(
        shown,
        [
            (&json!(1), &json!(0), &json!("disallow"), &json!(true)),
            (&json!(1), &json!(1), &json!("disallow"), &Value::Null),
            (&json!(1), &json!(2), &json!("allow"), &json!(true)),
        ]
    );
}

#[test]
fn an_expectation_that_does_not_hold_is_one() {
    for line in [
        r#"{"robots": "", "agent": "a", "url": "/", "expect": "disallow"}"#,
        r#"{"robots": "", "agent": "a", "url": "/", "expect": "allow", "line": 3}"#,
        r#"{"robots_url": "http://a/robots.txt", "url": "http://a/", "applies": false}"#,
        r#"{"status": 404, "expect": "full_disallow"}"#,
    ] {
        let (answers, stderr) = cases(line, 1);
        assert_eq!(
            (&answers[0]["ok"], stderr.as_str()),
            (&json!(false), ""),
            "{line}"
        );
    }
}

#[test]
fn a_bad_line_is_named_and_the_others_are_answered() {
    let lines = "{\"status\": 200, \"expect\": \"undefined\"}\n\nnot json\n{\"status\": 200, \"dialect\": \"x\"}\r\n\
        {\"robots\": \"\\ud800\", \"agent\": \"\\udcff\", \"url\": \"\\udc80\"}";
    let (answers, stderr) = cases(lines, 2);
    assert_eq!(answers.len(), 2);
    assert!(
        stderr.contains("-: line 3: ")
            && stderr.contains("-: line 4: dialect: expected one of google"),
        "{stderr}"
    );
    assert_eq!(stderr.lines().count(), 2);
}

#[test]
fn gzip_is_told_by_its_bytes_and_dialects_by_files() {
    let dir = Dir::new();
    let case = br#"{"robots": "user-agent: *\ndisallow: /", "agent": "a", "url": "/", "expect": "undefined"}"#;
    let path = dir.write("cases.jsonl", gzip(case));
    let dialect = dir.write("mine.toml", "base = \"google-2019\"\n");
    TestCommand::new(["check", "--cases", &path, "--dialect", &dialect]).end_with(1);
    let named = String::from_utf8(case.to_vec())
        .unwrap()
        .replace("undefined", "disallow");
    let path = dir.write(
        "cases.jsonl",
        format!(
            "{}\n",
            named.replace("{\"robots\"", "{\"dialect\": \"mine\", \"robots\"")
        ),
    );
    let ran = TestCommand::new(["check", "--cases", &path, "--dialect", &dialect]).succeed();
    assert!(
        ran.stdout.contains("\"dialect\":\"mine\""),
        "{}",
        ran.stdout
    );
}

#[test]
fn hostile_patterns_are_bounded_in_every_dialect() {
    let stars = "*a".repeat(2_000);
    let many = format!(
        "user-agent: *\n{}",
        format!("disallow: /{stars}x$\n").repeat(20)
    );
    let url = format!("/{}", "a".repeat(6_000));
    let start = std::time::Instant::now();
    check(&format!("--agent a --url {url} --dialect all"), many);
    // Milliseconds; a matcher that backtracks would never end.
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn errors_are_listed_with_an_example_each() {
    let text = TestCommand::line("errors").succeed().stdout;
    let listed: Value =
        serde_json::from_str(&TestCommand::line("errors --json").succeed().stdout).unwrap();
    let listed = listed.as_array().unwrap();
    for code in listed {
        let name = code["code"].as_str().unwrap();
        assert!(text.contains(&format!("\n{name} (")) || text.starts_with(name));
        let sentence = code["sentence"].as_str().unwrap();
        assert!(sentence.ends_with('.') && text.contains(&format!("\n  {sentence}\n")));
        let severity = code["severity"].as_str().unwrap();
        assert!(["info", "warning", "error"].contains(&severity));
        assert!(!code["example"].as_str().unwrap().is_empty());
        if code["concerns"] == "response" {
            assert_eq!(code["accepted_by"], json!([]));
        }
    }
    assert_eq!(text.matches("  example: ").count(), listed.len());
}
