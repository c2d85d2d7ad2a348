//! One part of a dataset: a file for each table, written to a temporary folder and published when
//! all are complete.
//!
//! The footer's metadata of row groups stays in memory until its file is complete, about four
//! kilobytes for each column of each row group. To bound it, the caller of a long part ends its
//! files now and then, and the rows that follow are written to new ones.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use parquet::{errors::ParquetError, file::writer::SerializedFileWriter};
use serde::{Deserialize, Serialize};

use super::{Format, RowGroup};
use crate::{
    archive::error::{Error, ErrorKind},
    digest::{Hasher, hex},
};

/// The writer of a part: its files are deleted if it is dropped before they are published.
pub struct PartWriter {
    folder: PathBuf,
    formats: Vec<Arc<Format>>,
    /// One for each format; none after the files were ended.
    open: Vec<OpenFile>,
    /// The files that are complete, each without its path, with its number and temporary name.
    complete: Vec<(TableFile, usize, PathBuf)>,
    /// The number of the open file of each table, from 1.
    file_number: usize,
}

struct OpenFile {
    path: PathBuf,
    /// It writes through a buffer of its own.
    writer: SerializedFileWriter<HashedFile>,
}

/// A file that is hashed while it is written, so that it need not be read for its digest.
struct HashedFile {
    file: File,
    hasher: Hasher,
}

impl Write for HashedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.file.write(bytes)?;
        self.hasher.update(&bytes[..n]);
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A published file of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableFile {
    /// The table's name.
    pub table: String,
    /// The file's path below the dataset's folder, with `/`.
    pub path: String,
    /// Its rows.
    pub rows: u64,
    /// Its bytes.
    pub bytes: u64,
    /// SHA-1 of its bytes, 40 hexadecimal digits: it finds damage, not forgery.
    pub sha1: String,
}

/// Returns the path of a file of a table below the dataset's folder.
pub(super) fn file_path(table: &str, crawl: Option<&str>, name: &str) -> String {
    match crawl {
        Some(crawl) => format!("{table}/crawl={crawl}/part-{name}.parquet"),
        None => format!("{table}/part-{name}.parquet"),
    }
}

/// The paths of complete files, and those of their final names.
pub(crate) type Targets = Vec<(PathBuf, PathBuf)>;

impl PartWriter {
    /// Creates the files of a part in a folder of its own.
    ///
    /// # Errors
    ///
    /// A folder or file that cannot be created.
    pub(super) fn create(folder: PathBuf, formats: &[Arc<Format>]) -> Result<Self, Error> {
        fs::create_dir(&folder).map_err(Error::io("cannot create this folder", &folder))?;
        let mut part = Self {
            folder,
            formats: formats.to_vec(),
            open: Vec::new(),
            complete: Vec::new(),
            file_number: 1,
        };
        part.open_files()?;
        Ok(part)
    }

    fn open_files(&mut self) -> Result<(), Error> {
        for format in &self.formats {
            let name = format!("{}.{}.parquet", format.name, self.file_number);
            let path = self.folder.join(name);
            let file = File::create(&path).map_err(Error::io("cannot create", &path))?;
            let file = HashedFile {
                file,
                hasher: Hasher::default(),
            };
            let writer = format.file_writer(file);
            let writer = writer.map_err(|e| write_error(&path, e))?;
            self.open.push(OpenFile { path, writer });
        }
        Ok(())
    }

    /// Appends row groups to the file of a table, by its name.
    ///
    /// # Errors
    ///
    /// A file that cannot be written.
    pub fn append(&mut self, table: &str, groups: Vec<RowGroup>) -> Result<(), Error> {
        let of_table = self.formats.iter().position(|format| format.name == table);
        if self.open.is_empty() && !groups.is_empty() {
            self.file_number += 1;
            self.open_files()?;
        }
        for group in groups {
            let file = &mut self.open[of_table.expect("the part has a file of the table")];
            group
                .append_to(&mut file.writer)
                .map_err(|e| write_error(&file.path, e))?;
        }
        Ok(())
    }

    /// Completes the open files; rows that follow go to new ones.
    ///
    /// # Errors
    ///
    /// A file that cannot be written.
    pub fn end_files(&mut self) -> Result<(), Error> {
        for (format, mut file) in self.formats.iter().zip(self.open.drain(..)) {
            let path = file.path;
            let written = file.writer.finish();
            let metadata = written.map_err(|e| write_error(&path, e))?;
            let hashed = file.writer.inner();
            // The manifest must not become durable before the files that it names.
            let synced = hashed.file.sync_all();
            synced.map_err(Error::io("cannot write", &path))?;
            let complete = TableFile {
                table: format.name.to_owned(),
                path: String::new(),
                rows: metadata.file_metadata().num_rows() as u64,
                bytes: file.writer.bytes_written() as u64,
                sha1: hex(&hashed.hasher.clone().finish()),
            };
            self.complete.push((complete, self.file_number, path));
        }
        Ok(())
    }

    /// Completes the files, and returns them, each with its path and that of its final name in
    /// `root`; `path_of` gives the path below it, by table and number of the file.
    pub(super) fn complete(
        &mut self,
        root: &Path,
        path_of: impl Fn(&str, usize) -> String,
    ) -> Result<(Vec<TableFile>, Targets), Error> {
        self.end_files()?;
        let complete = self.complete.drain(..);
        let complete = complete.map(|(mut file, file_number, temporary)| {
            file.path = path_of(&file.table, file_number);
            let target = root.join(&file.path);
            (file, (temporary, target))
        });
        Ok(complete.unzip())
    }
}

impl Drop for PartWriter {
    fn drop(&mut self) {
        // The next run into the dataset deletes what cannot be deleted now.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Unwraps the error of the operating system, if that is the cause: "no space left on device" is
/// what the user needs.
fn write_error(path: &Path, error: ParquetError) -> Error {
    let source = match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(source) => return Error::io("cannot write", path)(*source),
            Err(source) => source,
        },
        source => source.into(),
    };
    let path = path.to_owned();
    ErrorKind::Parquet { path, source }.into()
}
