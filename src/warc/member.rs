//! From a window of raw bytes to the inflated bytes of one member after another, with the offset
//! and length of each.
//!
//! Enters: a source of bytes. Leaves: inflated bytes appended to the caller's buffer, and a
//! [`Piece`] that says where in the file they stood. A member is a gzip member (RFC 1952) or a zstd
//! frame (RFC 8878), each told by its own magic; a skippable zstd frame is a member that holds
//! nothing. This file knows nothing of records, except that a member too long to be tried may only
//! be believed if its content begins with `WARC/`.
//!
//! # Be advised
//!
//! Behind damage the reader goes on at the next *whole* member: three bytes that look like a start
//! (a magic) prove nothing, a right CRC does. A broken member may have swallowed the members behind
//! it before that showed, so the search begins right behind its start, or [`BACK`] bytes before the
//! place where it broke if that is nearer. Only where its extent is known, since a gzip stream came
//! to its end with a wrong CRC or the blocks of a zstd frame lead there, and another magic (or the
//! end of the file) stands at that end, is it stepped over whole: what looks like a member inside
//! it is its payload. But a member that was cut may fall into step with the next one, since Huffman
//! codes synchronize, and end with that: whole members one behind the other that end where the
//! broken one does were swallowed, and are read. No payload reaches there, since the CRC of its
//! member stands behind it.
//!
//! Trying and going back would cost quadratic time in a file made for it. Hence what is inflated in
//! vain is added up, and where the sum exceeds [`VAIN_AT_ONCE`] and [`VAIN_PER_BYTE`] bytes for
//! each byte of the file passed, a member is believed if its first bytes inflate to `WARC/`
//! ([`GLANCE`]), and the reader goes back a few bytes only ([`BACK_AT_LEAST`]). So beyond inflating
//! a file of n bytes once or twice, at most 128 MiB + 8 n bytes go into inflaters and come out of
//! them, and a glance for each magic: the sum, and the attempt that exceeds it. A member that a
//! broken one swallowed there may be lost, and the fault says so in bytes; what stands behind is
//! read.

use std::io::Read;

use super::{
    buffer::Buffer,
    codec::{self, Codec, Coding, MOST_HEAD, MOST_MAGIC},
    fault::{Fault, FaultKind},
    frame,
    gzip::MOST_TEXT,
    inflate::{Step, Whole},
    stream::SYNC,
    window::Window,
};

/// One step of reading members.
#[derive(Debug)]
pub(super) enum Piece {
    /// A piece of a long member was appended; nothing of it is checked yet.
    Part { offset: u64 },
    /// A whole member, or the last piece of a long one, was appended; it was checked as far as its
    /// coding can be.
    End { offset: u64, length: u64 },
    /// The member broke behind what was appended of it.
    Broken(Fault),
    /// Bytes of the file that belong to no member were skipped; nothing was appended.
    Skipped(Fault),
    /// The file ended.
    Done,
}

/// Raw bytes to have at hand before a member is tried as a whole: more than nearly all members
/// take. Those of 64 to 256 KiB are few, but streaming them costs an archive of robots.txt files a
/// tenth of its time.
const LOOKAHEAD: usize = 256 * 1024;
/// Raw bytes behind which the search for the next member begins at the latest, seen from the place
/// where one broke.
const BACK: usize = 64 * 1024;
/// Inflated bytes that one step of a long member appends.
pub(super) const PIECE: usize = 256 * 1024;
/// Raw bytes of a member that are inflated to find out whether it is one: more than any block of
/// BGZF (64 KiB) takes.
const TRIAL: usize = 1024 * 1024;
/// Raw bytes of a member that are looked at where trying has cost too much already: the first block
/// of most records' members ends in them.
const GLANCE: usize = 2 * 1024;
/// Raw bytes behind which the search begins in that case, seen from the place where a member broke:
/// where streams notice another's header.
const BACK_AT_LEAST: usize = 64;
/// Bytes that may be inflated in vain anywhere in a file: about a tenth of a second of work, and
/// more than any damage met in practice costs.
const VAIN_AT_ONCE: u64 = 64 * 1024 * 1024;
/// Bytes that may be inflated in vain for each byte of the file that was passed.
const VAIN_PER_BYTE: u64 = 8;
/// What the attempt at a member costs in itself, as bytes inflated.
const VAIN_PER_TRIAL: u64 = 512;
/// Reads the members of one file after the other.
pub(super) struct Members {
    codec: Codec,
    long: Option<Long>,
    /// Bytes that went in and out of inflaters in vain.
    vain: u64,
}

/// A member that is streamed.
struct Long {
    offset: u64,
    /// Bytes at the start of the window that went into it already.
    fed: usize,
}

impl Members {
    pub(super) fn new() -> Self {
        Self {
            codec: Codec::new(),
            long: None,
            vain: 0,
        }
    }

    /// Takes up another archive.
    pub(super) fn begin(&mut self) {
        self.codec.clear();
        self.long = None;
        self.vain = 0;
    }

    /// Appends the next member, or the next piece of a long one, to `out`; a piece has at most
    /// `most` bytes.
    pub(super) fn read(
        &mut self,
        window: &mut Window,
        source: &mut dyn Read,
        out: &mut Buffer,
        most: usize,
    ) -> Piece {
        if let Some(long) = self.long.take() {
            return self.read_long(long, window, source, out, most);
        }
        window.fill(source, LOOKAHEAD);
        let offset = window.offset();
        if window.bytes().is_empty() {
            return Piece::Done;
        }
        let Some(coding) = Coding::of(window.bytes()) else {
            self.skip_to_member(window, source, out, 0);
            let length = window.offset() - offset;
            return Piece::Skipped(Fault {
                offset,
                bytes_skipped: length,
                kind: FaultKind::Garbage,
                message: format!(
                    "expected a gzip member or a zstd frame, but found {length} bytes that belong to none"
                ),
            });
        };
        self.codec.set(coding);
        if self.has_wrong_header(window) {
            self.skip_to_member(window, source, out, 1);
            return Piece::Skipped(Fault {
                offset,
                bytes_skipped: window.offset() - offset,
                kind: FaultKind::MemberCorrupt,
                message: format!(
                    "expected the header of a gzip member (a right CRC16 if it has one, file name and comment of at most {MOST_TEXT} bytes), but found something else"
                ),
            });
        }
        if frame::is_skippable(window.bytes()) {
            return self.read_skippable(window, source, out);
        }
        // No more is offered than was asked for, so that it does not depend on the source which
        // members are read as a whole.
        let raw = window.bytes().len().min(LOOKAHEAD);
        loop {
            let whole = self
                .codec
                .whole(&window.bytes()[..raw], out.spare_for_whole());
            match whole {
                Whole::Done { read, written } => {
                    window.consume(read);
                    out.advance(written);
                    let length = read as u64;
                    return Piece::End { offset, length };
                }
                Whole::MoreSpace if out.grow() => {}
                Whole::MoreSpace | Whole::Refused => break,
            }
        }
        self.codec.begin();
        self.read_long(Long { offset, fed: 0 }, window, source, out, most)
    }

    /// Steps over a frame that holds no data, and learns the dictionary if it holds one.
    ///
    /// A dictionary shows that the frame is sound; of another the length must lead to a frame or to
    /// the end of the file.
    fn read_skippable(
        &mut self,
        window: &mut Window,
        source: &mut dyn Read,
        out: &mut Buffer,
    ) -> Piece {
        let offset = window.offset();
        let length = fill_skippable(window, source);
        let bytes = window.bytes();
        let content = frame::skippable_content(bytes);
        let taught = match content.filter(|_| frame::is_dictionary(bytes)) {
            Some(content) => self.codec.learn(content),
            None => Ok(()),
        };
        let is_sound =
            taught.is_ok() && frame::dictionary(bytes).is_some() || ends_well(bytes, length);
        if let (Some(length), Some(_), true) = (length, content, is_sound) {
            window.consume(length);
            let Err(why) = taught else {
                return Piece::End {
                    offset,
                    length: length as u64,
                };
            };
            return Piece::Skipped(Fault {
                offset,
                bytes_skipped: length as u64,
                kind: FaultKind::MemberCorrupt,
                message: format!(
                    "expected a dictionary for the zstd frames behind it, but it cannot be used: {why}"
                ),
            });
        }
        let is_cut = window.is_last() && content.is_none();
        self.skip_to_member(window, source, out, 1);
        let (kind, message) = if is_cut {
            let message = "the file ends inside a skippable zstd frame, or its size is wrong";
            (FaultKind::MemberTruncated, message)
        } else {
            let message = "expected a skippable zstd frame in front of another frame, but its size leads elsewhere or is beyond 16 MiB";
            (FaultKind::MemberCorrupt, message)
        };
        Piece::Skipped(Fault {
            offset,
            bytes_skipped: window.offset() - offset,
            kind,
            message: message.to_owned(),
        })
    }

    /// Gives up the member of the last piece and goes on behind it, as behind a broken one.
    pub(super) fn abandon(
        &mut self,
        window: &mut Window,
        source: &mut dyn Read,
        out: &mut Buffer,
        limit: u64,
    ) -> Option<Fault> {
        let long = self.long.take()?;
        let noun = self.codec.coding().noun();
        self.skip_to_member(window, source, out, long.fed);
        Some(Fault {
            offset: long.offset,
            bytes_skipped: window.offset() - long.offset,
            kind: FaultKind::MemberTooLong,
            message: format!(
                "a {noun} goes on for more than the limit of {limit} inflated bytes without the end of a record (--max-member); it was given up"
            ),
        })
    }

    /// Appends the next piece of a member that is not at hand as a whole, is larger than the
    /// buffer, or is broken.
    fn read_long(
        &mut self,
        mut long: Long,
        window: &mut Window,
        source: &mut dyn Read,
        out: &mut Buffer,
        most: usize,
    ) -> Piece {
        let mut room = most.min(PIECE);
        out.reserve(PIECE);
        loop {
            window.fill(source, long.fed + self.codec.wanted());
            let step = self
                .codec
                .step(&window.bytes()[long.fed..], out.spare(room));
            let (Step::Going { read, written }
            | Step::End { read, written }
            | Step::Broken { read, written }
            | Step::Mismatch { read, written, .. }) = step;
            out.advance(written);
            room -= written;
            long.fed += read;
            let old = long.fed.saturating_sub(BACK);
            window.consume(old);
            long.fed -= old;
            let offset = long.offset;
            match step {
                Step::Going { .. } if read > 0 || written > 0 => {}
                // A piece ends where the stream can do nothing without more room, so that it does
                // not depend on the source where pieces end.
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
                    let noun = self.codec.coding().noun();
                    self.go_on_behind(&long, None, window, source, out);
                    return Piece::Broken(Fault {
                        offset,
                        bytes_skipped: window.offset() - offset,
                        kind: FaultKind::MemberTruncated,
                        message: format!(
                            "the file ends inside a {noun}, {length} bytes after its start"
                        ),
                    });
                }
                Step::Broken { .. } | Step::Mismatch { .. } => {
                    let extent = match step {
                        Step::Mismatch { behind, .. } => Some(long.fed + behind),
                        _ if window.offset() == offset => {
                            window.fill(source, LOOKAHEAD);
                            let raw = window.bytes().len().min(LOOKAHEAD);
                            self.codec.extent(&window.bytes()[..raw])
                        }
                        _ => None,
                    };
                    let message = self.codec.complaint();
                    self.go_on_behind(&long, extent, window, source, out);
                    return Piece::Broken(Fault {
                        offset,
                        bytes_skipped: window.offset() - offset,
                        kind: FaultKind::MemberCorrupt,
                        message,
                    });
                }
            }
        }
    }

    /// Skips to the next member behind a broken one, of which the first `extent` bytes at hand are
    /// the rest, if that is known.
    fn go_on_behind(
        &mut self,
        long: &Long,
        extent: Option<usize>,
        window: &mut Window,
        source: &mut dyn Read,
        out: &mut Buffer,
    ) {
        // What was let go of a long member is passed: only the part that may be inflated again was
        // in vain.
        let passed = window.offset() + long.fed as u64 - long.offset;
        self.vain += self.codec.cost() / passed.max(1) * long.fed as u64 + VAIN_PER_TRIAL;
        let behind_start = (long.offset + 1).saturating_sub(window.offset());
        let behind_start = usize::try_from(behind_start).unwrap_or(long.fed.max(1));
        if let Some(extent) = extent {
            window.fill(source, extent + MOST_MAGIC);
            let rest = window.bytes().get(extent..).unwrap_or_default();
            if rest.is_empty() || Coding::of(rest).is_some() {
                let end = extent.min(window.bytes().len());
                let swallowed = self.find_swallowed(window, out, behind_start, end);
                window.consume(swallowed.unwrap_or(end));
                return;
            }
        }
        let least = if self.may_try(window) {
            0
        } else {
            long.fed.saturating_sub(BACK_AT_LEAST)
        };
        self.skip_to_member(window, source, out, behind_start.max(least));
    }

    /// Returns where, at `from` or behind it, the first of the whole members begins that stand one
    /// behind the other up to `end`, if any do.
    fn find_swallowed(
        &mut self,
        window: &Window,
        out: &mut Buffer,
        from: usize,
        end: usize,
    ) -> Option<usize> {
        let bytes = &window.bytes()[..end];
        let mut whole = Vec::new();
        let mut at = from;
        while let Some(next) = bytes.get(at..).and_then(codec::find)
            && self.may_try(window)
        {
            at += next;
            let length = self.whole_length(&bytes[at..], out);
            whole.extend(length.map(|length| (at, at + length)));
            at += 1;
        }
        let mut first = end;
        for (start, end) in whole.into_iter().rev() {
            if end == first {
                first = start;
            }
        }
        (first < end).then_some(first)
    }

    /// Returns the length of the member at the start of `bytes`, if it is there as a whole. What
    /// comes out is written to the room of `out` and forgotten.
    fn whole_length(&mut self, bytes: &[u8], out: &mut Buffer) -> Option<usize> {
        self.codec.set(Coding::of(bytes)?);
        if let Some(n) = self.codec.wrong_header(bytes) {
            self.vain += n as u64 + VAIN_PER_TRIAL;
            return None;
        }
        out.reserve(PIECE);
        self.codec.begin();
        let mut fed = 0;
        let length = loop {
            match self.codec.step(&bytes[fed..], out.spare(PIECE)) {
                Step::End { read, .. } => break Some(fed + read),
                Step::Going { read, written }
                    if read + written > 0 && self.codec.cost() <= VAIN_AT_ONCE =>
                {
                    fed += read;
                }
                _ => break None,
            }
        };
        self.vain += self.codec.cost() + VAIN_PER_TRIAL;
        length
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
            window.fill(source, from + BACK);
            window.consume(from.min(window.bytes().len()));
            let bytes = window.bytes();
            match codec::find(bytes) {
                Some(at) => {
                    window.consume(at);
                    if self.is_member(window, source, out) {
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
                None => from = bytes.len() - (MOST_MAGIC - 1),
            }
        }
    }

    /// Returns true if and only if the member at the start of the window is whole, or begins a
    /// record and is too long (or cut by the end of the file) to tell. What comes out is written to
    /// the room of `out` and forgotten.
    fn is_member(&mut self, window: &mut Window, source: &mut dyn Read, out: &mut Buffer) -> bool {
        let Some(coding) = Coding::of(window.bytes()) else {
            return false;
        };
        self.codec.set(coding);
        if frame::is_skippable(window.bytes()) {
            let length = fill_skippable(window, source);
            return ends_well(window.bytes(), length) || self.codec.teaches(window.bytes());
        }
        if !self.may_try(window) {
            window.fill(source, GLANCE);
            return self.codec.begins_with(window.bytes(), SYNC, GLANCE);
        }
        window.fill(source, LOOKAHEAD);
        if self.has_wrong_header(window) {
            return false;
        }
        out.reserve(PIECE);
        self.codec.begin();
        let mut fed = 0;
        let is_open = loop {
            window.fill(source, (fed + self.codec.wanted()).min(TRIAL));
            let input = &window.bytes()[fed..window.bytes().len().min(TRIAL)];
            match self.codec.step(input, out.spare(PIECE)) {
                Step::End { .. } => return true,
                Step::Broken { .. } | Step::Mismatch { .. } => break false,
                Step::Going { read, written }
                    if read + written > 0 && self.codec.cost() <= VAIN_AT_ONCE =>
                {
                    fed += read;
                }
                Step::Going { .. } => break true,
            }
        };
        self.vain += self.codec.cost() + VAIN_PER_TRIAL;
        if is_open {
            window.fill(source, MOST_HEAD);
        }
        is_open && self.codec.begins_with(window.bytes(), SYNC, MOST_HEAD)
    }

    /// Returns true if and only if the member at the start of the window is none by its header;
    /// where too much was done in vain, that is not looked at.
    fn has_wrong_header(&mut self, window: &Window) -> bool {
        let wrong = match self.may_try(window) {
            true => self.codec.wrong_header(window.bytes()),
            false => None,
        };
        self.vain += wrong.map_or(0, |n| n as u64 + VAIN_PER_TRIAL);
        wrong.is_some()
    }

    /// Returns true if and only if not too much was inflated in vain yet.
    fn may_try(&self, window: &Window) -> bool {
        self.vain <= VAIN_AT_ONCE + VAIN_PER_BYTE * window.offset()
    }
}

/// Gets the skippable frame at the start of the window at hand, and what follows it; returns its
/// length, if that can be believed.
fn fill_skippable(window: &mut Window, source: &mut dyn Read) -> Option<usize> {
    window.fill(source, LOOKAHEAD);
    let length = frame::skippable_length(window.bytes())?;
    window.fill(source, length + MOST_MAGIC);
    Some(length)
}

/// Returns true if and only if a frame of that length ends where another begins, or where the file
/// does.
fn ends_well(bytes: &[u8], length: Option<usize>) -> bool {
    length.is_some_and(|length| {
        bytes.len() == length || bytes.len() > length && Coding::of(&bytes[length..]).is_some()
    })
}
