//! Reading one archive: its captures, with identifiers and offsets, and its faults, in the order of
//! the bytes, and counts of both.

use std::slice;

use super::{
    config::Config,
    downloads::Downloads,
    progress::Progress,
    stream::{CountedBytes, open},
};
use crate::{
    archive::{
        capture::{CaptureReader, Response, Skip},
        error::{Error, ErrorKind},
        index::RecordRange,
        input::ArchiveSource,
        warc::{Fault, FaultKind, Limits, Reader},
    },
    dataset::table::archives::ArchiveCounts,
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
        buffers.captures.reads_pages = config.pages;
        buffers.captures.cohort = config.cohort.clone();
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
pub(super) enum Item<'a> {
    /// A capture, a page, or both.
    Response(LocatedResponse<'a>),
    Fault(Fault),
}

/// A response and where it is.
pub(super) struct LocatedResponse<'a> {
    /// The identifier of the capture, and of the page.
    pub(super) id: i64,
    /// Offset of the record in the archive, and its length there.
    pub(super) offset: u64,
    pub(super) length: Option<u64>,
    pub(super) response: Response<'a>,
}

/// An archive that is being read.
pub(super) struct OpenArchive<'r> {
    pub(super) source: &'r ArchiveSource,
    progress: &'r Progress,
    /// The fault of one that cannot be opened.
    pub(super) bytes: Result<CountedBytes<'r>, Fault>,
    base: i64,
    /// The range of an index that is read, and those after it; none if all of the file is read.
    range: Option<&'r RecordRange>,
    later: slice::Iter<'r, RecordRange>,
    /// The least key of the next record.
    next_key: u64,
    pub(super) counts: ArchiveCounts,
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
        let location = source.source.location();
        let (opened, url) = match downloads.open(index) {
            Some(opened) => (opened, Some(location.clone())),
            None => (open(&source.source, progress), None),
        };
        let bytes = match opened {
            Ok(bytes) => Ok(CountedBytes::new(bytes, url, progress)),
            Err(e) => {
                let message = format!("{location}: cannot open: {e}");
                Err(Fault::new(0, 0, FaultKind::OpenFailed, message))
            }
        };
        buffers
            .captures
            .begin(source.subset.as_deref() == Some(ROBOTS_SUBSET));
        let ranges = source.ranges.as_ref();
        let mut later = ranges.map_or(&[][..], |ranges| &ranges.0).iter();
        let mut archive = Self {
            source,
            progress,
            base: base_id(&source.name),
            range: later.next(),
            later,
            next_key: 0,
            counts: ArchiveCounts {
                not_asked: not_asked(source, bytes.is_ok()),
                ..ArchiveCounts::default()
            },
            bytes,
        };
        archive.begin(&mut buffers.reader);
        archive
    }

    /// Begins to read the range, or all of the file.
    fn begin(&mut self, reader: &mut Reader) {
        let size = match self.range {
            Some(range) => Some(range.length_within(self.source.source.file_size())),
            None => self.source.source.size(),
        };
        if let (Ok(bytes), Some(_), Some(size)) = (&mut self.bytes, self.range, size) {
            bytes.left = size;
        }
        reader.begin(size);
    }

    /// Passes captures, pages and faults to `take` until that returns false, and returns true if
    /// and only if the archive may have more of them.
    pub(super) fn read(
        &mut self,
        buffers: &mut Buffers,
        mut take: impl FnMut(Item<'_>) -> Result<bool, Error>,
    ) -> Result<bool, Error> {
        let mut items = Items {
            take: &mut take,
            wants_more: true,
        };
        while items.wants_more {
            if !self.read_range(buffers, &mut items)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Reads on in the range, or in the file, while items are wanted, and returns false at the end
    /// of the archive.
    fn read_range(&mut self, buffers: &mut Buffers, items: &mut Items<'_>) -> Result<bool, Error> {
        let Buffers { reader, captures } = buffers;
        let bytes = match &mut self.bytes {
            Ok(bytes) => bytes,
            Err(fault) => {
                self.progress.check()?;
                items.pass_fault(&mut self.counts, fault.clone())?;
                return Ok(false);
            }
        };
        let start = self.range.map_or(0, |range| range.start);
        let file_size = self.source.source.file_size();
        // Without bytes it is no archive that is empty, but a range that is not there.
        let has_bytes = self
            .range
            .is_none_or(|range| range.length_within(file_size) > 0);
        while items.wants_more
            && has_bytes
            && let Some(record) = reader.read_record(bytes)
        {
            self.progress.check()?;
            let key = self.next_key.max(start + record.key);
            self.next_key = key + 1;
            match captures.read_response(&record) {
                Ok(response) => {
                    // Offsets of real archives are far below 2^62.
                    let key = i64::try_from(key).unwrap_or(i64::MAX - self.base);
                    if response.is_capture {
                        self.counts.captures += 1;
                        self.progress.add_capture();
                    } else {
                        self.counts.skipped[Skip::NotRobotsPath as usize] += 1;
                        self.counts.pages_of_other_paths += 1;
                    }
                    items.pass(Item::Response(LocatedResponse {
                        id: self.base + key,
                        offset: start + record.offset,
                        length: record.length,
                        response,
                    }))?;
                }
                Err(skip) => self.counts.skipped[skip as usize] += 1,
            }
            items.pass_faults(&mut self.counts, reader, start)?;
        }
        if !items.wants_more {
            return Ok(true);
        }
        items.pass_faults(&mut self.counts, reader, start)?;
        self.end_range(reader, items)
    }

    /// Ends the range, and returns false if the archive ends with it.
    fn end_range(&mut self, reader: &mut Reader, items: &mut Items<'_>) -> Result<bool, Error> {
        let Ok(bytes) = &mut self.bytes else {
            return Ok(false);
        };
        let read = reader.counts();
        self.counts.read += read;
        if let Some(range) = self.range
            && !bytes.has_failed
        {
            if let Some(message) = range.difference(self.source.source.file_size(), read.records) {
                let fault = Fault::new(range.start, 0, FaultKind::IndexDiffers, message);
                items.pass_fault(&mut self.counts, fault)?;
            }
            self.range = self.later.next();
            if self.range.is_some() {
                self.begin(reader);
                return Ok(true);
            }
        }
        self.counts.digest = Some(bytes.digest());
        // Without this fault an empty file would pass for a complete archive.
        if self.counts.read.records == 0 && self.counts.errors == 0 {
            let message = "expected records, but the archive holds none".to_owned();
            let empty = Fault::new(0, 0, FaultKind::Empty, message);
            items.pass_fault(&mut self.counts, empty)?;
        }
        // Reading fails then, so some captures may be missing.
        self.progress.check()?;
        match bytes.failure() {
            None => Ok(false),
            Some((offset, source)) => {
                let location = self.source.source.location();
                let error = ErrorKind::Read {
                    location,
                    offset,
                    source,
                };
                Err(error.into())
            }
        }
    }
}

/// What takes the items of an archive.
struct Items<'t> {
    take: &'t mut dyn FnMut(Item<'_>) -> Result<bool, Error>,
    wants_more: bool,
}

impl Items<'_> {
    fn pass(&mut self, item: Item<'_>) -> Result<(), Error> {
        self.wants_more &= (self.take)(item)?;
        Ok(())
    }

    /// Passes on the faults of the bytes that begin at `start`.
    fn pass_faults(
        &mut self,
        counts: &mut ArchiveCounts,
        reader: &mut Reader,
        start: u64,
    ) -> Result<(), Error> {
        let mut result = Ok(());
        reader.take_faults(|mut fault| {
            fault.offset += start;
            if result.is_ok() {
                result = self.pass_fault(counts, fault);
            }
        });
        result
    }

    fn pass_fault(&mut self, counts: &mut ArchiveCounts, fault: Fault) -> Result<(), Error> {
        counts.errors += 1;
        // A download that failed is the reason why a member is truncated, though it is noted later.
        let is_first = counts.first_loss.is_none() || fault.kind == FaultKind::ReadFailed;
        if fault.kind.loses_records() && is_first {
            counts.first_loss = Some(fault.clone());
        }
        self.pass(Item::Fault(fault))
    }
}

/// Returns the number of ranges that are read of a file, and of the bytes outside, where its size
/// is known; `None` of an archive that is read whole.
fn not_asked(source: &ArchiveSource, is_opened: bool) -> Option<(u64, Option<u64>)> {
    let ranges = source.ranges.as_ref()?;
    let size = source.source.file_size().filter(|_| is_opened);
    let outside = size.map(|size| size - ranges.n_bytes_within(Some(size)));
    Some((ranges.0.len() as u64, outside))
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
