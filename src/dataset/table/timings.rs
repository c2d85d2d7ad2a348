//! The table `timings` of a comparison: the files that took an external parser longest.

use super::{CaptureKeys, Float64, Int32, Name, table};

table! {
    /// one of the thousand files that took an external parser of a comparison longest, the slowest
    /// first; dialects are not timed
    "timings": pub struct TimingsBuilder {
        /// side that was asked: baseline or candidate
        pub side: Name,
        pub capture: CaptureKeys,
        /// SHA-1 of the body, base32, as in captures
        pub content_digest: Name,
        /// size of the body
        pub content_length: Int32 [unit("bytes")],
        /// agents and URLs that were asked about
        pub queries: Int32,
        /// time from the request, or the answer before it, to the answer
        pub milliseconds: Float64 [unit("milliseconds")],
    }
}
