//! Columns of texts.

use arrow_array::{StringArray, builder::NullBufferBuilder};
use arrow_buffer::{Buffer, OffsetBuffer};

use super::ROOM;
use crate::growth::reserve;

/// Bytes of texts that room is made for at most, however many the batch before had.
const MOST_BYTES: usize = 4 * 1024 * 1024;

/// A column of texts, most of them distinct.
#[derive(Debug)]
pub(in crate::table) struct Texts {
    /// End to end.
    bytes: Vec<u8>,
    /// Where each text begins, and where the last one ends.
    offsets: Vec<i32>,
    nulls: NullBufferBuilder,
    /// Bytes of the batch before.
    bytes_before: usize,
}

impl Default for Texts {
    fn default() -> Self {
        Self {
            bytes: Vec::new(),
            offsets: Vec::new(),
            nulls: NullBufferBuilder::new(ROOM),
            bytes_before: 0,
        }
    }
}

impl Texts {
    pub(in crate::table) fn append(&mut self, text: &str) {
        self.append_option(Some(text));
    }

    pub(in crate::table) fn append_option(&mut self, text: Option<&str>) {
        if self.offsets.is_empty() {
            self.begin();
        }
        if let Some(text) = text {
            reserve(&mut self.bytes, text.len());
            self.bytes.extend_from_slice(text.as_bytes());
        }
        let end = i32::try_from(self.bytes.len()).expect("a batch has less than 2 GiB of texts");
        self.offsets.push(end);
        self.nulls.append(text.is_some());
    }

    /// Returns the bytes of the texts appended since the last call of [`Texts::finish`].
    pub(in crate::table) fn n_bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the texts appended since the last call.
    pub(in crate::table) fn finish(&mut self) -> StringArray {
        if self.offsets.is_empty() {
            return StringArray::new_null(0);
        }
        self.bytes_before = self.bytes.len();
        let offsets = OffsetBuffer::new(std::mem::take(&mut self.offsets).into());
        let bytes = Buffer::from_vec(std::mem::take(&mut self.bytes));
        StringArray::new(offsets, bytes, self.nulls.finish())
    }

    fn begin(&mut self) {
        let bytes = self.bytes_before + self.bytes_before / 8;
        self.bytes.reserve_exact(bytes.min(MOST_BYTES));
        self.offsets.reserve_exact(ROOM + 1);
        self.offsets.push(0);
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::Array;

    use super::*;

    #[test]
    fn texts_come_back_in_their_order_with_their_nulls() {
        let mut texts = Texts::default();
        for _ in 0..2 {
            texts.append("a");
            texts.append_option(None);
            texts.append_option(Some("bc"));
            assert_eq!(texts.n_bytes(), 3);
            let found = texts.finish();
            assert_eq!(
                found.iter().collect::<Vec<_>>(),
                [Some("a"), None, Some("bc")]
            );
        }
        assert_eq!(
            texts.finish().len(),
            0,
            "a batch leaves nothing to the next"
        );
    }
}
