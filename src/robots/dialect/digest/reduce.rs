//! Leaving out rules that can change no verdict.
//!
//! The rules of one list, and those of other lists that may apply to the same crawler, give bytes
//! that determine the verdict of the list for every path.
//!
//! Of all rules that match a path the one of the highest rank decides, and without any the path is
//! allowed. Two observations leave out rules one by one, each without a change of any verdict:
//! - A rule never decides where a rule of higher rank matches all that it matches.
//! - A rule that decides changes nothing where, on all that it matches, the rules of lower rank
//!   give the same verdict: a rule of its kind matches all of it, or for an allow the default does,
//!   and no rule of the other kind with a rank between theirs has a path in common with it.
//!
//! What is left of the ranks is how often the kind changes from the lowest to the highest, among
//! the rules that have a path in common with one of the other kind; among other rules no rank
//! matters. Ranks count as they are where one of these rules is of another list.
//!
//! Where a `*` may leave a verdict undefined, the verdict depends on the best allow and the best
//! disallow, and on whether they have a `*`. A rule is then left out on those grounds only if no
//! rule with a `*` has a path in common with it. Otherwise it is left out where a rule of its kind
//! that is preferred to it matches as much, or where no rule of the other kind has a path in common
//! with it.

use std::cmp::Reverse;

use super::{
    Comparison,
    entry::{Entry, EntryId, Rules},
};
use crate::robots::dialect::group::RuleKind;

/// One of the rules that a rule is compared with.
#[derive(Clone, Copy, Debug)]
struct Pair {
    to: u32,
    /// Whether it matches all that the first rule matches.
    is_covered: bool,
    /// The next pair of the first rule.
    next: Option<u32>,
}

/// Reduces lists of rules; reuses its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Reducer {
    /// The rules that are compared, and whether they are of the list.
    entries: Vec<(Entry, bool)>,
    stack: Vec<u32>,
    pairs: Vec<Pair>,
    /// For each rule of the list the first of its pairs.
    first_pairs: Vec<Option<u32>>,
    is_dropped: Vec<bool>,
    /// For each rule whether a `*` is in it or in a rule that it is compared with.
    is_touched: Vec<bool>,
    /// The rules of the list that have a pair, from the lowest rank to the highest.
    by_rank: Vec<u32>,
    levels: Vec<u32>,
}

impl Reducer {
    /// Appends the normal form of `own` to `form`. Nothing is appended where all is allowed.
    ///
    /// `own` and `others` are rising, and `own` has no two that are the same. `others` may apply
    /// together with them. `budget` is reduced by the cost; when it is used up, the rules count as
    /// written.
    pub fn form(
        &mut self,
        rules: Rules<'_>,
        own: &[EntryId],
        others: &[EntryId],
        comparison: Comparison,
        budget: &mut usize,
        form: &mut Vec<u8>,
    ) {
        let Rules { entries, texts } = rules;
        let own_entries = own.iter().map(|&id| &entries[id as usize]);
        let is_compared = comparison != Comparison::None;
        let disallows = |entry: &Entry| entry.kind == RuleKind::Disallow;
        if is_compared && others.is_empty() && !own_entries.clone().any(disallows) {
            return;
        }
        if is_compared {
            self.merge(rules, own, others);
        }
        if !is_compared || !self.find_pairs(texts, comparison, budget) {
            let as_written = own_entries.map(|entry| (entry, entry.priority, true));
            return write(form, b'r', texts, as_written);
        }
        self.is_dropped.clear();
        self.is_dropped.resize(self.entries.len(), false);
        self.by_rank.clear();
        for (index, (entry, is_own)) in self.entries.iter().enumerate() {
            if self.first_pairs[index].is_some() {
                self.by_rank.push(index as u32);
            } else if *is_own {
                // The default allows what no other rule matches.
                self.is_dropped[index] = entry.kind == RuleKind::Allow;
            }
        }
        self.is_touched.clear();
        self.is_touched.resize(self.entries.len(), false);
        if comparison == Comparison::MayBeUndefined {
            for &index in &self.by_rank {
                let has_wildcard = |(_, other, _): (u32, &Entry, bool)| other.has_wildcard;
                let is_touched = self.entries[index as usize].0.has_wildcard
                    || self.pairs_of(index).any(has_wildcard);
                self.is_touched[index as usize] = is_touched;
            }
        }
        self.drop_rules();
        self.write_remaining(texts, comparison, form);
    }

    /// Lists the rules of both lists in the order of comparison.
    fn merge(&mut self, rules: Rules<'_>, own: &[EntryId], others: &[EntryId]) {
        let entry = |id: EntryId| rules.entries[id as usize];
        let mut others = others.iter().copied().peekable();
        self.entries.clear();
        for &id in own {
            while let Some(other) = others.next_if(|&other| other < id) {
                self.entries.push((entry(other), false));
            }
            self.entries.push((entry(id), true));
        }
        self.entries.extend(others.map(|id| (entry(id), false)));
    }

    /// Finds the rules that each rule is compared with; returns false when that costs too much.
    ///
    /// Two languages have a path in common only if the literal prefix of one is a prefix of the
    /// other's. In the order of literal prefixes, the rules before a rule whose prefix begins its
    /// own are a stack.
    fn find_pairs(&mut self, texts: &[u8], comparison: Comparison, budget: &mut usize) -> bool {
        self.pairs.clear();
        self.first_pairs.clear();
        self.first_pairs.resize(self.entries.len(), None);
        self.stack.clear();
        for (index, (entry, is_own)) in self.entries.iter().enumerate() {
            if let Some((last, _)) = index.checked_sub(1).map(|last| &self.entries[last]) {
                let n_common = last.common_literal_len(entry, texts);
                while let Some(&top) = self.stack.last()
                    && self.entries[top as usize].0.literal_len > n_common
                {
                    self.stack.pop();
                }
            }
            let language = entry.language(texts);
            for &earlier in &self.stack {
                let (other, is_other_own) = &self.entries[earlier as usize];
                let cost = 8 + (entry.text.len() + other.text.len()) as usize / 8;
                let Some(left) = budget.checked_sub(cost) else {
                    *budget = 0;
                    return false;
                };
                *budget = left;
                if !(*is_own || *is_other_own) {
                    continue;
                }
                let wider = other.language(texts);
                let is_covered = wider.includes(language);
                let covers = entry.literal_len == other.literal_len && language.includes(wider);
                let may_count = entry.kind != other.kind
                    || (comparison == Comparison::MayBeUndefined
                        && (entry.has_wildcard || other.has_wildcard));
                if is_covered || covers || (may_count && wider.intersects(language)) {
                    let mut add = |from: usize, to: u32, is_covered: bool| {
                        let next = self.first_pairs[from].replace(self.pairs.len() as u32);
                        self.pairs.push(Pair {
                            to,
                            is_covered,
                            next,
                        });
                    };
                    if *is_own {
                        add(index, earlier, is_covered && *is_other_own);
                    }
                    if *is_other_own {
                        add(earlier as usize, index as u32, covers && *is_own);
                    }
                }
            }
            self.stack.push(index as u32);
        }
        true
    }

    /// Returns each entry that an entry of the list is compared with: its index, itself, and
    /// whether it is of the list and matches as much.
    fn pairs_of(&self, index: u32) -> impl Iterator<Item = (u32, &Entry, bool)> {
        let pair = |at: u32| &self.pairs[at as usize];
        let first = self.first_pairs[index as usize].map(pair);
        std::iter::successors(first, move |last| last.next.map(pair))
            .map(|pair| (pair.to, &self.entries[pair.to as usize].0, pair.is_covered))
    }

    /// Drops the rules that can change no verdict, and sorts those that remain by rank.
    fn drop_rules(&mut self) {
        let mut by_rank = std::mem::take(&mut self.by_rank);
        by_rank.retain(|&index| {
            let is_outranked = self.is_outranked(index);
            self.is_dropped[index as usize] = is_outranked;
            !is_outranked
        });
        by_rank.sort_unstable_by_key(|&index| (self.entries[index as usize].0.rank(), index));
        by_rank.retain(|&index| {
            let is_idle = self.is_idle(index);
            self.is_dropped[index as usize] = is_idle;
            !is_idle
        });
        self.by_rank = by_rank;
    }

    /// Returns true only if a rule never decides. The rule that outranks it may be outranked as
    /// well, by one of yet higher rank that matches as much.
    fn is_outranked(&self, index: u32) -> bool {
        let entry = &self.entries[index as usize].0;
        let is_touched = self.is_touched[index as usize];
        self.pairs_of(index).any(|(to, other, is_covered)| {
            let is_higher = if is_touched {
                let preference = |entry: &Entry| (entry.priority, !entry.has_wildcard);
                other.kind == entry.kind
                    && (preference(other), Reverse(to)) > (preference(entry), Reverse(index))
            } else {
                (other.rank(), Reverse(to)) > (entry.rank(), Reverse(index))
            };
            is_covered && is_higher
        })
    }

    /// Returns true only if the remaining rules give the same verdicts without this one.
    fn is_idle(&self, index: u32) -> bool {
        let entry = &self.entries[index as usize].0;
        let is_touched = self.is_touched[index as usize];
        // By default a path is allowed, with the least of all ranks.
        let mut for_it = if entry.kind == RuleKind::Allow { 0 } else { -1 };
        let mut against_it = -1;
        for (to, other, is_covered) in self.pairs_of(index) {
            if self.is_dropped[to as usize] {
                continue;
            }
            let is_lower = other.rank() < entry.rank();
            if other.kind != entry.kind && (is_lower || is_touched) {
                against_it = against_it.max(if is_touched { i64::MAX } else { other.rank() });
            } else if other.kind == entry.kind && is_covered && is_lower {
                for_it = for_it.max(other.rank());
            }
        }
        for_it > against_it
    }

    fn write_remaining(&mut self, texts: &[u8], comparison: Comparison, form: &mut Vec<u8>) {
        self.levels.clear();
        self.levels.resize(self.entries.len(), 0);
        let mut level = 0;
        let mut last = None;
        let mut has_priorities = false;
        for &index in &self.by_rank {
            let entry = &self.entries[index as usize].0;
            let mut is_contested = false;
            for (to, other, _) in self.pairs_of(index) {
                let is_against = other.kind != entry.kind && !self.is_dropped[to as usize];
                is_contested |= is_against;
                // No level of one list determines which of two lists wins.
                has_priorities |= is_against && !self.entries[to as usize].1;
            }
            if is_contested {
                level += u32::from(last.replace(entry.kind) != Some(entry.kind));
                self.levels[index as usize] = level;
                has_priorities |= entry.has_wildcard && comparison == Comparison::MayBeUndefined;
            }
        }
        let remaining = (self.entries.iter().zip(&self.is_dropped).zip(&self.levels))
            .filter(|(((_, is_own), is_dropped), _)| *is_own && !**is_dropped)
            .map(|(((entry, _), _), &level)| match (level, has_priorities) {
                (0, _) => (entry, 0, false),
                (_, true) => (
                    entry,
                    entry.priority,
                    comparison == Comparison::MayBeUndefined,
                ),
                (_, false) => (entry, level, false),
            });
        write(
            form,
            if has_priorities { b'p' } else { b'l' },
            texts,
            remaining,
        );
    }
}

/// Appends rules, each with its rank and with whether its `*` counts.
fn write<'e>(
    form: &mut Vec<u8>,
    tag: u8,
    texts: &[u8],
    entries: impl Iterator<Item = (&'e Entry, u32, bool)>,
) {
    for (at, (entry, rank, counts_wildcard)) in entries.enumerate() {
        if at == 0 {
            form.push(tag);
        }
        form.extend_from_slice(&[
            entry.shape as u8,
            entry.kind as u8,
            u8::from(counts_wildcard && entry.has_wildcard),
        ]);
        let numbers = u64::from(rank) | u64::from(entry.text.len()) << 32;
        form.extend_from_slice(&numbers.to_le_bytes());
        form.extend_from_slice(entry.text.of(texts));
    }
}
