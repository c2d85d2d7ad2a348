//! Records that are put aside on disk while a run lasts, so that memory does not grow with them.

use std::{
    fs::File,
    io::{self, BufWriter, Read, Seek, SeekFrom, Write},
    path::PathBuf,
};

use zstd::bulk::{Compressor, Decompressor};

use super::Dataset;
use crate::error::Error;

/// The level of zstd: a record is read back at most twice, so that speed counts more than size.
const LEVEL: i32 = -3;

/// A file of compressed records in the temporary folder of a dataset, which is deleted with the
/// folder at the latest.
pub struct Spill {
    path: PathBuf,
    writer: BufWriter<File>,
    compressor: Compressor<'static>,
    decompressor: Decompressor<'static>,
    end: u64,
    is_flushed: bool,
}

impl Spill {
    /// Appends a record and returns its offset.
    ///
    /// # Errors
    ///
    /// A file that cannot be written.
    pub fn append(&mut self, record: &[u8]) -> Result<u64, Error> {
        let offset = self.end;
        self.try_append(record)
            .map_err(Error::io("cannot write", &self.path))?;
        Ok(offset)
    }

    fn try_append(&mut self, record: &[u8]) -> io::Result<()> {
        let compressed = self.compressor.compress(record)?;
        self.writer
            .write_all(&(compressed.len() as u64).to_le_bytes())?;
        self.writer
            .write_all(&(record.len() as u64).to_le_bytes())?;
        self.writer.write_all(&compressed)?;
        self.end += 16 + compressed.len() as u64;
        self.is_flushed = false;
        Ok(())
    }

    /// Reads the record at an offset, and returns the offset of the next one with it; `None` at the
    /// end.
    ///
    /// # Errors
    ///
    /// A file that cannot be read.
    pub fn read(&mut self, offset: u64) -> Result<Option<(Vec<u8>, u64)>, Error> {
        if offset >= self.end {
            return Ok(None);
        }
        if !self.is_flushed {
            let written = self.writer.flush();
            written.map_err(Error::io("cannot write", &self.path))?;
            self.is_flushed = true;
        }
        self.try_read(offset)
            .map(Some)
            .map_err(Error::io("cannot read", &self.path))
    }

    fn try_read(&mut self, offset: u64) -> io::Result<(Vec<u8>, u64)> {
        let file = self.writer.get_mut();
        file.seek(SeekFrom::Start(offset))?;
        let mut lengths = [0; 16];
        file.read_exact(&mut lengths)?;
        let length = |bytes: &[u8]| {
            let bytes = bytes.try_into().map(u64::from_le_bytes).unwrap_or_default();
            usize::try_from(bytes).map_err(io::Error::other)
        };
        let (n_compressed, n_record) = (length(&lengths[..8])?, length(&lengths[8..])?);
        let mut compressed = vec![0; n_compressed];
        file.read_exact(&mut compressed)?;
        let record = self.decompressor.decompress(&compressed, n_record)?;
        // Records may be appended between two reads.
        file.seek(SeekFrom::Start(self.end))?;
        Ok((record, offset + 16 + n_compressed as u64))
    }
}

impl Drop for Spill {
    fn drop(&mut self) {
        // The folder is deleted in the end, whatever is in it.
        let _ = std::fs::remove_file(&self.path);
    }
}

impl Dataset {
    /// Creates a file of records in the temporary folder of this process.
    ///
    /// # Errors
    ///
    /// A file that cannot be created.
    pub(crate) fn spill(&self, name: &str) -> Result<Spill, Error> {
        let path = self.temporary().join(name);
        let contexts = Compressor::new(LEVEL).and_then(|one| Ok((one, Decompressor::new()?)));
        let (compressor, decompressor) = contexts.map_err(Error::io("cannot compress", &path))?;
        let file = File::options()
            .read(true)
            .write(true)
            .create_new(true)
            .open(&path)
            .map_err(Error::io("cannot create", &path))?;
        Ok(Spill {
            path,
            writer: BufWriter::with_capacity(1 << 18, file),
            compressor,
            decompressor,
            end: 0,
            is_flushed: true,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sink::{DatasetIdentity, OpenMode};

    #[test]
    fn records_are_read_in_any_order_and_between_writes() {
        let dir = tempfile::tempdir().unwrap();
        let identity = DatasetIdentity {
            schema_version: 1,
            options_digest: String::new(),
            options: Vec::new(),
        };
        let root = dir.path().join("out");
        let dataset = Dataset::open(&root, OpenMode::New, identity, &[], &[]).unwrap();
        let mut spill = dataset.spill("records").unwrap();
        let first = spill.append(b"one").unwrap();
        let second = spill.append(&[7; 100_000]).unwrap();
        assert_eq!(spill.read(second).unwrap().unwrap().0, [7; 100_000]);
        let third = spill.append(b"").unwrap();
        assert_eq!(
            spill.read(first).unwrap().unwrap(),
            (b"one".to_vec(), second)
        );
        assert_eq!(spill.read(second).unwrap().unwrap().1, third);
        let (empty, end) = spill.read(third).unwrap().unwrap();
        assert!(empty.is_empty() && spill.read(end).unwrap().is_none());
        drop(spill);
        assert!(!dataset.temporary().join("records").exists());
    }
}
