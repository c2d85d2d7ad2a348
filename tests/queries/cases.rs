//! The cases of `testdata/queries/`: what queries return of crawls and pages that are written by
//! hand, so that a reader can count there.

use std::{fs, path::Path};

use serde::Deserialize;

use super::by_hand::{archives, by_hand, fetches};
use super::{crawls_of_shapes::folder, pages};
use crate::util::{Dir, Ran, TestCommand, answer, lines, or_skip, package, query, run};

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
    /// Variables.
    #[serde(default)]
    set: Vec<String>,
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
        println!("{}: {} {:?}", self.name, self.query, self.set);
        let set = self.set.iter().map(|value| format!("--set={value}"));
        let words = self.words.iter().map(|word| word.replace("FOLDER", folder));
        query(data, &[&self.query]).words(&set.chain(words).collect::<Vec<_>>())
    }
}

/// Asks a dataset what a file of cases asks; `needed` are words that the query of a case needs on
/// it.
fn assert_cases(file: &str, data: &Path, folder: &str, needed: impl Fn(&str) -> Vec<&'static str>) {
    let path = package().join("tests/testdata/queries").join(file);
    let cases: Cases = toml::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let mut failures = Vec::new();
    for case in cases.case {
        let own = case.words.iter().map(|word| word.replace("FOLDER", folder));
        let own: Vec<_> = own.collect();
        let mut words = needed(&case.query);
        words.extend(own.iter().map(String::as_str));
        let other = case.data.map(|name| Path::new(folder).join(name));
        let data = other.as_deref().unwrap_or(data);
        let rows = or_skip!(answer(data, &case.query, &words));
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
    let hands = by_hand();
    let folder = hands.path(".");
    assert_cases("by-hand.toml", &hands.both(), &folder, |query| {
        hands.words(query)
    });
}

#[test]
fn queries_of_two_crawls_are_refused_or_noted_as_stated() {
    let hands = by_hand();
    assert_cases("messages.toml", &hands.both(), &hands.path("."), |_| vec![]);
}

#[test]
fn every_case_of_a_cohort_that_is_fixed_holds() {
    let dir = Dir::new();
    let crawls = ["CC-MAIN-2025-05", "CC-MAIN-2026-05", "CC-MAIN-2026-20"];
    let archives = archives(&dir.path(""), crawls, &fetches("cohort.jsonl"));
    for (name, archives) in [("two", &archives[..2]), ("three", &archives)] {
        run(archives).words(&["--out", &dir.word(name)]).succeed();
    }
    let names = "ONE.example\r\nnew-example.com\n\nabsent.example\n";
    dir.write("cohort.txt", names);
    assert_cases("cohort.toml", &dir.path("two"), &dir.word("."), |_| vec![]);
}

#[test]
fn every_case_of_crawls_of_every_shape_holds() {
    let folder = folder();
    let lists = folder.to_str().unwrap();
    assert_cases("shapes.toml", &folder.join("census"), lists, |_| Vec::new());
}

#[test]
fn every_case_of_pages_holds() {
    assert_cases("pages.toml", pages::census(), "", |_| Vec::new());
}

#[test]
fn every_case_of_hosts_over_time_holds() {
    let dir = Dir::new();
    let crawls = [
        "2023-23", "2023-40", "2023-50", "2024-10", "2024-22", "2024-30",
    ];
    let names = crawls.map(|week| format!("CC-MAIN-{week}"));
    let crawls = names.each_ref().map(String::as_str);
    let archives = archives(&dir.path(""), crawls, &fetches("history.jsonl"));
    run(&archives)
        .words(&["--out", &dir.word("census")])
        .succeed();
    let names = "absent.example\r\nALWAYS-example.com\n\npage-example.com\ndown-example.com\nerror-example.com\n";
    dir.write("cohort.txt", names);
    let folder = dir.word(".");
    assert_cases("history.toml", &dir.path("census"), &folder, |_| vec![]);
}

#[test]
fn every_case_of_the_definitions_of_studies_holds() {
    let dir = Dir::new();
    let crawls = ["CC-MAIN-2023-23", "CC-MAIN-2023-50", "CC-MAIN-2024-30"];
    let archives = archives(&dir.path(""), crawls, &fetches("studies.jsonl"));
    let cohort = "domain,category\ndaily-example.com,news\nweekly-example.org,news\nherald-example.com,news\nabsent-example.com,news\n\
         store-example.com,shop\nmall-example.com,shop\nblog-example.net,\n";
    let cohort = dir.write("cohort.csv", cohort);
    run(&archives)
        .words(&["--cohort", &cohort, "--out", &dir.word("census")])
        .succeed();
    assert_cases("studies.toml", &dir.path("census"), "", |_| vec![]);
}
