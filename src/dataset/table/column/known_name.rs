//! The builder of a column whose values are known before the first row.

use std::{iter, marker::PhantomData, sync::Arc};

use arrow_array::{ArrayRef, DictionaryArray, Int32Array, StringArray, types::Int32Type};

use super::{Columns, Int32};
use crate::{
    dataset::table::schema::{Column, ColumnType},
    named::Named,
};

/// A column whose values are known before the first row, and appended by their indexes: no value is
/// hashed or compared. They are those of an enum, or given to [`KnownName::new`].
#[derive(Debug)]
pub(crate) struct KnownName<V = usize> {
    keys: Int32,
    values: Arc<StringArray>,
    of: PhantomData<V>,
}

/// An index of values that are given: without them, a column can hold NULL only.
impl Named for usize {
    fn names() -> impl Iterator<Item = &'static str> {
        iter::empty()
    }

    fn index(self) -> usize {
        self
    }
}

impl<V: Named> Default for KnownName<V> {
    fn default() -> Self {
        Self::new(V::names())
    }
}

impl<V: Named> KnownName<V> {
    pub(crate) fn new<S: AsRef<str>>(values: impl IntoIterator<Item = S>) -> Self {
        let values: Vec<S> = values.into_iter().collect();
        Self {
            keys: Int32::default(),
            values: Arc::new(values.iter().map(|value| Some(value.as_ref())).collect()),
            of: PhantomData,
        }
    }

    pub(crate) fn append(&mut self, value: impl Into<Option<V>>) {
        self.keys.append(value.into().map(key));
    }

    pub(crate) fn append_n(&mut self, value: Option<V>, n: usize) {
        self.keys.append_n(value.map(key), n);
    }

    /// Appends values, none of them NULL.
    pub(crate) fn extend(&mut self, values: impl ExactSizeIterator<Item = V>) {
        self.keys.extend(values.map(key));
    }

    /// Appends values, some of them NULL.
    pub(crate) fn extend_options(&mut self, values: impl Iterator<Item = Option<V>>) {
        self.keys.extend_options(values.map(|value| value.map(key)));
    }
}

fn key(value: impl Named) -> i32 {
    as_key(value.index())
}

pub(super) fn as_key(index: usize) -> i32 {
    i32::try_from(index).expect("a batch has fewer than 2^31 distinct values")
}

pub(super) fn dictionary(keys: Int32Array, values: Arc<StringArray>) -> ArrayRef {
    let array = DictionaryArray::<Int32Type>::try_new(keys, values)
        .expect("every key was made for a value of the same column");
    Arc::new(array)
}

impl<V: Named> Columns for KnownName<V> {
    const COLUMNS: &'static [Column] = &[Column::of_type(ColumnType::Name)];

    fn n_rows(&self) -> usize {
        self.keys.n_rows()
    }

    fn finish_into(&mut self, arrays: &mut Vec<ArrayRef>) {
        arrays.push(dictionary(self.keys.finish(), self.values.clone()));
    }
}
