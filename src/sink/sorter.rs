//! Records in the order of their bytes, more of them than are held in memory: what is held is
//! sorted and written to disk as a run, and the runs are merged when the records are read.

use std::{
    cmp::Ordering,
    collections::{BinaryHeap, binary_heap::PeekMut},
    ops::Range,
};

use super::{Dataset, Spill};
use crate::{error::Error, growth::reserve};

/// The bytes in which a run is written and read.
const BLOCK_BYTES: usize = 64 * 1024;
/// Records with the same prefix from which on they are sorted by their next bytes.
const MANY: usize = 16;
/// The bytes after which records are compared whole, however many are the same until there.
const MAX_DEPTH: usize = 16 * size_of::<u64>();

/// Sorts records; of those that are equal all are returned.
pub struct Sorter<'d> {
    dataset: &'d Dataset,
    /// The name of the temporary file.
    name: &'static str,
    max_bytes: usize,
    held: Held,
    /// The sorted runs on disk, if what was held exceeded the limit.
    runs: Vec<Run>,
    spill: Option<Spill>,
}

/// Records in memory.
#[derive(Debug, Default)]
struct Held {
    /// End to end.
    bytes: Vec<u8>,
    records: Vec<HeldRecord>,
    is_sorted: bool,
}

/// A record in memory.
#[derive(Debug)]
struct HeldRecord {
    /// Eight of its bytes, whose order is that of the number. Most records differ in them, and to
    /// compare the bytes themselves would take two accesses to distant memory.
    prefix: u64,
    range: Range<usize>,
}

/// Blocks of sorted records that are adjacent in the file; each record follows its length.
#[derive(Clone, Copy, Debug)]
struct Run {
    first_block: u64,
    n_blocks: usize,
}

impl<'d> Sorter<'d> {
    /// Returns a sorter that holds at most so many bytes of records, or one record if that is
    /// longer, and while they are read 64 KiB for each of its runs. No other one of the dataset may
    /// have its name.
    pub fn new(dataset: &'d Dataset, name: &'static str, max_bytes: usize) -> Self {
        Self {
            dataset,
            name,
            max_bytes,
            held: Held::default(),
            runs: Vec::new(),
            spill: None,
        }
    }

    /// Adds a record; none may be added once they were read.
    ///
    /// # Errors
    ///
    /// A temporary file that cannot be written.
    pub fn push(&mut self, record: &[u8]) -> Result<(), Error> {
        let bytes = self.held.n_bytes() + record.len() + size_of::<HeldRecord>();
        if bytes > self.max_bytes {
            self.write_run()?;
        }
        self.held.push(record);
        Ok(())
    }

    /// Passes all records to `each`, in the order of their bytes; they can be read again.
    ///
    /// # Errors
    ///
    /// A temporary file that cannot be written or read, and what `each` returns.
    pub fn each(&mut self, mut each: impl FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Error> {
        if self.spill.is_none() {
            return self.held.each(&mut each);
        }
        self.write_run()?;
        // The records need memory of their own now.
        self.held = Held::default();
        let Some(spill) = &mut self.spill else {
            return Ok(());
        };
        let mut heads = BinaryHeap::with_capacity(self.runs.len());
        for run in &self.runs {
            heads.push(Head::of(run, spill)?);
        }
        while let Some(mut head) = heads.peek_mut() {
            each(head.record())?;
            if !head.advance(spill)? {
                PeekMut::pop(head);
            }
        }
        Ok(())
    }

    /// Writes what is held as a run, and holds nothing then.
    fn write_run(&mut self) -> Result<(), Error> {
        if self.held.records.is_empty() {
            return Ok(());
        }
        let spill = match &mut self.spill {
            Some(spill) => spill,
            none => none.insert(self.dataset.spill(self.name)?),
        };
        let mut run: Option<Run> = None;
        let mut block = Vec::with_capacity(BLOCK_BYTES);
        let mut append = |block: &mut Vec<u8>| -> Result<(), Error> {
            let first_block = spill.append(block)?;
            let run = run.get_or_insert(Run {
                first_block,
                n_blocks: 0,
            });
            run.n_blocks += 1;
            block.clear();
            Ok(())
        };
        self.held.each(&mut |record| {
            block.extend_from_slice(&(record.len() as u64).to_le_bytes());
            block.extend_from_slice(record);
            match block.len() >= BLOCK_BYTES {
                true => append(&mut block),
                false => Ok(()),
            }
        })?;
        if !block.is_empty() {
            append(&mut block)?;
        }
        self.runs.extend(run);
        self.held.clear();
        Ok(())
    }
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
        debug_assert!(
            !self.is_sorted,
            "a record comes after the records were read"
        );
    }

    /// Passes the records to `each`, in their order.
    fn each(&mut self, each: &mut impl FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Error> {
        let Self {
            bytes,
            records,
            is_sorted,
        } = self;
        if *is_sorted {
            let mut records = records.iter();
            return records.try_for_each(|record| each(&bytes[record.range.clone()]));
        }
        sort(records, bytes, 0, each)?;
        *is_sorted = true;
        Ok(())
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.records.clear();
        self.is_sorted = false;
    }
}

/// Sorts records that do not differ in their first `depth` bytes, and have as prefixes the next: by
/// the prefixes, then those with the same by the bytes that follow. Passes each to `each` as soon
/// as its position is known, when its bytes are in a cache if they were compared.
fn sort(
    records: &mut [HeldRecord],
    bytes: &[u8],
    depth: usize,
    each: &mut impl FnMut(&[u8]) -> Result<(), Error>,
) -> Result<(), Error> {
    records.sort_unstable_by_key(|record| record.prefix);
    let depth = depth + size_of::<u64>();
    let bytes_of = |record: &HeldRecord| &bytes[record.range.clone()];
    for same in records.chunk_by_mut(|a, b| a.prefix == b.prefix) {
        if same.len() < MANY || depth > MAX_DEPTH {
            same.sort_unstable_by(|a, b| bytes_of(a).cmp(bytes_of(b)));
            same.iter().try_for_each(|record| each(bytes_of(record)))?;
            continue;
        }
        for record in same.iter_mut() {
            let rest = bytes_of(record).get(depth..);
            record.prefix = prefix(rest.unwrap_or_default());
        }
        sort(same, bytes, depth, each)?;
    }
    Ok(())
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
struct Head {
    block: Vec<u8>,
    record: Range<usize>,
    next_block: u64,
    blocks_left: usize,
}

impl Head {
    /// Returns the first record of a run, which has one.
    fn of(run: &Run, spill: &mut Spill) -> Result<Self, Error> {
        let mut head = Self {
            block: Vec::new(),
            record: 0..0,
            next_block: run.first_block,
            blocks_left: run.n_blocks,
        };
        head.advance(spill)?;
        Ok(head)
    }

    fn record(&self) -> &[u8] {
        &self.block[self.record.clone()]
    }

    /// Goes to the next record; false if there is none.
    fn advance(&mut self, spill: &mut Spill) -> Result<bool, Error> {
        let mut at = self.record.end;
        if at == self.block.len() {
            if self.blocks_left == 0 {
                return Ok(false);
            }
            let Some((block, next_block)) = spill.read(self.next_block)? else {
                return Ok(false);
            };
            (self.block, self.next_block) = (block, next_block);
            self.blocks_left -= 1;
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

impl Ord for Head {
    fn cmp(&self, other: &Self) -> Ordering {
        other.record().cmp(self.record())
    }
}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Head {
    fn eq(&self, other: &Self) -> bool {
        self.record() == other.record()
    }
}

impl Eq for Head {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        random::Random,
        sink::{DatasetIdentity, OpenMode},
    };

    #[test]
    fn records_are_sorted_in_memory_and_on_disk_alike_and_can_be_read_twice() {
        let dir = tempfile::tempdir().unwrap();
        let identity = DatasetIdentity {
            schema_version: 1,
            options_digest: String::new(),
            options: Vec::new(),
        };
        let root = dir.path().join("out");
        let dataset = Dataset::open(&root, OpenMode::New, identity, &[], &[]).unwrap();
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
        for max_bytes in [0, 3_000, 200_000, usize::MAX] {
            let mut sorter = Sorter::new(&dataset, "sorted", max_bytes);
            for record in &records {
                sorter.push(record).unwrap();
            }
            let is_on_disk = dataset.temporary().join("sorted").exists();
            assert_eq!(is_on_disk, max_bytes < usize::MAX);
            let mut wanted = records.clone();
            wanted.sort();
            for _ in 0..2 {
                let mut found = Vec::new();
                let collect = |record: &[u8]| {
                    found.push(record.to_vec());
                    Ok(())
                };
                sorter.each(collect).unwrap();
                assert!(found == wanted, "{max_bytes}");
            }
        }
        let mut empty = Sorter::new(&dataset, "sorted", 0);
        empty.each(|_| panic!("there is no record")).unwrap();
    }
}
