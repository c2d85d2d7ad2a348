//! Records in the order of their bytes, more of them than are held in memory: threads sort what
//! they have as runs ([`RunBuilder`]), which a [`Sorter`] holds, or compresses and writes to disk;
//! they are merged when the records are read ([`Sorted`]).
//!
//! Several threads can merge at a time, each a range of the records ([`Sorted::ranges`]). Ranges
//! depend on the records and on how they were divided among builders, never on the threads.

mod held;
mod run;
mod sorted;

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

use self::run::{Block, Records, Run};
pub use self::{
    run::RunBuilder,
    sorted::{KeyRange, Sorted},
};
use super::{Dataset, Spill};
use crate::archive::error::Error;

/// The bytes in which a run is written and read; the last record of a block may exceed them.
const BLOCK_BYTES: usize = 64 * 1024;

/// Returns the first bytes of a record, which it shares with those that must be read with it, and
/// possibly with others. No key begins with another one.
pub type GroupKey = fn(&[u8]) -> &[u8];

/// Collects records of several threads; of those that are equal all are returned.
pub struct Sorter<'d> {
    dataset: &'d Dataset,
    /// The name of the temporary file.
    name: &'static str,
    group_key: GroupKey,
    run_bytes: usize,
    /// Bytes of runs that may still be held.
    memory: AtomicUsize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    runs: Vec<Run>,
    spill: Option<Spill>,
}

impl<'d> Sorter<'d> {
    /// Returns a sorter without records. No other one of the dataset may have its name. Each
    /// builder holds at most `run_bytes` of records, or one record if that is longer; what exceeds
    /// them is written to disk, but for runs of `memory` bytes.
    pub fn new(
        dataset: &'d Dataset,
        name: &'static str,
        group_key: GroupKey,
        run_bytes: usize,
        memory: usize,
    ) -> Self {
        Self {
            dataset,
            name,
            group_key,
            run_bytes,
            memory: AtomicUsize::new(memory),
            state: Mutex::default(),
        }
    }

    /// Returns a builder for the records of one thread.
    pub fn builder(&self) -> RunBuilder<'_, 'd> {
        RunBuilder::new(self)
    }

    /// Returns the records, sorted.
    ///
    /// # Errors
    ///
    /// A temporary file that cannot be written.
    pub fn finish(self) -> Result<Sorted, Error> {
        let state = self.state.into_inner();
        let State { runs, mut spill } = state.unwrap_or_else(PoisonError::into_inner);
        if let Some(spill) = &mut spill {
            spill.flush()?;
        }
        Ok(Sorted { runs, spill })
    }

    /// Takes memory for a run, if there is so much.
    fn takes_memory(&self, bytes: usize) -> bool {
        let less = |memory: usize| memory.checked_sub(bytes);
        self.memory.fetch_update(Relaxed, Relaxed, less).is_ok()
    }

    fn add(&self, run: Run) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.runs.push(run);
    }

    /// Writes the blocks of a run, which are compressed, with the lengths that they had.
    fn write(&self, blocks: Vec<Block>, compressed: &[(Vec<u8>, usize)]) -> Result<(), Error> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let spill = match &mut state.spill {
            Some(spill) => spill,
            none => none.insert(self.dataset.spill(self.name)?),
        };
        let append = |(block, n): &(Vec<u8>, usize)| spill.append_compressed(block, *n);
        let offsets = compressed.iter().map(append).collect::<Result<_, _>>()?;
        let records = Records::OnDisk(offsets);
        state.runs.push(Run { blocks, records });
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
        (memory, run_bytes, n_builders): (usize, usize, usize),
    ) -> Sorted {
        let sorter = Sorter::new(dataset, "sorted", first_byte, run_bytes, memory);
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
    fn records_are_sorted_in_memory_and_on_disk_alike_and_can_be_read_twice() {
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
            for limits in [
                (large, large, 1),
                (large, 3_000, 3),
                (0, 0, 1),
                (0, 3_000, 1),
                (0, large, 5),
                (400_000, 200_000, 2),
            ] {
                let sorted = sorted(dataset, &records, limits);
                let is_on_disk = dataset.temporary().join("sorted").exists();
                assert_eq!(is_on_disk, limits.0 < large);
                let [range] = &sorted.ranges(512 * BLOCK_BYTES)[..] else {
                    panic!("so few records are one range");
                };
                for _ in 0..2 {
                    assert!(read(&sorted, range) == wanted, "{limits:?}");
                }
            }
            let empty = sorted(dataset, &[vec![]], (0, 0, 1));
            assert_eq!(read(&empty, &empty.ranges(1)[0]), [b""]);
            let none = Sorter::new(dataset, "sorted", first_byte, 0, 0);
            assert!(none.finish().unwrap().ranges(1).is_empty());
        });
    }

    #[test]
    fn ranges_divide_the_records_between_groups_whatever_is_in_memory() {
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
            let mut starts = Vec::new();
            for memory in [0, usize::MAX] {
                let sorted = sorted(dataset, &records, (memory, 20_000_000, 2));
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
                assert!(parts.concat() == wanted, "{memory}");
                starts.push(
                    ranges
                        .into_iter()
                        .map(|range| range.start)
                        .collect::<Vec<_>>(),
                );
            }
            assert_eq!(starts[0], starts[1]);
        });
    }
}
