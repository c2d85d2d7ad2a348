//! The table `causes` of a comparison: one row for each cause of flips.

use super::{
    as_i32, as_i64,
    column::{Bool, Float64, Int32, Int64, KnownName, Text},
    flips::SideAnswer,
    schema::table,
};
use crate::robots::dialect::Verdict;

table! {
    /// one cause of flips in a comparison, the largest first
    "causes": pub struct CausesBuilder {
        /// key of the cause, equal in every comparison that finds it
        cause_id: Text,
        /// answers of the baseline, as robocensus dialects names them, that must change to give the
        /// candidate's verdict: choice=answer, joined by spaces; or unexplained: and a fingerprint
        /// of the smallest example and of the answers around it
        changes: Text,
        /// flips from disallow to allow
        disallow_to_allow: Int64,
        /// flips from allow to disallow
        allow_to_disallow: Int64,
        /// flips from disallow to undefined
        disallow_to_undefined: Int64,
        /// flips from undefined to allow
        undefined_to_allow: Int64,
        /// flips from allow to undefined
        allow_to_undefined: Int64,
        /// flips from undefined to disallow
        undefined_to_disallow: Int64,
        /// flips of which the candidate has the verdict of the reference; NULL: there is none
        towards_reference: Int64 [nullable],
        /// flips of which the baseline has it
        away_from_reference: Int64 [nullable],
        /// flips of which neither has it
        between_other_verdicts: Int64 [nullable],
        /// flips about which the reference gives no verdict
        no_reference_verdict: Int64 [nullable],
        /// captures with a flip of this cause
        captures: Int64,
        /// distinct bodies with one
        files: Int64,
        /// distinct hosts with one; above 28,672 an estimate
        hosts: Int64,
        /// flips of this cause: rows of flips
        cells: Int64,
        /// sum of the weights of these flips
        weight: Float64,
        /// body of the smallest example found, which both sides were asked about
        example_robots_txt: Text,
        /// crawler of the example
        example_agent: Text,
        /// URL of the example
        example_url: Text,
        /// verdict of the baseline on the example
        baseline_verdict: KnownName<Verdict>,
        /// line of the example that decides for the baseline; 0: none; NULL: not known
        baseline_line: Int32 [nullable],
        /// verdict of the candidate on the example
        candidate_verdict: KnownName<Verdict>,
        /// line of the example that decides for the candidate; 0: none; NULL: not known
        candidate_line: Int32 [nullable],
        /// whether no line and no byte of the example can be removed
        is_minimal: Bool,
    }
}

/// One row. Fields without a comment are the columns of the same name.
#[derive(Clone, Copy, Debug)]
pub struct CauseRow<'a> {
    pub cause_id: &'a str,
    pub changes: &'a str,
    /// The flips in each direction, in the order of the columns.
    pub directions: [u64; 6],
    /// The flips of each stance to the reference, in the order of the columns, if there is one.
    pub stances: Option<[u64; 4]>,
    pub captures: u64,
    pub files: u64,
    pub hosts: u64,
    pub cells: u64,
    pub weight: f64,
    /// The body of the example; what is not UTF-8 becomes U+FFFD.
    pub robots_txt: &'a [u8],
    /// The crawler of the example.
    pub agent: &'a str,
    /// The URL of the example.
    pub url: &'a str,
    /// The answer of the baseline to the example.
    pub baseline: SideAnswer,
    /// The answer of the candidate to the example.
    pub candidate: SideAnswer,
    pub is_minimal: bool,
}

impl CausesBuilder {
    /// Appends a cause.
    pub fn append(&mut self, row: &CauseRow<'_>) {
        self.cause_id.append(row.cause_id);
        self.changes.append(row.changes);
        let [a, b, c, d, e, f] = row.directions.map(as_i64);
        self.disallow_to_allow.append(a);
        self.allow_to_disallow.append(b);
        self.disallow_to_undefined.append(c);
        self.undefined_to_allow.append(d);
        self.allow_to_undefined.append(e);
        self.undefined_to_disallow.append(f);
        let [a, b, c, d] = [0, 1, 2, 3].map(|index| Some(as_i64(row.stances?[index])));
        self.towards_reference.append_option(a);
        self.away_from_reference.append_option(b);
        self.between_other_verdicts.append_option(c);
        self.no_reference_verdict.append_option(d);
        self.captures.append(as_i64(row.captures));
        self.files.append(as_i64(row.files));
        self.hosts.append(as_i64(row.hosts));
        self.cells.append(as_i64(row.cells));
        self.weight.append(row.weight);
        self.example_robots_txt
            .append(&String::from_utf8_lossy(row.robots_txt));
        self.example_agent.append(row.agent);
        self.example_url.append(row.url);
        let (before, after) = (row.baseline, row.candidate);
        self.baseline_verdict.append(before.verdict);
        self.baseline_line.append_option(before.line.map(as_i32));
        self.candidate_verdict.append(after.verdict);
        self.candidate_line.append_option(after.line.map(as_i32));
        self.is_minimal.append(row.is_minimal);
    }
}
