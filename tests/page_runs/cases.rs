//! The cases of `testdata/pages.toml` as pages of an archive: the statements and policies that the
//! tables have.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::Pages;
use crate::util::{Census, Dir, Table, run_into};

#[derive(Deserialize)]
struct Suite {
    case: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    page: String,
    #[serde(default)]
    fields: Vec<String>,
    agent: Option<String>,
    dialect: Option<String>,
    statements: Vec<String>,
    counts: Option<[i64; 5]>,
    policy: Vec<String>,
}

impl Case {
    fn agent(&self) -> &str {
        self.agent.as_deref().unwrap_or("anybot")
    }
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
    let suite = include_str!("../testdata/pages.toml");
    let cases = toml::from_str::<Suite>(suite).unwrap().case;
    let mut pages = Pages::default();
    let mut agents = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        let url = format!("http://case.example/{number}");
        let body = format!("<!doctype html>{}", case.page);
        pages.fetch(0, &url, 200, &case.fields, body);
        if !agents.contains(&case.agent()) {
            agents.push(case.agent());
        }
    }
    let dir = Dir::new();
    let archive = pages.write(&dir, "cases.warc");
    let list = dir.write("agents.txt", agents.join("\n"));
    let words = [&*archive, "--pages", "--agents", &list, "--quiet"];
    let census = Census(run_into(dir.path("census"), &words));
    let table = census.table("pages");
    let ids = table.all_ints("page_id");
    assert_eq!(ids.len(), cases.len());
    let counts: Vec<[i64; 4]> =
        table.rows("link_count nofollow_link_count ugc_link_count sponsored_link_count");
    let mut statements = statements(&census.table("page_directives"));
    let mut policies = policies(&census.table("page_policies"));
    for (row, case) in cases.iter().enumerate() {
        let name = &case.name;
        let found = statements.remove(&ids[row]).unwrap_or_default();
        assert_eq!(found, case.statements, "{name}");
        if let Some(expected) = case.counts {
            assert_eq!(counts[row], expected[..4], "{name}");
        }
        let agent = case.agent().split(',').next().unwrap();
        let dialect = case.dialect.as_deref().unwrap_or("google");
        let key = (ids[row], dialect.to_owned(), agent.to_owned());
        let found = policies.remove(&key).unwrap_or_default();
        // Pages without a statement on themselves have no rows.
        assert!(found.is_empty() || table.all_bools("has_policy")[row]);
        assert_eq!(found, case.policy, "{name}");
    }
    assert!(statements.is_empty() && cases.len() > 40);
}
