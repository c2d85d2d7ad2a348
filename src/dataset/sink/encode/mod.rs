//! Encodes record batches as row groups, in memory and on any thread.
//!
//! Encoding and compressing is most of the work of writing Parquet, so the worker that evaluated
//! the bodies does it; the file gets finished bytes ([`RowGroup`]) in the order of the input.
//!
//! # The encoding of a column
//!
//! The declaration of a table has the encoding of each column ([`ValueEncoding`]). The default is
//! `PLAIN`: zstd finds repetitions itself, and every engine reads it fast. `DELTA_BINARY_PACKED` is
//! for numbers that mostly rise from row to row (lines, offsets) or lie close together (times), and
//! a dictionary for those with few values in no order (counts, status codes) and for texts that
//! repeat. A dictionary for every column, the crate's default, takes 13 to 15 % more bytes.
//!
//! The `parquet` crate encodes all columns, though it looks up the text of every row of a
//! dictionary array that has the keys already. An encoder of such arrays of our own (1,350 lines)
//! saved 6 % of the time of a run over 29,300 real captures (`run -t 1`, the least user and system
//! time of 27 alternating runs: 1.19 against 1.26 s), 7 % of the instructions, and 14 MB of memory
//! a thread, since each column of the crate has a compressor; files had the same size (-0.05 %).
//! When answers were stored by capture, it had saved almost half of the time.
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

use std::{io, sync::Arc};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use parquet::{
    arrow::{
        ArrowWriter,
        arrow_writer::{
            ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves,
        },
    },
    basic::{Compression, Encoding, ZstdLevel},
    errors::ParquetError,
    file::{
        metadata::KeyValue,
        properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder},
        writer::SerializedFileWriter,
    },
    schema::types::ColumnPath,
};

use crate::{
    archive::error::{Error, ErrorKind},
    dataset::table::{Column, ColumnType, Table, ValueEncoding},
};

/// Level of compression: the fastest regular one, since dictionaries and runs have removed most
/// repetitions before it.
const ZSTD_LEVEL: i32 = 1;
/// Distinct values for which a Bloom filter is allocated, before it is folded to what its chunk
/// needs: the hosts of a row group.
const FILTER_VALUES: u64 = 20_000;
/// Probability that a Bloom filter does not exclude a row group that lacks the value.
const FALSE_POSITIVES: f64 = 0.01;

/// Largest number of rows of a row group: engines scan row groups of 100,000 to 1,000,000 rows
/// best.
const MAX_ROW_GROUP_ROWS: usize = 1_000_000;

/// How one table is laid out in Parquet; shared by all threads.
pub struct Format {
    /// The table's name.
    pub name: &'static str,
    schema: SchemaRef,
    properties: WriterProperties,
    row_groups: ArrowRowGroupWriterFactory,
}

impl Format {
    /// Returns the layout of a table, with key-value metadata for its files.
    ///
    /// # Errors
    ///
    /// A schema that Parquet cannot hold.
    pub fn new(table: &Table, metadata: &[(String, String)]) -> Result<Self, Error> {
        Self::of_table(table, metadata).map_err(parquet_error(table.name))
    }

    fn of_table(table: &Table, metadata: &[(String, String)]) -> Result<Self, ParquetError> {
        let schema = table.schema();
        let metadata = metadata
            .iter()
            .map(|(key, value)| KeyValue::new(key.clone(), value.clone()))
            .collect();
        let mut properties = WriterProperties::builder()
            .set_created_by(concat!("robocensus ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(ZSTD_LEVEL)?))
            .set_key_value_metadata(Some(metadata));
        for column in table.columns {
            properties = with_column(properties, column);
        }
        let properties = properties.build();
        // It makes the factory, and writes no row.
        let writer = ArrowWriter::try_new(io::sink(), schema.clone(), Some(properties.clone()))?;
        let (_, row_groups) = writer.into_serialized_writer()?;
        Ok(Self {
            name: table.name,
            schema,
            properties,
            row_groups,
        })
    }

    /// Returns a writer of a file of this layout.
    pub(super) fn file_writer<W: io::Write + Send>(
        &self,
        file: W,
    ) -> Result<SerializedFileWriter<W>, ParquetError> {
        let properties = Some(self.properties.clone());
        let writer = ArrowWriter::try_new(file, self.schema.clone(), properties)?;
        let (file, _) = writer.into_serialized_writer()?;
        Ok(file)
    }
}

/// Adds how a column is stored.
fn with_column(properties: WriterPropertiesBuilder, column: &Column) -> WriterPropertiesBuilder {
    let path = ColumnPath::from(column.name);
    let has_dictionary =
        column.encoding == ValueEncoding::Dictionary || column.column_type == ColumnType::Name;
    let mut properties = properties
        .set_column_dictionary_enabled(path.clone(), has_dictionary)
        // In a column with a dictionary, this is for the values after it has become too large.
        .set_column_encoding(
            path.clone(),
            match column.encoding {
                ValueEncoding::Delta => Encoding::DELTA_BINARY_PACKED,
                ValueEncoding::Plain | ValueEncoding::Dictionary => Encoding::PLAIN,
            },
        );
    if !column.has_statistics {
        properties =
            properties.set_column_statistics_enabled(path.clone(), EnabledStatistics::None);
    }
    if column.has_bloom_filter {
        properties = properties
            .set_column_bloom_filter_max_ndv(path.clone(), FILTER_VALUES)
            .set_column_bloom_filter_fpp(path, FALSE_POSITIVES);
    }
    properties
}

/// Returns the conversion of an error that occurs while rows of a table are encoded, or written to
/// an output of that name.
pub(super) fn parquet_error(name: &str) -> impl FnOnce(ParquetError) -> Error + '_ {
    move |source| {
        ErrorKind::Parquet {
            path: name.into(),
            source: Box::new(source),
        }
        .into()
    }
}

/// A row group, encoded and compressed.
pub struct RowGroup {
    rows: usize,
    columns: Vec<ArrowColumnChunk>,
}

impl RowGroup {
    /// Returns the number of rows.
    pub fn n_rows(&self) -> usize {
        self.rows
    }

    /// Returns about how many bytes it takes.
    pub(crate) fn n_bytes(&self) -> usize {
        let columns = self.columns.iter();
        let bytes: u64 = columns.map(|column| column.close().bytes_written).sum();
        bytes as usize
    }

    /// Appends the row group to a file.
    pub(super) fn append_to<W: io::Write + Send>(
        self,
        file: &mut SerializedFileWriter<W>,
    ) -> Result<(), ParquetError> {
        let mut group = file.next_row_group()?;
        for column in self.columns {
            column.append_to_row_group(&mut group)?;
        }
        group.close()?;
        Ok(())
    }
}

/// Encodes the batches of one table.
pub struct Encoder {
    format: Arc<Format>,
    columns: Vec<ArrowColumnWriter>,
    rows: usize,
    complete: Vec<RowGroup>,
}

impl Encoder {
    /// Returns an encoder without rows.
    pub fn new(format: Arc<Format>) -> Self {
        Self {
            format,
            columns: Vec::new(),
            rows: 0,
            complete: Vec::new(),
        }
    }

    /// Encodes a batch.
    ///
    /// # Errors
    ///
    /// A batch whose columns have not the values of the layout's types, in a dictionary or not, and
    /// NULL where the layout has none.
    pub fn write(&mut self, batch: RecordBatch) -> Result<(), Error> {
        let name = self.format.name;
        self.try_write(batch).map_err(parquet_error(name))
    }

    fn try_write(&mut self, batch: RecordBatch) -> Result<(), ParquetError> {
        let (_, arrays, n_rows) = batch.into_parts();
        if n_rows == 0 {
            return Ok(());
        }
        if self.columns.is_empty() {
            // The index of the row group matters to encrypted files only.
            self.columns = self.format.row_groups.create_column_writers(0)?;
        }
        let fields = self.format.schema.fields();
        // Each array is freed before the next one is encoded: a batch of texts is larger than its
        // pages.
        for ((column, field), array) in self.columns.iter_mut().zip(fields).zip(arrays) {
            for leaf in compute_leaves(field, &array)? {
                column.write(&leaf)?;
            }
        }
        self.rows += n_rows;
        if self.rows >= MAX_ROW_GROUP_ROWS {
            self.close_row_group()?;
        }
        Ok(())
    }

    /// Returns about how many bytes the encoded rows take.
    ///
    /// Row groups end by it, so it counts encoded bytes instead of allocated ones: it must be the
    /// same wherever the program runs.
    pub(crate) fn memory_size(&self) -> usize {
        let open = (self.columns.iter()).map(ArrowColumnWriter::get_estimated_total_bytes);
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
        self.close_row_group().map_err(parquet_error(name))?;
        Ok(std::mem::take(&mut self.complete))
    }

    fn close_row_group(&mut self) -> Result<(), ParquetError> {
        if self.rows == 0 {
            return Ok(());
        }
        let columns = std::mem::take(&mut self.columns)
            .into_iter()
            .map(ArrowColumnWriter::close)
            .collect::<Result<_, _>>()?;
        let rows = std::mem::take(&mut self.rows);
        self.complete.push(RowGroup { rows, columns });
        Ok(())
    }
}

#[cfg(test)]
mod tests;
