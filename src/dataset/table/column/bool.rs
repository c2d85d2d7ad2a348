//! The builder of a column of flags.

use std::sync::Arc;

use arrow_array::{
    ArrayRef,
    builder::{ArrayBuilder, BooleanBuilder},
};

use super::Columns;
use crate::dataset::table::schema::{Column, ColumnType};

/// A column of flags.
#[derive(Debug, Default)]
pub(crate) struct Bool(BooleanBuilder);

impl Bool {
    pub(crate) fn append(&mut self, value: impl Into<Option<bool>>) {
        self.0.append_option(value.into());
    }

    pub(crate) fn extend(&mut self, values: impl Iterator<Item = bool>) {
        values.for_each(|value| self.0.append_value(value));
    }
}

impl Columns for Bool {
    const COLUMNS: &'static [Column] = &[Column::of_type(ColumnType::Bool)];

    fn n_rows(&self) -> usize {
        self.0.len()
    }

    fn finish_into(&mut self, arrays: &mut Vec<ArrayRef>) {
        arrays.push(Arc::new(self.0.finish()));
    }
}
