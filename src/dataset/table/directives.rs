//! The table `directives`: one row for each line of a field other than user-agent, allow and
//! disallow.
//!
//! Lines of an HTML page, or of anything else that is not text, have rows only where their field is
//! known; a query that wants none of them joins `captures` and filters by `NOT is_html`.

use bstr::ByteSlice;

use super::{Bool, CaptureKey, CaptureKeys, Float64, Int32, Name, Text, as_i32, table};
use crate::robots::{
    dialect::OtherRecord,
    lines::{Field, decimal, request_rate},
};

table! {
    /// one line of any other field: sitemap, crawl-delay, host, clean-param, unknown ones
    "directives": pub struct DirectivesBuilder {
        capture: CaptureKeys,
        /// group of the line, 0 for the first of the file; NULL: none
        group_index: Int32 [nullable],
        /// line in the file, 1 for the first
        line: Int32 [delta],
        /// field name, lower case, its spellings unified where it is known; unknown ones are those
        /// of text only, and captures.is_html tells pages of HTML
        key: Name,
        /// value as written
        value_raw: Text,
        /// the value where it is a number: of crawl-delay and request-rate (t/n) the seconds from
        /// one fetch to the next; NULL: it is none
        value_number: Float64 [nullable],
        /// whether a specification or a crawler defines the field
        is_known: Bool,
    }
}

impl DirectivesBuilder {
    /// Appends a line of the file `body`.
    pub fn append(&mut self, capture: CaptureKey<'_>, body: &[u8], record: &OtherRecord) {
        self.capture.append(capture);
        self.group_index.append(record.group_index.map(as_i32));
        self.line.append(as_i32(record.line));
        if record.field.is_known() {
            self.key.append(record.field.as_str());
        } else {
            let key = record.key.of(body).to_str_lossy();
            self.key.append(&key.to_ascii_lowercase());
        }
        let value = record.value.of(body);
        self.value_raw.append(&value.to_str_lossy());
        let number = match record.field {
            Field::RequestRate => request_rate(value),
            _ => decimal(value),
        };
        self.value_number.append(number);
        self.is_known.append(record.field.is_known());
    }
}
