//! The table `verdicts`: one row for each cell of the matrix.

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use super::{
    cells::{AGENT, BASIS, CellColumns, DIALECT, GROUP_INDEX, RULE_LINE, URL, VERDICT},
    column::{CaptureKey, Keys},
    schema::{CAPTURE_ID, Table, URL_HOST_NAME},
};
use crate::matrix::{Block, Matrix};

/// The table as data.
pub const TABLE: Table = Table {
    name: "verdicts",
    about: "one cell of the matrix: may this agent fetch this URL, in this dialect, by this capture; empty in the form sets (verdict_sets)",
    columns: &[
        CAPTURE_ID,
        URL_HOST_NAME,
        DIALECT,
        AGENT,
        URL,
        VERDICT,
        BASIS,
        GROUP_INDEX,
        RULE_LINE,
    ],
};

/// Builds rows of `verdicts`.
#[derive(Debug)]
pub struct Builder {
    schema: SchemaRef,
    keys: Keys,
    cells: CellColumns,
}

impl Builder {
    /// Returns a builder without rows for a matrix and the dialects of a run.
    pub fn new(matrix: &Matrix, dialects: &[String]) -> Self {
        Self {
            schema: TABLE.schema(),
            keys: Keys::default(),
            cells: CellColumns::new(matrix, dialects),
        }
    }

    /// Appends answers of one capture under the dialect of that index; `asked` is the matrix and
    /// the capture's origin.
    pub fn append(
        &mut self,
        capture: CaptureKey<'_>,
        dialect: usize,
        asked: (&Matrix, &str),
        block: Block<'_>,
    ) {
        self.cells.append_block(dialect, asked, block);
        self.keys.append_n(capture, block.decisions.len());
    }

    /// Returns the rows appended since the last call.
    pub fn finish(&mut self) -> RecordBatch {
        let mut columns = self.keys.finish().to_vec();
        columns.extend(self.cells.finish());
        super::batch(&self.schema, columns)
    }

    /// Returns the number of rows appended since the last call of [`Builder::finish`].
    pub fn n_rows(&self) -> usize {
        self.keys.len()
    }
}
