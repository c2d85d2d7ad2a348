//! What is wrong with an archive: noticed, counted in bytes, never fatal.
//!
//! Enters: faults as they are noticed. Leaves: the same, the first of an archive one by one and the
//! rest as a sum. This file refuses to know what reads archives.

use std::fmt;

/// One thing wrong with an archive; the reader went on behind it where that was possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Offset in the archive's file where the damage begins, in bytes.
    pub offset: u64,
    /// Bytes of the archive's file from which no record, or none whose CRC could be checked, was
    /// read because of it.
    pub bytes_skipped: u64,
    /// The kind of damage.
    pub kind: FaultKind,
    /// One sentence: what was expected, what was found.
    pub message: String,
}

/// The kinds of [`Fault`], each with the code that the table `archive_errors` shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FaultKind {
    /// The file could not be opened.
    OpenFailed,
    /// Reading stopped in the middle with an error of the operating system.
    ReadFailed,
    /// The file holds no bytes.
    Empty,
    /// The file is not a WARC archive, or of a kind that is not read.
    NotAnArchive,
    /// The file is an ARC archive, the predecessor of WARC, which is not read.
    ArcArchive,
    /// A gzip member or zstd frame does not inflate, or its CRC, checksum or size is wrong.
    MemberCorrupt,
    /// The file ends inside a gzip member or zstd frame.
    MemberTruncated,
    /// A gzip member or zstd frame inflates to more than the limit without the end of a record.
    MemberTooLong,
    /// Bytes between or behind gzip members or zstd frames that belong to none.
    Garbage,
    /// Bytes where a record was expected.
    NotARecord,
    /// A record's header is longer than the limit.
    HeaderTooLong,
    /// A record without a usable Content-Length; its block was taken up to the end of its member.
    ContentLengthUnusable,
    /// A record with more bytes than its Content-Length says; the rest was left out.
    ContentLengthTooSmall,
    /// A record with fewer bytes than its Content-Length says; the block was taken as far as it
    /// goes.
    ContentLengthTooLarge,
    /// A record's block is longer than the limit; the rest was left out.
    BlockTooLong,
    /// More faults than are listed one by one.
    FurtherFaults,
}

impl FaultKind {
    /// Every kind, in the order of the enum.
    pub const ALL: [Self; 16] = [
        Self::OpenFailed,
        Self::ReadFailed,
        Self::Empty,
        Self::NotAnArchive,
        Self::ArcArchive,
        Self::MemberCorrupt,
        Self::MemberTruncated,
        Self::MemberTooLong,
        Self::Garbage,
        Self::NotARecord,
        Self::HeaderTooLong,
        Self::ContentLengthUnusable,
        Self::ContentLengthTooSmall,
        Self::ContentLengthTooLarge,
        Self::BlockTooLong,
        Self::FurtherFaults,
    ];

    /// Returns the code that stands in the table.
    pub fn code(self) -> &'static str {
        match self {
            Self::OpenFailed => "open_failed",
            Self::ReadFailed => "read_failed",
            Self::Empty => "empty",
            Self::NotAnArchive => "not_an_archive",
            Self::ArcArchive => "arc_archive",
            Self::MemberCorrupt => "member_corrupt",
            Self::MemberTruncated => "member_truncated",
            Self::MemberTooLong => "member_too_long",
            Self::Garbage => "garbage",
            Self::NotARecord => "not_a_record",
            Self::HeaderTooLong => "header_too_long",
            Self::ContentLengthUnusable => "content_length_unusable",
            Self::ContentLengthTooSmall => "content_length_too_small",
            Self::ContentLengthTooLarge => "content_length_too_large",
            Self::BlockTooLong => "block_too_long",
            Self::FurtherFaults => "further_faults",
        }
    }

    /// Returns true if and only if records may be missing because of it, so that the archive does
    /// not count as complete.
    ///
    /// A Content-Length that is too large is among them: it is how the end of a cut plain archive
    /// looks, and the block may hold what follows.
    pub fn loses_records(self) -> bool {
        !matches!(self, Self::ContentLengthUnusable | Self::BlockTooLong)
    }
}

/// Faults of one archive that are listed one by one; the rest is added up in a last one, so that a
/// hostile file costs no memory.
pub(super) const MOST_FAULTS: usize = 1000;

/// The faults of one archive that were noticed and not handed out yet.
#[derive(Debug, Default)]
pub(super) struct Faults {
    waiting: Vec<Fault>,
    listed: usize,
    further: Option<Fault>,
}

impl Faults {
    /// Forgets the archive read before.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Returns true if and only if nothing was noticed since the archive began.
    pub(super) fn is_empty(&self) -> bool {
        self.listed == 0
    }

    pub(super) fn push(&mut self, fault: Fault) {
        if self.listed < MOST_FAULTS {
            self.listed += 1;
            self.waiting.push(fault);
            return;
        }
        let further = self.further.get_or_insert_with(|| Fault {
            offset: fault.offset,
            bytes_skipped: 0,
            kind: FaultKind::FurtherFaults,
            message: format!("more than {MOST_FAULTS} faults; the rest is added up here"),
        });
        further.bytes_skipped += fault.bytes_skipped;
    }

    /// Hands out what waits, and the sum of the rest once the archive has ended.
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
