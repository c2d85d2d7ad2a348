//! Records in memory.

use std::{iter, ops::Range};

use super::BLOCK_BYTES;
use crate::{
    archive::error::Error,
    dataset::{growth::reserve, sink::spill::SpillCompressor},
};

/// Records with the same prefix from which on they are sorted by their next bytes.
const MANY: usize = 16;
/// The bytes after which records are compared whole, however many are the same until there.
const MAX_DEPTH: usize = 16 * size_of::<u64>();

/// Records in memory.
#[derive(Debug, Default)]
pub(super) struct Held {
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
    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    pub(super) fn n_bytes(&self) -> usize {
        self.bytes.len() + self.records.len() * size_of::<HeldRecord>()
    }

    /// Returns how many bytes there would be with one record more.
    pub(super) fn n_bytes_with(&self, record: &[u8]) -> usize {
        self.n_bytes() + record.len() + size_of::<HeldRecord>()
    }

    /// Returns a record by its number; numbers are in the order of the bytes once they are sorted.
    pub(super) fn record(&self, number: usize) -> &[u8] {
        self.bytes_of(&self.records[number])
    }

    /// Returns how many of the sorted records are less than `start`.
    pub(super) fn n_less(&self, start: &[u8]) -> usize {
        let is_less = |record: &HeldRecord| self.bytes_of(record) < start;
        self.records.partition_point(is_less)
    }

    pub(super) fn push(&mut self, record: &[u8]) {
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

    pub(super) fn sort(&mut self) {
        sort(&mut self.records, &self.bytes, 0);
    }

    /// Returns the records of each block, and their bytes.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (Range<usize>, usize)> {
        let mut start = 0;
        iter::from_fn(move || {
            let mut n_bytes = 0;
            let is_full = |record: &HeldRecord| {
                n_bytes += size_of::<u64>() + record.range.len();
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
                let record = self.bytes_of(record);
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
