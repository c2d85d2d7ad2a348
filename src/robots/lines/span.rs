//! Ranges of bytes in a body, and of items in lists of them.

use std::ops::Range;

/// A range of bytes in a body, or of items in a list, end excluded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// The offset of the first byte or item.
    pub start: u32,
    /// The offset after the last one; never smaller than `start`.
    pub end: u32,
}

impl Span {
    /// Returns the span of `start..end`.
    pub fn new(start: u32, end: u32) -> Span {
        debug_assert!(start <= end);
        Span { start, end }
    }

    /// Returns the span of these indexes.
    pub(crate) fn from_indexes(range: Range<usize>) -> Span {
        debug_assert!(range.end <= u32::MAX as usize);
        Span::new(range.start as u32, range.end as u32)
    }

    /// Returns the bytes or items of this span, or none where it reaches beyond the body or list.
    pub fn of<T>(self, items: &[T]) -> &[T] {
        items.get(self.indexes()).unwrap_or_default()
    }

    /// Returns the number of bytes or items.
    pub fn len(self) -> u32 {
        self.end - self.start
    }

    /// Returns true if and only if the span is empty.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Returns the span as indexes.
    pub(crate) fn indexes(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}
