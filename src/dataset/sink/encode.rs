//! Encodes record batches as row groups, in memory and on any thread.
//!
//! Encoding and compressing is most of the work of writing Parquet, so the worker that evaluated
//! the bodies does it; the file gets finished bytes ([`RowGroup`]) in the order of the input. How
//! values are encoded is documented in [`chunk`](super::chunk).
//!
//! # What was measured
//!
//! `robocensus sample --captures 100000`, written by `run -t 1` without redirects and queried by
//! DuckDB 1.5 with one thread; seconds of CPU for the run, milliseconds for a query, the least of
//! three, all in one session, by a build without optimization at link time, when row groups had
//! some 36,000 captures. Differences below 5 % or 3 ms are noise.
//!
//! | settings | run, s | tables, MB | verdicts by agent | rules of one host | captures of one digest | paths with a word |
//! |---|---|---|---|---|---|---|
//! | zstd 1, Bloom filters, statistics | 4.04 to 4.30 | 21.37 | 209 to 214 | 18 to 19 | 10 to 12 | 42 |
//! | zstd 3 | 4.24 | 21.05 | 212 | 19 | 10 | 42 |
//! | zstd -3 | 3.99 | 28.19 | 212 | 18 | 11 | 43 |
//! | without Bloom filters | 4.28 | 20.65 | 211 | 18 | 12 | 43 |
//! | without statistics | 4.27 | 21.37 | 214 | 19 | 12 | 45 |
//! | row groups of some 4,000 captures | 4.20 | 22.17 | 212 | 8 | 9 | 23 |
//!
//! So the level stays at 1: 3 saves 1.5 %, and a faster one costs a third. Filters and statistics
//! show no gain on a dataset of three row groups, and cost 3.4 % and nothing; they are for datasets
//! of thousands of files, of which a query for one host or digest then reads a few. Row groups of
//! some 12,000 captures, as they are now, take 1.4 % more than those of 36,000 and are scanned as
//! fast. Shorter ones answer narrow queries sooner, but the files of a crawl would have several
//! times as many footer entries, which every query reads first.

use std::{fmt, io, sync::Arc};

use arrow_array::RecordBatch;
use parquet::{
    arrow::{ArrowSchemaConverter, add_encoded_arrow_schema_to_metadata},
    errors::ParquetError,
    file::{
        metadata::KeyValue,
        properties::{WriterProperties, WriterPropertiesPtr},
        writer::SerializedFileWriter,
    },
    schema::types::TypePtr,
};

use super::chunk::{
    ColumnChunk, ColumnEncoder, ColumnLayout, PageBuffers, SharedCompressor, compression,
};
use crate::{
    archive::error::{Error, ErrorKind},
    dataset::table::Table,
};

/// Largest number of rows of a row group: engines scan row groups of 100,000 to 1,000,000 rows
/// best.
const MAX_ROW_GROUP_ROWS: usize = 1_000_000;

/// How one table is laid out in Parquet; shared by all threads.
pub struct Format {
    name: &'static str,
    parquet: TypePtr,
    properties: WriterPropertiesPtr,
    columns: Vec<ColumnLayout>,
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Format")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl Format {
    /// Returns the layout of a table, with key-value metadata for its files.
    ///
    /// # Errors
    ///
    /// A schema that Parquet cannot hold.
    pub fn new(table: &Table, metadata: &[(String, String)]) -> Result<Self, Error> {
        Self::of_table(table, metadata).map_err(encode_error(table.name))
    }

    fn of_table(table: &Table, metadata: &[(String, String)]) -> Result<Self, ParquetError> {
        let schema = table.schema();
        let mut properties = WriterProperties::builder()
            .set_created_by(concat!("robocensus ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_compression(compression()?)
            .set_key_value_metadata(Some(
                metadata
                    .iter()
                    .map(|(key, value)| KeyValue::new(key.clone(), value.clone()))
                    .collect(),
            ))
            .build();
        add_encoded_arrow_schema_to_metadata(&schema, &mut properties);
        let properties = Arc::new(properties);
        let parquet = ArrowSchemaConverter::new().convert(&schema)?;
        let columns = schema
            .fields()
            .iter()
            .zip(parquet.columns())
            .zip(table.columns)
            .map(|((field, parquet), column)| {
                ColumnLayout::new(field.clone(), parquet.clone(), column)
            })
            .collect::<Result<_, ParquetError>>()?;
        Ok(Self {
            name: table.name,
            columns,
            parquet: parquet.root_schema_ptr(),
            properties,
        })
    }

    /// Returns the table's name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns a writer of a file of this layout.
    pub(super) fn file_writer<W: io::Write + Send>(
        &self,
        file: W,
    ) -> Result<SerializedFileWriter<W>, ParquetError> {
        SerializedFileWriter::new(file, self.parquet.clone(), self.properties.clone())
    }
}

/// Returns the conversion of an error that occurs while rows of a table are encoded.
fn encode_error(table: &str) -> impl FnOnce(ParquetError) -> Error + '_ {
    move |source| {
        ErrorKind::Parquet {
            path: table.into(),
            source: Box::new(source),
        }
        .into()
    }
}

/// A row group, encoded and compressed.
#[derive(Debug)]
pub struct RowGroup {
    pub(super) rows: usize,
    pub(super) columns: Vec<ColumnChunk>,
}

impl RowGroup {
    /// Returns the number of rows.
    pub fn n_rows(&self) -> usize {
        self.rows
    }

    /// Returns about how many bytes it takes.
    pub(crate) fn n_bytes(&self) -> usize {
        self.columns.iter().map(ColumnChunk::bytes).sum()
    }
}

/// Encodes the batches of one table.
pub struct Encoder {
    format: Arc<Format>,
    compressor: SharedCompressor,
    columns: Vec<ColumnEncoder>,
    rows: usize,
    complete: Vec<RowGroup>,
}

impl fmt::Debug for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoder")
            .field("format", &self.format)
            .field("rows", &self.rows)
            .field("complete", &self.complete)
            .finish_non_exhaustive()
    }
}

impl Encoder {
    /// Returns an encoder without rows.
    pub fn new(format: Arc<Format>) -> Self {
        Self::sharing(format, SharedCompressor::default())
    }

    /// Returns the encoders of one thread, which share a compressor.
    pub(crate) fn of_formats(formats: &[Arc<Format>]) -> Vec<Self> {
        let compressor = SharedCompressor::default();
        let formats = formats.iter().cloned();
        formats
            .map(|format| Self::sharing(format, compressor.clone()))
            .collect()
    }

    fn sharing(format: Arc<Format>, compressor: SharedCompressor) -> Self {
        Self {
            format,
            compressor,
            columns: Vec::new(),
            rows: 0,
            complete: Vec::new(),
        }
    }

    /// Encodes a batch. Pages of names end with the batch, so batches of some ten thousand rows
    /// make the best files.
    ///
    /// # Errors
    ///
    /// A batch whose columns are not of the layout's types, and NULL where the layout has none.
    pub fn write(&mut self, batch: RecordBatch) -> Result<(), Error> {
        let name = self.format.name;
        self.try_write(batch).map_err(encode_error(name))
    }

    fn try_write(&mut self, batch: RecordBatch) -> Result<(), ParquetError> {
        let (schema, arrays, n_rows) = batch.into_parts();
        if n_rows == 0 {
            return Ok(());
        }
        if self.columns.is_empty() {
            let layouts = self.format.columns.iter();
            self.columns = layouts
                .map(|layout| ColumnEncoder::new(layout, &self.compressor))
                .collect::<Result<_, _>>()?;
        }
        let types = arrays.iter().map(|array| array.data_type());
        let fields = self.format.columns.iter().map(|layout| &layout.field);
        if !types.eq(fields.map(|field| field.data_type())) {
            return Err(ParquetError::General(format!(
                "expected a batch of the columns of {}, but found {}",
                self.format.name, schema
            )));
        }
        // Allocated for each batch: a worker has an encoder for every table, and those of all but
        // one would be idle.
        let mut buffers = PageBuffers::new(&self.compressor);
        for (column, array) in self.columns.iter_mut().zip(arrays) {
            // Freed before the next one is encoded: a batch of texts is larger than its pages.
            column.write(&array, &mut buffers)?;
        }
        self.rows += n_rows;
        if self.rows >= MAX_ROW_GROUP_ROWS {
            self.close_row_group()?;
        }
        Ok(())
    }

    /// Returns about how many bytes the encoded rows take.
    pub(crate) fn memory_size(&self) -> usize {
        let open = self.columns.iter().map(ColumnEncoder::encoded_size);
        let complete = self.complete.iter().map(RowGroup::n_bytes);
        open.chain(complete).sum()
    }

    /// Ends the open row group, and returns all that are complete.
    ///
    /// # Errors
    ///
    /// See [`Encoder::write`].
    pub fn finish(&mut self) -> Result<Vec<RowGroup>, Error> {
        let name = self.format.name;
        self.close_row_group().map_err(encode_error(name))?;
        Ok(std::mem::take(&mut self.complete))
    }

    fn close_row_group(&mut self) -> Result<(), ParquetError> {
        if self.rows == 0 {
            return Ok(());
        }
        let columns = std::mem::take(&mut self.columns)
            .into_iter()
            .map(|column| column.close(&self.compressor))
            .collect::<Result<_, _>>()?;
        let rows = std::mem::take(&mut self.rows);
        self.complete.push(RowGroup { rows, columns });
        Ok(())
    }
}
