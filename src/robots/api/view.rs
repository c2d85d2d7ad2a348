//! The parts of a file with their text.

use std::borrow::Cow;

use crate::robots::{
    dialect::{Anomaly, AnomalyCode, DialectSet, Group, OtherRecord, Rule, RuleKind, RuleSet},
    lines::Field,
    signal::{Statement, Vocabulary},
};

/// A run of user-agent lines and the rules that follow (RFC 9309, section 2.1).
#[derive(Clone, Copy, Debug)]
pub struct GroupRef<'r> {
    body: &'r [u8],
    rules: &'r RuleSet,
    index: u32,
}

/// One user-agent line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AgentLineRef<'r> {
    /// The number of the line, from 1.
    pub line: u32,
    /// The value as written, trimmed.
    pub value: &'r [u8],
    /// The part of the value that is compared with a crawler's token, as written.
    pub token: &'r [u8],
    /// Whether it is for every crawler.
    pub is_wildcard: bool,
}

/// One allow or disallow line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RuleRef<'r> {
    /// The group to which the rule belongs, counted from 0; `None` outside any, where it has no
    /// effect.
    pub group_index: Option<u32>,
    /// The number of the line, from 1.
    pub line: u32,
    /// Whether it allows or disallows.
    pub kind: RuleKind,
    /// The value as written, trimmed.
    pub value: &'r [u8],
    /// The path-pattern as it is compared; its length is its priority where the longest wins.
    pub pattern: &'r [u8],
    /// Whether the pattern has a special `*`.
    pub has_wildcard: bool,
    /// Whether a special `$` ends the pattern.
    pub has_anchor: bool,
}

/// One line whose field is neither user-agent, allow nor disallow (RFC 9309, section 2.2.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordRef<'r> {
    /// The group of the line, counted from 0; `None` outside any, and always for a
    /// sitemap.
    pub group_index: Option<u32>,
    /// The number of the line, from 1.
    pub line: u32,
    /// The field that the key names.
    pub field: Field,
    /// The key as written, trimmed.
    pub key: &'r [u8],
    /// The value as written, trimmed.
    pub value: &'r [u8],
}

/// One statement on use or license.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SignalRef<'r> {
    /// The group of the line, counted from 0; `None` outside any.
    pub group_index: Option<u32>,
    /// The number of the line, from 1.
    pub line: u32,
    /// The vocabulary of the statement.
    pub vocabulary: Vocabulary,
    /// The path-pattern that the statement is about; `None` for everything.
    pub path: Option<&'r [u8]>,
    /// The key, where the value is a list.
    pub key: Option<Cow<'r, [u8]>>,
    /// What is stated: the key's value, a URL, or the text that could not be parsed.
    pub value: Option<Cow<'r, [u8]>>,
    /// Whether the statement has the form of its vocabulary; one that has not states nothing.
    pub is_valid: bool,
}

/// Something wrong or unusual in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FindingRef<'r> {
    /// What it is; [`AnomalyCode::sentence`] explains it, and [`AnomalyCode::severity`] rates
    /// it.
    pub code: AnomalyCode,
    /// The number of the line, from 1; `None` for the whole file.
    pub line: Option<u32>,
    /// The offset of [`FindingRef::text`] in the body.
    pub byte_offset: u32,
    /// The bytes concerned.
    pub text: &'r [u8],
    /// The field that was probably meant, where the key is wrong.
    pub meant: Option<Field>,
    /// How many occurrences are reported together; 1 unless the code is reported once for a file
    /// or a group, or more than 1,000 times.
    pub count: u32,
    accepted_by: DialectSet,
}

impl<'r> GroupRef<'r> {
    pub(super) fn new(body: &'r [u8], rules: &'r RuleSet, index: u32) -> Self {
        Self { body, rules, index }
    }

    /// Returns the index of the group in its file, from 0.
    pub fn index(&self) -> u32 {
        self.index
    }

    /// Returns the number of the first user-agent line, from 1.
    pub fn line_first(&self) -> u32 {
        self.group().line_first
    }

    /// Returns the number of the last line that belongs to the group, from 1.
    pub fn line_last(&self) -> u32 {
        self.group().line_last
    }

    /// Returns the user-agent lines, in the order of the file.
    pub fn agents(&self) -> impl ExactSizeIterator<Item = AgentLineRef<'r>> + use<'r> {
        let body = self.body;
        let agents = self.group().agents.of(self.rules.agents());
        agents.iter().map(|line| AgentLineRef {
            line: line.line,
            value: line.value.of(body),
            token: line.token.of(body),
            is_wildcard: line.is_wildcard,
        })
    }

    /// Returns the rules, in the order of the file.
    pub fn rules(&self) -> impl ExactSizeIterator<Item = RuleRef<'r>> + use<'r> {
        let (body, rules) = (self.body, self.rules);
        let of_group = self.group().rules.of(rules.rules());
        of_group.iter().map(|rule| RuleRef::new(body, rules, rule))
    }

    /// Returns whether the dialect drops the group, as Python does with one that has no rule before
    /// an empty line. It then applies to no crawler.
    pub fn is_dropped(&self) -> bool {
        self.group().is_dropped
    }

    fn group(&self) -> &'r Group {
        &self.rules.groups()[self.index as usize]
    }
}

impl<'r> RuleRef<'r> {
    pub(super) fn new(body: &'r [u8], rules: &'r RuleSet, rule: &Rule) -> Self {
        Self {
            group_index: rule.group_index,
            line: rule.line,
            kind: rule.kind,
            value: rule.value.of(body),
            pattern: rules.pattern(rule),
            has_wildcard: rule.has_wildcard,
            has_anchor: rule.has_anchor,
        }
    }
}

impl<'r> RecordRef<'r> {
    pub(super) fn new(body: &'r [u8], record: &OtherRecord) -> Self {
        Self {
            group_index: record.group_index,
            line: record.line,
            field: record.field,
            key: record.key.of(body),
            value: record.value.of(body),
        }
    }
}

impl<'r> SignalRef<'r> {
    pub(super) fn new(
        record: &RecordRef<'r>,
        vocabulary: Vocabulary,
        statement: Statement<'r>,
    ) -> Self {
        Self {
            group_index: record.group_index,
            line: record.line,
            vocabulary,
            path: statement.path,
            key: statement.key,
            value: statement.value,
            is_valid: statement.is_sound,
        }
    }
}

impl<'r> FindingRef<'r> {
    pub(super) fn new(body: &'r [u8], anomaly: &Anomaly) -> Self {
        Self {
            code: anomaly.code,
            line: anomaly.line,
            byte_offset: anomaly.span.start,
            text: anomaly.span.of(body),
            meant: anomaly.meant,
            count: anomaly.count,
            accepted_by: anomaly.accepted_by,
        }
    }

    /// Returns the names of the built-in dialects in which the line, or the file, counts all the
    /// same.
    pub fn accepted_by(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.accepted_by.names()
    }
}
