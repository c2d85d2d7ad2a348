//! The tables of a dataset: rows in, Arrow record batches out.
//!
//! Each file declares one table with [`table!`](schema): the description of its columns and, from
//! the same lines, the builder that collects their values. Builders know captures, lines and
//! decisions, but neither files nor how a batch is stored. This is also where bytes become text:
//! invalid UTF-8 becomes U+FFFD here and nowhere else, and an anomaly of the file reports it.
//!
//! `CONTRIBUTING.md` has the steps by which a column is added. In its declaration the comment is
//! its documentation, the type a builder of [`mod@column`], and the brackets hold what differs from
//! the defaults: `nullable`, `unit(..)`, `source(..)`, `statistics` (minimum and maximum of texts
//! too), `bloom_filter`, and a Parquet encoding, `delta` or `dictionary`.
//!
//! The Arrow schema, the layout of files, `robocensus tables` and the page on tables
//! follow from the declaration.

pub(crate) mod agents;
pub(crate) mod archive_errors;
pub(crate) mod archive_skips;
pub(crate) mod archives;
pub(crate) mod asof;
pub(crate) mod bodies;
pub(crate) mod captures;
pub(crate) mod causes;
pub(crate) mod cohort;
mod column;
pub(crate) mod comments;
pub(crate) mod corpus;
pub(crate) mod dialects;
pub(crate) mod directives;
pub(crate) mod errors;
pub(crate) mod fetch;
pub(crate) mod flips;
pub(crate) mod groups;
pub(crate) mod hosts;
pub(crate) mod matrix_agents;
pub(crate) mod page_directives;
pub(crate) mod page_policies;
pub(crate) mod page_robots;
pub(crate) mod pages;
pub(crate) mod parser_faults;
pub(crate) mod policy_sets;
pub(crate) mod redirects;
pub(crate) mod response_errors;
pub(crate) mod rules;
mod schema;
pub(crate) mod signals;
mod text;
pub(crate) mod timings;
pub(crate) mod verdict_sets;

use arrow_array::RecordBatch;

pub use self::schema::{Column, ColumnType, Table};
use self::{
    column::{Bool, CaptureKeys, Float64, Int32, Int64, KnownName, Name, PageKeys, Text, Time},
    fetch::{FetchColumns, Provenance, base32_text},
    schema::{CC_INDEX, HTTP, WARC, columns, table},
};
pub(crate) use self::{
    column::{CaptureKey, Columns},
    schema::ValueEncoding,
};

/// Version of the tables' columns; it changes when a column does.
pub const SCHEMA_VERSION: u32 = 11;

/// The tables of a dataset, in the order in which they are documented.
pub const TABLES: [Table; 19] = [
    archives::TABLE,
    archive_errors::TABLE,
    archive_skips::TABLE,
    captures::TABLE,
    groups::TABLE,
    agents::TABLE,
    rules::TABLE,
    directives::TABLE,
    signals::TABLE,
    comments::TABLE,
    errors::TABLE,
    response_errors::TABLE,
    verdict_sets::TABLE,
    policy_sets::TABLE,
    redirects::TABLE,
    hosts::TABLE,
    dialects::TABLE,
    matrix_agents::TABLE,
    cohort::TABLE,
];

/// The tables of which every part has files: all but the last five. `redirects` and `hosts` are
/// computed from all parts together; `dialects`, `matrix_agents` and `cohort` describe the options
/// of the run.
pub const PART_TABLES: &[Table] = TABLES.split_at(TABLES.len() - 5).0;

/// The tables that the dataset of a run that reads pages has besides; `bodies` may be asked for in
/// any run.
pub const PAGE_TABLES: [Table; 5] = [
    pages::TABLE,
    page_directives::TABLE,
    page_policies::TABLE,
    bodies::TABLE,
    page_robots::TABLE,
];

/// Returns all tables that a dataset may have.
pub(crate) fn all_tables() -> impl Iterator<Item = &'static Table> {
    TABLES.iter().chain(&PAGE_TABLES)
}

/// Those of which every part has files: all but `page_robots`, which is computed from all parts
/// together.
pub const PAGE_PART_TABLES: &[Table] = PAGE_TABLES.split_at(PAGE_TABLES.len() - 1).0;

/// The tables of a comparison of parsers, which are in a folder of their own.
pub const COMPARISON_TABLES: [Table; 4] = [
    flips::TABLE,
    causes::TABLE,
    parser_faults::TABLE,
    timings::TABLE,
];

/// The tables that `asof` and `corpus` write, each of which is in a file of its own.
pub const FILE_TABLES: [Table; 2] = [asof::TABLE, corpus::TABLE];

/// A builder of the rows of one table.
pub(crate) trait TableBuilder: Columns {
    /// The table.
    const TABLE: Table;

    /// Returns the rows appended since the last call; names are texts, or in a dictionary that was
    /// known before.
    fn finish(&mut self) -> RecordBatch {
        let mut arrays = Vec::with_capacity(Self::COLUMNS.len());
        self.finish_into(&mut arrays);
        let columns = Self::COLUMNS.iter().zip(arrays);
        let columns = columns.map(|(column, array)| (column.name, array, column.nullable));
        RecordBatch::try_from_iter_with_nullable(columns)
            .expect("every column has as many rows as the others")
    }
}

/// Returns a count or an index as the integer of its column; a body of 4 GiB, which no run reads,
/// is the least that could exceed it.
pub(crate) fn as_i32(n: impl TryInto<i32>) -> i32 {
    n.try_into().unwrap_or(i32::MAX)
}

/// Returns a count as the integer of its column; no archive has so many bytes that it exceeds it.
pub(crate) fn as_i64(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}
