//! The table `verdicts`: one row for each cell of the matrix.

use super::{
    cells::CellColumns,
    column::{CaptureKey, CaptureKeys},
    schema::table,
};
use crate::robots::matrix::{Block, Matrix};

table! {
    /// one cell of the matrix: may this agent fetch this URL, in this dialect, by this capture;
    /// empty in the form sets (verdict_sets)
    "verdicts": pub struct VerdictsBuilder {
        capture: CaptureKeys,
        cells: CellColumns,
    }
}

impl VerdictsBuilder {
    /// Returns a builder without rows for a matrix and the dialects of a run.
    pub fn new(matrix: &Matrix, dialects: &[String]) -> Self {
        Self {
            cells: CellColumns::new(matrix, dialects),
            ..Self::default()
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
        self.capture.append_n(capture, block.decisions.len());
    }
}
