//! The sessions of the README and of `docs/` are what the program prints.

use std::{fs, os::unix::fs::symlink};

use super::shell;
use crate::util::{Dir, Ran, TestCommand, assert_begins, duckdb, package, pages};

/// Lines that a page leaves out.
const LEFT_OUT: &str = "[...]\n";
/// The folder of the dataset in the README.
const DATASET: &str = "target/sample";

/// Returns the commands of all sessions with what they print: those of the README first, which
/// makes the dataset.
fn sessions() -> Vec<(String, String)> {
    let text: String = (pages().into_iter().rev()).map(|(_, text)| text).collect();
    let blocks = text.split("```console\n$ ").skip(1);
    let blocks = blocks.map(|block| {
        let block = block.split("```").next().unwrap();
        let (first, mut rest) = block.split_once('\n').unwrap();
        let mut command = first.to_owned();
        while let Some((line, next)) = rest
            .strip_prefix("> ")
            .and_then(|rest| rest.split_once('\n'))
        {
            command = format!("{command}\n{line}");
            rest = next;
        }
        (command, rest.to_owned())
    });
    blocks.collect()
}

/// Runs a command of a page where it finds `data-sample/`; `None` where there is no DuckDB for it.
fn run_in(dir: &Dir, command: &str) -> Option<Ran> {
    if command.starts_with("robocensus query ") {
        duckdb()?;
    }
    let ran = shell(dir, command);
    // Two dialects differ.
    let code = i32::from(command.starts_with("robocensus compare "));
    assert_eq!(ran.code, code, "{command}: {}", ran.stderr);
    Some(ran)
}

/// Returns a folder in which the commands of the pages can run.
fn beside_the_sample() -> Dir {
    let dir = Dir::new();
    symlink(package().join("data-sample"), dir.path("data-sample")).unwrap();
    dir
}

/// Returns a text without size and seconds of the last line of a summary, which depend on libraries
/// and on the machine.
fn stable(text: &str) -> String {
    let lines = text
        .lines()
        .map(|line| match line.split_once(" in target/sample: ") {
            Some((_, counts)) => counts.split(';').next().unwrap_or_default(),
            None => line,
        });
    lines.map(|line| format!("{line}\n")).collect()
}

/// Asserts that an output has the lines of the README in their order, and others only where it
/// leaves them out.
fn assert_holds_in_order(stdout: &str, printed: &str, command: &str) {
    let parts: Vec<_> = printed.split(LEFT_OUT).collect();
    let mut rest = stdout;
    for (index, part) in parts.iter().enumerate() {
        let at = match index {
            0 => rest.starts_with(part).then_some(0),
            _ if index == parts.len() - 1 => rest.ends_with(part).then(|| rest.len() - part.len()),
            _ => rest.find(part),
        };
        let at = at.unwrap_or_else(|| panic!("{command}: expected {part}in {stdout}"));
        let is_left_out = index == 0 || at > 0;
        assert!(is_left_out, "{command}: nothing is left out before {part}");
        rest = &rest[at + part.len()..];
    }
    assert!(rest.is_empty(), "{command}: {rest}");
}

#[test]
fn the_sessions_of_the_pages_are_what_the_program_prints() {
    let dir = beside_the_sample();
    let sessions = sessions();
    assert!(sessions.len() >= 3, "{sessions:#?}");
    assert_begins(&sessions[0].0, "robocensus run ");
    for (command, printed) in sessions {
        let Some(ran) = run_in(&dir, &command) else {
            continue;
        };
        let (printed, stdout) = (stable(&printed), stable(&ran.stdout));
        assert_holds_in_order(&stdout, &printed, &command);
        assert!(dir.path(DATASET).exists());
    }
}

/// `make readme` draws it again.
#[test]
fn the_chart_of_the_readme_is_that_of_the_command_above_it() {
    let readme = fs::read_to_string(package().join("README.md")).unwrap();
    let (_, rest) = readme.split_once("<!-- robocensus query ").unwrap();
    let (words, rest) = rest.split_once(" -->\n").unwrap();
    let file = "docs/chart.svg";
    assert!(words.ends_with(file) && rest.starts_with("![") && rest.contains(file));
    let drawn = fs::read_to_string(package().join(file)).unwrap();
    roxmltree::Document::parse(&drawn).unwrap();
    let dir = beside_the_sample();
    fs::create_dir(dir.path("docs")).unwrap();
    let (make, _) = sessions().swap_remove(0);
    run_in(&dir, &make);
    if run_in(&dir, &format!("robocensus query {words}")).is_some() {
        assert_eq!(fs::read_to_string(dir.path(file)).unwrap(), drawn);
    }
}

#[test]
fn the_parser_of_the_page_answers_the_protocol_and_has_at_most_20_lines() {
    let dir = Dir::new();
    let page = fs::read_to_string(package().join("docs/comparing-parsers.md")).unwrap();
    let (_, script) = page.split_once("```python\n").unwrap();
    let script = script.split("```").next().unwrap();
    assert!(script.lines().count() <= 20, "{script}");
    assert!(page.contains("`--candidate 'exec:python3 my_parser.py'`"));
    let path = dir.write("my_parser.py", script);
    let robots = package().join("data-sample/archives");
    let side = format!("exec:python3 {path}");
    let out = dir.word("flips");
    let ran = TestCommand::line("compare --timeout 20s --quiet")
        .words(&["--baseline", &side, "--candidate", &side, "--out", &out])
        .words(&[robots.to_str().unwrap()])
        .end();
    assert_eq!((ran.code, &*ran.stderr), (0, ""), "{}", ran.stdout);
}
