//! The table `timings` of a comparison: the files that took an external parser longest.

use super::{
    as_i32,
    column::{CaptureKey, CaptureKeys, Float64, Int32, KnownName, Name},
    parser_faults::SIDES,
    schema::table,
};

table! {
    /// one of the thousand files that took an external parser of a comparison longest, the slowest
    /// first; dialects are not timed
    "timings": pub struct TimingsBuilder {
        /// side that was asked: baseline or candidate
        side: KnownName,
        capture: CaptureKeys,
        /// SHA-1 of the body, base32, as in captures
        content_digest: Name,
        /// size of the body
        content_length: Int32 [unit("bytes")],
        /// agents and URLs that were asked about
        queries: Int32,
        /// time from the request, or the answer before it, to the answer
        milliseconds: Float64 [unit("milliseconds")],
    }
}

/// One row, without the keys of its capture. Fields without a comment are the columns of the same
/// name.
#[derive(Clone, Copy, Debug)]
pub struct TimingRow<'a> {
    /// The side, by its index: 0 for the baseline.
    pub side: usize,
    pub content_digest: &'a str,
    pub content_length: usize,
    pub queries: usize,
    pub milliseconds: f64,
}

impl TimingsBuilder {
    /// Returns a builder without rows.
    pub fn new() -> Self {
        Self {
            side: KnownName::new(SIDES),
            ..Self::default()
        }
    }

    /// Appends a file.
    pub fn append(&mut self, capture: CaptureKey<'_>, row: &TimingRow<'_>) {
        self.side.append(row.side);
        self.capture.append(capture);
        self.content_digest.append(row.content_digest);
        self.content_length.append(as_i32(row.content_length));
        self.queries.append(as_i32(row.queries));
        self.milliseconds.append(row.milliseconds);
    }
}
