//! Parquet files that are of no dataset: those of a user, and one that is written for a user.

use std::{io::Write, path::Path, sync::Arc};

use arrow_array::RecordBatch;
use parquet::{
    arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder},
    file::writer::SerializedFileWriter,
};

use super::{Format, RowGroup, StoredFile, parquet_error, read_projected, unreadable};
use crate::archive::error::Error;

/// The name of any output in errors.
const OUTPUT: &str = "the output";

/// Reads those of some columns that a file has, in any case of their names, batch after batch, in
/// the order of the rows. Texts are of one type whichever program wrote them.
///
/// # Errors
///
/// A file that cannot be opened or read, and what `each` returns.
pub fn read_lone_file(
    path: &Path,
    columns: &[&str],
    each: impl FnMut(&RecordBatch) -> Result<(), Error>,
) -> Result<(), Error> {
    let file = StoredFile::open(path).map_err(Error::io("cannot open", path))?;
    // A writer's own types of Arrow, such as views, would be as many ways to read a text.
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let builder = ParquetRecordBatchReaderBuilder::try_new_with_options(file, options);
    let builder = builder.map_err(unreadable(path))?;
    let schema = builder.schema().clone();
    let names = schema.fields().iter().map(|field| field.name().as_str());
    let is_wanted = |name: &&str| columns.iter().any(|known| known.eq_ignore_ascii_case(name));
    let columns: Vec<&str> = names.filter(is_wanted).collect();
    let row_groups = (0..builder.metadata().num_row_groups()).collect();
    read_projected(path, builder, row_groups, &columns, usize::MAX, each)
}

/// A Parquet file that is written to any output.
pub struct LoneFile<W: Write + Send>(SerializedFileWriter<W>);

impl<W: Write + Send> LoneFile<W> {
    /// Begins a file.
    ///
    /// # Errors
    ///
    /// An output that cannot be written to.
    pub fn new(format: &Arc<Format>, out: W) -> Result<Self, Error> {
        let writer = format.file_writer(out);
        writer.map(Self).map_err(parquet_error(OUTPUT))
    }

    /// Appends row groups.
    ///
    /// # Errors
    ///
    /// An output that cannot be written to.
    pub fn append(&mut self, row_groups: Vec<RowGroup>) -> Result<(), Error> {
        let mut row_groups = row_groups.into_iter();
        let appended = row_groups.try_for_each(|group| group.append_to(&mut self.0));
        appended.map_err(parquet_error(OUTPUT))
    }

    /// Ends the file.
    ///
    /// # Errors
    ///
    /// An output that cannot be written to.
    pub fn finish(self) -> Result<(), Error> {
        self.0.close().map(drop).map_err(parquet_error(OUTPUT))
    }
}
