//! Further changes of a dialect that is fitted to a sample of files.
//!
//! A sample lacks what is rare, and by chance shows the lesser of two answers as the better one. So
//! some files that the dialect does not explain are looked for among all that flip; the changes
//! that help there and in the sample are made where they give more verdicts of all files.

use std::time::Instant;

use super::{
    cause::Change,
    fit::{FLIPS_A_CONTRADICTION, FitSearch, Observation},
};
use crate::robots::dialect::Dialect;

/// Cells on which a dialect answers as a parser does.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CellsRight {
    /// Those on which the sides differ.
    pub flips: usize,
    /// Those on which they agree.
    pub agreed: usize,
}

impl CellsRight {
    /// Returns true if and only if there are more cells, and [`FLIPS_A_CONTRADICTION`] flips more
    /// for each cell less on which the sides agree.
    fn is_better_than(self, other: CellsRight) -> bool {
        let contradicted = other.agreed.saturating_sub(self.agreed);
        self.flips + self.agreed > other.flips + other.agreed
            && self.flips >= other.flips + contradicted * FLIPS_A_CONTRADICTION
    }
}

/// Returns a dialect that is fitted to a sample with further changes, by which it gives more of the
/// verdicts of the sample and of files that it does not explain, and of all files: of these
/// `n_right` returns on how many cells a dialect answers as the parser does. From the time `until`
/// no more changes are made.
///
/// # Errors
///
/// Those of `n_right`.
pub fn refine<E>(
    fitted: &Dialect,
    sample: &[Observation],
    misfits: &[Observation],
    until: Option<Instant>,
    mut n_right: impl FnMut(&Dialect) -> Result<CellsRight, E>,
) -> Result<Dialect, E> {
    let is_late = || until.is_some_and(|until| Instant::now() >= until);
    let observations = [sample, misfits].concat();
    let mut refined = fitted.clone();
    let mut right = n_right(fitted)?;
    let mut open = Change::all(fitted);
    loop {
        // Each is tried on all files once: it is made, or will be of no more use.
        let search = FitSearch::new(&refined, &observations);
        let improvements = search.take_improvements(&mut open, is_late);
        if improvements.is_empty() {
            break;
        }
        for change in improvements {
            if is_late() {
                break;
            }
            let dialect = Change::apply_all(&refined, [&change]);
            let with_change = n_right(&dialect)?;
            if with_change.is_better_than(right) {
                (refined, right) = (dialect, with_change);
            }
        }
    }
    let mut search = FitSearch::new(&refined, &observations);
    search.undo_contradictions(fitted);
    Ok(search.dialect)
}
