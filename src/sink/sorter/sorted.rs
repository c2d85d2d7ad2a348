//! Runs, merged.

use std::{
    cmp::Ordering,
    collections::{BinaryHeap, binary_heap::PeekMut},
    ops::Range,
};

use super::run::{Rows, Run};
use crate::{
    error::Error,
    sink::spill::{Spill, SpillReader},
};

/// Blocks of a range, at least: 32 MiB.
const RANGE_BLOCKS: usize = 512;
/// Blocks of a range for each run: those at the ends of a range are read for its neighbours too.
const RANGE_BLOCKS_OF_RUN: usize = 4;

/// Sorted records, which can be read repeatedly and by several threads at a time.
pub struct Sorted {
    pub(super) runs: Vec<Run>,
    pub(super) spill: Option<Spill>,
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

/// The next record of a run. The greatest of several has the smallest record, since a heap returns
/// the greatest first.
#[derive(Debug)]
struct Head<'r> {
    rows: &'r Rows,
    /// The block after this one; of a run in memory, the record after this one.
    next: usize,
    /// Of a run on disk.
    block: Vec<u8>,
    /// The record in the block.
    record: Range<usize>,
}

impl<'r> Head<'r> {
    /// Returns a position before the first record that is not less than `start`, in its block or
    /// the one before it.
    fn before(run: &'r Run, start: &[u8]) -> Self {
        let next = match &run.rows {
            Rows::Held(held) => held.n_less(start),
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
            Rows::Held(held) => held.record(self.next - 1),
            _ => &self.block[self.record.clone()],
        }
    }

    /// Goes to the next record; false if there is none.
    fn advance(&mut self, reader: Option<&mut SpillReader>) -> Result<bool, Error> {
        let offsets = match self.rows {
            Rows::Held(held) => {
                self.next += 1;
                return Ok(self.next <= held.len());
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
