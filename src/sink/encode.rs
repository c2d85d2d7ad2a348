//! From record batches to encoded row groups, in memory and on any thread.
//!
//! Encoding and compressing is most of the work of writing Parquet, so it is done by the worker that made the rows; the file gets finished
//! bytes ([`RowGroup`]) in the order of the input. Compression is zstd at its fastest regular level, since dictionaries and runs have taken out most before it.

use std::{io, sync::Arc};

use arrow_array::RecordBatch;
use arrow_schema::{DataType, SchemaRef};
use parquet::{
    arrow::{
        ArrowSchemaConverter, add_encoded_arrow_schema_to_metadata,
        arrow_writer::{
            ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves,
        },
    },
    basic::{Compression, ZstdLevel},
    errors::ParquetError,
    file::{
        metadata::KeyValue,
        properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr},
        writer::SerializedFileWriter,
    },
    schema::types::{ColumnPath, TypePtr},
};

/// Largest number of rows of a row group: engines scan row groups of 100,000 to 1,000,000 rows best.
pub const MAX_ROW_GROUP_ROWS: usize = 1_000_000;
/// The one column of few values whose smallest and largest say where to look: archives come in the order of their names.
const SORTED_COLUMN: &str = "warc_filename";
/// Columns with a Bloom filter: a query for one host, file or agent then reads only the row groups that hold it.
const BLOOM_COLUMNS: [&str; 3] = ["url_host_name", "content_digest", "agent_token"];
/// Distinct values a Bloom filter is made for: hosts of one row group.
const BLOOM_DISTINCT: u64 = 20_000;
/// Chance that a Bloom filter lets a row group through that lacks the value.
const BLOOM_FALSE_POSITIVES: f64 = 0.01;

/// How one table is laid out in Parquet; shared by all threads.
pub struct Format {
    name: &'static str,
    arrow: SchemaRef,
    parquet: TypePtr,
    properties: WriterPropertiesPtr,
    factory: ArrowRowGroupWriterFactory,
}

impl std::fmt::Debug for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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
    pub fn new(
        name: &'static str,
        schema: SchemaRef,
        metadata: &[(String, String)],
    ) -> Result<Self, ParquetError> {
        let mut builder = WriterProperties::builder()
            .set_created_by(concat!("robocensus ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?))
            .set_key_value_metadata(Some(
                metadata
                    .iter()
                    .map(|(key, value)| KeyValue::new(key.clone(), value.clone()))
                    .collect(),
            ));
        for field in schema.fields() {
            // Where few values repeat in every row group, smallest and largest exclude nothing, and comparing every value costs time.
            if matches!(field.data_type(), DataType::Dictionary(..))
                && field.name() != SORTED_COLUMN
            {
                let path = ColumnPath::from(field.name().as_str());
                builder = builder.set_column_statistics_enabled(path, EnabledStatistics::None);
            }
        }
        for column in BLOOM_COLUMNS {
            if schema.field_with_name(column).is_ok() {
                let path = ColumnPath::from(column);
                builder = builder
                    .set_column_bloom_filter_enabled(path.clone(), true)
                    .set_column_bloom_filter_fpp(path.clone(), BLOOM_FALSE_POSITIVES)
                    .set_column_bloom_filter_max_ndv(path, BLOOM_DISTINCT);
            }
        }
        let mut properties = builder.build();
        add_encoded_arrow_schema_to_metadata(&schema, &mut properties);
        let parquet = ArrowSchemaConverter::new()
            .convert(&schema)?
            .root_schema_ptr();
        let properties = Arc::new(properties);
        // The factory takes schema and properties from a file writer; this one never writes.
        let nowhere = SerializedFileWriter::new(io::sink(), parquet.clone(), properties.clone())?;
        Ok(Self {
            name,
            factory: ArrowRowGroupWriterFactory::new(&nowhere, schema.clone()),
            arrow: schema,
            parquet,
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

/// A row group, encoded and compressed.
#[derive(Debug)]
pub struct RowGroup {
    pub(super) rows: usize,
    pub(super) columns: Vec<ArrowColumnChunk>,
}

impl RowGroup {
    /// Returns the number of rows.
    pub fn n_rows(&self) -> usize {
        self.rows
    }
}

/// Encodes the batches of one table.
#[derive(Debug)]
pub struct Encoder {
    format: Arc<Format>,
    columns: Vec<ArrowColumnWriter>,
    rows: usize,
    done: Vec<RowGroup>,
}

impl Encoder {
    /// Returns an encoder of that layout.
    pub fn new(format: Arc<Format>) -> Self {
        Self {
            format,
            columns: Vec::new(),
            rows: 0,
            done: Vec::new(),
        }
    }

    /// Encodes a batch.
    ///
    /// # Errors
    ///
    /// What the Parquet writer refuses; for batches of the schema there is nothing.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), ParquetError> {
        if batch.num_rows() == 0 {
            return Ok(());
        }
        if self.columns.is_empty() {
            self.columns = self.format.factory.create_column_writers(0)?;
        }
        let fields = self.format.arrow.fields();
        for ((field, array), column) in fields.iter().zip(batch.columns()).zip(&mut self.columns) {
            for leaf in compute_leaves(field, array)? {
                column.write(&leaf)?;
            }
        }
        self.rows += batch.num_rows();
        if self.rows >= MAX_ROW_GROUP_ROWS {
            self.close_row_group()?;
        }
        Ok(())
    }

    /// Returns about how many bytes of memory the encoded rows take.
    pub fn memory_size(&self) -> usize {
        let open: usize = self
            .columns
            .iter()
            .map(ArrowColumnWriter::memory_size)
            .sum();
        let done = self.done.iter().flat_map(|group| &group.columns);
        open + done
            .map(|column| usize::try_from(column.close().bytes_written).unwrap_or(usize::MAX))
            .sum::<usize>()
    }

    /// Ends the open row group and hands out all that are finished.
    ///
    /// # Errors
    ///
    /// See [`Encoder::write`].
    pub fn finish(&mut self) -> Result<Vec<RowGroup>, ParquetError> {
        self.close_row_group()?;
        Ok(std::mem::take(&mut self.done))
    }

    fn close_row_group(&mut self) -> Result<(), ParquetError> {
        let columns = std::mem::take(&mut self.columns);
        if columns.is_empty() {
            return Ok(());
        }
        let columns = columns
            .into_iter()
            .map(ArrowColumnWriter::close)
            .collect::<Result<_, _>>()?;
        let rows = std::mem::take(&mut self.rows);
        self.done.push(RowGroup { rows, columns });
        Ok(())
    }
}
