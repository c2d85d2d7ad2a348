//! The share of a dataset's parts that one process of several makes.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, BinaryHeap},
    fmt,
};

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
    #[cfg(feature = "cli")]
    pub(crate) fn count(self) -> usize {
        self.count
    }

    /// Returns the parts of the shard, in their order, given the bytes of each part of the dataset.
    pub(super) fn share(self, bytes: &[u64]) -> BTreeSet<usize> {
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
