//! What the tests of this module share: one request to one dialect, and random files.

use super::{Agent, Decision, Dialect, PreparedPath, RuleSet, Selection};
use crate::{
    robots::lines::{RobotsTxt, parse},
    sample::random::Random,
};

/// Returns the built-in dialect called `name`.
pub(super) fn dialect(name: &str) -> Dialect {
    Dialect::named(name).expect("the dialect is built in")
}

/// Interprets `body` under the built-in dialect called `name`.
pub(super) fn compile(name: &str, body: &[u8]) -> RuleSet {
    let mut robots = RobotsTxt::new();
    parse(body, &mut robots);
    let mut rules = RuleSet::new();
    rules.compile(&dialect(name), body, &robots);
    rules
}

/// Returns the groups that apply to a crawler with the tokens of `chain`.
pub(super) fn select(name: &str, body: &[u8], chain: &[&str]) -> Selection {
    let mut selection = Selection::new();
    compile(name, body).select(&Agent::new(&dialect(name), chain), &mut selection);
    selection
}

/// Returns the decision about `agent` and `url`.
pub(super) fn decide(name: &str, body: &[u8], agent: &str, url: &str) -> Decision {
    let path = PreparedPath::from_url(&dialect(name), url.as_bytes());
    compile(name, body).decide(&select(name, body, &[agent]), &path)
}

/// Returns fewer than `n` pieces, joined: nine of ten are `words`, the others any byte.
pub(super) fn text(random: &mut Random, n: usize, words: &[&[u8]]) -> Vec<u8> {
    let n = random.below(n);
    let pieces = (0..n).map(|_| match random.below(10) {
        0 => vec![random.byte()],
        _ => random.pick(words).to_vec(),
    });
    pieces.collect::<Vec<_>>().concat()
}
