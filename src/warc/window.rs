//! A file seen through a refillable window of its raw bytes.

use std::io::{self, Read};

/// The unread bytes at hand of a source, with their offset in it.
pub(super) struct Window {
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    offset: u64,
    at_end: bool,
}

/// Bytes asked of the source in one call: large enough that the calls cost nothing beside inflating, small enough to stay in cache.
const REFILL: usize = 256 * 1024;

impl Window {
    pub(super) fn new() -> Self {
        Self {
            buffer: vec![0; 2 * REFILL],
            start: 0,
            end: 0,
            offset: 0,
            at_end: false,
        }
    }

    /// Forgets the source read before.
    pub(super) fn clear(&mut self) {
        (self.start, self.end, self.offset, self.at_end) = (0, 0, 0, false);
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

    /// Makes the first `n` bytes at hand read.
    pub(super) fn consume(&mut self, n: usize) {
        debug_assert!(n <= self.end - self.start, "only bytes at hand can be read");
        self.start += n;
        self.offset += n as u64;
    }

    /// Reads until at least `wanted` bytes are at hand or the source ends.
    pub(super) fn fill(&mut self, source: &mut dyn Read, wanted: usize) -> io::Result<()> {
        while self.end - self.start < wanted && !self.at_end {
            if self.buffer.len() - self.end < REFILL {
                self.buffer.copy_within(self.start..self.end, 0);
                self.end -= self.start;
                self.start = 0;
                if self.buffer.len() - self.end < REFILL {
                    self.buffer.resize(self.end + REFILL, 0);
                }
            }
            match source.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.at_end = true,
                Ok(n) => self.end += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => {
                    self.at_end = true;
                    return Err(e);
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_consumed_moves_the_offset_and_the_rest_survives_refills() {
        let data: Vec<u8> = (0..3 * REFILL).map(|i| (i % 251) as u8).collect();
        let mut source = &data[..];
        let mut window = Window::new();
        let mut seen = Vec::new();
        loop {
            window.fill(&mut source, 1000).unwrap();
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
