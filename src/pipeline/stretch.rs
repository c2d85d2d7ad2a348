//! The captures of a stretch of a large archive, kept until another worker may read on.
//!
//! An archive is inflated from its first byte to its last, by whoever holds it. To let several workers share one, its holder reads a stretch
//! ahead, passes the archive on, and only then parses and evaluates what it kept.

use std::ops::Range;

use super::{archive::Item, assemble::Stop};
use crate::{
    capture::Capture,
    digest::Base32Digest,
    http::{ContentType, Findings},
    input::ArchiveSource,
    origin::Location,
    table::captures::Provenance,
    warc::Fault,
};

/// Bytes of bodies at which a stretch ends: as many captures as make good row groups, and what a worker has to keep.
const BYTES: usize = 40 * 1024 * 1024;
/// Captures at which a stretch ends, however small they are.
const CAPTURES: usize = 64 * 1024;

/// Where a stretch ends: by what it holds, so that every run cuts alike.
#[derive(Debug, Default)]
pub(super) struct Fill {
    captures: usize,
    bytes: usize,
}

impl Fill {
    /// Adds a capture or a fault, and returns whether the stretch takes more captures.
    pub(super) fn add(&mut self, item: &Item<'_>) -> bool {
        if let Item::Capture(_, _, capture) = item {
            self.captures += 1;
            self.bytes += capture.payload.len();
        }
        self.captures < CAPTURES && self.bytes < BYTES
    }
}

/// The captures and faults of a stretch; reusable.
#[derive(Debug, Default)]
pub(super) struct Stretch {
    captures: Vec<Kept>,
    /// What captures borrow, end to end.
    bytes: Vec<u8>,
    faults: Vec<Fault>,
}

/// A capture whose texts stand in the bytes of its stretch.
#[derive(Debug)]
struct Kept {
    id: i64,
    offset: u64,
    length: Option<u64>,
    location: Location,
    fetch_time: Option<i64>,
    fetch_status: Option<u16>,
    fetch_redirect: Option<Box<str>>,
    mime: Option<Range<usize>>,
    charset: Option<Range<usize>>,
    mime_detected: &'static str,
    is_html: bool,
    truncated: Option<&'static str>,
    payload: Range<usize>,
    digest: Base32Digest,
    findings: Findings,
    is_cut: bool,
}

impl Stretch {
    /// Keeps a capture or a fault.
    pub(super) fn keep(&mut self, item: Item<'_>) {
        let (id, provenance, capture) = match item {
            Item::Fault(fault) => return self.faults.push(fault),
            Item::Capture(id, provenance, capture) => (id, provenance, capture),
        };
        let bytes = &mut self.bytes;
        if self.captures.is_empty() {
            // Growing step by step would copy what is kept, and in the end take twice as much.
            bytes.reserve(BYTES + BYTES / 4);
        }
        let mut copy = |text: &[u8]| {
            let start = bytes.len();
            bytes.extend_from_slice(text);
            start..bytes.len()
        };
        self.captures.push(Kept {
            id,
            offset: provenance.offset,
            length: provenance.length,
            location: capture.location.clone(),
            fetch_time: capture.fetch_time,
            fetch_status: capture.fetch_status,
            fetch_redirect: capture.fetch_redirect.map(Box::from),
            mime: capture.content_type.mime().map(&mut copy),
            charset: capture.content_type.charset().map(&mut copy),
            mime_detected: capture.mime_detected,
            is_html: capture.is_html,
            truncated: capture.truncated,
            payload: copy(capture.payload),
            digest: capture.digest,
            findings: capture.findings,
            is_cut: capture.is_cut,
        });
    }

    /// Hands out what was kept, in the order in which it came, and forgets it.
    pub(super) fn hand_out(
        &mut self,
        archive: &ArchiveSource,
        mut take: impl FnMut(Item<'_>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        for fault in self.faults.drain(..) {
            take(Item::Fault(fault))?;
        }
        for kept in self.captures.drain(..) {
            let text = |range: &Range<usize>| &self.bytes[range.clone()];
            let provenance = Provenance {
                warc_filename: &archive.name,
                crawl: archive.crawl.as_deref(),
                subset: archive.subset.as_deref(),
                offset: kept.offset,
                length: kept.length,
            };
            let mime = kept.mime.as_ref().map(text).unwrap_or_default();
            let capture = Capture {
                location: &kept.location,
                fetch_time: kept.fetch_time,
                fetch_status: kept.fetch_status,
                fetch_redirect: kept.fetch_redirect.as_deref(),
                content_type: ContentType::from_parts(mime, kept.charset.as_ref().map(text)),
                mime_detected: kept.mime_detected,
                is_html: kept.is_html,
                truncated: kept.truncated,
                payload: text(&kept.payload),
                digest: kept.digest,
                findings: kept.findings,
                is_cut: kept.is_cut,
            };
            take(Item::Capture(kept.id, provenance, capture))?;
        }
        self.bytes.clear();
        Ok(())
    }
}
