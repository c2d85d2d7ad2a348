//! Files by which a dialect is fitted to an external parser: a bounded sample of those that flip
//! and of those on which the sides agree, and some that a dialect fitted to these does not explain.
//!
//! A sample is of the files with the least digests, so that it is the same whatever the order of
//! the archives. Those that a corpus has as examples come last, since most are rare. What is rare a
//! sample lacks: of each kind of flip that the fitted dialect does not give, some files are found
//! among all.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use rayon::prelude::*;

use super::{
    decider::Decider,
    explain::Agreed,
    fit::Observation,
    query::{CellAnswer, Queries},
    record::{FileKey, FlippingFile, FlippingFiles},
    refine::RightAnswers,
    shape::kinds_of_flips,
};
use crate::{archive::error::Error, digest::Base32Digest, robots::dialect::Dialect};

/// Files that flip, and files that do not.
const MAX_FLIPPING: usize = 300;
const MAX_AGREEING: usize = 300;
/// Kinds of flips that a dialect does not explain, those with most flips first, and files of each.
const MAX_KINDS: usize = 256;
const MAX_OF_KIND: usize = 2;
/// Kinds that are counted, the first that are met: memory must not grow with the files.
const MAX_KINDS_MET: usize = 16 * 1024;
/// Cells of a file: those that flip, and those that do not.
const MAX_FLIPS: usize = 48;
pub(super) const MAX_AGREED: usize = 96;
/// Bytes of a file of the sample; larger ones are not taken.
const MAX_BODY: usize = 128 * 1024;
/// Bytes of all files that a dialect does not explain.
const MAX_BYTES: usize = 16 * 1024 * 1024;
/// Files that are read at a time.
const BATCH: usize = 512;

/// The sample so far.
#[derive(Debug, Default)]
pub(super) struct Observations {
    flipping: Least,
    agreeing: Least,
}

/// The files with the least digests, those that are examples last, and what was observed of both
/// sides about each.
type Least = BTreeMap<(bool, Base32Digest), [Observation; 2]>;

impl Observations {
    /// Offers a file, which is taken if it is early enough in the order.
    pub(super) fn offer(
        &mut self,
        key: &FileKey,
        body: &Arc<[u8]>,
        queries: &Queries,
        answers: [&[CellAnswer]; 2],
    ) {
        let [baseline, candidate] = answers;
        let is_flip = |&cell: &usize| {
            let verdicts = [baseline[cell].verdict, candidate[cell].verdict];
            verdicts[0] != verdicts[1] && !verdicts.contains(&None)
        };
        let (flips, agreed): (Vec<usize>, Vec<usize>) = (0..queries.len()).partition(is_flip);
        let (files, max) = if flips.is_empty() {
            (&mut self.agreeing, MAX_AGREEING)
        } else {
            (&mut self.flipping, MAX_FLIPPING)
        };
        let order = (key.is_example, key.digest);
        let last = files.last_key_value().map(|(last, _)| *last);
        let is_taken = files.len() < max || last.is_some_and(|last| order < last);
        if body.len() > MAX_BODY || !is_taken {
            return;
        }
        let cells = spread(&flips, MAX_FLIPS).chain(spread(&agreed, MAX_AGREED));
        let mut cells: Vec<usize> = cells.collect();
        // The queries of an agent stay together.
        cells.sort_unstable();
        let is_agreed = |&cell: &usize| baseline[cell].verdict == candidate[cell].verdict;
        let file = answers.map(|answers| Observation {
            body: Arc::clone(body),
            queries: queries.subset(cells.iter().copied()),
            verdicts: cells.iter().map(|&cell| answers[cell].verdict).collect(),
            agreed: cells.iter().map(is_agreed).collect(),
        });
        files.insert(order, file);
        if files.len() > max {
            files.pop_last();
        }
    }

    /// Returns the observations of one side, 0 for the baseline.
    pub(super) fn of_side(&self, side: usize) -> Vec<Observation> {
        let files = [&self.flipping, &self.agreeing].into_iter();
        let files = files.flat_map(BTreeMap::values);
        files.map(|file| file[side].clone()).collect()
    }
}

/// Returns files with flips on which a dialect does not answer as one side does, 0 for the
/// baseline, to which it is fitted; `readers` are the dialects that are most like the sides.
///
/// # Errors
///
/// The files cannot be read.
pub(super) fn misfits(
    files: &mut FlippingFiles,
    readers: [&Dialect; 2],
    side: usize,
) -> Result<Vec<Observation>, Error> {
    // By kind its flips, and its smallest files.
    let mut kinds: BTreeMap<u64, (u64, BTreeSet<(usize, u32)>)> = BTreeMap::new();
    let kinds_of = |decider: &mut Decider, file: &FlippingFile| {
        let wrong = wrong_flips(decider, file, readers[side], side);
        let kinds = kinds_of_flips(decider, file, readers, &wrong);
        (file.body.len(), kinds)
    };
    for_each(files, kinds_of, |number, (length, of_file)| {
        for kind in of_file {
            if kinds.len() == MAX_KINDS_MET && !kinds.contains_key(&kind) {
                continue;
            }
            let (n_flips, smallest) = kinds.entry(kind).or_default();
            *n_flips += 1;
            smallest.insert((length, number));
            if smallest.len() > MAX_OF_KIND {
                smallest.pop_last();
            }
        }
    })?;
    let mut kinds: Vec<_> = kinds.into_iter().collect();
    kinds.sort_by_key(|(kind, (n_flips, _))| (Reverse(*n_flips), *kind));
    let mut n_bytes = 0;
    let mut found = BTreeSet::new();
    for (_, (_, smallest)) in kinds.into_iter().take(MAX_KINDS) {
        for (length, number) in smallest {
            if n_bytes + length <= MAX_BYTES && found.insert(number) {
                n_bytes += length;
            }
        }
    }
    let mut decider = Decider::default();
    let observed = found.into_iter().map(|number| {
        let (file, _) = files.read(number)?;
        decider.parse(&file.body);
        let wrong = wrong_flips(&mut decider, &file, readers[side], side);
        Ok(observation(&file, &wrong, side))
    });
    observed.collect()
}

/// Returns where a dialect answers as one side does about all files with flips; of the cells on
/// which the sides agree those count that are kept.
///
/// # Errors
///
/// The files cannot be read.
pub(super) fn right_answers(
    files: &mut FlippingFiles,
    dialect: &Dialect,
    side: usize,
) -> Result<RightAnswers, Error> {
    let of_file = |decider: &mut Decider, file: &FlippingFile| {
        let n_wrong = wrong_flips(decider, file, dialect, side).len();
        let agreed = decider.verdicts(dialect, &file.body, &file.agreed.queries);
        let agreed = agreed.iter().zip(&file.agreed.verdicts);
        let n_contradicted = agreed.filter(|(ours, theirs)| ours != theirs).count();
        let n_cells = file.flips.len() + file.agreed.verdicts.len();
        (n_cells, n_wrong, n_contradicted)
    };
    let mut right = RightAnswers::default();
    for_each(files, of_file, |_, (n_cells, n_wrong, n_contradicted)| {
        right.cells += n_cells - n_wrong - n_contradicted;
        right.explained += usize::from(n_wrong == 0);
        right.contradicted += usize::from(n_contradicted > 0);
    })?;
    Ok(right)
}

/// Takes what is found in each file with flips, by its number and in order; the decider given has
/// parsed the file.
fn for_each<T: Send>(
    files: &mut FlippingFiles,
    find: impl Fn(&mut Decider, &FlippingFile) -> T + Sync,
    mut take: impl FnMut(u32, T),
) -> Result<(), Error> {
    let n_files = files.len() as u32;
    for first in (0..n_files).step_by(BATCH) {
        let numbers = first..n_files.min(first + BATCH as u32);
        let batch = files.read_all(numbers.clone())?;
        let found = batch.par_iter();
        let found = found.map_init(Decider::default, |decider, file| {
            decider.parse(&file.body);
            find(decider, file)
        });
        let found: Vec<T> = found.collect();
        for (number, found) in numbers.zip(found) {
            take(number, found);
        }
    }
    Ok(())
}

/// Returns the indexes of the flips on which a dialect does not answer as a side does.
fn wrong_flips(
    decider: &mut Decider,
    file: &FlippingFile,
    dialect: &Dialect,
    side: usize,
) -> Vec<usize> {
    let ours = decider.verdicts(dialect, &file.body, &file.queries);
    let is_wrong = |&index: &usize| file.flips[index].answers[side].verdict != Some(ours[index]);
    (0..ours.len()).filter(is_wrong).collect()
}

/// Returns what is observed of one side about a file, with some of the flips of these indexes and
/// of the others.
fn observation(file: &FlippingFile, wrong: &[usize], side: usize) -> Observation {
    let right = (0..file.flips.len()).filter(|index| !wrong.contains(index));
    let right: Vec<usize> = right.collect();
    let flips = spread(wrong, MAX_FLIPS).chain(spread(&right, MAX_FLIPS));
    let flips = flips.map(|index| {
        let verdict = file.flips[index].answers[side].verdict;
        (file.queries.get(index), verdict, false)
    });
    let Agreed { queries, verdicts } = &file.agreed;
    let agreed = queries.iter().zip(verdicts);
    let agreed = agreed.map(|(query, verdict)| (query, Some(*verdict), true));
    let mut cells: Vec<_> = flips.chain(agreed).collect();
    // The queries of an agent stay together.
    cells.sort_by_key(|((agent, _), ..)| *agent);
    Observation {
        body: file.body.as_slice().into(),
        queries: cells.iter().map(|(query, ..)| *query).collect(),
        verdicts: cells.iter().map(|(_, verdict, _)| *verdict).collect(),
        agreed: cells.iter().map(|(.., is_agreed)| *is_agreed).collect(),
    }
}

/// Returns at most `max` of some items, evenly spread over them.
pub(super) fn spread(items: &[usize], max: usize) -> impl Iterator<Item = usize> {
    let n = items.len().min(max);
    (0..n).map(move |index| items[index * items.len() / n])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::{base32, sha1};

    #[test]
    fn examples_of_a_corpus_take_the_places_that_are_left() {
        let queries: Queries = [("a", "https://example.com/")].into_iter().collect();
        let answers = [CellAnswer::default()];
        for (n_sampled, n_examples) in [(MAX_AGREEING - 1, 1), (MAX_AGREEING + 1, 0)] {
            let mut observations = Observations::default();
            for number in 0..2 * n_sampled {
                let body = number.to_string().into_bytes();
                let key = FileKey {
                    capture_id: 0,
                    host: "a.example".into(),
                    digest: base32(&sha1(&body)),
                    is_example: number % 2 == 0,
                };
                observations.offer(&key, &body.into(), &queries, [&answers, &answers]);
            }
            let found = observations.of_side(0);
            let number = |file: &Observation| str::from_utf8(&file.body).unwrap().parse().unwrap();
            let numbers: Vec<usize> = found.iter().map(number).collect();
            let found = numbers.iter().filter(|number| **number % 2 == 0).count();
            assert_eq!((numbers.len(), found), (MAX_AGREEING, n_examples));
        }
    }
}
