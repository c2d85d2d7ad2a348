//! Reads the records of one archive, whatever its shape, and goes on behind damage.
//!
//! Enters: a source of bytes. Leaves: records and faults. This file refuses to know how bytes are
//! packed: it sees one [`Stream`] of them.
//!
//! # Be advised
//!
//! An archive is a sequence of records, and usually each stands in a gzip member of its own; but a
//! file may also be plain, be one single member, be cut into blocks that know nothing of records
//! (BGZF), or keep a record's header and block in two members. All of them are read by one loop
//! over a [`Stream`] of inflated bytes that is extended on demand:
//!
//! - A member that fits the buffer is appended as a whole, and only after its CRC and size were
//!   found right. Such members are all that a regular archive has, and nothing is copied.
//! - A longer one is appended piece by piece. A record that fills it alone is still handed out only
//!   after the check; of a member with many records the records go out as they come, and if the
//!   check fails, the fault says how many had gone.
//! - Of a member that breaks, long or short, those records go out that another record follows
//!   before the damage; the last one never does, so nothing comes out of a broken member of one
//!   record.
//! - A record that claims more than its member holds goes on in the next member. Where what then
//!   follows its claimed end is no record, the Content-Length was wrong, and the record ends in
//!   front of the next one. (One that claims more than the limit of blocks ends at a member that
//!   begins with `WARC/`, lest it cost all that it claims.)
//! - A record that claims more than there can be (the rest of a plain file, the limit of a member)
//!   ends where the next record begins. So does one whose claimed end lies inside another record,
//!   since it had swallowed that one's beginning.
//! - A header that is cut ends where the version line of the next record stands, be it inside a
//!   line.
//! - Where neither a record nor a member begins, the reader skips on to the next that does, and a
//!   [`Fault`] says how far. A record begins at the start of a line, or behind garbage inside one,
//!   if its header is whole.
//!
//! Memory is bounded by [`Limits`], time is linear in the inflated bytes. How a source cuts its
//! bytes into reads changes nothing.

use std::io::Read;

use bstr::ByteSlice;
use memchr::memmem;

use super::{
    Fault, FaultKind, Limits, ReadCounts, Record,
    header::{ContentLength, Header, HeaderEnd, version_line_at_end},
    stream::{BOM, LINE_SYNC, Load, SYNC, Stream, cut_start},
};

/// Bytes in which a version line ends: `WARC/`, two numbers and what ends a line.
const LONGEST_VERSION: usize = 32;

/// Reads one archive after the other; its buffers serve for all of them.
pub struct Reader {
    limits: Limits,
    stream: Stream,
    header: Header,
    /// Finds the start of a record at the start of a line, and anywhere.
    next_record: memmem::Finder<'static>,
    next_version: memmem::Finder<'static>,
    last_key: Option<u64>,
    ended: bool,
}

impl Reader {
    /// Returns a reader whose buffers are empty.
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            stream: Stream::new(limits),
            header: Header::default(),
            next_record: memmem::Finder::new(LINE_SYNC),
            next_version: memmem::Finder::new(SYNC),
            last_key: None,
            ended: false,
        }
    }

    /// Forgets the archive read before; the next call to [`Reader::read_record`] begins another, of
    /// `size` bytes where that is known.
    ///
    /// The size tells which Content-Length cannot be right; without it, a wrong one beyond the
    /// limit of blocks costs what follows the record.
    pub fn begin(&mut self, size: Option<u64>) {
        self.stream.begin(size);
        self.last_key = None;
        self.ended = false;
    }

    /// Returns what was counted so far.
    pub fn counts(&self) -> ReadCounts {
        self.stream.counts()
    }

    /// Hands out the faults noticed since the last call, in the order in which they were; that of a
    /// broken member comes behind its records.
    pub fn take_faults(&mut self, fault: impl FnMut(Fault)) {
        self.stream.take_faults(self.ended, fault);
    }

    /// Reads the next record of `source`; `None` at the end of the archive.
    ///
    /// Damage is a fault (see [`Reader::take_faults`]), never an error; an error of the operating
    /// system is a fault too, and ends the archive behind what was read before it.
    pub fn read_record(&mut self, source: &mut dyn Read) -> Option<Record<'_>> {
        if self.ended {
            return None;
        }
        let Some(found) = self.find_record(source) else {
            self.ended = true;
            self.stream.end();
            return None;
        };
        let start = self.stream.position() - found.length;
        let header = start..start + found.header;
        let block = header.end..header.end + found.block;
        Some(Record {
            offset: found.offset,
            length: found.file_length,
            key: found.key,
            fields: &self.header,
            header: self.stream.at(header),
            block: self.stream.at(block),
            is_cut: found.is_cut,
            is_over_limit: found.is_over_limit,
        })
    }

    /// Finds the next record and consumes it; its bytes stay readable until more is loaded.
    fn find_record(&mut self, source: &mut dyn Read) -> Option<Found> {
        if !self.stream.detect(source) {
            return None;
        }
        loop {
            self.stream.consume_padding();
            if self.stream.available() < SYNC.len() {
                match self.stream.more(source) {
                    Load::More => continue,
                    // A boundary or a gap in front of whatever little is held: it cannot become a
                    // record.
                    Load::Gap | Load::End if self.stream.available() > 0 => {}
                    Load::Gap => continue,
                    Load::End => return None,
                }
            }
            if !self.stream.held().starts_with(SYNC) {
                self.load(source, 2 * SYNC.len());
                if let Some(length) = cut_start(self.stream.held()) {
                    self.pass_over(length, "expected \"WARC/\" in front of another record");
                    continue;
                }
                self.lost(source, FaultKind::NotARecord, "expected \"WARC/\"");
                continue;
            }
            if let Some(found) = self.read_found(source) {
                return Some(found);
            }
        }
    }

    /// Reads the record at the start of the bytes held; `None` if it turned out not to be one, and
    /// then it is passed over.
    fn read_found(&mut self, source: &mut dyn Read) -> Option<Found> {
        let offset = self.stream.file_offset(self.stream.taken);
        let header = self.read_header(source)?;
        let claimed = match self.header.content_length {
            ContentLength::Bytes(n) => Some(n),
            ContentLength::Missing | ContentLength::Invalid => None,
        };
        let total = |n: &u64| n.saturating_add(header as u64);
        let block = match claimed.filter(|n| self.stream.may_hold(total(n))) {
            Some(declared) => self.declared_block(source, header, declared),
            None => self.open_block(source, header, claimed),
        };
        let is_last = block.is_missing || !self.is_followed(header + block.length);
        if self.stream.is_broken() && is_last {
            self.stream.give_up(self.stream.available());
            return None;
        }
        let is_cut = block.is_over_limit || block.is_flagged();
        if let Some((kind, message)) = block.wrong {
            self.note(offset, kind, message);
        }
        if block.is_over_limit {
            let limit = self.limits.block;
            let message = format!(
                "a record's block is longer than the limit of {limit} bytes; the rest was left out"
            );
            self.note(offset, FaultKind::BlockTooLong, message);
        }
        let (length, is_over_limit) = (block.length, block.is_over_limit);
        Some(self.finish(offset, header, length, is_cut, is_over_limit))
    }

    /// Loads the block behind a header, `declared` bytes long by its Content-Length.
    fn declared_block(&mut self, source: &mut dyn Read, header: usize, declared: u64) -> Block {
        let limit = self.limits.block;
        let kept = usize::try_from(declared).map_or(limit, |n| n.min(limit));
        if kept as u64 == declared {
            self.stream.claim(header + kept);
        }
        let is_loaded = self.load(source, header.saturating_add(kept));
        let mut block = Block {
            length: kept.min(self.stream.available() - header),
            ..Block::default()
        };
        // Bytes of the block that were not found.
        let mut missing = declared - block.length as u64;
        if is_loaded && missing > 0 {
            block.is_over_limit = true;
            missing = self.drop_block(source, header + block.length, missing);
        }
        block.is_missing = missing > 0;
        let end = header + block.length;
        if !block.is_missing && self.follows_well(source, end) {
            return block;
        }
        // The block may have swallowed what follows. Where a part of it was dropped, a record that
        // begins in it is not whole.
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
                    "expected {declared} bytes of block, but another record begins behind {}",
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
            self.cut_behind(source, end);
            block.wrong = Some((
                FaultKind::ContentLengthTooSmall,
                "expected the end of a record, but found more bytes than its Content-Length says; they were left out".to_owned(),
            ));
        }
        block
    }

    /// Loads the block behind a header without a Content-Length that can be right: up to the next
    /// record, or as far as it goes.
    fn open_block(&mut self, source: &mut dyn Read, header: usize, claimed: Option<u64>) -> Block {
        let limit = self.limits.block;
        let is_loaded = self.load(source, header.saturating_add(limit));
        let held = limit.min(self.stream.available() - header);
        let mut block = Block::default();
        match self.next_start(source, header, header + held) {
            Some(start) => block.length = self.without_start(header, start),
            None if is_loaded => {
                block.length = held;
                block.is_over_limit = true;
                self.cut_behind(source, header + held);
            }
            None => block.length = self.without_line_ends(header, held),
        }
        block.wrong = Some(match claimed {
            Some(claimed) => (
                FaultKind::ContentLengthTooLarge,
                format!(
                    "expected {claimed} bytes of block, which is more than there can be; it was taken up to the next record, {} bytes",
                    block.length
                ),
            ),
            None => (
                FaultKind::ContentLengthUnusable,
                "expected a Content-Length of decimal digits; the block was taken as far as it goes".to_owned(),
            ),
        });
        block
    }

    /// Returns the length of the header at the start of the bytes held; `None` if it has no end, or
    /// one beyond the limit, and is passed over.
    fn read_header(&mut self, source: &mut dyn Read) -> Option<usize> {
        let limit = self.limits.header;
        loop {
            let available = self.stream.available();
            match self.header.parse(self.stream.held()) {
                HeaderEnd::At(length) if length <= limit => return Some(length),
                HeaderEnd::Open if available <= limit => {
                    // Doubling keeps the time linear when a header comes in many small members.
                    self.load(source, (2 * available).min(limit.saturating_add(1)));
                    if self.stream.available() == available {
                        let expected = "expected the end of a record's header";
                        self.lost(source, FaultKind::NotARecord, expected);
                        return None;
                    }
                }
                HeaderEnd::Cut(length) => {
                    let expected =
                        "expected the end of a record's header in front of another record";
                    self.pass_over(length, expected);
                    return None;
                }
                HeaderEnd::At(_) | HeaderEnd::Open => {
                    self.stream.counts.records += 1;
                    let expected = "a record's header is longer than the limit";
                    self.lost(source, FaultKind::HeaderTooLong, expected);
                    return None;
                }
            }
        }
    }

    /// Loads until `wanted` bytes are held; `false` if they end before.
    fn load(&mut self, source: &mut dyn Read, wanted: usize) -> bool {
        while self.stream.available() < wanted {
            if self.stream.more(source) != Load::More {
                return false;
            }
        }
        true
    }

    fn note(&mut self, offset: u64, kind: FaultKind, message: String) {
        self.stream.note(Fault {
            offset,
            bytes_skipped: 0,
            kind,
            message,
        });
    }

    /// Consumes a record.
    fn finish(
        &mut self,
        offset: u64,
        header: usize,
        block: usize,
        is_cut: bool,
        is_over_limit: bool,
    ) -> Found {
        let length = header + block;
        self.stream.use_marks(length);
        self.stream.counts.records += 1;
        let file_length = self.stream.file_length(length, offset);
        let key = self.last_key.map_or(offset, |last| offset.max(last + 1));
        self.last_key = Some(key);
        self.stream.give_up(length);
        Found {
            offset,
            file_length,
            key,
            header,
            block,
            length,
            is_cut,
            is_over_limit,
        }
    }

    /// Reads on and forgets: `rest` bytes of a block of which the first `kept` bytes held stay.
    /// Returns what was missing at the end.
    fn drop_block(&mut self, source: &mut dyn Read, kept: usize, mut rest: u64) -> u64 {
        loop {
            let surplus = self.stream.available() - kept;
            let n = usize::try_from(rest).map_or(surplus, |rest| rest.min(surplus));
            self.stream.remove(kept, n);
            rest -= n as u64;
            if rest == 0 || self.stream.more(source) != Load::More {
                return rest;
            }
        }
    }

    /// Returns the length of a block without the line ends that close the record behind it.
    fn without_line_ends(&self, header: usize, block: usize) -> usize {
        let bytes = &self.stream.held()[header..header + block];
        let bytes = bytes
            .strip_suffix(b"\r\n\r\n")
            .or_else(|| bytes.strip_suffix(b"\n\n"))
            .unwrap_or(bytes);
        bytes.len()
    }

    /// Returns the length of a block that ends in front of the record at `start`, without the line
    /// ends that stand there, of which there is at least one unless the block was cut inside a
    /// line.
    fn without_start(&self, header: usize, start: usize) -> usize {
        let block = start - header;
        let is_in_line = self.stream.held()[start - 1] != b'\n';
        match is_in_line {
            true => block,
            false => self
                .without_line_ends(header, block)
                .min(block.saturating_sub(1)),
        }
    }

    /// Returns where among the bytes held another record begins, at `from` or behind it and not
    /// behind `to`.
    ///
    /// A line that begins with `WARC/` may also be a block's text; a record's has a header that
    /// says of what type or how long it is. Inside a line, where a block was cut, only a whole
    /// header counts.
    fn next_start(&mut self, source: &mut dyn Read, from: usize, to: usize) -> Option<usize> {
        let mut at = from;
        loop {
            let most = self.stream.available().min(to + SYNC.len());
            at += self.next_version.find(self.stream.held().get(at..most)?)?;
            let is_start = match self.stream.held()[at - 1] {
                b'\n' => self.is_header_at(source, at, Header::parse, Header::is_telling),
                _ => self.is_start_in_line(source, at),
            };
            if is_start {
                return Some(at);
            }
            at += SYNC.len();
        }
    }

    /// Returns where another record begins among the bytes held, of which those from `from` on are
    /// garbage: at the start of a line, or inside one.
    fn next_behind_garbage(&mut self, source: &mut dyn Read, from: usize) -> Option<usize> {
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

    /// Returns true if and only if a record begins behind the first `at` bytes held, which end
    /// inside a line: only a whole header counts there.
    fn is_start_in_line(&mut self, source: &mut dyn Read, at: usize) -> bool {
        let line = self.stream.held()[at..].lines().next();
        line.and_then(version_line_at_end) == Some(0)
            && self.is_header_at(source, at, Header::parse_doubted, Header::is_whole)
    }

    /// Returns true if and only if a header that is `wanted` stands behind the first `at` bytes
    /// held.
    fn is_header_at(
        &mut self,
        source: &mut dyn Read,
        at: usize,
        parse: fn(&mut Header, &[u8]) -> HeaderEnd,
        is_wanted: fn(&Header) -> bool,
    ) -> bool {
        let mut header = Header::default();
        loop {
            let length = self.stream.available() - at;
            match parse(&mut header, &self.stream.held()[at..]) {
                HeaderEnd::At(_) => return is_wanted(&header),
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

    /// Returns true if and only if another record begins behind the first `length` bytes held and
    /// line ends.
    fn is_followed(&self, length: usize) -> bool {
        let at = length + self.stream.padding_at(length);
        self.stream.held()[at..].starts_with(SYNC)
    }

    /// Returns true if and only if the first `length` bytes held can be a record by what stands
    /// behind: another one, or nothing.
    fn follows_well(&mut self, source: &mut dyn Read, length: usize) -> bool {
        loop {
            let at = length + self.stream.padding_at(length);
            let behind = &self.stream.held()[at..];
            if behind.starts_with(SYNC) || cut_start(behind).is_some() {
                return true;
            }
            // Too little to tell at the end of a block that knows nothing of records: the next one
            // will.
            let is_open = SYNC.starts_with(behind) || BOM.starts_with(behind);
            let is_more =
                is_open && self.stream.is_open() && self.stream.more(source) == Load::More;
            if !is_more {
                return is_open;
            }
        }
    }

    /// Removes the bytes behind a record up to the next start of a record or to the end of its
    /// member.
    fn cut_behind(&mut self, source: &mut dyn Read, length: usize) {
        loop {
            if let Some(at) = self.next_behind_garbage(source, length) {
                self.stream.remove(length, at - length);
                return;
            }
            // The start may lie across the end of what is held.
            let surplus = self.stream.available() - length;
            let n = surplus.saturating_sub(LINE_SYNC.len() - 1);
            self.stream.remove(length, n);
            if !self.stream.is_open() || self.stream.more(source) != Load::More {
                let rest = self.stream.available() - length;
                self.stream.remove(length, rest);
                return;
            }
        }
    }

    /// Passes over the first `length` bytes held, noting what was expected there.
    fn pass_over(&mut self, length: usize, expected: &str) {
        self.stream.begin_passing(FaultKind::NotARecord, expected);
        self.stream.give_up(length);
        self.stream.end_passing();
    }

    /// Passes over what is held up to the next start of a record, noting what was expected here.
    fn lost(&mut self, source: &mut dyn Read, kind: FaultKind, expected: &str) {
        if self.stream.is_broken() && self.next_record.find(self.stream.held()).is_none() {
            // The rest of a broken member, which has a fault of its own.
            self.stream.give_up(self.stream.available());
            return;
        }
        self.stream.begin_passing(kind, expected);
        loop {
            if let Some(at) = self.next_behind_garbage(source, 0) {
                self.stream.give_up(at);
                break;
            }
            // The start may lie across the end of what is held.
            let held = self.stream.available();
            let n = held.saturating_sub(LINE_SYNC.len() - 1);
            self.stream.give_up(n);
            if self.stream.more(source) != Load::More {
                self.stream.give_up(self.stream.available());
                break;
            }
        }
        self.stream.end_passing();
    }
}

/// How far a record's block goes, and what was wrong with its length.
#[derive(Default)]
struct Block {
    length: usize,
    /// Whether less was found than its Content-Length says.
    is_missing: bool,
    is_over_limit: bool,
    wrong: Option<(FaultKind, String)>,
}

impl Block {
    /// Returns true if and only if its length was wrong in a way that leaves its end in doubt.
    fn is_flagged(&self) -> bool {
        matches!(&self.wrong, Some((kind, _)) if *kind != FaultKind::ContentLengthUnusable)
    }
}

/// A record that was found: where, and how its bytes are laid out.
struct Found {
    offset: u64,
    file_length: Option<u64>,
    key: u64,
    header: usize,
    block: usize,
    length: usize,
    is_cut: bool,
    is_over_limit: bool,
}
