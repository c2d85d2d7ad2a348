//! The dialect `python` against Python's own `urllib.robotparser`, on thousands of files made up from what trips parsers, and on sample files.
//!
//! The standard library changed its semantics in 2026, so only the Python that the dialect follows is asked: 3.11. Without it the test says so
//! and passes.

use std::{
    fs,
    process::{Command, Stdio},
};

use crate::util::{Dir, TestCommand, files_below, package};

/// Files made up; each is asked four questions.
const FILES: &str = "4000";

/// Writes cases with the verdicts of the standard library: words are a seed, the number of files made up, and a folder of more files.
const PROGRAM: &str = include_str!("testdata/robotparser.py");

#[test]
fn python_agrees_with_its_own_parser() {
    let version = Command::new("python3").arg("--version").output();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let Ok(version) = version else {
        eprintln!("skipped: no python3");
        return;
    };
    if !version.starts_with("Python 3.11.") {
        eprintln!("skipped: {} is not Python 3.11", version.trim());
        return;
    }
    let dir = Dir::new();
    let program = dir.write("cases.py", PROGRAM);
    let samples = package().join("data-sample/robots");
    assert!(!files_below(&samples).is_empty());
    let output = Command::new("python3")
        .args([&program, "7", FILES, samples.to_str().unwrap()])
        .stderr(Stdio::inherit())
        .output()
        .unwrap();
    assert!(output.status.success());
    fs::write(dir.path("cases.jsonl"), &output.stdout).unwrap();
    let path = dir.word("cases.jsonl");
    let ran = TestCommand::new(["check", "--cases", &path]).end();
    let wrong: Vec<_> = ran
        .stdout
        .lines()
        .filter(|line| line.contains("\"ok\":false"))
        .take(20)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    for verdict in ["allow", "disallow", "undefined"] {
        let n = ran
            .stdout
            .matches(&format!("\"verdict\":\"{verdict}\""))
            .count();
        assert!(n > 100, "{verdict}: {n}");
    }
}
