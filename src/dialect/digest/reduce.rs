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

use std::cmp::{Ordering, Reverse};

use super::language::Language;
use crate::dialect::{
    group::{Range32, RuleKind},
    pattern::Shape,
};

/// A rule in the form in which it is compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The first bytes of the literal prefix, as a number in the order of the texts.
    pub head: u64,
    /// The text of its language.
    pub text: Range32,
    pub literal_len: u32,
    pub shape: Shape,
    pub kind: RuleKind,
    /// The higher one wins, and an allow before a disallow where they are equal.
    pub priority: u32,
    pub has_wildcard: bool,
}

impl Entry {
    pub fn language(self, texts: &[u8]) -> Language<'_> {
        Language {
            text: self.text.of(texts),
            shape: self.shape,
            literal_len: self.literal_len,
        }
    }

    /// Orders by literal prefix, then by language, kind and falling preference.
    pub fn compare(&self, other: &Entry, texts: &[u8]) -> Ordering {
        let [a, b] = [self, other].map(|entry| entry.language(texts));
        self.head
            .cmp(&other.head)
            .then_with(|| a.literal().cmp(b.literal()))
            .then_with(|| a.text.cmp(b.text))
            .then_with(|| (a.shape, self.kind).cmp(&(b.shape, other.kind)))
            .then_with(|| other.priority.cmp(&self.priority))
            .then_with(|| self.has_wildcard.cmp(&other.has_wildcard))
    }

    /// Returns true if and only if language and kind are equal.
    pub fn is_same(&self, other: &Entry, texts: &[u8]) -> bool {
        let is_alike = (self.head, self.kind) == (other.head, other.kind);
        is_alike && self.language(texts) == other.language(texts)
    }

    fn rank(self) -> i64 {
        i64::from(self.priority) * 2 + i64::from(self.kind == RuleKind::Allow) + 1
    }
}

/// How rules are compared with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    /// Rank decides alone.
    ByRank,
    /// A `*` may leave the verdict undefined.
    MayBeUndefined,
    /// Rules are not compared: all of them count as written.
    None,
}

/// Two rules that are compared.
#[derive(Clone, Copy, Debug)]
struct Pair {
    from: u32,
    to: u32,
    /// Whether the second matches all that the first matches.
    is_covered: bool,
}

/// Reduces lists of rules; reuses its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Reducer {
    entries: Vec<(Entry, bool)>,
    stack: Vec<u32>,
    pairs: Vec<Pair>,
    /// For each entry its pairs, and one more end.
    starts: Vec<u32>,
    is_dropped: Vec<bool>,
    by_rank: Vec<u32>,
    levels: Vec<u32>,
}

impl Reducer {
    /// Appends the normal form of `own` to `form`. Nothing is appended where all is allowed.
    ///
    /// `own` is sorted by [`Entry::compare`] and has no two that are the same. `others` may apply
    /// together with them. `budget` is reduced by the cost; when it is used up, the rules count as
    /// written.
    pub fn form(
        &mut self,
        texts: &[u8],
        own: &[Entry],
        others: &[Entry],
        comparison: Comparison,
        budget: &mut usize,
        form: &mut Vec<u8>,
    ) {
        let is_compared = comparison != Comparison::None;
        let disallows = own.iter().any(|entry| entry.kind == RuleKind::Disallow);
        if is_compared && others.is_empty() && !disallows {
            return;
        }
        self.entries.clear();
        self.entries.extend(own.iter().map(|&entry| (entry, true)));
        if !others.is_empty() {
            self.entries
                .extend(others.iter().map(|&entry| (entry, false)));
            self.entries.sort_by(|(a, is_a_own), (b, is_b_own)| {
                a.compare(b, texts).then(is_b_own.cmp(is_a_own))
            });
        }
        if !is_compared || !self.find_pairs(texts, comparison, budget) {
            write(
                form,
                b'r',
                texts,
                own.iter().map(|entry| (entry, entry.priority, true)),
            );
            return;
        }
        self.is_dropped.clear();
        self.is_dropped.resize(self.entries.len(), false);
        self.by_rank.clear();
        let is_own = |&index: &u32| self.entries[index as usize].1;
        self.by_rank
            .extend((0..self.entries.len() as u32).filter(is_own));
        self.by_rank
            .sort_by_key(|&index| self.entries[index as usize].0.rank());
        let is_touched = |index: u32| {
            comparison == Comparison::MayBeUndefined
                && (self.entries[index as usize].0.has_wildcard
                    || self.pairs_of(index).any(|(_, other, _)| other.has_wildcard))
        };
        let is_touched: Vec<bool> = match comparison {
            Comparison::MayBeUndefined => (0..self.entries.len() as u32).map(is_touched).collect(),
            _ => Vec::new(),
        };
        let is_touched = |index: u32| is_touched.get(index as usize).copied().unwrap_or_default();
        for at in 0..self.by_rank.len() {
            let index = self.by_rank[at];
            self.is_dropped[index as usize] = self.is_outranked(index, is_touched(index));
        }
        for at in 0..self.by_rank.len() {
            let index = self.by_rank[at];
            if !self.is_dropped[index as usize] {
                self.is_dropped[index as usize] = self.is_idle(index, is_touched(index));
            }
        }
        self.write_remaining(texts, comparison, form);
    }

    /// Finds the rules that each rule is compared with; returns false when that costs too much.
    ///
    /// Two languages have a path in common only if the literal prefix of one is a prefix of the
    /// other's. In the order of literal prefixes, the rules before a rule whose prefix begins its
    /// own are a stack.
    fn find_pairs(&mut self, texts: &[u8], comparison: Comparison, budget: &mut usize) -> bool {
        self.pairs.clear();
        self.stack.clear();
        for (index, &(entry, is_own)) in self.entries.iter().enumerate() {
            let language = entry.language(texts);
            while let Some(&top) = self.stack.last() {
                let top = self.entries[top as usize].0.language(texts);
                if language.literal().starts_with(top.literal()) {
                    break;
                }
                self.stack.pop();
            }
            for &earlier in &self.stack {
                let (other, is_other_own) = self.entries[earlier as usize];
                let cost = 8 + (entry.text.len() + other.text.len()) as usize / 8;
                let Some(left) = budget.checked_sub(cost) else {
                    *budget = 0;
                    return false;
                };
                *budget = left;
                if !(is_own || is_other_own) {
                    continue;
                }
                let wider = other.language(texts);
                let is_covered = wider.includes(language);
                let covers = entry.literal_len == other.literal_len && language.includes(wider);
                let may_count = entry.kind != other.kind
                    || (comparison == Comparison::MayBeUndefined
                        && (entry.has_wildcard || other.has_wildcard));
                if is_covered || covers || (may_count && wider.intersects(language)) {
                    let pairs = [
                        (is_own, index as u32, earlier, is_covered),
                        (is_other_own, earlier, index as u32, covers),
                    ];
                    let pairs = pairs.into_iter().filter(|&(is_own, ..)| is_own);
                    self.pairs
                        .extend(pairs.map(|(_, from, to, is_covered)| Pair {
                            from,
                            to,
                            is_covered,
                        }));
                }
            }
            self.stack.push(index as u32);
        }
        self.pairs.sort_unstable_by_key(|pair| (pair.from, pair.to));
        self.starts.clear();
        let mut at = 0;
        for index in 0..=self.entries.len() {
            while at < self.pairs.len() && (self.pairs[at].from as usize) < index {
                at += 1;
            }
            self.starts.push(at as u32);
        }
        true
    }

    /// Returns each entry that an entry of the list is compared with: its index, itself, and
    /// whether it is of the list and matches as much.
    fn pairs_of(&self, index: u32) -> impl Iterator<Item = (u32, Entry, bool)> {
        let range = Range32 {
            start: self.starts[index as usize],
            end: self.starts[index as usize + 1],
        };
        range.of(&self.pairs).iter().map(|pair| {
            let (entry, is_own) = self.entries[pair.to as usize];
            (pair.to, entry, is_own && pair.is_covered)
        })
    }

    /// Returns true only if a rule never decides. The rule that outranks it may be outranked as
    /// well, by one of yet higher rank that matches as much.
    fn is_outranked(&self, index: u32, is_touched: bool) -> bool {
        let entry = self.entries[index as usize].0;
        self.pairs_of(index).any(|(to, other, is_covered)| {
            let is_higher = match is_touched {
                true => {
                    let preference = |entry: Entry| (entry.priority, !entry.has_wildcard);
                    other.kind == entry.kind
                        && (preference(other), Reverse(to)) > (preference(entry), Reverse(index))
                }
                false => (other.rank(), Reverse(to)) > (entry.rank(), Reverse(index)),
            };
            is_covered && is_higher
        })
    }

    /// Returns true only if the remaining rules give the same verdicts without this one.
    fn is_idle(&self, index: u32, is_touched: bool) -> bool {
        let entry = self.entries[index as usize].0;
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
            if self.is_dropped[index as usize] {
                continue;
            }
            let entry = self.entries[index as usize].0;
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
        form.push(entry.shape as u8);
        form.push(entry.kind as u8);
        form.push(u8::from(counts_wildcard && entry.has_wildcard));
        form.extend(rank.to_le_bytes());
        form.extend(entry.text.len().to_le_bytes());
        form.extend_from_slice(entry.text.of(texts));
    }
}
