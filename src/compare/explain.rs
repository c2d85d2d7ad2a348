//! The cause of each flip: the smallest set of changes that gives the candidate's verdict.
//!
//! For each flip every single change that explains it is found; where none does, the smallest of
//! the sets that can be reached by dropping one change after the other, and then any pair. Over all
//! flips the changes are chosen greedily, the one that explains most flips first, so that a flip
//! that several changes would explain counts for the largest cause.
//!
//! Where the changes are fitted to an external parser, what explains a flip must hold in the whole
//! file: changes that give another verdict than both sides to another query explain nothing there.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{cause::Change, decider::Decider, query::Queries};
use crate::robots::dialect::{Dialect, Verdict};

/// What explains a flip; the default is nothing.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Explanation(u64);

/// Marks an explanation that is one set of changes, and not alternatives.
const SET: u64 = 1 << 63;

/// A set of changes, by their indexes.
pub(super) type ChangeSet = u64;

impl Explanation {
    /// Returns true if and only if nothing explains the flip.
    pub fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Returns true if and only if exactly this set explains the flip.
    pub(super) fn is_only(self, set: ChangeSet) -> bool {
        self.0
            == if set.count_ones() == 1 {
                set
            } else {
                set | SET
            }
    }

    /// Returns true if and only if this set is what explains the flip, or one of the changes that
    /// do.
    pub(super) fn allows(self, set: ChangeSet) -> bool {
        match set.count_ones() {
            1 => self.0 & SET == 0 && self.0 & set != 0,
            _ => self.is_only(set),
        }
    }

    /// Returns the set that explains the flip, or each of the changes that do.
    pub(super) fn sets(self) -> impl Iterator<Item = ChangeSet> {
        let is_set = self.0 & SET != 0;
        let set = is_set.then_some(self.0 & !SET);
        let singles = (0..63).map(|index| 1 << index);
        set.into_iter()
            .chain(singles.filter(move |single| !is_set && self.0 & single != 0))
    }
}

/// Queries about a file to which both sides give the same verdict.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Agreed {
    /// What was asked.
    pub queries: Queries,
    /// The verdicts, one for each of the queries.
    pub verdicts: Vec<Verdict>,
}

/// Finds explanations by the changes that turn one dialect into another.
#[derive(Debug)]
pub struct Explainer {
    pub(super) base: Dialect,
    changes: Vec<Change>,
    /// The base with one change each.
    singles: Vec<Dialect>,
    /// The base with all changes.
    pub(super) fitted: Dialect,
    /// Whether the base gives every verdict of the baseline.
    pub(super) is_exact: bool,
}

impl Explainer {
    /// Returns an explainer for the changes of a base, of which there are fewer than 63: a dialect
    /// has fewer choices. Unless the base `is_exact`, it only approximates the baseline, and a flip
    /// where it does not give the baseline's verdict is not explained.
    pub fn new(base: &Dialect, changes: Vec<Change>, is_exact: bool) -> Explainer {
        let with_one = |change| Change::apply_all(base, [change]);
        Explainer {
            base: base.clone(),
            singles: changes.iter().map(with_one).collect(),
            fitted: Change::apply_all(base, &changes),
            changes,
            is_exact,
        }
    }

    /// Returns the base with the changes of a set.
    pub(super) fn with(&self, set: ChangeSet) -> Dialect {
        Change::apply_all(&self.base, self.changes_of(set))
    }

    /// Returns the changes of a set, in the order of the choices.
    pub(super) fn changes_of(&self, set: ChangeSet) -> impl Iterator<Item = &Change> {
        let changes = self.changes.iter().enumerate();
        changes
            .filter(move |(index, _)| set >> index & 1 == 1)
            .map(|(_, change)| change)
    }

    /// Returns for each flip of a file what explains it and does not contradict what both sides
    /// agree on; `baseline` and `candidate` are the verdicts of the sides.
    pub fn explain(
        &self,
        decider: &mut Decider,
        body: &[u8],
        flips: &Queries,
        [baseline, candidate]: [&[Verdict]; 2],
        agreed: &Agreed,
    ) -> Vec<Explanation> {
        decider.parse(body);
        let doubtful = self.doubtful(decider, body, agreed);
        let is_contradicted = |decider: &mut Decider, dialect: &Dialect| {
            !doubtful.verdicts.is_empty()
                && decider.verdicts(dialect, body, &doubtful.queries) != doubtful.verdicts
        };
        let mut explanations = vec![0; flips.len()];
        let mut is_open = vec![true; flips.len()];
        if !self.is_exact {
            let of_base = decider.verdicts(&self.base, body, flips);
            for (is_open, (ours, theirs)) in is_open.iter_mut().zip(of_base.iter().zip(baseline)) {
                *is_open = ours == theirs;
            }
        }
        for (index, dialect) in self.singles.iter().enumerate() {
            let choice = self.changes[index].choice();
            if !decider.can_show(choice, [&self.base, dialect], flips) {
                continue;
            }
            let verdicts = decider.verdicts(dialect, body, flips);
            let explained = verdicts.into_iter().enumerate();
            let explained =
                explained.filter(|&(flip, verdict)| is_open[flip] && verdict == candidate[flip]);
            let explained: Vec<usize> = explained.map(|(flip, _)| flip).collect();
            if !explained.is_empty() && !is_contradicted(decider, dialect) {
                for flip in explained {
                    explanations[flip] |= 1 << index;
                }
            }
        }
        let rest = (0..flips.len()).filter(|&flip| is_open[flip] && explanations[flip] == 0);
        let rest: Vec<usize> = rest.collect();
        if self.changes.len() > 1 && !rest.is_empty() {
            let mut search = SetSearch {
                explainer: self,
                decider,
                body,
                flips,
                candidate,
            };
            for (set, flips) in search.minimal_sets(rest) {
                if is_contradicted(decider, &self.with(set)) {
                    continue;
                }
                for flip in flips {
                    explanations[flip] = set | SET;
                }
            }
        }
        explanations.into_iter().map(Explanation).collect()
    }

    /// Returns the queries that changes may contradict: those on which the base agrees with both
    /// sides, and the base with all changes does not.
    fn doubtful(&self, decider: &mut Decider, body: &[u8], agreed: &Agreed) -> Agreed {
        if agreed.verdicts.is_empty() {
            return Agreed::default();
        }
        let of_base = decider.verdicts(&self.base, body, &agreed.queries);
        let of_all = decider.verdicts(&self.fitted, body, &agreed.queries);
        let all = 0..agreed.verdicts.len();
        let verdict = |index: usize| agreed.verdicts[index];
        let doubtful = all
            .filter(|&index| of_base[index] == verdict(index) && of_all[index] != verdict(index));
        let doubtful: Vec<usize> = doubtful.collect();
        Agreed {
            queries: agreed.queries.subset(doubtful.iter().copied()),
            verdicts: doubtful.into_iter().map(verdict).collect(),
        }
    }
}

/// The search for sets that explain flips of one file that no single change explains.
struct SetSearch<'s> {
    explainer: &'s Explainer,
    decider: &'s mut Decider,
    body: &'s [u8],
    flips: &'s Queries,
    candidate: &'s [Verdict],
}

impl SetSearch<'_> {
    /// Returns small sets with the flips that they explain; flips that all changes together do not
    /// explain are absent.
    fn minimal_sets(&mut self, flips: Vec<usize>) -> BTreeMap<ChangeSet, Vec<usize>> {
        let n = self.explainer.changes.len();
        let all: ChangeSet = (1 << n) - 1;
        let mut sets = BTreeMap::new();
        let (explained, _) = self.split(all, flips);
        if !explained.is_empty() {
            sets.insert(all, explained);
        }
        for index in (0..n).rev() {
            let mut next: BTreeMap<ChangeSet, Vec<usize>> = BTreeMap::new();
            for (set, flips) in sets {
                let smaller = set & !(1 << index);
                let (explained, rest) = self.split(smaller, flips);
                for (set, flips) in [(smaller, explained), (set, rest)] {
                    if !flips.is_empty() {
                        next.entry(set).or_default().extend(flips);
                    }
                }
            }
            sets = next;
        }
        self.prefer_pairs(sets)
    }

    /// Replaces larger sets by pairs where a pair explains the flip too.
    fn prefer_pairs(
        &mut self,
        sets: BTreeMap<ChangeSet, Vec<usize>>,
    ) -> BTreeMap<ChangeSet, Vec<usize>> {
        let (mut sets, large): (BTreeMap<_, Vec<usize>>, BTreeMap<_, _>) =
            sets.into_iter().partition(|(set, _)| set.count_ones() <= 2);
        let n = self.explainer.changes.len();
        for (set, mut flips) in large {
            for (one, other) in (0..n).flat_map(|one| (0..one).map(move |other| (one, other))) {
                if flips.is_empty() {
                    break;
                }
                let pair = 1 << one | 1 << other;
                let (explained, rest) = self.split(pair, flips);
                if !explained.is_empty() {
                    sets.entry(pair).or_default().extend(explained);
                }
                flips = rest;
            }
            if !flips.is_empty() {
                sets.entry(set).or_default().extend(flips);
            }
        }
        sets
    }

    /// Splits flips into those that a set explains and the others.
    fn split(&mut self, set: ChangeSet, flips: Vec<usize>) -> (Vec<usize>, Vec<usize>) {
        let queries = self.flips.subset(flips.iter().copied());
        let dialect = self.explainer.with(set);
        let verdicts = self.decider.verdicts(&dialect, self.body, &queries);
        let (mut explained, mut rest) = (Vec::new(), Vec::new());
        for (verdict, flip) in verdicts.into_iter().zip(flips) {
            if verdict == self.candidate[flip] {
                explained.push(flip);
            } else {
                rest.push(flip);
            }
        }
        (explained, rest)
    }
}

/// The causes chosen over all flips.
#[derive(Debug, Default)]
pub(super) struct Cover {
    /// Single changes by their indexes, the one that explains most first.
    chosen: Vec<usize>,
}

impl Cover {
    /// Chooses causes for explanations, each with the number of its flips.
    pub(super) fn new(explanations: impl IntoIterator<Item = (Explanation, u64)>) -> Cover {
        let mut open: Vec<(u64, u64)> = explanations
            .into_iter()
            .filter(|(explanation, _)| !explanation.is_none() && explanation.0 & SET == 0)
            .map(|(explanation, n)| (explanation.0, n))
            .collect();
        let mut chosen = Vec::new();
        while !open.is_empty() {
            let explained = |index: usize| -> u64 {
                let of_change = open.iter().filter(|(mask, _)| mask >> index & 1 == 1);
                of_change.map(|(_, n)| n).sum()
            };
            // Of equal ones the first.
            let Some(best) = (0..63).rev().max_by_key(|&index| explained(index)) else {
                break;
            };
            chosen.push(best);
            open.retain(|(mask, _)| mask >> best & 1 == 0);
        }
        Cover { chosen }
    }

    /// Returns the cause of a flip; `None` where nothing explains it.
    pub(super) fn cause(&self, explanation: Explanation) -> Option<ChangeSet> {
        if explanation.0 & SET != 0 {
            return Some(explanation.0 & !SET);
        }
        let is_in = |&&index: &&usize| explanation.0 >> index & 1 == 1;
        self.chosen.iter().find(is_in).map(|index| 1 << index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(name: &str) -> Change {
        let changes = Change::all(&Dialect::GOOGLE);
        let found = changes
            .into_iter()
            .find(|change| change.to_string() == name);
        found.unwrap_or_else(|| panic!("{name}"))
    }

    /// Returns what explains that a path is allowed where Google forbids it.
    fn explained(
        changes: &[&str],
        body: &str,
        agent: &str,
        path: &str,
    ) -> (Explainer, Explanation) {
        let changes = changes.iter().map(|name| change(name)).collect();
        let explainer = Explainer::new(&Dialect::GOOGLE, changes, true);
        let url = format!("https://example.com{path}");
        let explanations = explainer.explain(
            &mut Decider::default(),
            body.as_bytes(),
            &Queries::from_iter([(agent, &*url)]),
            [&[Verdict::Disallow], &[Verdict::Allow]],
            &Agreed::default(),
        );
        (explainer, explanations[0])
    }

    #[test]
    fn a_single_change_explains_before_others() {
        let body = "User-agent: *\nAllow: /\nDisallow: /a\n";
        let changes = ["missing_colon=rejected", "precedence=first"];
        let (explainer, explanation) = explained(&changes, body, "x", "/a");
        assert!(explanation.is_only(0b10) && explanation.allows(0b10));
        assert!(!explanation.allows(0b01));
        let names: Vec<_> = explainer.changes_of(0b10).map(Change::to_string).collect();
        assert_eq!(names, ["precedence=first"]);
    }

    #[test]
    fn a_pair_explains_what_no_single_change_does() {
        // Only a parser that reads no line without a colon, and takes the first rule, allows.
        let body = "User-agent: *\nDisallow /a\nAllow: /\nDisallow: /a\n";
        let changes = [
            "missing_colon=rejected",
            "group_end=blank-line",
            "precedence=first",
        ];
        let (explainer, explanation) = explained(&changes, body, "x", "/a");
        assert!(explanation.is_only(0b101), "{explanation:?}");
        let names: Vec<_> = explainer.changes_of(0b101).map(Change::to_string).collect();
        assert_eq!(names, ["missing_colon=rejected", "precedence=first"]);
    }

    #[test]
    fn what_no_change_explains_is_not_explained() {
        let body = "User-agent: *\nDisallow: /a\n";
        let changes = ["missing_colon=rejected", "precedence=first"];
        assert!(explained(&changes, body, "x", "/a").1.is_none());
    }

    #[test]
    fn the_change_that_explains_most_is_the_cause_of_all_that_it_explains() {
        let explanations = [(0b011, 5), (0b010, 1), (0b100, 2), (0b101, 3)];
        let explanations: BTreeMap<_, _> = explanations
            .into_iter()
            .map(|(mask, n)| (Explanation(mask), n))
            .collect();
        let cover = Cover::new(explanations);
        let cause = |mask| cover.cause(Explanation(mask));
        // The first explains 8 flips, the second and the third 6 and 5.
        assert_eq!(cause(0b011), Some(0b001));
        assert_eq!(cause(0b101), Some(0b001));
        assert_eq!(cause(0b010), Some(0b010));
        assert_eq!(cause(0b100), Some(0b100));
        assert_eq!(cause(0), None);
        assert_eq!(cause(0b110 | SET), Some(0b110));
    }
}
