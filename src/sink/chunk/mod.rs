//! Column chunks, encoded at the speed the data allows.
//!
//! Arrays of a column enter, batch by batch; a compressed chunk leaves, with what a footer says of
//! it. What a column means is not known here, nor which file the chunk goes to.
//!
//! # Be advised
//!
//! The `parquet` crate writes Arrow arrays by itself, and it can do so for any array. It looks up
//! every value of every row in a hash table, to learn what most of our columns knew before: that a
//! name is the third of nine, that a host is that of the row above. With a matrix of agents and
//! URLs that was almost half of the time of a run. So the chunks are made here, and the crate does
//! the rest: it writes the heads of pages, Bloom filters, indexes and the footer, and it still
//! encodes the types that are rare with us (real numbers), beside our chunks in the same row group.
//! No function of the crate is used that it does not publish; [`pages`] is the one place that hands
//! bytes to it.
//!
//! How each type is written, and what to know before changing it:
//!
//! - *Names* ([`name`]) are dictionary arrays. Each batch has a dictionary of its own, so a text is
//!   looked up once for each batch that uses it; a row costs a look into a table of integers, and
//!   eight equal rows cost one. Keys get the width that the chunk's dictionary has at the end of
//!   their page: a page is mapped as a whole before it is packed.
//! - *Runs* ([`hybrid`]) are found in groups of eight, without a branch for each row. A run that
//!   begins inside a group gives its first rows to the packed stretch before it, which must be
//!   whole groups.
//! - *Texts* ([`text`]) have a dictionary if the first of them repeat, and are copied as they are
//!   otherwise. The crate tries a dictionary for all and gives it up at 1 MiB, which pays for the
//!   look-ups and then for keys too wide to compress.
//! - *Integers* ([`number`]) are tried on the first 4,096 values in all three encodings that every
//!   engine reads, after compression. Identifiers that stand in long runs are not tried: a
//!   dictionary is the cheapest to write and to scan. What a dictionary costs is judged by how fast
//!   it still grows in the second half of the sample, since a chunk has only one.
//! - *Booleans* ([`flag`]) without nulls are Arrow's bitmap, copied; *nulls* ([`levels`]) are the
//!   bitmap of an array, with its whole bytes as runs.
//! - *Pages* ([`levels`]) end where a batch ends, so that nothing waits for the next batch: a batch
//!   is one page, or some of equal length. The pipeline's batches are of the length that a page is
//!   to have. A caller with tiny batches gets tiny pages, and a larger file.
//! - *Bounds* ([`bounds`]) are those that the crate computes, to the byte; a test compares the two
//!   writers. Names have none, except where they say where to look.
//!
//! Whatever depends on the order of a hash table stays inside it: keys are numbered by first use.
//! The same batches give the same bytes.
//!
//! # What was measured
//!
//! An archive of 30,000 captures by `robocensus sample --captures 30000 --seed 1 --out s.warc.gz`,
//! read by `robocensus run s.warc.gz --out o -t 1` with the writer of the `parquet` crate
//! (*before*) and with this folder (*after*); and 29,284 real captures. Time is `perf stat`'s user
//! time and the share of `Encoder::write` in `perf record --call-graph dwarf`, on a shared machine:
//! read the ratios.
//!
//! | | before | after |
//! |---|---|---|
//! | user time of the run, 4.32 million verdicts and 0.94 million other rows | 1.47 s | 1.02 s |
//! | of it encoding, a row of any table on average, with compression | 140 ns | 39 ns |
//! | bytes of the tables, generated | 6,643,638 | 5,743,030 |
//! | bytes of the tables, real | 15,098,088 | 13,382,685 |
//!
//! By kind of column, in bytes of the real captures after zstd: `capture_id` of `captures` 110,011
//! by dictionary, 60,815 `PLAIN`, 48,376 by delta; `line` of `rules` 556,647, 447,238 and 163,840;
//! `rule_count` of `captures` 23,715, 28,741 and 36,731; `pattern` 2,610,207 by dictionary,
//! 2,577,182 `PLAIN`, 2,590,659 as `DELTA_LENGTH_BYTE_ARRAY`; `url` 306,480, 269,545 and 246,809.
//! No encoding is best for all integers, so the data decide; the lengths as deltas win 7 % on URLs
//! and lose 45 % on generated patterns, which repeat, so texts stay `PLAIN`. `BYTE_STREAM_SPLIT`
//! would be smaller still for most integers (`line`: 133,604), but engines of a few years ago read
//! it for real numbers only.

mod bits;
mod bloom;
mod bounds;
#[cfg(test)]
mod cases;
mod delta;
mod dictionary;
mod flag;
mod hybrid;
mod levels;
mod name;
mod number;
mod pages;
mod text;

use std::{fmt, io::Write};

use arrow_array::{
    ArrayRef,
    cast::AsArray,
    types::{Int32Type, Int64Type, TimestampMicrosecondType},
};
use arrow_schema::{DataType, FieldRef, TimeUnit};
use bytes::Bytes;
use parquet::{
    arrow::arrow_writer::{
        ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves,
    },
    column::writer::ColumnCloseResult,
    errors::{ParquetError, Result},
    file::writer::SerializedRowGroupWriter,
    schema::types::ColumnDescPtr,
};

pub(super) use self::pages::compression;
use self::{flag::Flags, name::Names, number::Numbers, pages::Press, text::Texts};

/// How the chunks of a column are laid out.
pub(super) struct Layout {
    pub(super) field: FieldRef,
    pub(super) column: ColumnDescPtr,
    /// Whether names have bounds; all other types always have.
    pub(super) has_bounds: bool,
    pub(super) has_bloom: bool,
    /// Makes writers of a column whose type is not ours, in a row group of this column alone.
    pub(super) foreign: ArrowRowGroupWriterFactory,
}

impl Layout {
    fn is_nullable(&self) -> bool {
        self.column.max_def_level() > 0
    }
}

/// An encoded and compressed column chunk.
pub(super) struct Chunk {
    /// With their heads, the dictionary first.
    pages: Vec<Vec<u8>>,
    close: ColumnCloseResult,
}

/// A finished chunk, of our making or of the `parquet` crate's.
pub(super) enum Finished {
    Own(Chunk),
    Foreign(ArrowColumnChunk),
}

impl fmt::Debug for Finished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Finished")
            .field("bytes", &self.bytes())
            .finish_non_exhaustive()
    }
}

impl Finished {
    /// Returns the bytes that it takes in a file.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Own(chunk) => chunk.pages.iter().map(Vec::len).sum(),
            Self::Foreign(chunk) => {
                usize::try_from(chunk.close().bytes_written).unwrap_or(usize::MAX)
            }
        }
    }

    /// Appends the chunk to a file.
    pub(super) fn append_to<W: Write + Send>(
        self,
        group: &mut SerializedRowGroupWriter<'_, W>,
    ) -> Result<()> {
        match self {
            Self::Own(chunk) => {
                let bytes: Bytes = chunk.pages.concat().into();
                group.append_column(&bytes, chunk.close)
            }
            Self::Foreign(chunk) => chunk.append_to_row_group(group),
        }
    }
}

/// What the columns of an encoder share: buffers of the page at hand.
pub(super) struct Scratch {
    press: Press,
    body: Vec<u8>,
    keys: Vec<u32>,
    map: Vec<u32>,
    places: Vec<i32>,
}

impl Scratch {
    pub(super) fn new() -> Result<Self> {
        Ok(Self {
            press: Press::new()?,
            body: Vec::new(),
            keys: Vec::new(),
            map: Vec::new(),
            places: Vec::new(),
        })
    }
}

/// The chunk of one column that is being written.
pub(super) struct ColumnEncoder(Column);

enum Column {
    Names(Names),
    Texts(Texts),
    Int32(Numbers<i32>),
    Int64(Numbers<i64>),
    Time(Numbers<i64>),
    Flags(Flags),
    Foreign(FieldRef, Box<ArrowColumnWriter>),
}

impl ColumnEncoder {
    /// Begins a chunk.
    pub(super) fn new(layout: &Layout) -> Result<Self> {
        Ok(Self(match layout.field.data_type() {
            DataType::Dictionary(key, value)
                if **key == DataType::Int32 && **value == DataType::Utf8 =>
            {
                Column::Names(Names::new(layout)?)
            }
            DataType::Utf8 => Column::Texts(Texts::new(layout)?),
            DataType::Int32 => Column::Int32(Numbers::new(layout)),
            DataType::Int64 => Column::Int64(Numbers::new(layout)),
            DataType::Timestamp(TimeUnit::Microsecond, _) => Column::Time(Numbers::new(layout)),
            DataType::Boolean => Column::Flags(Flags::new(layout)),
            _ => {
                let mut writers = layout.foreign.create_column_writers(0)?.into_iter();
                match (writers.next(), writers.next()) {
                    (Some(writer), None) => Column::Foreign(layout.field.clone(), Box::new(writer)),
                    _ => return Err(nested(&layout.field)),
                }
            }
        }))
    }

    /// Encodes the rows of a batch.
    pub(super) fn write(&mut self, array: &ArrayRef, scratch: &mut Scratch) -> Result<()> {
        match &mut self.0 {
            Column::Names(names) => names.write(array.as_dictionary::<Int32Type>(), scratch),
            Column::Texts(texts) => texts.write(array.as_string::<i32>(), scratch),
            Column::Int32(numbers) => {
                let values = array.as_primitive::<Int32Type>().values();
                numbers.write(array, values, scratch)
            }
            Column::Int64(numbers) => {
                let values = array.as_primitive::<Int64Type>().values();
                numbers.write(array, values, scratch)
            }
            Column::Time(times) => {
                let values = array.as_primitive::<TimestampMicrosecondType>().values();
                times.write(array, values, scratch)
            }
            Column::Flags(flags) => flags.write(array.as_boolean(), scratch),
            Column::Foreign(field, writer) => compute_leaves(field, array)?
                .iter()
                .try_for_each(|leaf| writer.write(leaf)),
        }
    }

    /// Returns about how many bytes of memory the rows so far take.
    pub(super) fn memory_size(&self) -> usize {
        match &self.0 {
            Column::Names(names) => names.memory_size(),
            Column::Texts(texts) => texts.memory_size(),
            Column::Int32(numbers) => numbers.memory_size(),
            Column::Int64(numbers) | Column::Time(numbers) => numbers.memory_size(),
            Column::Flags(flags) => flags.memory_size(),
            Column::Foreign(_, writer) => writer.memory_size(),
        }
    }

    /// Ends the chunk.
    pub(super) fn close(self, scratch: &mut Scratch) -> Result<Finished> {
        Ok(match self.0 {
            Column::Names(names) => Finished::Own(names.close(scratch)?),
            Column::Texts(texts) => Finished::Own(texts.close(scratch)?),
            Column::Int32(numbers) => Finished::Own(numbers.close(scratch)?),
            Column::Int64(numbers) | Column::Time(numbers) => {
                Finished::Own(numbers.close(scratch)?)
            }
            Column::Flags(flags) => Finished::Own(flags.close(scratch)?),
            Column::Foreign(_, writer) => Finished::Foreign(writer.close()?),
        })
    }
}

fn nested(field: &FieldRef) -> ParquetError {
    ParquetError::NYI(format!(
        "the column {} is nested; tables are flat",
        field.name()
    ))
}
