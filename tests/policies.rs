//! The view `policies`: every definition on every case of `testdata/policies.toml`, and properties
//! of any file.

use std::{collections::HashMap, fs};

use robocensus::{
    Config, Progress,
    robots::dialect::{Dialect, NAMES},
};
use serde_json::Value;

use crate::util::{Census, Dir, Held, Table, answered, generated, package, response, sample};

/// What a case states, in the columns of the view; without a delay there is none.
const STATED: &str = "group_kind restriction class_dpi class_cc class_probe bias crawl_delay";

/// Runs the library on records with these dialects and returns the table.
fn policies(records: Vec<u8>, dialects: &[&str]) -> Table {
    let dir = Dir::new();
    let mut config = Config::new(dir.path("census"));
    let named = dialects.iter().map(|name| Dialect::named(name));
    config.dialects = named.collect::<Option<_>>().unwrap();
    let archive = Held::new("a.warc", records).source();
    robocensus::run(&config, &[archive], &Progress::default()).unwrap();
    Census(dir.path("census")).table("policies")
}

#[test]
fn every_case_holds_for_every_definition() {
    let text = fs::read_to_string(package().join("tests/testdata/policies.toml")).unwrap();
    let cases: Value = toml::from_str(&text).unwrap();
    let cases = cases["case"].as_array().unwrap();
    let records = cases.iter().enumerate().flat_map(|(index, case)| {
        let url = format!("https://case-{index}.example/robots.txt");
        response(&url, case["robots"].as_str().unwrap().replace("\\n", "\n"))
    });
    let policies = policies(records.collect(), &NAMES);
    let asked = policies.lines("url_host_name dialect agent").into_iter();
    let found: HashMap<_, _> = asked.zip(policies.lines(STATED)).collect();
    let mut wrong = Vec::new();
    for (index, case) in cases.iter().enumerate() {
        let text = |key| case.get(key).and_then(Value::as_str);
        let agent = text("agent").unwrap_or("GPTBot");
        let dialect = text("dialect").unwrap_or("google");
        let found = &found[&format!("case-{index}.example {dialect} {agent}")];
        let cell = |key| match case.get(key) {
            None => "-".to_owned(),
            Some(Value::String(text)) => text.clone(),
            Some(number) => number.to_string(),
        };
        let expected = STATED.split(' ').map(cell).collect::<Vec<_>>().join(" ");
        if *found != expected {
            wrong.push(format!("{}: {found}, expected {expected}", case["name"]));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn without_a_file_the_fetch_is_the_policy_and_no_study_has_a_class() {
    let answer = |host: &str, status: &str, field: &str| {
        let url = format!("https://{host}.example/robots.txt");
        let http = format!("HTTP/1.1 {status}\r\n{field}\r\nUser-agent: *\nDisallow: /\n");
        answered(&url, http)
    };
    let policies = policies(
        [
            answer("gone", "404 Not Found", ""),
            answer("down", "503 Unavailable", ""),
            answer(
                "moved",
                "301 Moved",
                "Location: https://other.example/robots.txt\r\n",
            ),
        ]
        .concat(),
        &["google"],
    );
    let columns = "url_host_name group_kind restriction bias class_dpi class_cc class_probe";
    let mut rows = policies.lines(columns);
    rows.dedup();
    let wanted = [
        "gone.example access none same - - -",
        "down.example access full same - - -",
        "moved.example access - - - - -",
    ];
    assert_eq!(rows, wanted);
}

#[test]
fn every_capture_has_a_row_for_every_agent_in_the_order_of_the_matrix() {
    let census = &generated().census;
    type Row = (i64, String, String, Option<String>);
    let columns = "capture_id dialect agent agent_category";
    let policies: Vec<Row> = census.table("policies").rows(columns);
    let captures = census.table("captures").all_ints("capture_id");
    let matrix = robocensus::robots::matrix::default_agents();
    assert_eq!(policies.len(), captures.len() * matrix.len());
    for (row, (id, dialect, name, category)) in policies.into_iter().enumerate() {
        let agent = &matrix[row % matrix.len()];
        assert_eq!(id, captures[row / matrix.len()]);
        assert_eq!(dialect, "google");
        assert_eq!(name, agent.name());
        assert_eq!(category, agent.category);
    }
}

#[test]
fn the_policies_of_a_dialect_are_those_of_a_run_with_that_dialect_alone() {
    let records = sample(300, 41);
    let of = |dialects: &[&str]| policies(records.clone(), dialects).rows_without(&[]);
    let dialects = ["rfc9309", "google", "baidu", "python"];
    let together = of(&dialects);
    let alone = dialects.map(|dialect| of(&[dialect]));
    // Capture by capture, then dialect by dialect, in the order of the run.
    let n_agents = robocensus::robots::matrix::default_agents().len();
    let n_captures = alone[0].len() / n_agents;
    assert_eq!(together.len(), n_captures * n_agents * dialects.len());
    let mut wanted = Vec::with_capacity(together.len());
    for capture in 0..n_captures {
        for rows in &alone {
            wanted.extend_from_slice(&rows[capture * n_agents..][..n_agents]);
        }
    }
    assert!(together == wanted);
    assert_ne!(alone[0], alone[1]);
}
