//! Our own measure of how much is forbidden.
//!
//! Enters: rules and a selection. Leaves: none, partial or full, by probing.

use super::{
    Assessor, Rules,
    probing::{self, Ends, effective},
};
use crate::dialect::{Rule, RuleKind, Selection};

/// How much of a site is forbidden to an agent.
///
/// It is found by asking the dialect about probes: the path `/`, a path that stands nowhere, and one path for each rule of the agent's groups. A
/// rule's path is its pattern with `0` for each `*`; behind a pattern that ends in `$` nothing is added, behind any other a word that stands
/// nowhere, since such a rule speaks of all that begins so. Full: every probe is forbidden; none: no probe is; partial: the rest. A verdict
/// `undefined` forbids nothing.
///
/// Once `/` and nowhere agree, only rules of the other kind can disagree with them, so only their probes are asked, up to
/// a budget of a million comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Restriction {
    /// No probe is forbidden.
    None,
    /// Some probes are forbidden, and some are not.
    Partial,
    /// Every probe is forbidden.
    Full,
}

super::names! {
    Restriction {
        None "none";
        Partial "partial";
        Full "full";
    }
}

impl Assessor {
    /// Returns how much the groups of a selection forbid, whose ends are known.
    pub(super) fn restriction(
        &mut self,
        rules: Rules<'_>,
        selection: &Selection,
        ends: Option<Ends>,
    ) -> Restriction {
        let Some(Ends { root, nowhere }) = ends else {
            return Restriction::None;
        };
        let (other, answer) = match root {
            true => (RuleKind::Allow, Restriction::Full),
            false => (RuleKind::Disallow, Restriction::None),
        };
        let others = effective(rules, selection, other);
        if root != nowhere || self.finds(rules, selection, !root, others, append_probe) {
            return Restriction::Partial;
        }
        answer
    }
}

/// Appends the path that stands for a rule.
fn append_probe(rules: Rules<'_>, rule: &Rule, url: &mut Vec<u8>) {
    let mut pattern = rules.set.pattern(rule);
    if rule.has_anchor {
        pattern = &pattern[..pattern.len() - 1];
    }
    url.extend(pattern.iter().map(|&byte| match byte {
        b'*' if rule.has_wildcard => b'0',
        byte => byte,
    }));
    if !rule.has_anchor {
        url.extend_from_slice(&probing::NOWHERE[1..]);
    }
}
