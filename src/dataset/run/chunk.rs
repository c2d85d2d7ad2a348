//! The captures and pages of one chunk of a large archive, owned until another worker reads the
//! next chunk.
//!
//! An archive can only be inflated from its first byte to its last, so one worker at a time holds
//! it. To let several workers share one, its holder reads a chunk ahead, releases the archive, and
//! only then parses and evaluates what it has read.

use std::ops::Range;

use super::archive::{Item, LocatedResponse};
use crate::archive::{
    capture::{OwnedCapture, Response},
    error::Error,
    warc::Fault,
};

/// Bytes of captures at which a chunk ends: what a worker must hold, and some 12,000 captures,
/// whose rows are row groups. Chunks three times as long make files 1.4 % smaller, which queries
/// read no faster, and take 90 MB more with two workers.
const MAX_BYTES: usize = 16 * 1024 * 1024;
/// Captures and faults at which a chunk ends, however small they are.
pub(super) const MAX_ITEMS: usize = 24 * 1024;

/// The size of a chunk so far. Where a chunk ends depends on its content alone, so that every run
/// cuts an archive alike.
#[derive(Debug, Default)]
pub(super) struct ChunkSize {
    items: usize,
    bytes: usize,
}

impl ChunkSize {
    /// Adds a capture, a page or a fault, and returns true if and only if the chunk takes more of
    /// them.
    pub(super) fn add(&mut self, item: &Item<'_>) -> bool {
        match item {
            // An index that is wrong may have a fault in each of a million ranges.
            Item::Fault(_) => self.items += 1,
            Item::Response(LocatedResponse { response, .. }) => {
                // A page that is a capture too has rows of both.
                let n =
                    usize::from(response.is_capture) + usize::from(response.page_head.is_some());
                self.items += n;
                self.bytes += n * response.capture.n_bytes();
                self.bytes += response.page_head.map_or(0, <[u8]>::len);
            }
        }
        self.items < MAX_ITEMS && self.bytes < MAX_BYTES
    }
}

/// The captures, pages and faults of a chunk; reusable.
#[derive(Debug, Default)]
pub(super) struct ArchiveChunk {
    items: Vec<OwnedItem>,
    /// What they borrow, end to end.
    bytes: Vec<u8>,
}

#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "nearly all items are responses")]
enum OwnedItem {
    Fault(Fault),
    Response(OwnedResponse),
}

/// A response and its position in its archive.
#[derive(Debug)]
struct OwnedResponse {
    id: i64,
    offset: u64,
    length: Option<u64>,
    capture: OwnedCapture,
    is_capture: bool,
    /// The head of the response, if it is a page.
    page_head: Option<Range<usize>>,
}

impl ArchiveChunk {
    /// Appends a copy of a capture, a page or a fault.
    pub(super) fn push(&mut self, item: Item<'_>) {
        let LocatedResponse {
            id,
            offset,
            length,
            response,
        } = match item {
            Item::Fault(fault) => return self.items.push(OwnedItem::Fault(fault)),
            Item::Response(located) => located,
        };
        if self.bytes.is_empty() {
            // Growing step by step would copy the bodies, and take twice the memory in the end.
            // Pages of a reservation that are never written take none.
            self.bytes.reserve_exact(MAX_BYTES + MAX_BYTES / 8);
            self.items.reserve_exact(MAX_ITEMS);
        }
        let page_head = response.page_head.map(|head| {
            let start = self.bytes.len();
            self.bytes.extend_from_slice(head);
            start..self.bytes.len()
        });
        self.items.push(OwnedItem::Response(OwnedResponse {
            id,
            offset,
            length,
            capture: OwnedCapture::copy(&response.capture, &mut self.bytes),
            is_capture: response.is_capture,
            page_head,
        }));
    }

    /// Passes the captures, pages and faults to `take` in the order in which they came, and clears
    /// the chunk.
    pub(super) fn drain(
        &mut self,
        mut take: impl FnMut(Item<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for item in self.items.drain(..) {
            match item {
                OwnedItem::Fault(fault) => take(Item::Fault(fault))?,
                OwnedItem::Response(owned) => take(Item::Response(LocatedResponse {
                    id: owned.id,
                    offset: owned.offset,
                    length: owned.length,
                    response: Response {
                        capture: owned.capture.capture(&self.bytes),
                        is_capture: owned.is_capture,
                        page_head: owned.page_head.map(|head| &self.bytes[head]),
                    },
                }))?,
            }
        }
        self.bytes.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{
        capture::CaptureReader,
        warc::{FaultKind, Limits, Reader},
    };

    /// Returns how many captures of a robots.txt a chunk takes.
    fn n_captures(host: &str, head: Option<&[u8]>) -> usize {
        let archive = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://{host}/robots.txt\r\n\
             Content-Length: 19\r\n\r\nHTTP/1.1 200 OK\r\n\r\n\r\n\r\n"
        );
        let mut reader = Reader::new(Limits::default());
        let mut captures = CaptureReader::new(1_000);
        reader.begin(Some(archive.len() as u64));
        let mut bytes = archive.as_bytes();
        let record = reader.read_record(&mut bytes).expect("there is a record");
        let response = captures.read_response(&record).expect("it is a capture");
        let item = || {
            Item::Response(LocatedResponse {
                id: 1,
                offset: 0,
                length: None,
                response: Response {
                    capture: response.capture.clone(),
                    is_capture: head.is_none(),
                    page_head: head,
                },
            })
        };
        let mut size = ChunkSize::default();
        1 + (0..).take_while(|_| size.add(&item())).count()
    }

    #[test]
    fn a_chunk_ends_by_all_bytes_that_are_copied() {
        assert_eq!(n_captures("a.example", None), MAX_ITEMS);
        // The URL and the origin, which is its first part.
        let long = "a".repeat(60_000);
        let n = MAX_BYTES.div_ceil(2 * 60_000);
        assert!((n - 1..=n).contains(&n_captures(&long, None)));
        let head = vec![b'a'; 1024 * 1024];
        assert_eq!(n_captures("a.example", Some(&head)), 16);
        let mut size = ChunkSize::default();
        let fault = || Item::Fault(Fault::new(0, 0, FaultKind::Garbage, ""));
        let n_faults = 1 + (0..).take_while(|_| size.add(&fault())).count();
        assert_eq!(n_faults, MAX_ITEMS);
    }
}
