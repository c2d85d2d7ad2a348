//! Writes a table that is built from all parts: one file for each crawl, in place of older ones.

use std::sync::Arc;

use arrow_array::RecordBatch;

use crate::{
    error::Error,
    sink::{Dataset, Encoder, Format, PartWriter, RowGroup, TableFile, WholeTable},
};

/// Rows that a builder collects before they are encoded: few enough to stay in the processor's
/// caches.
pub(super) const BATCH_ROWS: usize = 16 * 1024;

/// Rows after which a row group ends: engines scan those of 100,000 and more best, and all that was
/// encoded is in memory until then.
pub(super) const ROW_GROUP_ROWS: usize = 8 * BATCH_ROWS;

/// Writes the files of a table.
pub(super) struct WholeWriter<'d> {
    dataset: &'d Dataset,
    format: Arc<Format>,
    open: Option<(PartWriter, Encoder)>,
    /// Rows that are encoded and not in the file yet.
    rows: usize,
    /// The files of the crawls that have ended.
    files: Vec<TableFile>,
}

impl<'d> WholeWriter<'d> {
    pub(super) fn new(dataset: &'d Dataset, format: Arc<Format>) -> Self {
        Self {
            dataset,
            format,
            open: None,
            rows: 0,
            files: Vec::new(),
        }
    }

    /// Begins the file of a crawl.
    pub(super) fn begin(&mut self) -> Result<(), Error> {
        let formats = std::slice::from_ref(&self.format);
        let part = self.dataset.begin_part(self.format.name(), formats)?;
        self.open = Some((part, Encoder::new(self.format.clone())));
        Ok(())
    }

    /// Appends rows to the file that was begun.
    pub(super) fn write(&mut self, rows: RecordBatch) -> Result<(), Error> {
        let (part, encoder) = self.open.as_mut().expect("a file is open while rows come");
        self.rows += rows.num_rows();
        encoder.write(rows)?;
        if self.rows >= ROW_GROUP_ROWS {
            self.rows = 0;
            part.append(0, encoder.finish()?)?;
        }
        Ok(())
    }

    /// Appends row groups of the file's format to the file that was begun.
    pub(super) fn append(&mut self, row_groups: Vec<RowGroup>) -> Result<(), Error> {
        let (part, _) = self.open.as_mut().expect("a file is open while rows come");
        part.append(0, row_groups)
    }

    /// Publishes the file that was begun.
    pub(super) fn end(&mut self, crawl: Option<&str>) -> Result<(), Error> {
        self.rows = 0;
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
