//! The table `dialects`: one row for each dialect of the run, for the whole dataset.

use arrow_array::RecordBatch;

use super::{Int32, Name, TableBuilder, Text, as_i32, table};
use crate::robots::dialect::Dialect;

table! {
    /// one dialect of the run, the reference dialect first
    "dialects": pub struct DialectsBuilder {
        /// name of the dialect
        dialect: Name,
        /// position in the run, 0 for the reference dialect, by which the tables without a column
        /// dialect are written
        dialect_index: Int32,
        /// redirects that it follows; NULL: it has no limit, and 256 are followed
        max_hops: Int32 [nullable],
        /// all its answers as TOML, the form in which a run reads a dialect from a file
        definition: Text,
    }
}

/// Returns the rows for the dialects of a run, the reference dialect first.
pub fn rows(dialects: &[Dialect]) -> RecordBatch {
    let mut rows = DialectsBuilder::default();
    for (index, dialect) in dialects.iter().enumerate() {
        rows.dialect.append(&dialect.name);
        rows.dialect_index.append(as_i32(index));
        rows.max_hops.append(dialect.access.max_hops.map(i32::from));
        rows.definition.append(&dialect.to_toml());
    }
    rows.finish()
}
