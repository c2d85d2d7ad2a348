//! The rows of one table on their way to a file: collected by a builder, encoded a batch at a time.

use std::{ops::Range, sync::Arc};

use super::{
    sink::{Encoder, Format, RowGroup},
    table::TableBuilder,
};
use crate::archive::error::Error;

/// Bytes of text at which a batch ends before it has as many rows: a row may have a line as long as
/// its file, and hosts and URLs may be long.
pub(super) const BATCH_BYTES: usize = 16 * 1024 * 1024;
/// Rows of a batch of a table that is built from all parts: few enough to stay in the processor's
/// caches.
pub(super) const BATCH_ROWS: usize = 16 * 1024;
/// Rows after which a row group of such a table ends: engines scan row groups of 100,000 and more
/// best, and all that was encoded is in memory until then.
pub(super) const ROW_GROUP_ROWS: usize = 8 * BATCH_ROWS;
/// Encoded bytes at which it ends before it has as many rows; most have some 10 MB.
pub(super) const ROW_GROUP_BYTES: usize = 32 * 1024 * 1024;

/// The rows of one table that are not handed over yet.
pub(super) struct TableRows<B> {
    /// Those of the batch.
    pub(super) rows: B,
    batch_rows: usize,
    /// `None` for a table that is not written.
    encoder: Option<Encoder>,
    n_encoded: usize,
    /// About how many bytes of memory the encoded rows take.
    pub(super) encoded_bytes: usize,
}

impl<B: TableBuilder> TableRows<B> {
    /// Returns no rows of a table, which are encoded when there are `batch_rows` of them; without a
    /// format the table is not written.
    pub(super) fn new(rows: B, batch_rows: usize, format: Option<Arc<Format>>) -> Self {
        Self {
            rows,
            batch_rows,
            encoder: format.map(Encoder::new),
            n_encoded: 0,
            encoded_bytes: 0,
        }
    }

    /// Returns true if and only if the table is written, so that it may have rows.
    pub(super) fn is_written(&self) -> bool {
        self.encoder.is_some()
    }

    /// Appends `n` rows, if the table is written, as many at a time as a batch takes; `append`
    /// appends those of a range.
    pub(super) fn append_batches(
        &mut self,
        n: usize,
        mut append: impl FnMut(&mut B, Range<usize>),
    ) -> Result<(), Error> {
        let mut start = 0;
        while start < n && self.is_written() {
            let capacity = self.batch_rows.saturating_sub(self.rows.n_rows()).max(1);
            let end = n.min(start + capacity);
            append(&mut self.rows, start..end);
            self.encode_full()?;
            start = end;
        }
        Ok(())
    }

    /// Encodes the batch if it is full.
    pub(super) fn encode_full(&mut self) -> Result<(), Error> {
        if self.rows.n_rows() >= self.batch_rows || self.rows.n_bytes() >= BATCH_BYTES {
            self.encode()?;
        }
        Ok(())
    }

    /// Encodes the batch if it is full, and returns the row group that is complete with it, if
    /// there is one.
    pub(super) fn complete_row_groups(&mut self) -> Result<Vec<RowGroup>, Error> {
        self.encode_full()?;
        if self.n_encoded < ROW_GROUP_ROWS && self.encoded_bytes < ROW_GROUP_BYTES {
            return Ok(Vec::new());
        }
        self.finish()
    }

    /// Encodes what is left, and returns all row groups.
    pub(super) fn finish(&mut self) -> Result<Vec<RowGroup>, Error> {
        self.encode()?;
        (self.n_encoded, self.encoded_bytes) = (0, 0);
        (self.encoder.as_mut()).map_or(Ok(Vec::new()), Encoder::finish)
    }

    fn encode(&mut self) -> Result<(), Error> {
        if self.rows.n_rows() > 0 {
            let encoder = self.encoder.as_mut();
            let encoder = encoder.expect("only a table that is written has rows");
            self.n_encoded += self.rows.n_rows();
            encoder.write(self.rows.finish())?;
            // To add up the columns after every row would take longer than to append it.
            self.encoded_bytes = encoder.memory_size();
        }
        Ok(())
    }
}
