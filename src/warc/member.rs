//! From a window of raw bytes to the inflated bytes of one gzip member after another, with the offset and length of each (RFC 1952).
//!
//! Enters: a source of bytes. Leaves: inflated bytes appended to the caller's buffer, and a [`Piece`] that says where in the file they stood.
//! This file knows nothing of records, except that a member too long to be tried may only be believed if its content begins with `WARC/`.
//!
//! # Be advised
//!
//! Behind damage the reader goes on at the next *whole* member: three bytes that look like a start (a magic) prove nothing, a right CRC does. A
//! broken member may have swallowed the members behind it before that showed, so the search begins right behind its start, or
//! [`LOOKAHEAD`] before the place where it broke if that is nearer. Only where a stream came to its end right in front of another magic (or
//! of the end of the file) with a wrong CRC is it stepped over whole: then its extent is known, and what looks like a member inside it is its payload.
//!
//! Trying and going back would cost quadratic time in a file made for it. Hence what is inflated in vain is added up, and where the sum exceeds
//! [`VAIN_AT_ONCE`] and [`VAIN_PER_BYTE`] bytes for each byte of the file passed, the reader neither tries nor goes back. So a file of n bytes
//! costs no more than inflating it once or twice, and 64 MiB + 8 n bytes in and out of an inflater.

use std::io::Read;

use memchr::memmem;

use super::{
    buffer::Buffer,
    fault::{Fault, FaultKind},
    inflate::{Step, Streaming, Whole, WholeMember},
    window::Window,
};

/// One step of reading members.
#[derive(Debug)]
pub(super) enum Piece {
    /// A piece of a long member was appended; nothing of it is checked yet.
    Part { offset: u64 },
    /// A whole member, or the last piece of a long one, was appended; CRC and size are right.
    End { offset: u64, length: u64 },
    /// The member broke behind what was appended of it.
    Broken(Fault),
    /// Bytes of the file that belong to no member were skipped; nothing was appended.
    Skipped(Fault),
    /// The file ended.
    Done,
}

/// Raw bytes to have at hand before a member is tried as a whole: more than nearly all members take.
const LOOKAHEAD: usize = 64 * 1024;
/// Inflated bytes that one step of a long member appends.
pub(super) const PIECE: usize = 256 * 1024;
/// Raw bytes of a member that are inflated to find out whether it is one: more than any block of BGZF (64 KiB) takes.
const TRIAL: usize = 1024 * 1024;
/// Raw bytes in which the first bytes of a member's content must come out.
const HEAD: usize = 4 * 1024;
/// Bytes that may be inflated in vain anywhere in a file: about a tenth of a second of work, and more than any damage met in practice costs.
const VAIN_AT_ONCE: u64 = 64 * 1024 * 1024;
/// Bytes that may be inflated in vain for each byte of the file that was passed.
const VAIN_PER_BYTE: u64 = 8;
/// What the attempt at a member costs in itself, as bytes inflated.
const VAIN_PER_TRIAL: u64 = 512;
/// The three bytes that begin every gzip member (RFC 1952, 2.3): magic and method.
const MAGIC: &[u8] = b"\x1f\x8b\x08";

/// Reads the members of one file after the other.
pub(super) struct Members {
    whole: WholeMember,
    long: Option<Long>,
    magic: memmem::Finder<'static>,
    /// Bytes that went in and out of inflaters in vain.
    vain: u64,
}

/// A member that is streamed.
struct Long {
    stream: Streaming,
    offset: u64,
    /// Bytes at the start of the window that went into it already.
    fed: usize,
}

impl Members {
    pub(super) fn new() -> Self {
        Self {
            whole: WholeMember::new(),
            long: None,
            magic: memmem::Finder::new(MAGIC),
            vain: 0,
        }
    }

    pub(super) fn clear(&mut self) {
        self.long = None;
        self.vain = 0;
    }

    /// Returns true if and only if `bytes` begin like a gzip member.
    pub(super) fn is_start(bytes: &[u8]) -> bool {
        // The upper three flag bits are reserved and must be zero (RFC 1952, 2.3.1.2).
        bytes.starts_with(MAGIC) && bytes.get(3).is_none_or(|flags| flags & 0xe0 == 0)
    }

    /// Returns the places in `bytes` that look like the start of a gzip member.
    pub(super) fn starts<'b>(&'b self, bytes: &'b [u8]) -> impl Iterator<Item = usize> + 'b {
        self.magic
            .find_iter(bytes)
            .filter(|&at| Self::is_start(&bytes[at..]))
    }

    /// Returns true if and only if `bytes` inflate to something that begins with `WARC/`, blank lines aside. Only a few bytes are inflated.
    pub(super) fn begins_a_record(bytes: &[u8]) -> bool {
        let mut head = [0; 32];
        let (Step::Going { written, .. }
        | Step::End { written, .. }
        | Step::Broken { written, .. }
        | Step::Mismatch { written, .. }) =
            Streaming::new().step(&bytes[..bytes.len().min(HEAD)], &mut head);
        head[..written].trim_ascii_start().starts_with(b"WARC/")
    }

    /// Appends the next member, or the next piece of a long one, to `out`.
    pub(super) fn read(
        &mut self,
        window: &mut Window,
        source: &mut dyn Read,
        out: &mut Buffer,
    ) -> Piece {
        if let Some(long) = self.long.take() {
            return self.read_long(long, window, source, out);
        }
        window.fill(source, LOOKAHEAD);
        let offset = window.offset();
        if window.bytes().is_empty() {
            return Piece::Done;
        }
        if !Self::is_start(window.bytes()) {
            self.skip_to_member(window, source, out, 0);
            let length = window.offset() - offset;
            return Piece::Skipped(Fault {
                offset,
                bytes_skipped: length,
                kind: FaultKind::Garbage,
                message: format!(
                    "expected a gzip member, but found {length} bytes that belong to none"
                ),
            });
        }
        // No more is offered than is at hand in any case, so that it does not depend on the source which members are read as a whole.
        let raw = window.bytes().len().min(LOOKAHEAD);
        loop {
            match self
                .whole
                .inflate(&window.bytes()[..raw], out.spare_for_whole())
            {
                Whole::Done { read, written } => {
                    window.consume(read);
                    out.advance(written);
                    return Piece::End {
                        offset,
                        length: read as u64,
                    };
                }
                Whole::MoreSpace if out.grow() => {}
                Whole::MoreSpace | Whole::Refused => break,
            }
        }
        let long = Long {
            stream: Streaming::new(),
            offset,
            fed: 0,
        };
        self.read_long(long, window, source, out)
    }

    /// Appends the next piece of a member that is not at hand as a whole, is larger than the buffer, or is broken.
    fn read_long(
        &mut self,
        mut long: Long,
        window: &mut Window,
        source: &mut dyn Read,
        out: &mut Buffer,
    ) -> Piece {
        let mut room = PIECE;
        out.reserve(PIECE);
        loop {
            window.fill(source, long.fed + 1);
            let step = long
                .stream
                .step(&window.bytes()[long.fed..], out.spare(room));
            let (Step::Going { read, written }
            | Step::End { read, written }
            | Step::Broken { read, written }
            | Step::Mismatch { read, written, .. }) = step;
            out.advance(written);
            room -= written;
            long.fed += read;
            let old = long.fed.saturating_sub(LOOKAHEAD);
            window.consume(old);
            long.fed -= old;
            let offset = long.offset;
            match step {
                Step::Going { .. } if read > 0 || written > 0 => {}
                // A piece ends where the stream can do nothing without more room, so that it does not depend on the source where pieces end.
                Step::Going { .. } if room == 0 => {
                    self.long = Some(long);
                    return Piece::Part { offset };
                }
                Step::End { .. } => {
                    window.consume(long.fed);
                    let length = window.offset() - offset;
                    return Piece::End { offset, length };
                }
                Step::Going { .. } => {
                    let length = window.offset() + long.fed as u64 - offset;
                    self.go_on_behind(&long, None, window, source, out);
                    return Piece::Broken(Fault {
                        offset,
                        bytes_skipped: window.offset() - offset,
                        kind: FaultKind::MemberTruncated,
                        message: format!(
                            "the file ends inside a gzip member, {length} bytes after its start"
                        ),
                    });
                }
                Step::Broken { .. } | Step::Mismatch { .. } => {
                    let extent = match step {
                        Step::Mismatch { behind, .. } => Some(long.fed + behind),
                        _ => None,
                    };
                    self.go_on_behind(&long, extent, window, source, out);
                    return Piece::Broken(Fault {
                        offset,
                        bytes_skipped: window.offset() - offset,
                        kind: FaultKind::MemberCorrupt,
                        message: "expected a gzip member with a right CRC and size, but it does not inflate to one".to_owned(),
                    });
                }
            }
        }
    }

    /// Skips to the next member behind a broken one, of which the first `extent` bytes at hand are the rest, if that is known.
    fn go_on_behind(
        &mut self,
        long: &Long,
        extent: Option<usize>,
        window: &mut Window,
        source: &mut dyn Read,
        out: &mut Buffer,
    ) {
        self.vain += long.stream.cost() + VAIN_PER_TRIAL;
        if let Some(extent) = extent {
            window.fill(source, extent + LOOKAHEAD);
            let bytes = window.bytes();
            if bytes.len() <= extent || Self::is_start(&bytes[extent..]) {
                window.consume(extent.min(bytes.len()));
                return;
            }
        }
        let behind_start = (long.offset + 1).saturating_sub(window.offset());
        let from = match usize::try_from(behind_start) {
            Ok(from) if self.may_try(window) => from,
            _ => long.fed.max(1),
        };
        self.skip_to_member(window, source, out, from);
    }

    /// Skips `from` bytes at hand and on to the next whole member, or to the end of the file.
    fn skip_to_member(
        &mut self,
        window: &mut Window,
        source: &mut dyn Read,
        out: &mut Buffer,
        mut from: usize,
    ) {
        loop {
            window.fill(source, from + LOOKAHEAD);
            window.consume(from.min(window.bytes().len()));
            let bytes = window.bytes();
            match self.magic.find(bytes) {
                Some(at) => {
                    window.consume(at);
                    if Self::is_start(window.bytes()) && self.is_member(window, source, out) {
                        return;
                    }
                    from = 1;
                }
                None if window.is_last() => {
                    let rest = bytes.len();
                    window.consume(rest);
                    return;
                }
                // The magic may lie across the end of what is at hand.
                None => from = bytes.len() - (MAGIC.len() - 1),
            }
        }
    }

    /// Returns true if and only if the member at the start of the window has a right CRC and size, or begins a record and is too long (or cut
    /// by the end of the file) to tell. What comes out is written to the room of `out` and forgotten.
    fn is_member(&mut self, window: &mut Window, source: &mut dyn Read, out: &mut Buffer) -> bool {
        if !self.may_try(window) {
            return false;
        }
        out.reserve(PIECE);
        let mut stream = Streaming::new();
        let mut fed = 0;
        let is_whole = loop {
            window.fill(source, (fed + 1).min(TRIAL));
            let input = &window.bytes()[fed..window.bytes().len().min(TRIAL)];
            match stream.step(input, out.spare(PIECE)) {
                Step::End { .. } => return true,
                Step::Broken { .. } | Step::Mismatch { .. } => break false,
                Step::Going { read, written }
                    if read + written > 0 && stream.cost() <= VAIN_AT_ONCE =>
                {
                    fed += read;
                }
                Step::Going { .. } => break Self::begins_a_record(window.bytes()),
            }
        };
        self.vain += stream.cost() + VAIN_PER_TRIAL;
        is_whole
    }

    /// Returns true if and only if not too much was inflated in vain yet.
    fn may_try(&self, window: &Window) -> bool {
        self.vain <= VAIN_AT_ONCE + VAIN_PER_BYTE * window.offset()
    }
}
