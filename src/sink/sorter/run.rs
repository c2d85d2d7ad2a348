//! Runs: the records of one thread, sorted.

use std::{
    mem,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use super::held::Held;
use crate::error::Error;

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
    pub(super) keys: Vec<Box<[u8]>>,
    pub(super) rows: Rows,
}

#[derive(Debug)]
pub(super) enum Rows {
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
        if self.held.n_bytes_with(record) > self.max_bytes {
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
        if self.held.len() == 0 {
            return Ok(());
        }
        self.held.sort();
        let firsts = self
            .held
            .blocks()
            .map(|block| self.held.record(block.start));
        let keys = firsts.map(|first| (self.group_key)(first).into());
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
