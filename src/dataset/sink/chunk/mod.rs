//! Encodes columns of record batches as compressed Parquet column chunks.
//!
//! The `parquet` crate encodes most columns. Only dictionary arrays without statistics are encoded
//! here ([`name`]), because the crate looks up the text of every row in a hash table to learn what
//! the array already states: that a row has the third of nine names. In the table of verdicts all
//! columns but three are of that type, and with the crate's writer those look-ups took almost half
//! of the time of a run. For these chunks, too, the crate writes page headers, Bloom filters,
//! indexes and the footer; [`pages`] is the only module that passes encoded bytes to it. Pages of
//! all columns are compressed here, by one compressor ([`values`] says why).
//!
//! What to know before changing the encoder of names:
//!
//! - *Keys* ([`name`]): each batch has a dictionary of its own, which is mapped to that of the
//!   chunk: a text is hashed once for each batch that uses it, and a row costs a look-up in a table
//!   of integers. A page is mapped as a whole before it is packed, because the bit width of its
//!   keys depends on how many texts the chunk has by then.
//! - *Runs* ([`hybrid`]) are searched in groups of eight keys, without a branch for each row. A run
//!   that begins inside a group leaves its first keys to the bit-packed run before it, which must
//!   consist of whole groups.
//! - *NULL* ([`levels`]): definition levels are the null bitmap of the array, with its constant
//!   bytes as runs.
//! - *Pages* ([`levels`]) end where a batch ends, so that no key waits for the next batch. Batches
//!   of the pipeline have as many rows as a page should have; tiny batches give tiny pages, and a
//!   larger file.
//!
//! Keys are numbered by first use and never depend on the order of a hash table, so the same
//! batches give the same bytes.
//!
//! # The encoding of a column
//!
//! The declaration of a table has the encoding of each column
//! ([`ValueEncoding`](crate::dataset::table::ValueEncoding)). The default is
//! `PLAIN`: zstd finds repetitions itself, and every engine reads it fast. `DELTA_BINARY_PACKED` is
//! for numbers that mostly rise from row to row (lines, offsets), and a dictionary for those with
//! few values in no order (counts, status codes) and for texts that repeat.
//!
//! # What was measured
//!
//! Numbers, texts and flags had encoders of their own here, which chose an encoding from the first
//! values of each chunk. Both were compared in one program that chose the writer of each column at
//! run time: `robocensus run ARCHIVES --out DIR -t 1`, with verdicts stored by capture (rows) or by
//! distinct vector (sets), the least user and system time of several runs in random order, and the
//! bytes of all files. *Generated* is `robocensus
//! sample --captures 5000 --seed 7`, *real* are 29,300 captures. The machine was busy: the same
//! writer against itself differed by up to 8 %, so instructions were counted too (`valgrind
//! --tool=callgrind`).
//!
//! | archives | form | bytes, own | bytes, crate | time | instructions |
//! |---|---|---|---|---|---|
//! | generated | sets | 1,048,207 | 1,034,659 (-1.3 %) | +3.2 % | -2.2 % |
//! | generated | rows | 1,174,807 | 1,159,930 (-1.3 %) | +3.4 % | +1.8 % |
//! | real | sets | 14,214,939 | 13,608,625 (-4.3 %) | +1.2 % | |
//! | real | rows | 14,934,302 | 14,315,431 (-4.1 %) | +3.3 % | |
//!
//! Time on real archives and instructions of `rows` are of encodings that were chosen for each
//! column of each table, which saves another 0.4 to 1.6 % of bytes. A dictionary for every column,
//! the crate's default, takes 13 to 15 % more bytes than the own encoders.
//!
//! On an idle machine the last version with own encoders and the first without them took the same
//! time, the least of five runs: real archives +1.9 % (sets) and -4.3 % (rows), 20,000 generated
//! captures -8.5 % and +0.5 %. Peak memory of one thread rose by 9 and 18 MB, since every column
//! of the crate had a compressor, a decompressor and their buffers (9.5 MB by heaptrack on real
//! archives). With one compressor for all of them files have the same bytes and a run takes 0.3 %
//! more or 0.4 % fewer instructions.

mod bits;
mod bloom;
#[cfg(test)]
mod cases;
mod dictionary;
mod hybrid;
mod levels;
mod name;
mod pages;
mod values;

use std::{fmt, io::Write};

use arrow_array::{ArrayRef, cast::AsArray, types::Int32Type};
use arrow_schema::FieldRef;
use parquet::{
    column::writer::ColumnCloseResult, errors::Result, file::writer::SerializedRowGroupWriter,
    schema::types::ColumnDescPtr,
};

pub(super) use self::pages::{SharedCompressor, compression};
use self::{
    name::NameEncoder,
    pages::PageList,
    values::{ValueEncoder, ValueLayout},
};
use crate::dataset::table::{Column, ColumnType};

/// How the chunks of a column are laid out.
pub(super) struct ColumnLayout {
    pub(super) field: FieldRef,
    column: ColumnDescPtr,
    has_bloom_filter: bool,
    /// `None` for names, which are encoded here.
    values: Option<ValueLayout>,
}

impl ColumnLayout {
    /// Returns the layout of a column of a table.
    pub(super) fn new(field: FieldRef, parquet: ColumnDescPtr, column: &Column) -> Result<Self> {
        let is_encoded_here = column.column_type == ColumnType::Name && !column.has_statistics;
        let values = (!is_encoded_here)
            .then(|| ValueLayout::new(field.clone(), column))
            .transpose()?;
        Ok(Self {
            field,
            column: parquet,
            has_bloom_filter: column.has_bloom_filter,
            values,
        })
    }

    fn is_nullable(&self) -> bool {
        self.column.max_def_level() > 0
    }
}

/// A complete column chunk, encoded and compressed.
pub(super) struct ColumnChunk {
    pages: PageList,
    close: ColumnCloseResult,
}

impl fmt::Debug for ColumnChunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ColumnChunk")
            .field("bytes", &self.bytes())
            .finish_non_exhaustive()
    }
}

impl ColumnChunk {
    /// Returns its bytes in a file.
    pub(super) fn bytes(&self) -> usize {
        self.pages.bytes()
    }

    /// Appends the chunk to a row group of a file.
    pub(super) fn append_to<W: Write + Send>(
        self,
        group: &mut SerializedRowGroupWriter<'_, W>,
    ) -> Result<()> {
        group.append_column(&self.pages, self.close)
    }
}

/// Buffers that the columns of names share, with what belongs to the current page.
#[derive(Default)]
pub(super) struct PageBuffers {
    compressor: SharedCompressor,
    body: Vec<u8>,
    keys: Vec<u32>,
    /// The key in the chunk of each text of the batch.
    key_map: Vec<u32>,
    batch_keys: Vec<i32>,
}

impl PageBuffers {
    pub(super) fn new(compressor: &SharedCompressor) -> Self {
        Self {
            compressor: compressor.clone(),
            ..Self::default()
        }
    }
}

/// The encoder of a chunk of one column.
pub(super) enum ColumnEncoder {
    Names(Box<NameEncoder>),
    Values(Box<ValueEncoder>),
}

impl ColumnEncoder {
    /// Begins a chunk.
    pub(super) fn new(layout: &ColumnLayout, compressor: &SharedCompressor) -> Result<Self> {
        Ok(match &layout.values {
            Some(values) => Self::Values(Box::new(ValueEncoder::new(values, compressor)?)),
            None => Self::Names(Box::new(NameEncoder::new(layout)?)),
        })
    }

    /// Encodes the rows of a batch.
    pub(super) fn write(&mut self, array: &ArrayRef, buffers: &mut PageBuffers) -> Result<()> {
        match self {
            Self::Names(names) => names.write(array.as_dictionary::<Int32Type>(), buffers),
            Self::Values(values) => values.write(array),
        }
    }

    /// Returns about how many bytes the rows so far take, encoded.
    ///
    /// Row groups end by it, so it counts encoded bytes instead of allocated ones: it must be the
    /// same wherever the program runs.
    pub(super) fn encoded_size(&self) -> usize {
        match self {
            Self::Names(names) => names.encoded_size(),
            Self::Values(values) => values.encoded_size(),
        }
    }

    /// Ends the chunk.
    pub(super) fn close(self, compressor: &SharedCompressor) -> Result<ColumnChunk> {
        match self {
            Self::Names(names) => names.close(compressor),
            Self::Values(values) => values.close(),
        }
    }
}
