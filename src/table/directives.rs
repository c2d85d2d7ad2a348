//! The table `directives`: one row for each line of a field other than user-agent, allow and
//! disallow.
//!
//! Lines of a page of HTML, or of anything else that is no text, have rows only where their field
//! is known; a query that wants none of them joins `captures` and asks for `NOT is_html`.

use std::sync::Arc;

use arrow_array::{
    RecordBatch,
    builder::BooleanBuilder,
    types::{Float64Type, Int32Type},
};
use arrow_schema::SchemaRef;
use bstr::ByteSlice;

use super::{
    as_i32,
    column::{CaptureKey, Keys, Numbers, Repeated, Texts},
    schema::{CAPTURE_ID, GROUP_INDEX, Kind, LINE, Table, URL_HOST_NAME, optional, required},
};
use crate::{
    dialect::OtherRecord,
    robots::{Field, TimeRange, decimal, request_rate, time_range},
};

/// The table as data.
pub const TABLE: Table = Table {
    name: "directives",
    about: "one line of any other field: sitemap, crawl-delay, host, clean-param, unknown ones",
    columns: &[
        CAPTURE_ID,
        URL_HOST_NAME,
        GROUP_INDEX,
        LINE,
        required("key_raw", Kind::Name, "field name as written; unknown ones are those of text only, and captures.is_html tells pages of HTML"),
        required(
            "key",
            Kind::Name,
            "field name, lower case, its spellings unified where it is known",
        ),
        required("value_raw", Kind::Text, "value as written"),
        optional(
            "value_number",
            Kind::Float64,
            "the value where it is a number: of crawl-delay and request-rate (t/n) the seconds from one fetch to the next; NULL: it is none",
        ),
        optional(
            "value_minute_from",
            Kind::Int32,
            "beginning of the time of day of visit-time and request-rate; NULL: none",
        )
        .unit("minutes after midnight UTC"),
        optional(
            "value_minute_to",
            Kind::Int32,
            "end of that time of day, which is past midnight where it is less than the beginning; NULL: none",
        )
        .unit("minutes after midnight UTC"),
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
    group_index: Numbers<Int32Type>,
    line: Numbers<Int32Type>,
    key_raw: Repeated,
    key: Repeated,
    value_raw: Texts,
    value_number: Numbers<Float64Type>,
    value_minute_from: Numbers<Int32Type>,
    value_minute_to: Numbers<Int32Type>,
    is_known: BooleanBuilder,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            schema: TABLE.schema(),
            keys: Keys::default(),
            group_index: Numbers::default(),
            line: Numbers::default(),
            key_raw: Repeated::default(),
            key: Repeated::default(),
            value_raw: Texts::default(),
            value_number: Numbers::default(),
            value_minute_from: Numbers::default(),
            value_minute_to: Numbers::default(),
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
        self.line.append(as_i32(record.line));
        let key = record.key.of(body).to_str_lossy();
        self.key_raw.append(Some(&key));
        if record.field.is_known() {
            self.key.append(Some(record.field.as_str()));
        } else {
            self.key.append(Some(&key.to_ascii_lowercase()));
        }
        let value = record.value.of(body);
        self.value_raw.append(&value.to_str_lossy());
        let (number, hours) = typed(record.field, value);
        self.value_number.append_option(number);
        self.value_minute_from
            .append_option(hours.map(|hours| i32::from(hours.from)));
        self.value_minute_to
            .append_option(hours.map(|hours| i32::from(hours.to)));
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
            Arc::new(self.value_minute_from.finish()),
            Arc::new(self.value_minute_to.finish()),
            Arc::new(self.is_known.finish()),
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
        self.key_raw.n_bytes() + self.key.n_bytes() + self.value_raw.n_bytes()
    }
}

/// Returns a value as the number and the time of day that it is.
fn typed(field: Field, value: &[u8]) -> (Option<f64>, Option<TimeRange>) {
    match field {
        Field::RequestRate => {
            let rate = request_rate(value);
            let seconds = rate.map(|rate| rate.seconds_per_fetch);
            (seconds, rate.and_then(|rate| rate.hours))
        }
        Field::VisitTime => (None, time_range(value)),
        _ => (decimal(value), None),
    }
}
