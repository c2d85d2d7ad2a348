//! Conformance of the dialects: the verdicts of the originals, the cases of `testdata/` and those
//! of the specifications, and dialects as files.
//!
//! `google.jsonl.gz` and `python.jsonl.gz` hold the verdicts of Google's C++ matcher and CPython's
//! `urllib.robotparser`; the README next to them describes how they were recorded.

mod definitions;
pub mod suite;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io::Read as _,
};

use flate2::read::GzDecoder;
use robocensus::robots::{
    check::{Case, Checker, VerdictCase, read_case},
    dialect::Dialect,
};

use crate::util::{evidence, files_below, package};

/// Rules of Google's parser and matcher beyond the standard, and of the standard in its words; each
/// has files in `quirks.py`.
const QUIRKS: &str = include_str!("quirks.txt");

/// The most bytes of the folder with the recordings.
const MOST_BYTES: u64 = 2 << 20;

#[test]
fn google_answers_as_its_original_did() {
    let text = recording("google");
    let wrong = disagreements("google", &text);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn python_answers_as_its_original_did() {
    let text = recording("python");
    let wrong = disagreements("python", &text);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A recording that is changed in one verdict, or in one line, no longer agrees.
#[test]
fn a_disagreement_is_found() {
    let right = r#"{"id":"a","robots":"user-agent: *\ndisallow: /a\n","queries":[{"agent":"x","url":"/a","expect":"disallow","line":2}]}"#;
    assert_eq!(disagreements("google", right).len(), 0);
    for (from, to) in [("disallow\",", "allow\","), ("\"line\":2", "\"line\":1")] {
        let wrong = disagreements("google", &right.replace(from, to));
        assert_eq!(wrong.len(), 1, "{to}");
        for part in [
            r"user-agent: *\ndisallow: /a\n",
            "\"x\"",
            "\"/a\"",
            "disallow by line 2",
        ] {
            assert!(wrong[0].contains(part), "{part} in {}", wrong[0]);
        }
    }
}

#[test]
fn the_recordings_are_large_and_have_every_answer() {
    let text = recording("google");
    let google = Tally::of(&text);
    assert!(google.n_queries >= 100_000, "{}", google.n_queries);
    assert_eq!(google.n_without_line, 0);
    assert!(google.n_decided >= 40_000, "{}", google.n_decided);
    assert!(google.lines.len() >= 40, "{:?}", google.lines);
    for verdict in ["allow", "disallow"] {
        assert!(google.verdicts[verdict] >= 20_000, "{:?}", google.verdicts);
    }
    for source in ["quirk", "sample", "robots", "fuzz", "random"] {
        assert!(google.sources[source] >= 500, "{:?}", google.sources);
    }
    let text = recording("python");
    let python = Tally::of(&text);
    assert!(python.n_queries >= 30_000, "{}", python.n_queries);
    for verdict in ["allow", "disallow", "undefined"] {
        assert!(python.verdicts[verdict] >= 3_000, "{:?}", python.verdicts);
    }
}

#[test]
fn the_readme_states_what_is_recorded() {
    let readme = fs::read_to_string(package().join("tests/conformance/README.md")).unwrap();
    let readme = readme.replace(',', "");
    for name in ["google", "python"] {
        let text = recording(name);
        let n_bodies = text.lines().count();
        let row = format!("| `{name}` | {n_bodies} | {} |", Tally::of(&text).n_queries);
        assert!(readme.contains(&row), "{row}");
    }
}

#[test]
fn every_quirk_is_recorded() {
    for name in ["google", "python"] {
        let text = recording(name);
        let recorded: BTreeSet<_> = cases(&text)
            .filter_map(|case| Some(id(&case).strip_prefix("quirk/")?.to_owned()))
            .map(|id| id.split('/').next().unwrap_or_default().to_owned())
            .collect();
        assert_eq!(
            recorded,
            QUIRKS.lines().map(str::to_owned).collect(),
            "{name}"
        );
    }
}

#[test]
fn the_recordings_are_small() {
    let files = files_below(&package().join("tests/conformance"));
    let sizes = files.iter().map(|path| fs::metadata(path).unwrap().len());
    let n_bytes: u64 = sizes.sum();
    assert!(n_bytes <= MOST_BYTES, "{n_bytes} bytes");
}

/// What a recording holds.
#[derive(Default)]
struct Tally {
    n_queries: usize,
    /// Queries of which the line is not known.
    n_without_line: usize,
    /// Queries that a line decided.
    n_decided: usize,
    lines: BTreeSet<u32>,
    verdicts: BTreeMap<String, usize>,
    /// Queries by where their body comes from: the first part of the case's id.
    sources: BTreeMap<String, usize>,
}

impl Tally {
    fn of(text: &str) -> Self {
        let mut tally = Self::default();
        for case in cases(text) {
            let source = id(&case).split('/').next().unwrap().to_owned();
            *tally.sources.entry(source).or_default() += case.queries.len();
            for query in &case.queries {
                tally.n_queries += 1;
                let verdict = query.expect.as_deref().unwrap().to_owned();
                *tally.verdicts.entry(verdict).or_default() += 1;
                match query.line {
                    None => tally.n_without_line += 1,
                    Some(0) => {}
                    Some(line) => {
                        tally.n_decided += 1;
                        tally.lines.insert(line);
                    }
                }
            }
        }
        tally
    }
}

/// Returns the text of a recording: a case a line.
pub fn recording(dialect: &str) -> String {
    let path = package().join(format!("tests/conformance/{dialect}.jsonl.gz"));
    let mut text = String::new();
    GzDecoder::new(File::open(path).unwrap())
        .read_to_string(&mut text)
        .unwrap();
    text
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
