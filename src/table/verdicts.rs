//! The table `verdicts`: one row for each cell of the matrix.

use super::{
    cells::CellColumns,
    column::{CaptureKey, CaptureKeys},
    schema::table,
};
use crate::{
    dialect::Decision,
    matrix::{Answers, Matrix},
};

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

    /// Appends the answers of one capture under the dialect of that index.
    pub fn append(
        &mut self,
        capture: CaptureKey<'_>,
        dialect: usize,
        matrix: &Matrix,
        origin: &str,
        answers: &Answers,
    ) {
        self.cells.append(dialect, (matrix, origin), answers);
        self.capture.append_n(capture, answers.n_cells());
    }

    /// Appends the answers to one agent about the URL of that number and those that follow, for one
    /// capture of that origin.
    pub fn append_block(
        &mut self,
        capture: CaptureKey<'_>,
        dialect: usize,
        agent: usize,
        first_url: usize,
        asked: (&Matrix, &str),
        decisions: &[Decision],
    ) {
        self.cells
            .append_block(dialect, agent, first_url, asked, decisions);
        self.capture.append_n(capture, decisions.len());
    }
}
