//! Records in the order of their bytes, more of them than are held in memory: threads sort what
//! they have as runs ([`RunBuilder`]), which are held while they fit and otherwise compressed and
//! written to disk ([`Sorter`]), and merged when the records are read ([`Sorted`]).
//!
//! Several threads can merge at a time, each a range of the records ([`Sorted::ranges`]). Ranges
//! depend on the records and on how they were divided among builders, never on the threads.

use std::{
    cmp::Ordering,
    collections::{BinaryHeap, binary_heap::PeekMut},
    mem,
    ops::Range,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use super::{
    Dataset, Spill,
    spill::{SpillCompressor, SpillReader},
};
use crate::{error::Error, growth::reserve};

/// The bytes in which a run is written and read.
const BLOCK_BYTES: usize = 64 * 1024;
/// Blocks of a range, at least: 32 MiB.
const RANGE_BLOCKS: usize = 512;
/// Blocks of a range for each run: those at the ends of a range are read for its neighbours too.
const RANGE_BLOCKS_OF_RUN: usize = 4;
/// Records with the same prefix from which on they are sorted by their next bytes.
const MANY: usize = 16;
/// The bytes after which records are compared whole, however many are the same until there.
const MAX_DEPTH: usize = 16 * size_of::<u64>();

/// Returns the first bytes of a record, which it shares with those that must be read with it.
pub type GroupKey = fn(&[u8]) -> &[u8];

/// The memory for runs that are not written to disk.
#[derive(Debug)]
pub struct RunMemory {
    left: AtomicUsize,
}

impl RunMemory {
    /// Returns a memory of so many bytes.
    pub fn new(bytes: usize) -> Self {
        let left = AtomicUsize::new(bytes);
        Self { left }
    }

    /// Takes so many bytes, if they are left.
    fn take(&self, bytes: usize) -> bool {
        let taken = self
            .left
            .fetch_update(Relaxed, Relaxed, |left| left.checked_sub(bytes));
        taken.is_ok()
    }
}

/// Sorts the records of one thread.
#[derive(Debug)]
pub struct RunBuilder<'m> {
    memory: &'m RunMemory,
    max_bytes: usize,
    group_key: GroupKey,
    held: Held,
    runs: Vec<Run>,
}

/// Sorted records.
#[derive(Debug)]
pub struct Run {
    /// The group keys of the first records of its blocks.
    keys: Vec<Box<[u8]>>,
    rows: Rows,
}

#[derive(Debug)]
enum Rows {
    Held(Held),
    /// Blocks with the lengths that they had; each record follows its length.
    Compressed(Vec<(Vec<u8>, usize)>),
    /// The offsets of the blocks in the file.
    OnDisk(Vec<u64>),
}

impl<'m> RunBuilder<'m> {
    /// Returns a builder that holds at most so many bytes of records, or one record if that is
    /// longer. Its runs stay in memory as far as `memory` allows.
    pub fn new(memory: &'m RunMemory, max_bytes: usize, group_key: GroupKey) -> Self {
        Self {
            memory,
            max_bytes,
            group_key,
            held: Held::default(),
            runs: Vec::new(),
        }
    }

    /// Adds a record.
    ///
    /// # Errors
    ///
    /// Records that cannot be compressed.
    pub fn push(&mut self, record: &[u8]) -> Result<(), Error> {
        let bytes = self.held.n_bytes() + record.len() + size_of::<HeldRecord>();
        if bytes > self.max_bytes {
            self.end_run()?;
        }
        self.held.push(record);
        Ok(())
    }

    /// Returns the runs of all records, for [`Sorter::add`].
    ///
    /// # Errors
    ///
    /// See [`RunBuilder::push`].
    pub fn finish(mut self) -> Result<Vec<Run>, Error> {
        self.end_run()?;
        Ok(self.runs)
    }

    fn end_run(&mut self) -> Result<(), Error> {
        if self.held.records.is_empty() {
            return Ok(());
        }
        self.held.sort();
        let keys = self.held.blocks().map(|block| {
            let first = &self.held.records[block.start];
            (self.group_key)(self.held.bytes_of(first)).into()
        });
        let keys = keys.collect();
        let rows = match self.memory.take(self.held.n_bytes()) {
            true => Rows::Held(mem::take(&mut self.held)),
            false => {
                let compressed = self.held.compress()?;
                self.held.clear();
                Rows::Compressed(compressed)
            }
        };
        self.runs.push(Run { keys, rows });
        Ok(())
    }
}

/// Collects runs; of records that are equal all are returned.
pub struct Sorter<'d> {
    dataset: &'d Dataset,
    /// The name of the temporary file.
    name: &'static str,
    runs: Vec<Run>,
    spill: Option<Spill>,
}

impl<'d> Sorter<'d> {
    /// Returns a sorter without records. No other one of the dataset may have its name.
    pub fn new(dataset: &'d Dataset, name: &'static str) -> Self {
        Self {
            dataset,
            name,
            runs: Vec::new(),
            spill: None,
        }
    }

    /// Adds runs, and writes those that are not held to disk.
    ///
    /// # Errors
    ///
    /// A temporary file that cannot be written.
    pub fn add(&mut self, runs: Vec<Run>) -> Result<(), Error> {
        for mut run in runs {
            if let Rows::Compressed(blocks) = &run.rows {
                let spill = match &mut self.spill {
                    Some(spill) => spill,
                    none => none.insert(self.dataset.spill(self.name)?),
                };
                let offsets = blocks
                    .iter()
                    .map(|(block, n_bytes)| spill.append_compressed(block, *n_bytes))
                    .collect::<Result<_, _>>()?;
                run.rows = Rows::OnDisk(offsets);
            }
            self.runs.push(run);
        }
        Ok(())
    }

    /// Returns the records, sorted.
    ///
    /// # Errors
    ///
    /// A temporary file that cannot be written.
    pub fn finish(mut self) -> Result<Sorted, Error> {
        if let Some(spill) = &mut self.spill {
            spill.flush()?;
        }
        Ok(Sorted {
            runs: self.runs,
            spill: self.spill,
        })
    }
}

/// Sorted records, which can be read repeatedly and by several threads at a time.
pub struct Sorted {
    runs: Vec<Run>,
    spill: Option<Spill>,
}

/// Adjacent records; no two ranges have records of the same group key.
#[derive(Clone, Debug)]
pub struct KeyRange {
    /// Not greater than its records.
    start: Box<[u8]>,
    /// Greater than its records; `None` is greater than all.
    end: Option<Box<[u8]>>,
}

impl Sorted {
    /// Divides the records into ranges, which are in their order.
    pub fn ranges(&self) -> Vec<KeyRange> {
        let keys = self.runs.iter().flat_map(|run| &run.keys);
        let mut keys: Vec<&[u8]> = keys.map(|key| &**key).collect();
        keys.sort_unstable();
        let n_blocks = RANGE_BLOCKS.max(RANGE_BLOCKS_OF_RUN * self.runs.len());
        let mut starts: Vec<&[u8]> = keys.chunks(n_blocks).map(|blocks| blocks[0]).collect();
        starts.dedup();
        if let Some(first) = starts.first_mut() {
            *first = b"";
        }
        let ends = starts.iter().skip(1).map(|&end| Some(end.into()));
        let ends = ends.chain([None]);
        let ranges = starts.iter().zip(ends);
        ranges
            .map(|(&start, end)| KeyRange {
                start: start.into(),
                end,
            })
            .collect()
    }

    /// Passes the records of a range to `each`, in the order of their bytes. While they are read,
    /// 64 KiB are held for each run that was written to disk.
    ///
    /// # Errors
    ///
    /// A temporary file that cannot be read, and what `each` returns.
    pub fn each(
        &self,
        range: &KeyRange,
        mut each: impl FnMut(&[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut reader = self.spill.as_ref().map(Spill::reader).transpose()?;
        let mut heads = BinaryHeap::with_capacity(self.runs.len());
        for run in &self.runs {
            let mut head = Head::before(run, &range.start);
            while head.advance(reader.as_mut())? {
                if head.record() >= &*range.start {
                    heads.push(head);
                    break;
                }
            }
        }
        while let Some(mut head) = heads.peek_mut() {
            let record = head.record();
            if range.end.as_ref().is_some_and(|end| record >= &**end) {
                return Ok(());
            }
            each(record)?;
            if !head.advance(reader.as_mut())? {
                PeekMut::pop(head);
            }
        }
        Ok(())
    }
}

/// Records in memory.
#[derive(Debug, Default)]
struct Held {
    /// End to end.
    bytes: Vec<u8>,
    records: Vec<HeldRecord>,
}

/// A record in memory.
#[derive(Debug)]
struct HeldRecord {
    /// Eight of its bytes, whose order is that of the number. Most records differ in them, and to
    /// compare the bytes themselves would take two accesses to distant memory.
    prefix: u64,
    range: Range<usize>,
}

impl Held {
    fn n_bytes(&self) -> usize {
        self.bytes.len() + self.records.len() * size_of::<HeldRecord>()
    }

    fn push(&mut self, record: &[u8]) {
        let start = self.bytes.len();
        reserve(&mut self.bytes, record.len());
        self.bytes.extend_from_slice(record);
        self.records.push(HeldRecord {
            prefix: prefix(record),
            range: start..self.bytes.len(),
        });
    }

    fn bytes_of(&self, record: &HeldRecord) -> &[u8] {
        &self.bytes[record.range.clone()]
    }

    fn sort(&mut self) {
        sort(&mut self.records, &self.bytes, 0);
    }

    /// Returns the records of each block.
    fn blocks(&self) -> impl Iterator<Item = Range<usize>> {
        let mut start = 0;
        std::iter::from_fn(move || {
            let mut bytes = 0;
            let is_full = |record: &HeldRecord| {
                bytes += size_of::<u64>() + record.range.len();
                bytes >= BLOCK_BYTES
            };
            let n = self.records[start..].iter().position(is_full);
            let end = n.map_or(self.records.len(), |n| start + n + 1);
            let block = start..end;
            start = end;
            (!block.is_empty()).then_some(block)
        })
    }

    fn compress(&self) -> Result<Vec<(Vec<u8>, usize)>, Error> {
        let mut compressor = SpillCompressor::new()?;
        let mut bytes = Vec::with_capacity(BLOCK_BYTES);
        let compressed = self.blocks().map(|block| {
            bytes.clear();
            for record in &self.records[block] {
                let record = self.bytes_of(record);
                bytes.extend_from_slice(&(record.len() as u64).to_le_bytes());
                bytes.extend_from_slice(record);
            }
            Ok((compressor.compress(&bytes)?, bytes.len()))
        });
        compressed.collect()
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.records.clear();
    }
}

/// Sorts records that do not differ in their first `depth` bytes, and have as prefixes the next: by
/// the prefixes, then those with the same by the bytes that follow.
fn sort(records: &mut [HeldRecord], bytes: &[u8], depth: usize) {
    records.sort_unstable_by_key(|record| record.prefix);
    let depth = depth + size_of::<u64>();
    let bytes_of = |record: &HeldRecord| &bytes[record.range.clone()];
    for same in records.chunk_by_mut(|a, b| a.prefix == b.prefix) {
        if same.len() < MANY || depth > MAX_DEPTH {
            same.sort_unstable_by(|a, b| bytes_of(a).cmp(bytes_of(b)));
            continue;
        }
        for record in same.iter_mut() {
            let rest = bytes_of(record).get(depth..);
            record.prefix = prefix(rest.unwrap_or_default());
        }
        sort(same, bytes, depth);
    }
}

/// Returns the first eight bytes as a number of their order; zeros stand for those that are
/// missing.
fn prefix(bytes: &[u8]) -> u64 {
    let first = bytes.first_chunk().copied().unwrap_or_else(|| {
        let mut padded = [0; size_of::<u64>()];
        padded[..bytes.len()].copy_from_slice(bytes);
        padded
    });
    u64::from_be_bytes(first)
}

/// The next record of a run. The greatest of several has the smallest record, since a heap returns
/// the greatest first.
#[derive(Debug)]
struct Head<'r> {
    rows: &'r Rows,
    /// The next block, or the next record of a run in memory.
    next: usize,
    /// The block that is read, of a run on disk.
    block: Vec<u8>,
    record: Range<usize>,
}

impl<'r> Head<'r> {
    /// Returns a position before the first record that is not less than `start`, in its block or
    /// the one before it.
    fn before(run: &'r Run, start: &[u8]) -> Self {
        let next = match &run.rows {
            Rows::Held(held) => held
                .records
                .partition_point(|record| held.bytes_of(record) < start),
            _ => {
                let blocks = run.keys.partition_point(|key| **key < *start);
                blocks.saturating_sub(1)
            }
        };
        Self {
            rows: &run.rows,
            next,
            block: Vec::new(),
            record: 0..0,
        }
    }

    fn record(&self) -> &[u8] {
        match self.rows {
            Rows::Held(held) => &held.bytes[self.record.clone()],
            _ => &self.block[self.record.clone()],
        }
    }

    /// Goes to the next record; false if there is none.
    fn advance(&mut self, reader: Option<&mut SpillReader>) -> Result<bool, Error> {
        let offsets = match self.rows {
            Rows::Held(held) => {
                let record = held.records.get(self.next);
                self.next += 1;
                self.record = record.map_or(0..0, |record| record.range.clone());
                return Ok(record.is_some());
            }
            Rows::OnDisk(offsets) => offsets,
            Rows::Compressed(_) => unreachable!("a run is written before it is read"),
        };
        let mut at = self.record.end;
        if at == self.block.len() {
            let (Some(&offset), Some(reader)) = (offsets.get(self.next), reader) else {
                return Ok(false);
            };
            self.block = reader.read(offset)?;
            self.next += 1;
            at = 0;
        }
        let (length, _) = self.block[at..]
            .split_first_chunk()
            .expect("a length precedes each record");
        let start = at + size_of::<u64>();
        self.record = start..start + u64::from_le_bytes(*length) as usize;
        Ok(true)
    }
}

impl Ord for Head<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        other.record().cmp(self.record())
    }
}

impl PartialOrd for Head<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Head<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.record() == other.record()
    }
}

impl Eq for Head<'_> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        random::Random,
        sink::{DatasetIdentity, OpenMode},
    };

    fn first_byte(record: &[u8]) -> &[u8] {
        &record[..record.len().min(1)]
    }

    fn with_dataset(test: impl FnOnce(&Dataset)) {
        let dir = tempfile::tempdir().unwrap();
        let identity = DatasetIdentity {
            schema_version: 1,
            options_digest: String::new(),
            options: Vec::new(),
        };
        let root = dir.path().join("out");
        test(&Dataset::open(&root, OpenMode::New, identity, &[], &[]).unwrap());
    }

    /// Returns the records sorted by builders that hold so much, each with an equal share.
    fn sorted(
        dataset: &Dataset,
        records: &[Vec<u8>],
        (memory, max_bytes, n_builders): (usize, usize, usize),
    ) -> Sorted {
        let memory = RunMemory::new(memory);
        let mut sorter = Sorter::new(dataset, "sorted");
        for share in records.chunks(records.len().div_ceil(n_builders)) {
            let mut builder = RunBuilder::new(&memory, max_bytes, first_byte);
            for record in share {
                builder.push(record).unwrap();
            }
            sorter.add(builder.finish().unwrap()).unwrap();
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
                let [range] = &sorted.ranges()[..] else {
                    panic!("so few records are one range");
                };
                for _ in 0..2 {
                    assert!(read(&sorted, range) == wanted, "{limits:?}");
                }
            }
            let empty = Sorter::new(dataset, "sorted").finish().unwrap();
            assert!(empty.ranges().is_empty());
        });
    }

    #[test]
    fn ranges_divide_the_records_between_groups_whatever_is_in_memory() {
        let mut random = Random::new(8);
        // One group is longer than a range.
        let records: Vec<Vec<u8>> = (0..40_000)
            .map(|n: u32| {
                let group = if n.is_multiple_of(3) {
                    100
                } else {
                    random.below(256)
                };
                let mut record = vec![group as u8; 3_000];
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
                let ranges = sorted.ranges();
                let parts: Vec<_> = ranges.iter().map(|range| read(&sorted, range)).collect();
                assert!(parts.len() > 2 && parts.iter().all(|part| !part.is_empty()));
                for pair in parts.windows(2) {
                    assert!(first_byte(pair[0].last().unwrap()) < first_byte(&pair[1][0]));
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
