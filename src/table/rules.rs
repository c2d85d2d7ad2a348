//! The table `rules`: one row for each allow or disallow line.

use bstr::ByteSlice;

use super::{
    as_i32,
    column::{Bool, CaptureKey, CaptureKeys, Int32, Int64, KnownName, Text},
    schema::table,
};
use crate::dialect::{Rule, RuleKind};

table! {
    /// one allow or disallow line, as the reference dialect reads the file
    "rules": pub struct RulesBuilder {
        capture: CaptureKeys,
        /// group of the line, 0 for the first of the file; NULL: none
        group_index: Int32 [nullable],
        /// line in the file, 1 for the first
        line: Int32 [delta],
        /// offset of the line in the body
        byte_offset: Int64 [unit("bytes"), delta],
        /// allow or disallow
        rule_kind: KnownName [source("RFC 9309, 2.2.2")],
        /// path-pattern as written
        pattern_raw: Text [source("RFC 9309, 2.2")],
        /// path-pattern as the reference dialect compares it, escapes normalized
        pattern: Text [source("RFC 9309, 2.2.2")],
        /// length of that pattern: its weight where the longest match wins
        pattern_octets: Int32 [unit("octets"), source("RFC 9309, 2.2.2"), dictionary],
        /// whether it has a *
        has_wildcard: Bool [source("RFC 9309, 2.2.3")],
        /// whether a $ ends it
        has_anchor: Bool [source("RFC 9309, 2.2.3")],
    }
}

impl RulesBuilder {
    /// Returns a builder without rows.
    pub fn new() -> Self {
        Self {
            rule_kind: KnownName::new([RuleKind::Allow, RuleKind::Disallow].map(RuleKind::as_str)),
            ..Self::default()
        }
    }

    /// Appends a rule of the file `body` with its normalized pattern.
    pub fn append(&mut self, capture: CaptureKey<'_>, body: &[u8], rule: &Rule, pattern: &[u8]) {
        self.capture.append(capture);
        self.group_index.append_option(rule.group_index.map(as_i32));
        self.line.append(as_i32(rule.line));
        self.byte_offset.append(i64::from(rule.byte_offset));
        self.rule_kind.append(match rule.kind {
            RuleKind::Allow => 0,
            RuleKind::Disallow => 1,
        });
        let raw = rule.value.of(body);
        let raw_text = raw.to_str_lossy();
        self.pattern_raw.append(&raw_text);
        // Most patterns are normalized as written, and need not be checked to be UTF-8 again.
        if pattern == raw {
            self.pattern.append(&raw_text);
        } else {
            self.pattern.append(&pattern.to_str_lossy());
        }
        self.pattern_octets.append(as_i32(rule.pattern_octets));
        self.has_wildcard.append(rule.has_wildcard);
        self.has_anchor.append(rule.has_anchor);
    }
}
