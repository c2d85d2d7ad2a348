//! `robocensus check` and `robocensus errors`: evidence for a person, and lines of JSON for
//! programs.

use std::{env, fmt::Write, fs};

use serde_json::{Value, json};

use crate::util::{Dir, TestCommand, assert_begins, assert_says, check, gzip, package};

pub const ROBOTS: &str = include_str!("testdata/check/robots.txt");

/// Runs the commands of a file of `tests/testdata/`, below comments that say what they show. Behind
/// `|` stands what a command prints on standard output and then on standard error, and behind `?`
/// its exit code, unless that is 0; `<` names a file of the folder `check` for its standard input.
///
/// Where a change is meant, `UPDATE_SESSIONS=1 cargo test --locked --test tests check` records it.
pub fn assert_as_recorded(file: &str) {
    let folder = package().join("tests/testdata");
    let recorded = fs::read_to_string(folder.join(file)).unwrap();
    let mut found = String::new();
    let is_asked = |line: &&str| !line.starts_with(['|', '?']);
    for line in recorded.lines().filter(is_asked) {
        writeln!(found, "{line}").unwrap();
        let Some(command) = line.strip_prefix("$ ") else {
            continue;
        };
        let (words, input) = command.split_once(" <").unwrap_or((command, "empty"));
        let input = fs::read(folder.join("check").join(input)).unwrap();
        let ran = TestCommand::line(words).stdin(input).end();
        for line in (ran.stdout + &ran.stderr).lines() {
            writeln!(found, "|{line}").unwrap();
        }
        if ran.code != 0 {
            writeln!(found, "? {}", ran.code).unwrap();
        }
    }
    if env::var_os("UPDATE_SESSIONS").is_some() {
        fs::write(folder.join(file), &found).unwrap();
    }
    for (found, recorded) in found.lines().zip(recorded.lines()) {
        assert_eq!(found, recorded);
    }
    assert_eq!(found, recorded);
}

#[test]
fn evidence_answers_and_refusals_are_as_recorded() {
    assert_as_recorded("check.txt");
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let case = "check --cases tests/testdata/check/absent-dialect.jsonl";
    for (words, says) in [
        ("check --cases absent", "absent: cannot read"),
        ("check absent --agent a --url /", "absent: cannot read"),
        (
            case,
            "line 1: dialect: tests/testdata/check/mine/absent.toml: cannot read",
        ),
    ] {
        TestCommand::line(words).refuse(&[says]);
    }
}

#[test]
fn gzip_is_told_by_its_bytes() {
    let dir = Dir::new();
    let answers = |bytes: &[u8]| {
        let path = dir.write("cases.jsonl", bytes);
        TestCommand::new(["check", "--cases", &path]).succeed()
    };
    let cases = include_bytes!("testdata/check/cases.jsonl");
    assert_eq!(answers(&gzip(cases)).stdout, answers(cases).stdout);
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
fn a_file_of_gigabytes_is_refused_by_its_size() {
    let dir = Dir::new();
    let path = dir.path("zeros");
    // It is sparse, and takes no space on disk.
    let zeros = fs::File::create(&path).unwrap();
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
}
