//! Column chunks, encoded at the speed the data allows.
//!
//! Arrays of a column enter, batch by batch; a compressed [`Chunk`] leaves.

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
use self::{flag::Flags, name::Names, number::Numbers, pages::Press, text::Plain};

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
    bytes: Bytes,
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
            Self::Own(chunk) => chunk.bytes.len(),
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
            Self::Own(chunk) => group.append_column(&chunk.bytes, chunk.close),
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
    Plain(Plain),
    Int32(Numbers<i32>),
    Int64(Numbers<i64>),
    Time(Numbers<i64>),
    Flags(Flags),
    Foreign(FieldRef, ArrowColumnWriter),
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
            DataType::Utf8 => Column::Plain(Plain::new(layout)?),
            DataType::Int32 => Column::Int32(Numbers::new(layout)),
            DataType::Int64 => Column::Int64(Numbers::new(layout)),
            DataType::Timestamp(TimeUnit::Microsecond, _) => Column::Time(Numbers::new(layout)),
            DataType::Boolean => Column::Flags(Flags::new(layout)),
            _ => {
                let mut writers = layout.foreign.create_column_writers(0)?.into_iter();
                match (writers.next(), writers.next()) {
                    (Some(writer), None) => Column::Foreign(layout.field.clone(), writer),
                    _ => return Err(nested(&layout.field)),
                }
            }
        }))
    }

    /// Encodes the rows of a batch.
    pub(super) fn write(&mut self, array: &ArrayRef, scratch: &mut Scratch) -> Result<()> {
        match &mut self.0 {
            Column::Names(names) => names.write(array.as_dictionary::<Int32Type>(), scratch),
            Column::Plain(texts) => texts.write(array.as_string::<i32>(), scratch),
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
            Column::Plain(texts) => texts.memory_size(),
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
            Column::Plain(texts) => Finished::Own(texts.close(scratch)?),
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
