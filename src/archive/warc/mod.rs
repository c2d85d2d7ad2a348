//! A reader of WARC archives (ISO 28500): takes the bytes of a file, returns [`Record`]s with their
//! offsets and a [`Fault`] for each kind of damage.
//!
//! Records borrow the reader's buffer. HTTP, URLs and robots.txt are not known here.
//!
//! ```text
//! reader   records: headers, lengths, resync inside decompressed bytes
//! stream   decompressed bytes of the archive, and which member each came from (span)
//! member   members one after the other, resync in the file
//! codec    gzip (gzip, inflate) and zstd (frame) with one interface
//! window   raw bytes of the file
//! ```

mod buffer;
mod codec;
mod fault;
mod frame;
mod framing;
mod gzip;
mod header;
mod inflate;
mod member;
mod reader;
mod record;
mod span;
mod stream;
mod sync;
mod window;

pub use self::{
    fault::{Fault, FaultKind},
    header::RecordType,
    reader::Reader,
    record::Record,
    stream::ReadCounts,
};
pub(in crate::archive) use self::{
    frame::{Frames, is_start as is_zstd_frame},
    gzip::{GzipHeader, read_lenient_header},
    header::{decimal, trimmed},
    inflate::{InflateStep, StepEnd, inflate_step},
};

/// The most that one record, member or body may cost in memory; a record or member that exceeds a
/// limit is a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest body that is decoded and parsed, in bytes; the rest is cut off.
    pub body: usize,
    /// The longest header of a record, in bytes.
    pub header: usize,
    /// The longest block of a record, in bytes; the rest is read and dropped.
    pub block: usize,
    /// The largest member that is decompressed in one call, in decompressed bytes; a larger one is
    /// streamed.
    pub whole_member: usize,
    /// The most decompressed bytes of a member from its start, or from the end of the last record
    /// read from it, to the end of the next record; a longer member is skipped. So a member that
    /// holds all records of an archive may have any size, and one that decompresses to an endless
    /// record may not.
    ///
    /// A Content-Length beyond it is taken for wrong.
    pub member: u64,
}

/// Longest body: twice the largest robots.txt seen in archives (3.7 MB), sixteen times what Google
/// reads.
pub const DEFAULT_MAX_BODY: usize = 8 * 1024 * 1024;
/// Longest header: real ones have under 2 KiB, and the longest URL that browsers send has 64 KiB.
pub const DEFAULT_MAX_HEADER: usize = 128 * 1024;
/// Longest block: the largest robots.txt ever seen in Common Crawl has 3.7 MB, and no parser that
/// we know reads more than 500 KiB.
pub const DEFAULT_MAX_BLOCK: usize = 8 * 1024 * 1024;
/// Largest member that is decompressed in one call: a block of the size above and its header fit.
pub const DEFAULT_WHOLE_MEMBER: usize = 16 * 1024 * 1024;
/// Most bytes of a member without the end of a record: crawlers truncate responses far earlier, and
/// a decompression bomb costs a second.
pub const DEFAULT_MAX_MEMBER: u64 = 1024 * 1024 * 1024;

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: DEFAULT_MAX_BODY,
            header: DEFAULT_MAX_HEADER,
            block: DEFAULT_MAX_BLOCK,
            whole_member: DEFAULT_WHOLE_MEMBER,
            member: DEFAULT_MAX_MEMBER,
        }
    }
}
