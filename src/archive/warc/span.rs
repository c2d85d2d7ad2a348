//! The members (gzip) or frames (zstd) from which the buffered bytes were decompressed.
//!
//! Positions count decompressed bytes from the start of the archive, offsets count bytes of its
//! file.

use std::collections::VecDeque;

use super::Fault;

/// The decompressed bytes that came from one member.
#[derive(Debug)]
pub(super) struct MemberSpan {
    /// Position of its first byte.
    pub(super) start: u64,
    /// Offset of the member in the file.
    pub(super) offset: u64,
    pub(super) end: MemberEnd,
    /// Records that were returned before its CRC was checked.
    pub(super) unchecked: u64,
    /// Whether it holds bytes of a record.
    pub(super) used: bool,
}

/// How a member ended.
#[derive(Debug)]
pub(super) enum MemberEnd {
    /// It has not ended: it is still being decompressed.
    Open,
    /// It is whole and has this many bytes in the file.
    Whole(u64),
    /// It is damaged; the fault is reported after the records before the damage were returned.
    Broken(Fault),
}

/// The members of the buffered bytes, in the order of the file.
#[derive(Debug, Default)]
pub(super) struct MemberSpans(VecDeque<MemberSpan>);

/// Members of the buffered bytes that are distinguished. An archive that splits a record into more
/// of them is meant to cost memory; beyond the limit several count as one.
const MAX_SPANS: usize = 64 * 1024;

impl MemberSpans {
    /// Adds the member at `offset`, whose first byte is at position `start`.
    pub(super) fn push(&mut self, start: u64, offset: u64, end: MemberEnd) {
        let is_full = self.0.len() >= MAX_SPANS;
        match (self.0.back_mut().map(|span| &mut span.end), &end) {
            (Some(MemberEnd::Whole(total)), MemberEnd::Whole(length)) if is_full => {
                *total += length;
            }
            _ => self.0.push_back(MemberSpan {
                start,
                offset,
                end,
                unchecked: 0,
                used: false,
            }),
        }
    }

    /// Sets how the last member ended.
    pub(super) fn close(&mut self, end: MemberEnd) {
        if let Some(span) = self.0.back_mut() {
            span.end = end;
        }
    }

    /// Returns true if and only if the last member is still being decompressed.
    pub(super) fn is_open(&self) -> bool {
        self.open_start().is_some()
    }

    /// Returns the position at which the last member began, if it is still being decompressed.
    pub(super) fn open_start(&self) -> Option<u64> {
        let last = self.0.back()?;
        matches!(last.end, MemberEnd::Open).then_some(last.start)
    }

    /// Returns true if and only if the last member is damaged.
    pub(super) fn is_broken(&self) -> bool {
        let end = self.0.back().map(|span| &span.end);
        matches!(end, Some(MemberEnd::Broken(_)))
    }

    /// Returns the offset of the member that holds the byte at `position`.
    pub(super) fn offset_of(&self, position: u64) -> u64 {
        let mut from_last = self.0.iter().rev();
        from_last
            .find(|span| span.start <= position)
            .map_or(0, |span| span.offset)
    }

    /// Returns the member that holds the byte before the position `end`.
    pub(super) fn last_before(&mut self, end: u64) -> Option<&mut MemberSpan> {
        self.0.iter_mut().rev().find(|span| span.start < end)
    }

    /// Marks the members that begin before the position `end` as used.
    pub(super) fn use_before(&mut self, end: u64) {
        for span in self.0.iter_mut().take_while(|span| span.start < end) {
            span.used = true;
        }
    }

    /// Marks the members that end before the position `end` as used; `is_all` states that no byte
    /// after it is buffered.
    pub(super) fn use_within(&mut self, end: u64, is_all: bool) {
        let later = self.0.iter().skip(1);
        let n = later.take_while(|span| span.start <= end).count() + usize::from(is_all);
        for span in self.0.iter_mut().take(n) {
            span.used = true;
        }
    }

    /// Removes the first member, if all its bytes are before the position `taken`; `is_all` states
    /// that no byte is buffered.
    pub(super) fn pop_before(&mut self, taken: u64, is_all: bool) -> Option<MemberSpan> {
        let is_consumed = match self.0.get(1) {
            Some(next) => next.start <= taken,
            None => is_all && !self.is_open(),
        };
        if is_consumed {
            self.0.pop_front()
        } else {
            None
        }
    }

    /// Removes the first member.
    pub(super) fn pop(&mut self) -> Option<MemberSpan> {
        self.0.pop_front()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_belong_to_the_member_that_holds_them() {
        let mut spans = MemberSpans::default();
        spans.push(0, 0, MemberEnd::Whole(50));
        spans.push(100, 50, MemberEnd::Whole(50));
        assert_eq!(
            [0, 99, 100, 500].map(|at| spans.offset_of(at)),
            [0, 0, 50, 50]
        );
        assert_eq!(spans.last_before(100).map(|span| span.offset), Some(0));
        assert_eq!(spans.last_before(101).map(|span| span.offset), Some(50));
        spans.use_before(100);
        assert!(spans.pop_before(99, false).is_none());
        assert!(spans.pop_before(100, false).is_some_and(|span| span.used));
        assert!(spans.pop_before(200, false).is_none());
        assert!(spans.pop_before(200, true).is_some_and(|span| !span.used));
    }

    #[test]
    fn an_open_member_is_not_removed() {
        let mut spans = MemberSpans::default();
        spans.push(0, 0, MemberEnd::Open);
        assert!(spans.is_open() && spans.pop_before(10, true).is_none());
        spans.close(MemberEnd::Whole(7));
        assert!(spans.pop_before(10, true).is_some());
    }

    #[test]
    fn beyond_the_limit_members_are_merged() {
        let mut spans = MemberSpans::default();
        for at in 0..MAX_SPANS as u64 + 10 {
            spans.push(at, at, MemberEnd::Whole(1));
        }
        let last = spans.last_before(u64::MAX).unwrap();
        assert!(matches!(last.end, MemberEnd::Whole(11)));
    }
}
