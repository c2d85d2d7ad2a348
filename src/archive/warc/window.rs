//! A refillable window of the raw bytes of a file.
//!
//! An error of the source ends the bytes as the end of the file would, so that what was read before
//! it is not lost, and can be taken afterwards.

use std::io::{self, Read};

/// The buffered, unread bytes of a source, with their offset in it.
pub(super) struct Window {
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    offset: u64,
    at_end: bool,
    error: Option<io::Error>,
}

/// The least capacity of a refill in bytes: large enough that the calls cost nothing compared with
/// decompression, small enough to stay in cache.
const REFILL: usize = 256 * 1024;

impl Window {
    pub(super) fn new() -> Self {
        Self {
            buffer: vec![0; 4 * REFILL],
            start: 0,
            end: 0,
            offset: 0,
            at_end: false,
            error: None,
        }
    }

    /// Resets the window for another source.
    pub(super) fn clear(&mut self) {
        (self.start, self.end, self.offset, self.at_end) = (0, 0, 0, false);
        self.error = None;
    }

    /// Returns the buffered, unread bytes.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Returns the offset in the source of the first unread byte.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns true if and only if no byte follows the buffered ones.
    pub(super) fn is_last(&self) -> bool {
        self.at_end
    }

    /// Takes the error at which reading stopped, if the bytes ended with one.
    pub(super) fn take_error(&mut self) -> Option<io::Error> {
        self.error.take()
    }

    /// Consumes the first `n` buffered bytes.
    pub(super) fn consume(&mut self, n: usize) {
        debug_assert!(
            n <= self.end - self.start,
            "only buffered bytes can be consumed"
        );
        self.start += n;
        self.offset += n as u64;
    }

    /// Reads until at least `wanted` bytes are buffered or the source ends.
    pub(super) fn fill(&mut self, source: &mut dyn Read, wanted: usize) {
        if self.end - self.start >= wanted || self.at_end {
            return;
        }
        // Bytes move only after at least `wanted` others were consumed, so each moves about once
        // however little a call of the source returns.
        if self.buffer.len() - self.start < wanted.max(REFILL) {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
            if self.buffer.len() < 2 * wanted {
                self.buffer.resize(2 * wanted, 0);
            }
        }
        while self.end - self.start < wanted && !self.at_end {
            match source.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.at_end = true,
                Ok(n) => self.end += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => {
                    self.at_end = true;
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
            let mut window = Window::new();
            let mut seen = Vec::new();
            loop {
                window.fill(&mut source, wanted);
                assert!(window.bytes().len() >= wanted.min(data.len() - seen.len()));
                let n = window.bytes().len().min(777);
                if n == 0 {
                    break;
                }
                assert_eq!(window.offset() as usize, seen.len());
                seen.extend_from_slice(&window.bytes()[..n]);
                window.consume(n);
            }
            assert!(window.is_last());
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
        let mut window = Window::new();
        window.fill(&mut source, 10);
        assert_eq!(window.bytes(), [1, 2]);
        assert!(window.is_last());
        let error = window.take_error().map(|e| e.kind());
        assert_eq!(error, Some(io::ErrorKind::TimedOut));
    }
}
