//! The table that `corpus` writes: files over which parsers are compared again and again.

use super::{
    CaptureKey, as_i64,
    bodies::BodiesBuilder,
    column::{Int64, Text},
    schema::table,
};
use crate::digest::Base32Digest;

table! {
    /// one robots.txt of a corpus, by the first capture that has it; not a table of a dataset but
    /// the output of robocensus corpus, and an input of compare
    "corpus": pub struct CorpusBuilder {
        file: BodiesBuilder,
        /// captures of the dataset that have these bytes: what the file weighs in compare
        captures: Int64,
        /// hosts of these captures; above 28,672 an estimate
        hosts: Int64,
        /// why the file is in the corpus: a trait of which it is the example, or sample
        reason: Text,
    }
}

/// One row, without the keys of its capture.
#[derive(Clone, Copy, Debug)]
pub struct CorpusRow<'a> {
    /// See the column of the same name.
    pub content_digest: &'a Base32Digest,
    /// See the column of the same name.
    pub body: &'a [u8],
    /// See the column of the same name.
    pub captures: u64,
    /// See the column of the same name.
    pub hosts: u64,
    /// See the column of the same name.
    pub reason: &'a str,
}

impl CorpusBuilder {
    /// Appends a file.
    pub fn append(&mut self, capture: CaptureKey<'_>, row: &CorpusRow<'_>) {
        self.file.append(capture, row.content_digest, row.body);
        self.captures.append(as_i64(row.captures));
        self.hosts.append(as_i64(row.hosts));
        self.reason.append(row.reason);
    }
}
