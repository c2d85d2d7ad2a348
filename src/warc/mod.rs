//! WARC archives (ISO 28500): bytes of a file in, records with their place in the file out, and a
//! [`Fault`] for everything that is wrong.
//!
//! Enters: any [`std::io::Read`]. Leaves: [`Record`]s, which borrow the reader's buffer, and
//! faults. This room refuses to know what a record is about: HTTP, URLs and robots.txt are others'
//! business.

mod buffer;
#[cfg(test)]
mod cases;
mod codec;
mod fault;
mod frame;
mod gzip;
mod header;
mod inflate;
mod mark;
mod member;
mod packing;
mod reader;
mod record;
mod stream;
mod window;

pub use self::{
    fault::{Fault, FaultKind},
    header::RecordType,
    reader::Reader,
    record::Record,
    stream::ReadCounts,
};

/// What one record or member may cost in memory; what exceeds it is a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest header of a record, in bytes.
    pub header: usize,
    /// The longest block that is kept of a record, in bytes; the rest is read and left out.
    pub block: usize,
    /// The largest member that is inflated as a whole, in inflated bytes; a larger one is streamed.
    pub whole_member: usize,
    /// What a member may inflate to from its start, or from the end of the last record read from
    /// it, to the end of the next; bytes. A longer one is given up. So a member that holds all
    /// records of an archive may have any size, and one that inflates to an endless record may not.
    ///
    /// A Content-Length beyond it is not believed.
    pub member: u64,
}

/// Longest header: real ones have under 2 KiB, and the longest URL that browsers send has 64 KiB.
pub const DEFAULT_MAX_HEADER: usize = 128 * 1024;
/// Longest block: the largest robots.txt ever seen in Common Crawl has 3.7 MB, and no parser that
/// we know reads more than 500 KiB.
pub const DEFAULT_MAX_BLOCK: usize = 8 * 1024 * 1024;
/// Largest member that is inflated as a whole: a block of the size above and its header fit.
pub const DEFAULT_WHOLE_MEMBER: usize = 16 * 1024 * 1024;
/// Longest stretch of a member without the end of a record: crawls cut what they keep of a response
/// far earlier, and a bomb costs a second.
pub const DEFAULT_MAX_MEMBER: u64 = 1024 * 1024 * 1024;

impl Default for Limits {
    fn default() -> Self {
        Self {
            header: DEFAULT_MAX_HEADER,
            block: DEFAULT_MAX_BLOCK,
            whole_member: DEFAULT_WHOLE_MEMBER,
            member: DEFAULT_MAX_MEMBER,
        }
    }
}
