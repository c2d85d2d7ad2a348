//! What the unit tests of this module share.

use std::collections::BTreeMap;

use super::{
    expect::UNEXPLAINED,
    found::{Direction, FoundCause, ReducedCase},
    side::CellAnswer,
};
use crate::robots::dialect::{Basis, Verdict};

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
        directions: BTreeMap::from([(Direction::DisallowToAllow, cells)]),
        captures: hosts,
        files: hosts,
        hosts,
        cells,
        weight: cells as f64,
        example: ReducedCase {
            body: b"User-agent: *\nDisallow: /a\n".to_vec(),
            agent: "GPTBot".to_owned(),
            url: "https://example.com/a".to_owned(),
            baseline: answer(Verdict::Disallow, Some(2)),
            candidate: answer(Verdict::Allow, None),
            is_minimal: true,
        },
    }
}
