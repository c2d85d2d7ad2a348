//! The table `parser_faults` of a comparison: one row for each fault of an external parser.

use super::{
    column::{Float64, Int64, KnownName, Name, Text},
    schema::table,
};

/// The sides of a comparison, and the reference.
pub(crate) const SIDES: [&str; 3] = ["baseline", "candidate", "reference"];

table! {
    /// one fault of an external parser in a comparison, which cost a file answers
    "parser_faults": pub struct ParserFaultsBuilder {
        /// side at fault: baseline, candidate or reference
        side: KnownName,
        /// first capture of the file that it was asked about; NULL: not known
        capture_id: Int64 [nullable],
        /// host of that capture
        url_host_name: Name [nullable],
        /// SHA-1 of the body, base32, as in captures
        content_digest: Name [nullable],
        /// kind of fault: exited, timed_out, invalid_answer, answer_too_long, wrong_count,
        /// repeated_answer, unknown_id, unstable_answer: a verdict changed when it was asked again
        kind: Name,
        /// time that the parser had taken for the file
        milliseconds: Float64 [unit("milliseconds")],
        /// one sentence: what was expected, what was found
        message: Text,
    }
}

/// One row. Fields without a comment are the columns of the same name.
#[derive(Clone, Copy, Debug)]
pub struct ParserFaultRow<'a> {
    /// The side, by its index: 0 for the baseline.
    pub side: usize,
    /// The capture, its host and its digest, where they are known.
    pub capture: Option<(i64, &'a str, &'a str)>,
    pub kind: &'a str,
    pub milliseconds: f64,
    pub message: &'a str,
}

impl ParserFaultsBuilder {
    /// Returns a builder without rows.
    pub fn new() -> Self {
        Self {
            side: KnownName::new(SIDES),
            ..Self::default()
        }
    }

    /// Appends a fault.
    pub fn append(&mut self, row: &ParserFaultRow<'_>) {
        self.side.append(row.side);
        self.capture_id
            .append_option(row.capture.map(|(id, ..)| id));
        self.url_host_name
            .append_option(row.capture.map(|(_, host, _)| host));
        self.content_digest
            .append_option(row.capture.map(|(.., digest)| digest));
        self.kind.append(row.kind);
        self.milliseconds.append(row.milliseconds);
        self.message.append(row.message);
    }
}
