//! The builder of a column whose values repeat: a row costs an integer, and a value is stored once
//! a batch.

use std::sync::Arc;

use ahash::RandomState;
use arrow_array::{
    ArrayRef, DictionaryArray, Int32Array, StringArray,
    builder::{ArrayBuilder, StringBuilder},
    types::Int32Type,
};
use hashbrown::HashTable;

use super::{Columns, Int32, OptionalText};
use crate::dataset::table::schema::{Column, ColumnType};

/// A column whose values repeat but are not known before.
#[derive(Debug, Default)]
pub(crate) struct Name {
    keys: Int32,
    values: StringBuilder,
    /// The keys of the values, by their hashes.
    seen: HashTable<i32>,
    /// With random keys in each run: anyone can choose the values, and could make them collide.
    hasher: RandomState,
    last: Option<i32>,
}

impl Name {
    pub(crate) fn append(&mut self, value: impl OptionalText) {
        let key = value.text().map(|value| match self.last {
            // Lines of one file often have the value of the line before, which costs no hash then.
            Some(last) if bytes_of(&self.values, last) == value.as_bytes() => last,
            _ => self.find(value),
        });
        self.last = key.or(self.last);
        self.keys.append(key);
    }

    /// Returns the key of a value, which is added if it is not there.
    fn find(&mut self, value: &str) -> i32 {
        let Self {
            values,
            seen,
            hasher,
            ..
        } = self;
        let entry = seen.entry(
            hasher.hash_one(value.as_bytes()),
            |&key| bytes_of(values, key) == value.as_bytes(),
            |&key| hasher.hash_one(bytes_of(values, key)),
        );
        let next = as_key(values.len());
        let key = *entry.or_insert(next).get();
        if key == next {
            values.append_value(value);
        }
        key
    }
}

impl Columns for Name {
    const COLUMNS: &'static [Column] = &[Column::of_type(ColumnType::Name)];

    fn n_rows(&self) -> usize {
        self.keys.n_rows()
    }

    fn n_bytes(&self) -> usize {
        self.values.values_slice().len()
    }

    fn finish_into(&mut self, arrays: &mut Vec<ArrayRef>) {
        self.seen.clear();
        self.last = None;
        arrays.push(dictionary(
            self.keys.finish(),
            Arc::new(self.values.finish()),
        ));
    }
}

/// Returns the value of a key.
fn bytes_of(values: &StringBuilder, key: i32) -> &[u8] {
    let (offsets, index) = (values.offsets_slice(), key as usize);
    &values.values_slice()[offsets[index] as usize..offsets[index + 1] as usize]
}

pub(super) fn as_key(index: usize) -> i32 {
    i32::try_from(index).expect("a batch has fewer than 2^31 distinct values")
}

pub(super) fn dictionary(keys: Int32Array, values: Arc<StringArray>) -> ArrayRef {
    let array = DictionaryArray::<Int32Type>::try_new(keys, values)
        .expect("every key was made for a value of the same column");
    Arc::new(array)
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray;

    use super::*;

    fn finish(column: &mut Name) -> DictionaryArray<Int32Type> {
        let mut arrays = Vec::new();
        column.finish_into(&mut arrays);
        arrays[0].as_dictionary().clone()
    }

    #[test]
    fn a_value_is_stored_once_a_batch() {
        let mut column = Name::default();
        for _ in 0..2 {
            for value in [Some("b"), None, Some("a"), Some("a"), Some("b"), Some("")] {
                column.append(value);
            }
            let array = finish(&mut column);
            let keys: Vec<_> = array.keys().iter().collect();
            assert_eq!(keys, [Some(0), None, Some(1), Some(1), Some(0), Some(2)]);
            let values: Vec<_> = array.values().as_string::<i32>().iter().flatten().collect();
            assert_eq!(values, ["b", "a", ""]);
        }
    }

    #[test]
    fn many_values_are_all_found_again() {
        let mut column = Name::default();
        for _ in 0..2 {
            (0..5_000).for_each(|n: i32| column.append(&n.to_string()));
        }
        let array = finish(&mut column);
        assert_eq!(array.values().len(), 5_000);
        assert_eq!(array.keys().value(9_999), 4_999);
    }
}
