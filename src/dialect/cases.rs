//! The published examples and recorded verdicts, where they are at hand.
//!
//! Enters: files of cases that stand beside the package and not in it. Leaves: nothing; without
//! them each test says so and passes.

use std::{
    fs::File,
    io::{BufRead, BufReader, Read},
    path::Path,
};

use serde_json::Value;

use super::*;
use crate::robots::{RobotsTxt, parse};

/// Opens a file of cases, through gzip if its name says so.
fn lines(name: &str) -> Option<impl Iterator<Item = Value>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../shared/cases")
        .join(name);
    let Ok(file) = File::open(&path) else {
        eprintln!("skipped: no {}", path.display());
        return None;
    };
    let reader: Box<dyn Read> = match name.ends_with(".gz") {
        true => Box::new(flate2::read::MultiGzDecoder::new(file)),
        false => Box::new(file),
    };
    let lines = BufReader::new(reader).lines();
    Some(lines.map(|line| {
        let line = line.expect("the file can be read");
        serde_json::from_str(&line).expect("a line is one JSON value")
    }))
}

fn text<'v>(case: &'v Value, name: &str) -> &'v str {
    case[name].as_str().expect("the case has this text")
}

fn body(case: &Value) -> Vec<u8> {
    match case["robots"].as_str() {
        Some(robots) => robots.as_bytes().to_vec(),
        None => base64(text(case, "robots_b64")),
    }
}

fn base64(text: &str) -> Vec<u8> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u8> = text
        .bytes()
        .filter(|&byte| byte != b'=')
        .map(digit)
        .collect();
    let mut bytes = Vec::new();
    for chunk in digits.chunks(4) {
        let bits = chunk
            .iter()
            .fold(0u32, |bits, &digit| bits << 6 | u32::from(digit));
        let bits = bits << (6 * (4 - chunk.len()));
        bytes.extend_from_slice(&bits.to_be_bytes()[1..chunk.len()]);
    }
    bytes
}

/// Asks every case of a file and returns how many there were.
fn ask_all(name: &str) -> Option<usize> {
    let mut robots = RobotsTxt::new();
    let mut rules = RuleSet::new();
    let mut selection = Selection::new();
    let mut wrong = Vec::new();
    let mut count = 0;
    for case in lines(name)? {
        count += 1;
        let spec = builtin(text(&case, "dialect")).expect("the dialect is built in");
        let body = body(&case);
        parse(&body, &mut robots);
        rules.compile(&spec, &body, &robots);
        rules.select(&Agent::new(&spec, &[text(&case, "agent")]), &mut selection);
        let path = PreparedPath::from_url(&spec, text(&case, "url").as_bytes());
        let found = rules.decide(&selection, &path).verdict.as_str();
        if found != text(&case, "expect") {
            wrong.push(format!("{}: found {found}", text(&case, "id")));
        }
    }
    assert!(wrong.is_empty(), "{} of {count}: {wrong:#?}", wrong.len());
    Some(count)
}

#[test]
fn every_example_of_the_specifications_holds() {
    assert!(ask_all("verdicts.jsonl").is_none_or(|count| count >= 366));
}

#[test]
fn google_suite_holds() {
    assert!(ask_all("google-suite.jsonl").is_none_or(|count| count >= 145));
}

#[test]
fn python_suite_holds() {
    assert!(ask_all("python-suite.jsonl").is_none_or(|count| count >= 54));
}

#[test]
fn google_verdicts_and_lines_hold_on_real_files() {
    let Some(cases) = lines("google-real.jsonl.gz") else {
        return;
    };
    let spec = builtin("google").expect("the dialect is built in");
    let mut robots = RobotsTxt::new();
    let mut rules = RuleSet::new();
    let mut selection = Selection::new();
    let mut wrong = Vec::new();
    let mut count = 0;
    for case in cases {
        let body = body(&case);
        parse(&body, &mut robots);
        rules.compile(&spec, &body, &robots);
        for query in case["queries"].as_array().expect("a case has queries") {
            count += 1;
            let (agent, url) = (text(query, "agent"), text(query, "url"));
            rules.select(&Agent::new(&spec, &[agent]), &mut selection);
            let decision = rules.decide(&selection, &PreparedPath::from_url(&spec, url.as_bytes()));
            let found = (
                decision.verdict.as_str(),
                u64::from(decision.rule_line.unwrap_or(0)),
            );
            let expected = (
                text(query, "expect"),
                query["line"].as_u64().unwrap_or(u64::MAX),
            );
            if found != expected {
                let id = text(&case, "id");
                wrong.push(format!(
                    "{id} {agent} {url}: {found:?}, expected {expected:?}"
                ));
            }
        }
    }
    wrong.truncate(40);
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(count, 80_324);
}

#[test]
fn every_access_case_holds() {
    let Some(cases) = lines("access.jsonl") else {
        return;
    };
    for case in cases {
        let spec = builtin(text(&case, "dialect")).expect("the dialect is built in");
        let hops = case["redirect_hops"].as_u64().unwrap_or(0);
        let is_unlimited = spec.access.max_hops.is_none();
        let is_followed = is_unlimited || hops <= u64::from(spec.access.max_hops.unwrap_or(0));
        let outcome = match case.get("status") {
            _ if case["redirect_loop"] == true || !is_followed => FetchOutcome::TooManyHops,
            Some(Value::Null) => FetchOutcome::Unreachable,
            Some(status) => FetchOutcome::Status(status.as_u64().expect("a status") as u16),
            None => FetchOutcome::Status(302),
        };
        let found = spec.access.decide(outcome).as_str();
        assert_eq!(found, text(&case, "expect"), "{}", text(&case, "id"));
    }
}
