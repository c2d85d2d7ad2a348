//! The table `errors`: one row for each finding on a line, or on a file as a whole. Findings on the
//! response that carried the file are rows of `response_errors`.

use super::{CaptureKey, CaptureKeys, Int32, Name, Text, as_i32, table, text::shortened};
use crate::robots::{dialect::Anomaly, lines::Field};

table! {
    /// one finding on a line of a file that is read, or on the whole file
    "errors": pub struct ErrorsBuilder {
        capture: CaptureKeys,
        /// line in the file, 1 for the first; NULL: the whole file
        line: Int32 [nullable, delta],
        /// what was found, as a code
        code: Name,
        /// info, warning or error: how likely its author means something else than crawlers do
        severity: Name,
        /// the text it is about, at most 200 bytes
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
        self.line.append(anomaly.line.map(as_i32));
        self.code.append(anomaly.code.as_str());
        self.severity.append(anomaly.code.severity().as_str());
        self.text
            .append(&shortened(anomaly.span.of(body), MAX_TEXT));
        self.meant.append(anomaly.meant.map(Field::as_str));
        let accepted_by: Vec<_> = anomaly.accepted_by.names().collect();
        let accepted_by = (!accepted_by.is_empty()).then(|| accepted_by.join(","));
        self.accepted_by.append(accepted_by);
        self.place_count.append(as_i32(anomaly.count));
    }
}
