//! Faults of an archive: noted with the bytes that they cost, never fatal.
//!
//! The first of an archive are listed one by one, the rest as a sum.

use std::fmt;

use crate::named::explained;

/// One kind of damage at one offset of an archive; the reader resumes after it where it can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Offset in the archive's file where the damage begins, in bytes.
    pub offset: u64,
    /// Bytes of the file from which, because of it, no record was read, or none whose CRC could be
    /// checked.
    pub bytes_skipped: u64,
    /// The kind of damage.
    pub kind: FaultKind,
    /// One sentence: what was expected, and what was found instead.
    pub message: String,
}

impl Fault {
    pub(crate) fn new(
        offset: u64,
        bytes_skipped: u64,
        kind: FaultKind,
        message: impl Into<String>,
    ) -> Self {
        Self {
            offset,
            bytes_skipped,
            kind,
            message: message.into(),
        }
    }
}

explained! {
    /// The kinds of [`Fault`], each with its code in the table `archive_errors`.
    pub enum FaultKind;

    OpenFailed, "open_failed",
    "The file could not be opened.";
    ReadFailed, "read_failed",
    "The operating system reported an error while the file was read.";
    Empty, "empty",
    "The file holds no bytes.";
    NotAnArchive, "not_an_archive",
    "The file is not a WARC archive, or is in a format that is not supported.";
    ArcArchive, "arc_archive",
    "The file is an ARC archive, the predecessor of WARC, which is not supported.";
    MemberCorrupt, "member_corrupt",
    "A gzip member or zstd frame does not decompress, or its CRC, checksum or size is wrong.";
    MemberTruncated, "member_truncated",
    "The file ends inside a gzip member or zstd frame.";
    MemberTooLong, "member_too_long",
    "A gzip member or zstd frame decompresses to more than the limit without the end of a record.";
    Garbage, "garbage",
    "Bytes between or after gzip members or zstd frames belong to none of them.";
    NotARecord, "not_a_record",
    "There are bytes where a record was expected, but no record.";
    HeaderTooLong, "header_too_long",
    "A record's header is longer than the limit.";
    ContentLengthUnusable, "content_length_unusable",
    "A record has no usable Content-Length; its block ends with its member or at the next record.";
    ContentLengthTooSmall, "content_length_too_small",
    "A record has more bytes than its Content-Length states; the rest was dropped.";
    ContentLengthTooLarge, "content_length_too_large",
    "A record has fewer bytes than its Content-Length states; the block is what is there.";
    BlockTooLong, "block_too_long",
    "A record's block is longer than the limit; the rest was dropped.";
    IndexDiffers, "index_differs",
    "A range that an index names does not hold one record, or is beyond the end of the file.";
    FurtherFaults, "further_faults",
    "The archive has more faults than are listed one by one.";
}

impl FaultKind {
    /// Returns true if and only if records may be missing because of it, so that the archive does
    /// not count as complete.
    ///
    /// A Content-Length that is too large is such a fault: a truncated plain archive ends that way,
    /// and the block may contain the records that follow.
    pub fn loses_records(self) -> bool {
        !matches!(self, Self::ContentLengthUnusable | Self::BlockTooLong)
    }
}

/// Faults of one archive, or of one range of it, that are listed one by one. The others are summed
/// up in one more, so that memory stays bounded.
pub(super) const MAX_LISTED_FAULTS: usize = 1000;

/// The faults of one archive that were noted and not taken yet.
#[derive(Debug, Default)]
pub(super) struct Faults {
    waiting: Vec<Fault>,
    listed: usize,
    further: Option<Fault>,
}

impl Faults {
    /// Returns true if and only if no fault was noted since the archive began.
    pub(super) fn is_empty(&self) -> bool {
        self.listed == 0
    }

    pub(super) fn push(&mut self, fault: Fault) {
        if self.listed < MAX_LISTED_FAULTS {
            self.listed += 1;
            self.waiting.push(fault);
            return;
        }
        let further = self.further.get_or_insert_with(|| Fault {
            offset: fault.offset,
            bytes_skipped: 0,
            kind: FaultKind::FurtherFaults,
            message: format!("more than {MAX_LISTED_FAULTS} faults; the others are summed up here"),
        });
        further.bytes_skipped += fault.bytes_skipped;
    }

    /// Passes the faults noted since the last call to `each`, and the sum of the others once the
    /// archive has ended.
    pub(super) fn take(&mut self, has_ended: bool, each: impl FnMut(Fault)) {
        let sum = if has_ended { self.further.take() } else { None };
        self.waiting.drain(..).chain(sum).for_each(each);
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "offset {}: {}", self.offset, self.message)
    }
}
