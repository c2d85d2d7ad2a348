//! The charts of the rows of SQL.

use robocensus::report;
use serde::Deserialize;
use serde_json::{json, value::RawValue};

use crate::answer;

/// Draws the rows of SQL, JSON in the buffer, and returns the length of the chart, or of why there
/// is none.
#[unsafe(no_mangle)]
pub extern "C" fn draw() -> usize {
    answer(|result| {
        let drawn = serde_json::from_slice(&result).map_err(|error| error.to_string());
        let drawn = drawn.and_then(|QueryResult { sql, columns, rows }| {
            report::draw(&sql, columns.get(), rows.get()).map_err(|error| error.to_string())
        });
        match drawn {
            Ok((n, svg)) => json!({"n": n, "svg": svg}),
            Err(error) => json!({"error": error}),
        }
    })
}

/// The result of SQL.
#[derive(Debug, Deserialize)]
struct QueryResult<'a> {
    sql: String,
    /// An object for each column, with its name and type, as `DESCRIBE` returns them.
    #[serde(borrow)]
    columns: &'a RawValue,
    /// An object for each row.
    #[serde(borrow)]
    rows: &'a RawValue,
}
