//! The table `parser_faults` of a comparison: one row for each fault of an external parser.

use super::{Float64, Int64, Name, Text, table};

table! {
    /// one fault of an external parser in a comparison, which cost a file answers
    "parser_faults": pub struct ParserFaultsBuilder {
        /// side at fault: baseline, candidate or reference
        pub side: Name,
        /// first capture of the file that it was asked about; NULL: not known
        pub capture_id: Int64 [nullable],
        /// host of that capture
        pub url_host_name: Name [nullable],
        /// SHA-1 of the body, base32, as in captures
        pub content_digest: Name [nullable],
        /// kind of fault: exited, timed_out, invalid_answer, answer_too_long, wrong_count,
        /// repeated_answer, unknown_id, unstable_answer: a verdict changed when it was asked again
        pub kind: Name,
        /// time that the parser had taken for the file
        pub milliseconds: Float64 [unit("milliseconds")],
        /// one sentence: what was expected, what was found
        pub message: Text,
    }
}
