//! Further changes of a dialect that is fitted to a sample of files.
//!
//! A sample lacks what is rare, and by chance shows the lesser of two answers as the better one. So
//! some files that the dialect does not explain are looked for among all that flip; the changes
//! that help there and in the sample are made where they give more verdicts of all files.

use std::time::Instant;

use super::{
    cause::Change,
    fit::{FitSearch, Observation},
};
use crate::robots::dialect::Dialect;

/// Files that a change must explain for each one that it contradicts: fewer than in a sample, where
/// some are explained by chance, and a rare behavior shows in a few files only.
const FILES_A_CONTRADICTION: usize = 3;

/// Where a dialect answers as a parser does.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RightAnswers {
    /// The cells.
    pub cells: usize,
    /// The files in which it gives all flips.
    pub explained: usize,
    /// The files in which it contradicts a cell on which the sides agree.
    pub contradicted: usize,
}

impl RightAnswers {
    /// Returns true if and only if there are more cells, and [`FILES_A_CONTRADICTION`] more files
    /// that are explained for each one more that is contradicted.
    fn is_better_than(self, other: RightAnswers) -> bool {
        let contradicted = self.contradicted.saturating_sub(other.contradicted);
        self.cells > other.cells
            && self.explained >= other.explained + contradicted * FILES_A_CONTRADICTION
    }
}

/// Returns a dialect that is fitted to a sample with further changes, by which it gives more of the
/// verdicts of the sample and of files that it does not explain, and of all files that flip: of
/// these `right_answers` returns where a dialect answers as the parser does. Those of the sample
/// that do not flip count where it contradicts them. From the time `until` no more changes are
/// made.
///
/// # Errors
///
/// Those of `right_answers`.
pub fn refine<E>(
    fitted: &Dialect,
    sample: &[Observation],
    misfits: &[Observation],
    until: Option<Instant>,
    mut right_answers: impl FnMut(&Dialect) -> Result<RightAnswers, E>,
) -> Result<Dialect, E> {
    let is_late = || until.is_some_and(|until| Instant::now() >= until);
    let observations = [sample, misfits].concat();
    let agreeing = sample.iter().filter(|file| !file.agreed.contains(&false));
    let agreeing: Vec<Observation> = agreeing.cloned().collect();
    let mut right_answers = |dialect: &Dialect| -> Result<RightAnswers, E> {
        let mut right = right_answers(dialect)?;
        right.contradicted += FitSearch::new(dialect, &agreeing)
            .contradicted_files()
            .len();
        Ok(right)
    };
    let mut refined = fitted.clone();
    let mut right = right_answers(fitted)?;
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
            let with_change = right_answers(&dialect)?;
            if with_change.is_better_than(right) {
                (refined, right) = (dialect, with_change);
            }
        }
    }
    Ok(refined)
}
