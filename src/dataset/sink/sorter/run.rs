//! Runs: sorted records, held or on disk.

use std::mem;

use super::{Sorter, held::Held};
use crate::archive::error::Error;

/// Sorts the records of one thread for a [`Sorter`].
pub struct RunBuilder<'s, 'd> {
    sorter: &'s Sorter<'d>,
    held: Held,
}

/// Sorted records.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) blocks: Vec<Block>,
    pub(super) records: Records,
}

/// Adjacent records of a run.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Block {
    /// The group key of the first record.
    pub(super) key: Box<[u8]>,
    pub(super) n_bytes: usize,
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
        let blocks = self.held.blocks().map(|(block, n_bytes)| Block {
            key: (self.sorter.group_key)(self.held.record(block.start)).into(),
            n_bytes,
        });
        let blocks = blocks.collect();
        if self.sorter.takes_memory(self.held.n_bytes()) {
            let records = Records::Held(mem::take(&mut self.held));
            self.sorter.add(Run { blocks, records });
            return Ok(());
        }
        let compressed = self.held.compress()?;
        self.held.clear();
        self.sorter.write(blocks, &compressed)
    }
}
