//! Groups, rules and other records: which user-agent lines and rules belong together.

use std::ops::ControlFlow;

use super::{
    definition::GroupEnd,
    line::{DialectLine, Role},
};
use crate::{
    named::named,
    robots::lines::{Field, Span},
};

/// A run of user-agent lines and the rules that follow (RFC 9309 section 2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// The first user-agent line, from 1.
    pub line_first: u32,
    /// The last user-agent line, rule or other record of the group; a sitemap belongs to none.
    pub line_last: u32,
    /// Its user-agent lines, among [`RuleSet::agents`](super::RuleSet::agents).
    pub agents: Span,
    /// Its rules, among [`RuleSet::rules`](super::RuleSet::rules).
    pub rules: Span,
    /// How many of the rules are allows.
    pub allow_count: u32,
    /// How many of the rules are disallows.
    pub disallow_count: u32,
    /// Whether the dialect drops the group, as Python does at an empty line before any rule of it.
    /// It applies to no crawler.
    pub is_dropped: bool,
}

/// One user-agent line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgentLine {
    /// The group that it belongs to.
    pub group_index: u32,
    /// Its number, from 1.
    pub line: u32,
    /// The value as written, trimmed.
    pub value: Span,
    /// The part of the value that is compared with a crawler's token.
    pub token: Span,
    /// Whether it is for every crawler.
    pub is_wildcard: bool,
}

/// One allow or disallow line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The group that it belongs to; `None` outside any, where it has no effect.
    pub group_index: Option<u32>,
    /// Its number, from 1.
    pub line: u32,
    /// Whether it allows or disallows.
    pub kind: RuleKind,
    /// The value as written, trimmed.
    pub value: Span,
    /// Where its line begins in the body.
    pub byte_offset: u32,
    /// The normalized pattern in the memory of the rule set. Its length in bytes, special
    /// characters included, is its priority where the longest pattern wins.
    pub pattern: Span,
    /// Whether the pattern has a special `*`.
    pub has_wildcard: bool,
    /// Whether a special `$` ends the pattern.
    pub has_anchor: bool,
    /// Whether the pattern is the value as written, and has neither `%`, `*` nor `$`.
    pub(super) is_plain: bool,
}

named! {
    /// Whether a rule allows or disallows.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum RuleKind {
        /// It allows.
        Allow = "allow",
        /// It disallows.
        Disallow = "disallow",
    }
}

/// One directive that is neither user-agent, allow nor disallow (RFC 9309 section 2.2.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherRecord {
    /// The group that it is in; `None` outside any, and always for a sitemap.
    pub group_index: Option<u32>,
    /// The number of its line, from 1.
    pub line: u32,
    /// The field that its key names.
    pub field: Field,
    /// The key as written, trimmed.
    pub key: Span,
    /// The value as written, trimmed.
    pub value: Span,
}

/// The contents of a file, in its order.
#[derive(Clone, Debug, Default)]
pub(super) struct Structure {
    pub groups: Vec<Group>,
    pub agents: Vec<AgentLine>,
    pub rules: Vec<Rule>,
    pub records: Vec<OtherRecord>,
}

/// Builds a [`Structure`] from lines.
pub(super) struct StructureBuilder<'s> {
    structure: &'s mut Structure,
    group_end: GroupEnd,
    group: Option<u32>,
    /// Whether the list of user-agent lines is complete.
    has_rule: bool,
}

impl<'s> StructureBuilder<'s> {
    /// Clears a structure, whose memory is reused.
    pub fn new(structure: &'s mut Structure, group_end: GroupEnd) -> StructureBuilder<'s> {
        structure.groups.clear();
        structure.agents.clear();
        structure.rules.clear();
        structure.records.clear();
        StructureBuilder {
            structure,
            group_end,
            group: None,
            has_rule: false,
        }
    }

    /// Adds the next line. `agent` returns the token of a user-agent value and whether it is a
    /// wildcard; `pattern` sets the pattern of a rule, and may end the file.
    pub fn add(
        &mut self,
        line: DialectLine,
        agent: impl FnOnce(Span) -> (Span, bool),
        pattern: impl FnOnce(&mut Rule) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match line.role {
            Role::UserAgent => self.add_agent(line, agent),
            Role::Allow => return self.add_rule(line, RuleKind::Allow, pattern),
            Role::Disallow => return self.add_rule(line, RuleKind::Disallow, pattern),
            Role::Other => self.add_record(line),
            Role::BlankLine => self.end_at_blank_line(),
        }
        ControlFlow::Continue(())
    }

    /// Returns true if and only if a group is open.
    pub fn has_group(&self) -> bool {
        self.group.is_some()
    }

    /// Ends the file in the middle of a group, which is dropped.
    pub fn abandon(&mut self) -> ControlFlow<()> {
        if let Some(index) = self.group {
            self.structure.groups[index as usize].is_dropped = true;
        }
        ControlFlow::Break(())
    }

    /// Ends the file.
    pub fn finish(mut self) {
        if self.group_end == GroupEnd::PythonStates {
            self.drop_without_rule();
        }
    }

    fn add_agent(&mut self, line: DialectLine, agent: impl FnOnce(Span) -> (Span, bool)) {
        let (token, is_wildcard) = agent(line.value);
        let index = match self.group {
            Some(index) if !self.has_rule => index,
            _ => self.start_group(line.number),
        };
        self.structure.agents.push(AgentLine {
            group_index: index,
            line: line.number,
            value: line.value,
            token,
            is_wildcard,
        });
        let group = &mut self.structure.groups[index as usize];
        group.agents.end += 1;
        group.line_last = line.number;
    }

    fn start_group(&mut self, line: u32) -> u32 {
        let index = self.structure.groups.len() as u32;
        let empty_at = |len: usize| Span::from_indexes(len..len);
        self.structure.groups.push(Group {
            line_first: line,
            line_last: line,
            agents: empty_at(self.structure.agents.len()),
            rules: empty_at(self.structure.rules.len()),
            allow_count: 0,
            disallow_count: 0,
            is_dropped: false,
        });
        self.group = Some(index);
        self.has_rule = false;
        index
    }

    fn add_rule(
        &mut self,
        line: DialectLine,
        kind: RuleKind,
        pattern: impl FnOnce(&mut Rule) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        // A known field is a record, even where its key begins with the name of a rule.
        if !matches!(line.field, Field::Allow | Field::Disallow) {
            self.add_record(line);
        }
        let mut rule = Rule {
            group_index: self.group,
            line: line.number,
            kind,
            value: line.value,
            byte_offset: line.offset,
            pattern: Span::default(),
            has_wildcard: false,
            has_anchor: false,
            is_plain: false,
        };
        // A rule outside any group is in the tables, but has no effect, and so no error.
        let flow = pattern(&mut rule);
        if flow.is_break() && self.has_group() {
            return self.abandon();
        }
        self.structure.rules.push(rule);
        self.has_rule = true;
        if let Some(index) = self.group {
            let group = &mut self.structure.groups[index as usize];
            group.rules.end += 1;
            group.line_last = line.number;
            match kind {
                RuleKind::Allow => group.allow_count += 1,
                RuleKind::Disallow => group.disallow_count += 1,
            }
        }
        ControlFlow::Continue(())
    }

    fn add_record(&mut self, line: DialectLine) {
        let group_index = self.group.filter(|_| line.field != Field::Sitemap);
        self.structure.records.push(OtherRecord {
            group_index,
            line: line.number,
            field: line.field,
            key: line.key,
            value: line.value,
        });
        self.has_rule |= self.group_end == GroupEnd::AgentLineAfterField;
        if let Some(index) = group_index {
            self.structure.groups[index as usize].line_last = line.number;
            if self.group_end == GroupEnd::PythonStates
                && matches!(line.field, Field::CrawlDelay | Field::RequestRate)
            {
                self.has_rule = true;
            }
        }
    }

    fn end_at_blank_line(&mut self) {
        match self.group_end {
            GroupEnd::AgentLineAfterRule | GroupEnd::AgentLineAfterField => return,
            GroupEnd::BlankLine => {}
            GroupEnd::PythonStates => self.drop_without_rule(),
        }
        self.group = None;
    }

    fn drop_without_rule(&mut self) {
        if let Some(index) = self.group.filter(|_| !self.has_rule) {
            self.structure.groups[index as usize].is_dropped = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots::dialect::testing::compile;

    /// Renders each group as `first-last agents/allows/disallows`, and rules without a group as
    /// `-line`.
    fn outline(dialect: &str, body: &str) -> Vec<String> {
        let rules = compile(dialect, body.as_bytes());
        let groups = rules.groups().iter().enumerate().map(|(index, group)| {
            let mark = if group.is_dropped { "!" } else { "" };
            for agent in group.agents.of(rules.agents()) {
                assert_eq!(agent.group_index as usize, index);
            }
            for rule in group.rules.of(rules.rules()) {
                assert_eq!(rule.group_index, Some(index as u32));
            }
            assert_eq!(group.rules.len(), group.allow_count + group.disallow_count);
            format!(
                "{mark}{}-{} {}/{}/{}",
                group.line_first,
                group.line_last,
                group.agents.len(),
                group.allow_count,
                group.disallow_count
            )
        });
        let lone = rules
            .rules()
            .iter()
            .filter(|rule| rule.group_index.is_none());
        groups
            .chain(lone.map(|rule| format!("-{}", rule.line)))
            .collect()
    }

    macro_rules! outlines {
        ($($name:ident: $dialect:literal, $body:literal => [$($group:literal),*];)+) => {
            $(
                #[test]
                fn $name() {
                    assert_eq!(outline($dialect, $body), [$($group),*] as [&str; _]);
                }
            )+
        };
    }

    outlines! {
        a_rule_ends_the_list_of_agents: "google",
            "user-agent: a\nuser-agent: b\nallow: /\nuser-agent: c\ndisallow: /\n" =>
            ["1-3 2/1/0", "4-5 1/0/1"];
        other_lines_and_blank_lines_do_not: "google",
            "user-agent: a\nsitemap: x\n\ncrawl-delay: 1\nfoo: bar\n# x\nuser-agent: b\nallow: /" =>
            ["1-8 2/1/0"];
        rules_before_any_agent_have_no_group: "google",
            "allow: /\nuser-agent: a\nallow: /" => ["2-3 1/1/0", "-1"];
        a_sitemap_belongs_to_no_group: "google",
            "user-agent: a\nallow: /\nsitemap: x" => ["1-2 1/1/0"];
        a_crawl_delay_belongs_to_its_group: "google",
            "user-agent: a\nallow: /\ncrawl-delay: 1" => ["1-3 1/1/0"];
        a_blank_line_ends_a_group_for_baidu: "baidu",
            "user-agent: a\nallow: /\n \t\ndisallow: /\nuser-agent: b" => ["1-2 1/1/0", "5-5 1/0/0", "-4"];
        a_comment_is_not_a_blank_line: "original-1994",
            "user-agent: a\n# x\ndisallow: /" => ["1-3 1/0/1"];
        python_drops_agents_without_rules: "python",
            "user-agent: a\n\nuser-agent: b\ndisallow: /\n\nuser-agent: c" =>
            ["!1-1 1/0/0", "3-4 1/0/1", "!6-6 1/0/0"];
        an_empty_line_ends_a_group_for_python_and_a_blank_one_does_not: "python",
            "user-agent: a\n \ndisallow: /" => ["1-3 1/0/1"];
        python_counts_a_crawl_delay_as_a_rule: "python",
            "user-agent: a\ncrawl-delay: 1\nuser-agent: b\nallow: /" => ["1-2 1/0/0", "3-4 1/1/0"];
        python_stops_at_a_number_that_int_rejects: "python",
            "user-agent: a\nallow: /\ncrawl-delay: \u{b2}\n\nuser-agent: b\nallow: /" =>
            ["!1-2 1/1/0"];
        python_stops_at_a_value_that_urlparse_rejects: "python",
            "user-agent: a\nallow: /\n\nuser-agent: b\nallow: //[\n\nuser-agent: c\nallow: /" =>
            ["1-2 1/1/0", "!4-4 1/0/0"];
    }

    #[test]
    fn records_keep_key_value_and_group() {
        let body = b"Sitemap: s\nuser-agent: a\nCrawl-Delay : 1 \nfoo: \nDisallowAITraining: /";
        let rules = compile("google", body);
        let records: Vec<_> = rules
            .records()
            .iter()
            .map(|record| {
                let (key, value) = (record.key.of(body), record.value.of(body));
                (record.line, record.group_index, record.field, key, value)
            })
            .collect();
        assert_eq!(
            records,
            [
                (1, None, Field::Sitemap, &b"Sitemap"[..], &b"s"[..]),
                (3, Some(0), Field::CrawlDelay, b"Crawl-Delay", b"1"),
                (4, Some(0), Field::Unknown, b"foo", b""),
                (
                    5,
                    Some(0),
                    Field::DisallowAiTraining,
                    b"DisallowAITraining",
                    b"/"
                ),
            ]
        );
        // For google the last one is a rule as well, since its key begins with a rule's name.
        assert_eq!(rules.rules().len(), 1);
        assert!(compile("rfc9309", body).rules().is_empty());
    }
}
