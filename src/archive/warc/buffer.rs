//! The bytes that a reader holds: one allocation, used from front to back, whose content moves to
//! the front only when the space after it runs out.

/// The least spare capacity that is taken to grow from, in bytes.
const LEAST_SPARE: usize = 256 * 1024;

/// A growable buffer whose spare capacity can be written to in place.
#[derive(Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    start: usize,
    end: usize,
}

impl Buffer {
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

    /// Consumes the first `n` bytes held. They can still be read with [`Buffer::at`] until more are
    /// written.
    pub(super) fn consume(&mut self, n: usize) {
        debug_assert!(n <= self.len(), "only held bytes can be consumed");
        self.start += n;
    }

    /// Drops all but the first `n` bytes held.
    pub(super) fn truncate(&mut self, n: usize) {
        debug_assert!(n <= self.len(), "only held bytes can be dropped");
        self.end = self.start + n;
    }

    /// Drops `n` bytes held after the first `from`.
    ///
    /// Moves the bytes before them or those after them, whichever are fewer: in a member with many
    /// such records, moving all that follows each time would take quadratic time.
    pub(super) fn remove(&mut self, from: usize, n: usize) {
        let at = self.start + from;
        let after = at + n..self.end;
        if from < after.len() {
            self.bytes.copy_within(self.start..at, self.start + n);
            self.start += n;
        } else {
            self.bytes.copy_within(after, at);
            self.end -= n;
        }
    }

    /// Returns the index of the first byte held, valid until more are written.
    pub(super) fn position(&self) -> usize {
        self.start
    }

    /// Returns bytes by index, consumed ones included.
    pub(super) fn at(&self, range: std::ops::Range<usize>) -> &[u8] {
        &self.bytes[range]
    }

    /// Returns the spare capacity after the bytes held, at most `most` bytes of it.
    pub(super) fn spare(&mut self, most: usize) -> &mut [u8] {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        }
        let spare = self.bytes.len() - self.end;
        &mut self.bytes[self.end..][..spare.min(most)]
    }

    /// Counts `n` bytes that were written to the spare capacity.
    pub(super) fn advance(&mut self, n: usize) {
        self.end += n;
        debug_assert!(
            self.end <= self.bytes.len(),
            "only spare capacity can be written"
        );
    }

    /// Grows the spare capacity to at most `most` bytes and returns true, unless it has as many.
    pub(super) fn grow(&mut self, most: usize) -> bool {
        let spare = self.bytes.len() - self.end;
        if spare >= most {
            return false;
        }
        self.reserve((spare.max(LEAST_SPARE) * 4).min(most));
        true
    }

    /// Ensures spare capacity for at least `n` bytes, first by moving the bytes held to the front.
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
    fn bytes_around_a_dropped_range_keep_their_order() {
        for (from, n) in [(0, 0), (0, 3), (1, 4), (3, 2), (6, 1), (2, 6), (8, 0)] {
            let mut buffer = Buffer::default();
            buffer.reserve(100);
            buffer.spare(8).copy_from_slice(b"abcdefgh");
            buffer.advance(8);
            buffer.remove(from, n);
            let rest = [&b"abcdefgh"[..from], &b"abcdefgh"[from + n..]].concat();
            assert_eq!(buffer.bytes(), rest, "{n} after {from}");
        }
    }
}
