//! What others wrote reaches a terminal as text only: no escape sequence, no character that
//! reorders what stands beside it.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::good;
use crate::util::{
    Dir, TestCommand, assert_begins, assert_says, duckdb, on_a_terminal, or_skip, query, run,
    run_into,
};

/// Colors, the title of a window, C1, DEL and a direction that is overridden.
const EVIL: &str = "\u{1b}[31m\u{1b}]0;owned\u{7}\u{9b}2J\u{7f}\u{202e}\u{2066}";

/// Asserts that a terminal would show this text as it is, and not obey it.
fn assert_is_harmless(what: &str, text: &str) {
    let is_harmful = |c: &char| {
        c.is_control() && *c != '\n'
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let found: Vec<_> = text.chars().filter(is_harmful).collect();
    assert!(found.is_empty(), "{what}: {found:?} in {text:?}");
}

#[test]
fn names_of_files_are_shown_escaped_and_on_one_line() {
    let dir = Dir::new();
    let name = format!("a{EVIL}\nb.warc.gz");
    let damaged = dir.write(&name, &good()[..60]);
    let out = dir.word(&format!("census{EVIL}"));
    let ran = run(&[&damaged, "--out", &out]).end_with(1);
    let escaped = r"a\u{1b}[31m\u{1b}]0;owned\u{7}\u{9b}2J\u{7f}\u{202e}\u{2066}\nb.warc.gz: ";
    assert_says(&ran.stderr, escaped);
    assert_says(&ran.stdout, r"census\u{1b}[31m");
    assert_is_harmless("summary", &ran.stdout);
    assert_is_harmless("damaged", &ran.stderr);
    let absent = dir.word(&format!("absent{EVIL}\n.warc.gz"));
    run(&[&absent, "--out", &out]).refuse(&[r"absent\u{1b}[31m", r"\n.warc.gz: no file matches"]);
    let list = dir.write("list", format!("absent{EVIL}.warc.gz\n"));
    let listed = dir.word("listed");
    let ran = run(&[&format!("@{list}"), "--out", &listed]).end_with(1);
    assert_is_harmless("list", &ran.stderr);
    // A shell's pattern makes words of names of files.
    for words in [["run", EVIL], ["--overwrite", EVIL], [EVIL, EVIL]] {
        let ran = TestCommand::new(words).end_with(2);
        assert_is_harmless("usage", &ran.stderr);
    }
}

#[test]
fn check_shows_a_file_escaped_and_json_keeps_its_meaning() {
    let dir = Dir::new();
    let body = format!("User-agent: *{EVIL}\nUser-agent: *\nDisallow: /{EVIL}x\n{EVIL}\n");
    let robots = dir.write("robots.txt", &body);
    let url = format!("/{EVIL}x");
    let words = ["check", &robots, "--agent", "Bot", "--url", &url];
    let agent = format!("Bot{EVIL}");
    let ran = TestCommand::new(["check", &robots, "--agent", &agent, "--url", "/"]).end_with(2);
    assert_is_harmless("agent", &ran.stderr);
    assert_says(&ran.stderr, r"\u{1b}[31m");
    for dialect in ["google", "all"] {
        let command = TestCommand::new(words).words(&["--dialect", dialect]);
        let said = command.succeed().stdout;
        assert_is_harmless(dialect, &said);
        assert_says(&said, r"\u{1b}[31m");
    }
    let ran = TestCommand::new(words).words(&["--json"]).succeed();
    assert_is_harmless("json", &ran.stdout);
    let said: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(said["url"], url);
    let case = json!({"id": EVIL, "robots": body, "agent": "Bot", "url": url, "expect": "allow"});
    let cases = dir.write("cases.jsonl", format!("{case}\n"));
    let ran = TestCommand::new(["check", "--cases", &cases]).end();
    assert_is_harmless("cases", &ran.stdout);
    assert_is_harmless("cases", &ran.stderr);
}

/// Returns a dataset of one capture, or nothing where there is no DuckDB.
fn one_capture(dir: &Dir) -> Option<PathBuf> {
    duckdb()?;
    let archive = dir.write("a.warc.gz", good());
    Some(run_into(dir.path("census"), &[archive]))
}

#[test]
fn rows_are_shown_escaped_and_stay_what_they_are_for_programs() {
    let dir = Dir::new();
    let data = or_skip!(one_capture(&dir));
    let cell = format!("--set=evil={EVIL}");
    let words = ["SELECT getvariable('evil') AS cell", &cell, "--format"];
    let rows = |format: &str| query(&data, &words).words(&[format]).succeed().stdout;
    for (format, escape) in [
        ("table", r"\u{1b}[31m"),
        ("markdown", r"\u{1b}[31m"),
        ("json", r"\u001b[31m"),
        // A blank is in its place, since \u is an accent to LaTeX.
        ("latex", "{} [31m"),
    ] {
        let said = rows(format);
        assert_is_harmless(format, &said);
        assert_says(&said, escape);
    }
    let json: Value = serde_json::from_str(&rows("json")).unwrap();
    assert_eq!(json[0]["cell"], EVIL);
    assert_eq!(rows("csv"), format!("cell\n{EVIL}\n"));
    let wrong = query(&data, &[&format!("SELECT 1 FROM \"{EVIL}\"")]);
    assert_is_harmless("what DuckDB says", &wrong.end_with(2).stderr);
    // A terminal gets CSV escaped too.
    let data = data.to_str().unwrap();
    let words = [&["query", "--data", data], &words[..], &["csv"]].concat();
    let text = or_skip!(on_a_terminal(&words, &[]));
    assert_is_harmless("csv", &text);
    assert_says(&text, r"\u{1b}[31m");
}

#[test]
fn verdicts_are_colored_on_a_terminal_and_nowhere_else() {
    let dir = Dir::new();
    let robots = dir.write("robots.txt", "User-agent: *\nDisallow: /a\n");
    for (url, word, color) in [("/a", "disallow", 31), ("/b", "allow", 32)] {
        let words = ["check", &robots, "--agent=x", "--url", url];
        let with = |color: &[&str]| TestCommand::new(words).words(color).succeed().stdout;
        let plain = format!("verdict   {word}\n");
        let colored = format!("verdict   \u{1b}[{color}m{word}\u{1b}[0m\n");
        let text = with(&[]);
        assert_begins(&text, &plain);
        assert!(!text.contains('\u{1b}'), "{text}");
        let always = with(&["--color", "always"]);
        assert_eq!(always, text.replace(&plain, &colored));
        assert_begins(&or_skip!(on_a_terminal(&words, &[])), &colored);
        let variables = [("NO_COLOR", "1")];
        assert_eq!(on_a_terminal(&words, &variables).unwrap(), text);
        let never = [&words[..], &["--color", "never"]].concat();
        assert_eq!(on_a_terminal(&never, &[]).unwrap(), text);
    }
}

#[test]
fn colors_move_no_column_and_hide_no_escape() {
    let dir = Dir::new();
    let robots = dir.write("robots.txt", format!("User-agent: *\nDisallow: /{EVIL}x\n"));
    let url = format!("/{EVIL}x");
    let all = || {
        let check = TestCommand::line("check --agent a --dialect all");
        check.words(&[&robots, "--url", &url])
    };
    let plain = all().succeed().stdout;
    let colored = all().words(&["--color", "always"]).succeed().stdout;
    assert_says(&colored, "\u{1b}[31mdisallow\u{1b}[0m");
    let stripped = |text: String| {
        let colors = ["\u{1b}[31m", "\u{1b}[32m", "\u{1b}[33m", "\u{1b}[0m"];
        colors
            .iter()
            .fold(text, |text, color| text.replace(color, ""))
    };
    assert_eq!(stripped(colored), plain);
    assert_is_harmless("plain", &plain);
    // The name of a dialect is that of its file.
    let dialect = dir.write(&format!("{EVIL}.toml"), "base = \"google\"\n");
    for when in ["never", "always"] {
        let check = TestCommand::new(["check", &robots, "--agent", "a", "--url", &url]);
        let ran = check.words(&["--dialect", &dialect, "--color", when]).end();
        assert_is_harmless("dialect", &stripped(ran.stdout));
    }
}

#[test]
fn the_help_says_how_formulas_are_written() {
    let help = TestCommand::new(["query", "--help"]).succeed().stdout;
    let help: Vec<_> = help.split_whitespace().collect();
    let said = "begins with =, +, - or @ is a formula, so import all columns as text";
    assert_says(&help.join(" "), said);
    let dir = Dir::new();
    let data = or_skip!(one_capture(&dir));
    let sql = "SELECT '=1+1' AS a, '-x' AS b, '@y' AS c, '+z' AS d";
    let rows = query(&data, &[sql, "--format", "csv"]).succeed().stdout;
    assert_eq!(rows, "a,b,c,d\n=1+1,-x,@y,+z\n");
}
