//! The class of Common Crawl: whether the rules are one of the few lists that mean all or nothing.

use super::Rules;
use crate::{
    named::named,
    robots::dialect::{RuleKind, Selection},
};

named! {
    ALL
    /// The class by equality of lists, after Common Crawl's experiments with its robotstxt archives
    /// (github.com/commoncrawl/robotstxt-experiments): `robotstxt_statistics.py` extracts, for each
    /// agent of a file, its allow and its disallow values, and `classify_robotstxt_rules` of the
    /// notebook `metrics-top-k-sample` compares them with six lists of one value or none.
    ///
    /// The lists are compared as they are, so a rule that occurs twice is another list, and so is
    /// `Disallow: /*` for `Disallow: /`. Nothing is matched.
    ///
    /// What of the experiments is not imitated, because the groups here are those of the dialect:
    ///
    /// - After the first rule of a file their parser lets every user-agent line replace those
    ///   before it, so of several in a row only the last gets the rules, except in the first group.
    ///   Here all do.
    /// - They compare whole values, in small letters, with the agents that are frequent, and have a
    ///   class only for agents that a file names: an agent that no group names has none, where here
    ///   that of the group of `*` counts. An agent that is named without a rule has none either;
    ///   here nothing is disallowed for it, which is `AllowAll`.
    /// - A blank line ends nothing, a byte order mark is cut, and keys are compared as wholes.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum ClassCc {
        /// The one rule is `Disallow: /`.
        DisallowAll = "disallow-all",
        /// Any other list.
        AllowPart = "allow-part",
        /// There is no rule, or the one rule is an empty disallow, an empty allow, or an allow of
        /// `/`, `*` or `/*`.
        AllowAll = "allow-all",
    }
}

impl ClassCc {
    /// Returns the class of the rules that count for an agent.
    pub(super) fn from_rules(rules: Rules<'_>, selection: &Selection) -> Self {
        let mut own = rules.of(selection);
        let (first, second) = (own.next(), own.next());
        let Some(first) = first else {
            return Self::AllowAll;
        };
        match (first.kind, first.value.of(rules.body), second) {
            (RuleKind::Disallow, b"/", None) => Self::DisallowAll,
            (RuleKind::Disallow, b"", None)
            | (RuleKind::Allow, b"" | b"/" | b"*" | b"/*", None) => Self::AllowAll,
            _ => Self::AllowPart,
        }
    }
}
