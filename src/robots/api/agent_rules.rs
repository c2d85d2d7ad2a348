//! The rules of a file that count for one crawler.

use super::{GroupRef, RuleRef};
use crate::robots::dialect::{Decision, Dialect, PreparedPath, RuleSet, Selection, SelectionKind};

/// The rules of a file that apply to one crawler under one dialect, ready to decide about many
/// URLs.
///
/// [`Robots::rules_for`](super::Robots::rules_for) returns it.
#[derive(Clone, Debug)]
pub struct AgentRules<'r> {
    pub(super) body: &'r [u8],
    pub(super) dialect: &'r Dialect,
    pub(super) rules: &'r RuleSet,
    pub(super) selection: Selection,
}

impl<'r> AgentRules<'r> {
    /// Decides whether the crawler may fetch a URL, as [`Robots::decide`](super::Robots::decide)
    /// does.
    pub fn decide(&self, url: impl AsRef<[u8]>) -> Decision {
        let path = PreparedPath::from_url(self.dialect, url.as_ref());
        self.rules.decide(&self.selection, &path)
    }

    /// Returns the rules that match a URL, in the order of the file; the one that decides is among
    /// them.
    pub fn matching(&self, url: impl AsRef<[u8]>) -> Vec<RuleRef<'r>> {
        let rules = self.rules;
        let path = PreparedPath::from_url(self.dialect, url.as_ref());
        rules
            .matching(&self.selection, &path)
            .map(|rule| RuleRef::new(self.body, rules, rule))
            .collect()
    }

    /// Returns whether the groups name the crawler, or are for every crawler, or whether there
    /// are none.
    pub fn selected_by(&self) -> SelectionKind {
        self.selection.kind()
    }

    /// Returns the groups that apply to the crawler, in the order of the file.
    pub fn groups(&self) -> impl ExactSizeIterator<Item = GroupRef<'r>> {
        let groups = self.selection.groups().iter();
        groups.map(|&index| GroupRef::new(self.body, self.rules, index))
    }
}
