//! The table `errors`: one row for each odd thing on a line, in a file or in the response that
//! carried it.

use std::sync::Arc;

use arrow_array::{
    RecordBatch,
    types::{Int32Type, Int64Type},
};
use arrow_schema::SchemaRef;

use super::{
    as_i32,
    column::{CaptureKey, Keys, Numbers, Repeated, Texts},
    schema::{CAPTURE_ID, Kind, Table, URL_HOST_NAME, optional, required},
    text::shortened,
};
use crate::{capture::ResponseCode, dialect::Anomaly, robots::Field};

/// The table as data.
pub const TABLE: Table = Table {
    name: "errors",
    about: "one odd thing on a line, in a file that is read, or in the response that carried it",
    columns: &[
        CAPTURE_ID,
        URL_HOST_NAME,
        optional(
            "line",
            Kind::Int32,
            "line in the file, 1 for the first; NULL: the whole file or its response",
        ),
        optional(
            "byte_offset",
            Kind::Int64,
            "offset in the body; NULL: the response",
        )
        .unit("bytes"),
        required("code", Kind::Name, "what is odd, as a code"),
        required(
            "severity",
            Kind::Name,
            "info, warning or error: how likely its author means something else than crawlers do",
        ),
        required(
            "text",
            Kind::Text,
            "the text it is about, at most 200 bytes; what concerns the response: a sentence that says it",
        ),
        optional(
            "meant",
            Kind::Name,
            "the field that a misspelt one stands for",
        ),
        optional(
            "accepted_by",
            Kind::Name,
            "dialects that read the line all the same, separated by commas",
        ),
        required(
            "place_count",
            Kind::Int32,
            "places in the file where it is so, for what is reported once a file",
        )
        .unit("places"),
    ],
};

/// Bytes of text that a row shows.
const MAX_TEXT: usize = 200;

/// Builds rows of `errors`.
#[derive(Debug)]
pub struct Builder {
    schema: SchemaRef,
    keys: Keys,
    line: Numbers<Int32Type>,
    byte_offset: Numbers<Int64Type>,
    code: Repeated,
    severity: Repeated,
    text: Texts,
    meant: Repeated,
    accepted_by: Repeated,
    place_count: Numbers<Int32Type>,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            schema: TABLE.schema(),
            keys: Keys::default(),
            line: Numbers::default(),
            byte_offset: Numbers::default(),
            code: Repeated::default(),
            severity: Repeated::default(),
            text: Texts::default(),
            meant: Repeated::default(),
            accepted_by: Repeated::default(),
            place_count: Numbers::default(),
        }
    }
}

impl Builder {
    /// Appends an anomaly of the file `body`.
    pub fn append(&mut self, capture: CaptureKey<'_>, body: &[u8], anomaly: &Anomaly) {
        self.keys.append(capture);
        self.line.append_option(anomaly.line.map(as_i32));
        self.byte_offset.append(i64::from(anomaly.span.start));
        self.code.append(Some(anomaly.code.as_str()));
        self.severity.append(Some(anomaly.code.severity().as_str()));
        self.text
            .append(&shortened(anomaly.span.of(body), MAX_TEXT));
        self.meant.append(anomaly.meant.map(Field::as_str));
        if anomaly.accepted_by.is_empty() {
            self.accepted_by.append(None);
        } else {
            let names: Vec<_> = anomaly.accepted_by.names().collect();
            self.accepted_by.append(Some(&names.join(",")));
        }
        self.place_count.append(as_i32(anomaly.count));
    }

    /// Appends something odd about the response.
    pub fn append_response(&mut self, capture: CaptureKey<'_>, code: ResponseCode) {
        self.keys.append(capture);
        self.line.append_option(None);
        self.byte_offset.append_option(None);
        self.code.append(Some(code.as_str()));
        self.severity.append(Some(code.severity()));
        self.text.append(code.sentence());
        self.meant.append(None);
        self.accepted_by.append(None);
        self.place_count.append(1);
    }

    /// Returns the rows appended since the last call.
    pub fn finish(&mut self) -> RecordBatch {
        let [ids, hosts] = self.keys.finish();
        let columns: Vec<arrow_array::ArrayRef> = vec![
            ids,
            hosts,
            Arc::new(self.line.finish()),
            Arc::new(self.byte_offset.finish()),
            self.code.finish(),
            self.severity.finish(),
            Arc::new(self.text.finish()),
            self.meant.finish(),
            self.accepted_by.finish(),
            Arc::new(self.place_count.finish()),
        ];
        super::batch(&self.schema, columns)
    }

    /// Returns the number of rows appended since the last call of [`Builder::finish`].
    pub fn n_rows(&self) -> usize {
        self.keys.len()
    }
}
