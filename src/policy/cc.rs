//! The class of Common Crawl.
//!
//! Enters: the rules of an agent. Leaves: whether they are one of the few lists that mean all or nothing.

use super::Rules;
use crate::dialect::{RuleKind, Selection};

/// The class by equality of lists, after Common Crawl's experiments with its robotstxt archives (github.com/commoncrawl/robotstxt-experiments,
/// whose `robotstxt_statistics.py` extracts, for each agent, the sorted list of its allow and disallow values).
///
/// The lists are compared as they are, so a rule said twice is another list, and so is `/*` for `/`. Nothing is matched. Lines that are neither
/// allow nor disallow do not count and end no group there, as in RFC 9309.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClassCc {
    /// The one rule is `Disallow: /`.
    DisallowAll,
    /// Any other list.
    AllowPart,
    /// There is no rule, or the one rule is an empty disallow or `Allow: /`.
    AllowAll,
}

super::names! {
    ClassCc {
        DisallowAll "disallow-all";
        AllowPart "allow-part";
        AllowAll "allow-all";
    }
}

impl ClassCc {
    /// Returns the class of the rules that count for an agent.
    pub(super) fn of(rules: Rules<'_>, selection: &Selection) -> Self {
        let mut own = rules.of(selection);
        let (first, second) = (own.next(), own.next());
        let Some(first) = first else {
            return Self::AllowAll;
        };
        match (first.kind, first.value.of(rules.body), second) {
            (RuleKind::Disallow, b"/", None) => Self::DisallowAll,
            (RuleKind::Disallow, b"", None) | (RuleKind::Allow, b"/", None) => Self::AllowAll,
            _ => Self::AllowPart,
        }
    }
}
