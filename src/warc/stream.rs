//! The inflated bytes of one archive, extended on demand, and where in the file they stood.
//!
//! This is the half of the reader that knows members; the other half ([`Reader`](super::Reader))
//! knows records. Positions count inflated bytes from the start of the archive, offsets count bytes
//! of its file; a [`Mark`] ties the one to the other.
//!
//! Enters: a source of bytes. Leaves: inflated bytes, counts and faults. This file refuses to know
//! what a record is beyond its first bytes.

use std::io::Read;

use memchr::memmem;

use super::{
    Fault, FaultKind, Limits,
    buffer::Buffer,
    fault::Faults,
    mark::{End, Mark, Marks},
    member::{Members, PIECE, Piece},
    packing::{Alien, LEAD, LONG_LEAD, Packing, printable},
    window::Window,
};

/// What is counted while an archive is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadCounts {
    /// Bytes of the file that were read.
    pub bytes: u64,
    /// Gzip members and zstd frames that were found right, and from which records were read or
    /// which hold none: empty or skippable ones.
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

/// What an attempt to get more inflated bytes gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Load {
    More,
    /// Another record begins here, or bytes were lost: what stood before does not go on behind.
    Gap,
    End,
}

/// The inflated bytes at hand of one archive after the other.
pub(super) struct Stream {
    /// Bytes of the file, where they are known.
    size: Option<u64>,
    window: Window,
    members: Members,
    data: Buffer,
    packing: Option<Packing>,
    most_of_member: u64,
    marks: Marks,
    faults: Faults,
    pub(super) counts: ReadCounts,
    /// Inflated bytes given up so far.
    pub(super) taken: u64,
    /// Position behind the last record.
    last_end: u64,
    /// Inflated bytes of the current record that were read and not kept.
    dropped: u64,
    /// Position up to which the current record reaches by its Content-Length.
    claimed_end: u64,
    /// Position at which what is held in front of it ends.
    boundary: Option<Boundary>,
    /// What was expected of the bytes that are being passed over, and how many of the file's were
    /// passed.
    passing: Option<Fault>,
}

/// Where what is held does not go on.
#[derive(Clone, Copy)]
struct Boundary {
    position: u64,
    /// Whether bytes are missing there, so that no length that a record claims can reach beyond it.
    is_loss: bool,
}

/// What every record begins with.
pub(super) const SYNC: &[u8] = b"WARC/";
/// A record's start inside bytes whose structure is lost.
pub(super) const LINE_SYNC: &[u8] = b"\nWARC/";
/// The UTF-8 byte order mark, which some tools put before a record.
pub(super) const BOM: &[u8] = b"\xef\xbb\xbf";

/// Returns the length of what may stand in front of a record and means nothing: blanks, line ends
/// and byte order marks.
pub(super) fn padding(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    loop {
        let trimmed = rest.trim_ascii_start();
        match trimmed.strip_prefix(BOM) {
            Some(behind) => rest = behind,
            None => return bytes.len() - trimmed.len(),
        }
    }
}

/// Returns how much of a record's first bytes stands in front of another record, if one was cut
/// inside those.
pub(super) fn cut_start(bytes: &[u8]) -> Option<usize> {
    (1..SYNC.len()).find(|&n| bytes.starts_with(&SYNC[..n]) && bytes[n..].starts_with(SYNC))
}

impl Stream {
    /// Returns an empty stream.
    pub(super) fn new(limits: Limits) -> Self {
        // A member that is inflated as a whole is within the limit of members.
        let most = usize::try_from(limits.member).unwrap_or(usize::MAX);
        let whole_member = limits.whole_member.min(most);
        Self {
            size: None,
            window: Window::new(),
            members: Members::new(),
            data: Buffer::new(whole_member),
            packing: None,
            most_of_member: limits.member,
            marks: Marks::default(),
            faults: Faults::default(),
            counts: ReadCounts::default(),
            taken: 0,
            last_end: 0,
            dropped: 0,
            claimed_end: 0,
            boundary: None,
            passing: None,
        }
    }

    /// Forgets the archive read before and takes up one of `size` bytes, where that is known.
    pub(super) fn begin(&mut self, size: Option<u64>) {
        self.size = size;
        self.window.clear();
        self.data.clear();
        self.packing = None;
        self.marks.clear();
        self.faults.clear();
        self.counts = ReadCounts::default();
        (self.taken, self.last_end, self.dropped) = (0, 0, 0);
        self.claimed_end = 0;
        self.boundary = None;
        self.passing = None;
    }

    /// Returns what was counted so far.
    pub(super) fn counts(&self) -> ReadCounts {
        ReadCounts {
            bytes: self.window.offset(),
            ..self.counts
        }
    }

    /// Notes a fault; what it skipped of the file is counted nowhere else.
    pub(super) fn note(&mut self, fault: Fault) {
        self.counts.bytes_skipped += fault.bytes_skipped;
        self.faults.push(fault);
    }

    /// Hands out the faults that wait.
    pub(super) fn take_faults(&mut self, has_ended: bool, each: impl FnMut(Fault)) {
        self.faults.take(has_ended, each);
    }

    /// Sums up at the end of the archive.
    pub(super) fn end(&mut self) {
        while let Some(mark) = self.marks.pop() {
            self.pass(mark);
        }
        let offset = self.window.offset();
        if let Some(e) = self.window.take_error() {
            self.note(Fault {
                offset,
                bytes_skipped: 0,
                kind: FaultKind::ReadFailed,
                message: format!("reading stopped here: {e}"),
            });
        }
        if offset == 0 && self.faults.is_empty() {
            self.note(Fault {
                offset: 0,
                bytes_skipped: 0,
                kind: FaultKind::Empty,
                message: "expected an archive, but the file holds no bytes".to_owned(),
            });
        }
        if self.is_plain() {
            self.counts.member_bytes = offset - self.counts.bytes_skipped;
        }
    }

    /// Tells the packing from the first bytes; `false` if this is no archive, and then all of it is
    /// passed over.
    pub(super) fn detect(&mut self, source: &mut dyn Read) -> bool {
        if self.packing.is_some() {
            return true;
        }
        let mut told = self.packing_within(source, LEAD);
        if matches!(told, Err(Alien::Other(_))) {
            told = self.packing_within(source, LONG_LEAD);
        }
        if self.window.bytes().is_empty() {
            return false;
        }
        let packing = match told {
            Ok(packing) => packing,
            Err(alien) => {
                self.skip_all(source, alien);
                return false;
            }
        };
        self.packing = Some(packing);
        if packing == Packing::Members {
            self.members.begin();
        }
        true
    }

    fn packing_within(&mut self, source: &mut dyn Read, lead: usize) -> Result<Packing, Alien> {
        self.window.fill(source, lead);
        // No more is looked at than was asked for, so that the answer does not depend on the
        // source.
        let bytes = self.window.bytes();
        Packing::of(&bytes[..bytes.len().min(lead)])
    }

    fn skip_all(&mut self, source: &mut dyn Read, alien: Alien) {
        while !self.window.bytes().is_empty() {
            let n = self.window.bytes().len();
            self.window.consume(n);
            self.window.fill(source, 1);
        }
        let (kind, message) = match alien {
            Alien::Arc => (
                FaultKind::ArcArchive,
                "expected a WARC archive, but found an ARC archive (filedesc://), which is not read; convert it first, for example with warcio recompress FILE.arc.gz FILE.warc.gz".to_owned(),
            ),
            Alien::Other(what) => (
                FaultKind::NotAnArchive,
                format!("expected a WARC archive (plain, gzip or zstd), but found {what}"),
            ),
        };
        self.note(Fault {
            offset: 0,
            bytes_skipped: self.window.offset(),
            kind,
            message,
        });
    }

    /// Appends more inflated bytes, if they can belong to the record at the start of what is held.
    pub(super) fn more(&mut self, source: &mut dyn Read) -> Load {
        if self.boundary.is_some() || self.is_broken() {
            return Load::Gap;
        }
        let held = self.data.len();
        let load = if self.is_plain() {
            self.more_plain(source)
        } else {
            self.more_of_members(source)
        };
        self.counts.bytes_inflated += (self.data.len() - held) as u64;
        load
    }

    fn more_plain(&mut self, source: &mut dyn Read) -> Load {
        self.window.fill(source, PIECE);
        let n = self.window.bytes().len().min(PIECE);
        if n == 0 {
            return Load::End;
        }
        self.data.reserve(n);
        self.data
            .spare(n)
            .copy_from_slice(&self.window.bytes()[..n]);
        self.data.advance(n);
        self.window.consume(n);
        Load::More
    }

    fn more_of_members(&mut self, source: &mut dyn Read) -> Load {
        loop {
            let is_inside = self.marks.is_inside();
            let held = self.data.len();
            let start = self.position_of(held);
            // A piece is one byte longer than the limit allows, so that what fits it is never given
            // up.
            let since = self
                .marks
                .open_start()
                .map_or(0, |open| start - open.max(self.last_end));
            let piece = if since > self.most_of_member {
                self.abandon(source)
            } else {
                let most = usize::try_from(self.most_of_member - since).unwrap_or(usize::MAX);
                self.members.read(
                    &mut self.window,
                    source,
                    &mut self.data,
                    most.saturating_add(1),
                )
            };
            let (offset, end) = match piece {
                Piece::Done => return Load::End,
                Piece::Skipped(fault) => {
                    self.note(fault);
                    return self.gap();
                }
                Piece::Broken(fault)
                    if !is_inside
                        && memmem::find(&self.data.bytes()[held..], LINE_SYNC).is_none() =>
                {
                    // No record of it is followed by another: none can be known to be whole.
                    self.data.truncate(held);
                    self.note(fault);
                    return self.gap();
                }
                Piece::Broken(fault) => (fault.offset, End::Broken(fault)),
                Piece::End { offset, length } => {
                    self.counts.members += 1;
                    self.counts.member_bytes += length;
                    (offset, End::Whole(length))
                }
                Piece::Part { offset } => (offset, End::Open),
            };
            if is_inside {
                self.marks.close(end);
                if self.is_broken() {
                    self.leave_marks();
                    return Load::Gap;
                }
                return Load::More;
            }
            if self.data.len() == held && matches!(end, End::Whole(_)) {
                continue;
            }
            self.marks.push(start, offset, end);
            let content = &self.data.bytes()[held..];
            let is_record = content[padding(content)..].starts_with(SYNC);
            if is_record && held > 0 && start >= self.claimed_end {
                self.boundary = Some(Boundary {
                    position: start,
                    is_loss: false,
                });
                return Load::Gap;
            }
            return Load::More;
        }
    }

    fn abandon(&mut self, source: &mut dyn Read) -> Piece {
        let most = self.most_of_member;
        let fault = self
            .members
            .abandon(&mut self.window, source, &mut self.data, most);
        Piece::Broken(fault.expect("a member is given up only while it is read"))
    }

    /// Takes note that the record at the start of what is held claims `length` bytes: a member that
    /// begins within them goes on with it, whatever it begins with, since blocks know nothing of
    /// records.
    pub(super) fn claim(&mut self, length: usize) {
        self.claimed_end = self.taken + length as u64;
        let is_within = |boundary: &Boundary| boundary.position < self.claimed_end;
        self.boundary = self
            .boundary
            .filter(|boundary| boundary.is_loss || !is_within(boundary));
    }

    /// Ends what is held for good.
    fn gap(&mut self) -> Load {
        let held = self.data.len();
        self.boundary = (held > 0).then(|| Boundary {
            position: self.position_of(held),
            is_loss: true,
        });
        Load::Gap
    }

    /// Returns the bytes held that may belong to the record at their start.
    pub(super) fn held(&self) -> &[u8] {
        &self.data.bytes()[..self.available()]
    }

    pub(super) fn available(&self) -> usize {
        let held = self.data.len();
        self.boundary.map_or(held, |boundary| {
            usize::try_from(boundary.position - self.position_of(0)).map_or(held, |n| n.min(held))
        })
    }

    /// Consumes `n` bytes held, and all that was dropped of them.
    pub(super) fn give_up(&mut self, n: usize) {
        self.data.consume(n);
        self.taken += n as u64 + self.dropped;
        self.dropped = 0;
        if self
            .boundary
            .is_some_and(|boundary| self.taken >= boundary.position)
        {
            self.boundary = None;
        }
        self.leave_marks();
    }

    /// Takes leave of the members of which nothing is held any more.
    fn leave_marks(&mut self) {
        while let Some(mark) = self.marks.leave(self.taken, self.data.len() == 0) {
            self.pass(mark);
        }
    }

    /// Takes leave of a member: a whole one in which no record stood counts as skipped, and of a
    /// broken one the fault is told now.
    fn pass(&mut self, mark: Mark) {
        match mark.end {
            End::Broken(mut fault) => {
                if mark.unchecked > 0 {
                    fault.message.push_str(&format!(
                        "; {} records had been read from it before that showed",
                        mark.unchecked
                    ));
                }
                self.note(fault);
            }
            End::Whole(length) if !mark.used => {
                self.counts.members -= 1;
                self.counts.member_bytes -= length;
                match &mut self.passing {
                    Some(fault) => fault.bytes_skipped += length,
                    None => self.note(Fault {
                        offset: mark.offset,
                        bytes_skipped: length,
                        kind: FaultKind::NotARecord,
                        message: "expected a WARC record, but the member here holds something else"
                            .to_owned(),
                    }),
                }
            }
            End::Whole(_) | End::Open => {}
        }
    }

    /// Begins to pass over what is held and no record: members left from here on without being used
    /// count to `kind`.
    pub(super) fn begin_passing(&mut self, kind: FaultKind, expected: &str) {
        self.passing = Some(Fault {
            offset: self.file_offset(self.taken),
            bytes_skipped: 0,
            kind,
            message: format!("{expected}, but found {}", printable(self.held())),
        });
    }

    /// Ends passing over, and notes what was passed.
    pub(super) fn end_passing(&mut self) {
        if let Some(mut fault) = self.passing.take() {
            if self.is_plain() {
                fault.bytes_skipped = self.taken - fault.offset;
            }
            self.note(fault);
        }
    }

    pub(super) fn consume_padding(&mut self) {
        // More of it may stand behind a boundary that is left.
        loop {
            let n = self.padding_at(0);
            if n == 0 {
                return;
            }
            // Members that hold nothing but line ends are part of the record in front of them.
            let end = self.position_of(n);
            self.marks.use_within(end, n == self.data.len());
            self.give_up(n);
        }
    }

    pub(super) fn padding_at(&self, from: usize) -> usize {
        padding(&self.held()[from..])
    }

    fn line_ends_at(&self, from: usize) -> usize {
        self.held()[from..]
            .iter()
            .take_while(|&&b| b == b'\r' || b == b'\n')
            .count()
    }

    /// Returns true if and only if the record that ends behind the first `length` bytes held is
    /// closed as it must be (ISO 28500, 4), and stands in a plain file or behind others in its
    /// member: what follows and is no record then does not belong to it. In a member of its own, it
    /// would.
    pub(super) fn is_closed_at(&self, length: usize) -> bool {
        let end = self.position_of(length);
        let is_alone = !self.is_plain() && self.marks.start_before(end) == Some(self.taken);
        !is_alone && self.held()[length..].starts_with(b"\r\n\r\n")
    }

    /// Returns true if and only if the record at the start of what is held may be `length` bytes
    /// long: that much is left of a plain file, or may come out of a member.
    pub(super) fn may_hold(&self, length: u64) -> bool {
        match self.size {
            Some(size) if self.is_plain() => self.taken.saturating_add(length) <= size,
            _ => length <= self.most_of_member,
        }
    }

    /// Ends a record of the first `length` bytes held and what was dropped of them: the members
    /// that hold bytes of it are used.
    pub(super) fn use_marks(&mut self, length: usize) {
        self.last_end = self.position_of(length);
        self.marks.use_before(self.last_end);
    }

    pub(super) fn file_offset(&self, position: u64) -> u64 {
        if self.is_plain() {
            position
        } else {
            self.marks.offset_of(position)
        }
    }

    /// Returns true if and only if what is held ends where its member broke.
    pub(super) fn is_broken(&self) -> bool {
        self.boundary.is_none() && self.marks.is_broken()
    }

    /// Returns true if and only if the file is a sequence of records without any compression.
    fn is_plain(&self) -> bool {
        self.packing == Some(Packing::Plain)
    }

    /// Returns true if and only if what is held may go on without another member's beginning: a
    /// plain file, or a member not inflated yet.
    pub(super) fn is_open(&self) -> bool {
        self.is_plain() || self.marks.is_inside()
    }

    /// Forgets `n` bytes held behind the first `from`, which belong to the current record all the
    /// same.
    pub(super) fn remove(&mut self, from: usize, n: usize) {
        self.data.remove(from, n);
        self.dropped += n as u64;
    }

    /// Returns the position of the byte held behind the first `n`, all that was dropped counted to
    /// those.
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

    /// Returns the length in the file of the record in the first `length` bytes held, which begins
    /// at `offset`. If it ends in a member whose end is not known or broken, the length is not
    /// known, and it is counted as unchecked there.
    pub(super) fn file_length(&mut self, length: usize, offset: u64) -> Option<u64> {
        let end = self.position_of(length);
        if self.is_plain() {
            return Some(end + self.line_ends_at(length) as u64 - offset);
        }
        let mark = self.marks.last_before(end)?;
        if let End::Whole(length) = mark.end {
            return Some(mark.offset + length - offset);
        }
        mark.unchecked += 1;
        None
    }
}
