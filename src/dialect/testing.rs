//! One question to one dialect, for the tests of this room.

use super::{Agent, Decision, PreparedPath, RuleSet, Selection, builtin};
use crate::robots::{RobotsTxt, parse};

/// Reads `body` under the built-in dialect called `name`.
pub(super) fn compile(name: &str, body: &[u8]) -> RuleSet {
    let spec = builtin(name).expect("the dialect is built in");
    let mut robots = RobotsTxt::new();
    parse(body, &mut robots);
    let mut rules = RuleSet::new();
    rules.compile(&spec, body, &robots);
    rules
}

/// Returns the groups that speak for a crawler with the tokens of `chain`.
pub(super) fn select(name: &str, body: &[u8], chain: &[&str]) -> Selection {
    let spec = builtin(name).expect("the dialect is built in");
    let mut selection = Selection::new();
    compile(name, body).select(&Agent::new(&spec, chain), &mut selection);
    selection
}

/// Returns the answer to `agent` about `url`.
pub(super) fn ask(name: &str, body: &[u8], agent: &str, url: &str) -> Decision {
    let spec = builtin(name).expect("the dialect is built in");
    let rules = compile(name, body);
    let mut selection = Selection::new();
    rules.select(&Agent::new(&spec, &[agent]), &mut selection);
    rules.decide(&selection, &PreparedPath::from_url(&spec, url.as_bytes()))
}
