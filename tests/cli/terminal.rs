//! What others wrote reaches a terminal as text only: no escape sequence, no character that
//! reorders what stands beside it.

use std::path::Path;

use serde_json::Value;

use super::good;
use crate::util::{Dir, TestCommand, on_a_terminal, or_skip, run};

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
    assert!(ran.stderr.contains(escaped), "{}", ran.stderr);
    assert!(ran.stdout.contains(r"census\u{1b}[31m"), "{}", ran.stdout);
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
    assert!(ran.stderr.contains(r"\u{1b}[31m"), "{}", ran.stderr);
    for dialect in ["google", "all"] {
        let words = words.iter().copied().chain(["--dialect", dialect]);
        let ran = TestCommand::new(words).succeed();
        assert_is_harmless(dialect, &ran.stdout);
        assert!(ran.stdout.contains(r"\u{1b}[31m"), "{}", ran.stdout);
    }
    let ran = TestCommand::new(words).words(&["--json"]).succeed();
    assert_is_harmless("json", &ran.stdout);
    let said: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(said["url"], url);
    let case = format!(
        "{}\n",
        serde_json::json!({"id": EVIL, "robots": body, "agent": "Bot", "url": url, "expect": "allow"})
    );
    let cases = dir.write("cases.jsonl", case);
    let ran = TestCommand::new(["check", "--cases", &cases]).end();
    assert_is_harmless("cases", &ran.stdout);
    assert_is_harmless("cases", &ran.stderr);
}

/// Returns a query of a dataset of one capture as a command, or nothing where there is no DuckDB.
fn query(dir: &Dir, words: &[&str]) -> Option<TestCommand> {
    let census = dir.word("census");
    if !Path::new(&census).exists() {
        let archive = dir.write("a.warc.gz", good());
        run(&[&archive, "--quiet", "--out", &census]).succeed();
    }
    let query = || TestCommand::new(["query", "--data", &census]);
    query().words(&["SELECT 1 AS one"]).end_in_duckdb()?;
    Some(query().words(words))
}

/// SQL whose one cell is the text above.
fn evil_cell() -> String {
    let characters = EVIL.chars().map(|c| format!("chr({})", u32::from(c)));
    format!(
        "SELECT {} AS cell",
        characters.collect::<Vec<_>>().join(" || ")
    )
}

#[test]
fn rows_are_shown_escaped_and_stay_what_they_are_for_programs() {
    let dir = Dir::new();
    let sql = evil_cell();
    for format in ["table", "markdown", "latex", "json"] {
        let query = or_skip!(query(&dir, &[&sql, "--format", format]));
        let said = query.succeed().stdout;
        assert_is_harmless(format, &said);
        let escape = match format {
            "json" => r"\u001b[31m",
            // A blank is in its place, since \u is an accent to LaTeX.
            "latex" => "{} [31m",
            _ => r"\u{1b}[31m",
        };
        assert!(said.contains(escape), "{format}: {said}");
        if format == "json" {
            let rows: Value = serde_json::from_str(&said).unwrap();
            assert_eq!(rows[0]["cell"], EVIL);
        }
    }
    let csv = query(&dir, &[&sql, "--format", "csv"]).unwrap();
    assert_eq!(csv.succeed().stdout, format!("cell\n{EVIL}\n"));
    let wrong = query(&dir, &[&format!("SELECT 1 FROM \"{EVIL}\"")]).unwrap();
    assert_is_harmless("what DuckDB says", &wrong.end_with(2).stderr);
}

#[test]
fn a_terminal_gets_csv_escaped_too() {
    let dir = Dir::new();
    or_skip!(query(&dir, &[]));
    let (sql, census) = (evil_cell(), dir.word("census"));
    let words = ["query", &sql, "--format", "csv", "--data", &census];
    let text = or_skip!(on_a_terminal(&words, &[]));
    assert_is_harmless("csv", &text);
    assert!(text.contains(r"\u{1b}[31m"), "{text}");
}

#[test]
fn verdicts_are_colored_on_a_terminal_and_nowhere_else() {
    let dir = Dir::new();
    let robots = dir.write("robots.txt", "User-agent: *\nDisallow: /a\n");
    let words = |url: &'static str| [robots.clone(), "--agent=x".into(), format!("--url={url}")];
    let plain = |words: &[String]| TestCommand::new(["check"]).words(words).succeed().stdout;
    for (url, word, color) in [("/a", "disallow", 31), ("/b", "allow", 32)] {
        let words = words(url);
        let colored = format!("verdict   \u{1b}[{color}m{word}\u{1b}[0m\n");
        let text = plain(&words);
        assert!(text.starts_with(&format!("verdict   {word}\n")), "{text}");
        assert!(!text.contains('\u{1b}'), "{text}");
        let always = TestCommand::new(["check", "--color", "always"]).words(&words);
        assert_eq!(
            always.succeed().stdout,
            text.replace(&format!("verdict   {word}\n"), &colored)
        );
        let mut words: Vec<_> = words.iter().map(String::as_str).collect();
        words.insert(0, "check");
        let shown = or_skip!(on_a_terminal(&words, &[]));
        assert!(shown.starts_with(&colored), "{shown:?}");
        let shown = on_a_terminal(&words, &[("NO_COLOR", "1")]).unwrap();
        assert_eq!(shown, text);
        words.extend(["--color", "never"]);
        assert_eq!(on_a_terminal(&words, &[]).unwrap(), text);
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
    assert!(colored.contains("\u{1b}[31mdisallow\u{1b}[0m"), "{colored}");
    let colors = ["\u{1b}[31m", "\u{1b}[32m", "\u{1b}[33m", "\u{1b}[0m"];
    let stripped = colors
        .iter()
        .fold(colored, |text, color| text.replace(color, ""));
    assert_eq!(stripped, plain);
    assert_is_harmless("plain", &plain);
    // The name of a dialect is that of its file.
    let dialect = dir.write(&format!("{EVIL}.toml"), "base = \"google\"\n");
    for words in [
        ["--dialect", &dialect, "--color", "never"],
        ["--dialect", &dialect, "--color", "always"],
    ] {
        let check = TestCommand::new(["check", &robots, "--agent", "a", "--url", &url]);
        let ran = check.words(&words).end();
        let shown = colors
            .iter()
            .fold(ran.stdout, |text, color| text.replace(color, ""));
        assert_is_harmless("dialect", &shown);
    }
}

#[test]
fn the_help_says_how_formulas_are_written() {
    let help = TestCommand::new(["query", "--help"]).succeed().stdout;
    let help: Vec<_> = help.split_whitespace().collect();
    let said = "begins with =, +, - or @ is a formula, so import all columns as text";
    assert!(help.join(" ").contains(said), "{help:?}");
    let dir = Dir::new();
    let sql = "SELECT '=1+1' AS a, '-x' AS b, '@y' AS c, '+z' AS d";
    if let Some(query) = query(&dir, &[sql, "--format", "csv"]) {
        assert_eq!(query.succeed().stdout, "a,b,c,d\n=1+1,-x,@y,+z\n");
    }
}
