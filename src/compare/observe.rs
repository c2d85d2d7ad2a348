//! Files by which a dialect is fitted to an external parser: a bounded sample of those that flip
//! and of those on which the sides agree.
//!
//! Files are taken by the hash of their content, the least first, so that the sample is the same
//! whatever the order of the archives. Of each kind of flip some files are taken in any case, by
//! the direction and the special characters of the path, since rare causes would be missed
//! otherwise.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    fit::Observation,
    found::Direction,
    query::{CellAnswer, Queries},
    shape,
};
use crate::digest::sha1;

/// Files that flip, files that do not, and files of each kind of flip.
const MAX_FLIPPING: usize = 300;
const MAX_AGREEING: usize = 300;
const MAX_OF_KIND: usize = 4;
/// Kinds of flips that are told apart.
const MAX_KINDS: usize = 64;
/// Cells of a file: those that flip, and those that do not.
const MAX_FLIPS: usize = 48;
pub(super) const MAX_AGREED: usize = 96;
/// Bytes of a file; larger ones are not taken.
const MAX_BODY: usize = 128 * 1024;

type Key = [u8; 20];

/// The sample so far.
#[derive(Debug, Default)]
pub(super) struct Observations {
    flipping: Least,
    agreeing: Least,
    by_kind: BTreeMap<u64, Least>,
}

/// The files with the least keys, and what was observed of both sides about each.
#[derive(Debug, Default)]
struct Least(BTreeMap<Key, Arc<[Observation; 2]>>);

impl Observations {
    /// Offers a file, which is taken if its hash is low enough.
    pub(super) fn offer(
        &mut self,
        body: &Arc<[u8]>,
        queries: &Queries,
        answers: [&[CellAnswer]; 2],
    ) {
        if body.len() > MAX_BODY {
            return;
        }
        let key = sha1(body);
        let [baseline, candidate] = answers;
        let (mut flips, mut agreed) = (Vec::new(), Vec::new());
        let mut kinds: Vec<u64> = Vec::new();
        for (index, (one, other)) in baseline.iter().zip(candidate).enumerate() {
            let Some(direction) = Direction::between(one.verdict, other.verdict) else {
                agreed.push(index);
                continue;
            };
            flips.push(index);
            let (_, url) = queries.get(index);
            let kind = shape::rough(direction, body, url, one, other);
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        let n_kinds = self.by_kind.len();
        kinds.retain(|kind| match self.by_kind.get(kind) {
            Some(files) => files.takes(&key, MAX_OF_KIND),
            None => n_kinds < MAX_KINDS,
        });
        let (all, max) = if flips.is_empty() {
            (&mut self.agreeing, MAX_AGREEING)
        } else {
            (&mut self.flipping, MAX_FLIPPING)
        };
        let is_taken = all.takes(&key, max);
        if !is_taken && kinds.is_empty() {
            return;
        }
        let cells = spread(&flips, MAX_FLIPS).chain(spread(&agreed, MAX_AGREED));
        let mut cells: Vec<usize> = cells.collect();
        // The queries of an agent stay together.
        cells.sort_unstable();
        let is_agreed = |&cell: &usize| baseline[cell].verdict == candidate[cell].verdict;
        let file = Arc::new(answers.map(|answers| Observation {
            body: Arc::clone(body),
            queries: queries.subset(cells.iter().copied()),
            verdicts: cells.iter().map(|&cell| answers[cell].verdict).collect(),
            agreed: cells.iter().map(is_agreed).collect(),
        }));
        if is_taken {
            all.insert(key, &file, max);
        }
        for kind in kinds {
            let files = self.by_kind.entry(kind).or_default();
            files.insert(key, &file, MAX_OF_KIND);
        }
    }

    /// Returns the observations of one side, 0 for the baseline.
    pub(super) fn of_side(&self, side: usize) -> Vec<Observation> {
        let all = [&self.flipping, &self.agreeing].into_iter();
        let files = all.chain(self.by_kind.values()).flat_map(|files| &files.0);
        let files: BTreeMap<_, _> = files.collect();
        files.into_values().map(|file| file[side].clone()).collect()
    }
}

impl Least {
    /// Returns true if and only if a file with this key is one of the `max` with the least keys.
    fn takes(&self, key: &Key, max: usize) -> bool {
        self.0.len() < max || self.0.last_key_value().is_some_and(|(last, _)| key < last)
    }

    fn insert(&mut self, key: Key, file: &Arc<[Observation; 2]>, max: usize) {
        self.0.insert(key, Arc::clone(file));
        if self.0.len() > max {
            self.0.pop_last();
        }
    }
}

/// Returns at most `max` of some items, evenly spread over them.
pub(super) fn spread(items: &[usize], max: usize) -> impl Iterator<Item = usize> {
    let n = items.len().min(max);
    (0..n).map(move |index| items[index * items.len() / n])
}
