//! One value for everything that groups and rules mean.
//!
//! Enters: a compiled rule set. Leaves: a digest that is equal for files whose groups and rules say
//! the same under the dialect.
//!
//! Comments, white space, the letter case of fields, rules said twice, rules without effect, the
//! splitting of one agent's rules over groups (where the dialect merges them) and the order of
//! groups do not count, nor does an agent's letter case where the dialect ignores it. The order of
//! rules counts where the first match wins, and the order of groups where a user-agent may be part
//! of another one's name and the first group wins. A group that names an agent counts even
//! without rules, since it keeps the agent from the rules for everyone; a group for everyone does
//! not. Other records do not count.

use sha1::{Digest, Sha1};

use super::{
    agent::AgentIndex,
    group::{Range32, RuleKind},
    matcher::Matcher,
};
use crate::robots::short_word;

/// How many rules are sorted for lists of several groups before lists are told apart by their
/// groups' digests instead, which depends on how rules are split over groups. A file in which
/// thousands of agents stand in several long groups each would otherwise take hours.
const MERGE_BUDGET: usize = 1 << 18;

/// Scratch memory, reusable.
#[derive(Clone, Debug, Default)]
pub(super) struct Digester {
    names: Vec<Name>,
    entries: Vec<Entry>,
    group_digests: Vec<Option<[u8; 20]>>,
    groups: Vec<u32>,
    /// What is digested of the file, and of one list of rules.
    file: Vec<u8>,
    list: Vec<u8>,
}

/// A user-agent line that can name a crawler.
#[derive(Clone, Copy, Debug)]
struct Name {
    head: u64,
    line: u32,
    group: u32,
}

/// A matcher that counts.
#[derive(Clone, Copy, Debug)]
struct Entry {
    head: u64,
    matcher: u32,
}

/// What of a rule set is digested.
#[derive(Clone, Copy)]
pub(super) struct Meaning<'r> {
    pub agents: &'r AgentIndex,
    pub matchers: &'r [Matcher],
    pub group_matchers: &'r [Range32],
    pub patterns: &'r [u8],
    /// Whether the first matching rule wins.
    pub is_rule_order_kept: bool,
    /// Whether an allow makes a disallow with the same pattern idle.
    pub has_idle_disallows: bool,
    /// Whether every path begins with a slash, so that a pattern that begins with another byte than
    /// `/` or `*` matches none.
    pub has_rooted_paths: bool,
}

impl Digester {
    /// Returns the digest.
    pub fn digest(&mut self, meaning: Meaning<'_>) -> [u8; 20] {
        self.group_digests.clear();
        self.group_digests
            .resize(meaning.group_matchers.len(), None);
        let mut budget = MERGE_BUDGET;
        let mut file = std::mem::take(&mut self.file);
        file.clear();

        let wildcard = meaning.agents.wildcard_groups();
        let speaks_for_all = meaning
            .matchers_of(wildcard)
            .any(|(_, matcher)| meaning.counts(matcher));
        file.push(u8::from(speaks_for_all));
        if speaks_for_all {
            file.extend(self.rules_digest(meaning, wildcard, &mut budget));
        }

        let mut names = std::mem::take(&mut self.names);
        let token = |name: &Name| meaning.agents.token_of(name.line);
        names.clear();
        names.extend(meaning.agents.names().map(|(line, group)| Name {
            head: head(meaning.agents.token_of(line)),
            line,
            group,
        }));
        let by_token = |a: &Name, b: &Name| {
            let order = a.head.cmp(&b.head);
            order.then_with(|| token(a).cmp(token(b)))
        };
        names.sort_unstable_by(|a, b| by_token(a, b).then(a.line.cmp(&b.line)));
        if meaning.agents.is_group_order_kept() {
            // Only the first group of each name can ever speak, and the first of several does.
            names.dedup_by(|later, earlier| by_token(later, earlier).is_eq());
            names.sort_unstable_by(|a, b| a.group.cmp(&b.group).then_with(|| by_token(a, b)));
        }
        let mut groups = std::mem::take(&mut self.groups);
        for same in names.chunk_by(|a, b| by_token(a, b).is_eq()) {
            groups.clear();
            groups.extend(same.iter().map(|name| name.group));
            groups.dedup();
            if meaning.agents.is_first_only() {
                groups.truncate(1);
            }
            let token = token(&same[0]);
            file.extend((token.len() as u32).to_le_bytes());
            file.extend_from_slice(token);
            file.extend(self.rules_digest(meaning, &groups, &mut budget));
        }
        let digest = sha1(&file);
        self.groups = groups;
        self.names = names;
        self.file = file;
        digest
    }

    fn rules_digest(
        &mut self,
        meaning: Meaning<'_>,
        groups: &[u32],
        budget: &mut usize,
    ) -> [u8; 20] {
        if let [group] = *groups {
            if let Some(digest) = self.group_digests[group as usize] {
                return digest;
            }
            self.gather(meaning, groups);
            let digest = self.entries_digest(meaning);
            self.group_digests[group as usize] = Some(digest);
            return digest;
        }
        let cost = groups
            .iter()
            .map(|&group| meaning.group_matchers[group as usize].len() as usize)
            .sum::<usize>();
        if cost > *budget {
            let mut digests = Vec::with_capacity(20 * groups.len());
            for group in groups {
                digests.extend(self.rules_digest(meaning, &[*group], budget));
            }
            return sha1(&digests);
        }
        *budget -= cost;
        self.gather(meaning, groups);
        self.entries_digest(meaning)
    }

    /// Lists the matchers of `groups` that count.
    fn gather(&mut self, meaning: Meaning<'_>, groups: &[u32]) {
        let text = |entry: &Entry| meaning.text(&meaning.matchers[entry.matcher as usize]);
        let kind = |entry: &Entry| meaning.matchers[entry.matcher as usize].kind;
        let by_text = |a: &Entry, b: &Entry| {
            let order = a.head.cmp(&b.head);
            order.then_with(|| text(a).cmp(text(b)))
        };
        let entries = &mut self.entries;
        entries.clear();
        let counted = meaning
            .matchers_of(groups)
            .filter(|(_, matcher)| meaning.counts(matcher));
        entries.extend(counted.map(|(index, matcher)| Entry {
            head: head(meaning.text(matcher)),
            matcher: index,
        }));
        if meaning.is_rule_order_kept {
            entries.sort_unstable_by(|a, b| by_text(a, b).then(a.matcher.cmp(&b.matcher)));
            entries.dedup_by(|later, earlier| by_text(later, earlier).is_eq());
            entries.sort_unstable_by_key(|entry| entry.matcher);
        } else {
            entries.sort_unstable_by(|a, b| by_text(a, b).then_with(|| kind(a).cmp(&kind(b))));
            entries.dedup_by(|later, earlier| {
                let is_said = meaning.has_idle_disallows || kind(later) == kind(earlier);
                is_said && by_text(later, earlier).is_eq()
            });
        }
    }

    fn entries_digest(&mut self, meaning: Meaning<'_>) -> [u8; 20] {
        self.list.clear();
        for entry in &self.entries {
            let matcher = &meaning.matchers[entry.matcher as usize];
            self.list.push(match matcher.kind {
                RuleKind::Allow => b'a',
                RuleKind::Disallow => b'd',
            });
            self.list.extend(matcher.text.len().to_le_bytes());
            self.list.extend_from_slice(meaning.text(matcher));
        }
        sha1(&self.list)
    }
}

impl<'r> Meaning<'r> {
    /// Returns the matchers of some groups with their indexes.
    fn matchers_of(self, groups: &'r [u32]) -> impl Iterator<Item = (u32, &'r Matcher)> {
        let ranges = groups
            .iter()
            .map(move |&group| self.group_matchers[group as usize]);
        ranges.flat_map(move |range| (range.start..).zip(range.of(self.matchers)))
    }

    fn text(self, matcher: &Matcher) -> &'r [u8] {
        matcher.text.of(self.patterns)
    }

    /// Returns true if and only if a matcher can match a path, and so that it matters.
    fn counts(self, matcher: &Matcher) -> bool {
        match self.text(matcher).first() {
            None => self.is_rule_order_kept,
            Some(b'/' | b'*') => true,
            Some(_) => !self.has_rooted_paths,
        }
    }
}

fn sha1(bytes: &[u8]) -> [u8; 20] {
    Sha1::digest(bytes).into()
}

/// Returns the first bytes of a text as a number: where two differ, they are in the order of the texts.
fn head(text: &[u8]) -> u64 {
    match text.first_chunk() {
        Some(&bytes) => u64::from_be_bytes(bytes),
        None => short_word(text).swap_bytes(),
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        dialect::{RuleSet, builtin},
        robots::{RobotsTxt, parse},
    };

    fn digest(dialect: &str, body: &str) -> [u8; 20] {
        let spec = builtin(dialect).expect("the dialect is built in");
        let mut robots = RobotsTxt::new();
        parse(body.as_bytes(), &mut robots);
        let mut rules = RuleSet::new();
        rules.compile(&spec, body.as_bytes(), &robots);
        rules.semantic_digest()
    }

    macro_rules! digests {
        ($($name:ident: $dialect:literal, $a:literal $op:tt $b:literal;)+) => {
            $(
                #[test]
                fn $name() {
                    assert!(digest($dialect, $a) $op digest($dialect, $b));
                }
            )+
        };
    }

    digests! {
        comments_blanks_and_case_do_not_count: "google",
            "User-agent: A\nDisallow: /x\n" == "# hi\r\n\r\nUSER-AGENT :a # b\r\n\r\ndisallow:/x";
        the_order_of_groups_does_not_count: "google",
            "user-agent: a\ndisallow: /x\nuser-agent: b\ndisallow: /y" ==
            "user-agent: b\ndisallow: /y\nuser-agent: a\ndisallow: /x";
        a_rule_said_twice_counts_once: "google",
            "user-agent: a\ndisallow: /x\ndisallow: /x" == "user-agent: a\ndisallow: /x";
        merged_groups_are_one: "google",
            "user-agent: a\ndisallow: /x\nuser-agent: a\ndisallow: /y" ==
            "user-agent: a\ndisallow: /y\ndisallow: /x";
        shared_groups_are_as_good_as_own_ones: "google",
            "user-agent: a\nuser-agent: b\ndisallow: /x" ==
            "user-agent: b\ndisallow: /x\nuser-agent: a\ndisallow: /x";
        google_does_not_keep_the_order_of_rules: "google",
            "user-agent: a\nallow: /x\ndisallow: /y" == "user-agent: a\ndisallow: /y\nallow: /x";
        baidu_keeps_the_order_of_rules: "baidu",
            "user-agent: a\nallow: /x\ndisallow: /y" != "user-agent: a\ndisallow: /y\nallow: /x";
        baidu_keeps_the_first_of_equal_patterns: "baidu",
            "user-agent: a\nallow: /x\ndisallow: /x" == "user-agent: a\nallow: /x";
        baidu_reads_the_first_group_only: "baidu",
            "user-agent: a\ndisallow: /x\nuser-agent: a\ndisallow: /y" ==
            "user-agent: a\ndisallow: /x";
        python_keeps_the_order_of_groups: "python",
            "user-agent: a\ndisallow: /x\n\nuser-agent: ab\ndisallow: /y" !=
            "user-agent: ab\ndisallow: /y\n\nuser-agent: a\ndisallow: /x";
        an_allow_makes_its_disallow_idle: "google",
            "user-agent: a\nallow: /x\ndisallow: /x" == "user-agent: a\nallow: /x";
        a_wildcard_conflict_is_not_idle: "google-legacy",
            "user-agent: a\nallow: /*x\ndisallow: /*x" != "user-agent: a\nallow: /*x";
        an_allow_that_is_as_long_makes_its_disallow_idle: "google-2019",
            "user-agent: a\nallow: /*x\ndisallow: /*x" == "user-agent: a\nallow: /*x";
        stars_at_the_end_do_not_count_where_they_are_dropped: "google-2019",
            "user-agent: a\ndisallow: /x**" == "user-agent: a\ndisallow: /x";
        case_counts_where_the_dialect_says_so: "google-2019",
            "user-agent: A\ndisallow: /x" != "user-agent: a\ndisallow: /x";
        the_kind_of_a_rule_counts: "google",
            "user-agent: a\nallow: /x" != "user-agent: a\ndisallow: /x";
        the_agent_counts: "google",
            "user-agent: a\ndisallow: /x" != "user-agent: b\ndisallow: /x";
        a_named_group_without_rules_counts: "google",
            "user-agent: a" != "";
        a_group_for_everyone_without_rules_does_not: "google",
            "user-agent: *\ndisallow:" == "sitemap: http://a/";
        rules_outside_groups_do_not_count: "google",
            "disallow: /x" == "";
        a_pattern_that_no_path_can_begin_with_does_not_count: "google",
            "user-agent: a\ndisallow: /x\ndisallow: y\nallow: $" == "user-agent: a\ndisallow: /x";
        nor_does_it_before_a_rule_that_counts: "baidu-table",
            "user-agent: a\ndisallow: $" != "user-agent: a\ndisallow: /$";
        python_may_ask_for_a_path_without_a_slash: "python",
            "user-agent: a\ndisallow: y" != "user-agent: a\ndisallow:";
        patterns_do_not_run_together: "google",
            "user-agent: *\ndisallow: /a\ndisallow: /b" != "user-agent: *\ndisallow: /ad/b";
    }
}
