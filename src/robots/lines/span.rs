//! Ranges of bytes in a body.

/// A range of bytes in a body, end excluded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte; never smaller than `start`.
    pub end: u32,
}

impl Span {
    /// Returns the span of `start..end`.
    pub fn new(start: usize, end: usize) -> Span {
        debug_assert!(start <= end && end <= u32::MAX as usize);
        Span {
            start: start as u32,
            end: end as u32,
        }
    }

    /// Returns the bytes of this span, or none where the span reaches beyond the body.
    pub fn of(self, body: &[u8]) -> &[u8] {
        body.get(self.start as usize..self.end as usize)
            .unwrap_or_default()
    }

    /// Returns the number of bytes.
    pub fn len(self) -> u32 {
        self.end - self.start
    }

    /// Returns true if and only if the span is empty.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}
