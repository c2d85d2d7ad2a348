//! Which members (gzip) or frames (zstd) the inflated bytes at hand came from.
//!
//! Enters: members as they are read, and positions in the inflated bytes. Leaves: offsets in the
//! file, and members of which nothing is held any more. This file refuses to know the bytes
//! themselves.

use std::collections::VecDeque;

use super::Fault;

/// The piece of inflated bytes that came from one member.
#[derive(Debug)]
pub(super) struct Mark {
    /// Position of its first byte, counted in inflated bytes from the start of the archive.
    start: u64,
    /// Offset of the member in the file.
    pub(super) offset: u64,
    pub(super) end: End,
    /// Records handed out before its CRC was seen.
    pub(super) unchecked: u64,
    /// Whether a record began in it or went on into it.
    pub(super) used: bool,
}

/// How a member ended.
#[derive(Debug)]
pub(super) enum End {
    /// Not yet: it is still being inflated.
    Open,
    /// Well, this many bytes of the file behind its start.
    Whole(u64),
    /// It broke; the fault is told when the records in front of the damage have gone.
    Broken(Fault),
}

/// The members of the bytes held, in the order of the file.
#[derive(Debug, Default)]
pub(super) struct Marks(VecDeque<Mark>);

/// Members told apart in what is held. An archive that cuts a record into more of them is meant to
/// cost memory; there, several count as one.
const MOST_MARKS: usize = 64 * 1024;

impl Marks {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds the member at `offset`, whose first byte is at position `start`.
    pub(super) fn push(&mut self, start: u64, offset: u64, end: End) {
        let is_full = self.0.len() >= MOST_MARKS;
        match (self.0.back_mut().map(|mark| &mut mark.end), &end) {
            (Some(End::Whole(total)), End::Whole(length)) if is_full => *total += length,
            _ => self.0.push_back(Mark {
                start,
                offset,
                end,
                unchecked: 0,
                used: false,
            }),
        }
    }

    /// Says how the last member ended.
    pub(super) fn close(&mut self, end: End) {
        if let Some(mark) = self.0.back_mut() {
            mark.end = end;
        }
    }

    /// Returns true if and only if the last member is still being inflated.
    pub(super) fn is_inside(&self) -> bool {
        matches!(self.0.back(), Some(Mark { end: End::Open, .. }))
    }

    /// Returns where the last member began, if it is still being inflated.
    pub(super) fn open_start(&self) -> Option<u64> {
        self.0
            .back()
            .filter(|_| self.is_inside())
            .map(|mark| mark.start)
    }

    /// Returns true if and only if the last member broke.
    pub(super) fn is_broken(&self) -> bool {
        let end = self.0.back().map(|mark| &mark.end);
        matches!(end, Some(End::Broken(_)))
    }

    /// Returns the offset of the member that holds the byte at `position`.
    pub(super) fn offset_of(&self, position: u64) -> u64 {
        let mut from_last = self.0.iter().rev();
        from_last
            .find(|mark| mark.start <= position)
            .map_or(0, |mark| mark.offset)
    }

    /// Returns the member that holds the byte in front of the position `end`.
    pub(super) fn last_before(&mut self, end: u64) -> Option<&mut Mark> {
        self.0.iter_mut().rev().find(|mark| mark.start < end)
    }

    /// Returns where the member begins that holds the byte in front of the position `end`.
    pub(super) fn start_before(&self, end: u64) -> Option<u64> {
        let mut from_last = self.0.iter().rev().map(|mark| mark.start);
        from_last.find(|&start| start < end)
    }

    /// Marks the members as used that begin in front of the position `end`.
    pub(super) fn use_before(&mut self, end: u64) {
        for mark in self.0.iter_mut().take_while(|mark| mark.start < end) {
            mark.used = true;
        }
    }

    /// Marks the members as used that end in front of the position `end`; `is_all` says that
    /// nothing is held behind it.
    pub(super) fn use_within(&mut self, end: u64, is_all: bool) {
        let behind = self.0.iter().skip(1);
        let n = behind.take_while(|mark| mark.start <= end).count() + usize::from(is_all);
        for mark in self.0.iter_mut().take(n) {
            mark.used = true;
        }
    }

    /// Takes leave of the first member, if all that was held of it lies in front of the position
    /// `taken`; `is_all` says that nothing is held.
    pub(super) fn leave(&mut self, taken: u64, is_all: bool) -> Option<Mark> {
        let is_left = match self.0.get(1) {
            Some(next) => next.start <= taken,
            None => is_all && !self.is_inside(),
        };
        if is_left { self.0.pop_front() } else { None }
    }

    /// Takes leave of the first member in any case.
    pub(super) fn pop(&mut self) -> Option<Mark> {
        self.0.pop_front()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_belong_to_the_member_that_holds_them() {
        let mut marks = Marks::default();
        marks.push(0, 0, End::Whole(50));
        marks.push(100, 50, End::Whole(50));
        assert_eq!(
            [0, 99, 100, 500].map(|at| marks.offset_of(at)),
            [0, 0, 50, 50]
        );
        assert_eq!(marks.last_before(100).map(|mark| mark.offset), Some(0));
        assert_eq!(marks.last_before(101).map(|mark| mark.offset), Some(50));
        marks.use_before(100);
        assert!(marks.leave(99, false).is_none());
        assert!(marks.leave(100, false).is_some_and(|mark| mark.used));
        assert!(marks.leave(200, false).is_none());
        assert!(marks.leave(200, true).is_some_and(|mark| !mark.used));
    }

    #[test]
    fn a_member_that_is_open_is_not_left() {
        let mut marks = Marks::default();
        marks.push(0, 0, End::Open);
        assert!(marks.is_inside() && marks.leave(10, true).is_none());
        marks.close(End::Whole(7));
        assert!(marks.leave(10, true).is_some());
    }

    #[test]
    fn beyond_the_limit_members_are_told_apart_no_more() {
        let mut marks = Marks::default();
        for at in 0..MOST_MARKS as u64 + 10 {
            marks.push(at, at, End::Whole(1));
        }
        let last = marks.last_before(u64::MAX).unwrap();
        assert!(matches!(last.end, End::Whole(11)));
    }
}
