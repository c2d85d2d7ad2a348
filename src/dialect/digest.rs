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

/// How many rules are sorted for lists of several groups before lists are told apart by their
/// groups' digests instead, which depends on how rules are split over groups. A file in which
/// thousands of agents stand in several long groups each would otherwise take hours.
const MERGE_BUDGET: usize = 1 << 18;

/// Scratch memory, reusable.
#[derive(Clone, Debug, Default)]
pub(super) struct Digester {
    /// Names with their groups, as ranges of the index's own list.
    names: Vec<(u32, u32)>,
    entries: Vec<u32>,
    group_digests: Vec<Option<[u8; 20]>>,
    groups: Vec<u32>,
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
        let mut sha1 = Sha1::new();

        let wildcard = meaning.agents.wildcard_groups();
        let speaks_for_all = self.gather(meaning, wildcard) > 0;
        sha1.update([u8::from(speaks_for_all)]);
        if speaks_for_all {
            sha1.update(self.rules_digest(meaning, wildcard, &mut budget));
        }

        let mut names = std::mem::take(&mut self.names);
        names.clear();
        names.extend(meaning.agents.names());
        let token = |line: u32| meaning.agents.token_of(line);
        names.sort_unstable_by(|a, b| token(a.0).cmp(token(b.0)).then(a.cmp(b)));
        if meaning.agents.is_group_order_kept() {
            // Only the first group of each name can ever speak, and the first of several does.
            names.dedup_by(|later, earlier| token(later.0) == token(earlier.0));
            names.sort_unstable_by(|a, b| a.1.cmp(&b.1).then_with(|| token(a.0).cmp(token(b.0))));
        }
        let mut groups = std::mem::take(&mut self.groups);
        for same in names.chunk_by(|a, b| token(a.0) == token(b.0)) {
            groups.clear();
            groups.extend(same.iter().map(|&(_, group)| group));
            groups.dedup();
            if meaning.agents.is_first_only() {
                groups.truncate(1);
            }
            let token = token(same[0].0);
            sha1.update((token.len() as u32).to_le_bytes());
            sha1.update(token);
            sha1.update(self.rules_digest(meaning, &groups, &mut budget));
        }
        self.groups = groups;
        self.names = names;
        sha1.finalize().into()
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
            let mut sha1 = Sha1::new();
            for group in groups {
                sha1.update(self.rules_digest(meaning, &[*group], budget));
            }
            return sha1.finalize().into();
        }
        *budget -= cost;
        self.gather(meaning, groups);
        self.entries_digest(meaning)
    }

    /// Lists the matchers of `groups` that count, and returns how many.
    fn gather(&mut self, meaning: Meaning<'_>, groups: &[u32]) -> usize {
        let text = |index: u32| meaning.matchers[index as usize].text.of(meaning.patterns);
        let kind = |index: u32| meaning.matchers[index as usize].kind;
        let entries = &mut self.entries;
        entries.clear();
        for &group in groups {
            let range = meaning.group_matchers[group as usize];
            entries.extend(range.start..range.end);
        }
        if meaning.has_rooted_paths {
            entries.retain(|&entry| matches!(text(entry).first(), None | Some(b'/' | b'*')));
        }
        if meaning.is_rule_order_kept {
            entries.sort_unstable_by(|&a, &b| text(a).cmp(text(b)).then(a.cmp(&b)));
            entries.dedup_by(|later, earlier| text(*later) == text(*earlier));
            entries.sort_unstable();
        } else {
            entries.retain(|&entry| !text(entry).is_empty());
            entries.sort_unstable_by(|&a, &b| {
                text(a).cmp(text(b)).then_with(|| kind(a).cmp(&kind(b)))
            });
            entries.dedup_by(|later, earlier| {
                let is_said = meaning.has_idle_disallows || kind(*later) == kind(*earlier);
                is_said && text(*later) == text(*earlier)
            });
        }
        entries.len()
    }

    fn entries_digest(&self, meaning: Meaning<'_>) -> [u8; 20] {
        let mut sha1 = Sha1::new();
        for &entry in &self.entries {
            let matcher = &meaning.matchers[entry as usize];
            let kind: &[u8] = match matcher.kind {
                RuleKind::Allow => b"a",
                RuleKind::Disallow => b"d",
            };
            sha1.update(kind);
            sha1.update(matcher.text.len().to_le_bytes());
            sha1.update(matcher.text.of(meaning.patterns));
        }
        sha1.finalize().into()
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
        a_wildcard_conflict_is_not_idle: "google-2019",
            "user-agent: a\nallow: /x*\ndisallow: /x*" != "user-agent: a\nallow: /x*";
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
