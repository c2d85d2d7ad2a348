//! One part of a dataset: a file for each table, written under `_tmp/` and renamed when all are
//! complete.
//!
//! What a footer says of row groups stays in memory until its file is complete, about four
//! kilobytes for each column of each row group. So a part may be as long as it likes: its caller
//! ends a volume now and then, and the rows behind go to files of their own.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use parquet::{errors::ParquetError, file::writer::SerializedFileWriter};
use serde::{Deserialize, Serialize};

use super::encode::{Format, RowGroup};
use crate::{
    digest::{Hasher, hex},
    error::{Error, ErrorKind},
};

/// The files of a part that is being written; dropped before it is published, it leaves nothing.
pub struct Part {
    folder: PathBuf,
    formats: Vec<Arc<Format>>,
    /// One for each format; none between volumes.
    open: Vec<OpenFile>,
    complete: Vec<CompleteFile>,
    /// From 1.
    volume: usize,
}

struct OpenFile {
    path: PathBuf,
    writer: SerializedFileWriter<BufWriter<Hashed>>,
    rows: usize,
}

/// A file whose digest is known when its last byte is written, without a second read.
struct Hashed {
    file: File,
    hasher: Hasher,
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.file.write(bytes)?;
        self.hasher.update(&bytes[..n]);
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A file that lacks nothing but its final name.
struct CompleteFile {
    temporary: PathBuf,
    volume: usize,
    /// Without its path.
    file: TableFile,
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

impl Part {
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
            volume: 1,
        };
        part.open_files()?;
        Ok(part)
    }

    fn open_files(&mut self) -> Result<(), Error> {
        for format in &self.formats {
            let name = format!("{}.{}.parquet", format.name(), self.volume);
            let path = self.folder.join(name);
            let file = File::create(&path).map_err(Error::io("cannot create", &path))?;
            let writer = format
                .file_writer(BufWriter::new(Hashed {
                    file,
                    hasher: Hasher::default(),
                }))
                .map_err(|e| write_error(&path, e))?;
            self.open.push(OpenFile {
                path,
                writer,
                rows: 0,
            });
        }
        Ok(())
    }

    /// Appends row groups to the file of a table, by the index of its format.
    ///
    /// # Errors
    ///
    /// A file that cannot be written.
    pub fn append(&mut self, table: usize, groups: Vec<RowGroup>) -> Result<(), Error> {
        if self.open.is_empty() && !groups.is_empty() {
            self.volume += 1;
            self.open_files()?;
        }
        for group in groups {
            let file = &mut self.open[table];
            file.rows += group.rows;
            file.append(group).map_err(|e| write_error(&file.path, e))?;
        }
        Ok(())
    }

    /// Completes the files of a volume; rows that come behind go to others.
    ///
    /// # Errors
    ///
    /// A file that cannot be written.
    pub fn end_volume(&mut self) -> Result<(), Error> {
        for (format, mut file) in self.formats.iter().zip(self.open.drain(..)) {
            let path = file.path;
            file.writer.finish().map_err(|e| write_error(&path, e))?;
            let Hashed {
                file: handle,
                hasher,
            } = file.writer.inner().get_ref();
            // The manifest must not become durable before what it promises.
            handle
                .sync_all()
                .map_err(Error::io("cannot write", &path))?;
            let bytes = handle
                .metadata()
                .map_err(Error::io("cannot read", &path))?
                .len();
            self.complete.push(CompleteFile {
                temporary: path,
                volume: self.volume,
                file: TableFile {
                    table: format.name().to_owned(),
                    path: String::new(),
                    rows: file.rows as u64,
                    bytes,
                    sha1: hex(&hasher.clone().finish()),
                },
            });
        }
        Ok(())
    }

    /// Completes the files; `path_of` gives each its path below the dataset's folder, by table and
    /// number of the file.
    pub(super) fn complete(
        &mut self,
        path_of: impl Fn(&str, usize) -> String,
    ) -> Result<(), Error> {
        self.end_volume()?;
        for complete in &mut self.complete {
            complete.file.path = path_of(&complete.file.table, complete.volume);
        }
        Ok(())
    }

    /// Returns the completed files.
    pub(super) fn files(&self) -> Vec<TableFile> {
        self.complete
            .iter()
            .map(|complete| complete.file.clone())
            .collect()
    }

    /// Gives the completed files their final names in `root`.
    pub(super) fn publish(self, root: &Path) -> Result<(), Error> {
        for complete in &self.complete {
            let target = root.join(&complete.file.path);
            if let Some(folder) = target.parent() {
                fs::create_dir_all(folder)
                    .map_err(Error::io("cannot create this folder", folder))?;
            }
            fs::rename(&complete.temporary, &target)
                .map_err(Error::io("cannot rename to", &target))?;
        }
        Ok(())
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // Whatever stopped the run is reported elsewhere, and what stays here harms nobody.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl OpenFile {
    fn append(&mut self, group: RowGroup) -> Result<(), ParquetError> {
        let mut writer = self.writer.next_row_group()?;
        for column in group.columns {
            column.append_to(&mut writer)?;
        }
        writer.close()?;
        Ok(())
    }
}

/// Unwraps the error of the operating system, if that is what the writer met: "no space left on
/// device" says more than where it was noticed.
fn write_error(path: &Path, error: ParquetError) -> Error {
    match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(source) => Error::io("cannot write", path)(*source),
            Err(source) => ErrorKind::Parquet {
                path: path.to_owned(),
                source: ParquetError::External(source),
            }
            .into(),
        },
        source => ErrorKind::Parquet {
            path: path.to_owned(),
            source,
        }
        .into(),
    }
}
