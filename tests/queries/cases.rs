//! The cases of `testdata/queries/`: what queries return of crawls and pages that are written by
//! hand, so that a reader can count there.

use std::{fs, path::Path};

use serde::Deserialize;

use super::by_hand::{archives, by_hand, fetches};
use super::{crawls_of_shapes::folder, pages};
use crate::util::{Dir, TestCommand, answer, duckdb, lines, or_skip, package, run};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
    #[serde(default)]
    refusal: Vec<Refusal>,
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
struct Refusal {
    name: String,
    query: String,
    /// Variables.
    set: Vec<String>,
    /// Texts of the one sentence that is the answer.
    says: Vec<String>,
}

/// Asks a dataset what a file of cases asks; `needed` are words that a query needs on it.
fn assert_cases(file: &str, data: &Path, folder: &str, needed: impl Fn(&str) -> Vec<String>) {
    let path = package().join("tests/testdata/queries").join(file);
    let cases: Cases = toml::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let mut failures = Vec::new();
    for case in cases.case {
        let mut words = needed(&case.query);
        words.extend(case.words.iter().map(|word| word.replace("FOLDER", folder)));
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        let own = case.data.map(|name| Path::new(folder).join(name));
        let rows = or_skip!(answer(own.as_deref().unwrap_or(data), &case.query, &words));
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
        let data = ["--data", data.to_str().unwrap()];
        let ask = TestCommand::new(["query", &refusal.query]).words(&data);
        let set = |command: TestCommand, value: &String| command.words(&["--set", value]);
        println!("{}: {:?}", refusal.name, refusal.set);
        let says: Vec<_> = refusal.says.iter().map(String::as_str).collect();
        refusal.set.iter().fold(ask, set).refuse(&says);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_case_of_two_crawls_a_year_apart_holds() {
    let hands = by_hand();
    assert_cases("by-hand.toml", &hands.both(), &hands.path("."), |query| {
        hands.words(query)
    });
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
    or_skip!(duckdb());
    let ask = |data: &Path, set: &str| {
        TestCommand::new(["query", "compare-restriction-by-attribute", "--data"]).words(&[
            data.to_str().unwrap(),
            "--set",
            set,
        ])
    };
    let says = "but found country; it has category";
    ask(&dir.path("census"), "attribute=country")
        .refuse(&["expected the variable attribute", says]);
    let without = by_hand().both();
    ask(&without, "attribute=category").refuse(&["expected a dataset of a cohort"]);
}
