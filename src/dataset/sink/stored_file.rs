//! Parquet files as they are read: those of a folder from the disk, those of S3 by ranges of bytes.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
    sync::Arc,
};

use bytes::Bytes;
use parquet::{
    errors::Result,
    file::{
        metadata::ParquetMetaData,
        reader::{ChunkReader, Length},
    },
};

#[cfg(feature = "remote")]
use super::remote_file::RemoteFile;
use super::storage::Place;

/// A Parquet file of a dataset.
#[derive(Clone)]
pub(super) enum StoredFile {
    Local(Arc<File>),
    #[cfg(feature = "remote")]
    Remote(Arc<RemoteFile>),
}

impl StoredFile {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        match Place::new(path)? {
            Place::Local(path) => Ok(Self::Local(Arc::new(File::open(path)?))),
            #[cfg(feature = "remote")]
            Place::Remote(object) => Ok(Self::Remote(Arc::new(RemoteFile::open(object)?))),
        }
    }

    /// States which columns of which row groups will be read, in this order.
    #[cfg_attr(
        not(feature = "remote"),
        allow(unused_variables, reason = "a file on the disk is read as needed")
    )]
    pub(super) fn expect(
        &self,
        metadata: &ParquetMetaData,
        row_groups: impl IntoIterator<Item = usize>,
        columns: &[&str],
    ) {
        let ranges = |row_group: usize| {
            let chunks = metadata.row_group(row_group).columns().iter();
            let chunks = chunks.filter(|chunk| columns.contains(&chunk.column_descr().name()));
            let range = chunks.map(|chunk| {
                let (start, length) = chunk.byte_range();
                start..start + length
            });
            range.collect::<Vec<_>>()
        };
        match self {
            Self::Local(_) => {}
            #[cfg(feature = "remote")]
            Self::Remote(file) => file.expect(row_groups.into_iter().map(ranges).collect()),
        }
    }
}

impl Length for StoredFile {
    fn len(&self) -> u64 {
        match self {
            Self::Local(file) => Length::len(&**file),
            #[cfg(feature = "remote")]
            Self::Remote(file) => file.len(),
        }
    }
}

impl ChunkReader for StoredFile {
    type T = Box<dyn Read>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        match self {
            Self::Local(file) => Ok(Box::new(file.get_read(start)?)),
            #[cfg(feature = "remote")]
            Self::Remote(file) => Ok(Box::new(RemoteFile::read_from(file, start))),
        }
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        match self {
            Self::Local(file) => file.get_bytes(start, length),
            #[cfg(feature = "remote")]
            Self::Remote(file) => Ok(file.read(start..start + length as u64)?),
        }
    }
}
