//! Columns of texts.

use arrow_array::{
    StringArray,
    builder::{ArrayBuilder, StringBuilder},
};

use super::ROOM;

/// Bytes of texts that room is made for at most, however many the batch before had.
const MOST_BYTES: usize = 4 * 1024 * 1024;

/// A column of texts, most of them distinct.
#[derive(Debug)]
pub(in crate::table) struct Texts {
    builder: StringBuilder,
    /// Bytes of the batch before.
    bytes: usize,
}

impl Default for Texts {
    fn default() -> Self {
        Self {
            builder: StringBuilder::with_capacity(0, 0),
            bytes: 0,
        }
    }
}

impl Texts {
    pub(in crate::table) fn append(&mut self, text: &str) {
        self.make_room();
        self.builder.append_value(text);
    }

    pub(in crate::table) fn append_option(&mut self, text: Option<&str>) {
        self.make_room();
        self.builder.append_option(text);
    }

    /// Returns the bytes of the texts appended since the last call of [`Texts::finish`].
    pub(in crate::table) fn n_bytes(&self) -> usize {
        self.builder.values_slice().len()
    }

    /// Returns the texts appended since the last call.
    pub(in crate::table) fn finish(&mut self) -> StringArray {
        let array = self.builder.finish();
        self.bytes = array.value_data().len();
        array
    }

    fn make_room(&mut self) {
        if self.builder.is_empty() {
            let bytes = (self.bytes + self.bytes / 8).min(MOST_BYTES);
            self.builder = StringBuilder::with_capacity(ROOM, bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back_in_their_order_with_their_nulls() {
        let mut texts = Texts::default();
        for _ in 0..2 {
            texts.append("a");
            texts.append_option(None);
            texts.append_option(Some("bc"));
            let found = texts.finish();
            assert_eq!(
                found.iter().collect::<Vec<_>>(),
                [Some("a"), None, Some("bc")]
            );
        }
    }
}
