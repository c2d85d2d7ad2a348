//! A file seen through a refillable window of its raw bytes.
//!
//! Enters: a source of bytes. Leaves: the unread bytes at hand and their offset. An error of the
//! source is kept and ends the bytes as the end of the file would, so that what was read before it
//! is not lost; this file refuses to know what the bytes mean.

use std::io::{self, Read};

/// The unread bytes at hand of a source, with their offset in it.
pub(super) struct Window {
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    offset: u64,
    at_end: bool,
    error: Option<io::Error>,
}

/// Bytes of room that a refill has at least: large enough that the calls cost nothing beside
/// inflating, small enough to stay in cache.
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

    /// Forgets the source read before.
    pub(super) fn clear(&mut self) {
        (self.start, self.end, self.offset, self.at_end) = (0, 0, 0, false);
        self.error = None;
    }

    /// Returns the unread bytes at hand.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Returns the offset in the source of the first unread byte.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns true if and only if nothing comes behind the bytes at hand.
    pub(super) fn is_last(&self) -> bool {
        self.at_end
    }

    /// Returns the error at which reading stopped, if that is why nothing comes behind the bytes at
    /// hand.
    pub(super) fn take_error(&mut self) -> Option<io::Error> {
        self.error.take()
    }

    /// Makes the first `n` bytes at hand read.
    pub(super) fn consume(&mut self, n: usize) {
        debug_assert!(n <= self.end - self.start, "only bytes at hand can be read");
        self.start += n;
        self.offset += n as u64;
    }

    /// Reads until at least `wanted` bytes are at hand or the source ends.
    pub(super) fn fill(&mut self, source: &mut dyn Read, wanted: usize) {
        if self.end - self.start >= wanted || self.at_end {
            return;
        }
        // What is held moves only after as much was consumed as `wanted` or more, so that a byte is
        // moved about once however little comes at a time.
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
    fn what_is_consumed_moves_the_offset_and_the_rest_survives_refills() {
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
        struct Failing(Vec<io::Result<u8>>);
        impl Read for Failing {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                buffer[0] = self.0.remove(0)?;
                Ok(1)
            }
        }
        let mut source = Failing(vec![
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
