//! The table `flips` of a comparison: one row for each cell in which the sides differ.

use super::{
    as_i32, as_i64,
    column::{CaptureKey, CaptureKeys, Float64, Int32, Int64, KnownName, Name, Text},
    schema::table,
};
use crate::robots::dialect::{Basis, Verdict};

table! {
    /// one flip: a cell in which baseline and candidate of a comparison differ
    "flips": pub struct FlipsBuilder {
        capture: CaptureKeys,
        /// SHA-1 of the body, base32, as in captures
        content_digest: Name,
        /// archive of the capture
        warc_filename: Name,
        /// offset of the capture's record in the archive
        warc_record_offset: Int64 [unit("bytes")],
        /// rank of the host in the list of ranks; NULL: it has none
        host_rank: Int32 [nullable],
        /// crawler that asks: its product tokens, joined by commas
        agent: Name,
        /// URL that it asks for: a path, or an absolute URL of the capture's origin; check needs an
        /// origin before a path that begins with //, which would name a host
        url: Text,
        /// how the verdict differs: disallow_to_allow, allow_to_disallow, and so on
        direction: KnownName,
        /// verdict of the baseline
        baseline_verdict: KnownName<Verdict>,
        /// what decided for the baseline, as in verdicts; NULL: an external parser does not tell
        baseline_basis: KnownName<Basis> [nullable],
        /// line that decided for the baseline; 0: none; NULL: not known
        baseline_line: Int32 [nullable],
        /// verdict of the candidate
        candidate_verdict: KnownName<Verdict>,
        /// what decided for the candidate; NULL: an external parser does not tell
        candidate_basis: KnownName<Basis> [nullable],
        /// line that decided for the candidate; 0: none; NULL: not known
        candidate_line: Int32 [nullable],
        /// verdict of the reference; NULL: there is none, or it gives none
        reference_verdict: KnownName<Verdict> [nullable],
        /// product of the weights of host, agent and URL; 1 without weights
        weight: Float64,
        /// cause of the flip, by its key in causes
        cause_id: Name,
    }
}

/// One row, without the keys of its capture. Fields without a comment are the columns of the same
/// name.
#[derive(Clone, Copy, Debug)]
pub struct FlipRow<'a> {
    pub content_digest: &'a str,
    pub warc_filename: &'a str,
    pub warc_record_offset: u64,
    pub host_rank: Option<u32>,
    pub agent: &'a str,
    pub url: &'a str,
    /// The index of the direction among the names of the builder.
    pub direction: usize,
    /// The answer of the baseline.
    pub baseline: SideAnswer,
    /// The answer of the candidate.
    pub candidate: SideAnswer,
    /// See the column `reference_verdict`.
    pub reference: Option<Verdict>,
    pub weight: f64,
    pub cause_id: &'a str,
}

/// The answer of one side.
#[derive(Clone, Copy, Debug)]
pub struct SideAnswer {
    /// The verdict.
    pub verdict: Verdict,
    /// What decided, where that is known.
    pub basis: Option<Basis>,
    /// The line that decided; 0 for none, `None` where it is not known.
    pub line: Option<u32>,
}

impl FlipsBuilder {
    /// Returns a builder without rows; `directions` are their names.
    pub fn new<'d>(directions: impl IntoIterator<Item = &'d str>) -> Self {
        Self {
            direction: KnownName::new(directions),
            ..Self::default()
        }
    }

    /// Appends a flip.
    pub fn append(&mut self, capture: CaptureKey<'_>, row: &FlipRow<'_>) {
        self.capture.append(capture);
        self.content_digest.append(row.content_digest);
        self.warc_filename.append(row.warc_filename);
        self.warc_record_offset
            .append(as_i64(row.warc_record_offset));
        self.host_rank.append_option(row.host_rank.map(as_i32));
        self.agent.append(row.agent);
        self.url.append(row.url);
        self.direction.append(row.direction);
        let (before, after) = (row.baseline, row.candidate);
        self.baseline_verdict.append(before.verdict);
        self.baseline_basis.append_n(before.basis, 1);
        self.baseline_line.append_option(before.line.map(as_i32));
        self.candidate_verdict.append(after.verdict);
        self.candidate_basis.append_n(after.basis, 1);
        self.candidate_line.append_option(after.line.map(as_i32));
        self.reference_verdict.append_n(row.reference, 1);
        self.weight.append(row.weight);
        self.cause_id.append(row.cause_id);
    }
}
