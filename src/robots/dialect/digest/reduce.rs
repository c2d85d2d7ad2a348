//! Leaving out rules that can change no verdict.
//!
//! Of all rules that match a path the one of the highest rank decides, and without any the path is
//! allowed. Two rules meet, so that they may match the same path, only if the literal prefix of one
//! is a prefix of the other's. A rule is left out, without a change of any verdict, if one of these
//! is true:
//! - It is outranked by a rule with the same pattern, or by a plain prefix of its literal prefix:
//!   it never decides.
//! - It meets no rule of the other kind with a lower rank, and what is left gives the same verdict:
//!   for an allow the default does, for a disallow another one that is a plain prefix of it.
//!
//! Of the rules that are left, rank matters only among those that meet one of the other kind: how
//! often the kind changes from the lowest to the highest.

use super::entry::{Entry, EntryId, Rules};
use crate::robots::dialect::{group::RuleKind, pattern::Shape};

/// Reduces lists of rules; reuses its memory. All lists are rising.
#[derive(Clone, Debug, Default)]
pub(super) struct Reducer {
    /// The plain prefixes of the current rule.
    prefixes: Vec<EntryId>,
    stack: Vec<Frame>,
    /// For each rule that was compared last the lowest rank of those of the other kind that it
    /// meets, and `u64::MAX` where it meets none.
    lowest: Vec<u64>,
    /// The rules of a list, each with its weight.
    weighted: Vec<(EntryId, Weight)>,
    by_rank: Vec<usize>,
}

/// The lowest ranks of allows and of disallows.
type Lowest = [u64; 2];

/// A rule whose literal prefix begins that of the current rule.
#[derive(Clone, Copy, Debug)]
struct Frame {
    at: usize,
    /// Of this rule and of those before it in the stack.
    above: Lowest,
    /// Of those that have left the stack since.
    below: Lowest,
}

/// What decides between a rule and those of the other kind.
#[derive(Clone, Copy, Debug)]
pub(super) enum Weight {
    /// It meets none.
    None,
    /// The higher one wins in a list.
    Level(u64),
    /// The higher one wins in all lists.
    Rank(u64),
    /// Its priority, and whether it has a `*`.
    AsWritten(u32, bool),
}

impl Reducer {
    /// Removes the rules of `list` that are outranked.
    pub fn drop_outranked(&mut self, Rules { entries, texts }: Rules<'_>, list: &mut Vec<EntryId>) {
        let entry = |id: EntryId| &entries[id as usize];
        list.dedup_by(|later, earlier| {
            let is_same = entry(*later).has_pattern_of(entry(*earlier), texts);
            if is_same && entry(*later).rank() > entry(*earlier).rank() {
                *earlier = *later;
            }
            is_same
        });
        self.prefixes.clear();
        list.retain(|&id| {
            let rule = entry(id);
            let begins = |&top: &EntryId| rule.starts_with(entry(top), texts);
            while self.prefixes.pop_if(|top| !begins(top)).is_some() {}
            // Each of them has a higher rank than those before it, or it would be outranked.
            let highest = self.prefixes.last();
            let is_outranked = highest.is_some_and(|&top| entry(top).rank() > rule.rank());
            if !is_outranked && rule.shape == Shape::Prefix {
                self.prefixes.push(id);
            }
            !is_outranked
        });
    }

    /// Compares the rules of `all` with each other.
    pub fn compare(&mut self, Rules { entries, texts }: Rules<'_>, all: &[EntryId]) {
        let entry = |at: usize| &entries[all[at] as usize];
        self.lowest.clear();
        self.stack.clear();
        for at in 0..all.len() {
            let rule = entry(at);
            self.leave(entries, all, |top| rule.starts_with(entry(top), texts));
            let mut above = self.stack.last().map_or([u64::MAX; 2], |top| top.above);
            self.lowest.push(above[rule.other_kind()]);
            let own = &mut above[rule.kind as usize];
            *own = rule.rank().min(*own);
            self.stack.push(Frame {
                at,
                above,
                below: [u64::MAX; 2],
            });
        }
        self.leave(entries, all, |_| false);
    }

    /// Takes the rules from the stack that do not begin the current one: all that they begin has
    /// been compared.
    fn leave(&mut self, entries: &[Entry], all: &[EntryId], begins: impl Fn(usize) -> bool) {
        while let Some(top) = self.stack.pop_if(|top| !begins(top.at)) {
            let rule = &entries[all[top.at] as usize];
            let lowest = &mut self.lowest[top.at];
            *lowest = top.below[rule.other_kind()].min(*lowest);
            if let Some(parent) = self.stack.last_mut() {
                let mut below = top.below;
                let own = &mut below[rule.kind as usize];
                *own = rule.rank().min(*own);
                for (parent, below) in parent.below.iter_mut().zip(below) {
                    *parent = below.min(*parent);
                }
            }
        }
    }

    /// Moves the rules of `list` that change something to its beginning, and returns their number.
    /// The rules that were compared last are `all`: those of the list, and those of others that may
    /// apply together with them.
    pub fn drop_idle(
        &self,
        Rules { entries, texts }: Rules<'_>,
        list: &mut [EntryId],
        all: &[EntryId],
    ) -> usize {
        // The first plain prefix, which lasts for all that it begins.
        let mut prefix: Option<&Entry> = None;
        let mut n_left = 0;
        for at in 0..list.len() {
            let id = list[at];
            let rule = &entries[id as usize];
            let has_prefix = prefix.is_some_and(|prefix| rule.starts_with(prefix, texts));
            if !has_prefix && rule.shape == Shape::Prefix {
                prefix = Some(rule);
            }
            let is_met = self.lowest_of(id, all) < rule.rank();
            if is_met || (rule.kind == RuleKind::Disallow && !has_prefix) {
                list[n_left] = id;
                n_left += 1;
            }
        }
        n_left
    }

    fn lowest_of(&self, id: EntryId, all: &[EntryId]) -> u64 {
        all.binary_search(&id)
            .map_or(u64::MAX, |at| self.lowest[at])
    }

    /// Appends the normal form of a list to `form`. Nothing is appended where all is allowed. `all`
    /// is as in [`Reducer::drop_idle`].
    pub fn write(
        &mut self,
        Rules { entries, texts }: Rules<'_>,
        list: &[EntryId],
        all: &[EntryId],
        form: &mut Vec<u8>,
    ) {
        let rank = |id: EntryId| entries[id as usize].rank();
        self.weighted.clear();
        for &id in list {
            let weight = match self.lowest_of(id, all) {
                u64::MAX => Weight::None,
                _ => Weight::Rank(rank(id)),
            };
            self.weighted.push((id, weight));
        }
        // Levels do not tell which of two lists wins.
        if list.len() == all.len() {
            let weighted = &mut self.weighted;
            self.by_rank.clear();
            let is_met = |at: &usize| matches!(weighted[*at].1, Weight::Rank(_));
            self.by_rank.extend((0..list.len()).filter(is_met));
            self.by_rank.sort_unstable_by_key(|&at| rank(list[at]));
            let (mut level, mut last) = (0, None);
            for &at in &self.by_rank {
                let kind = entries[list[at] as usize].kind;
                level += u64::from(last.replace(kind) != Some(kind));
                weighted[at].1 = Weight::Level(level);
            }
        }
        for &(id, weight) in &self.weighted {
            write_rule(form, &entries[id as usize], texts, weight);
        }
    }
}

/// Appends a rule to a normal form.
pub(super) fn write_rule(form: &mut Vec<u8>, rule: &Entry, texts: &[u8], weight: Weight) {
    let (tag, number) = match weight {
        Weight::None => (0, 0),
        Weight::Level(level) => (1, level),
        Weight::Rank(rank) => (2, rank),
        Weight::AsWritten(priority, has_wildcard) => (3 + u8::from(has_wildcard), priority.into()),
    };
    form.extend([rule.shape as u8, rule.kind as u8, tag]);
    form.extend(number.to_le_bytes());
    form.extend(rule.text.len().to_le_bytes());
    form.extend_from_slice(rule.text.of(texts));
}
