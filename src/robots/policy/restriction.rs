//! Our own measure of how much is disallowed, by probing.

use super::{
    Assessor, Rules,
    probing::{Ends, effective},
};
use crate::{
    named::named,
    robots::dialect::{Rule, RuleKind, Selection},
};

named! {
    ALL
    /// How much of a site is disallowed for an agent.
    ///
    /// It is found by probes under the dialect: the path `/`, a path that is on no site, and one
    /// path for each rule of the agent's groups. Full: every probe is disallowed; none: no probe
    /// is; partial: the rest. A verdict `undefined` disallows nothing. Where the dialect allows
    /// `/robots.txt` whatever the rules, that path is no probe.
    ///
    /// A probe is a path as a crawler requests it (RFC 9112, 3.2.1), so it begins with `/`. That of
    /// a rule is one that its pattern matches, if it matches any: the pattern as the dialect reads
    /// it, with a `/` in front of a leading `*`, an `x` for each `*`, and nothing for a final `$`;
    /// without a final `$`, a word of no site follows, since such a rule matches all that begins
    /// so. A pattern that begins with neither `/` nor `*` and is taken as written matches no path,
    /// so its probe decides nothing.
    ///
    /// Once `/` and nowhere agree, only rules of the other kind can disagree with them, so only
    /// their probes are matched, up to a budget of a million comparisons.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Restriction {
        /// No probe is disallowed.
        None = "none",
        /// Some probes are disallowed, and some are not.
        Partial = "partial",
        /// Every probe is disallowed.
        Full = "full",
    }
}

impl Assessor {
    /// Returns how much the groups of a selection disallow, whose ends are known.
    pub(super) fn restriction(
        &mut self,
        rules: Rules<'_>,
        selection: &Selection,
        ends: Option<Ends>,
    ) -> Restriction {
        let Some(Ends { root, nowhere }) = ends else {
            return Restriction::None;
        };
        let (other, answer) = if root {
            (RuleKind::Allow, Restriction::Full)
        } else {
            (RuleKind::Disallow, Restriction::None)
        };
        let others = effective(rules, selection, other);
        if root != nowhere || self.finds(rules, selection, !root, others, append_probe) {
            return Restriction::Partial;
        }
        answer
    }
}

/// The text of a `*` in a probe. It is no hex digit, which might complete an escape with what is
/// before it.
const ANY: u8 = b'x';

/// What follows a pattern without a final `$`. It begins with a byte that is no hex digit, for the
/// same reason, and neither a letter nor a digit, before which a pattern may have to end. It has
/// no word, which a pattern such as `*path` might match.
const CONTINUATION: &[u8] = b"~zq54321";

/// Appends a path that the rule's pattern matches, if it matches any.
fn append_probe(rules: Rules<'_>, rule: &Rule, url: &mut Vec<u8>) {
    let mut pattern = rules.set.pattern(rule);
    if rule.has_anchor {
        pattern = &pattern[..pattern.len() - 1];
    }
    if pattern.first() != Some(&b'/') {
        url.push(b'/');
    }
    for &byte in pattern {
        match byte {
            b'*' if rule.has_wildcard => url.push(ANY),
            // In a URL the first begins a fragment, the second ends the text; a dialect that has
            // them in a pattern has decoded their escapes.
            b'#' => url.extend_from_slice(b"%23"),
            0 => url.extend_from_slice(b"%00"),
            byte => url.push(byte),
        }
    }
    if !rule.has_anchor {
        url.extend_from_slice(CONTINUATION);
    }
}
