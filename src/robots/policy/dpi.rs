//! The class of the Data Provenance Initiative: whether all, some or none of the site is
//! disallowed, by the text of the rules alone.

use super::Rules;
use crate::{
    named::named,
    robots::dialect::{RuleKind, Selection},
};

named! {
    ALL
    /// The class after Longpre et al., "Consent in Crisis" (2024): `interpret_agent` in
    /// `src/web_analysis/parse_robots.py` of
    /// github.com/Data-Provenance-Initiative/Data-Provenance-Collection.
    ///
    /// Values with a `?` are left out first. What is left is compared as text, so `/*` is not `/`,
    /// two empty disallows are "some", and an allow that changes no verdict still turns "all" into
    /// "some".
    ///
    /// Two things of the study's own parser are not imitated: it compares agents by the letter, and
    /// depending on its version a group never ends or ends at a user-agent line after a sitemap or
    /// crawl-delay line. Here the groups are those of the dialect.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum ClassDpi {
        /// A disallow is `/`, and there is no allow.
        All = "all",
        /// Any other disallow.
        Some = "some",
        /// There is no disallow, or one that is empty, or the disallows are the allows, value by
        /// value.
        None = "none",
    }
}

impl ClassDpi {
    /// Returns the class of the rules that count for an agent.
    pub(super) fn from_rules(rules: Rules<'_>, selection: &Selection) -> Self {
        let has_no_query = |value: &&[u8]| memchr::memchr(b'?', value).is_none();
        let disallows = rules
            .values(selection, RuleKind::Disallow)
            .filter(has_no_query);
        let allows = rules
            .values(selection, RuleKind::Allow)
            .filter(has_no_query);
        let is_nothing = disallows.clone().all(<[u8]>::is_empty) && disallows.clone().count() < 2;
        if is_nothing || disallows.clone().eq(allows.clone()) {
            Self::None
        } else if allows.clone().next().is_none() && disallows.clone().any(|value| value == b"/") {
            Self::All
        } else {
            Self::Some
        }
    }
}
