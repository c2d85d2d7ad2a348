//! Records in memory.

use std::{iter, ops::Range};

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

impl Held {
    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    pub(super) fn n_bytes(&self) -> usize {
        self.bytes.len() + self.records.len() * size_of::<Range<usize>>()
    }

    /// Returns how many bytes there would be with one record more.
    pub(super) fn n_bytes_with(&self, record: &[u8]) -> usize {
        self.n_bytes() + record.len() + size_of::<Range<usize>>()
    }

    /// Returns a record by its number; numbers are in the order of the bytes once they are sorted.
    pub(super) fn record(&self, number: usize) -> &[u8] {
        &self.bytes[self.records[number].clone()]
    }

    /// Returns how many of the sorted records are less than `start`.
    pub(super) fn n_less(&self, start: &[u8]) -> usize {
        let is_less = |record: &Range<usize>| &self.bytes[record.clone()] < start;
        self.records.partition_point(is_less)
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

    /// Returns the records of each block, and their bytes.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (Range<usize>, usize)> {
        let mut start = 0;
        iter::from_fn(move || {
            let mut n_bytes = 0;
            let is_full = |record: &Range<usize>| {
                n_bytes += size_of::<u64>() + record.len();
                n_bytes >= BLOCK_BYTES
            };
            let n = self.records[start..].iter().position(is_full);
            let end = n.map_or(self.records.len(), |n| start + n + 1);
            let block = start..end;
            start = end;
            (!block.is_empty()).then_some((block, n_bytes))
        })
    }

    pub(super) fn compress(&self) -> Result<Vec<(Vec<u8>, usize)>, Error> {
        let mut compressor = SpillCompressor::new()?;
        let mut bytes = Vec::with_capacity(BLOCK_BYTES);
        let compressed = self.blocks().map(|(block, _)| {
            bytes.clear();
            for record in &self.records[block] {
                let record = &self.bytes[record.clone()];
                bytes.extend_from_slice(&(record.len() as u64).to_le_bytes());
                bytes.extend_from_slice(record);
            }
            Ok((compressor.compress(&bytes)?, bytes.len()))
        });
        compressed.collect()
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.records.clear();
    }
}
