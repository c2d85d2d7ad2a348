//! Writes a table that is built from all parts: one file for each crawl, in place of older ones.

use std::sync::Arc;

use arrow_array::RecordBatch;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::{
    error::Error,
    sink::{Dataset, Encoder, Format, PartWriter, RowGroup, TableFile, WholeTable},
    table::Columns,
};

/// Rows that a builder collects before they are encoded: few enough to stay in the processor's
/// caches.
const BATCH_ROWS: usize = 16 * 1024;
/// Bytes of text at which a batch ends before it has as many rows: hosts and URLs may be long.
const BATCH_BYTES: usize = 16 * 1024 * 1024;
/// Rows after which a row group ends: engines scan those of 100,000 and more best, and all that was
/// encoded is in memory until then.
pub(super) const ROW_GROUP_ROWS: usize = 8 * BATCH_ROWS;
/// Encoded bytes at which a row group ends before it has as many rows; most have some 10 MB.
const ROW_GROUP_BYTES: usize = 32 * 1024 * 1024;

/// Returns whether the rows of a builder are as many as are encoded at a time.
pub(super) fn is_batch(rows: &impl Columns) -> bool {
    rows.n_rows() >= BATCH_ROWS || rows.n_bytes() >= BATCH_BYTES
}

/// Encodes batches as row groups, which end with a batch.
pub(super) struct RowGroupEncoder {
    encoder: Encoder,
    /// Of the row group that has not ended.
    n_rows: usize,
}

impl RowGroupEncoder {
    pub(super) fn new(format: Arc<Format>) -> Self {
        let encoder = Encoder::new(format);
        Self { encoder, n_rows: 0 }
    }

    /// Encodes rows, and returns the row group that is complete with them, if there is one.
    pub(super) fn write(&mut self, rows: RecordBatch) -> Result<Vec<RowGroup>, Error> {
        self.n_rows += rows.num_rows();
        self.encoder.write(rows)?;
        match self.n_rows >= ROW_GROUP_ROWS || self.encoder.memory_size() >= ROW_GROUP_BYTES {
            true => self.finish(),
            false => Ok(Vec::new()),
        }
    }

    /// Returns the last row group, if it has rows.
    pub(super) fn finish(&mut self) -> Result<Vec<RowGroup>, Error> {
        self.n_rows = 0;
        self.encoder.finish()
    }
}

/// Writes the files of a table.
pub(super) struct WholeWriter<'d> {
    dataset: &'d Dataset,
    format: Arc<Format>,
    open: Option<(PartWriter, RowGroupEncoder)>,
    /// The files of the crawls that have ended.
    files: Vec<TableFile>,
}

impl<'d> WholeWriter<'d> {
    pub(super) fn new(dataset: &'d Dataset, format: Arc<Format>) -> Self {
        Self {
            dataset,
            format,
            open: None,
            files: Vec::new(),
        }
    }

    /// Begins the file of a crawl.
    pub(super) fn begin(&mut self) -> Result<(), Error> {
        let formats = std::slice::from_ref(&self.format);
        let part = self.dataset.begin_part(self.format.name(), formats)?;
        self.open = Some((part, RowGroupEncoder::new(self.format.clone())));
        Ok(())
    }

    /// Appends rows to the file that was begun.
    pub(super) fn write(&mut self, rows: RecordBatch) -> Result<(), Error> {
        let (part, encoder) = self.open.as_mut().expect("a file is open while rows come");
        part.append(0, encoder.write(rows)?)
    }

    /// Appends shares of the rows to the file that was begun, each encoded by one of all threads:
    /// `encode` passes on row groups of the file's format as they are complete, and what it returns
    /// is passed to `each`, in the order of the shares. The row groups of a long share are written
    /// at once, those of others held until the shares before them are written.
    pub(super) fn append<S: Sync, T: Send>(
        &mut self,
        shares: &[S],
        is_long: impl Fn(&S) -> bool,
        encode: impl Fn(&S, &mut dyn FnMut(Vec<RowGroup>) -> Result<(), Error>) -> Result<T, Error>
        + Sync,
        mut each: impl FnMut(T),
    ) -> Result<(), Error> {
        let (part, _) = self.open.as_mut().expect("a file is open while rows come");
        for shares in shares.chunk_by(|a, b| !is_long(a) && !is_long(b)) {
            if let [share] = shares {
                each(encode(share, &mut |row_groups| part.append(0, row_groups))?);
                continue;
            }
            for shares in shares.chunks(rayon::current_num_threads()) {
                let encoded = shares.par_iter().map(|share| {
                    let mut held = Vec::new();
                    let returned = encode(share, &mut |row_groups| {
                        held.extend(row_groups);
                        Ok(())
                    })?;
                    Ok((held, returned))
                });
                for (row_groups, returned) in encoded.collect::<Result<Vec<_>, Error>>()? {
                    part.append(0, row_groups)?;
                    each(returned);
                }
            }
        }
        Ok(())
    }

    /// Publishes the file that was begun.
    pub(super) fn end(&mut self, crawl: Option<&str>) -> Result<(), Error> {
        let (mut part, mut encoder) = self.open.take().expect("a file was begun");
        part.append(0, encoder.finish()?)?;
        self.files.extend(self.dataset.replace(crawl, part)?);
        Ok(())
    }

    /// Records the files and the parts that the table was built from, and returns the bytes of the
    /// files.
    pub(super) fn record(self, parts: &[&str]) -> Result<u64, Error> {
        let bytes = self.files.iter().map(|file| file.bytes).sum();
        self.dataset.record(&WholeTable {
            table: self.format.name().to_owned(),
            parts: parts.iter().map(|&part| part.to_owned()).collect(),
            files: self.files,
        })?;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        random::Random,
        table::{CaptureKey, TableBuilder, robots_bodies},
    };

    #[test]
    fn batches_and_row_groups_end_by_bytes_before_they_have_many_rows() {
        let format = Format::new(&robots_bodies::TABLE, &[]).unwrap();
        let mut encoder = RowGroupEncoder::new(format.into());
        let mut builder = robots_bodies::RobotsBodiesBuilder::default();
        let mut random = Random::new(5);
        let (mut rows_of_batches, mut rows_of_groups) = (Vec::new(), Vec::new());
        for id in 0..64 {
            let mut body = Vec::with_capacity(BATCH_BYTES / 16);
            while body.len() < BATCH_BYTES / 16 {
                let bits = random.below(1 << 30);
                body.extend((0..5).map(|n| b' ' + (bits >> (6 * n) & 63) as u8));
            }
            builder.append(CaptureKey { id, host: "" }, &body);
            if is_batch(&builder) {
                rows_of_batches.push(builder.n_rows());
                let row_groups = encoder.write(builder.finish()).unwrap();
                rows_of_groups.extend(row_groups.iter().map(RowGroup::n_rows));
            }
        }
        rows_of_groups.extend(encoder.finish().unwrap().iter().map(RowGroup::n_rows));
        assert_eq!(rows_of_batches, [16; 4]);
        assert_eq!(rows_of_groups, [48, 16]);
    }
}
