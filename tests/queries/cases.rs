//! The cases of `testdata/queries/`: what queries return of crawls and pages that are written by
//! hand, so that a reader can count there.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde::Deserialize;

use super::{
    by_hand::{archives, by_hand, census, of_shapes},
    pages,
};
use crate::util::{Dir, Ran, TestCommand, answer, lines, or_skip, package, query, run_into};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    #[serde(default)]
    case: Vec<Case>,
    /// What is refused in one sentence.
    #[serde(default)]
    refusal: Vec<Message>,
    /// What is answered with notes, or without any.
    #[serde(default)]
    note: Vec<Message>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    query: String,
    /// Another dataset in FOLDER, in place of that of the file.
    data: Option<String>,
    /// Further words of the command line; FOLDER is that of the lists.
    #[serde(default)]
    words: Vec<String>,
    columns: String,
    rows: Vec<String>,
    /// Whether there may be other rows besides.
    #[serde(default)]
    among: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Message {
    name: String,
    query: String,
    /// Words of a run over the later of two crawls, which makes the dataset `made` in FOLDER.
    #[serde(default)]
    run: Vec<String>,
    /// Another dataset in FOLDER, in place of that of the file.
    data: Option<String>,
    /// Further words of the command line; FOLDER is that of the lists.
    #[serde(default)]
    words: Vec<String>,
    /// Texts that standard error has once each; without any, and without `lacks`, it is empty.
    #[serde(default)]
    says: Vec<String>,
    /// Texts that it does not have.
    #[serde(default)]
    lacks: Vec<String>,
}

impl Message {
    fn ask(&self, data: &Path, folder: &str) -> TestCommand {
        let words = in_folder(&self.words, folder);
        println!("{}: {} {words:?}", self.name, self.query);
        if !self.run.is_empty() {
            let run = [in_folder(&self.run, folder), vec!["--overwrite".to_owned()]];
            census(Path::new(folder).join("made"), &run.concat());
        }
        query(&asked(data, &self.data), &[&self.query]).words(&words)
    }
}

/// Returns words of a command line with the folder that they name.
fn in_folder(words: &[String], folder: &str) -> Vec<String> {
    let words = words.iter().map(|word| word.replace("FOLDER", folder));
    words.collect()
}

/// Returns the dataset that is asked: that of the file, or another one beside it.
fn asked(data: &Path, other: &Option<String>) -> PathBuf {
    let other = other.as_ref().map(|name| data.with_file_name(name));
    other.unwrap_or(data.to_owned())
}

/// Asks a dataset, beside which lists and other datasets may be, what a file of cases asks.
fn assert_cases(file: &str, data: &Path) {
    let folder = data.parent().unwrap().to_str().unwrap();
    let path = package().join("tests/testdata/queries").join(file);
    let cases: Cases = toml::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let mut failures = Vec::new();
    for case in cases.case {
        let words = in_folder(&case.words, folder);
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        let rows = or_skip!(answer(&asked(data, &case.data), &case.query, &words));
        let found = lines(&rows, &case.columns);
        let holds = if case.among {
            case.rows.iter().all(|row| found.contains(row))
        } else {
            found == case.rows
        };
        if !holds {
            let (name, wanted) = (case.name, case.rows);
            failures.push(format!("{name}: expected {wanted:#?} in {found:#?}"));
        }
    }
    for refusal in cases.refusal {
        let says: Vec<_> = refusal.says.iter().map(String::as_str).collect();
        or_skip!(refusal.ask(data, folder).end_in_duckdb()).assert_refused(&says);
    }
    for note in cases.note {
        let Ran { code, stderr, .. } = or_skip!(note.ask(data, folder).end_in_duckdb());
        let is_note = |line: &str| line.starts_with("robocensus: note: ");
        assert!(code == 0 && stderr.lines().all(is_note), "{stderr}");
        for text in &note.says {
            assert_eq!(stderr.matches(text).count(), 1, "{text}: {stderr}");
        }
        let has_other = note.lacks.iter().any(|text| stderr.contains(text));
        let may_speak = !note.says.is_empty() || !note.lacks.is_empty();
        assert!(!has_other && (may_speak || stderr.is_empty()), "{stderr}");
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_case_of_two_crawls_a_year_apart_holds() {
    assert_cases("by-hand.toml", &by_hand().both());
}

#[test]
fn queries_of_two_crawls_are_refused_or_noted_as_stated() {
    assert_cases("messages.toml", &by_hand().both());
}

#[test]
fn every_case_of_a_cohort_that_is_fixed_holds() {
    let dir = Dir::new();
    let archives = archives(&dir.path(""), "cohort", "2025-05 2026-05 2026-20");
    run_into(dir.path("three"), &archives);
    let of_two = run_into(dir.path("two"), &archives[..2]);
    assert_cases("cohort.toml", &of_two);
}

#[test]
fn every_case_of_crawls_of_every_shape_holds() {
    assert_cases("shapes.toml", of_shapes());
}

#[test]
fn every_case_of_pages_holds() {
    assert_cases("pages.toml", pages::census());
}

#[test]
fn every_case_of_hosts_over_time_holds() {
    let dir = Dir::new();
    let crawls = "2023-23 2023-40 2023-50 2024-10 2024-22 2024-30";
    let archives = archives(&dir.path(""), "history", crawls);
    assert_cases("history.toml", &run_into(dir.path("census"), &archives));
}

#[test]
fn every_case_of_the_definitions_of_studies_holds() {
    let dir = Dir::new();
    let archives = archives(&dir.path(""), "studies", "2023-23 2023-50 2024-30");
    let cohort = ["--cohort".to_owned(), dir.word("cohort.csv")];
    let data = run_into(dir.path("census"), &[&archives[..], &cohort].concat());
    assert_cases("studies.toml", &data);
}
