//! The table `verdict_sets`: one row for each cell of each distinct vector of answers.

use std::sync::Arc;

use arrow_array::{Int64Array, RecordBatch};
use arrow_schema::SchemaRef;

use super::{
    cells::{AGENT, BASIS, CellColumns, DIALECT, GROUP_INDEX, RULE_LINE, URL, VERDICT},
    schema::{Kind, Table, required},
};
use crate::matrix::{Block, Matrix};

/// The table as data.
pub const TABLE: Table = Table {
    name: "verdict_sets",
    about: "one cell of one distinct vector of answers, which captures share (captures.verdict_set_id); empty in the form rows",
    columns: &[
        required(
            "verdict_set_id",
            Kind::Int64,
            "key of the vector, as in captures: a function of the part's name and of the answers",
        ),
        DIALECT,
        AGENT,
        URL,
        VERDICT,
        BASIS,
        GROUP_INDEX,
        RULE_LINE,
    ],
};

/// Builds rows of `verdict_sets`.
#[derive(Debug)]
pub struct Builder {
    schema: SchemaRef,
    ids: Vec<i64>,
    cells: CellColumns,
}

impl Builder {
    /// Returns a builder without rows for a matrix and the dialects of a run.
    pub fn new(matrix: &Matrix, dialects: &[String]) -> Self {
        Self {
            schema: TABLE.schema(),
            ids: Vec::new(),
            cells: CellColumns::new(matrix, dialects),
        }
    }

    /// Appends answers of one vector under the dialect of that index; `asked` is the matrix and an
    /// origin whose captures have these answers.
    pub fn append(
        &mut self,
        verdict_set_id: i64,
        dialect: usize,
        asked: (&Matrix, &str),
        block: Block<'_>,
    ) {
        self.cells.append_block(dialect, asked, block);
        self.ids.resize(self.cells.n_rows(), verdict_set_id);
    }

    /// Returns the rows appended since the last call.
    pub fn finish(&mut self) -> RecordBatch {
        let ids = Int64Array::from(std::mem::take(&mut self.ids));
        let mut columns: Vec<arrow_array::ArrayRef> = vec![Arc::new(ids)];
        columns.extend(self.cells.finish());
        super::batch(&self.schema, columns)
    }

    /// Returns the number of rows appended since the last call of [`Builder::finish`].
    pub fn n_rows(&self) -> usize {
        self.cells.n_rows()
    }
}
