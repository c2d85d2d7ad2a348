//! Records that are on disk while a run lasts, so that memory does not grow with them.

use std::{
    fs::File,
    io::{self, BufWriter, Read, Seek, SeekFrom, Write},
    path::PathBuf,
};

use zstd::bulk::{Compressor, Decompressor};

use super::Dataset;
use crate::archive::error::Error;

/// The level of zstd: a record is read back two or three times, so speed counts more than size.
const LEVEL: i32 = -3;

/// A file of compressed records in the temporary folder of a dataset, which is deleted with the
/// folder at the latest.
pub struct Spill {
    writer: BufWriter<File>,
    compressor: Compressor<'static>,
    reader: SpillReader,
    end: u64,
}

/// Returns a compressor of records, for one thread.
///
/// # Errors
///
/// Too little memory.
pub(super) fn compressor() -> Result<Compressor<'static>, Error> {
    Compressor::new(LEVEL).map_err(cannot_compress)
}

pub(super) fn cannot_compress(source: io::Error) -> Error {
    Error::io("cannot compress", "temporary records")(source)
}

/// Reads the records of a [`Spill`], beside other readers of it.
pub struct SpillReader {
    path: PathBuf,
    file: File,
    decompressor: Decompressor<'static>,
}

impl SpillReader {
    fn open(path: PathBuf) -> Result<Self, Error> {
        Ok(Self {
            file: File::open(&path).map_err(Error::io("cannot open", &path))?,
            decompressor: Decompressor::new().map_err(Error::io("cannot read", &path))?,
            path,
        })
    }

    /// Reads the record at an offset.
    ///
    /// # Errors
    ///
    /// A file that cannot be read.
    pub fn read(&mut self, offset: u64) -> Result<Vec<u8>, Error> {
        let read = self.try_read(offset);
        read.map_err(Error::io("cannot read", &self.path))
    }

    fn try_read(&mut self, offset: u64) -> io::Result<Vec<u8>> {
        self.file.seek(SeekFrom::Start(offset))?;
        let mut lengths = [[0; 8]; 2];
        self.file.read_exact(lengths.as_flattened_mut())?;
        let [n_compressed, n_record] = lengths.map(|length| u64::from_le_bytes(length) as usize);
        let mut compressed = vec![0; n_compressed];
        self.file.read_exact(&mut compressed)?;
        self.decompressor.decompress(&compressed, n_record)
    }
}

impl Spill {
    /// Appends a record and returns its offset.
    ///
    /// # Errors
    ///
    /// A file that cannot be written.
    pub fn append(&mut self, record: &[u8]) -> Result<u64, Error> {
        let compressed = self.compressor.compress(record).map_err(cannot_compress)?;
        self.append_compressed(&compressed, record.len())
    }

    /// Appends a record of so many bytes that was compressed before, and returns its offset.
    ///
    /// # Errors
    ///
    /// A file that cannot be written.
    pub fn append_compressed(&mut self, compressed: &[u8], n_bytes: usize) -> Result<u64, Error> {
        let offset = self.end;
        let lengths = [compressed.len(), n_bytes].map(|length| (length as u64).to_le_bytes());
        let written = self.writer.write_all(lengths.as_flattened());
        let written = written.and_then(|()| self.writer.write_all(compressed));
        written.map_err(Error::io("cannot write", &self.reader.path))?;
        self.end += 16 + compressed.len() as u64;
        Ok(offset)
    }

    /// Writes what was appended to the file, for [`Spill::reader`].
    ///
    /// # Errors
    ///
    /// A file that cannot be written.
    pub fn flush(&mut self) -> Result<(), Error> {
        let written = self.writer.flush();
        written.map_err(Error::io("cannot write", &self.reader.path))
    }

    /// Returns a reader of the records, which were written to the file by [`Spill::flush`].
    ///
    /// # Errors
    ///
    /// A file that cannot be opened.
    pub fn reader(&self) -> Result<SpillReader, Error> {
        debug_assert!(
            self.writer.buffer().is_empty(),
            "records are still in memory"
        );
        SpillReader::open(self.reader.path.clone())
    }

    /// Reads the record at an offset. Records may be appended between two reads.
    ///
    /// # Errors
    ///
    /// A file that cannot be read.
    pub fn read(&mut self, offset: u64) -> Result<Vec<u8>, Error> {
        self.flush()?;
        self.reader.read(offset)
    }
}

impl Drop for Spill {
    fn drop(&mut self) {
        // The folder is deleted in the end, whatever is in it.
        let _ = std::fs::remove_file(&self.reader.path);
    }
}

impl Dataset {
    /// Creates a file of records in the temporary folder of this process.
    ///
    /// # Errors
    ///
    /// A file that cannot be created.
    pub(crate) fn spill(&self, name: &str) -> Result<Spill, Error> {
        let path = self.session.folder.join(name);
        let file = File::create_new(&path).map_err(Error::io("cannot create", &path))?;
        Ok(Spill {
            writer: BufWriter::with_capacity(1 << 18, file),
            compressor: compressor()?,
            reader: SpillReader::open(path)?,
            end: 0,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::dataset::sink::empty_dataset;

    #[test]
    fn records_are_read_in_any_order_and_between_writes() {
        let dir = tempfile::tempdir().unwrap();
        let dataset = empty_dataset(&dir.path().join("out"));
        let mut spill = dataset.spill("records").unwrap();
        let first = spill.append(b"one").unwrap();
        let second = spill.append(&[7; 100_000]).unwrap();
        assert_eq!(spill.read(second).unwrap(), [7; 100_000]);
        let third = spill.append(b"").unwrap();
        assert_eq!(spill.read(first).unwrap(), b"one");
        assert_eq!(spill.read(third).unwrap(), b"");
        drop(spill);
        assert!(!dataset.session.folder.join("records").exists());
    }
}
