//! The table `flips` of a comparison: one row for each cell in which the sides differ.

use super::{CaptureKeys, Float64, Int32, Int64, KnownName, Name, Text, table};
use crate::robots::dialect::{Basis, Verdict};

table! {
    /// one flip: a cell in which baseline and candidate of a comparison differ
    "flips": pub struct FlipsBuilder {
        pub capture: CaptureKeys,
        /// SHA-1 of the body, base32, as in captures
        pub content_digest: Name,
        /// archive of the capture
        pub warc_filename: Name,
        /// offset of the capture's record in the archive
        pub warc_record_offset: Int64 [unit("bytes")],
        /// rank of the host in the list of ranks; NULL: it has none
        pub host_rank: Int32 [nullable],
        /// crawler that asks: its product tokens, joined by commas
        pub agent: Name,
        /// URL that it asks for: a path, or an absolute URL of the capture's origin; check needs an
        /// origin before a path that begins with //, which would name a host
        pub url: Text,
        /// how the verdict differs: disallow_to_allow, allow_to_disallow, and so on
        pub direction: KnownName,
        /// verdict of the baseline
        pub baseline_verdict: KnownName<Verdict>,
        /// what decided for the baseline, as in verdicts; NULL: an external parser does not tell
        pub baseline_basis: KnownName<Basis> [nullable],
        /// line that decided for the baseline; 0: none; NULL: not known
        pub baseline_line: Int32 [nullable],
        /// verdict of the candidate
        pub candidate_verdict: KnownName<Verdict>,
        /// what decided for the candidate; NULL: an external parser does not tell
        pub candidate_basis: KnownName<Basis> [nullable],
        /// line that decided for the candidate; 0: none; NULL: not known
        pub candidate_line: Int32 [nullable],
        /// verdict of the reference; NULL: there is none, or it gives none
        pub reference_verdict: KnownName<Verdict> [nullable],
        /// product of the weights of host, agent and URL; 1 without weights
        pub weight: Float64,
        /// cause of the flip, by its key in causes
        pub cause_id: Name,
    }
}

impl FlipsBuilder {
    /// Returns a builder without rows; `directions` are their names.
    pub fn new<'d>(directions: impl IntoIterator<Item = &'d str>) -> Self {
        Self {
            direction: KnownName::new(directions),
            ..Self::default()
        }
    }
}
