//! The output of one decoding stage: a buffer that is reused and that a limit bounds.
//!
//! What enters is decoded bytes, what leaves is a slice of at most `limit` of them. This file
//! refuses to know codings.

/// Bytes a buffer takes at first: enough for nearly every robots.txt, whose mean is about 1 KiB.
const FIRST_BYTES: usize = 16 * 1024;

/// A reusable output buffer of bounded size.
///
/// The vector keeps its greatest length, so that its bytes are zeroed once and not for every body.
/// One byte more than the limit is let in: only that byte tells a body of exactly the limit from a
/// longer one.
#[derive(Debug, Default)]
pub(super) struct StageBuffer {
    bytes: Vec<u8>,
    len: usize,
    limit: usize,
}

impl StageBuffer {
    /// Empties the buffer and sets the greatest number of bytes it will give back.
    pub(super) fn begin(&mut self, limit: usize) {
        self.len = 0;
        self.limit = limit;
    }

    /// Returns free spare to write to, empty if and only if the limit is exceeded.
    pub(super) fn spare(&mut self) -> &mut [u8] {
        let most = self.limit.saturating_add(1);
        if self.len == self.bytes.len().min(most) {
            let grown = self
                .bytes
                .len()
                .saturating_mul(2)
                .max(FIRST_BYTES)
                .min(most);
            if grown > self.bytes.len() {
                self.bytes.resize(grown, 0);
            }
        }
        let end = self.bytes.len().min(most);
        &mut self.bytes[self.len..end]
    }

    /// Counts `n` bytes that were written to the [`spare`](StageBuffer::spare).
    pub(super) fn advance(&mut self, n: usize) {
        self.len += n;
    }

    /// Appends bytes as far as there is spare, and returns false if the limit is exceeded.
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

    /// Returns true if and only if more bytes came than the limit allows.
    pub(super) fn is_over_limit(&self) -> bool {
        self.len > self.limit
    }

    /// Returns the bytes written, at most the limit.
    pub(super) fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len.min(self.limit)]
    }

    /// Returns the bytes written since the first `start`, the one beyond the limit included.
    pub(super) fn written_since(&self, start: usize) -> &[u8] {
        &self.bytes[start..self.len]
    }

    /// Returns the number of bytes written, at most the limit and one.
    pub(super) fn len(&self) -> usize {
        self.len
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_the_limit_fits_and_one_byte_more_is_noticed() {
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
