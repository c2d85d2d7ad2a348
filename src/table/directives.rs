//! The table `directives`: one row for each line of a field other than user-agent, allow and disallow.

use std::sync::Arc;

use arrow_array::{
    RecordBatch,
    builder::{BooleanBuilder, Float64Builder, Int32Builder, StringBuilder},
};
use arrow_schema::SchemaRef;
use bstr::ByteSlice;

use super::{
    as_i32,
    column::{CaptureKey, Keys, Repeated},
    schema::{CAPTURE_ID, GROUP_INDEX, Kind, LINE, Table, URL_HOST_NAME, optional, required},
};
use crate::dialect::OtherRecord;

/// The table as data.
pub const TABLE: Table = Table {
    name: "directives",
    about: "one line of any other field: sitemap, crawl-delay, host, clean-param, unknown ones",
    columns: &[
        CAPTURE_ID,
        URL_HOST_NAME,
        GROUP_INDEX,
        LINE,
        required("key_raw", Kind::Name, "field name as written"),
        required(
            "key",
            Kind::Name,
            "field name, lower case, its spellings unified where it is known",
        ),
        required("value_raw", Kind::Text, "value as written"),
        optional(
            "value_number",
            Kind::Float64,
            "value as a number, where it is one: seconds of a crawl-delay",
        ),
        required(
            "is_known",
            Kind::Bool,
            "whether some specification or crawler defines the field",
        ),
    ],
};

/// Builds rows of `directives`.
#[derive(Debug)]
pub struct Builder {
    schema: SchemaRef,
    keys: Keys,
    group_index: Int32Builder,
    line: Int32Builder,
    key_raw: Repeated,
    key: Repeated,
    value_raw: StringBuilder,
    value_number: Float64Builder,
    is_known: BooleanBuilder,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            schema: TABLE.schema(),
            keys: Keys::default(),
            group_index: Int32Builder::new(),
            line: Int32Builder::new(),
            key_raw: Repeated::default(),
            key: Repeated::default(),
            value_raw: StringBuilder::new(),
            value_number: Float64Builder::new(),
            is_known: BooleanBuilder::new(),
        }
    }
}

impl Builder {
    /// Appends a line of the file `body`.
    pub fn append(&mut self, capture: CaptureKey<'_>, body: &[u8], record: &OtherRecord) {
        self.keys.append(capture);
        self.group_index
            .append_option(record.group_index.map(as_i32));
        self.line.append_value(as_i32(record.line));
        let key = record.key.of(body).to_str_lossy();
        self.key_raw.append(Some(&key));
        if record.field.is_known() {
            self.key.append(Some(record.field.as_str()));
        } else {
            self.key.append(Some(&key.to_ascii_lowercase()));
        }
        let value = record.value.of(body);
        self.value_raw.append_value(value.to_str_lossy());
        self.value_number.append_option(number(value));
        self.is_known.append_value(record.field.is_known());
    }

    /// Returns the rows appended since the last call.
    pub fn finish(&mut self) -> RecordBatch {
        let [ids, hosts] = self.keys.finish();
        let columns: Vec<arrow_array::ArrayRef> = vec![
            ids,
            hosts,
            Arc::new(self.group_index.finish()),
            Arc::new(self.line.finish()),
            self.key_raw.finish(),
            self.key.finish(),
            Arc::new(self.value_raw.finish()),
            Arc::new(self.value_number.finish()),
            Arc::new(self.is_known.finish()),
        ];
        super::batch(&self.schema, columns)
    }

    /// Returns the number of rows appended since the last call of [`Builder::finish`].
    pub fn n_rows(&self) -> usize {
        self.keys.len()
    }
}

/// Returns a value as a number, if it is nothing but an unsigned decimal one such as `10` or `0.5`.
pub fn number(value: &[u8]) -> Option<f64> {
    let is_plain = value.iter().all(|b| b.is_ascii_digit() || *b == b'.');
    let text = std::str::from_utf8(value).ok().filter(|_| is_plain)?;
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn only_plain_decimals_are_numbers() {
        assert_eq!(number(b"10"), Some(10.0));
        assert_eq!(number(b"0.5"), Some(0.5));
        for text in ["", ".", "-1", "1e9", "inf", "1,0", "10 s", "1.2.3"] {
            assert_eq!(number(text.as_bytes()), None, "{text}");
        }
    }
}
