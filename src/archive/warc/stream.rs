//! The decompressed bytes of one archive, extended on demand, with their offsets in the file.
//!
//! This is the part of the reader that knows members; [`Reader`](super::Reader) knows records.
//! Positions count decompressed bytes from the start of the archive, offsets count bytes of its
//! file; a [`MemberSpan`] relates the two.

use std::{io::Read, mem, ops::AddAssign};

use memchr::memmem;

use super::{
    Fault, FaultKind, Limits,
    buffer::Buffer,
    fault::Faults,
    framing::{self, Framing, LEAD, LONG_LEAD},
    member::{MemberIo, MemberRead, Members, STEP_BYTES},
    span::{MemberEnd, MemberSpan, MemberSpans},
    sync::{LINE_SYNC, SYNC, padding},
    window::Window,
};

/// The counts of an archive that is being read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadCounts {
    /// Bytes of the file that were read.
    pub bytes: u64,
    /// Whole gzip members and zstd frames from which records were read, or that are empty or
    /// skippable.
    pub members: u64,
    /// Bytes of those members, or of the records of a plain file.
    pub member_bytes: u64,
    /// Bytes of the file from which nothing was read; with `member_bytes` it adds up to `bytes`.
    pub bytes_skipped: u64,
    /// Decompressed bytes.
    pub bytes_inflated: u64,
    /// Records that were returned, or skipped because their headers were unusable.
    pub records: u64,
}

impl AddAssign for ReadCounts {
    fn add_assign(&mut self, other: Self) {
        self.bytes += other.bytes;
        self.members += other.members;
        self.member_bytes += other.member_bytes;
        self.bytes_skipped += other.bytes_skipped;
        self.bytes_inflated += other.bytes_inflated;
        self.records += other.records;
    }
}

/// The result of an attempt to append decompressed bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoadResult {
    More,
    /// Another record begins here, or bytes were lost: no record continues across.
    Gap,
    EndOfFile,
}

/// The buffered decompressed bytes of one archive after the other.
pub(super) struct ByteStream {
    /// Bytes of the file, where they are known.
    size: Option<u64>,
    window: Window,
    members: Members,
    data: Buffer,
    framing: Option<Framing>,
    limits: Limits,
    spans: MemberSpans,
    faults: Faults,
    pub(super) counts: ReadCounts,
    /// Position of the first buffered byte: those before it were consumed.
    pub(super) taken: u64,
    /// Position of the end of the last record.
    last_end: u64,
    /// Bytes of the current record that were read and dropped.
    dropped: u64,
    /// Position of the end of the current record by its Content-Length.
    claimed_end: u64,
    /// The boundary across which no record continues.
    boundary: Option<Boundary>,
    /// The fault of the bytes that are being skipped.
    skipping: Option<Fault>,
}

/// A position in the buffered bytes across which no record continues.
#[derive(Clone, Copy)]
struct Boundary {
    position: u64,
    /// Whether bytes are missing there, so that not even a declared length extends beyond it.
    is_loss: bool,
}

impl ByteStream {
    /// Returns an empty stream.
    pub(super) fn new(limits: Limits) -> Self {
        // A member that is decompressed in one call is within the limit of members.
        let most = usize::try_from(limits.member).unwrap_or(usize::MAX);
        let whole_member = limits.whole_member.min(most);
        Self {
            size: None,
            window: Window::default(),
            members: Members::new(whole_member),
            data: Buffer::default(),
            framing: None,
            limits,
            spans: MemberSpans::default(),
            faults: Faults::default(),
            counts: ReadCounts::default(),
            taken: 0,
            last_end: 0,
            dropped: 0,
            claimed_end: 0,
            boundary: None,
            skipping: None,
        }
    }

    /// Resets for another archive of `size` bytes, where that is known; the buffers are kept.
    pub(super) fn begin(&mut self, size: Option<u64>) {
        let (mut window, mut data) = (mem::take(&mut self.window), mem::take(&mut self.data));
        window.clear();
        data.clear();
        data.reserve(STEP_BYTES);
        *self = Self {
            size,
            window,
            data,
            ..Self::new(self.limits)
        };
    }

    /// Returns the counts so far.
    pub(super) fn counts(&self) -> ReadCounts {
        ReadCounts {
            bytes: self.window.offset,
            ..self.counts
        }
    }

    /// Adds a fault; the bytes that it skipped are counted only here.
    pub(super) fn note(&mut self, fault: Fault) {
        self.counts.bytes_skipped += fault.bytes_skipped;
        self.faults.push(fault);
    }

    /// Passes the faults that were noted since the last call to `each`.
    pub(super) fn take_faults(&mut self, has_ended: bool, each: impl FnMut(Fault)) {
        self.faults.take(has_ended, each);
    }

    /// Completes the counts at the end of the archive.
    pub(super) fn end(&mut self) {
        while let Some(span) = self.spans.pop() {
            self.close_member(span);
        }
        let offset = self.window.offset;
        if let Some(e) = self.window.error.take() {
            self.note(Fault::new(
                offset,
                0,
                FaultKind::ReadFailed,
                format!("expected more of the file, but it cannot be read: {e}"),
            ));
        }
        if offset == 0 && self.faults.is_empty() {
            self.note(Fault::new(
                0,
                0,
                FaultKind::Empty,
                "expected an archive, but the file holds no bytes",
            ));
        }
        if self.is_plain() {
            self.counts.member_bytes = offset - self.counts.bytes_skipped;
        }
    }

    /// Detects the framing from the first bytes; `false` if this is not an archive, and then all of
    /// it is skipped.
    pub(super) fn detect(&mut self, source: &mut dyn Read) -> bool {
        if self.framing.is_some() {
            return true;
        }
        let mut detected = self.framing_within(source, LEAD);
        if matches!(detected, Err((FaultKind::NotAnArchive, _))) {
            detected = self.framing_within(source, LONG_LEAD);
        }
        if self.window.bytes().is_empty() {
            return false;
        }
        match detected {
            Ok(framing) => self.framing = Some(framing),
            Err((kind, message)) => self.skip_all(source, kind, message),
        }
        self.framing.is_some()
    }

    fn framing_within(
        &mut self,
        source: &mut dyn Read,
        lead: usize,
    ) -> Result<Framing, (FaultKind, String)> {
        self.window.fill(source, lead);
        // No more bytes are examined than were requested, so that the result does not depend on the
        // source.
        let bytes = self.window.bytes();
        Framing::detect(&bytes[..bytes.len().min(lead)])
    }

    fn skip_all(&mut self, source: &mut dyn Read, kind: FaultKind, message: String) {
        while !self.window.bytes().is_empty() {
            let n = self.window.bytes().len();
            self.window.consume(n);
            self.window.fill(source, 1);
        }
        self.note(Fault::new(0, self.window.offset, kind, message));
    }

    /// Appends decompressed bytes, if they can belong to the record at the start of the buffered
    /// ones.
    pub(super) fn more(&mut self, source: &mut dyn Read) -> LoadResult {
        if self.boundary.is_some() || self.is_broken() {
            return LoadResult::Gap;
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

    fn more_plain(&mut self, source: &mut dyn Read) -> LoadResult {
        self.window.fill(source, STEP_BYTES);
        let n = self.window.bytes().len().min(STEP_BYTES);
        if n == 0 {
            return LoadResult::EndOfFile;
        }
        self.data.reserve(n);
        self.data
            .spare(n)
            .copy_from_slice(&self.window.bytes()[..n]);
        self.data.advance(n);
        self.window.consume(n);
        LoadResult::More
    }

    fn more_of_members(&mut self, source: &mut dyn Read) -> LoadResult {
        loop {
            let is_streamed = self.spans.is_open();
            let held = self.data.len();
            let start = self.position_of(held);
            // One byte more than the limit is read, so that a member of exactly the limit is whole.
            let since = self
                .spans
                .open_start()
                .map_or(0, |open| start - open.max(self.last_end));
            let mut io = MemberIo {
                window: &mut self.window,
                source,
                out: &mut self.data,
            };
            let read = if since > self.limits.member {
                self.members.abandon(&mut io, self.limits.member)
            } else {
                let most = usize::try_from(self.limits.member - since).unwrap_or(usize::MAX);
                self.members.read(&mut io, most.saturating_add(1))
            };
            let (offset, end) = match read {
                MemberRead::EndOfFile => return LoadResult::EndOfFile,
                MemberRead::Skipped(fault) => {
                    self.note(fault);
                    return self.gap();
                }
                MemberRead::Broken(fault)
                    if !is_streamed
                        && memmem::find(&self.data.bytes()[held..], LINE_SYNC).is_none() =>
                {
                    // No record of it is followed by another, so none is known to be whole.
                    self.data.truncate(held);
                    self.note(fault);
                    return self.gap();
                }
                MemberRead::Broken(fault) => (fault.offset, MemberEnd::Broken(fault)),
                MemberRead::Complete { offset, length } => {
                    self.counts.members += 1;
                    self.counts.member_bytes += length;
                    (offset, MemberEnd::Whole(length))
                }
                MemberRead::Partial { offset } => (offset, MemberEnd::Open),
            };
            if is_streamed {
                self.spans.close(end);
                if self.is_broken() {
                    self.pop_consumed();
                    return LoadResult::Gap;
                }
                return LoadResult::More;
            }
            if self.data.len() == held && matches!(end, MemberEnd::Whole(_)) {
                continue;
            }
            self.spans.push(start, offset, end);
            let content = &self.data.bytes()[held..];
            let is_record = content[padding(content)..].starts_with(SYNC);
            if is_record && held > 0 && start >= self.claimed_end {
                self.boundary = Some(Boundary {
                    position: start,
                    is_loss: false,
                });
                return LoadResult::Gap;
            }
            return LoadResult::More;
        }
    }

    /// Sets the declared length of the record at the start of the buffered bytes: a member that
    /// begins within it continues the record even if it begins like another one, since blocks of
    /// BGZF are cut regardless of records.
    pub(super) fn claim(&mut self, length: usize) {
        self.claimed_end = self.taken + length as u64;
        let is_within = |boundary: &Boundary| boundary.position < self.claimed_end;
        self.boundary = self
            .boundary
            .filter(|boundary| boundary.is_loss || !is_within(boundary));
    }

    /// Ends the buffered bytes where others are missing.
    fn gap(&mut self) -> LoadResult {
        let held = self.data.len();
        self.boundary = (held > 0).then(|| Boundary {
            position: self.position_of(held),
            is_loss: true,
        });
        LoadResult::Gap
    }

    /// Returns the buffered bytes that may belong to the record at their start.
    pub(super) fn held(&self) -> &[u8] {
        &self.data.bytes()[..self.available()]
    }

    pub(super) fn available(&self) -> usize {
        let held = self.data.len();
        self.boundary.map_or(held, |boundary| {
            usize::try_from(boundary.position - self.position_of(0)).map_or(held, |n| n.min(held))
        })
    }

    /// Consumes `n` buffered bytes, and those that were dropped from among them.
    pub(super) fn consume(&mut self, n: usize) {
        self.data.consume(n);
        self.taken += n as u64 + self.dropped;
        self.dropped = 0;
        if self
            .boundary
            .is_some_and(|boundary| self.taken >= boundary.position)
        {
            self.boundary = None;
        }
        self.pop_consumed();
    }

    /// Removes the members of which no byte is buffered any more.
    fn pop_consumed(&mut self) {
        while let Some(span) = self.spans.pop_before(self.taken, self.data.len() == 0) {
            self.close_member(span);
        }
    }

    /// Accounts for a member that was consumed: a whole one without a record counts as skipped, and
    /// the fault of a damaged one is noted.
    fn close_member(&mut self, span: MemberSpan) {
        match span.end {
            MemberEnd::Broken(mut fault) => {
                if span.unchecked > 0 {
                    fault.message.push_str(&format!(
                        "; {} records were read from it before the damage",
                        span.unchecked
                    ));
                }
                self.note(fault);
            }
            MemberEnd::Whole(length) if !span.used => {
                self.counts.members -= 1;
                self.counts.member_bytes -= length;
                match &mut self.skipping {
                    Some(fault) => fault.bytes_skipped += length,
                    None => self.note(Fault::new(
                        span.offset,
                        length,
                        FaultKind::NotARecord,
                        "expected a WARC record, but the member here contains something else",
                    )),
                }
            }
            MemberEnd::Whole(_) | MemberEnd::Open => {}
        }
    }

    /// Begins to skip bytes that are not a record: members that are consumed unused from here on
    /// count as `kind`.
    pub(super) fn begin_skip(&mut self, kind: FaultKind, expected: &str) {
        self.skipping = Some(Fault::new(
            self.file_offset(self.taken),
            0,
            kind,
            format!("{expected}, but found {}", framing::kind(self.held())),
        ));
    }

    /// Ends a skip and notes its fault.
    pub(super) fn end_skip(&mut self) {
        if let Some(mut fault) = self.skipping.take() {
            if self.is_plain() {
                fault.bytes_skipped = self.taken - fault.offset;
            }
            self.note(fault);
        }
    }

    pub(super) fn consume_padding(&mut self) {
        // More padding may follow a boundary that is crossed.
        loop {
            let n = self.padding_at(0);
            if n == 0 {
                return;
            }
            // Members that contain only line ends are part of the record before them.
            let end = self.position_of(n);
            self.spans.use_within(end, n == self.data.len());
            self.consume(n);
        }
    }

    pub(super) fn padding_at(&self, from: usize) -> usize {
        padding(&self.held()[from..])
    }

    /// Returns true if and only if the record of the first `length` buffered bytes is followed by
    /// two line ends (ISO 28500, 4), and is in a plain file or not the first of its member: then
    /// bytes after it that are not a record do not belong to it. If it begins its member, they may.
    pub(super) fn is_closed_at(&mut self, length: usize) -> bool {
        let end = self.position_of(length);
        let begins_member = |span: &mut MemberSpan| span.start == self.taken;
        let is_alone = !self.is_plain() && self.spans.last_before(end).is_some_and(begins_member);
        !is_alone && self.held()[length..].starts_with(b"\r\n\r\n")
    }

    /// Returns true if and only if the record at the start of the buffered bytes may be `length`
    /// bytes long: a plain file has as many left, and a member may decompress to as many.
    pub(super) fn may_hold(&self, length: u64) -> bool {
        match self.size {
            Some(size) if self.is_plain() => self.taken.saturating_add(length) <= size,
            _ => length <= self.limits.member,
        }
    }

    /// Ends a record of the first `length` buffered bytes and those dropped from among them, and
    /// marks its members as used.
    pub(super) fn use_members(&mut self, length: usize) {
        self.last_end = self.position_of(length);
        self.spans.use_before(self.last_end);
    }

    pub(super) fn file_offset(&self, position: u64) -> u64 {
        if self.is_plain() {
            position
        } else {
            self.spans.offset_of(position)
        }
    }

    /// Returns true if and only if the buffered bytes end at the damage of their member.
    pub(super) fn is_broken(&self) -> bool {
        self.boundary.is_none() && self.spans.is_broken()
    }

    /// Returns true if and only if the records are not compressed.
    fn is_plain(&self) -> bool {
        self.framing == Some(Framing::Plain)
    }

    /// Returns true if and only if more bytes may follow without the start of another member: in a
    /// plain file, and in a member that is being streamed.
    pub(super) fn is_open(&self) -> bool {
        self.is_plain() || self.spans.is_open()
    }

    /// Drops `n` buffered bytes after the first `from`, which still belong to the current record.
    pub(super) fn remove(&mut self, from: usize, n: usize) {
        self.data.remove(from, n);
        self.dropped += n as u64;
    }

    /// Returns the position of the byte after the first `n` buffered ones and the dropped ones.
    pub(super) fn position_of(&self, n: usize) -> u64 {
        self.taken + self.dropped + n as u64
    }

    /// Returns the index in the buffer of the first byte, valid until more are appended.
    pub(super) fn index(&self) -> usize {
        self.data.position()
    }

    /// Returns bytes of the buffer by index, consumed ones included.
    pub(super) fn at(&self, range: std::ops::Range<usize>) -> &[u8] {
        self.data.at(range)
    }

    /// Returns the length in the file of the record of the first `length` buffered bytes, which
    /// begins at `offset`; `None` if it ends in a member that is damaged or whose end is not known,
    /// where it counts as unchecked.
    pub(super) fn file_length(&mut self, length: usize, offset: u64) -> Option<u64> {
        let end = self.position_of(length);
        if self.is_plain() {
            let after = self.held()[length..].iter();
            let line_ends = after.take_while(|&&b| b == b'\r' || b == b'\n');
            return Some(end + line_ends.count() as u64 - offset);
        }
        let span = self.spans.last_before(end)?;
        if let MemberEnd::Whole(length) = span.end {
            return Some(span.offset + length - offset);
        }
        span.unchecked += 1;
        None
    }
}
