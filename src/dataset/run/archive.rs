//! Reading one archive: its captures, with identifiers and offsets, and its faults, in the order of
//! the bytes, and counts of both.

use std::io;

use super::{
    config::Config,
    downloads::Downloads,
    progress::Progress,
    stop::StopReason,
    stream::{Bytes, CountedBytes},
};
use crate::{
    archive::{
        capture::{CaptureReader, Response, Skip},
        error::ErrorKind,
        input::ArchiveSource,
        warc::{Fault, FaultKind, Limits, Reader},
    },
    dataset::table::{archives::ArchiveCounts, fetch::Provenance},
    digest::sha1,
};

/// The subset of Common Crawl that contains only fetches of robots.txt.
const ROBOTS_SUBSET: &str = "robotstxt";

/// The buffers for reading an archive; they serve for one archive after the other.
pub(super) struct Buffers {
    reader: Reader,
    captures: CaptureReader,
}

impl Buffers {
    pub(super) fn new(config: &Config) -> Self {
        let mut buffers = Self::with_limits(config.limits);
        if config.pages {
            buffers.captures = CaptureReader::with_pages(config.limits.body);
        }
        buffers.captures.set_cohort(config.cohort.clone());
        buffers
    }

    pub(super) fn with_limits(limits: Limits) -> Self {
        Self {
            reader: Reader::new(limits),
            captures: CaptureReader::new(limits.body),
        }
    }
}

/// One item of an archive.
#[expect(
    clippy::large_enum_variant,
    reason = "nearly every item is a response, which a box would allocate once more"
)]
pub(super) enum Item<'a> {
    /// A capture, a page, or both.
    Response(LocatedResponse<'a>),
    Fault(Fault),
}

/// A response and where it is.
pub(super) struct LocatedResponse<'a> {
    /// The identifier of the capture, and of the page.
    pub(super) id: i64,
    pub(super) provenance: Provenance<'a>,
    pub(super) response: Response<'a>,
}

/// An archive that is being read.
pub(super) struct OpenArchive<'r> {
    pub(super) source: &'r ArchiveSource,
    progress: &'r Progress,
    /// `None` if it cannot be opened.
    bytes: Option<CountedBytes<'r>>,
    base: i64,
    pub(super) counts: ArchiveCounts,
    /// Why it cannot be opened, until that was passed on.
    refused: Option<Fault>,
}

impl<'r> OpenArchive<'r> {
    /// Opens the archive of that number; one that cannot be opened has a fault and nothing else.
    pub(super) fn open(
        index: usize,
        source: &'r ArchiveSource,
        downloads: &Downloads,
        progress: &'r Progress,
        buffers: &mut Buffers,
    ) -> Self {
        let (bytes, refused) = match open(index, source, downloads, progress) {
            Ok(bytes) => (Some(CountedBytes::new(bytes, progress)), None),
            Err(e) => {
                let message = format!("{}: cannot open: {e}", source.source.location());
                (None, Some(fault(FaultKind::OpenFailed, message)))
            }
        };
        buffers.reader.begin(source.source.size());
        buffers
            .captures
            .begin(source.subset.as_deref() == Some(ROBOTS_SUBSET));
        Self {
            source,
            progress,
            bytes,
            base: base_id(&source.name),
            counts: ArchiveCounts::default(),
            refused,
        }
    }

    /// Returns whether it was opened, so that bytes of it could be read.
    pub(super) fn is_opened(&self) -> bool {
        self.bytes.is_some()
    }

    /// Passes captures, pages and faults to `take` until that returns false, and returns true if
    /// and only if the archive may have more of them.
    pub(super) fn read(
        &mut self,
        buffers: &mut Buffers,
        mut take: impl FnMut(Item<'_>) -> Result<bool, StopReason>,
    ) -> Result<bool, StopReason> {
        let Buffers { reader, captures } = buffers;
        let Some(bytes) = &mut self.bytes else {
            if self.progress.is_stopped() {
                return Err(StopReason::Requested);
            }
            if let Some(fault) = self.refused.take() {
                pass_on(&mut self.counts, fault, &mut take)?;
            }
            return Ok(false);
        };
        let archive = self.source;
        let mut wants_more = true;
        while wants_more && let Some(record) = reader.read_record(bytes) {
            if self.progress.is_stopped() {
                return Err(StopReason::Requested);
            }
            match captures.read_response(&record) {
                Ok(response) => {
                    let provenance = provenance(archive, record.offset, record.length);
                    // Offsets of real archives are far below 2^62.
                    let key = i64::try_from(record.key).unwrap_or(i64::MAX - self.base);
                    if response.is_capture {
                        self.counts.captures += 1;
                        self.progress.add_capture();
                    } else {
                        self.counts.skipped[Skip::NotRobotsPath as usize] += 1;
                        self.counts.pages_of_other_paths += 1;
                    }
                    wants_more = take(Item::Response(LocatedResponse {
                        id: self.base + key,
                        provenance,
                        response,
                    }))?;
                }
                Err(skip) => self.counts.skipped[skip as usize] += 1,
            }
            take_faults(reader, &mut self.counts, &mut take)?;
        }
        if !wants_more {
            return Ok(true);
        }
        take_faults(reader, &mut self.counts, &mut take)?;
        self.counts.read = reader.counts();
        self.counts.digest = Some(bytes.digest());
        // Without this fault an empty file would pass for a complete archive.
        if self.counts.read.records == 0 && self.counts.errors == 0 {
            let message = "expected records, but the archive holds none".to_owned();
            let empty = fault(FaultKind::Empty, message);
            pass_on(&mut self.counts, empty, &mut take)?;
        }
        match bytes.failure() {
            // Reading fails then, so some captures may be missing.
            _ if self.progress.is_stopped() => Err(StopReason::Requested),
            None => Ok(false),
            Some((offset, source)) => {
                let location = archive.source.location();
                let error = ErrorKind::Read {
                    location,
                    offset,
                    source,
                };
                Err(StopReason::Failed(error.into()))
            }
        }
    }
}

fn open<'p>(
    index: usize,
    source: &ArchiveSource,
    downloads: &Downloads,
    progress: &'p Progress,
) -> io::Result<Bytes<'p>> {
    match downloads.open(index) {
        Some(opened) => Ok(Bytes::Download(opened?, source.source.location())),
        None => Bytes::open(&source.source, progress),
    }
}

fn take_faults(
    reader: &mut Reader,
    counts: &mut ArchiveCounts,
    take: &mut impl FnMut(Item<'_>) -> Result<bool, StopReason>,
) -> Result<(), StopReason> {
    let mut result = Ok(());
    reader.take_faults(|fault| {
        if result.is_ok() {
            result = pass_on(counts, fault, take);
        }
    });
    result
}

fn pass_on(
    counts: &mut ArchiveCounts,
    fault: Fault,
    take: &mut impl FnMut(Item<'_>) -> Result<bool, StopReason>,
) -> Result<(), StopReason> {
    counts.errors += 1;
    // A download that failed is the reason why a member is truncated, though it is noted later.
    let is_first = counts.first_loss.is_none() || fault.kind == FaultKind::ReadFailed;
    if fault.kind.loses_records() && is_first {
        counts.first_loss = Some(fault.clone());
    }
    take(Item::Fault(fault)).map(drop)
}

/// Returns where a record is, as rows have it.
pub(super) fn provenance(
    archive: &ArchiveSource,
    offset: u64,
    length: Option<u64>,
) -> Provenance<'_> {
    Provenance {
        warc_filename: &archive.name,
        crawl: archive.crawl.as_deref(),
        subset: archive.subset.as_deref(),
        offset,
        length,
    }
}

/// Returns a fault of the archive as a whole.
fn fault(kind: FaultKind, message: String) -> Fault {
    Fault {
        offset: 0,
        bytes_skipped: 0,
        kind,
        message,
    }
}

/// Returns where the identifiers of an archive's captures begin.
///
/// An identifier is this number plus the record's key, which is its offset. The beginnings are
/// spread over 2^62 by a digest of the name, so that among 75 million captures of a crawl the
/// chance of any two equal identifiers is about one in 1,600 (n^2 / 2^63).
fn base_id(name: &str) -> i64 {
    let digest = sha1(name.as_bytes());
    let first = u64::from_be_bytes(digest[..8].try_into().expect("a SHA-1 has 20 bytes"));
    i64::try_from(first >> 2).expect("62 bits fit")
}
