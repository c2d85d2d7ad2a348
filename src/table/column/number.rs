//! Columns of numbers.

use arrow_array::{ArrowPrimitiveType, PrimitiveArray, builder::NullBufferBuilder};

use super::ROOM;

/// A column of numbers, or of keys into a dictionary.
#[derive(Debug)]
pub(in crate::table) struct Numbers<T: ArrowPrimitiveType> {
    values: Vec<T::Native>,
    nulls: NullBufferBuilder,
}

impl<T: ArrowPrimitiveType> Default for Numbers<T> {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            nulls: NullBufferBuilder::new(ROOM),
        }
    }
}

impl<T: ArrowPrimitiveType> Numbers<T> {
    pub(in crate::table) fn append(&mut self, value: T::Native) {
        self.reserve();
        self.values.push(value);
        self.nulls.append_non_null();
    }

    pub(in crate::table) fn append_option(&mut self, value: Option<T::Native>) {
        match value {
            Some(value) => self.append(value),
            None => self.append_n(None, 1),
        }
    }

    pub(in crate::table) fn append_n(&mut self, value: Option<T::Native>, n: usize) {
        self.reserve();
        self.values
            .resize(self.values.len() + n, value.unwrap_or_default());
        match value {
            Some(_) => self.nulls.append_n_non_nulls(n),
            None => self.nulls.append_n_nulls(n),
        }
    }

    /// Appends values, none of them NULL.
    pub(in crate::table) fn extend(&mut self, values: impl ExactSizeIterator<Item = T::Native>) {
        self.reserve();
        self.nulls.append_n_non_nulls(values.len());
        self.values.extend(values);
    }

    pub(in crate::table) fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns the values appended since the last call.
    pub(in crate::table) fn finish(&mut self) -> PrimitiveArray<T> {
        let values = std::mem::take(&mut self.values);
        PrimitiveArray::new(values.into(), self.nulls.finish())
    }

    fn reserve(&mut self) {
        if self.values.is_empty() {
            self.values.reserve(ROOM);
        }
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::types::Int32Type;

    use super::*;

    #[test]
    fn numbers_come_back_in_their_order_with_their_nulls() {
        let mut numbers = Numbers::<Int32Type>::default();
        for _ in 0..2 {
            numbers.append(1);
            numbers.append_option(None);
            numbers.append_option(Some(2));
            numbers.append_n(Some(3), 2);
            numbers.append_n(None, 2);
            numbers.extend([4, 5].into_iter());
            let mut wanted = [1, 0, 2, 3, 3, 0, 0, 4, 5].map(Some);
            for null in [1, 5, 6] {
                wanted[null] = None;
            }
            assert_eq!(numbers.len(), wanted.len());
            let found: Vec<_> = numbers.finish().iter().collect();
            assert_eq!(found, wanted);
            assert_eq!(numbers.len(), 0, "a batch leaves nothing to the next");
        }
    }
}
