//! From a window of raw bytes to the inflated bytes of one gzip member after another, with the offset and length of each (RFC 1952).
//!
//! Enters: a source of bytes. Leaves: inflated bytes appended to the caller's buffer, and a [`Piece`] that says where in the file they stood.
//! This file knows nothing of records, except that a lost reader may only go on at a member whose content begins with `WARC/`.

use std::io::{self, Read};

use memchr::memmem;

use super::{
    buffer::Buffer,
    fault::{Fault, FaultKind},
    inflate::{Step, Streaming, Whole, WholeMember},
    window::Window,
};

/// One step of reading members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A whole member was appended, checked.
    Whole { offset: u64, length: u64 },
    /// The first or a further piece of a long member was appended; nothing of it is checked yet.
    Part { offset: u64 },
    /// The long member ended (its last piece was appended) and its CRC is right.
    LastPart { offset: u64, length: u64 },
    /// The long member broke; what was appended of it before must not be believed, or must be flagged. `length` bytes were skipped.
    Broken { offset: u64, length: u64 },
    /// Bytes of the file were skipped; nothing was appended.
    Skipped,
    /// The file ended.
    End,
}

/// Raw bytes to have at hand before a member is tried as a whole: more than nearly all members take.
const LOOKAHEAD: usize = 64 * 1024;
/// Inflated bytes that one step of a long member appends.
const PIECE: usize = 256 * 1024;
/// The three bytes that begin every gzip member (RFC 1952, 2.3): magic and method.
const MAGIC: &[u8] = b"\x1f\x8b\x08";

/// Reads the members of one file after the other.
pub(super) struct Members {
    whole: WholeMember,
    long: Option<Long>,
    magic: memmem::Finder<'static>,
}

/// A member that is streamed.
struct Long {
    stream: Streaming,
    offset: u64,
}

impl Members {
    pub(super) fn new() -> Self {
        Self {
            whole: WholeMember::new(),
            long: None,
            magic: memmem::Finder::new(MAGIC),
        }
    }

    pub(super) fn clear(&mut self) {
        self.long = None;
    }

    /// Returns true if and only if `bytes` begin like a gzip member.
    pub(super) fn is_start(bytes: &[u8]) -> bool {
        // The upper three flag bits are reserved and must be zero (RFC 1952, 2.3.1.2).
        bytes.starts_with(MAGIC) && bytes.get(3).is_none_or(|flags| flags & 0xe0 == 0)
    }

    /// Appends the next member, or the next piece of a long one, to `out`.
    pub(super) fn read(
        &mut self,
        window: &mut Window,
        source: &mut dyn Read,
        out: &mut Buffer,
        faults: &mut Vec<Fault>,
    ) -> io::Result<Piece> {
        if let Some(long) = self.long.take() {
            return self.read_long(long, window, source, out, faults);
        }
        window.fill(source, LOOKAHEAD)?;
        if window.bytes().is_empty() {
            return Ok(Piece::End);
        }
        if !Self::is_start(window.bytes()) {
            return self.skip_to_member(window, source, faults, 0, |found, length| Fault {
                offset: found,
                bytes_skipped: length,
                kind: FaultKind::Garbage,
                message: format!(
                    "expected a gzip member, but found {length} bytes that belong to none"
                ),
            });
        }
        let offset = window.offset();
        loop {
            match self.whole.inflate(window.bytes(), out.spare()) {
                Whole::Done { read, written } => {
                    window.consume(read);
                    out.advance(written);
                    return Ok(Piece::Whole {
                        offset,
                        length: read as u64,
                    });
                }
                Whole::MoreSpace if out.grow() => {}
                Whole::MoreSpace | Whole::Refused => {
                    let long = Long {
                        stream: Streaming::new(),
                        offset,
                    };
                    return self.read_long(long, window, source, out, faults);
                }
            }
        }
    }

    /// Appends the next piece of a member that is not at hand as a whole, is larger than the buffer, or is broken.
    ///
    /// Nothing is consumed of the window before a piece is good, so that the search for the next member begins right behind the start of a
    /// broken one as long as that start is at hand.
    fn read_long(
        &mut self,
        mut long: Long,
        window: &mut Window,
        source: &mut dyn Read,
        out: &mut Buffer,
        faults: &mut Vec<Fault>,
    ) -> io::Result<Piece> {
        let before = out.len();
        while out.len() - before < PIECE {
            out.reserve(PIECE);
            window.fill(source, 1)?;
            let step = long.stream.step(window.bytes(), out.spare());
            match step {
                Step::Going {
                    read: 0,
                    written: 0,
                } if window.bytes().is_empty() => {
                    let length = window.offset() - long.offset;
                    faults.push(Fault {
                        offset: long.offset,
                        bytes_skipped: length,
                        kind: FaultKind::MemberTruncated,
                        message: format!(
                            "the file ends inside a gzip member, {length} bytes after its start"
                        ),
                    });
                    return Ok(Piece::Broken {
                        offset: long.offset,
                        length,
                    });
                }
                Step::Going { read, written } => {
                    window.consume(read);
                    out.advance(written);
                }
                Step::End { read, written } => {
                    window.consume(read);
                    out.advance(written);
                    return Ok(Piece::LastPart {
                        offset: long.offset,
                        length: window.offset() - long.offset,
                    });
                }
                Step::Broken { written } | Step::Mismatch { written, .. } => {
                    out.advance(written);
                    // A stream that came to its end, though with a wrong CRC, is stepped over whole: what looks like a member inside it is its
                    // payload. Of any other stream only the first byte is, since where it ends nobody knows.
                    let at_least = match step {
                        Step::Mismatch { read, .. } => read.max(1),
                        _ => 1,
                    };
                    let passed = window.offset() - long.offset;
                    let fault_offset = long.offset;
                    self.skip_to_member(window, source, faults, at_least, |_, length| Fault {
                        offset: fault_offset,
                        bytes_skipped: passed + length,
                        kind: FaultKind::MemberCorrupt,
                        message: "expected a gzip member with a right CRC and size, but it does not inflate to one".to_owned(),
                    })?;
                    return Ok(Piece::Broken {
                        offset: fault_offset,
                        length: window.offset() - fault_offset,
                    });
                }
            }
        }
        let offset = long.offset;
        self.long = Some(long);
        Ok(Piece::Part { offset })
    }

    /// Skips at least `at_least` bytes, on to the next member that begins a record or to the end of the file, and notes the fault.
    fn skip_to_member(
        &mut self,
        window: &mut Window,
        source: &mut dyn Read,
        faults: &mut Vec<Fault>,
        at_least: usize,
        fault: impl FnOnce(u64, u64) -> Fault,
    ) -> io::Result<Piece> {
        let start = window.offset();
        let mut from = at_least.min(window.bytes().len());
        let result = loop {
            // What follows a candidate must be at hand for it to be judged.
            let filled = window.fill(source, from + LOOKAHEAD);
            if let Err(e) = filled {
                break Err(e);
            }
            let bytes = window.bytes();
            match self.magic.find(&bytes[from..]) {
                Some(found) if bytes.len() - from - found < LOOKAHEAD && !window.is_last() => {
                    window.consume(from + found);
                    from = 0;
                }
                Some(found) if Self::begins_a_record(&bytes[from + found..]) => {
                    window.consume(from + found);
                    break Ok(Piece::Skipped);
                }
                Some(found) => {
                    window.consume(from + found + 1);
                    from = 0;
                }
                None if window.is_last() => {
                    let rest = bytes.len();
                    window.consume(rest);
                    break Ok(Piece::Skipped);
                }
                None => {
                    // The magic may lie across the end of what is at hand.
                    let passed = bytes.len() - (MAGIC.len() - 1);
                    window.consume(passed);
                    from = 0;
                }
            }
        };
        faults.push(fault(start, window.offset() - start));
        result
    }

    /// Returns true if and only if `bytes` inflate to something that begins with `WARC/`, blank lines aside.
    ///
    /// Only the first bytes are inflated, so that a file full of stray magics costs time in proportion to its length.
    pub(super) fn begins_a_record(bytes: &[u8]) -> bool {
        let mut head = [0; 32];
        let written = match Streaming::new().step(&bytes[..bytes.len().min(LOOKAHEAD)], &mut head) {
            Step::Going { written, .. }
            | Step::End { written, .. }
            | Step::Broken { written }
            | Step::Mismatch { written, .. } => written,
        };
        head[..written].trim_ascii_start().starts_with(b"WARC/")
    }
}
