//! A dataset that stands there: what of it is published, its columns, and files that are made of
//! the whole.
//!
//! Enters: the folder of a dataset. Leaves: record batches of a few columns, and files in place of
//! older ones. What the columns mean is not known here.

use std::{
    fs::File,
    path::{Path, PathBuf},
};

use arrow_array::RecordBatch;
use parquet::{
    arrow::{ProjectionMask, arrow_reader::ParquetRecordBatchReaderBuilder},
    errors::ParquetError,
    file::reader::{FileReader, SerializedFileReader},
};
use serde_json::Value;

use super::{
    dataset::{DATASET_FILE, Dataset, Identity},
    manifest::{Manifest, WholeTable},
    part::{Part, TableFile},
    whole::{read_json, write_whole},
};
use crate::error::{Error, ErrorKind};

/// Rows of a batch that is read: few enough to stay in cache.
const BATCH_ROWS: usize = 8 * 1024;

/// A file of one table in a published part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PublishedFile {
    /// The crawl that its path names.
    pub crawl: Option<String>,
    /// The file.
    pub path: PathBuf,
    /// The name of the part.
    pub part: String,
}

impl Dataset {
    /// Opens a dataset that stands there, to add what is made of the whole; workers that join may
    /// be at work beside.
    ///
    /// # Errors
    ///
    /// A folder that holds no dataset, one of another version, and one that a run alone is writing
    /// to.
    pub(crate) fn existing(root: &Path, schema_version: u32) -> Result<Self, Error> {
        Self::beside_others(root, Self::identity_of(root, schema_version)?)
    }

    /// Returns what all parts of a dataset have in common.
    ///
    /// # Errors
    ///
    /// A folder that holds no dataset, and one of another version.
    pub(crate) fn identity_of(root: &Path, schema_version: u32) -> Result<Identity, Error> {
        if !Self::stands_in(root) {
            return Err(Error::usage(format!(
                "{}: expected the folder of a dataset, but {DATASET_FILE} is missing; give the folder that a run named with --out",
                root.display()
            )));
        }
        let file = root.join(DATASET_FILE);
        let said = read_json(&file)?;
        let written = [&said["tool_version"], &said["schema_version"]];
        if *written[0] != env!("CARGO_PKG_VERSION") || *written[1] != schema_version {
            return Err(Error::usage(format!(
                "{}: expected a dataset of version {} with tables of version {schema_version}, but found {} with {}; use the version of the program that made it",
                file.display(),
                env!("CARGO_PKG_VERSION"),
                written[0],
                written[1]
            )));
        }
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let options = said["options"].as_object().into_iter().flatten();
        Ok(Identity {
            schema_version,
            options_digest: text(&said["options_digest"]),
            options: options
                .map(|(key, value)| (key.clone(), text(value)))
                .collect(),
        })
    }

    /// Returns the files of a table in all published parts, all volumes of each, by crawl and path.
    ///
    /// # Errors
    ///
    /// A manifest that cannot be read or is none.
    pub(crate) fn published(&self, table: &str) -> Result<Vec<PublishedFile>, Error> {
        let mut found = Vec::new();
        for manifest in Manifest::read_all(self.root())? {
            let part = manifest.part;
            let of_table = manifest.files.iter().filter(|file| file.table == table);
            let before = found.len();
            found.extend(of_table.map(|file| {
                let mut folders = file.path.split('/');
                PublishedFile {
                    crawl: folders
                        .find_map(|folder| folder.strip_prefix("crawl="))
                        .map(str::to_owned),
                    path: self.root().join(&file.path),
                    part: part.clone(),
                }
            }));
            if found.len() == before {
                return Err(Error::usage(format!(
                    "{}: the manifest of the part {part} names no file of {table}; make the part again: delete its manifest and use --resume",
                    self.root().display()
                )));
            }
        }
        found.sort();
        Ok(found)
    }

    /// Gives the files of `part` their final names, in place of those that stand there; a reader
    /// sees the older file or the newer, and each of them whole. No manifest marks them: they
    /// belong to the dataset, not to a part of it ([`Dataset::record`]).
    ///
    /// # Errors
    ///
    /// A file that cannot be written or renamed.
    pub(crate) fn replace(
        &self,
        crawl: Option<&str>,
        mut part: Part,
    ) -> Result<Vec<TableFile>, Error> {
        part.complete(|table, _| match crawl {
            Some(crawl) => format!("{table}/crawl={crawl}/part-{table}.parquet"),
            None => format!("{table}/part-{table}.parquet"),
        })?;
        let files = part.files();
        part.publish(self.root())?;
        Ok(files)
    }

    /// Says of a table that is made of the whole which files it has and of which parts they were
    /// made.
    ///
    /// # Errors
    ///
    /// A file that cannot be written.
    pub(crate) fn record(&self, table: &WholeTable) -> Result<(), Error> {
        let path = WholeTable::path(self.root(), &table.table);
        write_whole(self.temporary(), &path, table)
    }
}

/// Returns the number of rows that the footer of a Parquet file states.
///
/// # Errors
///
/// A file that cannot be opened or is no Parquet file.
pub fn n_rows(path: &Path) -> Result<u64, Error> {
    let file = File::open(path).map_err(Error::io("cannot open", path))?;
    let reader = SerializedFileReader::new(file).map_err(|source| {
        Error::from(ErrorKind::Unreadable {
            path: path.to_owned(),
            source,
        })
    })?;
    let rows = reader.metadata().file_metadata().num_rows();
    Ok(u64::try_from(rows).unwrap_or_default())
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
    mut each: impl FnMut(&RecordBatch) -> Result<(), Error>,
) -> Result<(), Error> {
    let unreadable = |source: ParquetError| {
        Error::from(ErrorKind::Unreadable {
            path: path.to_owned(),
            source,
        })
    };
    let file = File::open(path).map_err(Error::io("cannot open", path))?;
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(unreadable)?;
    for column in columns {
        if builder.schema().field_with_name(column).is_err() {
            return Err(Error::usage(format!(
                "{}: expected a column {column}, but there is none; the file is not of this dataset",
                path.display()
            )));
        }
    }
    let mask = ProjectionMask::columns(builder.parquet_schema(), columns.iter().copied());
    let reader = builder
        .with_projection(mask)
        .with_batch_size(BATCH_ROWS)
        .build()
        .map_err(unreadable)?;
    for batch in reader {
        each(&batch.map_err(|e| unreadable(e.into()))?)?;
    }
    Ok(())
}
