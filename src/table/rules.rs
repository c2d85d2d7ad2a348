//! The table `rules`: one row for each allow or disallow line, as the reference dialect reads a file.

use std::sync::Arc;

use arrow_array::{
    RecordBatch,
    builder::{BooleanBuilder, Int32Builder, Int64Builder, StringBuilder},
};
use arrow_schema::SchemaRef;
use bstr::ByteSlice;

use super::{
    as_i32,
    column::{CaptureKey, Keys, Known},
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
    group_index: Int32Builder,
    line: Int32Builder,
    byte_offset: Int64Builder,
    rule_kind: Known,
    pattern_raw: StringBuilder,
    pattern: StringBuilder,
    pattern_octets: Int32Builder,
    has_wildcard: BooleanBuilder,
    has_anchor: BooleanBuilder,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            schema: TABLE.schema(),
            keys: Keys::default(),
            group_index: Int32Builder::new(),
            line: Int32Builder::new(),
            byte_offset: Int64Builder::new(),
            rule_kind: Known::new([RuleKind::Allow, RuleKind::Disallow].map(RuleKind::as_str)),
            pattern_raw: StringBuilder::new(),
            pattern: StringBuilder::new(),
            pattern_octets: Int32Builder::new(),
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
        self.line.append_value(as_i32(rule.line));
        self.byte_offset.append_value(i64::from(rule.byte_offset));
        self.rule_kind.append(match rule.kind {
            RuleKind::Allow => 0,
            RuleKind::Disallow => 1,
        });
        self.pattern_raw
            .append_value(rule.value.of(body).to_str_lossy());
        self.pattern.append_value(pattern.to_str_lossy());
        self.pattern_octets
            .append_value(as_i32(rule.pattern_octets));
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
}
