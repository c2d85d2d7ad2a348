//! The table `verdict_sets`: one row for each cell of each distinct vector of answers.

use super::{cells::CellColumns, column::Int64, schema::table};
use crate::robots::matrix::{Block, Matrix};

table! {
    /// one cell of one distinct vector of answers, which captures share (captures.verdict_set_id):
    /// may this agent fetch this URL, in this dialect
    "verdict_sets": pub struct VerdictSetsBuilder {
        /// key of the vector, as in captures: a function of the part's name and of the answers
        verdict_set_id: Int64,
        cells: CellColumns,
    }
}

impl VerdictSetsBuilder {
    /// Returns a builder without rows for a matrix and the dialects of a run.
    pub fn new(matrix: &Matrix, dialects: &[String]) -> Self {
        Self {
            cells: CellColumns::new(matrix, dialects),
            ..Self::default()
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
        self.verdict_set_id
            .append_n(Some(verdict_set_id), block.decisions.len());
    }
}
