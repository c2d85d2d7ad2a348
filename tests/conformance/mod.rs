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
};

use robocensus::robots::{
    check::{Case, Checker, VerdictCase, read_case},
    dialect::Dialect,
};

use crate::util::{assert_says, evidence, package, read, tally};

/// Rules of Google's parser and matcher beyond the standard, and of the standard in its words; each
/// has files in `quirks.py`.
const QUIRKS: &str = include_str!("quirks.txt");

fn assert_agrees(dialect: &str) {
    let wrong = disagreements(dialect, &recording(dialect));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn google_answers_as_its_original_did() {
    assert_agrees("google");
}

#[test]
fn python_answers_as_its_original_did() {
    assert_agrees("python");
}

/// A recording that is changed in one verdict, or in one line, no longer agrees.
#[test]
fn a_disagreement_is_found() {
    let right = r#"{"id":"a","robots":"user-agent: *\ndisallow: /a\n","queries":[{"agent":"x","url":"/a","expect":"disallow","line":2}]}"#;
    assert_eq!(disagreements("google", right).len(), 0);
    for (from, to) in [("disallow\",", "allow\","), ("\"line\":2", "\"line\":1")] {
        let wrong = disagreements("google", &right.replace(from, to));
        assert_eq!(wrong.len(), 1, "{to}");
        let body = r"user-agent: *\ndisallow: /a\n";
        for part in [body, "\"x\"", "\"/a\"", "disallow by line 2"] {
            assert_says(&wrong[0], part);
        }
    }
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
        let recorded: BTreeSet<_> = cases(&text)
            .filter_map(|case| Some(id(&case).strip_prefix("quirk/")?.to_owned()))
            .collect();
        let recorded: BTreeSet<_> = recorded
            .iter()
            .filter_map(|id| id.split('/').next())
            .collect();
        assert_eq!(recorded, QUIRKS.lines().collect(), "{name}");
    }
}

/// Returns the text of a recording: a case a line.
pub fn recording(dialect: &str) -> String {
    let path = package().join(format!("tests/conformance/{dialect}.jsonl.gz"));
    String::from_utf8(read(&path)).unwrap()
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

/// Returns a sentence for each query whose decision differs from the recording, 20 at most. Lines
/// are compared where they are recorded; 0 means none.
fn disagreements(dialect: &str, recording: &str) -> Vec<String> {
    let spec = Dialect::named(dialect).unwrap();
    let mut checker = Checker::new();
    let mut wrong = Vec::new();
    for case in cases(recording) {
        checker.parse(&case.body);
        checker.compile(&spec, &case.body);
        for query in &case.queries {
            let decision = evidence(&mut checker, &spec, &query.chain, &query.url).decision;
            let (verdict, line) = (decision.verdict.as_str(), decision.rule_line.unwrap_or(0));
            let expected = query.expect.as_deref().unwrap();
            if verdict == expected && query.line.is_none_or(|recorded| recorded == line) {
                continue;
            }
            let by = |verdict: &str, line: Option<u32>| match line {
                Some(line) => format!("{verdict} by line {line}"),
                None => verdict.to_owned(),
            };
            let chain: Vec<_> = query.chain.iter().map(|token| shown(token)).collect();
            wrong.push(format!(
                "{}: {}, but the original says {}\n  agent {}, URL {}\n  body {}",
                id(&case),
                by(verdict, Some(line)),
                by(expected, query.line),
                chain.join(", "),
                shown(&query.url),
                shown(&case.body)
            ));
        }
        if wrong.len() >= 20 {
            break;
        }
    }
    wrong
}

fn shown(bytes: &[u8]) -> String {
    format!("\"{}\"", bytes.escape_ascii())
}
