//! The inflated bytes a reader holds: one allocation, used from front to back, moved down only when
//! it must.
//!
//! Enters: bytes written in place. Leaves: the same bytes in order. This file refuses to know where
//! they come from and what they mean.

/// Bytes a buffer begins with: most records are far smaller.
const FIRST: usize = 256 * 1024;

/// A growable buffer whose spare room can be written to in place.
pub(super) struct Buffer {
    bytes: Vec<u8>,
    start: usize,
    end: usize,
    largest: usize,
}

impl Buffer {
    /// Returns an empty buffer for members that inflate to at most `largest` bytes as a whole.
    pub(super) fn new(largest: usize) -> Self {
        Self {
            bytes: vec![0; FIRST.min(largest.max(1))],
            start: 0,
            end: 0,
            largest,
        }
    }

    pub(super) fn clear(&mut self) {
        (self.start, self.end) = (0, 0);
    }

    /// Returns the bytes held.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// Returns the number of bytes held.
    pub(super) fn len(&self) -> usize {
        self.end - self.start
    }

    /// Gives up the first `n` bytes held. They stay readable through [`Buffer::at`] until more is
    /// written.
    pub(super) fn consume(&mut self, n: usize) {
        debug_assert!(n <= self.len(), "only held bytes can be given up");
        self.start += n;
    }

    /// Forgets all but the first `n` bytes held.
    pub(super) fn truncate(&mut self, n: usize) {
        debug_assert!(n <= self.len(), "only held bytes can be forgotten");
        self.end = self.start + n;
    }

    /// Forgets `n` bytes held behind the first `from`.
    ///
    /// Moves what stands in front of them or what stands behind, whichever is less: a member full
    /// of records with something to forget would cost its square if all that follows were moved
    /// each time.
    pub(super) fn remove(&mut self, from: usize, n: usize) {
        let at = self.start + from;
        let behind = at + n..self.end;
        if from < behind.len() {
            self.bytes.copy_within(self.start..at, self.start + n);
            self.start += n;
        } else {
            self.bytes.copy_within(behind, at);
            self.end -= n;
        }
    }

    /// Returns the position of the first held byte, valid until more is written.
    pub(super) fn position(&self) -> usize {
        self.start
    }

    /// Returns bytes by positions, given up ones included.
    pub(super) fn at(&self, range: std::ops::Range<usize>) -> &[u8] {
        &self.bytes[range]
    }

    /// Returns the room behind the bytes held, at most `most` bytes of it.
    pub(super) fn spare(&mut self, most: usize) -> &mut [u8] {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        }
        let room = self.bytes.len() - self.end;
        &mut self.bytes[self.end..][..room.min(most)]
    }

    /// Returns the room for a whole member: never more than the limit, whatever was read before.
    pub(super) fn spare_for_whole(&mut self) -> &mut [u8] {
        self.spare(self.largest)
    }

    /// Says that `n` bytes of the room were written.
    pub(super) fn advance(&mut self, n: usize) {
        self.end += n;
        debug_assert!(self.end <= self.bytes.len(), "only the room can be written");
    }

    /// Makes the room larger, unless it has reached the limit for whole members.
    pub(super) fn grow(&mut self) -> bool {
        let room = self.bytes.len() - self.end;
        if room >= self.largest {
            return false;
        }
        self.reserve((room.max(FIRST) * 4).min(self.largest));
        true
    }

    /// Makes room for at least `n` bytes, first by moving what is held to the front.
    pub(super) fn reserve(&mut self, n: usize) {
        if self.bytes.len() - self.end >= n {
            return;
        }
        if self.start > 0 {
            self.bytes.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if self.bytes.len() - self.end < n {
            self.bytes.resize(self.end + n, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_forgotten_in_the_middle_leaves_the_rest_in_order() {
        for (from, n) in [(0, 0), (0, 3), (1, 4), (3, 2), (6, 1), (2, 6), (8, 0)] {
            let mut buffer = Buffer::new(100);
            buffer.spare(8).copy_from_slice(b"abcdefgh");
            buffer.advance(8);
            buffer.remove(from, n);
            let rest = [&b"abcdefgh"[..from], &b"abcdefgh"[from + n..]].concat();
            assert_eq!(buffer.bytes(), rest, "{n} behind {from}");
        }
    }
}
