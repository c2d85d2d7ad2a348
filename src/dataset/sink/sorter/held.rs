//! Records in memory.

use std::ops::Range;

use super::BLOCK_BYTES;
use crate::{
    archive::error::Error,
    dataset::{growth::reserve, sink::spill::SpillCompressor},
};

/// Records in memory.
#[derive(Debug, Default)]
pub(super) struct Held {
    /// End to end.
    bytes: Vec<u8>,
    records: Vec<Range<usize>>,
}

/// Adjacent records, compressed.
pub(super) struct CompressedBlock {
    /// The number of the first record.
    pub(super) first: usize,
    /// Before they were compressed.
    pub(super) n_bytes: usize,
    pub(super) compressed: Vec<u8>,
}

impl Held {
    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    /// Returns how many bytes there would be with one record more.
    pub(super) fn n_bytes_with(&self, record: &[u8]) -> usize {
        let n_records = self.records.len() + 1;
        self.bytes.len() + record.len() + n_records * size_of::<Range<usize>>()
    }

    /// Returns a record by its number; numbers are in the order of the bytes once they are sorted.
    pub(super) fn record(&self, number: usize) -> &[u8] {
        &self.bytes[self.records[number].clone()]
    }

    pub(super) fn push(&mut self, record: &[u8]) {
        let start = self.bytes.len();
        reserve(&mut self.bytes, record.len());
        self.bytes.extend_from_slice(record);
        self.records.push(start..self.bytes.len());
    }

    pub(super) fn sort(&mut self) {
        let bytes = &self.bytes;
        self.records
            .sort_unstable_by(|a, b| bytes[a.clone()].cmp(&bytes[b.clone()]));
    }

    /// Returns the blocks of the sorted records, compressed.
    pub(super) fn compress(&self) -> Result<Vec<CompressedBlock>, Error> {
        let mut compressor = SpillCompressor::new()?;
        let mut blocks = Vec::new();
        let mut bytes = Vec::with_capacity(BLOCK_BYTES);
        let mut first = 0;
        for (number, record) in self.records.iter().enumerate() {
            bytes.extend_from_slice(&(record.len() as u64).to_le_bytes());
            bytes.extend_from_slice(&self.bytes[record.clone()]);
            if bytes.len() >= BLOCK_BYTES || number + 1 == self.records.len() {
                blocks.push(CompressedBlock {
                    first,
                    n_bytes: bytes.len(),
                    compressed: compressor.compress(&bytes)?,
                });
                bytes.clear();
                first = number + 1;
            }
        }
        Ok(blocks)
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.records.clear();
    }
}
