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
    let text = |name| table.all_texts(name);
    let [sources, places, agents, directives] =
        ["source", "place", "agent_token", "directive"].map(text);
    let (values, findings) = (table.texts("value_raw"), table.texts("finding"));
    let are_valid = table.all_bools("parse_ok");
    let mut pages = BTreeMap::<i64, Vec<String>>::new();
    for (row, page) in table.all_ints("page_id").into_iter().enumerate() {
        let mark = if are_valid[row] { "" } else { "!" };
        let (source, place) = (&sources[row], &places[row]);
        let (agent, directive) = (&agents[row], &directives[row]);
        let mut shown = format!("{mark}{source} {place} {agent} {directive}");
        for (sign, part) in [("=", &values[row]), (" ", &findings[row])] {
            if let Some(part) = part {
                shown = shown + sign + part;
            }
        }
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
    let cases: Vec<_> = suite["case"]
        .as_array()
        .unwrap()
        .iter()
        .map(|case| case.as_table().unwrap())
        .collect();
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
    let counts = [
        "link_count",
        "nofollow_link_count",
        "ugc_link_count",
        "sponsored_link_count",
    ]
    .map(|name| table.all_ints(name));
    let mut statements = statements(&census.table("page_directives"));
    let mut policies = policies(&census.table("page_policies"));
    for (row, case) in cases.iter().enumerate() {
        let name = text(case, "name", "");
        let found = statements.remove(&ids[row]).unwrap_or_default();
        assert_eq!(found, texts(case, "statements"), "{name}");
        if let Some(expected) = case.get("counts").and_then(toml::Value::as_array) {
            let found = counts
                .each_ref()
                .map(|column| toml::Value::Integer(column[row]));
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
