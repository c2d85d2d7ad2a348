//! The table `verdict_sets`: one row for each cell of each distinct vector of answers.

use super::{cells::CellColumns, column::Int64, schema::table};
use crate::{
    dialect::Decision,
    matrix::{Answers, Matrix},
};

table! {
    /// one cell of one distinct vector of answers, which captures share (captures.verdict_set_id);
    /// empty in the form rows
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

    /// Appends the vector of captures of that origin, dialect by dialect.
    pub fn append<'a>(
        &mut self,
        verdict_set_id: i64,
        matrix: &Matrix,
        origin: &str,
        answers: impl IntoIterator<Item = &'a Answers>,
    ) {
        for (dialect, answers) in answers.into_iter().enumerate() {
            self.cells.append(dialect, (matrix, origin), answers);
            self.verdict_set_id
                .append_n(Some(verdict_set_id), answers.n_cells());
        }
    }

    /// Appends the answers to one agent about the URL of that number and those that follow, for one
    /// vector of that origin.
    pub fn append_block(
        &mut self,
        verdict_set_id: i64,
        dialect: usize,
        agent: usize,
        first_url: usize,
        asked: (&Matrix, &str),
        decisions: &[Decision],
    ) {
        self.cells
            .append_block(dialect, agent, first_url, asked, decisions);
        self.verdict_set_id
            .append_n(Some(verdict_set_id), decisions.len());
    }
}
