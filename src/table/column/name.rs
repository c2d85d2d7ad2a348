//! Columns whose values repeat: rows cost an integer, and a value is stored once a batch.

use std::sync::Arc;

use ahash::RandomState;
use arrow_array::{
    ArrayRef, DictionaryArray, Int32Array, StringArray,
    builder::{ArrayBuilder, StringBuilder},
    types::Int32Type,
};
use hashbrown::HashTable;

use super::Numbers;

/// A column whose values are known before the first row.
#[derive(Debug)]
pub(in crate::table) struct Known {
    keys: Numbers<Int32Type>,
    values: Arc<StringArray>,
}

impl Known {
    pub(in crate::table) fn new<S: AsRef<str>>(values: impl IntoIterator<Item = S>) -> Self {
        let values: Vec<S> = values.into_iter().collect();
        Self {
            keys: Numbers::default(),
            values: Arc::new(values.iter().map(|v| Some(v.as_ref())).collect()),
        }
    }

    pub(in crate::table) fn append(&mut self, index: usize) {
        self.keys.append(as_key(index));
    }

    pub(in crate::table) fn append_n(&mut self, index: Option<usize>, n: usize) {
        self.keys.append_n(index.map(as_key), n);
    }

    /// Appends values by their indexes, none of them NULL.
    pub(in crate::table) fn extend(&mut self, indexes: impl ExactSizeIterator<Item = usize>) {
        self.keys.extend(indexes.map(as_key));
    }

    pub(in crate::table) fn finish(&mut self) -> ArrayRef {
        dictionary(self.keys.finish(), self.values.clone())
    }
}

/// A column whose values repeat but are not known before.
#[derive(Debug, Default)]
pub(in crate::table) struct Repeated {
    keys: Numbers<Int32Type>,
    values: StringBuilder,
    /// The keys of the values, by their hashes.
    seen: HashTable<i32>,
    /// Keyed anew for each run: the values are whatever a stranger put on a server.
    hasher: RandomState,
    last: Option<i32>,
}

impl Repeated {
    pub(in crate::table) fn append(&mut self, value: Option<&str>) {
        let key = value.map(|value| match self.last {
            Some(last) if bytes_of(&self.values, last) == value.as_bytes() => last,
            _ => self.find(value),
        });
        self.last = key.or(self.last);
        self.keys.append_option(key);
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

    /// Returns the bytes of the distinct values appended since the last call of
    /// [`Repeated::finish`].
    pub(in crate::table) fn n_bytes(&self) -> usize {
        self.values.values_slice().len()
    }

    pub(in crate::table) fn finish(&mut self) -> ArrayRef {
        self.seen.clear();
        self.last = None;
        dictionary(self.keys.finish(), Arc::new(self.values.finish()))
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

    #[test]
    fn a_value_is_stored_once_a_batch() {
        let mut column = Repeated::default();
        for _ in 0..2 {
            for value in [Some("b"), None, Some("a"), Some("a"), Some("b"), Some("")] {
                column.append(value);
            }
            let array = column.finish();
            let array = array.as_dictionary::<Int32Type>();
            let keys: Vec<_> = array.keys().iter().collect();
            assert_eq!(keys, [Some(0), None, Some(1), Some(1), Some(0), Some(2)]);
            let values: Vec<_> = array.values().as_string::<i32>().iter().flatten().collect();
            assert_eq!(values, ["b", "a", ""]);
        }
    }

    #[test]
    fn many_values_are_all_found_again() {
        let mut column = Repeated::default();
        for _ in 0..2 {
            (0..5_000).for_each(|n: i32| column.append(Some(&n.to_string())));
        }
        let array = column.finish();
        let array = array.as_dictionary::<Int32Type>();
        assert_eq!(array.values().len(), 5_000);
        assert_eq!(array.keys().value(9_999), 4_999);
    }
}
