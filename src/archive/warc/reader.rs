//! Reads the records of one archive in any framing, and resumes after damage.
//!
//! # Framings
//!
//! An archive is a sequence of records, and usually each is a gzip member of its own; but a file
//! may also be plain, be one single member, be split into blocks regardless of records (BGZF), or
//! have a record's header and block in two members. All of them are read by one loop over a
//! [`ByteStream`] of decompressed bytes that is extended on demand:
//!
//! - A member that fits the buffer is appended as a whole, after its CRC and size were verified.
//!   A regular archive has only such members, and nothing is copied.
//! - A longer one is appended in parts. A record that is alone in it is still returned only after
//!   the verification; of a member with many records, each is returned as it comes, and if the
//!   verification fails, the fault reports how many were.
//! - Of a damaged member, long or short, the records are returned that are followed by another one
//!   before the damage. The last one never is, so a damaged member of one record returns nothing.
//! - A record whose declared length exceeds its member continues in the next member. If no record
//!   follows its declared end, the Content-Length was wrong, and the record ends before the next
//!   one. (A record that declares more than the limit of blocks ends at a member that begins with
//!   `WARC/`, so that it does not swallow all that it declares.)
//! - A record that declares more than possible (than is left of a plain file, or than the limit of
//!   a member) ends where the next record begins. So does one whose declared end is inside another
//!   record, whose beginning it had swallowed.
//! - A truncated header ends at the version line of the next record, even inside a line.
//! - Where neither a record nor a member begins, the reader skips to the next one, and a [`Fault`]
//!   reports the bytes. A record begins at the start of a line, or inside a line after garbage if
//!   its header is complete.
//!
//! Memory is bounded by [`Limits`], time is linear in the decompressed bytes. How many bytes the
//! source returns at a time changes nothing.

use std::io::Read;

use bstr::ByteSlice;
use memchr::memmem;

use super::{
    Fault, FaultKind, Limits, ReadCounts, Record,
    header::{Header, HeaderEnd, version_line_at_end},
    stream::{ByteStream, LoadResult},
    sync::{BOM, LINE_SYNC, SYNC, cut_start},
};

/// Bytes within which a version line ends: `WARC/`, two numbers and a line end.
const LONGEST_VERSION: usize = 32;

/// A reader of one archive after the other, with buffers that are reused.
pub struct Reader {
    limits: Limits,
    stream: ByteStream,
    header: Header,
    /// Searches for the start of a record at the start of a line.
    next_record: memmem::Finder<'static>,
    /// Searches for the start of a record anywhere.
    next_version: memmem::Finder<'static>,
    last_key: Option<u64>,
    ended: bool,
}

impl Reader {
    /// Returns a reader whose buffers are empty.
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            stream: ByteStream::new(limits),
            header: Header::default(),
            next_record: memmem::Finder::new(LINE_SYNC),
            next_version: memmem::Finder::new(SYNC),
            last_key: None,
            ended: false,
        }
    }

    /// Resets the reader; the next call to [`Reader::read_record`] begins another archive, of
    /// `size` bytes where that is known.
    ///
    /// Without the size, a wrong Content-Length beyond the limit of blocks costs the records after
    /// it in a plain file.
    pub fn begin(&mut self, size: Option<u64>) {
        self.stream.begin(size);
        self.last_key = None;
        self.ended = false;
    }

    /// Returns the counts so far.
    pub fn counts(&self) -> ReadCounts {
        self.stream.counts()
    }

    /// Passes the faults that were noted since the last call to `fault`, in that order; the fault
    /// of a damaged member follows its records.
    pub fn take_faults(&mut self, fault: impl FnMut(Fault)) {
        self.stream.take_faults(self.ended, fault);
    }

    /// Returns the next record of `source`; `None` at the end of the archive.
    ///
    /// Damage is a fault (see [`Reader::take_faults`]), never an error. An error of the operating
    /// system is a fault too, and ends the archive after the bytes that were read.
    pub fn read_record(&mut self, source: &mut dyn Read) -> Option<Record<'_>> {
        if self.ended {
            return None;
        }
        let Some(layout) = self.find_record(source) else {
            self.ended = true;
            self.stream.end();
            return None;
        };
        let start = self.stream.index() - layout.header - layout.block;
        let header = start..start + layout.header;
        let block = header.end..header.end + layout.block;
        Some(Record {
            offset: layout.offset,
            length: layout.file_length,
            key: layout.key,
            fields: &self.header,
            header: self.stream.at(header),
            block: self.stream.at(block),
            is_cut: layout.is_cut,
            is_over_limit: layout.is_over_limit,
        })
    }

    /// Finds the next record and consumes it; its bytes can be read until more are appended.
    fn find_record(&mut self, source: &mut dyn Read) -> Option<RecordLayout> {
        if !self.stream.detect(source) {
            return None;
        }
        loop {
            self.stream.consume_padding();
            if self.stream.available() < SYNC.len() {
                match self.stream.more(source) {
                    LoadResult::More => continue,
                    // The few bytes before a boundary, a gap or the end cannot become a record.
                    LoadResult::Gap | LoadResult::EndOfFile if self.stream.available() > 0 => {}
                    LoadResult::Gap => continue,
                    LoadResult::EndOfFile => return None,
                }
            }
            if !self.stream.held().starts_with(SYNC) {
                self.load(source, 2 * SYNC.len());
                if let Some(length) = cut_start(self.stream.held()) {
                    self.skip_prefix(
                        length,
                        "expected \"WARC/\" and the rest of a header before another record",
                    );
                    continue;
                }
                self.skip_to_record(source, FaultKind::NotARecord, "expected \"WARC/\"");
                continue;
            }
            if let Some(layout) = self.read_layout(source) {
                return Some(layout);
            }
        }
    }

    /// Consumes the record at the start of the buffered bytes; `None` if it is not a record, and
    /// then it is skipped.
    fn read_layout(&mut self, source: &mut dyn Read) -> Option<RecordLayout> {
        let offset = self.stream.file_offset(self.stream.taken);
        let header = self.read_header(source)?;
        let declared = self.header.content_length.flatten();
        let total = |n: &u64| n.saturating_add(header as u64);
        let block = match declared.filter(|n| self.stream.may_hold(total(n))) {
            Some(length) => self.declared_block(source, header, length),
            None => self.open_block(source, header, declared),
        };
        let is_last = block.is_missing || !self.is_followed(header + block.length);
        if self.stream.is_broken() && is_last {
            self.stream.consume(self.stream.available());
            return None;
        }
        let mut is_cut = block.is_over_limit;
        if let Some((kind, message)) = block.wrong {
            // Its length is wrong in a way that makes its end uncertain.
            is_cut |= kind != FaultKind::ContentLengthUnusable;
            self.note(offset, kind, message);
        }
        if block.is_over_limit {
            let limit = self.limits.block;
            let message = format!(
                "expected a block of at most {limit} bytes (the limit of a block), but it is longer; the rest was dropped"
            );
            self.note(offset, FaultKind::BlockTooLong, message);
        }
        let length = header + block.length;
        self.stream.use_members(length);
        self.stream.counts.records += 1;
        let file_length = self.stream.file_length(length, offset);
        let key = self.last_key.map_or(offset, |last| offset.max(last + 1));
        self.last_key = Some(key);
        self.stream.consume(length);
        Some(RecordLayout {
            offset,
            file_length,
            key,
            header,
            block: block.length,
            is_cut,
            is_over_limit: block.is_over_limit,
        })
    }

    /// Loads the block after a header, which has `declared` bytes by its Content-Length.
    fn declared_block(
        &mut self,
        source: &mut dyn Read,
        header: usize,
        declared: u64,
    ) -> BlockExtent {
        let limit = self.limits.block;
        let wanted = usize::try_from(declared).map_or(limit, |n| n.min(limit));
        if wanted as u64 == declared {
            self.stream.claim(header + wanted);
        }
        let is_loaded = self.load(source, header.saturating_add(wanted));
        let mut block = BlockExtent {
            length: wanted.min(self.stream.available() - header),
            ..BlockExtent::default()
        };
        // Bytes of the block that are missing.
        let mut missing = declared - block.length as u64;
        if is_loaded && missing > 0 {
            block.is_over_limit = true;
            missing = self.drop_block(source, header + block.length, missing);
        }
        block.is_missing = missing > 0;
        let end = header + block.length;
        if !block.is_missing && self.ends_at_record(source, end) {
            return block;
        }
        // The block may have swallowed later records. One that begins in a block of which a part
        // was dropped is not whole.
        let swallowed = if block.is_over_limit {
            None
        } else {
            self.next_start(source, header, end)
        };
        if let Some(start) = swallowed {
            block.length = self.without_start(header, start);
            block.wrong = Some((
                FaultKind::ContentLengthTooLarge,
                format!(
                    "expected {declared} bytes of block, but another record begins after {}",
                    block.length
                ),
            ));
        } else if block.is_missing {
            block.length = self.without_line_ends(header, block.length);
            block.wrong = Some((
                FaultKind::ContentLengthTooLarge,
                format!(
                    "expected {declared} bytes of block, but found {}",
                    declared - missing
                ),
            ));
        } else if !self.stream.is_closed_at(end) {
            self.drop_after(source, end);
            block.wrong = Some((
                FaultKind::ContentLengthTooSmall,
                "expected the end of a record by its Content-Length, but found more bytes; they were dropped".to_owned(),
            ));
        }
        block
    }

    /// Loads the block after a header without a possible Content-Length: up to the next record or
    /// the end of its member or file.
    fn open_block(
        &mut self,
        source: &mut dyn Read,
        header: usize,
        declared: Option<u64>,
    ) -> BlockExtent {
        let limit = self.limits.block;
        let is_loaded = self.load(source, header.saturating_add(limit));
        let held = limit.min(self.stream.available() - header);
        let mut block = BlockExtent::default();
        match self.next_start(source, header, header + held) {
            Some(start) => block.length = self.without_start(header, start),
            None if is_loaded => {
                block.length = held;
                block.is_over_limit = true;
                self.drop_after(source, header + held);
            }
            None => block.length = self.without_line_ends(header, held),
        }
        block.wrong = Some(match declared {
            Some(declared) => (
                FaultKind::ContentLengthTooLarge,
                format!(
                    "expected {declared} bytes of block, which is more than possible; the block ends before the next record, after {}",
                    block.length
                ),
            ),
            None => (
                FaultKind::ContentLengthUnusable,
                "expected a Content-Length of decimal digits, but found none; the block ends at the next record or with its member".to_owned(),
            ),
        });
        block
    }

    /// Returns the length of the header at the start of the buffered bytes; `None` if it has no end
    /// within the limit, and then it is skipped.
    fn read_header(&mut self, source: &mut dyn Read) -> Option<usize> {
        let limit = self.limits.header;
        loop {
            let available = self.stream.available();
            match self.header.parse(self.stream.held(), false) {
                HeaderEnd::At(length) if length <= limit => return Some(length),
                HeaderEnd::Open if available <= limit => {
                    // Doubling keeps the time linear when a header is split into many small
                    // members.
                    self.load(source, (2 * available).min(limit.saturating_add(1)));
                    if self.stream.available() == available {
                        let expected = "expected the end of a record's header";
                        self.skip_to_record(source, FaultKind::NotARecord, expected);
                        return None;
                    }
                }
                HeaderEnd::Cut(length) => {
                    let expected = "expected the end of a record's header before another record";
                    self.skip_prefix(length, expected);
                    return None;
                }
                HeaderEnd::At(_) | HeaderEnd::Open => {
                    self.stream.counts.records += 1;
                    let expected =
                        "expected the end of a record's header within the limit of a header";
                    self.skip_to_record(source, FaultKind::HeaderTooLong, expected);
                    return None;
                }
            }
        }
    }

    /// Loads until `wanted` bytes are buffered; `false` if there are fewer.
    fn load(&mut self, source: &mut dyn Read, wanted: usize) -> bool {
        while self.stream.available() < wanted {
            if self.stream.more(source) != LoadResult::More {
                return false;
            }
        }
        true
    }

    fn note(&mut self, offset: u64, kind: FaultKind, message: String) {
        self.stream.note(Fault::new(offset, 0, kind, message));
    }

    /// Reads and drops `rest` bytes of a block, after the first `retained` buffered bytes. Returns
    /// the number of bytes that are missing.
    fn drop_block(&mut self, source: &mut dyn Read, retained: usize, mut rest: u64) -> u64 {
        loop {
            let surplus = self.stream.available() - retained;
            let n = usize::try_from(rest).map_or(surplus, |rest| rest.min(surplus));
            self.stream.remove(retained, n);
            rest -= n as u64;
            if rest == 0 || self.stream.more(source) != LoadResult::More {
                return rest;
            }
        }
    }

    /// Returns the length of a block without the line ends that close the record.
    fn without_line_ends(&self, header: usize, block: usize) -> usize {
        let bytes = &self.stream.held()[header..header + block];
        let bytes = bytes
            .strip_suffix(b"\r\n\r\n")
            .or_else(|| bytes.strip_suffix(b"\n\n"))
            .unwrap_or(bytes);
        bytes.len()
    }

    /// Returns the length of a block that ends before the record at `start`, without the line ends
    /// between them; there is at least one unless the block was cut inside a line.
    fn without_start(&self, header: usize, start: usize) -> usize {
        let block = start - header;
        let is_in_line = self.stream.held()[start - 1] != b'\n';
        if is_in_line {
            block
        } else {
            self.without_line_ends(header, block)
                .min(block.saturating_sub(1))
        }
    }

    /// Returns the offset among the buffered bytes, from `from` to `to`, at which another record
    /// begins.
    ///
    /// A line of a block may begin with `WARC/` too; a record has a header with a type or a length.
    /// Inside a line, where a block was cut, only a complete header counts.
    fn next_start(&mut self, source: &mut dyn Read, from: usize, to: usize) -> Option<usize> {
        let mut at = from;
        loop {
            let most = self.stream.available().min(to + SYNC.len());
            at += self.next_version.find(self.stream.held().get(at..most)?)?;
            let is_start = match self.stream.held()[at - 1] {
                b'\n' => self.is_header_at(source, at, false),
                _ => self.is_start_in_line(source, at),
            };
            if is_start {
                return Some(at);
            }
            at += SYNC.len();
        }
    }

    /// Returns the offset after `from` at which another record begins, at the start of a line or
    /// inside one; the buffered bytes before it, from `from` on, are garbage.
    fn next_after_garbage(&mut self, source: &mut dyn Read, from: usize) -> Option<usize> {
        let mut at = from + 1;
        loop {
            at += self.next_version.find(self.stream.held().get(at..)?)?;
            if self.stream.held()[at - 1] == b'\n' {
                return Some(at);
            }
            self.load(source, at + LONGEST_VERSION);
            if self.is_start_in_line(source, at) {
                return Some(at);
            }
            at += SYNC.len();
        }
    }

    /// Returns true if and only if a record begins after the first `at` buffered bytes, which end
    /// inside a line: only a complete header counts.
    fn is_start_in_line(&mut self, source: &mut dyn Read, at: usize) -> bool {
        let line = self.stream.held()[at..].lines().next();
        line.and_then(version_line_at_end) == Some(0) && self.is_header_at(source, at, true)
    }

    /// Returns true if and only if a header follows the first `at` buffered bytes: a complete one
    /// inside a line, else one with a type or a length.
    fn is_header_at(&mut self, source: &mut dyn Read, at: usize, is_in_line: bool) -> bool {
        let mut header = Header::default();
        loop {
            let length = self.stream.available() - at;
            match header.parse(&self.stream.held()[at..], is_in_line) {
                HeaderEnd::At(_) if is_in_line => return header.is_complete(),
                HeaderEnd::At(_) => return header.names_type_or_length(),
                HeaderEnd::Cut(_) => return false,
                HeaderEnd::Open if length > self.limits.header => return false,
                HeaderEnd::Open => {
                    self.load(source, at + 2 * length);
                    if self.stream.available() - at == length {
                        return false;
                    }
                }
            }
        }
    }

    /// Returns true if and only if another record follows the first `length` buffered bytes and
    /// line ends.
    fn is_followed(&self, length: usize) -> bool {
        let at = length + self.stream.padding_at(length);
        self.stream.held()[at..].starts_with(SYNC)
    }

    /// Returns true if and only if the first `length` buffered bytes are followed by another record
    /// or by nothing.
    fn ends_at_record(&mut self, source: &mut dyn Read, length: usize) -> bool {
        loop {
            let at = length + self.stream.padding_at(length);
            let rest = &self.stream.held()[at..];
            if rest.starts_with(SYNC) || cut_start(rest).is_some() {
                return true;
            }
            // A block of BGZF may end inside the first bytes of a record.
            let is_open = SYNC.starts_with(rest) || BOM.starts_with(rest);
            let is_more =
                is_open && self.stream.is_open() && self.stream.more(source) == LoadResult::More;
            if !is_more {
                return is_open;
            }
        }
    }

    /// Drops the bytes after a record up to the start of the next one or the end of the member.
    fn drop_after(&mut self, source: &mut dyn Read, length: usize) {
        loop {
            if let Some(at) = self.next_after_garbage(source, length) {
                self.stream.remove(length, at - length);
                return;
            }
            // The start may cross the end of the buffered bytes.
            let surplus = self.stream.available() - length;
            let n = surplus.saturating_sub(LINE_SYNC.len() - 1);
            self.stream.remove(length, n);
            if !self.stream.is_open() || self.stream.more(source) != LoadResult::More {
                let rest = self.stream.available() - length;
                self.stream.remove(length, rest);
                return;
            }
        }
    }

    /// Skips the first `length` buffered bytes and notes what was expected instead.
    fn skip_prefix(&mut self, length: usize, expected: &str) {
        self.stream.begin_skip(FaultKind::NotARecord, expected);
        self.stream.consume(length);
        self.stream.end_skip();
    }

    /// Skips bytes up to the start of the next record and notes what was expected instead.
    fn skip_to_record(&mut self, source: &mut dyn Read, kind: FaultKind, expected: &str) {
        if self.stream.is_broken() && self.next_record.find(self.stream.held()).is_none() {
            // The rest of a damaged member, which has a fault of its own.
            self.stream.consume(self.stream.available());
            return;
        }
        self.stream.begin_skip(kind, expected);
        loop {
            if let Some(at) = self.next_after_garbage(source, 0) {
                self.stream.consume(at);
                break;
            }
            // The start may cross the end of the buffered bytes.
            let held = self.stream.available();
            let n = held.saturating_sub(LINE_SYNC.len() - 1);
            self.stream.consume(n);
            if self.stream.more(source) != LoadResult::More {
                self.stream.consume(self.stream.available());
                break;
            }
        }
        self.stream.end_skip();
    }
}

/// The extent of a record's block, and what is wrong with its length.
#[derive(Default)]
struct BlockExtent {
    length: usize,
    /// Whether it has fewer bytes than its Content-Length states.
    is_missing: bool,
    is_over_limit: bool,
    wrong: Option<(FaultKind, String)>,
}

/// The offset of a record and the lengths of its parts.
struct RecordLayout {
    offset: u64,
    file_length: Option<u64>,
    key: u64,
    header: usize,
    block: usize,
    is_cut: bool,
    is_over_limit: bool,
}
