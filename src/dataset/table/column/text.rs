//! The builder of a column of texts.

use std::{mem, sync::Arc};

use arrow_array::{ArrayRef, StringArray, builder::NullBufferBuilder};
use arrow_buffer::{Buffer, OffsetBuffer};

use super::{BATCH_CAPACITY, Columns, OptionalText, rows_to_reserve};
use crate::dataset::{
    growth::reserve,
    table::schema::{Column, ColumnType},
};

/// The largest number of bytes that are reserved, however many the batch before had.
const MAX_RESERVED: usize = 4 * 1024 * 1024;

/// A column of texts, most of them distinct.
pub(crate) type Text = Texts<false>;
/// A column of texts of which few are distinct. Files store each once, for which the writer of
/// Parquet looks up every row in any case, so nothing is looked up here.
pub(crate) type Name = Texts<true>;

#[derive(Debug)]
pub(crate) struct Texts<const ARE_NAMES: bool> {
    /// End to end.
    bytes: Vec<u8>,
    /// Where each text begins, and where the last one ends.
    offsets: Vec<i32>,
    nulls: NullBufferBuilder,
    /// Texts of the longest batch so far.
    most_rows: usize,
    /// Bytes of the batch before.
    bytes_before: usize,
}

impl<const ARE_NAMES: bool> Default for Texts<ARE_NAMES> {
    fn default() -> Self {
        Self {
            bytes: Vec::new(),
            offsets: Vec::new(),
            nulls: NullBufferBuilder::new(BATCH_CAPACITY),
            most_rows: 0,
            bytes_before: 0,
        }
    }
}

impl<const ARE_NAMES: bool> Texts<ARE_NAMES> {
    pub(crate) fn append(&mut self, text: impl OptionalText) {
        if self.offsets.is_empty() {
            self.begin();
        }
        let text = text.text();
        if let Some(text) = text {
            reserve(&mut self.bytes, text.len());
            self.bytes.extend_from_slice(text.as_bytes());
        }
        let end = i32::try_from(self.bytes.len()).expect("a batch has less than 2 GiB of texts");
        self.offsets.push(end);
        self.nulls.append(text.is_some());
    }

    fn begin(&mut self) {
        // An eighth more than before: batches of one archive differ by less.
        let bytes = self.bytes_before + self.bytes_before / 8;
        self.bytes.reserve_exact(bytes.min(MAX_RESERVED));
        self.offsets
            .reserve_exact(rows_to_reserve(self.most_rows) + 1);
        self.offsets.push(0);
    }

    pub(super) fn finish(&mut self) -> StringArray {
        if self.offsets.is_empty() {
            return StringArray::new_null(0);
        }
        self.most_rows = self.most_rows.max(self.offsets.len() - 1);
        self.bytes_before = self.bytes.len();
        let offsets = OffsetBuffer::new(mem::take(&mut self.offsets).into());
        let bytes = Buffer::from_vec(mem::take(&mut self.bytes));
        StringArray::new(offsets, bytes, self.nulls.finish())
    }
}

impl<const ARE_NAMES: bool> Columns for Texts<ARE_NAMES> {
    const COLUMNS: &'static [Column] = &[Column::of_type(if ARE_NAMES {
        ColumnType::Name
    } else {
        ColumnType::Text
    })];

    fn n_rows(&self) -> usize {
        // The first offset is there with the first text.
        self.offsets.len().saturating_sub(1)
    }

    fn n_bytes(&self) -> usize {
        self.bytes.len()
    }

    fn finish_into(&mut self, arrays: &mut Vec<ArrayRef>) {
        arrays.push(Arc::new(self.finish()));
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::Array;

    use super::*;

    #[test]
    fn texts_are_returned_in_their_order_with_their_nulls() {
        let mut texts = Text::default();
        for _ in 0..2 {
            texts.append("a");
            texts.append(None::<&str>);
            texts.append(Some("bc"));
            assert_eq!((texts.n_rows(), texts.n_bytes()), (3, 3));
            let found: Vec<_> = texts
                .finish()
                .iter()
                .map(|t| t.map(str::to_owned))
                .collect();
            let wanted = [Some("a"), None, Some("bc")];
            assert_eq!(found, wanted.map(|text| text.map(str::to_owned)));
            assert_eq!(texts.n_rows(), 0, "a batch leaves nothing to the next");
        }
        assert_eq!(texts.finish().len(), 0, "a batch may be empty");
    }
}
