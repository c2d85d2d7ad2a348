//! The table `rules`: one row for each allow or disallow line, as the reference dialect reads a
//! file.

use std::sync::Arc;

use arrow_array::{
    RecordBatch,
    builder::BooleanBuilder,
    types::{Int32Type, Int64Type},
};
use arrow_schema::SchemaRef;
use bstr::ByteSlice;

use super::{
    as_i32,
    column::{CaptureKey, Keys, Known, Numbers, Texts},
    schema::{CAPTURE_ID, GROUP_INDEX, Kind, LINE, Table, URL_HOST_NAME, required},
};
use crate::dialect::{Rule, RuleKind};

/// The table as data.
pub const TABLE: Table = Table {
    name: "rules",
    about: "one allow or disallow line, as the reference dialect reads the file",
    columns: &[
        CAPTURE_ID,
        URL_HOST_NAME,
        GROUP_INDEX,
        LINE,
        required("byte_offset", Kind::Int64, "offset of the line in the body").unit("bytes"),
        required("rule_kind", Kind::Name, "allow or disallow").source("RFC 9309, 2.2.2"),
        required("pattern_raw", Kind::Text, "path-pattern as written").source("RFC 9309, 2.2"),
        required(
            "pattern",
            Kind::Text,
            "path-pattern as the reference dialect compares it, escapes normalized",
        )
        .source("RFC 9309, 2.2.2"),
        required(
            "pattern_octets",
            Kind::Int32,
            "length of that pattern: its weight where the longest match wins",
        )
        .unit("octets")
        .source("RFC 9309, 2.2.2"),
        required("has_wildcard", Kind::Bool, "whether it has a *").source("RFC 9309, 2.2.3"),
        required("has_anchor", Kind::Bool, "whether a $ ends it").source("RFC 9309, 2.2.3"),
    ],
};

/// Builds rows of `rules`.
#[derive(Debug)]
pub struct Builder {
    schema: SchemaRef,
    keys: Keys,
    group_index: Numbers<Int32Type>,
    line: Numbers<Int32Type>,
    byte_offset: Numbers<Int64Type>,
    rule_kind: Known,
    pattern_raw: Texts,
    pattern: Texts,
    pattern_octets: Numbers<Int32Type>,
    has_wildcard: BooleanBuilder,
    has_anchor: BooleanBuilder,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            schema: TABLE.schema(),
            keys: Keys::default(),
            group_index: Numbers::default(),
            line: Numbers::default(),
            byte_offset: Numbers::default(),
            rule_kind: Known::new([RuleKind::Allow, RuleKind::Disallow].map(RuleKind::as_str)),
            pattern_raw: Texts::default(),
            pattern: Texts::default(),
            pattern_octets: Numbers::default(),
            has_wildcard: BooleanBuilder::new(),
            has_anchor: BooleanBuilder::new(),
        }
    }
}

impl Builder {
    /// Appends a rule of the file `body` with its normalized pattern.
    pub fn append(&mut self, capture: CaptureKey<'_>, body: &[u8], rule: &Rule, pattern: &[u8]) {
        self.keys.append(capture);
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
        // Where nothing was to be normalized, as with most, the text is known to be UTF-8.
        if pattern == raw {
            self.pattern.append(&raw_text);
        } else {
            self.pattern.append(&pattern.to_str_lossy());
        }
        self.pattern_octets.append(as_i32(rule.pattern_octets));
        self.has_wildcard.append_value(rule.has_wildcard);
        self.has_anchor.append_value(rule.has_anchor);
    }

    /// Returns the rows appended since the last call.
    pub fn finish(&mut self) -> RecordBatch {
        let [ids, hosts] = self.keys.finish();
        let columns: Vec<arrow_array::ArrayRef> = vec![
            ids,
            hosts,
            Arc::new(self.group_index.finish()),
            Arc::new(self.line.finish()),
            Arc::new(self.byte_offset.finish()),
            self.rule_kind.finish(),
            Arc::new(self.pattern_raw.finish()),
            Arc::new(self.pattern.finish()),
            Arc::new(self.pattern_octets.finish()),
            Arc::new(self.has_wildcard.finish()),
            Arc::new(self.has_anchor.finish()),
        ];
        super::batch(&self.schema, columns)
    }

    /// Returns the number of rows appended since the last call of [`Builder::finish`].
    pub fn n_rows(&self) -> usize {
        self.keys.len()
    }

    /// Returns the bytes of the texts appended since the last call of [`Builder::finish`] that a
    /// file may make as long as it is.
    pub fn n_bytes(&self) -> usize {
        self.pattern_raw.n_bytes() + self.pattern.n_bytes()
    }
}
