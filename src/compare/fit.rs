//! The search for the dialect that behaves as a parser does.
//!
//! From a dialect on, the change that gives most of the verdicts observed is made, over cells on
//! which the sides agree as well as over those that flip, until none helps; then pairs are tried;
//! then each change is undone without which nothing is lost. The search begins at the base, and at
//! the built-in dialect that answers most like the parser; the better result counts. In the end
//! changes are undone that contradict what both sides agree on in too many files.
//!
//! A change is tried on the cells that are still wrong first. Only those that correct some are
//! tried on the others, which are many more.

use std::{cmp::Reverse, collections::BTreeSet, slice, sync::Arc, time::Instant};

use rayon::prelude::*;

use super::{cause::Change, decider::Decider, query::Queries};
use crate::robots::dialect::{Dialect, Verdict};

/// Files on which pairs of changes are tried: there are thousands of pairs.
const MAX_FILES_OF_PAIRS: usize = 32;
/// Files on which changes are tried at a time: on the next ones only if they still can win.
const FILES_AT_A_TIME: usize = 32;
/// Files of which a change must explain flips for each file in which it contradicts what both sides
/// agree on: where it does, it may contradict all cells.
const FILES_A_CONTRADICTION: usize = 10;

/// One file, what it was asked, and what a parser answered.
#[derive(Clone, Debug)]
pub struct Observation {
    /// The body of the robots.txt.
    pub body: Arc<[u8]>,
    /// What was asked; queries of one agent are together.
    pub queries: Queries,
    /// The parser's verdicts, one for each query; `None` where it gave none.
    pub verdicts: Vec<Option<Verdict>>,
    /// Whether the other side gave the same verdict; where it did, no change may contradict.
    pub agreed: Vec<bool>,
}

/// Searches the dialect that gives most of the verdicts observed and contradicts hardly a file in
/// which both sides agree; see [`FILES_A_CONTRADICTION`]. From the time `until` no more changes are
/// made.
pub fn fit(base: &Dialect, observations: &[Observation], until: Option<Instant>) -> Dialect {
    let mut search = FitSearch::nearest(base, observations, until);
    search.undo_contradictions(base);
    search.dialect
}

/// Returns the share of the cells observed on which both sides agree and a dialect gives another
/// verdict.
pub fn contradicted_share(dialect: &Dialect, observations: &[Observation]) -> f64 {
    let agreed = observations.iter().flat_map(|file| &file.agreed);
    let n_agreed = agreed.filter(|&&agreed| agreed).count();
    let search = FitSearch::new(dialect, observations);
    let n_contradicted: usize = search.n_by_file(&search.wrong, true).sum();
    n_contradicted as f64 / n_agreed.max(1) as f64
}

/// Searches the dialect that gives most of the verdicts observed, whatever the other side answers;
/// of equal ones one that has more answers of `base`. From the time `until` no more changes are
/// made.
pub fn nearest(base: &Dialect, observations: &[Observation], until: Option<Instant>) -> Dialect {
    FitSearch::nearest(base, observations, until).dialect
}

/// Returns the built-in dialect that gives most of the verdicts observed; of equal ones the first.
pub fn best_built_in(observations: &[Observation]) -> &'static Dialect {
    let n_right = |dialect: &&&Dialect| FitSearch::new(dialect, observations).n_cells_right();
    let best = Dialect::BUILT_IN.iter().rev().max_by_key(n_right);
    best.copied().unwrap_or(&Dialect::GOOGLE)
}

/// A search: the dialect so far, and what it gives of the verdicts observed.
pub(super) struct FitSearch<'o> {
    observations: &'o [Observation],
    pub dialect: Dialect,
    /// By file, the cells on which the dialect gives the parser's verdict.
    right: Vec<Vec<u32>>,
    /// By file, those on which it gives another one.
    wrong: Vec<Vec<u32>>,
}

impl<'o> FitSearch<'o> {
    /// Searches from the base on, and from the built-in dialect that answers most like the parser:
    /// where several answers must change together before any verdict does, no way leads from the
    /// one to the other by single changes.
    fn nearest(
        base: &Dialect,
        observations: &'o [Observation],
        until: Option<Instant>,
    ) -> FitSearch<'o> {
        let is_late = || until.is_some_and(|until| Instant::now() >= until);
        let climb_from = |start: &Dialect| {
            let mut search = FitSearch::new(start, observations);
            search.climb(is_late);
            search
        };
        let mut best = climb_from(base);
        if !best.is_complete() {
            let from_built_in = climb_from(best_built_in(observations));
            if from_built_in.n_cells_right() > best.n_cells_right() {
                best = from_built_in;
            }
        }
        while let Some(dialect) = best.best_pair(is_late) {
            best = FitSearch::new(&dialect, observations);
            best.climb(is_late);
        }
        best.undo_idle_changes(base);
        best
    }

    /// Returns the search that continues with a change.
    fn with(&self, change: &Change) -> FitSearch<'o> {
        let dialect = Change::apply_all(&self.dialect, [change]);
        FitSearch::new(&dialect, self.observations)
    }

    pub fn new(dialect: &Dialect, observations: &'o [Observation]) -> FitSearch<'o> {
        let split = |decider: &mut Decider, file: &Observation| {
            decider.parse(&file.body);
            let ours = decider.verdicts(dialect, &file.body, &file.queries);
            let cells = (0_u32..).zip(ours.into_iter().zip(&file.verdicts));
            let (mut right, mut wrong) = (Vec::new(), Vec::new());
            for (cell, (ours, theirs)) in cells {
                match theirs {
                    Some(theirs) if *theirs == ours => right.push(cell),
                    Some(_) => wrong.push(cell),
                    None => {}
                }
            }
            (right, wrong)
        };
        let files = observations.par_iter();
        let (right, wrong) = files.map_init(Decider::default, split).unzip();
        FitSearch {
            observations,
            dialect: dialect.clone(),
            right,
            wrong,
        }
    }

    /// Makes the best change until none helps or it is late.
    fn climb(&mut self, is_late: impl Fn() -> bool) {
        loop {
            let singles = Change::all(&self.dialect);
            let singles = singles.iter().map(slice::from_ref);
            let Some(dialect) = self.best_of(singles, usize::MAX, &is_late) else {
                return;
            };
            *self = FitSearch::new(&dialect, self.observations);
        }
    }

    /// Returns the dialect with the best two changes at once; `None` where none help.
    fn best_pair(&self, is_late: impl Fn() -> bool) -> Option<Dialect> {
        let pairs = pairs(&Change::all(&self.dialect));
        let pairs = pairs.iter().map(<[Change; 2]>::as_slice);
        self.best_of(pairs, MAX_FILES_OF_PAIRS, is_late)
    }

    /// Returns the dialect with the changes, of those offered, that give the parser's verdicts on
    /// most cells more than the dialect does; `None` where none helps. Changes that correct nothing
    /// in the `n_files` smallest files with wrong cells are not tried further; none is once it is
    /// late.
    fn best_of<'c>(
        &self,
        offered: impl Iterator<Item = &'c [Change]>,
        n_files: usize,
        is_late: impl Fn() -> bool,
    ) -> Option<Dialect> {
        let mut best = None;
        let mut highest = 0;
        let files = self.files_with_wrong_cells();
        for changes in offered.take_while(|_| !is_late()) {
            if let Some((gain, dialect)) = self.gain(changes, &files, n_files, highest) {
                highest = gain;
                best = Some(dialect);
            }
        }
        best
    }

    /// Takes those changes out that, made alone, give more of the parser's verdicts than the
    /// dialect does, and returns them, the one that gives most first. None is taken once it is
    /// late.
    pub fn take_improvements(
        &self,
        changes: &mut Vec<Change>,
        is_late: impl Fn() -> bool,
    ) -> Vec<Change> {
        let files = self.files_with_wrong_cells();
        let gain = |change: &Change| Some(self.gain(&[*change], &files, usize::MAX, 0)?.0);
        let taken = changes.extract_if(.., |change| !is_late() && gain(change).is_some());
        let mut taken: Vec<Change> = taken.collect();
        taken.sort_by_cached_key(|change| Reverse(gain(change)));
        taken
    }

    /// Returns the files with cells on which the dialect does not give the parser's verdict, the
    /// smallest first.
    fn files_with_wrong_cells(&self) -> Vec<usize> {
        let files = (0..self.wrong.len()).filter(|&file| !self.wrong[file].is_empty());
        let mut files: Vec<usize> = files.collect();
        files.sort_by_key(|&file| self.observations[file].body.len());
        files
    }

    /// Returns the dialect with changes, and on how many cells more than the current one it gives
    /// the parser's verdict; `None` unless they are more than `highest`, and where the changes
    /// correct nothing in the first `n_files` of the `files` with wrong cells.
    fn gain(
        &self,
        changes: &[Change],
        files: &[usize],
        n_files: usize,
        highest: usize,
    ) -> Option<(usize, Dialect)> {
        let dialect = Change::apply_all(&self.dialect, changes);
        let (few, others) = files.split_at(files.len().min(n_files));
        let mut gain = self.n_right(&dialect, changes, few, &self.wrong);
        if gain > 0 {
            gain += self.n_right(&dialect, changes, others, &self.wrong);
        }
        let mut loss = 0;
        let all: Vec<usize> = (0..self.right.len()).collect();
        for files in all.chunks(FILES_AT_A_TIME) {
            if gain <= highest + loss {
                return None;
            }
            let n_right: usize = files.iter().map(|&file| self.right[file].len()).sum();
            loss += n_right - self.n_right(&dialect, changes, files, &self.right);
        }
        (gain > highest + loss).then(|| (gain - loss, dialect))
    }

    /// Returns on how many of these cells a dialect gives the parser's verdict. It differs from the
    /// current one in these changes.
    fn n_right(
        &self,
        dialect: &Dialect,
        changes: &[Change],
        files: &[usize],
        cells: &[Vec<u32>],
    ) -> usize {
        let count = |decider: &mut Decider, &index: &usize| {
            let file = &self.observations[index];
            decider.parse(&file.body);
            let dialects = [&self.dialect, dialect];
            let can_show =
                |change: &Change| decider.can_show(change.choice(), dialects, &file.queries);
            if !changes.iter().any(can_show) {
                // The verdicts are those of the current dialect.
                let is_right = std::ptr::eq(cells, self.right.as_slice());
                return if is_right { cells[index].len() } else { 0 };
            }
            let cells = || cells[index].iter().map(|&cell| cell as usize);
            let queries = file.queries.subset(cells());
            let ours = decider.verdicts(dialect, &file.body, &queries);
            let theirs = cells().map(|cell| file.verdicts[cell]);
            ours.into_iter()
                .zip(theirs)
                .filter(|(ours, theirs)| Some(*ours) == *theirs)
                .count()
        };
        files.par_iter().map_init(Decider::default, count).sum()
    }

    /// Undoes changes without which nothing is lost: a change may have been a step on the way to
    /// another.
    fn undo_idle_changes(&mut self, base: &Dialect) {
        for change in Change::between(&self.dialect, base) {
            let trial = self.with(&change);
            if trial.n_cells_right() >= self.n_cells_right() {
                *self = trial;
            }
        }
    }

    /// Undoes changes until each of those that are left explains flips of [`FILES_A_CONTRADICTION`]
    /// files for each file in which it contradicts a cell on which both sides agree; the worst
    /// first. Parsers have more peculiarities than dialects have choices, so that hardly a change
    /// contradicts none.
    fn undo_contradictions(&mut self, base: &Dialect) {
        loop {
            let contradicted = self.contradicted_files();
            let trials = Change::between(&self.dialect, base)
                .into_iter()
                .map(|change| {
                    let trial = self.with(&change);
                    let avoided = contradicted.difference(&trial.contradicted_files()).count();
                    let flips = self.n_by_file(&self.right, false);
                    let flips = flips.zip(trial.n_by_file(&trial.right, false));
                    let lost = flips.filter(|(before, after)| after < before).count();
                    let excess = (avoided * FILES_A_CONTRADICTION).saturating_sub(lost);
                    (excess, trial)
                });
            match trials.max_by_key(|(excess, _)| *excess) {
                Some((excess, trial)) if excess > 0 => *self = trial,
                _ => return,
            }
        }
    }

    /// Returns by file on how many of these cells the sides agree, or else how many flip.
    fn n_by_file(&self, cells: &[Vec<u32>], is_agreed: bool) -> impl Iterator<Item = usize> {
        let files = cells.iter().zip(self.observations);
        files.map(move |(cells, file)| {
            let of_file = cells.iter().map(|&cell| file.agreed[cell as usize]);
            of_file.filter(|&agreed| agreed == is_agreed).count()
        })
    }

    /// Returns the files in which the dialect contradicts a cell on which the sides agree.
    pub fn contradicted_files(&self) -> BTreeSet<usize> {
        let files = self.n_by_file(&self.wrong, true).enumerate();
        files
            .filter(|&(_, n)| n > 0)
            .map(|(file, _)| file)
            .collect()
    }

    /// Returns true if and only if the dialect gives all verdicts of the parser.
    fn is_complete(&self) -> bool {
        self.wrong.iter().all(Vec::is_empty)
    }

    fn n_cells_right(&self) -> usize {
        self.right.iter().map(Vec::len).sum()
    }
}

fn pairs(changes: &[Change]) -> Vec<[Change; 2]> {
    let pairs = (0..changes.len())
        .flat_map(|first| (first + 1..changes.len()).map(move |second| (first, second)));
    pairs
        .map(|(first, second)| [changes[first], changes[second]])
        .filter(|[first, second]| first.choice() != second.choice())
        .collect()
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::{
        compare::{
            bodies::bodies,
            probe,
            refine::{RightAnswers, refine},
        },
        robots::{
            dialect::RuleSet,
            lines::{RobotsTxt, parse},
        },
    };

    /// Returns what a candidate answers about files, and whether `base` agrees.
    fn observed(base: &Dialect, candidate: &Dialect, bodies: Vec<Vec<u8>>) -> Vec<Observation> {
        let options = probe::ProbeOptions {
            agents: vec!["Foo".to_owned()],
            max: 256,
            has_chains: true,
            has_external: false,
        };
        let mut decider = Decider::default();
        let observe = |body: Vec<u8>| {
            let mut robots = RobotsTxt::new();
            parse(&body, &mut robots);
            let mut rules = RuleSet::new();
            rules.compile(base, &body, &robots);
            let queries = probe::derive(&body, &[&rules], &options).queries;
            decider.parse(&body);
            let before = decider.verdicts(base, &body, &queries);
            let after = decider.verdicts(candidate, &body, &queries);
            Observation {
                agreed: before.iter().zip(&after).map(|(a, b)| a == b).collect(),
                verdicts: after.into_iter().map(Some).collect(),
                body: body.into(),
                queries,
            }
        };
        bodies.into_iter().map(observe).collect()
    }

    fn change(base: &Dialect, name: &str) -> Change {
        let mut changes = Change::all(base).into_iter();
        changes.find(|change| change.to_string() == name).unwrap()
    }

    /// Returns true if and only if a fitted dialect gives every verdict observed.
    fn is_complete(dialect: &Dialect, observations: &[Observation]) -> bool {
        FitSearch::new(dialect, observations).is_complete()
    }

    #[test]
    fn each_change_of_one_answer_is_found_by_what_it_answers() {
        for base in [&Dialect::GOOGLE, &Dialect::RFC9309] {
            let mut n_shown = 0;
            for change in Change::all(base) {
                let mut candidate = base.clone();
                change.apply(&mut candidate);
                let observations = observed(base, &candidate, bodies());
                let fitted = fit(base, &observations, None);
                let changes = Change::between(base, &fitted);
                assert!(is_complete(&fitted, &observations), "{change}");
                let differs = observations
                    .iter()
                    .flat_map(|file| &file.agreed)
                    .any(|agreed| !agreed);
                let found: Vec<String> = changes.iter().map(Change::to_string).collect();
                if differs {
                    assert_eq!(found.len(), 1, "{change}: {found:?}");
                } else {
                    assert!(found.is_empty(), "{change}: {found:?}");
                }
                n_shown += usize::from(found == [change.to_string()]);
            }
            assert!(n_shown > 25, "{}: {n_shown}", base.name);
        }
    }

    /// Returns one observation of a file in which the first rule does not allow what the longest
    /// forbids, or of a parser that answers there as `base` does.
    fn observed_once(base: &Dialect, candidate: &Dialect) -> Observation {
        let body = b"User-agent: *\nAllow: /\nDisallow: /a\n".to_vec();
        let mut file = observed(base, candidate, vec![body]).remove(0);
        let asked = |(agent, url): (&str, &str)| agent == "Foo" && url.ends_with("/a");
        let cell = file.queries.iter().position(asked).unwrap();
        file.queries = file.queries.subset([cell]);
        file.verdicts = vec![file.verdicts[cell]];
        file.agreed = vec![file.agreed[cell]];
        file
    }

    #[test]
    fn a_change_contradicts_one_file_for_each_ten_that_it_explains_at_most() {
        let base = &Dialect::GOOGLE;
        let candidate = Change::apply_all(base, [&change(base, "precedence=first")]);
        let flip = observed_once(base, &candidate);
        let mut agreement = observed_once(base, base);
        // Files count, not their cells.
        agreement.queries = agreement.queries.subset([0; 3]);
        agreement.verdicts = vec![agreement.verdicts[0]; 3];
        agreement.agreed = vec![true; 3];
        assert_eq!(*flip.agreed, [false]);
        for (n_flips, n_agreements, is_found) in [
            (1, 0, true),
            (9, 1, false),
            (10, 1, true),
            (25, 2, true),
            (25, 3, false),
        ] {
            let mut observations = vec![flip.clone(); n_flips];
            observations.extend(vec![agreement.clone(); n_agreements]);
            let found = Change::between(base, &fit(base, &observations, None));
            let found: Vec<String> = found.iter().map(Change::to_string).collect();
            let expected: &[&str] = if is_found { &["precedence=first"] } else { &[] };
            assert_eq!(
                found, expected,
                "{n_flips} flips, {n_agreements} agreements"
            );
        }
    }

    #[test]
    fn what_is_rare_is_found_unless_all_files_contradict_it() {
        let base = &Dialect::GOOGLE;
        let candidate = Change::apply_all(base, [&change(base, "precedence=first")]);
        let misfits = [observed_once(base, &candidate)];
        let right = |cells, explained, contradicted| RightAnswers {
            cells,
            explained,
            contradicted,
        };
        let of_base = right(100, 10, 5);
        for (of_all, is_found) in [
            (right(101, 13, 6), true),
            (right(101, 12, 6), false),
            (right(101, 10, 5), true),
            (right(101, 9, 4), false),
            (right(100, 20, 5), false),
        ] {
            let right_answers = |dialect: &Dialect| {
                let of_dialect = if dialect == base { of_base } else { of_all };
                Ok::<_, Infallible>(of_dialect)
            };
            let refined = refine(base, &[], &misfits, None, right_answers).unwrap();
            assert_eq!(refined == candidate, is_found, "{of_all:?}");
            assert_eq!(refined == *base, !is_found, "{of_all:?}");
        }
    }

    #[test]
    fn of_two_answers_the_one_that_gives_more_of_all_files_is_found() {
        let base = &Dialect::GOOGLE;
        let with = |name: &str| Change::apply_all(base, [&change(base, name)]);
        let (prefix, in_token) = (with("agent_match=prefix"), with("agent_match=in-token"));
        let bodies = [
            "User-agent: Fo\nDisallow: /\n",
            "User-agent: oo\nDisallow: /\n",
        ];
        let bodies = bodies.map(|body| body.as_bytes().to_vec()).into();
        let observations = observed(base, &in_token, bodies);
        assert_eq!(fit(base, &observations, None), in_token);
        let right_answers = |dialect: &Dialect| {
            let cells = match dialect {
                dialect if *dialect == prefix => 2,
                dialect if *dialect == in_token => 1,
                _ => 0,
            };
            Ok::<_, Infallible>(RightAnswers {
                cells,
                ..RightAnswers::default()
            })
        };
        let refined = refine(base, &[], &observations, None, right_answers).unwrap();
        assert_eq!(refined, prefix);
    }

    #[test]
    fn answers_that_must_change_together_are_found_from_the_nearest_built_in_dialect() {
        // From Python's on, no single change and no pair gives more of the verdicts of a parser
        // that follows RFC 9309 but for one answer.
        let base = &Dialect::PYTHON;
        let mut candidate = Dialect::RFC9309.clone();
        candidate.robots_txt_itself = Dialect::GOOGLE.robots_txt_itself;
        let observations = observed(base, &candidate, bodies());
        let fitted = fit(base, &observations, None);
        let changes = Change::between(base, &fitted);
        assert!(is_complete(&fitted, &observations), "{changes:?}");
        assert!(changes.len() > 2, "{changes:?}");
    }

    #[test]
    fn no_change_is_searched_when_the_time_is_over() {
        let base = &Dialect::GOOGLE;
        let is_left = |change: &Change| {
            let mut candidate = base.clone();
            change.apply(&mut candidate);
            let observations = observed(base, &candidate, bodies());
            let late = fit(base, &observations, Some(Instant::now()));
            !is_complete(&late, &observations)
        };
        assert!(Change::all(base).iter().any(is_left));
    }

    #[test]
    fn the_built_in_dialect_that_answers_so_is_found() {
        for dialect in [&Dialect::PYTHON, &Dialect::BAIDU, &Dialect::RFC9309] {
            let observations = observed(&Dialect::GOOGLE, dialect, bodies());
            assert_eq!(best_built_in(&observations).name, dialect.name);
        }
    }
}
