//! The table `dialects`: one row for each dialect of the run, for the whole dataset.

use arrow_array::RecordBatch;

use super::{
    TableBuilder, as_i32,
    captures::{ACCESS, access_index},
    column::{Bool, Int32, KnownName, Text},
    schema::table,
};
use crate::robots::dialect::{Access, Dialect, definition};

table! {
    /// one dialect of the run, the reference dialect first
    "dialects": pub struct DialectsBuilder {
        /// name of the dialect
        dialect: KnownName,
        /// position in the run, 0 for the reference dialect
        dialect_index: Int32,
        /// whether the tables without a column dialect are written by it
        is_reference: Bool,
        /// redirects that it follows; NULL: without limit
        max_hops: Int32 [nullable],
        /// what a longer chain, or a loop, means to it: full_allow, full_disallow, undefined
        too_many_hops: KnownName,
        /// all its answers as TOML, the form in which a run reads a dialect from a file
        definition: Text,
    }
}

/// Returns the rows for the dialects of a run, the reference dialect first.
pub fn rows(dialects: &[Dialect]) -> RecordBatch {
    let mut rows = DialectsBuilder {
        dialect: KnownName::new(dialects.iter().map(|dialect| &dialect.name)),
        too_many_hops: KnownName::new(ACCESS.map(Access::as_str)),
        ..DialectsBuilder::default()
    };
    for (index, dialect) in dialects.iter().enumerate() {
        rows.dialect.append(index);
        rows.dialect_index.append(as_i32(index));
        rows.is_reference.append(index == 0);
        rows.max_hops
            .append_option(dialect.access.max_hops.map(i32::from));
        rows.too_many_hops
            .append(access_index(dialect.access.too_many_hops));
        rows.definition.append(&definition(dialect));
    }
    rows.finish()
}
