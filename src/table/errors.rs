//! The table `errors`: one row for each finding on a line or on a file as a whole, and for each
//! finding on the response that carried it.
//!
//! The findings on responses are in this table, so that one query ranks all findings, and since a
//! response may have any number of them. Their codes are `record_cut` and those that begin with
//! `http_` ([`ResponseCode`]); no code of a line or file does. They have neither line nor offset,
//! and captures of any status may have some, while all others are of files that are read.

use super::{
    as_i32,
    column::{CaptureKey, CaptureKeys, Int32, Int64, Name, Text},
    schema::table,
    text::shortened,
};
use crate::{capture::ResponseCode, dialect::Anomaly, robots::Field};

table! {
    /// one finding on a line, in a file that is read, or on the response that carried it
    "errors": pub struct ErrorsBuilder {
        capture: CaptureKeys,
        /// line in the file, 1 for the first; NULL: the whole file or its response
        line: Int32 [nullable, delta],
        /// offset in the body; NULL: a finding on the response
        byte_offset: Int64 [nullable, unit("bytes"), delta],
        /// what was found, as a code; http_* and record_cut are findings on the response, all
        /// others on the file
        code: Name,
        /// info, warning or error: how likely its author means something else than crawlers do
        severity: Name,
        /// the text it is about, at most 200 bytes; of a finding on the response: a sentence that
        /// describes it
        text: Text [dictionary],
        /// the field that a misspelt one stands for
        meant: Name [nullable],
        /// dialects that read the line all the same, separated by commas
        accepted_by: Name [nullable],
        /// places in the file where it is so, for what is reported once a file
        place_count: Int32 [unit("places")],
    }
}

/// The largest length of the text in a row, in bytes.
const MAX_TEXT: usize = 200;

impl ErrorsBuilder {
    /// Appends an anomaly of the file `body`.
    pub fn append(&mut self, capture: CaptureKey<'_>, body: &[u8], anomaly: &Anomaly) {
        self.capture.append(capture);
        self.line.append_option(anomaly.line.map(as_i32));
        self.byte_offset.append(i64::from(anomaly.span.start));
        self.code.append(anomaly.code.as_str());
        self.severity.append(anomaly.code.severity().as_str());
        self.text
            .append(&shortened(anomaly.span.of(body), MAX_TEXT));
        self.meant.append_option(anomaly.meant.map(Field::as_str));
        if anomaly.accepted_by.is_empty() {
            self.accepted_by.append_option(None);
        } else {
            let names: Vec<_> = anomaly.accepted_by.names().collect();
            self.accepted_by.append(&names.join(","));
        }
        self.place_count.append(as_i32(anomaly.count));
    }

    /// Appends a finding on the response.
    pub fn append_response(&mut self, capture: CaptureKey<'_>, code: ResponseCode) {
        self.capture.append(capture);
        self.line.append_option(None);
        self.byte_offset.append_option(None);
        self.code.append(code.as_str());
        self.severity.append(code.severity());
        self.text.append(code.sentence());
        self.meant.append_option(None);
        self.accepted_by.append_option(None);
        self.place_count.append(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::AnomalyCode;

    #[test]
    fn codes_tell_findings_on_responses_from_those_on_files() {
        let is_of_response = |code: &str| code.starts_with("http_") || code == "record_cut";
        let of_files = AnomalyCode::ALL.iter().map(|code| code.as_str());
        assert!(ResponseCode::all().all(|code| is_of_response(code.as_str())));
        assert!(of_files.into_iter().all(|code| !is_of_response(code)));
    }
}
