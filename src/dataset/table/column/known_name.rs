//! The builder of a column whose values are known before the first row.

use std::sync::Arc;

use arrow_array::{ArrayRef, StringArray};

use super::{
    Columns, Int32,
    name::{as_key, dictionary},
};
use crate::dataset::table::schema::{Column, ColumnType};

/// A column whose values are known before the first row, and appended by their indexes: no value is
/// hashed or compared.
#[derive(Debug)]
pub(in crate::dataset::table) struct KnownName {
    keys: Int32,
    values: Arc<StringArray>,
}

impl Default for KnownName {
    /// Returns a column that can hold NULL only; [`KnownName::new`] replaces it.
    fn default() -> Self {
        Self::new::<&str>([])
    }
}

impl KnownName {
    pub(in crate::dataset::table) fn new<S: AsRef<str>>(
        values: impl IntoIterator<Item = S>,
    ) -> Self {
        let values: Vec<S> = values.into_iter().collect();
        Self {
            keys: Int32::default(),
            values: Arc::new(values.iter().map(|value| Some(value.as_ref())).collect()),
        }
    }

    pub(in crate::dataset::table) fn append(&mut self, index: usize) {
        self.keys.append(as_key(index));
    }

    pub(in crate::dataset::table) fn append_n(&mut self, index: Option<usize>, n: usize) {
        self.keys.append_n(index.map(as_key), n);
    }

    /// Appends values by their indexes, none of them NULL.
    pub(in crate::dataset::table) fn extend(
        &mut self,
        indexes: impl ExactSizeIterator<Item = usize>,
    ) {
        self.keys.extend(indexes.map(as_key));
    }

    /// Appends values by their indexes, some of them NULL.
    pub(in crate::dataset::table) fn extend_options(
        &mut self,
        indexes: impl Iterator<Item = Option<usize>>,
    ) {
        self.keys
            .extend_options(indexes.map(|index| index.map(as_key)));
    }
}

impl Columns for KnownName {
    const COLUMNS: &'static [Column] = &[Column::of_type(ColumnType::Name)];

    fn n_rows(&self) -> usize {
        self.keys.len()
    }

    fn finish_into(&mut self, arrays: &mut Vec<ArrayRef>) {
        arrays.push(dictionary(self.keys.finish(), self.values.clone()));
    }
}
