//! Files by which a dialect is fitted to an external parser: a bounded sample of those that flip
//! and of those on which the sides agree.
//!
//! Files are taken by the hash of their content, the least first, so that the sample is the same
//! whatever the order of the archives. Of each kind of flip some files are taken in any case, by
//! the direction and the special characters of the path, since rare causes would be missed
//! otherwise.

use std::{collections::BTreeMap, sync::Arc};

use super::{fit::Observation, found::Direction, query::Queries, shape, side::CellAnswer};
use crate::digest::sha1;

/// Files that flip, files that do not, and files of each kind of flip.
const MAX_FLIPPING: usize = 300;
const MAX_AGREEING: usize = 300;
const MAX_OF_KIND: usize = 4;
/// Kinds of flips that are told apart.
const MAX_KINDS: usize = 64;
/// Cells of a file: those that flip, and those that do not.
const MAX_FLIPS: usize = 48;
const MAX_AGREED: usize = 96;
/// Bytes of a file; larger ones are not taken.
const MAX_BODY: usize = 128 * 1024;

type Key = [u8; 20];

/// The sample so far.
#[derive(Debug, Default)]
pub(super) struct Observations {
    flipping: BTreeMap<Key, Arc<ObservedFile>>,
    agreeing: BTreeMap<Key, Arc<ObservedFile>>,
    by_kind: BTreeMap<u64, BTreeMap<Key, Arc<ObservedFile>>>,
}

/// A file with the answers of both sides.
#[derive(Debug)]
struct ObservedFile {
    body: Arc<[u8]>,
    queries: Queries,
    answers: Vec<[CellAnswer; 2]>,
}

impl Observations {
    /// Offers a file, which is taken if its hash is low enough.
    pub(super) fn offer(
        &mut self,
        body: &Arc<[u8]>,
        queries: &Queries,
        [baseline, candidate]: [&[CellAnswer]; 2],
    ) {
        if body.len() > MAX_BODY {
            return;
        }
        let key = sha1(body);
        let is_flip = |index: &usize| {
            let verdicts = (baseline[*index].verdict, candidate[*index].verdict);
            matches!(verdicts, (Some(one), Some(other)) if one != other)
        };
        let (flips, agreed): (Vec<usize>, Vec<usize>) = (0..queries.len()).partition(is_flip);
        let mut kinds: Vec<u64> = Vec::new();
        for &index in &flips {
            let (one, other) = (&baseline[index], &candidate[index]);
            let direction = one.verdict.zip(other.verdict);
            let direction = direction.and_then(|(one, other)| Direction::of(one, other));
            let Some(direction) = direction else {
                continue;
            };
            let (_, url) = queries.pairs()[index];
            let kind = shape::rough(direction, body, queries.url(url), one, other);
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        kinds.retain(|kind| {
            let is_new = !self.by_kind.contains_key(kind);
            let files = match is_new {
                true if self.by_kind.len() >= MAX_KINDS => return false,
                true => return true,
                false => &self.by_kind[kind],
            };
            is_taken(files, &key, MAX_OF_KIND)
        });
        let (all, max) = match flips.is_empty() {
            true => (&mut self.agreeing, MAX_AGREEING),
            false => (&mut self.flipping, MAX_FLIPPING),
        };
        let is_taken = is_taken(all, &key, max);
        if !is_taken && kinds.is_empty() {
            return;
        }
        let cells = spread(&flips, MAX_FLIPS).chain(spread(&agreed, MAX_AGREED));
        let mut cells: Vec<usize> = cells.collect();
        // The queries of an agent stay together.
        cells.sort_unstable();
        let file = Arc::new(ObservedFile {
            body: Arc::clone(body),
            queries: queries.subset(cells.iter().copied()),
            answers: cells
                .iter()
                .map(|&cell| [baseline[cell], candidate[cell]])
                .collect(),
        });
        if is_taken {
            insert(all, key, &file, max);
        }
        for kind in kinds {
            let files = self.by_kind.entry(kind).or_default();
            insert(files, key, &file, MAX_OF_KIND);
        }
    }

    /// Returns the observations of one side, 0 for the baseline.
    pub(super) fn of_side(&self, side: usize) -> Vec<Observation> {
        let mut files: BTreeMap<&Key, &ObservedFile> = BTreeMap::new();
        let by_kind = self.by_kind.values().flatten();
        for (key, file) in self.flipping.iter().chain(by_kind).chain(&self.agreeing) {
            files.insert(key, file);
        }
        let observation = |file: &ObservedFile| Observation {
            body: file.body.to_vec(),
            queries: file.queries.clone(),
            verdicts: file
                .answers
                .iter()
                .map(|answers| answers[side].verdict)
                .collect(),
            agreed: (file.answers.iter())
                .map(|[one, other]| one.verdict == other.verdict)
                .collect(),
        };
        files.into_values().map(observation).collect()
    }
}

/// Returns true if and only if a file with this key is one of the `max` with the least keys.
fn is_taken(files: &BTreeMap<Key, Arc<ObservedFile>>, key: &Key, max: usize) -> bool {
    files.len() < max || files.last_key_value().is_some_and(|(last, _)| key < last)
}

fn insert(
    files: &mut BTreeMap<Key, Arc<ObservedFile>>,
    key: Key,
    file: &Arc<ObservedFile>,
    max: usize,
) {
    files.insert(key, Arc::clone(file));
    if files.len() > max {
        files.pop_last();
    }
}

/// Returns at most `max` of some items, evenly spread over them.
fn spread(items: &[usize], max: usize) -> impl Iterator<Item = usize> {
    let n = items.len().min(max);
    (0..n).map(move |index| items[index * items.len() / n])
}
