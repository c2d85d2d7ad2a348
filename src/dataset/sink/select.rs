//! The rows of a Parquet file that have a key, read without decoding the others: row groups whose
//! Bloom filter or statistics exclude the key are not read, and of the others the key first.

use std::{
    collections::{BTreeSet, HashSet},
    path::Path,
    sync::Arc,
};

use arrow_array::{Array, BooleanArray, Int64Array, RecordBatch, StringArray};
use parquet::{
    arrow::{
        ProjectionMask,
        arrow_reader::{ArrowPredicateFn, ParquetRecordBatchReaderBuilder, RowFilter},
    },
    file::statistics::Statistics,
};

use super::{Names, StoredColumn, StoredFile, open_columns, read_projected};
use crate::archive::error::Error;

/// Texts that are looked for in Bloom filters at most.
const MOST_FILTERED: usize = 100;

/// What a row has in one column.
#[derive(Clone, Debug)]
pub enum RowKey {
    /// One of these texts.
    Texts(&'static str, Arc<HashSet<String>>),
    /// One of these numbers.
    Numbers(&'static str, Arc<BTreeSet<i64>>),
}

impl RowKey {
    /// Returns true if and only if no row can have the key.
    fn is_empty(&self) -> bool {
        match self {
            Self::Texts(_, texts) => texts.is_empty(),
            Self::Numbers(_, numbers) => numbers.is_empty(),
        }
    }

    fn column(&self) -> &'static str {
        match self {
            Self::Texts(column, _) | Self::Numbers(column, _) => column,
        }
    }

    /// Returns which rows of a column have the key; none of a column of another type.
    fn matches(&self, column: &dyn Array) -> BooleanArray {
        match self {
            Self::Texts(_, texts) => {
                let has = |text: &str| texts.contains(text);
                let of_names = || matching_names(column, has);
                matching::<&StringArray>(column, has).or_else(of_names)
            }
            Self::Numbers(_, numbers) => {
                matching::<&Int64Array>(column, |number| numbers.contains(&number))
            }
        }
        .unwrap_or_else(|| vec![false; column.len()].into())
    }

    /// Returns false only if no row of a row group has the key.
    fn may_be_in(
        &self,
        builder: &ParquetRecordBatchReaderBuilder<StoredFile>,
        row_group: usize,
        column: usize,
    ) -> bool {
        match self {
            // A filter that cannot be read excludes nothing.
            // Of many texts one is in every filter, be it by chance.
            Self::Texts(_, texts) if texts.len() > MOST_FILTERED => true,
            Self::Texts(_, texts) => builder
                .get_row_group_column_bloom_filter(row_group, column)
                .ok()
                .flatten()
                .is_none_or(|filter| texts.iter().any(|text| filter.check(text.as_str()))),
            Self::Numbers(_, numbers) => {
                let group = builder.metadata().row_group(row_group);
                let Some(Statistics::Int64(of_group)) = group.column(column).statistics() else {
                    return true;
                };
                match (of_group.min_opt(), of_group.max_opt()) {
                    (Some(least), Some(most)) if least <= most => {
                        numbers.range(*least..=*most).next().is_some()
                    }
                    _ => true,
                }
            }
        }
    }
}

/// Returns in which rows of a column of names the key is, by looking at each name once.
fn matching_names(column: &dyn Array, is_key: impl Fn(&str) -> bool) -> Option<BooleanArray> {
    let names = Names::from_array(column)?;
    let are_keys: Vec<bool> = names
        .values()
        .iter()
        .map(|name| name.is_some_and(&is_key))
        .collect();
    let keys = names.keys().iter();
    let rows = keys.map(|key| key.is_some_and(|key| are_keys[key as usize]));
    Some(rows.collect::<Vec<_>>().into())
}

/// Returns in which rows of a column the key is; `None` if the column is of another type.
fn matching<'b, C: StoredColumn<'b>>(
    column: &'b dyn Array,
    is_key: impl Fn(C::Item) -> bool,
) -> Option<BooleanArray> {
    let values = C::from_array(column)?;
    let rows = (0..column.len()).map(|row| values.get(row).is_some_and(&is_key));
    Some(rows.collect::<Vec<_>>().into())
}

/// Reads some columns of the rows that have a key, in the order of the rows and at most `most_rows`
/// at a time; a batch has the columns in the order of the file.
///
/// # Errors
///
/// A file that cannot be opened or read, and what `each` returns.
pub fn read_rows(
    path: &Path,
    key: &RowKey,
    columns: &[&str],
    most_rows: usize,
    each: impl FnMut(&RecordBatch) -> Result<(), Error>,
) -> Result<(), Error> {
    if key.is_empty() {
        return Ok(());
    }
    let (file, builder) = open_columns(path, columns.iter().chain([&key.column()]))?;
    let schema = builder.parquet_schema();
    let is_key = |column: &usize| schema.column(*column).name() == key.column();
    let column = (0..schema.num_columns()).find(is_key).unwrap_or_default();
    let row_groups: Vec<usize> = (0..builder.metadata().num_row_groups())
        .filter(|&row_group| key.may_be_in(&builder, row_group, column))
        .collect();
    if row_groups.is_empty() {
        return Ok(());
    }
    // Which pages of the others are read depends on the key.
    file.expect(builder.metadata(), row_groups.clone(), &[key.column()]);
    let wanted = key.clone();
    let predicate = ArrowPredicateFn::new(
        ProjectionMask::columns(schema, [key.column()]),
        move |batch: RecordBatch| Ok(wanted.matches(batch.column(0))),
    );
    let builder = builder.with_row_filter(RowFilter::new(vec![Box::new(predicate)]));
    read_projected(path, builder, row_groups, columns, most_rows, each)
}
