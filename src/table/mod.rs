//! The tables of a dataset: rows in, Arrow record batches out.
//!
//! Each table is a constant of data ([`Table`]) beside a builder with one field for each column.
//! Builders know captures, lines and decisions; they refuse to know files, and how a batch is
//! stored. This is also where bytes become text: invalid UTF-8 becomes U+FFFD here and nowhere
//! else, and an anomaly of the file says so.

pub(crate) mod agents;
pub(crate) mod archives;
pub(crate) mod captures;
mod cells;
mod column;
pub(crate) mod comments;
pub(crate) mod dialects;
pub(crate) mod directives;
pub(crate) mod errors;
pub(crate) mod groups;
pub(crate) mod matrix_agents;
pub(crate) mod policies;
pub(crate) mod redirects;
pub(crate) mod rules;
mod schema;
pub(crate) mod signals;
mod text;
pub(crate) mod verdict_sets;
pub(crate) mod verdicts;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::SchemaRef;

pub(crate) use self::column::CaptureKey;
pub use self::schema::{Column, Kind, Table};

/// Version of the tables' columns; it changes when a column does.
pub const SCHEMA_VERSION: u32 = 2;

/// The tables of a dataset, in the order in which they are documented.
pub const TABLES: [Table; 16] = [
    archives::ARCHIVES,
    archives::ARCHIVE_ERRORS,
    captures::TABLE,
    groups::TABLE,
    agents::TABLE,
    rules::TABLE,
    directives::TABLE,
    signals::TABLE,
    comments::TABLE,
    errors::TABLE,
    verdicts::TABLE,
    verdict_sets::TABLE,
    policies::TABLE,
    redirects::TABLE,
    dialects::TABLE,
    matrix_agents::TABLE,
];

/// The tables that every part has a file of: all but the last three. `redirects` is made of all
/// parts together; `dialects` and `matrix_agents` say what the run was asked.
pub const PART_TABLES: &[Table] = TABLES.split_at(TABLES.len() - 3).0;

fn batch(schema: &SchemaRef, columns: Vec<ArrayRef>) -> RecordBatch {
    RecordBatch::try_new(schema.clone(), columns)
        .expect("a builder has one column for each of its schema's, of its type, all equally long")
}

/// Returns a count or an index as the integer its column holds; what a body of 4 GiB cannot reach
/// is the largest.
fn as_i32(n: impl TryInto<i32>) -> i32 {
    n.try_into().unwrap_or(i32::MAX)
}
