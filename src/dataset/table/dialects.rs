//! The table `dialects`: one row for each dialect of the run, for the whole dataset.

use arrow_array::RecordBatch;

use super::{Int32, KnownName, TableBuilder, Text, as_i32, table};
use crate::robots::dialect::Dialect;

table! {
    /// one dialect of the run, the reference dialect first
    "dialects": pub struct DialectsBuilder {
        /// name of the dialect
        dialect: KnownName,
        /// position in the run, 0 for the reference dialect, by which the tables without a column
        /// dialect are written
        dialect_index: Int32,
        /// redirects that it follows; NULL: without limit
        max_hops: Int32 [nullable],
        /// all its answers as TOML, the form in which a run reads a dialect from a file
        definition: Text,
    }
}

/// Returns the rows for the dialects of a run, the reference dialect first.
pub fn rows(dialects: &[Dialect]) -> RecordBatch {
    let mut rows = DialectsBuilder {
        dialect: KnownName::new(dialects.iter().map(|dialect| &dialect.name)),
        ..DialectsBuilder::default()
    };
    for (index, dialect) in dialects.iter().enumerate() {
        rows.dialect.append(index);
        rows.dialect_index.append(as_i32(index));
        rows.max_hops.append(dialect.access.max_hops.map(i32::from));
        rows.definition.append(&dialect.to_toml());
    }
    rows.finish()
}
