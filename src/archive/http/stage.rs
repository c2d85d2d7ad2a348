//! The output of one decoding stage: a reused buffer with a limit, and how the stage ended.

/// The first capacity in bytes: enough for nearly every robots.txt, whose mean is about 1 KiB.
const FIRST_CAPACITY: usize = 16 * 1024;

/// How a decoding stage ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StageEnd {
    /// At the end of the encoded body.
    Complete,
    /// At the end of the encoded body, with other bytes after it.
    CompleteWithTail,
    /// The body is not encoded that way, and the output does not count.
    Absent,
    /// The encoded body is truncated.
    Cut,
    /// The encoded body is damaged.
    Corrupt,
    /// The output is full.
    OverLimit,
}

/// A reusable output buffer with a limit.
///
/// The vector retains its greatest length, so that its bytes are zeroed once and not for every
/// body. It accepts one byte more than the limit, which distinguishes a body of exactly the limit
/// from a longer one.
#[derive(Debug, Default)]
pub(super) struct StageBuffer {
    bytes: Vec<u8>,
    len: usize,
    limit: usize,
}

impl StageBuffer {
    /// Empties the buffer and sets the limit in bytes.
    pub(super) fn begin(&mut self, limit: usize) {
        self.len = 0;
        self.limit = limit;
    }

    /// Returns spare capacity to write to, empty if and only if the limit is exceeded.
    pub(super) fn spare(&mut self) -> &mut [u8] {
        let most = self.limit.saturating_add(1);
        if self.len == self.bytes.len().min(most) {
            let grown = (2 * self.bytes.len()).max(FIRST_CAPACITY).min(most);
            if grown > self.bytes.len() {
                self.bytes.resize(grown, 0);
            }
        }
        let end = self.bytes.len().min(most);
        &mut self.bytes[self.len..end]
    }

    /// Counts `n` bytes that were written to the [`spare`](StageBuffer::spare) capacity.
    pub(super) fn advance(&mut self, n: usize) {
        self.len += n;
    }

    /// Appends bytes up to the limit, and returns false if it is exceeded.
    pub(super) fn write(&mut self, mut bytes: &[u8]) -> bool {
        while !bytes.is_empty() {
            let spare = self.spare();
            let n = bytes.len().min(spare.len());
            if n == 0 {
                return false;
            }
            spare[..n].copy_from_slice(&bytes[..n]);
            self.advance(n);
            bytes = &bytes[n..];
        }
        !self.is_over_limit()
    }

    /// Returns true if and only if nothing was written.
    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns true if and only if more bytes were written than the limit allows.
    pub(super) fn is_over_limit(&self) -> bool {
        self.len > self.limit
    }

    /// Returns the bytes written, at most the limit.
    pub(super) fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len.min(self.limit)]
    }

    /// Returns the bytes written after the first `start`, including the one beyond the limit.
    pub(super) fn written_since(&self, start: usize) -> &[u8] {
        &self.bytes[start..self.len]
    }

    /// Returns the number of bytes written, at most one more than the limit.
    pub(super) fn len(&self) -> usize {
        self.len
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_the_limit_fits_and_one_byte_more_is_over() {
        let mut scratch = StageBuffer::default();
        scratch.begin(4);
        assert!(scratch.write(b"abcd"));
        assert_eq!(scratch.len(), 4);
        assert!(!scratch.write(b"efg"));
        assert_eq!(scratch.len(), 5);
        assert_eq!(scratch.as_slice(), b"abcd");
        assert!(scratch.spare().is_empty());
    }

    #[test]
    fn a_smaller_limit_holds_in_a_larger_buffer() {
        let mut scratch = StageBuffer::default();
        scratch.begin(usize::MAX);
        assert!(scratch.write(&vec![7; 100_000]));
        assert_eq!(scratch.as_slice().len(), 100_000);
        scratch.begin(0);
        assert!(scratch.is_empty());
        assert_eq!(scratch.spare().len(), 1);
        assert!(!scratch.write(b"xy"));
        assert_eq!(scratch.as_slice(), b"");
    }
}
