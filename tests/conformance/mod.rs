//! Conformance of the dialects: the verdicts of the originals, the cases of `testdata/` and those
//! of the specifications, and dialects as files.
//!
//! `google.jsonl.gz` and `python.jsonl.gz` hold the verdicts of Google's C++ matcher and CPython's
//! `urllib.robotparser`; the README next to them describes how they were recorded.

mod definitions;
pub mod suite;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use robocensus::robots::check::{Case, VerdictCase, read_case};
use serde_json::{Value, json};

use crate::util::{TestCommand, package, read, tally};

/// Rules of Google's parser and matcher beyond the standard, and of the standard in its words; each
/// has files in `quirks.py`.
const QUIRKS: &str = include_str!("quirks.txt");

/// Asserts that the program answers every query of a file as that expects, and returns how many
/// there are. It names those that it answers otherwise, and at the end how much it was asked.
fn answered(path: &Path) -> u64 {
    let words = [
        "check",
        "--only-failures",
        "--cases",
        path.to_str().unwrap(),
    ];
    let ran = TestCommand::new(words).end();
    let shown: Vec<_> = ran.stdout.lines().take(20).collect();
    assert_eq!(ran.code, 0, "{}{}", shown.join("\n"), ran.stderr);
    let total: Value = serde_json::from_str(&ran.stdout).unwrap();
    let n = &total["answers"];
    let wanted = json!({"answers": n, "failed": 0, "unchecked": 0, "invalid": 0});
    assert_eq!(total, wanted);
    n.as_u64().unwrap()
}

fn assert_agrees(dialect: &str) {
    let n_queries: usize = cases(&recording(dialect))
        .map(|case| case.queries.len())
        .sum();
    assert_eq!(answered(&path(dialect)), n_queries as u64);
}

#[test]
fn google_answers_as_its_original_did() {
    assert_agrees("google");
}

#[test]
fn python_answers_as_its_original_did() {
    assert_agrees("python");
}

#[test]
fn the_recordings_are_large_and_have_every_answer() {
    let text = recording("google");
    let google: Vec<_> = cases(&text).collect();
    // The line is known of every query; 0 is none.
    let lines = google.iter().flat_map(|case| &case.queries);
    let lines = tally(lines.map(|query| query.line.unwrap()));
    let n_queries: usize = lines.values().sum();
    assert!(n_queries >= 100_000, "{n_queries}");
    let n_decided = n_queries - lines[&0];
    assert!(n_decided >= 40_000 && lines.len() > 40, "{lines:?}");
    let found = verdicts(&google);
    for verdict in ["allow", "disallow"] {
        assert!(found[verdict] >= 20_000, "{found:?}");
    }
    for source in ["quirk", "sample", "robots", "fuzz", "random"] {
        let of_source = google
            .iter()
            .filter(|case| id(case).starts_with(&format!("{source}/")));
        let n = of_source.map(|case| case.queries.len()).sum::<usize>();
        assert!(n >= 500, "{source}: {n}");
    }
    let text = recording("python");
    let found = verdicts(&cases(&text).collect::<Vec<_>>());
    assert!(found.values().sum::<usize>() >= 30_000, "{found:?}");
    for verdict in ["allow", "disallow", "undefined"] {
        assert!(found[verdict] >= 3_000, "{found:?}");
    }
}

/// Returns how often each verdict is recorded.
fn verdicts(cases: &[VerdictCase<'_>]) -> BTreeMap<String, usize> {
    let queries = cases.iter().flat_map(|case| &case.queries);
    tally(queries.map(|query| query.expect.as_deref().unwrap().to_owned()))
}

#[test]
fn the_readme_states_what_is_recorded() {
    let readme = fs::read_to_string(package().join("tests/conformance/README.md")).unwrap();
    let readme = readme.replace(',', "");
    for name in ["google", "python"] {
        let text = recording(name);
        let n_bodies = text.lines().count();
        let n_queries: usize = cases(&text).map(|case| case.queries.len()).sum();
        let row = format!("| `{name}` | {n_bodies} | {n_queries} |");
        assert!(readme.contains(&row), "{row}");
    }
}

#[test]
fn every_quirk_is_recorded() {
    for name in ["google", "python"] {
        let text = recording(name);
        let ids: Vec<_> = cases(&text).map(|case| id(&case)).collect();
        let quirks = ids.iter().filter_map(|id| id.strip_prefix("quirk/"));
        let quirks = quirks.filter_map(|id| id.split('/').next());
        let recorded: BTreeSet<_> = quirks.collect();
        assert_eq!(recorded, QUIRKS.lines().collect(), "{name}");
    }
}

fn path(dialect: &str) -> PathBuf {
    package().join(format!("tests/conformance/{dialect}.jsonl.gz"))
}

/// Returns the text of a recording: a case a line.
pub fn recording(dialect: &str) -> String {
    String::from_utf8(read(&path(dialect))).unwrap()
}

pub fn cases(text: &str) -> impl Iterator<Item = VerdictCase<'_>> {
    text.lines().map(
        |line| match read_case(line.as_bytes(), &mut |key| panic!("{key}")) {
            Ok(Case::Verdict(case)) => case,
            other => panic!("{line}: {other:?}"),
        },
    )
}

fn id(case: &VerdictCase<'_>) -> String {
    serde_json::from_str(case.id.unwrap().get()).unwrap()
}
