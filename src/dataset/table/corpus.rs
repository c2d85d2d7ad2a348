//! The table that `corpus` writes: files over which parsers are compared again and again.

use super::{CaptureKey, Int64, Text, as_i64, bodies::BodiesBuilder, table};
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

impl CorpusBuilder {
    /// Appends a file with the numbers of its captures and hosts, and the reason.
    pub fn append(
        &mut self,
        capture: CaptureKey<'_>,
        (digest, body): (&Base32Digest, &[u8]),
        [captures, hosts]: [u64; 2],
        reason: &str,
    ) {
        self.file.append(capture, digest, body);
        self.captures.append(as_i64(captures));
        self.hosts.append(as_i64(hosts));
        self.reason.append(reason);
    }
}
