//! The table `rules`: one row for each allow or disallow line.

use bstr::ByteSlice;

use super::{Bool, CaptureKey, CaptureKeys, Int32, KnownName, Text, as_i32, table};
use crate::robots::dialect::{Rule, RuleKind, RuleSet};

table! {
    /// one allow or disallow line, as the reference dialect reads the file
    "rules": pub struct RulesBuilder {
        capture: CaptureKeys,
        /// group of the line, 0 for the first of the file; NULL: none
        group_index: Int32 [nullable],
        /// line in the file, 1 for the first
        line: Int32 [delta],
        /// allow or disallow
        rule_kind: KnownName<RuleKind> [source("RFC 9309, 2.2.2")],
        /// path-pattern as written; NULL: as in pattern, so that coalesce(pattern_raw, pattern) is
        /// what the file has
        pattern_raw: Text [nullable, source("RFC 9309, 2.2")],
        /// path-pattern as the reference dialect compares it, escapes normalized; its octets,
        /// strlen(pattern), are its weight where the longest match wins
        pattern: Text [source("RFC 9309, 2.2.2")],
        /// whether it has a *
        has_wildcard: Bool [source("RFC 9309, 2.2.3")],
        /// whether a $ ends it
        has_anchor: Bool [source("RFC 9309, 2.2.3")],
    }
}

impl RulesBuilder {
    /// Appends rules of the file `body`, which are adjacent in `set`.
    pub fn append_all(
        &mut self,
        capture: CaptureKey<'_>,
        body: &[u8],
        set: &RuleSet,
        rules: &[Rule],
    ) {
        // Column by column: the capacity of each is looked at once, not for every rule.
        self.capture.append_n(capture, rules.len());
        self.group_index
            .extend_options(rules.iter().map(|rule| rule.group_index.map(as_i32)));
        self.line.extend(rules.iter().map(|rule| as_i32(rule.line)));
        self.rule_kind.extend(rules.iter().map(|rule| rule.kind));
        for rule in rules {
            let (raw, pattern) = (rule.value.of(body), set.pattern(rule));
            let text = pattern.to_str_lossy();
            self.pattern.append(&text);
            // Most patterns are written as they are compared.
            let raw_text = (raw != pattern).then(|| raw.to_str_lossy());
            let raw_text = raw_text.filter(|raw_text| *raw_text != text);
            self.pattern_raw.append(raw_text);
        }
        self.has_wildcard
            .extend(rules.iter().map(|rule| rule.has_wildcard));
        self.has_anchor
            .extend(rules.iter().map(|rule| rule.has_anchor));
    }
}
