//! The inflated bytes of one archive, extended on demand, and where in the file they stood.
//!
//! This is the half of the reader that knows members; the other half ([`Reader`](super::Reader)) knows records. Positions count inflated bytes
//! from the start of the archive, offsets count bytes of its file; a [`Mark`] ties the one to the other.

use std::io::{self, Read};

use memchr::memmem;

use super::{
    Fault, FaultKind,
    buffer::Buffer,
    member::{Members, Piece},
    window::Window,
};

/// What is counted while an archive is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadCounts {
    /// Bytes of the file that were read.
    pub bytes: u64,
    /// Gzip members with a right CRC and size, from which records were read or which were empty.
    pub members: u64,
    /// Bytes of those members, or of the records of a plain file.
    pub member_bytes: u64,
    /// Bytes of the file from which nothing was read; with `member_bytes` it adds up to `bytes`.
    pub bytes_skipped: u64,
    /// Bytes after inflating.
    pub bytes_inflated: u64,
    /// Records handed out, or passed over because their headers were unusable.
    pub records: u64,
}

/// How the archive's bytes are packed, told by the bytes themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Packing {
    Gzip,
    Plain,
}

/// The piece of inflated bytes that came from one gzip member.
#[derive(Clone, Copy, Debug)]
struct Mark {
    /// Position of its first byte, counted in inflated bytes from the start of the archive.
    start: u64,
    offset: u64,
    /// Length in the file; `None` while the member is still being inflated.
    length: Option<u64>,
    /// Records handed out before its CRC was seen.
    unchecked: u64,
    /// Whether a record began in it or went on into it.
    used: bool,
}

/// What an attempt to get more inflated bytes gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Load {
    More,
    /// Bytes were lost here: what stood before does not go on behind.
    Gap,
    End,
}

/// The inflated bytes at hand of one archive after the other.
pub(super) struct Stream {
    window: Window,
    members: Members,
    data: Buffer,
    packing: Option<Packing>,
    marks: Vec<Mark>,
    pub(super) faults: Vec<Fault>,
    pub(super) counts: ReadCounts,
    /// Inflated bytes given up so far.
    pub(super) taken: u64,
    /// Inflated bytes of the current record that were read and not kept.
    dropped: u64,
    /// Position behind which the bytes held belong to a later record.
    pub(super) boundary: Option<u64>,
}

/// What every record begins with.
pub(super) const SYNC: &[u8] = b"WARC/";
/// The UTF-8 byte order mark, which some tools put before a plain archive.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// Bytes looked at to tell what a file is.
const LEAD: usize = 512 * 1024;

impl Stream {
    /// Returns an empty stream for members that inflate to at most `whole_member` bytes as a whole.
    pub(super) fn new(whole_member: usize) -> Self {
        Self {
            window: Window::new(),
            members: Members::new(),
            data: Buffer::new(whole_member),
            packing: None,
            marks: Vec::new(),
            faults: Vec::new(),
            counts: ReadCounts::default(),
            taken: 0,
            dropped: 0,
            boundary: None,
        }
    }

    pub(super) fn clear(&mut self) {
        self.window.clear();
        self.members.clear();
        self.data.clear();
        self.packing = None;
        self.marks.clear();
        self.faults.clear();
        self.counts = ReadCounts::default();
        (self.taken, self.dropped) = (0, 0);
        self.boundary = None;
    }

    /// Returns what was counted so far.
    pub(super) fn counts(&self) -> ReadCounts {
        ReadCounts {
            bytes: self.window.offset(),
            ..self.counts
        }
    }

    /// Sums up at the end of the archive.
    pub(super) fn end(&mut self) {
        for mark in std::mem::take(&mut self.marks) {
            self.pass(mark);
        }
        let offset = self.window.offset();
        if offset == 0 && self.faults.is_empty() {
            self.faults.push(Fault {
                offset: 0,
                bytes_skipped: 0,
                kind: FaultKind::Empty,
                message: "expected an archive, but the file holds no bytes".to_owned(),
            });
        }
        if self.is_plain() {
            self.counts.member_bytes = offset - self.counts.bytes_skipped.min(offset);
        }
    }

    /// Tells the packing from the first bytes; `false` if this is no archive.
    pub(super) fn detect(&mut self, source: &mut dyn Read) -> io::Result<bool> {
        if self.packing.is_some() {
            return Ok(true);
        }
        self.window.fill(source, LEAD)?;
        let bytes = self.window.bytes();
        if bytes.is_empty() {
            return Ok(false);
        }
        let text = bytes.strip_prefix(BOM).unwrap_or(bytes);
        if Members::is_start(bytes) {
            self.packing = Some(Packing::Gzip);
        } else if text.trim_ascii_start().starts_with(SYNC) {
            let bom = bytes.len() - text.len();
            self.window.consume(bom);
            self.taken = bom as u64;
            self.packing = Some(Packing::Plain);
        } else if memmem::find(bytes, b"\x1f\x8b\x08")
            .is_some_and(|at| Members::begins_a_record(&bytes[at..]))
        {
            self.packing = Some(Packing::Gzip);
        } else if memmem::find(bytes, b"\nWARC/1.").is_some() {
            self.packing = Some(Packing::Plain);
        } else {
            let what = describe(bytes);
            let mut skipped = 0;
            while !self.window.bytes().is_empty() {
                let n = self.window.bytes().len();
                skipped += n as u64;
                self.window.consume(n);
                self.window.fill(source, 1)?;
            }
            self.counts.bytes_skipped += skipped;
            self.faults.push(Fault {
                offset: 0,
                bytes_skipped: skipped,
                kind: FaultKind::NotAnArchive,
                message: format!("expected a WARC archive (plain or gzip), but found {what}"),
            });
            return Ok(false);
        }
        Ok(true)
    }

    /// Appends more inflated bytes, if they can belong to the record at the start of what is held.
    pub(super) fn more(&mut self, source: &mut dyn Read) -> io::Result<Load> {
        if self.boundary.is_some() {
            return Ok(Load::Gap);
        }
        if self.packing == Some(Packing::Plain) {
            self.window.fill(source, 1)?;
            let n = self.window.bytes().len();
            if n == 0 {
                return Ok(Load::End);
            }
            self.data.reserve(n);
            self.data.spare()[..n].copy_from_slice(self.window.bytes());
            self.data.advance(n);
            self.window.consume(n);
            self.counts.bytes_inflated += n as u64;
            return Ok(Load::More);
        }
        loop {
            let at_boundary = self.marks.last().is_none_or(|mark| mark.length.is_some());
            let start = self.taken + self.dropped + self.data.len() as u64;
            let held = self.data.len();
            let faults = self.faults.len();
            let piece =
                self.members
                    .read(&mut self.window, source, &mut self.data, &mut self.faults)?;
            self.counts.bytes_inflated += (self.data.len() - held) as u64;
            for fault in &self.faults[faults..] {
                self.counts.bytes_skipped += fault.bytes_skipped;
            }
            let (offset, length) = match piece {
                Piece::End => return Ok(Load::End),
                Piece::Skipped => return Ok(Load::Gap),
                Piece::Broken { .. } => {
                    // Nothing of the broken member may be believed; what went out of it before is told in the fault.
                    self.data.truncate(held);
                    let mark = if at_boundary { None } else { self.marks.pop() };
                    if let Some(mark) = mark {
                        let keep = usize::try_from(mark.start.saturating_sub(self.taken))
                            .unwrap_or(usize::MAX);
                        self.data.truncate(keep.min(self.data.len()));
                        if mark.unchecked > 0
                            && let Some(fault) = self.faults.last_mut()
                        {
                            fault.message.push_str(&format!(
                                "; {} records had been read from it before that showed",
                                mark.unchecked
                            ));
                        }
                    }
                    return Ok(Load::Gap);
                }
                Piece::Whole { offset, length } | Piece::LastPart { offset, length } => {
                    self.counts.members += 1;
                    self.counts.member_bytes += length;
                    (offset, Some(length))
                }
                Piece::Part { offset } => (offset, None),
            };
            if !at_boundary {
                if let Some(mark) = self.marks.last_mut() {
                    mark.length = length;
                }
                return Ok(Load::More);
            }
            if self.data.len() == held && length.is_some() {
                continue;
            }
            self.marks.push(Mark {
                start,
                offset,
                length,
                unchecked: 0,
                used: false,
            });
            if self.data.bytes()[held..]
                .trim_ascii_start()
                .starts_with(SYNC)
            {
                self.boundary = (held > 0).then_some(start);
                return Ok(if held > 0 { Load::Gap } else { Load::More });
            }
            return Ok(Load::More);
        }
    }

    /// Returns the bytes held that may belong to the record at their start.
    pub(super) fn held(&self) -> &[u8] {
        &self.data.bytes()[..self.available()]
    }

    pub(super) fn available(&self) -> usize {
        match self.boundary {
            Some(boundary) => usize::try_from(boundary - self.taken - self.dropped)
                .unwrap_or(usize::MAX)
                .min(self.data.len()),
            None => self.data.len(),
        }
    }

    /// Consumes `n` bytes held, and all that was dropped of them.
    pub(super) fn give_up(&mut self, n: usize) {
        self.data.consume(n);
        self.taken += n as u64 + self.dropped;
        self.dropped = 0;
        if self.boundary.is_some_and(|boundary| self.taken >= boundary) {
            self.boundary = None;
        }
        while self.marks.len() > 1 && self.marks[1].start <= self.taken
            || self.marks.len() == 1 && self.data.len() == 0 && self.marks[0].length.is_some()
        {
            let mark = self.marks.remove(0);
            self.pass(mark);
        }
    }

    /// Takes leave of a member: one in which no record stood counts as skipped.
    fn pass(&mut self, mark: Mark) {
        if let (false, Some(length)) = (mark.used, mark.length) {
            self.counts.members -= 1;
            self.counts.member_bytes -= length;
            self.counts.bytes_skipped += length;
            self.faults.push(Fault {
                offset: mark.offset,
                bytes_skipped: length,
                kind: FaultKind::NotARecord,
                message: "expected a WARC record, but the gzip member here holds something else"
                    .to_owned(),
            });
        }
    }

    pub(super) fn consume_line_ends(&mut self) {
        let n = self.line_ends_at(0);
        if n > 0 {
            if let Some(mark) = self.marks.first_mut()
                && n == self.data.len()
            {
                mark.used = true;
            }
            self.give_up(n);
        }
    }

    pub(super) fn line_ends_at(&self, from: usize) -> usize {
        self.held()[from..]
            .iter()
            .take_while(|&&b| b == b'\r' || b == b'\n')
            .count()
    }

    /// Marks the members that hold bytes of the first `length` held, and of what was dropped of them, as used.
    pub(super) fn use_marks(&mut self, length: usize) {
        let end = self.taken + self.dropped + length as u64;
        for mark in &mut self.marks {
            mark.used |= mark.start < end;
        }
    }

    pub(super) fn file_offset(&self, position: u64) -> u64 {
        match self.packing {
            Some(Packing::Plain) => position,
            _ => self
                .marks
                .iter()
                .rev()
                .find(|mark| mark.start <= position)
                .map_or(0, |mark| mark.offset),
        }
    }

    /// Returns true if and only if the member in which the current record stands broke: what was held of it is gone.
    pub(super) fn broke(&self) -> bool {
        self.packing == Some(Packing::Gzip) && self.marks.is_empty()
    }

    /// Returns true if and only if the file is a sequence of records without any compression.
    pub(super) fn is_plain(&self) -> bool {
        self.packing == Some(Packing::Plain)
    }

    /// Returns true if and only if what is held may go on without another member's beginning: a plain file, or a member not inflated yet.
    pub(super) fn is_open(&self) -> bool {
        self.is_plain() || self.marks.last().is_some_and(|mark| mark.length.is_none())
    }

    /// Forgets `n` bytes held behind the first `from`, which belong to the current record all the same.
    pub(super) fn remove(&mut self, from: usize, n: usize) {
        self.data.remove(from.min(self.data.len()), n);
        self.dropped += n as u64;
    }

    /// Returns the position of the byte held behind the first `n`.
    pub(super) fn position_of(&self, n: usize) -> u64 {
        self.taken + self.dropped + n as u64
    }

    /// Returns where in the buffer the first byte held stands, valid until more is loaded.
    pub(super) fn position(&self) -> usize {
        self.data.position()
    }

    /// Returns bytes of the buffer, given up ones included.
    pub(super) fn at(&self, range: std::ops::Range<usize>) -> &[u8] {
        self.data.at(range)
    }

    /// Returns the length in the file of the record in the first `length` bytes held, which begins at `offset`, and counts it as unchecked if
    /// its member is still being inflated; then its length is not known.
    pub(super) fn file_length(&mut self, length: usize, offset: u64) -> Option<u64> {
        if self.is_plain() {
            let end = self.position_of(length + self.line_ends_at(length));
            return Some(end - offset);
        }
        if let Some(mark) = self.marks.last_mut()
            && mark.length.is_none()
        {
            mark.unchecked += 1;
        }
        let last = self.position_of(length);
        let mark = self.marks.iter().rev().find(|mark| mark.start < last)?;
        Some(mark.offset + mark.length? - offset)
    }
}

/// Returns the beginning of some bytes as a person can read them.
pub(super) fn printable(bytes: &[u8]) -> String {
    let shown = &bytes[..bytes.len().min(24)];
    format!("\"{}\"", shown.escape_ascii())
}

/// Returns what a file that is no archive seems to be.
fn describe(bytes: &[u8]) -> String {
    let lead = bytes.trim_ascii_start();
    let starts =
        |what: &[u8]| lead.len() >= what.len() && lead[..what.len()].eq_ignore_ascii_case(what);
    let known = if starts(b"<!doctype") || starts(b"<html") {
        "an HTML page"
    } else if bytes.starts_with(b"\x28\xb5\x2f\xfd")
        || (bytes.len() > 3 && bytes[1..4] == *b"\x2a\x4d\x18" && bytes[0] & 0xf0 == 0x50)
    {
        "Zstandard, which is not supported"
    } else if bytes.starts_with(b"filedesc:") {
        "an ARC archive, which is not supported"
    } else if bytes.starts_with(b"PK\x03\x04") {
        "a ZIP archive"
    } else if bytes.starts_with(b"BZh") {
        "bzip2, which is not supported"
    } else if bytes.starts_with(b"\xfd7zXZ") {
        "xz, which is not supported"
    } else {
        return printable(bytes);
    };
    known.to_owned()
}
