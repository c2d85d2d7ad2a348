//! The published files of a dataset: their paths and columns, and the replacement of files that are
//! made of all parts.

use std::{
    convert::identity,
    ops::Range,
    path::{Path, PathBuf},
};

use arrow_array::RecordBatch;
use parquet::{
    arrow::{ProjectionMask, arrow_reader::ParquetRecordBatchReaderBuilder},
    file::{
        metadata::ParquetMetaData,
        reader::{FileReader, Length, SerializedFileReader},
    },
};
use serde_json::Value;

use super::{
    DATASET_FILE, Dataset, DatasetIdentity, Manifest, OpenMode, PartWriter, REMAKE, StoredFile,
    TableFile, Targets, WholeTable, caught, crawl_of_file, digest_of, file_path, read_json,
    write_whole,
};
use crate::{
    archive::error::{Error, ErrorKind, FolderConflict},
    dataset::table::SCHEMA_VERSION,
};

/// Rows of a batch that is read: few enough to stay in cache.
const BATCH_ROWS: usize = 8 * 1024;
/// Bytes of the values of a batch that is read.
const BATCH_BYTES: i128 = 16 * 1024 * 1024;

/// A file of one table in a published part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PublishedFile {
    /// The crawl that its path names.
    pub crawl: Option<String>,
    /// The file.
    pub path: PathBuf,
    /// The name of the part.
    pub part: String,
    /// Its rows.
    pub rows: u64,
    /// SHA-1 of its bytes.
    pub sha1: String,
}

impl Dataset {
    /// Opens a dataset that exists, to add files that are made of all parts; workers that join may
    /// be writing to it.
    ///
    /// # Errors
    ///
    /// A folder that holds no dataset, one of another version, and one that a run alone is writing
    /// to.
    pub(crate) fn existing(root: &Path) -> Result<Self, Error> {
        Self::in_folder(root, Self::identity_of(root)?, OpenMode::Join)
    }

    /// Returns the properties that all parts of a dataset share.
    ///
    /// # Errors
    ///
    /// A folder that holds no dataset, and one of another version.
    pub(crate) fn identity_of(root: &Path) -> Result<DatasetIdentity, Error> {
        if !Self::exists(root)? {
            let message =
                format!("expected the folder of a dataset, but {DATASET_FILE} is missing");
            return Err(Error::folder(root, FolderConflict::NoDataset, message));
        }
        let file = root.join(DATASET_FILE);
        let description = read_json(&file)?;
        let written = [&description["tool_version"], &description["schema_version"]];
        if *written[0] != env!("CARGO_PKG_VERSION") || *written[1] != SCHEMA_VERSION {
            let message = format!(
                "expected a dataset of version {} with tables of version {SCHEMA_VERSION}, but found {} with {}; use the version of the program that made it",
                env!("CARGO_PKG_VERSION"),
                written[0],
                written[1]
            );
            return Err(Error::corrupt(file, message));
        }
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let options = description["options"].as_object().into_iter().flatten();
        Ok(DatasetIdentity {
            options_digest: text(&description["options_digest"]),
            options: options
                .map(|(key, value)| (key.clone(), text(value)))
                .collect(),
        })
    }

    /// Returns the files of a table in all published parts, by crawl and path.
    ///
    /// # Errors
    ///
    /// A manifest that cannot be read or is none.
    pub(crate) fn published(&self, table: &str) -> Result<Vec<PublishedFile>, Error> {
        let mut found = Vec::new();
        for manifest in Manifest::read_all(self.root())? {
            let part = &manifest.part;
            let before = found.len();
            found.extend(manifest.files_of(table).map(|file| PublishedFile {
                crawl: crawl_of_file(&file.path).map(str::to_owned),
                path: self.root().join(&file.path),
                part: part.clone(),
                rows: file.rows,
                sha1: file.sha1.clone(),
            }));
            if found.len() == before {
                let path = Manifest::path(self.root(), part);
                let message = format!(
                    "expected a file of the table {table} in the manifest, but found none; {REMAKE}"
                );
                return Err(Error::corrupt(path, message));
            }
        }
        found.sort();
        Ok(found)
    }

    /// Completes the files of a crawl, and returns them with their temporary and final paths for
    /// [`Dataset::publish_files`]; what is not published is deleted with `part`. No manifest names
    /// these files: they belong to the dataset, not to a part of it ([`Dataset::record`]).
    ///
    /// # Errors
    ///
    /// A file that cannot be written.
    pub(crate) fn complete(
        &self,
        crawl: Option<&str>,
        part: &mut PartWriter,
    ) -> Result<(Vec<TableFile>, Targets), Error> {
        part.complete(self.root(), |table, _| whole_path(table, crawl))
    }

    /// Returns the file of a crawl that was published before, if it is intact, has this key-value
    /// metadata and is recorded as made of these parts. A file or record that cannot be read is to
    /// be replaced. The bytes of the file are read only where that is what was asked for
    /// ([`Dataset::existing`]): a run that adds one crawl of a hundred does not read the files of
    /// all.
    ///
    /// The record must have the parts too, since it is written after the file: a process that had
    /// not seen the last part may record its own file when another process has replaced that.
    pub(crate) fn intact(
        &self,
        table: &str,
        crawl: Option<&str>,
        parts: &[&str],
        metadata: &[(String, String)],
    ) -> Option<TableFile> {
        let recorded = WholeTable::read(self.root(), table).ok()??;
        if recorded.count_of(parts.iter().copied()) < parts.len() {
            return None;
        }
        let path = whole_path(table, crawl);
        let file = recorded.files.into_iter().find(|file| file.path == path)?;
        let path = self.root().join(path);
        if StoredFile::open(&path).ok()?.len() != file.bytes
            || self.reads_bytes && digest_of(&path).ok()?.0 != file.sha1
        {
            return None;
        }
        let reader = open_footer(&path).ok()?;
        let found = reader.metadata().file_metadata().key_value_metadata()?;
        let has = |(key, value): &(String, String)| {
            let mut pairs = found.iter();
            pairs.any(|pair| pair.key == *key && pair.value.as_ref() == Some(value))
        };
        metadata.iter().all(has).then_some(file)
    }

    /// Records the files of a table that is made of all parts, and the parts of which it was made.
    ///
    /// # Errors
    ///
    /// A file that cannot be written.
    pub(crate) fn record(&self, table: &WholeTable) -> Result<(), Error> {
        let path = WholeTable::path(self.root(), &table.table);
        write_whole(&self.session.folder, &path, table)
    }
}

/// Returns the path of the file of a crawl, of a table that is made of all parts.
pub(super) fn whole_path(table: &str, crawl: Option<&str>) -> String {
    file_path(table, crawl, table)
}

/// Returns the number of rows that the footer of a Parquet file states.
///
/// # Errors
///
/// A file that cannot be opened or is no Parquet file.
pub fn n_rows(path: &Path) -> Result<u64, Error> {
    let rows = open_footer(path)?.metadata().file_metadata().num_rows();
    Ok(u64::try_from(rows).unwrap_or_default())
}

/// Returns the rows of each row group of a Parquet file.
///
/// # Errors
///
/// A file that cannot be opened or is no Parquet file.
pub fn row_group_rows(path: &Path) -> Result<Vec<u64>, Error> {
    let reader = open_footer(path)?;
    let row_groups = reader.metadata().row_groups().iter();
    let rows = row_groups.map(|row_group| u64::try_from(row_group.num_rows()));
    Ok(rows.map(Result::unwrap_or_default).collect())
}

pub(super) fn open_footer(path: &Path) -> Result<SerializedFileReader<StoredFile>, Error> {
    let file = StoredFile::open(path).map_err(Error::io("cannot open", path))?;
    SerializedFileReader::new(file).map_err(unreadable(path))
}

/// Reads some columns of a Parquet file and hands over batch after batch, in the order of the rows;
/// a batch has the columns in the order of the file.
///
/// # Errors
///
/// A file that cannot be opened or read, and what `each` returns.
pub fn read_columns(
    path: &Path,
    columns: &[&str],
    each: impl FnMut(&RecordBatch) -> Result<(), Error>,
) -> Result<(), Error> {
    read_row_groups(path, None, columns, each)
}

/// Reads some columns of some row groups as [`read_columns`] does, or of all of them.
///
/// # Errors
///
/// Those of [`read_columns`], and row groups that the file does not have.
pub fn read_row_groups(
    path: &Path,
    row_groups: Option<Range<usize>>,
    columns: &[&str],
    each: impl FnMut(&RecordBatch) -> Result<(), Error>,
) -> Result<(), Error> {
    let (file, builder) = open_columns(path, columns)?;
    let n_row_groups = builder.metadata().num_row_groups();
    let row_groups = row_groups.unwrap_or(0..n_row_groups);
    if row_groups.end > n_row_groups {
        let message = format!(
            "expected {} row groups, but found {n_row_groups}",
            row_groups.end
        );
        return Err(Error::corrupt(path, message));
    }
    file.expect(builder.metadata(), row_groups.clone(), columns);
    read_projected(
        path,
        builder,
        row_groups.collect(),
        columns,
        usize::MAX,
        each,
    )
}

/// Reads some columns of row groups, at most `most_rows` at a time, and fewer if they are long.
pub(super) fn read_projected(
    path: &Path,
    builder: ParquetRecordBatchReaderBuilder<StoredFile>,
    row_groups: Vec<usize>,
    columns: &[&str],
    most_rows: usize,
    mut each: impl FnMut(&RecordBatch) -> Result<(), Error>,
) -> Result<(), Error> {
    let batch_rows = affordable_rows(builder.metadata(), &row_groups, columns).min(most_rows);
    let mask = ProjectionMask::columns(builder.parquet_schema(), columns.iter().copied());
    let builder = builder
        .with_row_groups(row_groups)
        .with_projection(mask)
        .with_batch_size(batch_rows);
    let built = caught(|| builder.build()).and_then(identity);
    let mut reader = built.map_err(unreadable(path))?;
    while let Some(batch) = caught(|| reader.next()).map_err(unreadable(path))? {
        each(&batch.map_err(unreadable(path))?)?;
    }
    Ok(())
}

/// Returns how many rows of row groups are read at a time: fewer than [`BATCH_ROWS`] if they have
/// more than [`BATCH_BYTES`] in some columns on average. A text counts once for each row, as it is
/// decoded, even if it is stored once.
fn affordable_rows(metadata: &ParquetMetaData, row_groups: &[usize], columns: &[&str]) -> usize {
    let rows = row_groups.iter().map(|&row_group| {
        let row_group = metadata.row_group(row_group);
        let chunks = row_group.columns().iter();
        let chunks = chunks.filter(|chunk| columns.contains(&chunk.column_descr().name()));
        let bytes = chunks.map(|chunk| {
            let texts = chunk.unencoded_byte_array_data_bytes();
            i128::from(texts.unwrap_or_default().max(chunk.uncompressed_size()))
        });
        let rows = i128::from(row_group.num_rows()) * BATCH_BYTES / bytes.sum::<i128>().max(1);
        usize::try_from(rows).unwrap_or(BATCH_ROWS)
    });
    rows.min().unwrap_or(BATCH_ROWS).clamp(1, BATCH_ROWS)
}

/// Opens a file that has these columns.
pub(super) fn open_columns<'c>(
    path: &Path,
    columns: impl IntoIterator<Item = &'c &'c str>,
) -> Result<(StoredFile, ParquetRecordBatchReaderBuilder<StoredFile>), Error> {
    let file = StoredFile::open(path).map_err(Error::io("cannot open", path))?;
    let builder =
        ParquetRecordBatchReaderBuilder::try_new(file.clone()).map_err(unreadable(path))?;
    for column in columns {
        if builder.schema().field_with_name(column).is_err() {
            // No other command repairs that, as it does what is damaged.
            return Err(Error::usage(format!(
                "{}: expected the column {column}, but there is none, so the file is of another dataset; run again into another folder",
                path.display()
            )));
        }
    }
    Ok((file, builder))
}

pub(super) fn unreadable<E: std::error::Error + Send + Sync + 'static>(
    path: &Path,
) -> impl FnOnce(E) -> Error + '_ {
    move |source| {
        ErrorKind::Unreadable {
            path: path.to_owned(),
            source: Box::new(source),
        }
        .into()
    }
}

#[cfg(test)]
mod tests {
    use std::{fs::File, sync::Arc};

    use arrow_array::StringArray;
    use parquet::{arrow::ArrowWriter, file::properties::WriterProperties};

    use super::*;

    #[test]
    fn batches_of_long_texts_have_few_rows_even_if_each_text_is_stored_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("texts.parquet");
        let long = "a".repeat(1024 * 1024);
        for (text, n_rows, most) in [
            ("short", 20_000, BATCH_ROWS..=BATCH_ROWS),
            // The lengths of texts take space too.
            (&long, 100, 15..=16),
        ] {
            for has_dictionary in [false, true] {
                let texts = StringArray::from(vec![text; n_rows]);
                let batch = RecordBatch::try_from_iter([
                    ("text", Arc::new(texts.clone()) as _),
                    ("other", Arc::new(texts) as _),
                ]);
                let batch = batch.unwrap();
                let properties = WriterProperties::builder()
                    .set_dictionary_enabled(has_dictionary)
                    .build();
                let file = File::create(&path).unwrap();
                let writer = ArrowWriter::try_new(file, batch.schema(), Some(properties));
                let mut writer = writer.unwrap();
                writer.write(&batch).unwrap();
                writer.close().unwrap();
                let mut read = Vec::new();
                read_columns(&path, &["text"], |batch| {
                    read.push(batch.num_rows());
                    Ok(())
                })
                .unwrap();
                assert_eq!(read.iter().sum::<usize>(), n_rows);
                assert!(most.contains(read.iter().max().unwrap()), "{read:?}");
            }
        }
    }
}
