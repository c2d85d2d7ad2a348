//! The semantic digest: one value for all that groups and rules decide.
//!
//! It is the SHA-1 of a normal form of a compiled rule set from which every verdict under the
//! dialect follows. Hence two files with the same digest give the same verdict to every agent (a
//! crawler with several tokens too) for every URL, unless SHA-1 collides; the lines that decide may
//! differ. Different digests prove only that the normal forms differ: rules are left out only where
//! the literal prefixes of their patterns decide that they can change no verdict (`reduce`).
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
#[cfg(test)]
mod properties;
mod reduce;

use std::ops::Range;

use self::{
    entry::{Entries, EntryId, head},
    reduce::{Reducer, Weight, write_rule},
};
use super::{agent::AgentIndex, group::RuleKind, matcher::Matcher};
use crate::{digest::sha1, robots::lines::Span};

/// The most rules that are gathered for names in several groups. Beyond it names are distinguished
/// by the digests of their groups, in which all rules count as written: a file with thousands of
/// agents in several long groups each would otherwise take hours.
const GATHER_BUDGET: usize = 1 << 18;

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
    /// The rules of the lists.
    stored: Vec<EntryId>,
    /// The rules that are compared with each other.
    all: Vec<EntryId>,
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

impl Meaning<'_> {
    /// Returns whether rank alone decides between two rules, so that rules can be compared. It does
    /// not where a `*` may leave a verdict undefined, for which an allow and a disallow must match.
    fn are_rules_compared(self) -> bool {
        let is_any = |is: fn(&Matcher) -> bool| self.matchers.iter().any(is);
        self.is_first_rule_decisive
            || !self.may_be_undefined
            || !is_any(|rule| rule.has_wildcard)
            || !is_any(|rule| rule.kind == RuleKind::Allow)
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
        let are_compared = meaning.are_rules_compared();
        self.entries.rebuild(meaning, are_compared);
        self.lists.clear();
        self.stored.clear();
        self.group_lists.clear();
        self.group_lists.resize(meaning.group_matchers.len(), None);

        self.groups.clear();
        self.groups.extend(&meaning.agents.wildcard_groups);
        let wildcard = self.store_list(meaning, are_compared) as usize;
        self.digest_lists(wildcard..wildcard + 1, are_compared);
        // A name with the same rules may be united with others.
        self.group_lists.fill(None);

        self.sort_names(meaning);
        let may_gather = self.gathering_cost(meaning) <= GATHER_BUDGET;
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
            if meaning.agents.is_first_only {
                self.groups.truncate(1);
            }
            self.names[at].list = match (self.list_of_one_group(), may_gather) {
                (Some(list), _) => list,
                (None, true) => self.store_list(meaning, are_compared),
                (None, false) => self.list_as_written(meaning),
            };
            at = end;
        }
        self.names
            .dedup_by(|later, earlier| meaning.are_same_name(later, earlier));
        let lists = wildcard + 1..self.lists.len();
        if may_gather && meaning.agents.is_united() {
            self.digest_lists(lists, are_compared);
        } else if may_gather {
            lists.for_each(|at| self.digest_lists(at..at + 1, are_compared));
        }
        self.write_file(meaning, self.lists[wildcard].digest)
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
        if meaning.agents.is_first_only {
            return 0;
        }
        let rules = |name: &Name| meaning.group_matchers[name.group as usize].len() as usize;
        self.names
            .chunk_by(|a, b| meaning.are_same_name(a, b))
            .filter(|names| names.len() > 1)
            .flat_map(|names| names.iter().map(rules))
            .sum()
    }

    /// Lists the rules of `self.groups` in the order in which they are compared, without those that
    /// never decide.
    fn gather(&mut self, meaning: Meaning<'_>, are_compared: bool) {
        let list = &mut self.list;
        list.clear();
        for &group in &self.groups {
            let range = meaning.group_matchers[group as usize];
            list.extend(range.of(&self.entries.of_matchers).iter().flatten());
        }
        list.sort_unstable();
        // The first of equal rules wins.
        let rules = self.entries.rules();
        list.dedup_by_key(|id| rules.entries[*id as usize].first_same);
        if are_compared {
            self.reducer.drop_outranked(rules, list);
        }
    }

    /// Stores the rules of `self.groups`.
    fn store_list(&mut self, meaning: Meaning<'_>, are_compared: bool) -> ListId {
        self.gather(meaning, are_compared);
        let start = self.stored.len();
        self.stored.extend_from_slice(&self.list);
        let stored = Span::from_indexes(start..self.stored.len());
        self.push_list(NOTHING, stored)
    }

    fn list_as_written(&mut self, meaning: Meaning<'_>) -> ListId {
        let groups = std::mem::take(&mut self.groups);
        let mut digests = vec![b'g'];
        for &group in &groups {
            self.groups.clear();
            self.groups.push(group);
            let list = self.list_of_one_group().unwrap_or_else(|| {
                let list = self.store_list(meaning, false);
                self.digest_lists(list as usize..list as usize + 1, false);
                list
            });
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
        let id = self.lists.len() as ListId;
        self.lists.push(List { digest, stored });
        if let [group] = *self.groups {
            self.group_lists[group as usize] = Some(id);
        }
        id
    }

    /// Sets the digests of stored lists, several of which may apply to one crawler.
    fn digest_lists(&mut self, lists: Range<usize>, are_compared: bool) {
        let rules = self.entries.rules();
        if are_compared {
            unite(&self.lists[lists.clone()], &self.stored, &mut self.all);
            self.reducer.compare(rules, &self.all);
            for list in &mut self.lists[lists.clone()] {
                let stored = &mut self.stored[list.stored.indexes()];
                let n_left = self.reducer.drop_idle(rules, stored, &self.all);
                list.stored.end = list.stored.start + n_left as u32;
            }
            unite(&self.lists[lists.clone()], &self.stored, &mut self.all);
            self.reducer.compare(rules, &self.all);
        }
        for list in &mut self.lists[lists] {
            let stored = list.stored.of(&self.stored);
            self.form.clear();
            if are_compared {
                self.reducer.write(rules, stored, &self.all, &mut self.form);
            } else {
                for &id in stored {
                    let rule = &rules.entries[id as usize];
                    let weight = Weight::AsWritten(rule.priority, rule.has_wildcard);
                    write_rule(&mut self.form, rule, rules.texts, weight);
                }
            }
            list.digest = match &self.form[..] {
                [] => NOTHING,
                form => sha1(form),
            };
        }
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

/// Lists the rules of several lists, each once.
fn unite(lists: &[List], stored: &[EntryId], all: &mut Vec<EntryId>) {
    all.clear();
    all.extend(lists.iter().flat_map(|list| list.stored.of(stored)));
    all.sort_unstable();
    all.dedup();
}
