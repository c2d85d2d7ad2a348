//! The session of the README is what the program prints.

use std::{
    env, fs,
    process::{Command, Stdio},
};

use crate::util::{Dir, TestCommand, ended, package};

/// Lines that the README leaves out.
const LEFT_OUT: &str = "[...]\n";
/// The folder of the dataset in the README.
const DATASET: &str = "target/sample";

/// Returns the commands of the session with what they print, in their order.
fn session() -> Vec<(String, String)> {
    let readme = fs::read_to_string(package().join("README.md")).unwrap();
    let blocks = readme.split("```console\n$ ").skip(1);
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
        assert!(
            index == 0 || at > 0,
            "{command}: nothing is left out before {part}"
        );
        rest = &rest[at + part.len()..];
    }
    assert!(rest.is_empty(), "{command}: {rest}");
}

#[test]
fn the_session_in_the_readme_is_what_the_program_prints() {
    let dir = Dir::new();
    std::os::unix::fs::symlink(package().join("data-sample"), dir.path("data-sample")).unwrap();
    let session = session();
    assert!(session.len() >= 3, "{session:#?}");
    assert!(session[0].0.starts_with("robocensus run "), "{session:#?}");
    for (command, printed) in session {
        let needs_duckdb = command.starts_with("robocensus query ");
        if needs_duckdb && env::var_os("ROBOCENSUS_DUCKDB").is_none() {
            eprintln!("skipped: no DuckDB for {command}");
            continue;
        }
        let program = env!("CARGO_BIN_EXE_robocensus");
        let line = command.replacen("robocensus", program, 1);
        let child = Command::new("sh")
            .args(["-c", &line])
            .current_dir(dir.path("."))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let ran = ended(child);
        // Two dialects differ.
        let code = i32::from(command.starts_with("robocensus compare "));
        assert_eq!(ran.code, code, "{command}: {}", ran.stderr);
        let (printed, stdout) = (stable(&printed), stable(&ran.stdout));
        assert_holds_in_order(&stdout, &printed, &command);
        assert!(dir.path(DATASET).exists());
    }
}

#[test]
fn the_parser_in_the_readme_answers_the_protocol_and_has_at_most_20_lines() {
    let dir = Dir::new();
    let readme = fs::read_to_string(package().join("README.md")).unwrap();
    let (_, script) = readme.split_once("```python\n").unwrap();
    let script = script.split("```").next().unwrap();
    assert!(script.lines().count() <= 20, "{script}");
    assert!(readme.contains("`--candidate 'exec:python3 my_parser.py'`"));
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

#[test]
fn the_readme_has_at_most_340_lines() {
    let readme = fs::read_to_string(package().join("README.md")).unwrap();
    let n_lines = readme.lines().count();
    assert!((100..=340).contains(&n_lines), "{n_lines}");
}
