//! Runs: sorted records on disk.

use std::{mem, ops::Range};

use super::{BLOCK_BYTES, Sorter};
use crate::{
    archive::error::Error,
    dataset::{
        growth::reserve,
        sink::spill::{cannot_compress, compressor},
    },
};

/// Sorts the records of one thread for a [`Sorter`].
pub struct RunBuilder<'s> {
    pub(super) sorter: &'s Sorter,
    /// The records, end to end.
    pub(super) bytes: Vec<u8>,
    pub(super) records: Vec<Range<usize>>,
}

/// Adjacent records of a run, in which each follows its length.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Block {
    /// The group key of the first record.
    pub(super) key: Box<[u8]>,
    pub(super) n_bytes: usize,
    /// Where it is in the file, once it is written.
    pub(super) offset: u64,
}

impl RunBuilder<'_> {
    /// Adds a record.
    ///
    /// # Errors
    ///
    /// A temporary file that cannot be written.
    pub fn push(&mut self, record: &[u8]) -> Result<(), Error> {
        let n_records = self.records.len() + 1;
        let n_bytes = self.bytes.len() + record.len() + n_records * size_of::<Range<usize>>();
        if n_bytes > self.sorter.run_bytes {
            self.end_run()?;
        }
        let start = self.bytes.len();
        reserve(&mut self.bytes, record.len());
        self.bytes.extend_from_slice(record);
        self.records.push(start..self.bytes.len());
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
        if self.records.is_empty() {
            return Ok(());
        }
        let bytes = &self.bytes;
        self.records
            .sort_unstable_by(|a, b| bytes[a.clone()].cmp(&bytes[b.clone()]));
        let blocks = self.compressed()?;
        self.sorter.write(blocks)?;
        self.bytes.clear();
        self.records.clear();
        Ok(())
    }

    /// Returns the blocks of the sorted records, compressed.
    fn compressed(&self) -> Result<Vec<(Block, Vec<u8>)>, Error> {
        let mut compressor = compressor()?;
        let mut blocks = Vec::new();
        let mut bytes = Vec::with_capacity(BLOCK_BYTES);
        let mut key = Box::default();
        for (number, record) in self.records.iter().enumerate() {
            let record = &self.bytes[record.clone()];
            if bytes.is_empty() {
                key = (self.sorter.group_key)(record).into();
            }
            bytes.extend_from_slice(&(record.len() as u64).to_le_bytes());
            bytes.extend_from_slice(record);
            if bytes.len() >= BLOCK_BYTES || number + 1 == self.records.len() {
                let block = Block {
                    key: mem::take(&mut key),
                    n_bytes: bytes.len(),
                    offset: 0,
                };
                let compressed = compressor.compress(&bytes).map_err(cannot_compress)?;
                blocks.push((block, compressed));
                bytes.clear();
            }
        }
        Ok(blocks)
    }
}
