//! The semantic digest: one value for all that groups and rules decide.
//!
//! It is the SHA-1 of a normal form of a compiled rule set from which every verdict under the
//! dialect follows. Hence two files with the same digest give the same verdict to every agent (a
//! crawler with several tokens too) for every URL, unless SHA-1 collides; the lines that decide may
//! differ. Different digests prove only that the normal forms differ: whether two files always
//! agree is decided by simple sufficient conditions, those of `reduce`.
//!
//! The normal form has, for the wildcard groups and for each name, the rules that apply, without
//! those that can change no verdict. It has no comments, white space, sitemaps and other records,
//! and does not depend on how rules are split over groups that are merged. An agent's letter case
//! counts where it does in the dialect, and so does the order of groups where several names may
//! match an agent and the first group wins.
//!
//! A name counts even if its rules are equal to the wildcard rules: a crawler with this name and
//! another one does not get the rules of the other. It is left out where that is impossible:
//! - if the rules of every name are equal to the wildcard rules;
//! - if a crawler has the groups of all its names together, and neither the rules of the name nor
//!   the wildcard rules disallow anything.
//!
//! Where one crawler may have the groups of several names together, the rules of a name are
//! compared with those of all names.

#[cfg(test)]
mod cases;
mod entry;
mod language;
#[cfg(test)]
mod properties;
mod reduce;

use self::{
    entry::{Entries, EntryId, head},
    reduce::Reducer,
};
use super::{agent::AgentIndex, matcher::Matcher};
use crate::{digest::sha1, robots::lines::Span};

/// The most rules that are gathered for names in several groups. Beyond it names are distinguished
/// by the digests of their groups, in which all rules count as written: a file with thousands of
/// agents in several long groups each would otherwise take hours.
const GATHER_BUDGET: usize = 1 << 18;

/// The most that comparing the rules of a file may cost, about 8 for a pair of short patterns;
/// beyond it, the rules of a list count as written. It is enough for 100,000 pairs.
const COMPARE_BUDGET: usize = 1 << 20;

/// The most different lists of rules that are compared with each other where those of several names
/// may apply to one crawler; with more, all rules count as written.
const MOST_LISTS: usize = 64;

/// The same for the product of lists and rules.
const UNITE_BUDGET: usize = 1 << 19;

/// The digest of rules that allow everything: the SHA-1 of no bytes.
const NOTHING: [u8; 20] = [
    0xDA, 0x39, 0xA3, 0xEE, 0x5E, 0x6B, 0x4B, 0x0D, 0x32, 0x55, //
    0xBF, 0xEF, 0x95, 0x60, 0x18, 0x90, 0xAF, 0xD8, 0x07, 0x09,
];

/// Computes digests; reuses its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct SemanticDigester {
    names: Vec<Name>,
    entries: Entries,
    groups: Vec<u32>,
    /// The rules of the current list, rising as those of all lists.
    list: Vec<EntryId>,
    /// For each group, the list of its rules alone, once it is known.
    group_lists: Vec<Option<ListId>>,
    lists: Vec<List>,
    /// The rules of the lists that are stored.
    stored: Vec<EntryId>,
    /// The same, sorted, each with its list.
    all: Vec<(EntryId, ListId)>,
    others: Vec<EntryId>,
    reducer: Reducer,
    form: Vec<u8>,
    /// The normal form of the file.
    file: Vec<u8>,
}

/// A user-agent line that can name a crawler.
#[derive(Clone, Copy, Debug)]
struct Name {
    head: u64,
    line: u32,
    group: u32,
    list: ListId,
}

type ListId = u32;

/// The rules that apply to some names.
#[derive(Clone, Copy, Debug)]
struct List {
    digest: [u8; 20],
    /// Its rules among those stored.
    stored: Span,
}

/// The part of a rule set that is digested.
#[derive(Clone, Copy)]
pub(super) struct Meaning<'r> {
    pub agents: &'r AgentIndex,
    pub matchers: &'r [Matcher],
    pub group_matchers: &'r [Span],
    pub patterns: &'r [u8],
    /// Whether the first matching rule wins.
    pub is_first_rule_decisive: bool,
    /// Whether a `*` in the best allow or disallow may leave the verdict undefined.
    pub may_be_undefined: bool,
    /// Whether every path begins with a slash.
    pub has_rooted_paths: bool,
}

/// How rules are compared with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    /// Rank decides alone.
    ByRank,
    /// A `*` may leave the verdict undefined.
    MayBeUndefined,
    /// Rules are not compared: all of them count as written.
    None,
}

impl Meaning<'_> {
    /// Returns how rules are compared with each other.
    fn comparison(self) -> Comparison {
        let is_any = |is: fn(&Matcher) -> bool| self.matchers.iter().any(is);
        let is_length_decisive = !self.is_first_rule_decisive;
        match self.may_be_undefined && is_length_decisive && is_any(|rule| rule.has_wildcard) {
            // An empty pattern disallows nothing, but conflicts with the `*` of another rule.
            true if is_any(|rule| rule.priority == 0) => Comparison::None,
            true => Comparison::MayBeUndefined,
            false => Comparison::ByRank,
        }
    }

    /// Returns true if and only if two lines have the same name.
    fn are_same_name(self, one: &Name, other: &Name) -> bool {
        let token = |name: &Name| self.agents.token_of(name.line);
        one.head == other.head && token(one) == token(other)
    }
}

impl SemanticDigester {
    /// Returns the digest.
    pub(super) fn digest(&mut self, meaning: Meaning<'_>) -> [u8; 20] {
        let comparison = meaning.comparison();
        self.entries.rebuild(meaning, comparison);
        let mut budget = COMPARE_BUDGET;

        self.groups.clear();
        self.groups.extend(meaning.agents.wildcard_groups());
        self.gather(meaning);
        let wildcard = self.reduce(comparison, &[], &mut budget);

        self.sort_names(meaning);
        let may_gather = self.gathering_cost(meaning) <= GATHER_BUDGET;
        let is_united = meaning.agents.is_united();
        self.lists.clear();
        self.stored.clear();
        self.group_lists.clear();
        self.group_lists.resize(meaning.group_matchers.len(), None);
        let mut at = 0;
        while at < self.names.len() {
            let first = self.names[at];
            let same = self.names[at..]
                .iter()
                .take_while(|name| meaning.are_same_name(name, &first));
            let end = at + same.count();
            self.groups.clear();
            self.groups
                .extend(self.names[at..end].iter().map(|name| name.group));
            self.groups.dedup();
            if meaning.agents.is_first_only() {
                self.groups.truncate(1);
            }
            self.names[at].list = match (self.list_of_one_group(), may_gather, is_united) {
                (Some(list), ..) => list,
                (None, false, _) => self.list_as_written(meaning),
                (None, true, false) => self.list_alone(meaning, comparison, &mut budget),
                (None, true, true) => self.list_among_others(meaning),
            };
            at = end;
        }
        self.names
            .dedup_by(|later, earlier| meaning.are_same_name(later, earlier));
        if may_gather && is_united {
            self.digest_stored_lists(comparison, &mut budget);
        }
        self.write_file(meaning, wildcard)
    }

    /// Lists the lines that can name a crawler, sorted so that equal names are adjacent.
    fn sort_names(&mut self, meaning: Meaning<'_>) {
        let token = |name: &Name| meaning.agents.token_of(name.line);
        let names = &mut self.names;
        names.clear();
        names.extend(meaning.agents.names().map(|(line, group)| Name {
            head: head(meaning.agents.token_of(line)),
            line,
            group,
            list: 0,
        }));
        let by_token = |a: &Name, b: &Name| {
            let order = a.head.cmp(&b.head);
            order.then_with(|| token(a).cmp(token(b)))
        };
        names.sort_unstable_by(|a, b| by_token(a, b).then(a.line.cmp(&b.line)));
        if meaning.agents.is_group_order_relevant() {
            // Only the first group of each name can apply, and the first of several names does.
            names.dedup_by(|later, earlier| by_token(later, earlier).is_eq());
            names.sort_unstable_by(|a, b| a.group.cmp(&b.group).then_with(|| by_token(a, b)));
        }
    }

    /// Returns the total number of rules in the lists of names in several groups.
    fn gathering_cost(&self, meaning: Meaning<'_>) -> usize {
        if meaning.agents.is_first_only() {
            return 0;
        }
        let rules = |name: &Name| meaning.group_matchers[name.group as usize].len() as usize;
        self.names
            .chunk_by(|a, b| meaning.are_same_name(a, b))
            .filter(|names| names.len() > 1)
            .flat_map(|names| names.iter().map(rules))
            .sum()
    }

    /// Lists the rules of `self.groups` in the order in which they are compared.
    fn gather(&mut self, meaning: Meaning<'_>) {
        let list = &mut self.list;
        list.clear();
        for &group in &self.groups {
            let range = meaning.group_matchers[group as usize];
            list.extend(range.of(self.entries.of_matchers()).iter().flatten());
        }
        list.sort_unstable();
        // The first of equal rules wins.
        let rules = self.entries.rules();
        list.dedup_by_key(|id| rules.entries[*id as usize].first_same);
    }

    /// Returns the digest of the verdicts of the current list.
    fn reduce(
        &mut self,
        comparison: Comparison,
        others: &[EntryId],
        budget: &mut usize,
    ) -> [u8; 20] {
        self.form.clear();
        let rules = self.entries.rules();
        let form = &mut self.form;
        self.reducer
            .form(rules, &self.list, others, comparison, budget, form);
        if form.is_empty() { NOTHING } else { sha1(form) }
    }

    fn list_alone(
        &mut self,
        meaning: Meaning<'_>,
        comparison: Comparison,
        budget: &mut usize,
    ) -> ListId {
        self.gather(meaning);
        let digest = self.reduce(comparison, &[], budget);
        self.push_list(digest, Span::default())
    }

    /// Stores the list for comparison with those of other names; equal lists are stored once.
    fn list_among_others(&mut self, meaning: Meaning<'_>) -> ListId {
        self.gather(meaning);
        // Lists beyond this number are not compared.
        let mut known = self.lists.iter().take(MOST_LISTS + 1);
        if let Some(list) = known.position(|list| list.stored.of(&self.stored) == self.list) {
            return self.note_list(list as ListId);
        }
        let start = self.stored.len();
        self.stored.extend_from_slice(&self.list);
        let stored = Span::new(start, self.stored.len());
        self.push_list(NOTHING, stored)
    }

    fn list_as_written(&mut self, meaning: Meaning<'_>) -> ListId {
        let groups = std::mem::take(&mut self.groups);
        let mut digests = vec![b'g'];
        for &group in &groups {
            self.groups.clear();
            self.groups.push(group);
            let list = self
                .list_of_one_group()
                .unwrap_or_else(|| self.list_alone(meaning, Comparison::None, &mut 0));
            digests.extend(self.lists[list as usize].digest);
        }
        self.groups = groups;
        self.list_of_one_group()
            .unwrap_or_else(|| self.push_list(sha1(&digests), Span::default()))
    }

    fn list_of_one_group(&self) -> Option<ListId> {
        match *self.groups {
            [group] => self.group_lists[group as usize],
            _ => None,
        }
    }

    fn push_list(&mut self, digest: [u8; 20], stored: Span) -> ListId {
        self.lists.push(List { digest, stored });
        self.note_list(self.lists.len() as ListId - 1)
    }

    fn note_list(&mut self, list: ListId) -> ListId {
        if let [group] = *self.groups {
            self.group_lists[group as usize] = Some(list);
        }
        list
    }

    /// Sets the digest of each stored list to that of its verdicts, alone and with the others.
    fn digest_stored_lists(&mut self, comparison: Comparison, budget: &mut usize) {
        let cost = self.lists.len() * self.stored.len();
        let comparison = if self.lists.len() > MOST_LISTS || cost > UNITE_BUDGET {
            Comparison::None
        } else {
            comparison
        };
        let mut others = std::mem::take(&mut self.others);
        self.all.clear();
        if comparison != Comparison::None {
            for (index, list) in (0..).zip(&self.lists) {
                let ids = list.stored.of(&self.stored);
                self.all.extend(ids.iter().map(|&id| (id, index)));
            }
            self.all.sort_unstable();
        }
        for at in 0..self.lists.len() {
            self.list.clear();
            self.list
                .extend_from_slice(self.lists[at].stored.of(&self.stored));
            others.clear();
            let foreign = self.all.iter().filter(|(_, list)| *list as usize != at);
            others.extend(foreign.map(|&(id, _)| id));
            others.dedup();
            self.lists[at].digest = self.reduce(comparison, &others, budget);
        }
        self.others = others;
    }

    fn write_file(&mut self, meaning: Meaning<'_>, wildcard: [u8; 20]) -> [u8; 20] {
        let lists = &self.lists;
        let digest = |name: &Name| lists[name.list as usize].digest;
        let token = |name: &Name| meaning.agents.token_of(name.line);
        if self.names.iter().all(|name| digest(name) == wildcard) {
            self.names.clear();
        } else if meaning.agents.is_every_name_applied() && wildcard == NOTHING {
            self.names.retain(|name| digest(name) != NOTHING);
        }
        if meaning.agents.is_group_order_relevant() {
            // The order of two names with equal lists has no effect.
            for same in self.names.chunk_by_mut(|a, b| digest(a) == digest(b)) {
                same.sort_unstable_by(|a, b| token(a).cmp(token(b)));
            }
        }
        self.file.clear();
        self.file.extend(wildcard);
        for name in &self.names {
            let token = token(name);
            self.file.extend((token.len() as u32).to_le_bytes());
            self.file.extend_from_slice(token);
            self.file.extend(digest(name));
        }
        sha1(&self.file)
    }
}
