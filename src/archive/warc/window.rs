//! A refillable window of the raw bytes of a file.
//!
//! An error of the source ends the bytes as the end of the file would, so that what was read before
//! it is not lost, and can be taken afterwards.

use std::io::{self, Read};

use super::buffer::Buffer;

/// The buffered, unread bytes of a source, with their offset in it.
#[derive(Default)]
pub(super) struct Window {
    data: Buffer,
    /// The offset in the source of the first unread byte.
    pub(super) offset: u64,
    /// Whether no byte follows the buffered ones.
    pub(super) is_last: bool,
    /// The error at which reading stopped, if the bytes ended with one.
    pub(super) error: Option<io::Error>,
}

/// The least capacity of a refill in bytes: large enough that the calls cost nothing compared with
/// decompression, small enough to stay in cache.
const REFILL: usize = 256 * 1024;
/// The least capacity in bytes.
const LEAST_CAPACITY: usize = 4 * REFILL;

impl Window {
    /// Resets the window for another source.
    pub(super) fn clear(&mut self) {
        self.data.clear();
        (self.offset, self.is_last, self.error) = (0, false, None);
    }

    /// Returns the buffered, unread bytes.
    pub(super) fn bytes(&self) -> &[u8] {
        self.data.bytes()
    }

    /// Consumes the first `n` buffered bytes.
    pub(super) fn consume(&mut self, n: usize) {
        self.data.consume(n);
        self.offset += n as u64;
    }

    /// Reads until at least `wanted` bytes are buffered or the source ends.
    pub(super) fn fill(&mut self, source: &mut dyn Read, wanted: usize) {
        let held = self.data.len();
        if held >= wanted || self.is_last {
            return;
        }
        // Bytes move only after at least `wanted` others were consumed, so each moves about once
        // however little a call of the source returns.
        if self.data.spare(usize::MAX).len() < wanted.max(REFILL) - held {
            self.data.reserve((2 * wanted).max(LEAST_CAPACITY) - held);
        }
        while self.data.len() < wanted && !self.is_last {
            match source.read(self.data.spare(usize::MAX)) {
                Ok(0) => self.is_last = true,
                Ok(n) => self.data.advance(n),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => {
                    self.is_last = true;
                    self.error = Some(e);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consuming_moves_the_offset_and_refills_lose_nothing() {
        let data: Vec<u8> = (0..3 * REFILL).map(|i| (i % 251) as u8).collect();
        for wanted in [1, 1000, REFILL, 2 * REFILL + 1] {
            let mut source = &data[..];
            let mut window = Window::default();
            let mut seen = Vec::new();
            loop {
                window.fill(&mut source, wanted);
                assert!(window.bytes().len() >= wanted.min(data.len() - seen.len()));
                let n = window.bytes().len().min(777);
                if n == 0 {
                    break;
                }
                assert_eq!(window.offset as usize, seen.len());
                seen.extend_from_slice(&window.bytes()[..n]);
                window.consume(n);
            }
            assert!(window.is_last);
            assert_eq!(seen, data);
        }
    }

    #[test]
    fn an_error_ends_the_bytes_and_an_interruption_does_not() {
        struct FailingSource(Vec<io::Result<u8>>);
        impl Read for FailingSource {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                buffer[0] = self.0.remove(0)?;
                Ok(1)
            }
        }
        let mut source = FailingSource(vec![
            Ok(1),
            Err(io::ErrorKind::Interrupted.into()),
            Ok(2),
            Err(io::ErrorKind::TimedOut.into()),
        ]);
        let mut window = Window::default();
        window.fill(&mut source, 10);
        assert_eq!(window.bytes(), [1, 2]);
        assert!(window.is_last);
        let error = window.error.map(|e| e.kind());
        assert_eq!(error, Some(io::ErrorKind::TimedOut));
    }
}
