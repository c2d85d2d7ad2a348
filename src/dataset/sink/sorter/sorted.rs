//! Runs, merged.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, binary_heap::PeekMut},
};

use super::{BLOCK_BYTES, run::Block};
use crate::{
    archive::error::Error,
    dataset::sink::spill::{Spill, SpillReader},
};

/// Bytes of a range for each run: its blocks at the ends of a range are read for the neighbors too.
const RANGE_BYTES_OF_RUN: usize = 2 * BLOCK_BYTES;

/// Sorted records, which can be read repeatedly and by several threads at a time.
pub struct Sorted {
    pub(super) runs: Vec<Vec<Block>>,
    pub(super) spill: Spill,
}

/// Adjacent records; no two ranges have records of the same group key.
#[derive(Clone, Debug)]
pub struct KeyRange {
    /// Not greater than its records.
    pub(super) start: Box<[u8]>,
    /// Greater than its records; `None` is greater than all.
    end: Option<Box<[u8]>>,
}

impl Sorted {
    /// Divides the records into ranges, which are in their order, of some `range_bytes` each, or
    /// more if there are many runs.
    pub fn ranges(&self, range_bytes: usize) -> Vec<KeyRange> {
        let mut blocks: Vec<&Block> = self.runs.iter().flatten().collect();
        if blocks.is_empty() {
            return Vec::new();
        }
        blocks.sort_unstable();
        let n_bytes: usize = blocks.iter().map(|block| block.n_bytes).sum();
        // Of equal size, so that none is much shorter.
        let n_ranges = n_bytes.div_ceil(range_bytes.max(RANGE_BYTES_OF_RUN * self.runs.len()));
        let range_bytes = n_bytes.div_ceil(n_ranges);
        let mut starts: Vec<&[u8]> = Vec::with_capacity(n_ranges);
        let (mut n_before, mut range_end) = (0, 0);
        for same_key in blocks.chunk_by(|a, b| a.key == b.key) {
            if n_before >= range_end {
                starts.push(&same_key[0].key);
                range_end = (n_before / range_bytes + 1) * range_bytes;
            }
            n_before += same_key.iter().map(|block| block.n_bytes).sum::<usize>();
        }
        starts[0] = b"";
        let ends = starts.iter().skip(1).map(|&end| Some(end.into()));
        let ranges = starts.iter().zip(ends.chain([None]));
        ranges
            .map(|(&start, end)| KeyRange {
                start: start.into(),
                end,
            })
            .collect()
    }

    /// Passes the records of a range to `each`, in the order of their bytes. While they are read, a
    /// block of each run is held.
    ///
    /// # Errors
    ///
    /// A temporary file that cannot be read, and what `each` returns.
    pub fn each(
        &self,
        range: &KeyRange,
        mut each: impl FnMut(&[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut reader = self.spill.reader()?;
        let mut heads = BinaryHeap::with_capacity(self.runs.len());
        for run in &self.runs {
            let mut head = Head::before(run, &range.start);
            while head.advance(&mut reader)? {
                if *head.record.0 >= *range.start {
                    heads.push(head);
                    break;
                }
            }
        }
        while let Some(mut head) = heads.peek_mut() {
            let record = &head.record.0;
            if range.end.as_ref().is_some_and(|end| **record >= **end) {
                return Ok(());
            }
            each(record)?;
            if !head.advance(&mut reader)? {
                PeekMut::pop(head);
            }
        }
        Ok(())
    }
}

/// The next record of a run. The greatest of several has the smallest record, since a heap returns
/// the greatest first.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Head<'r> {
    record: Reverse<Vec<u8>>,
    block: Vec<u8>,
    /// Where the record ends in its block.
    end: usize,
    /// The blocks after this one.
    rest: &'r [Block],
}

impl<'r> Head<'r> {
    /// Returns a position before the first record that is not less than `start`, in its block or
    /// the one before it.
    fn before(run: &'r [Block], start: &[u8]) -> Self {
        let blocks = run.partition_point(|block| *block.key < *start);
        Self {
            record: Reverse(Vec::new()),
            block: Vec::new(),
            end: 0,
            rest: &run[blocks.saturating_sub(1)..],
        }
    }

    /// Goes to the next record; false if there is none.
    fn advance(&mut self, reader: &mut SpillReader) -> Result<bool, Error> {
        if self.end == self.block.len() {
            let Some((next, rest)) = self.rest.split_first() else {
                return Ok(false);
            };
            self.block = reader.read(next.offset)?;
            self.rest = rest;
            self.end = 0;
        }
        let (length, records) = self.block[self.end..]
            .split_first_chunk()
            .expect("a length precedes each record");
        let record = &records[..u64::from_le_bytes(*length) as usize];
        self.record.0.clear();
        self.record.0.extend_from_slice(record);
        self.end += length.len() + record.len();
        Ok(true)
    }
}
