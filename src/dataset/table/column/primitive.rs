//! The builder of a column of numbers.

use std::{mem, sync::Arc};

use arrow_array::{
    ArrayRef, ArrowPrimitiveType, PrimitiveArray,
    builder::NullBufferBuilder,
    types::{Float64Type, Int32Type, Int64Type, TimestampMicrosecondType},
};

use super::{BATCH_CAPACITY, Columns, rows_to_reserve};
use crate::dataset::table::schema::{Column, ColumnType};

pub(crate) type Int64 = Primitive<Int64Type>;
pub(crate) type Int32 = Primitive<Int32Type>;
pub(crate) type Float64 = Primitive<Float64Type>;
pub(crate) type Time = Primitive<TimestampMicrosecondType>;

/// A column of numbers, or of keys into a dictionary.
#[derive(Debug)]
pub(crate) struct Primitive<T: ArrowPrimitiveType> {
    values: Vec<T::Native>,
    nulls: NullBufferBuilder,
    /// Values of the longest batch so far.
    most_rows: usize,
}

impl<T: ArrowPrimitiveType> Default for Primitive<T> {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            nulls: NullBufferBuilder::new(BATCH_CAPACITY),
            most_rows: 0,
        }
    }
}

impl<T: ArrowPrimitiveType> Primitive<T> {
    pub(crate) fn append(&mut self, value: impl Into<Option<T::Native>>) {
        self.reserve();
        let value = value.into();
        self.values.push(value.unwrap_or_default());
        self.nulls.append(value.is_some());
    }

    pub(crate) fn append_n(&mut self, value: Option<T::Native>, n: usize) {
        self.reserve();
        self.values
            .resize(self.values.len() + n, value.unwrap_or_default());
        match value {
            Some(_) => self.nulls.append_n_non_nulls(n),
            None => self.nulls.append_n_nulls(n),
        }
    }

    /// Appends values, none of them NULL.
    pub(crate) fn extend(&mut self, values: impl ExactSizeIterator<Item = T::Native>) {
        self.reserve();
        self.nulls.append_n_non_nulls(values.len());
        self.values.extend(values);
    }

    /// Appends values, some of them NULL.
    pub(crate) fn extend_options(&mut self, values: impl Iterator<Item = Option<T::Native>>) {
        self.reserve();
        let nulls = &mut self.nulls;
        self.values.extend(values.map(|value| {
            nulls.append(value.is_some());
            value.unwrap_or_default()
        }));
    }

    /// Ends the batch and returns its array.
    pub(super) fn finish(&mut self) -> PrimitiveArray<T> {
        self.most_rows = self.most_rows.max(self.values.len());
        PrimitiveArray::new(mem::take(&mut self.values).into(), self.nulls.finish())
    }

    fn reserve(&mut self) {
        if self.values.is_empty() {
            self.values.reserve_exact(rows_to_reserve(self.most_rows));
        }
    }
}

/// The type of the column that holds an Arrow type.
pub(crate) trait PrimitiveType: ArrowPrimitiveType {
    const COLUMN_TYPE: ColumnType;
}

impl PrimitiveType for Int64Type {
    const COLUMN_TYPE: ColumnType = ColumnType::Int64;
}

impl PrimitiveType for Int32Type {
    const COLUMN_TYPE: ColumnType = ColumnType::Int32;
}

impl PrimitiveType for Float64Type {
    const COLUMN_TYPE: ColumnType = ColumnType::Float64;
}

impl PrimitiveType for TimestampMicrosecondType {
    const COLUMN_TYPE: ColumnType = ColumnType::Time;
}

impl<T: PrimitiveType> Columns for Primitive<T> {
    const COLUMNS: &'static [Column] = &[Column::of_type(T::COLUMN_TYPE)];

    fn n_rows(&self) -> usize {
        self.values.len()
    }

    fn finish_into(&mut self, arrays: &mut Vec<ArrayRef>) {
        // Arrow's type of a time has no time zone of its own.
        let array = self.finish().with_data_type(T::COLUMN_TYPE.data_type());
        arrays.push(Arc::new(array));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capacity_is_reserved_for_as_many_rows_as_batches_have() {
        let mut numbers = Int64::default();
        numbers.append(1);
        assert!(numbers.values.capacity() < 100, "a table of few rows");
        numbers.append_n(Some(2), 8_000);
        numbers.finish();
        for rows in [1, 2] {
            numbers.append(rows);
            let capacity = numbers.values.capacity();
            assert!((8_000..9_100).contains(&capacity), "{capacity}");
            numbers.finish();
        }
        numbers.append_n(None, 1_000_000);
        numbers.finish();
        numbers.append(1);
        assert_eq!(numbers.values.capacity(), BATCH_CAPACITY);
    }

    #[test]
    fn numbers_are_returned_in_their_order_with_their_nulls() {
        let mut numbers = Int32::default();
        for _ in 0..2 {
            numbers.append(1);
            numbers.append(None);
            numbers.append(Some(2));
            numbers.append_n(Some(3), 2);
            numbers.append_n(None, 2);
            numbers.extend([4, 5].into_iter());
            let mut wanted = [1, 0, 2, 3, 3, 0, 0, 4, 5].map(Some);
            for null in [1, 5, 6] {
                wanted[null] = None;
            }
            assert_eq!(numbers.n_rows(), wanted.len());
            let found: Vec<_> = numbers.finish().iter().collect();
            assert_eq!(found, wanted);
            assert_eq!(numbers.n_rows(), 0, "a batch leaves nothing to the next");
        }
    }
}
