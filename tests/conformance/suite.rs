//! The cases of `testdata/`, run on every dialect, and the published ones, where they are
//! available.
//!
//! A case states a verdict for every dialect: `expect`, and in `except` those with another one. So
//! no dialect is ever skipped, and none has a table of its own. `SUITE=word` runs the
//! cases whose name has the word.

use std::{borrow::Cow, collections::BTreeMap, env, fs};

use bstr::ByteVec;
use robocensus::robots::{
    check::Checker,
    dialect::{Dialect, NAMES},
};
use serde::{Deserialize, Deserializer};

use super::answered;
use crate::util::{evidence, package, shared};

/// One case.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SuiteCase {
    pub name: String,
    source: String,
    #[serde(deserialize_with = "unescaped")]
    pub robots: Vec<u8>,
    pub agent: String,
    pub url: String,
    expect: String,
    #[serde(default)]
    except: BTreeMap<String, String>,
}

/// Reads the bytes that a literal with `\n`, `\r`, `\t` and `\xHH` means.
fn unescaped<'de, D: Deserializer<'de>>(literal: D) -> Result<Vec<u8>, D::Error> {
    String::deserialize(literal).map(Vec::unescape_bytes)
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
        assert!(!case.source.is_empty(), "{}", case.name);
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
        let n = answered(&path);
        assert!(n >= least, "{name}: {n}");
    }
}

pub(crate) fn cases() -> Vec<SuiteCase> {
    let themes = ["groups", "agents", "patterns", "percent", "lines"];
    let cases = themes.map(|theme| {
        let path = package().join(format!("tests/testdata/{theme}.toml"));
        let text = fs::read_to_string(path).unwrap();
        let table: BTreeMap<String, Vec<SuiteCase>> = toml::from_str(&text).unwrap();
        table.into_values().flatten().collect::<Vec<_>>()
    });
    cases.into_iter().flatten().collect()
}
