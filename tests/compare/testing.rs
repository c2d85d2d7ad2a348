//! What the unit tests of this module share.

use std::collections::BTreeMap;

use super::{
    config::{CompareConfig, Comparison, FittedDialect},
    example::Example,
    expect::{AcceptedCauses, UNEXPLAINED},
    found::{Direction, FoundCause, Totals},
    side::{CellAnswer, SideConfig},
};
use crate::robots::dialect::{Basis, Dialect, Verdict};

/// Returns a cause with so many hosts and cells, all of them from disallow to allow.
pub fn found_cause(key: &str, hosts: u64, cells: u64) -> FoundCause {
    let changes = if key.starts_with(UNEXPLAINED) {
        Vec::new()
    } else {
        key.split(' ').map(str::to_owned).collect()
    };
    let answer = |verdict, line| CellAnswer {
        verdict: Some(verdict),
        basis: Some(Basis::Rule),
        line,
    };
    FoundCause {
        id: key.replace(['=', ' ', ':'], "-"),
        key: key.to_owned(),
        changes,
        fingerprints: (key.strip_prefix(UNEXPLAINED).map(str::to_owned).into_iter()).collect(),
        directions: BTreeMap::from([(Direction::DisallowToAllow, cells)]),
        stances: BTreeMap::new(),
        captures: hosts,
        files: hosts,
        hosts,
        cells,
        weight: cells as f64,
        example: Example {
            body: b"User-agent: *\nDisallow: /a\n".to_vec(),
            agent: "GPTBot".to_owned(),
            url: "https://example.com/a".to_owned(),
        },
        answers: [
            answer(Verdict::Disallow, Some(2)),
            answer(Verdict::Allow, None),
        ],
        is_minimal: true,
    }
}

/// Returns a comparison that found these causes.
pub fn comparison(sides: [&str; 2], causes: Vec<FoundCause>) -> Comparison {
    let flips = causes.iter().map(|cause| cause.cells).sum();
    let directions = BTreeMap::from([(Direction::DisallowToAllow, flips)]);
    Comparison {
        sides: sides.map(str::to_owned),
        reference: None,
        totals: Totals {
            files: 20,
            hosts: 30,
            cells: 4_000,
            queries: 4_000,
            flipping_files: 3,
            flipping_hosts: 9,
            directions: if flips > 0 {
                directions
            } else {
                BTreeMap::new()
            },
            ..Totals::default()
        },
        causes,
        faults: Vec::new(),
        usage: [None; 2],
        damaged: Vec::new(),
        fitted: FittedDialect {
            dialect: Dialect::GOOGLE.clone(),
            reproduced: 0,
            queries: 0,
        },
        seconds: 0.0,
    }
}

/// Returns the options of a comparison with this list of accepted causes.
pub fn config(list: Option<&str>) -> CompareConfig {
    let side = || SideConfig::Dialect(Box::new(Dialect::GOOGLE.clone()));
    let mut config = CompareConfig::new("out", side(), side());
    config.accepted = list.map(|list| AcceptedCauses::from_toml(list).unwrap());
    config
}
