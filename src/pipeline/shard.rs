//! The share of a dataset's parts that one process of several makes.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, BinaryHeap},
    fmt,
};

use super::{
    config::Config,
    plan::{PartPlan, plan, refuse_equal_names},
};
#[cfg(feature = "cli")]
use super::{downloads::look_up, progress::Progress};
#[cfg(feature = "cli")]
use crate::error::ErrorKind;
use crate::{error::Error, input::ArchiveSource};

/// One of the shards into which the parts of a dataset are divided, so that processes that share
/// nothing but the inputs and the folder of the dataset make it together.
///
/// The shares follow from the names and sizes of all archives, so every process must be given all
/// of them. They have about as many bytes of archives each; one is empty where there are fewer
/// parts than shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: usize,
    count: usize,
}

impl Shard {
    /// Returns a shard of `count` by its number; `None` unless that is from 1 to `count`.
    pub fn new(number: usize, count: usize) -> Option<Self> {
        (1..=count)
            .contains(&number)
            .then_some(Self { number, count })
    }

    /// Returns the number of shards.
    pub fn count(self) -> usize {
        self.count
    }

    /// Returns the parts of the shard, in their order, given the bytes of each part of the dataset.
    fn share(self, bytes: &[u64]) -> BTreeSet<usize> {
        let mut parts: Vec<usize> = (0..bytes.len()).collect();
        parts.sort_by_key(|&part| Reverse(bytes[part]));
        // The longest part that is left goes to the shard with the fewest bytes, then parts.
        let mut shards: BinaryHeap<_> = (1..=self.count.min(bytes.len()))
            .map(|number| Reverse((0_u128, 0_usize, number)))
            .collect();
        let mut share = BTreeSet::new();
        for part in parts {
            let Some(mut least) = shards.peek_mut() else {
                break;
            };
            let Reverse((sum, n_parts, number)) = &mut *least;
            *sum += u128::from(bytes[part]);
            *n_parts += 1;
            if *number == self.number {
                share.insert(part);
            }
        }
        share
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

/// Returns the parts that a run makes of archives if none is published yet: those of its shard.
///
/// # Errors
///
/// Two parts of one name, and a stream in a run that has a shard.
pub(super) fn parts_to_make(
    config: &Config,
    archives: &[ArchiveSource],
) -> Result<Vec<PartPlan>, Error> {
    let parts = plan(archives, config.part_bytes);
    refuse_equal_names(&parts, archives)?;
    let Some(shard) = config.shard else {
        return Ok(parts);
    };
    // Other processes would get other bytes, and know neither name nor size of these.
    let mut streams = archives.iter().filter(|archive| archive.source.is_stream());
    if let Some(stream) = streams.next() {
        return Err(Error::usage(format!(
            "{}: expected archives that the process of every shard can read, but found a stream ({}); join the dataset with it in a run of its own, under a name of its own",
            stream.name,
            stream.source.location()
        )));
    }
    let size = |index: usize| archives[index].source.size().unwrap_or_default();
    let bytes: Vec<u64> = parts
        .iter()
        .map(|part| part.archives().map(size).fold(0, u64::saturating_add))
        .collect();
    let share = shard.share(&bytes);
    let parts = parts.into_iter().enumerate();
    Ok(parts
        .filter(|(index, _)| share.contains(index))
        .map(|(_, part)| part)
        .collect())
}

/// Returns the parts that a run makes, in their order: the name of each and its archives, as
/// positions in `archives`. The sizes of archives that are downloaded are asked for.
///
/// # Errors
///
/// Those of [`parts_to_make`], and [`ErrorKind::Interrupted`] if the run was stopped.
#[cfg(feature = "cli")]
pub(crate) fn planned_parts(
    config: &Config,
    archives: &[ArchiveSource],
    progress: &Progress,
) -> Result<Vec<(String, Vec<usize>)>, Error> {
    look_up(archives, progress);
    if progress.is_stopped() {
        return Err(ErrorKind::Interrupted.into());
    }
    let parts = parts_to_make(config, archives)?.into_iter();
    Ok(parts
        .map(|part| {
            let of_part = part.archives().collect();
            (part.name, of_part)
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_has_a_number_from_one_to_their_count() {
        assert_eq!(
            Shard::new(2, 3).map(|shard| shard.to_string()),
            Some("2/3".into())
        );
        for (number, count) in [(0, 3), (4, 3), (0, 0), (1, 0)] {
            assert_eq!(Shard::new(number, count), None);
        }
    }

    #[test]
    fn shares_are_balanced_and_every_part_is_in_one() {
        let shares = |bytes: &[u64], count: usize| -> Vec<Vec<usize>> {
            let shards = (1..=count).filter_map(|number| Shard::new(number, count));
            let shares = shards.map(|shard| shard.share(bytes).into_iter().collect());
            shares.collect()
        };
        assert_eq!(shares(&[5, 1, 4, 2], 2), [[0, 1], [2, 3]]);
        assert_eq!(shares(&[0, 0, 0], 2), [vec![0, 2], vec![1]]);
        assert_eq!(shares(&[u64::MAX, u64::MAX], 1), [[0, 1]]);
        let few = shares(&[1, 2], 5);
        assert_eq!(few, [vec![1], vec![0], vec![], vec![], vec![]]);
        assert_eq!(shares(&[], 2), [vec![], Vec::<usize>::new()]);
        let bytes: Vec<u64> = (1..=100).map(|n| n * n % 37).collect();
        for count in 1..=8 {
            let shares = shares(&bytes, count);
            let mut all = shares.concat();
            all.sort();
            assert_eq!(all, (0..100).collect::<Vec<_>>());
            let sums = shares
                .iter()
                .map(|share| share.iter().map(|&part| bytes[part]).sum::<u64>());
            let (least, most) = (sums.clone().min().unwrap(), sums.max().unwrap());
            assert!(most - least <= 36, "{count}: {least} to {most}");
        }
    }
}
