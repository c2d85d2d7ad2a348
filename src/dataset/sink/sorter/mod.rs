//! Records in the order of their bytes, more of them than are held in memory: threads sort what
//! they have as runs ([`RunBuilder`]), which a [`Sorter`] compresses and writes to disk; they are
//! merged when the records are read ([`Sorted`]).
//!
//! Several threads can merge at a time, each a range of the records ([`Sorted::ranges`]). Ranges
//! depend on the records and on how they were divided among builders, never on the threads.

mod run;
mod sorted;

use std::sync::{Mutex, PoisonError};

use self::run::Block;
pub use self::{
    run::RunBuilder,
    sorted::{KeyRange, Sorted},
};
use super::Dataset;
use crate::archive::error::Error;

/// The bytes in which a run is written and read; the last record of a block may exceed them.
const BLOCK_BYTES: usize = 64 * 1024;

/// Returns the first bytes of a record, which it shares with those that must be read with it, and
/// possibly with others. No key begins with another one.
pub type GroupKey = fn(&[u8]) -> &[u8];

/// Collects records of several threads; of those that are equal all are returned.
pub struct Sorter {
    group_key: GroupKey,
    run_bytes: usize,
    sorted: Mutex<Sorted>,
}

impl Sorter {
    /// Returns a sorter without records, whose temporary file has that name; no other one of the
    /// dataset may have it. Each builder holds at most `run_bytes` of records, or one record if
    /// that is longer.
    ///
    /// # Errors
    ///
    /// A temporary file that cannot be created.
    pub fn new(
        dataset: &Dataset,
        name: &str,
        group_key: GroupKey,
        run_bytes: usize,
    ) -> Result<Self, Error> {
        let sorted = Sorted {
            runs: Vec::new(),
            spill: dataset.spill(name)?,
        };
        Ok(Self {
            group_key,
            run_bytes,
            sorted: Mutex::new(sorted),
        })
    }

    /// Returns a builder for the records of one thread.
    pub fn builder(&self) -> RunBuilder<'_> {
        RunBuilder {
            sorter: self,
            bytes: Vec::new(),
            records: Vec::new(),
        }
    }

    /// Returns the records, sorted.
    ///
    /// # Errors
    ///
    /// A temporary file that cannot be written.
    pub fn finish(self) -> Result<Sorted, Error> {
        let sorted = self.sorted.into_inner();
        let mut sorted = sorted.unwrap_or_else(PoisonError::into_inner);
        sorted.spill.flush()?;
        Ok(sorted)
    }

    /// Writes the blocks of a run, which are compressed.
    fn write(&self, blocks: Vec<(Block, Vec<u8>)>) -> Result<(), Error> {
        let mut sorted = self.sorted.lock().unwrap_or_else(PoisonError::into_inner);
        let mut run = Vec::with_capacity(blocks.len());
        for (mut block, compressed) in blocks {
            block.offset = sorted.spill.append_compressed(&compressed, block.n_bytes)?;
            run.push(block);
        }
        sorted.runs.push(run);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{dataset::sink::empty_dataset, sample::random::Random};

    fn first_byte(record: &[u8]) -> &[u8] {
        &record[..record.len().min(1)]
    }

    fn with_dataset(test: impl FnOnce(&Dataset)) {
        let dir = tempfile::tempdir().unwrap();
        test(&empty_dataset(&dir.path().join("out")));
    }

    /// Returns the records sorted by builders, each with an equal share.
    fn sorted(
        dataset: &Dataset,
        records: &[Vec<u8>],
        (run_bytes, n_builders): (usize, usize),
    ) -> Sorted {
        let sorter = Sorter::new(dataset, "sorted", first_byte, run_bytes).unwrap();
        for share in records.chunks(records.len().div_ceil(n_builders)) {
            let mut builder = sorter.builder();
            for record in share {
                builder.push(record).unwrap();
            }
            builder.finish().unwrap();
        }
        sorter.finish().unwrap()
    }

    fn read(sorted: &Sorted, range: &KeyRange) -> Vec<Vec<u8>> {
        let mut found = Vec::new();
        let collect = |record: &[u8]| {
            found.push(record.to_vec());
            Ok(())
        };
        sorted.each(range, collect).unwrap();
        found
    }

    #[test]
    fn records_are_sorted_whatever_runs_they_form_and_can_be_read_twice() {
        let mut random = Random::new(7);
        let records: Vec<Vec<u8>> = (0..5_000)
            .map(|n| {
                // Some are empty, some equal, some differ late, and one is longer than a block.
                let length = if n == 99 { 200_000 } else { random.below(60) };
                let mut record = vec![1; if n % 4 == 0 { random.below(300) } else { 0 }];
                record.extend((0..length).map(|_| random.below(3) as u8));
                record
            })
            .collect();
        let mut wanted = records.clone();
        wanted.sort();
        with_dataset(|dataset| {
            let large = usize::MAX;
            for limits in [(large, 1), (3_000, 3), (0, 1), (large, 5), (200_000, 2)] {
                let sorted = sorted(dataset, &records, limits);
                let [range] = &sorted.ranges(512 * BLOCK_BYTES)[..] else {
                    panic!("so few records are one range");
                };
                for _ in 0..2 {
                    assert!(read(&sorted, range) == wanted, "{limits:?}");
                }
            }
            let empty = sorted(dataset, &[vec![]], (0, 1));
            assert_eq!(read(&empty, &empty.ranges(1)[0]), [b""]);
            let none = Sorter::new(dataset, "none", first_byte, 0).unwrap();
            assert!(none.finish().unwrap().ranges(1).is_empty());
        });
    }

    #[test]
    fn ranges_divide_the_records_between_groups() {
        let mut random = Random::new(8);
        // One group is longer than a range, and the records of another are longer than a block.
        let records: Vec<Vec<u8>> = (0..40_000)
            .map(|n: u32| {
                let group = if n.is_multiple_of(2) {
                    100
                } else {
                    random.below(256)
                };
                let length = if group == 200 { 100_000 } else { 3_000 };
                let mut record = vec![group as u8; length];
                record.splice(1..1, n.to_le_bytes());
                record
            })
            .collect();
        let mut wanted = records.clone();
        wanted.sort();
        with_dataset(|dataset| {
            let sorted = sorted(dataset, &records, (20_000_000, 2));
            let ranges = sorted.ranges(400 * BLOCK_BYTES);
            let parts: Vec<_> = ranges.iter().map(|range| read(&sorted, range)).collect();
            assert!(parts.len() > 2 && parts.iter().all(|part| !part.is_empty()));
            for pair in parts.windows(2) {
                assert!(first_byte(pair[0].last().unwrap()) < first_byte(&pair[1][0]));
            }
            for part in &parts {
                // The last group of a range may exceed it.
                let last = part
                    .iter()
                    .rev()
                    .take_while(|record| record[0] == part.last().unwrap()[0]);
                let n_bytes = part.iter().map(Vec::len).sum::<usize>();
                let n_bytes_of_last: usize = last.map(Vec::len).sum();
                assert!(n_bytes - n_bytes_of_last < 450 * BLOCK_BYTES);
            }
            assert!(parts.concat() == wanted);
        });
    }
}
