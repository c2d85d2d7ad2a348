//! The cases of `testdata/pages.toml` as pages of an archive: the statements and policies that the
//! tables have.

use std::collections::BTreeMap;

use super::Pages;
use crate::util::{Census, Dir, Table, TestCommand};

const CASES: &str = include_str!("../testdata/pages.toml");
fn text<'c>(case: &'c toml::Table, name: &str, default: &'c str) -> &'c str {
    case.get(name)
        .and_then(toml::Value::as_str)
        .unwrap_or(default)
}

fn texts<'c>(case: &'c toml::Table, name: &str) -> Vec<&'c str> {
    let items = case.get(name).and_then(toml::Value::as_array);
    items
        .into_iter()
        .flatten()
        .filter_map(toml::Value::as_str)
        .collect()
}

/// Returns the statements of each page, as the cases write them.
fn statements(table: &Table) -> BTreeMap<i64, Vec<String>> {
    type Row = (i64, bool, Option<String>, Option<String>);
    let mut pages = BTreeMap::<i64, Vec<String>>::new();
    let begins = table.lines("source place agent_token directive");
    let rows = table.rows::<Row>("page_id parse_ok value_raw finding");
    for (begin, (page, is_valid, value, finding)) in begins.into_iter().zip(rows) {
        let mark = if is_valid { "" } else { "!" };
        let value = value.map_or(String::new(), |value| format!("={value}"));
        let finding = finding.map_or(String::new(), |finding| format!(" {finding}"));
        let shown = format!("{mark}{begin}{value}{finding}");
        pages.entry(page).or_default().push(shown);
    }
    pages
}

/// Returns what each page states for each dialect and agent, as the cases write it.
fn policies(table: &Table) -> BTreeMap<(i64, String, String), Vec<String>> {
    type Row = (i64, String, String, String, String, i64);
    let mut policies = BTreeMap::<_, Vec<String>>::new();
    let columns = "page_id dialect agent directive value statement";
    for (page, dialect, agent, directive, value, number) in table.rows::<Row>(columns) {
        let answers = policies.entry((page, dialect, agent)).or_default();
        answers.push(format!("{directive}={value} {number}"));
    }
    policies
}

#[test]
fn run_pages_answers_every_case() {
    let suite: toml::Table = CASES.parse().unwrap();
    let cases = suite["case"].as_array().unwrap().iter();
    let cases: Vec<_> = cases.map(|case| case.as_table().unwrap()).collect();
    let mut pages = Pages::default();
    let mut agents = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        let url = format!("http://case.example/{number}");
        let body = format!("<!doctype html>{}", text(case, "page", ""));
        pages.fetch(0, &url, 200, &texts(case, "fields"), body);
        let agent = text(case, "agent", "anybot");
        if !agents.contains(&agent) {
            agents.push(agent);
        }
    }
    let dir = Dir::new();
    let archive = pages.write(&dir, "cases.warc");
    let list = dir.write("agents.txt", agents.join("\n"));
    let words = ["run", &archive, "--pages", "--agents", &list, "--quiet"];
    TestCommand::new(words)
        .words(&["--out", &dir.word("census")])
        .succeed();
    let census = Census(dir.path("census"));
    let table = census.table("pages");
    let ids = table.all_ints("page_id");
    assert_eq!(ids.len(), cases.len());
    let counts: Vec<[i64; 4]> =
        table.rows("link_count nofollow_link_count ugc_link_count sponsored_link_count");
    let mut statements = statements(&census.table("page_directives"));
    let mut policies = policies(&census.table("page_policies"));
    for (row, case) in cases.iter().enumerate() {
        let name = text(case, "name", "");
        let found = statements.remove(&ids[row]).unwrap_or_default();
        assert_eq!(found, texts(case, "statements"), "{name}");
        if let Some(expected) = case.get("counts").and_then(toml::Value::as_array) {
            let found = counts[row].map(toml::Value::Integer);
            assert_eq!(found, expected[..found.len()], "{name}");
        }
        let agent = text(case, "agent", "anybot").split(',').next().unwrap();
        let dialect = text(case, "dialect", "google");
        let key = (ids[row], dialect.to_owned(), agent.to_owned());
        let found = policies.remove(&key).unwrap_or_default();
        // Pages without a statement on themselves have no rows.
        assert!(found.is_empty() || table.all_bools("has_policy")[row]);
        assert_eq!(found, texts(case, "policy"), "{name}");
    }
    assert!(statements.is_empty() && cases.len() > 40);
}
