//! Reads the records of one archive, whatever its shape, and goes on behind damage.
//!
//! # Be advised
//!
//! An archive is a sequence of records, and usually each stands in a gzip member of its own; but a file may also be plain, be one single
//! member, be cut into blocks that know nothing of records (BGZF), or keep a record's header and block in two members. All of them are read
//! by one loop over a [`Stream`] of inflated bytes that is extended on demand:
//!
//! - A member that fits the buffer is appended as a whole, and only after its CRC and size were found right. Such members are all that a
//!   regular archive has, and nothing is copied.
//! - A longer one is appended piece by piece. A record that fills it alone is still handed out only after the check; of a member with many
//!   records the records go out as they come, and if the check fails, the fault says how many had gone.
//! - A record that claims more than its member holds goes on in the next member, unless that one begins with `WARC/`: then the
//!   Content-Length was wrong and the record ends where its member does.
//! - Where neither a record nor a member begins, the reader skips on to the next that does, and a [`Fault`] says how far.
//!
//! Memory is bounded by [`Limits`], time is linear in the inflated bytes.

use std::io::{self, Read};

use memchr::memmem;

use super::{
    Fault, FaultKind, Limits, ReadCounts, Record,
    header::{ContentLength, Header, HeaderEnd},
    stream::{Load, SYNC, Stream, printable},
};

/// Reads one archive after the other; its buffers serve for all of them.
pub struct Reader {
    limits: Limits,
    stream: Stream,
    header: Header,
    next_record: memmem::Finder<'static>,
    faults_listed: usize,
    further: Option<Fault>,
    last_key: Option<u64>,
    ended: bool,
}

/// Faults of one archive that are listed one by one; the rest is added up in a last one, so that a hostile file costs no memory.
const MOST_FAULTS: usize = 10_000;
/// A record's start inside bytes whose structure is lost.
const LINE_SYNC: &[u8] = b"\nWARC/";
impl Reader {
    /// Returns a reader whose buffers are empty.
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            stream: Stream::new(limits.whole_member),
            header: Header::default(),
            next_record: memmem::Finder::new(LINE_SYNC),
            faults_listed: 0,
            further: None,
            last_key: None,
            ended: false,
        }
    }

    /// Forgets the archive read before; the next call to [`Reader::read_record`] begins another.
    pub fn clear(&mut self) {
        self.stream.clear();
        self.faults_listed = 0;
        self.further = None;
        self.last_key = None;
        self.ended = false;
    }

    /// Returns what was counted so far.
    pub fn counts(&self) -> ReadCounts {
        self.stream.counts()
    }

    /// Hands out the faults noticed since the last call.
    pub fn take_faults(&mut self, mut fault: impl FnMut(Fault)) {
        for found in self.stream.faults.drain(..) {
            if self.faults_listed < MOST_FAULTS {
                self.faults_listed += 1;
                fault(found);
                continue;
            }
            let further = self.further.get_or_insert_with(|| Fault {
                offset: found.offset,
                bytes_skipped: 0,
                kind: FaultKind::FurtherFaults,
                message: format!("more than {MOST_FAULTS} faults; the rest is added up here"),
            });
            further.bytes_skipped += found.bytes_skipped;
        }
        if self.ended
            && let Some(further) = self.further.take()
        {
            fault(further);
        }
    }

    /// Reads the next record of `source`; `None` at the end of the archive.
    ///
    /// Damage is a fault (see [`Reader::take_faults`]), never an error; an error of the operating system is a fault too, and ends the archive.
    pub fn read_record(&mut self, source: &mut dyn Read) -> Option<Record<'_>> {
        if self.ended {
            return None;
        }
        let found = match self.find_record(source) {
            Ok(found) => found,
            Err(e) => {
                self.stream.faults.push(Fault {
                    offset: self.stream.counts().bytes,
                    bytes_skipped: 0,
                    kind: FaultKind::ReadFailed,
                    message: format!("reading stopped here: {e}"),
                });
                None
            }
        };
        let Some(found) = found else {
            self.end();
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
        })
    }

    fn end(&mut self) {
        self.ended = true;
        self.stream.end();
    }

    /// Finds the next record and consumes it; its bytes stay readable until more is loaded.
    fn find_record(&mut self, source: &mut dyn Read) -> io::Result<Option<Found>> {
        if !self.stream.detect(source)? {
            return Ok(None);
        }
        loop {
            self.stream.consume_line_ends();
            if self.stream.available() < SYNC.len() {
                match self.stream.more(source)? {
                    Load::More => continue,
                    // A boundary or a gap in front of whatever little is held: it cannot become a record.
                    Load::Gap | Load::End if self.stream.available() > 0 => {}
                    Load::Gap => continue,
                    Load::End => return Ok(None),
                }
            }
            if !self.stream.held().starts_with(SYNC) {
                self.lost(source, FaultKind::NotARecord, "expected \"WARC/\"")?;
                continue;
            }
            if let Some(found) = self.read_found(source)? {
                return Ok(Some(found));
            }
        }
    }

    /// Reads the record at the start of the bytes held; `None` if it turned out not to be one.
    fn read_found(&mut self, source: &mut dyn Read) -> io::Result<Option<Found>> {
        let start = self.stream.taken;
        let offset = self.stream.file_offset(start);
        let header = loop {
            match self.header.parse(self.stream.held()) {
                HeaderEnd::At(length) if length <= self.limits.header => break length,
                HeaderEnd::Open if self.stream.available() <= self.limits.header => {
                    if self.stream.more(source)? != Load::More {
                        if self.stream.broke() {
                            return Ok(None);
                        }
                        self.lost(
                            source,
                            FaultKind::NotARecord,
                            "expected the end of a record's header",
                        )?;
                        return Ok(None);
                    }
                }
                HeaderEnd::At(_) | HeaderEnd::Open => {
                    self.stream.counts.records += 1;
                    self.lost(
                        source,
                        FaultKind::HeaderTooLong,
                        "a record's header is longer than the limit",
                    )?;
                    return Ok(None);
                }
            }
        };
        let mut is_cut = false;
        let declared = match self.header.content_length {
            ContentLength::Bytes(n) => Some(n),
            ContentLength::Missing | ContentLength::Invalid => {
                self.stream.faults.push(Fault {
                    offset,
                    bytes_skipped: 0,
                    kind: FaultKind::ContentLengthUnusable,
                    message: "expected a Content-Length of decimal digits; the block was taken as far as it goes".to_owned(),
                });
                None
            }
        };
        let kept = declared.map_or(self.limits.block, |n| {
            usize::try_from(n)
                .unwrap_or(usize::MAX)
                .min(self.limits.block)
        });
        let mut ended = false;
        while self.stream.available() < header + kept && !ended {
            ended = self.stream.more(source)? != Load::More;
        }
        if self.stream.broke() {
            return Ok(None);
        }
        let mut block = kept.min(self.stream.available() - header);
        // Only what is not needed is read and forgotten from here on.
        let mut rest = declared.map_or(u64::MAX, |n| n - block as u64);
        if !ended && rest > 0 && block == self.limits.block {
            rest = self.drop_block(source, header + block, rest)?;
            if self.stream.broke() {
                return Ok(None);
            }
            self.stream.faults.push(Fault {
                offset,
                bytes_skipped: 0,
                kind: FaultKind::BlockTooLong,
                message: format!(
                    "a record's block is longer than the limit of {} bytes; the rest was left out",
                    self.limits.block
                ),
            });
            is_cut = true;
        }
        if declared.is_none() || rest > 0 {
            block = self.without_line_ends(header, block);
            if declared.is_some() {
                // A plain file has no members to bound the damage: the block may have swallowed what follows.
                if let Some(swallowed) = self.swallowed(header, block) {
                    block = swallowed;
                }
                self.stream.faults.push(Fault {
                    offset,
                    bytes_skipped: 0,
                    kind: FaultKind::ContentLengthTooLarge,
                    message: format!(
                        "expected {} bytes of block, but found {block}",
                        declared.unwrap_or(0)
                    ),
                });
                is_cut = true;
            }
        }
        is_cut |= !self.follows_well(source, header + block)?;
        if self.stream.broke() {
            return Ok(None);
        }
        Ok(Some(self.finish(offset, header, block, is_cut)))
    }

    /// Consumes a record.
    fn finish(&mut self, offset: u64, header: usize, block: usize, is_cut: bool) -> Found {
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
        }
    }

    /// Reads on and forgets: `rest` bytes of a block of which the first `kept` bytes held stay. Returns what was missing at the end.
    fn drop_block(&mut self, source: &mut dyn Read, kept: usize, mut rest: u64) -> io::Result<u64> {
        loop {
            let surplus = self.stream.available() - kept;
            let n = usize::try_from(rest).unwrap_or(usize::MAX).min(surplus);
            self.stream.remove(kept, n);
            rest -= n as u64;
            if rest == 0 || self.stream.more(source)? != Load::More {
                return Ok(rest);
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

    /// Returns where a block that ran to the end of a plain file (or of a member) must have ended, if another record stands in it.
    fn swallowed(&self, header: usize, block: usize) -> Option<usize> {
        let bytes = &self.stream.held()[header..header + block];
        let at = self.next_record.find(bytes)?;
        Some(self.without_line_ends(header, at + 1).min(at))
    }

    /// Looks at what stands behind the record; `false`, with a fault, if its Content-Length was too small.
    fn follows_well(&mut self, source: &mut dyn Read, length: usize) -> io::Result<bool> {
        loop {
            let at = length + self.stream.line_ends_at(length);
            let behind = &self.stream.held()[at..];
            if behind.starts_with(SYNC) {
                return Ok(true);
            }
            if behind.len() < SYNC.len() && self.stream.is_open() {
                if self.stream.more(source)? == Load::More {
                    continue;
                }
                if self.stream.broke() {
                    return Ok(true);
                }
            }
            let behind = &self.stream.held()[at.min(self.stream.available())..];
            // Too little to tell at the end of a block that knows nothing of records: the next one will.
            if behind.is_empty() || SYNC.starts_with(behind) {
                return Ok(true);
            }
            let position = self.stream.position_of(at);
            self.stream.faults.push(Fault {
                offset: self.stream.file_offset(position),
                bytes_skipped: 0,
                kind: FaultKind::ContentLengthTooSmall,
                message: "expected the end of a record, but found more bytes than its Content-Length says; they were left out".to_owned(),
            });
            self.cut_behind(source, length)?;
            return Ok(false);
        }
    }

    /// Removes the bytes behind a record up to the next start of a record or to the end of its member.
    fn cut_behind(&mut self, source: &mut dyn Read, length: usize) -> io::Result<()> {
        loop {
            let surplus = self.stream.available() - length;
            let found = self.next_record.find(&self.stream.held()[length..]);
            let keep = LINE_SYNC.len() - 1;
            let n = found.map_or(surplus, |at| at + 1);
            let is_open = self.stream.is_open();
            if found.is_some() || !is_open {
                self.stream.remove(length, n);
                return Ok(());
            }
            let n = surplus.saturating_sub(keep);
            self.stream.remove(length, n);
            if self.stream.more(source)? != Load::More {
                let rest = self.stream.available().saturating_sub(length);
                self.stream.remove(length, rest);
                return Ok(());
            }
        }
    }

    /// Skips to the next start of a record, noting what was expected here.
    fn lost(&mut self, source: &mut dyn Read, kind: FaultKind, expected: &str) -> io::Result<()> {
        let start = self.stream.taken;
        let offset = self.stream.file_offset(start);
        let found_text = printable(self.stream.held());
        loop {
            // The first byte is passed in any case: what stands there is what was refused.
            let held = self.stream.held();
            let from = 1.min(held.len());
            if let Some(at) = self.next_record.find(&held[from..]) {
                self.stream.give_up(from + at + 1);
                break;
            }
            let n = held.len();
            let is_open = self.stream.is_open();
            if self.stream.boundary.is_some() || !is_open {
                self.stream.give_up(n);
                break;
            }
            self.stream.give_up(n.saturating_sub(LINE_SYNC.len() - 1));
            if self.stream.more(source)? != Load::More {
                let rest = self.stream.available();
                self.stream.give_up(rest);
                break;
            }
        }
        let skipped = if self.stream.is_plain() {
            self.stream.taken - start
        } else {
            0
        };
        self.stream.counts.bytes_skipped += skipped;
        let message = format!("{expected}, but found {found_text}");
        match self.stream.faults.last_mut() {
            // The member was passed with a fault of its own, which counts its bytes; what was expected is known better here.
            Some(fault) if fault.offset == offset && fault.kind == FaultKind::NotARecord => {
                (fault.kind, fault.message) = (kind, message);
            }
            _ => self.stream.faults.push(Fault {
                offset,
                bytes_skipped: skipped,
                kind,
                message,
            }),
        }
        Ok(())
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
}
