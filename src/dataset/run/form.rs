//! The form in which verdicts are written, and the table of each.

use crate::dataset::table::{verdict_sets, verdicts};

/// The form in which the answers to the matrix are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VerdictForm {
    /// A row of `verdicts` for each cell of each capture.
    #[default]
    Rows,
    /// Each distinct vector of answers of a part once, in `verdict_sets`, and its identifier in
    /// `captures`.
    ///
    /// If a capture has more than 262,144 cells, all dialects taken together, vectors are told
    /// apart by the bodies and fetches they follow from, and every worker writes its own: those of
    /// two captures may then be equal.
    Sets,
}

impl VerdictForm {
    pub(crate) const ALL: [Self; 2] = [Self::Rows, Self::Sets];

    /// Returns the name used in options.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::Sets => "sets",
        }
    }

    /// Returns the name of the table that has verdicts in this form.
    pub(crate) fn table(self) -> &'static str {
        match self {
            Self::Rows => verdicts::TABLE.name,
            Self::Sets => verdict_sets::TABLE.name,
        }
    }
}
