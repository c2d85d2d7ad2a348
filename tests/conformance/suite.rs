//! The cases of `testdata/`, run on every dialect, and the published ones, where they are
//! available.
//!
//! A case states a verdict for every dialect: `expect`, and in `except` those with another one. So
//! no dialect is ever skipped, and none has a table of its own. `SUITE=word` runs the
//! cases whose name has the word.

use std::{borrow::Cow, collections::BTreeMap, env, fs};

use robocensus::robots::{
    check::Checker,
    dialect::{Dialect, NAMES},
};
use serde_json::Value;

use crate::util::{TestCommand, evidence, package, shared};

/// One case.
pub(crate) struct SuiteCase {
    pub name: String,
    pub robots: Vec<u8>,
    pub agent: String,
    pub url: String,
    expect: String,
    except: BTreeMap<String, String>,
}

#[test]
fn every_case_holds_in_every_dialect() {
    let filter = env::var("SUITE").unwrap_or_default();
    let mut checker = Checker::new();
    let mut wrong = Vec::new();
    let mut n_asked = 0;
    for case in cases().iter().filter(|case| case.name.contains(&filter)) {
        for name in NAMES {
            let spec = Dialect::named(name).unwrap();
            checker.parse(&case.robots);
            checker.compile(&spec, &case.robots);
            let chain = [Cow::Borrowed(case.agent.as_bytes())];
            let found = evidence(&mut checker, &spec, &chain, case.url.as_bytes());
            let found = found.decision.verdict.as_str();
            let expected = case.except.get(name).unwrap_or(&case.expect);
            if found != expected {
                wrong.push(format!("{}: {name}: {found}, not {expected}", case.name));
            }
            n_asked += 1;
        }
        for (dialect, verdict) in &case.except {
            let is_one = NAMES.contains(&&**dialect) && *verdict != case.expect;
            assert!(is_one, "{}: {dialect} is no exception", case.name);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let is_whole = n_asked >= 55 * NAMES.len();
    assert!(is_whole || !filter.is_empty(), "{n_asked}");
}

#[test]
fn the_published_cases_hold() {
    for (name, least) in [
        ("verdicts.jsonl", 366),
        ("scope.jsonl", 35),
        ("access.jsonl", 74),
        ("google-suite.jsonl", 145),
        ("python-suite.jsonl", 54),
        ("google-real.jsonl.gz", 80_324),
    ] {
        let Some(path) = shared(&format!("cases/{name}")) else {
            continue;
        };
        let ran = TestCommand::new(["check", "--cases", path.to_str().unwrap()]).succeed();
        let mut n_ok = 0;
        for line in ran.stdout.lines() {
            let answer: Value = serde_json::from_str(line).unwrap();
            assert_eq!(answer["ok"], true, "{line}");
            n_ok += 1;
        }
        assert!(n_ok >= least, "{name}: {n_ok}");
    }
}

pub(crate) fn cases() -> Vec<SuiteCase> {
    let mut cases = Vec::new();
    for theme in ["groups", "agents", "patterns", "percent", "lines"] {
        let path = package().join(format!("tests/testdata/{theme}.toml"));
        let text = fs::read_to_string(&path).unwrap();
        let table: toml::Table = text.parse().unwrap();
        for case in table["case"].as_array().unwrap() {
            let text = |key: &str| case[key].as_str().unwrap().to_owned();
            let except = case.get("except").and_then(toml::Value::as_table);
            let except = except.into_iter().flatten();
            let except = except.map(|(dialect, verdict)| (dialect.clone(), verdict.as_str()));
            assert!(!text("source").is_empty());
            cases.push(SuiteCase {
                name: text("name"),
                robots: unescape(&text("robots")),
                agent: text("agent"),
                url: text("url"),
                expect: text("expect"),
                except: except
                    .map(|(dialect, verdict)| (dialect, verdict.unwrap().to_owned()))
                    .collect(),
            });
        }
    }
    cases
}

/// Returns the bytes that a literal with `\n`, `\r`, `\t` and `\xHH` means.
fn unescape(literal: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = literal.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match rest.next() {
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'x') => {
                let digits = [rest.next().unwrap(), rest.next().unwrap()];
                u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap()
            }
            other => panic!("{literal}: {other:?}"),
        });
    }
    bytes
}
