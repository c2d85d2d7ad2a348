//! The table `causes` of a comparison: one row for each cause of flips.

use super::{Bool, Float64, Int32, Int64, KnownName, Text, table};
use crate::robots::dialect::Verdict;

table! {
    /// one cause of flips in a comparison, the largest first
    "causes": pub struct CausesBuilder {
        /// key of the cause, equal in every comparison that finds it
        pub cause_id: Text,
        /// answers of the baseline, as robocensus dialects names them, that must change to give the
        /// candidate's verdict: choice=answer, joined by spaces; or unexplained: and a fingerprint
        /// of the smallest example and of the answers around it
        pub changes: Text,
        /// flips from disallow to allow
        pub disallow_to_allow: Int64,
        /// flips from allow to disallow
        pub allow_to_disallow: Int64,
        /// flips from disallow to undefined
        pub disallow_to_undefined: Int64,
        /// flips from undefined to allow
        pub undefined_to_allow: Int64,
        /// flips from allow to undefined
        pub allow_to_undefined: Int64,
        /// flips from undefined to disallow
        pub undefined_to_disallow: Int64,
        /// flips of which the candidate has the verdict of the reference; NULL: there is none
        pub towards_reference: Int64 [nullable],
        /// flips of which the baseline has it
        pub away_from_reference: Int64 [nullable],
        /// flips of which neither has it
        pub between_other_verdicts: Int64 [nullable],
        /// flips about which the reference gives no verdict
        pub no_reference_verdict: Int64 [nullable],
        /// captures with a flip of this cause
        pub captures: Int64,
        /// distinct bodies with one
        pub files: Int64,
        /// distinct hosts with one; above 28,672 an estimate
        pub hosts: Int64,
        /// flips of this cause: rows of flips
        pub cells: Int64,
        /// sum of the weights of these flips
        pub weight: Float64,
        /// body of the smallest example found, which both sides were asked about
        pub example_robots_txt: Text,
        /// crawler of the example
        pub example_agent: Text,
        /// URL of the example
        pub example_url: Text,
        /// verdict of the baseline on the example
        pub baseline_verdict: KnownName<Verdict>,
        /// line of the example that decides for the baseline; 0: none; NULL: not known
        pub baseline_line: Int32 [nullable],
        /// verdict of the candidate on the example
        pub candidate_verdict: KnownName<Verdict>,
        /// line of the example that decides for the candidate; 0: none; NULL: not known
        pub candidate_line: Int32 [nullable],
        /// whether no line and no byte of the example can be removed
        pub is_minimal: Bool,
    }
}
