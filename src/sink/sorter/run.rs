//! Runs: sorted records, held or on disk.

use std::mem;

use super::{Sorter, held::Held};
use crate::error::Error;

/// Sorts the records of one thread for a [`Sorter`].
pub struct RunBuilder<'s, 'd> {
    sorter: &'s Sorter<'d>,
    held: Held,
}

/// Sorted records.
#[derive(Debug)]
pub(super) struct Run {
    /// The group keys of the first records of its blocks.
    pub(super) keys: Vec<Box<[u8]>>,
    pub(super) records: Records,
}

#[derive(Debug)]
pub(super) enum Records {
    Held(Held),
    /// The offsets of the blocks in the file; in a block each record follows its length.
    OnDisk(Vec<u64>),
}

impl<'s, 'd> RunBuilder<'s, 'd> {
    pub(super) fn new(sorter: &'s Sorter<'d>) -> Self {
        Self {
            sorter,
            held: Held::default(),
        }
    }

    /// Adds a record.
    ///
    /// # Errors
    ///
    /// A temporary file that cannot be written.
    pub fn push(&mut self, record: &[u8]) -> Result<(), Error> {
        if self.held.n_bytes_with(record) > self.sorter.run_bytes {
            self.end_run()?;
        }
        self.held.push(record);
        Ok(())
    }

    /// Adds the last records to the sorter; without that they are lost.
    ///
    /// # Errors
    ///
    /// See [`RunBuilder::push`].
    pub fn finish(mut self) -> Result<(), Error> {
        self.end_run()
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
        let keys = firsts.map(|first| (self.sorter.group_key)(first).into());
        let keys = keys.collect();
        if self.sorter.takes_memory(self.held.n_bytes()) {
            let records = Records::Held(mem::take(&mut self.held));
            self.sorter.add(Run { keys, records });
            return Ok(());
        }
        let compressed = self.held.compress()?;
        self.held.clear();
        self.sorter.write(keys, &compressed)
    }
}
