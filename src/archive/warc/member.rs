//! Reads the members of a file one after the other and appends their decompressed bytes to a
//! buffer, with the offset and length of each.
//!
//! A member is a gzip member (RFC 1952) or a zstd frame (RFC 8878), recognized by its magic; a
//! skippable zstd frame is a member without content. Records are not known here, except that a
//! member too long to be tried is only accepted if its content begins with `WARC/`.
//!
//! # Resync
//!
//! After damage the reader resumes at the next *whole* member: three bytes that look like a start
//! (a magic) prove nothing, a correct CRC does. A damaged member may have swallowed the members
//! after it before the damage was detected, so the search begins right after its start, or [`BACK`]
//! bytes before the offset of the damage if that is later.
//!
//! Where the extent of the damaged member is known (a gzip stream ended with a wrong CRC, or the
//! sizes of the blocks of a zstd frame give it) and is followed by another magic or the end of the
//! file, all of it is skipped: what looks like a member inside it is its payload. The exception is
//! a truncated member, which may synchronize with the next one, since Huffman codes do, and end
//! where that one ends: adjacent whole members that end there were swallowed, and are read. No
//! payload extends to that offset, since the CRC of its member follows it.
//!
//! # Bounded time
//!
//! Trying members and searching again would cost quadratic time in a file made for it. Hence the
//! bytes decompressed without success are summed up. Where the sum exceeds [`RESYNC_BUDGET`] plus
//! [`RESYNC_BUDGET_PER_BYTE`] for each byte of the file read, a member is accepted if its first
//! bytes ([`GLANCE`]) decompress to `WARC/`, and the search begins only [`BACK_AT_LEAST`] bytes
//! before the damage. So beyond decompressing a file of n bytes once or twice, at most 128 MiB +
//! 8 n bytes are read and written by decompressors (the budget, and the attempt that exceeds it),
//! and one glance for each magic. A member that a damaged one swallowed may be lost then, which the
//! fault reports in bytes; later members are read.

use std::io::Read;

use super::{
    buffer::Buffer,
    codec::{self, Codec, MAX_HEAD, MAX_MAGIC, MemberFormat},
    fault::{Fault, FaultKind},
    frame,
    gzip::MAX_HEADER_TEXT,
    inflate::{InflateStep, OneShot, StepEnd},
    sync::SYNC,
    window::Window,
};

/// The result of one read of a member.
#[derive(Debug)]
pub(super) enum MemberRead {
    /// A part of a streamed member was appended; it is not checked yet.
    Partial { offset: u64 },
    /// A whole member, or the last part of a streamed one, was appended; it was checked as far as
    /// its format allows.
    Complete { offset: u64, length: u64 },
    /// The member is damaged after the bytes that were appended.
    Broken(Fault),
    /// Bytes of the file that belong to no member were skipped; nothing was appended.
    Skipped(Fault),
    /// The file ended.
    EndOfFile,
}

/// Raw bytes that are buffered before a member is decompressed in one call: more than nearly all
/// members have. Those of 64 to 256 KiB are few, but streaming them takes a tenth of the time of an
/// archive of robots.txt files.
const LOOKAHEAD: usize = 256 * 1024;
/// Raw bytes before the offset of the damage at which the search for the next member begins at the
/// earliest.
const BACK: usize = 64 * 1024;
/// Decompressed bytes that one read of a streamed member appends at most.
pub(super) const STEP_BYTES: usize = 256 * 1024;
/// Raw bytes of a possible member that are decompressed to find out whether it is one: more than
/// any block of BGZF (64 KiB) has.
const TRIAL: usize = 1024 * 1024;
/// Raw bytes of a possible member that are examined once the budget is exceeded: the first block of
/// most members ends in them.
const GLANCE: usize = 2 * 1024;
/// Raw bytes before the offset of the damage at which the search begins once the budget is
/// exceeded: within these a stream fails on the header of another.
const BACK_AT_LEAST: usize = 64;
/// Bytes that may be decompressed without success in any file: about a tenth of a second of work,
/// and more than any damage met in practice costs.
const RESYNC_BUDGET: u64 = 64 * 1024 * 1024;
/// Bytes that may be decompressed without success for each byte of the file that was read.
const RESYNC_BUDGET_PER_BYTE: u64 = 8;
/// The fixed cost of an attempt at a member, as decompressed bytes.
const TRIAL_COST: u64 = 512;

/// What members are read from, and what their bytes are appended to.
pub(super) struct MemberIo<'a> {
    pub(super) window: &'a mut Window,
    pub(super) source: &'a mut dyn Read,
    pub(super) out: &'a mut Buffer,
}

impl MemberIo<'_> {
    /// Returns a fault because of which the bytes from `offset` to the start of the window were
    /// skipped.
    fn fault_since(&self, offset: u64, kind: FaultKind, message: impl Into<String>) -> Fault {
        Fault::new(offset, self.window.offset - offset, kind, message)
    }
}

/// A reader of the members of one file after the other.
pub(super) struct Members {
    largest: usize,
    codec: Codec,
    streamed: Option<StreamedMember>,
    /// Bytes that decompressors read and wrote without success.
    resync_cost: u64,
}

/// A member that is streamed.
struct StreamedMember {
    offset: u64,
    /// Bytes at the start of the window that were decompressed already.
    fed: usize,
}

impl Members {
    /// Returns a reader that decompresses members of at most `largest` decompressed bytes in one
    /// call.
    pub(super) fn new(largest: usize) -> Self {
        Self {
            largest,
            codec: Codec::new(),
            streamed: None,
            resync_cost: 0,
        }
    }

    /// Appends the next member, or the next part of a streamed one, to `out`; a part has at most
    /// `most` bytes.
    pub(super) fn read(&mut self, io: &mut MemberIo<'_>, most: usize) -> MemberRead {
        if let Some(member) = self.streamed.take() {
            return self.read_streamed(member, io, most);
        }
        io.window.fill(io.source, LOOKAHEAD);
        let offset = io.window.offset;
        if io.window.bytes().is_empty() {
            return MemberRead::EndOfFile;
        }
        let Some(format) = MemberFormat::detect(io.window.bytes()) else {
            self.skip_to_member(io, 0);
            let length = io.window.offset - offset;
            let message =
                format!("expected a gzip member or a zstd frame, but found {length} other bytes");
            return MemberRead::Skipped(io.fault_since(offset, FaultKind::Garbage, message));
        };
        self.codec.format = format;
        if self.has_wrong_header(io.window) {
            self.skip_to_member(io, 1);
            let message = format!(
                "expected a gzip header with a correct CRC16 if it has one, and a file name and comment of at most {MAX_HEADER_TEXT} bytes, but found another"
            );
            return MemberRead::Skipped(io.fault_since(offset, FaultKind::MemberCorrupt, message));
        }
        if frame::is_skippable(io.window.bytes()) {
            return self.read_skippable(io);
        }
        // No more bytes and capacity are passed than were requested, so that neither the source nor
        // what was read before decides which members are decompressed in one call.
        let raw = io.window.bytes().len().min(LOOKAHEAD);
        loop {
            let result = self
                .codec
                .one_shot(&io.window.bytes()[..raw], io.out.spare(self.largest));
            match result {
                OneShot::Done { read, written } => {
                    io.window.consume(read);
                    io.out.advance(written);
                    let length = read as u64;
                    return MemberRead::Complete { offset, length };
                }
                OneShot::MoreSpace if io.out.grow(self.largest) => {}
                OneShot::MoreSpace | OneShot::Refused => break,
            }
        }
        self.codec.begin();
        self.read_streamed(StreamedMember { offset, fed: 0 }, io, most)
    }

    /// Reads a skippable frame, and uses its content if it is a dictionary.
    ///
    /// A valid dictionary proves the frame; any other must end at another frame or at the end of
    /// the file.
    fn read_skippable(&mut self, io: &mut MemberIo<'_>) -> MemberRead {
        let offset = io.window.offset;
        let length = fill_skippable(io.window, io.source);
        let bytes = io.window.bytes();
        let content = frame::skippable_content(bytes);
        let learned = match content.filter(|_| frame::is_dictionary(bytes)) {
            Some(content) => self.codec.learn(content),
            None => Ok(()),
        };
        let is_valid =
            learned.is_ok() && frame::dictionary(bytes).is_some() || ends_well(bytes, length);
        if let (Some(length), Some(_), true) = (length, content, is_valid) {
            io.window.consume(length);
            let Err(why) = learned else {
                let length = length as u64;
                return MemberRead::Complete { offset, length };
            };
            let message = format!(
                "expected a dictionary for the zstd frames after it, but it cannot be used: {why}"
            );
            return MemberRead::Skipped(io.fault_since(offset, FaultKind::MemberCorrupt, message));
        }
        let is_cut = io.window.is_last && content.is_none();
        self.skip_to_member(io, 1);
        let (kind, message) = if is_cut {
            let message = "the file ends inside a skippable zstd frame, or its size is wrong";
            (FaultKind::MemberTruncated, message)
        } else {
            let message = "expected a skippable zstd frame of at most 16 MiB and another frame after it, but its size is wrong";
            (FaultKind::MemberCorrupt, message)
        };
        MemberRead::Skipped(io.fault_since(offset, kind, message))
    }

    /// Skips the rest of the streamed member and resyncs, as after a damaged one.
    pub(super) fn abandon(&mut self, io: &mut MemberIo<'_>, limit: u64) -> MemberRead {
        let member = self.streamed.take();
        let member = member.expect("only a member that is being streamed is abandoned");
        let noun = self.codec.format.noun();
        self.skip_to_member(io, member.fed);
        let message = format!(
            "expected the end of a record within {limit} decompressed bytes of a {noun} (the limit of a member), but found none; the rest of the member was skipped"
        );
        MemberRead::Broken(io.fault_since(member.offset, FaultKind::MemberTooLong, message))
    }

    /// Appends the next part of a member that is not buffered as a whole, is larger than the
    /// buffer, or is damaged.
    fn read_streamed(
        &mut self,
        mut member: StreamedMember,
        io: &mut MemberIo<'_>,
        most: usize,
    ) -> MemberRead {
        let mut left = most.min(STEP_BYTES);
        io.out.reserve(STEP_BYTES);
        loop {
            io.window.fill(io.source, member.fed + self.codec.wanted());
            let step = self
                .codec
                .step(&io.window.bytes()[member.fed..], io.out.spare(left));
            let InflateStep { read, written, end } = step;
            io.out.advance(written);
            left -= written;
            member.fed += read;
            let old = member.fed.saturating_sub(BACK);
            io.window.consume(old);
            member.fed -= old;
            let offset = member.offset;
            match end {
                StepEnd::Inside if read > 0 || written > 0 => {}
                // A part ends where the stream cannot continue without more capacity, so that the
                // source does not decide where parts end.
                StepEnd::Inside if left == 0 => {
                    self.streamed = Some(member);
                    return MemberRead::Partial { offset };
                }
                StepEnd::Whole => {
                    io.window.consume(member.fed);
                    let length = io.window.offset - offset;
                    return MemberRead::Complete { offset, length };
                }
                StepEnd::Inside => {
                    let length = io.window.offset + member.fed as u64 - offset;
                    let noun = self.codec.format.noun();
                    self.resync_after(&member, None, io);
                    let message =
                        format!("the file ends inside a {noun}, {length} bytes after its start");
                    let kind = FaultKind::MemberTruncated;
                    return MemberRead::Broken(io.fault_since(offset, kind, message));
                }
                StepEnd::Broken | StepEnd::Mismatch(_) => {
                    let extent = match end {
                        StepEnd::Mismatch(trailing) => Some(member.fed + trailing),
                        _ if io.window.offset == offset => {
                            io.window.fill(io.source, LOOKAHEAD);
                            let raw = io.window.bytes().len().min(LOOKAHEAD);
                            self.codec.extent(&io.window.bytes()[..raw])
                        }
                        _ => None,
                    };
                    let message = self.codec.error_message();
                    self.resync_after(&member, extent, io);
                    let kind = FaultKind::MemberCorrupt;
                    return MemberRead::Broken(io.fault_since(offset, kind, message));
                }
            }
        }
    }

    /// Skips to the next member after a damaged one, which ends after the first `extent` buffered
    /// bytes, if that is known.
    fn resync_after(
        &mut self,
        member: &StreamedMember,
        extent: Option<usize>,
        io: &mut MemberIo<'_>,
    ) {
        // Only the bytes that may be decompressed again count; earlier ones of a streamed member
        // have left the window.
        let passed = io.window.offset + member.fed as u64 - member.offset;
        self.resync_cost += self.codec.cost / passed.max(1) * member.fed as u64 + TRIAL_COST;
        let after_start = (member.offset + 1).saturating_sub(io.window.offset);
        let after_start = usize::try_from(after_start).unwrap_or(member.fed.max(1));
        if let Some(extent) = extent {
            io.window.fill(io.source, extent + MAX_MAGIC);
            let rest = io.window.bytes().get(extent..).unwrap_or_default();
            if rest.is_empty() || MemberFormat::detect(rest).is_some() {
                let end = extent.min(io.window.bytes().len());
                let swallowed = self.find_swallowed(io, after_start, end);
                io.window.consume(swallowed.unwrap_or(end));
                return;
            }
        }
        let least = if self.is_within_budget(io.window) {
            0
        } else {
            member.fed.saturating_sub(BACK_AT_LEAST)
        };
        self.skip_to_member(io, after_start.max(least));
    }

    /// Returns the offset, `from` or later, of the first of the adjacent whole members that end at
    /// `end`, if there are any.
    fn find_swallowed(&mut self, io: &mut MemberIo<'_>, from: usize, end: usize) -> Option<usize> {
        let mut whole = Vec::new();
        let mut at = from;
        while let Some(next) = io.window.bytes()[..end].get(at..).and_then(codec::find)
            && self.is_within_budget(io.window)
        {
            at += next;
            let length = self.whole_length(io, at, end);
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

    /// Returns the length of the member after the first `from` buffered bytes, if it is complete in
    /// the first `end`.
    fn whole_length(&mut self, io: &mut MemberIo<'_>, from: usize, end: usize) -> Option<usize> {
        let bytes = &io.window.bytes()[from..end];
        self.codec.format = MemberFormat::detect(bytes)?;
        if let Some(n) = self.codec.wrong_header(bytes) {
            self.resync_cost += n as u64 + TRIAL_COST;
            return None;
        }
        let (length, trial) = self.try_member(io, from, end - from);
        self.resync_cost += self.codec.cost + TRIAL_COST;
        (trial == StepEnd::Whole).then_some(length)
    }

    /// Decompresses the member after the first `from` buffered bytes, as long as it costs little,
    /// and at most `most` raw bytes of it; returns how many it took, and where that led. Its
    /// content is written to the spare capacity of `out` and dropped.
    fn try_member(&mut self, io: &mut MemberIo<'_>, from: usize, most: usize) -> (usize, StepEnd) {
        io.out.reserve(STEP_BYTES);
        self.codec.begin();
        let mut fed = 0;
        loop {
            let wanted = (fed + self.codec.wanted()).min(most);
            io.window.fill(io.source, from + wanted);
            let bytes = &io.window.bytes()[from..];
            let input = &bytes[fed..bytes.len().min(most)];
            let step = self.codec.step(input, io.out.spare(STEP_BYTES));
            fed += step.read;
            let has_moved = step.read + step.written > 0;
            if step.end != StepEnd::Inside || !has_moved || self.codec.cost > RESYNC_BUDGET {
                return (fed, step.end);
            }
        }
    }

    /// Skips `from` buffered bytes and all others up to the next whole member or the end of the
    /// file.
    fn skip_to_member(&mut self, io: &mut MemberIo<'_>, mut from: usize) {
        loop {
            io.window.fill(io.source, from + BACK);
            io.window.consume(from.min(io.window.bytes().len()));
            let bytes = io.window.bytes();
            match codec::find(bytes) {
                Some(at) => {
                    io.window.consume(at);
                    if self.is_member(io) {
                        return;
                    }
                    from = 1;
                }
                None if io.window.is_last => {
                    let rest = bytes.len();
                    io.window.consume(rest);
                    return;
                }
                // The magic may cross the end of the buffered bytes.
                None => from = bytes.len() - (MAX_MAGIC - 1),
            }
        }
    }

    /// Returns true if and only if the member at the start of the window is whole, or begins with a
    /// record and is too long to be tried, or truncated by the end of the file.
    fn is_member(&mut self, io: &mut MemberIo<'_>) -> bool {
        let Some(format) = MemberFormat::detect(io.window.bytes()) else {
            return false;
        };
        self.codec.format = format;
        if frame::is_skippable(io.window.bytes()) {
            let length = fill_skippable(io.window, io.source);
            return ends_well(io.window.bytes(), length)
                || self.codec.is_dictionary(io.window.bytes());
        }
        if !self.is_within_budget(io.window) {
            io.window.fill(io.source, GLANCE);
            return self.codec.begins_with(io.window.bytes(), SYNC, GLANCE);
        }
        io.window.fill(io.source, LOOKAHEAD);
        if self.has_wrong_header(io.window) {
            return false;
        }
        let (_, trial) = self.try_member(io, 0, TRIAL);
        if trial == StepEnd::Whole {
            return true;
        }
        self.resync_cost += self.codec.cost + TRIAL_COST;
        let is_open = trial == StepEnd::Inside;
        if is_open {
            io.window.fill(io.source, MAX_HEAD);
        }
        is_open && self.codec.begins_with(io.window.bytes(), SYNC, MAX_HEAD)
    }

    /// Returns true if and only if the member at the start of the window is rejected by its header,
    /// which is not examined once the budget is exceeded.
    fn has_wrong_header(&mut self, window: &Window) -> bool {
        let wrong = if self.is_within_budget(window) {
            self.codec.wrong_header(window.bytes())
        } else {
            None
        };
        self.resync_cost += wrong.map_or(0, |n| n as u64 + TRIAL_COST);
        wrong.is_some()
    }

    /// Returns true if and only if the budget is not exceeded.
    fn is_within_budget(&self, window: &Window) -> bool {
        self.resync_cost <= RESYNC_BUDGET + RESYNC_BUDGET_PER_BYTE * window.offset
    }
}

/// Buffers the skippable frame at the start of the window and the magic after it; returns its
/// length, if that is accepted.
fn fill_skippable(window: &mut Window, source: &mut dyn Read) -> Option<usize> {
    window.fill(source, LOOKAHEAD);
    let length = frame::skippable_length(window.bytes())?;
    window.fill(source, length + MAX_MAGIC);
    Some(length)
}

/// Returns true if and only if a frame of that length ends where another begins or the file ends.
fn ends_well(bytes: &[u8], length: Option<usize>) -> bool {
    length.is_some_and(|length| {
        bytes.len() == length
            || bytes.len() > length && MemberFormat::detect(&bytes[length..]).is_some()
    })
}
