//! A Parquet file in S3.
//!
//! A reader asks S3 for the end of a file, then for the column chunks of one row group after the
//! other: all that will be read of a row group at once, and held until the next. So memory is that
//! of the compressed column chunks of a row group, and no column is downloaded that is not read.

use std::{
    io::{self, BufReader, Read},
    ops::Range,
    slice,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use bytes::Bytes;

use crate::archive::remote::Object;

/// Bytes at the end of a file that are read first: most footers fit.
const END_BYTES: u64 = 64 * 1024;
/// Bytes that are read at least where nothing says what else will be.
const LEAST_BYTES: u64 = 256 * 1024;

/// A Parquet file in S3.
pub(super) struct RemoteFile {
    object: Object,
    bytes: u64,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The column chunks that will be read, by row group.
    expected: Vec<Vec<Range<u64>>>,
    /// What was read last, with its offsets.
    held: Vec<(u64, Bytes)>,
}

impl State {
    /// Returns the bytes of a range, if they are held.
    fn get(&self, range: &Range<u64>) -> Option<Bytes> {
        let end = |held: &(u64, Bytes)| held.0 + held.1.len() as u64;
        let is_in = |held: &&(u64, Bytes)| held.0 <= range.start && range.end <= end(held);
        let (start, bytes) = self.held.iter().find(is_in)?;
        let slice = (range.start - start) as usize..(range.end - start) as usize;
        Some(bytes.slice(slice))
    }
}

impl RemoteFile {
    pub(super) fn open(object: Object) -> io::Result<Self> {
        let bytes = object.size()?;
        let file = Self {
            object,
            bytes,
            state: Mutex::default(),
        };
        let end = bytes.saturating_sub(END_BYTES)..bytes;
        file.hold(&mut file.state(), slice::from_ref(&end))?;
        Ok(file)
    }

    /// States which ranges will be read, by row group.
    pub(super) fn expect(&self, ranges: Vec<Vec<Range<u64>>>) {
        self.state().expected = ranges;
    }

    pub(super) fn len(&self) -> u64 {
        self.bytes
    }

    /// Returns a reader of the bytes from an offset on.
    pub(super) fn read_from(file: &Arc<Self>, start: u64) -> impl Read + use<> {
        BufReader::new(RangeReader {
            file: Arc::clone(file),
            at: start,
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads ranges, and holds them in place of what is held.
    fn hold(&self, state: &mut State, ranges: &[Range<u64>]) -> io::Result<()> {
        state.held.clear();
        let read = self.object.read_ranges(ranges)?;
        let starts = ranges.iter().map(|range| range.start);
        state.held = starts.zip(read).collect();
        Ok(())
    }

    /// Returns the bytes of a range of the file.
    pub(super) fn read(&self, range: Range<u64>) -> io::Result<Bytes> {
        if range.end > self.bytes {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut state = self.state();
        if let Some(bytes) = state.get(&range) {
            return Ok(bytes);
        }
        let is_in = |chunk: &Range<u64>| chunk.start <= range.start && range.end <= chunk.end;
        let mut expected = state.expected.iter();
        let row_group = expected.find(|chunks| chunks.iter().any(is_in)).cloned();
        let wanted = range.start..range.end.max(range.start + LEAST_BYTES).min(self.bytes);
        let ranges = row_group.as_deref();
        self.hold(&mut state, ranges.unwrap_or(slice::from_ref(&wanted)))?;
        state.get(&range).ok_or(io::ErrorKind::UnexpectedEof.into())
    }
}

/// Reads a file in S3 from an offset on.
struct RangeReader {
    file: Arc<RemoteFile>,
    at: u64,
}

impl Read for RangeReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // A chunk that is expected may end before the buffer does.
        let end = {
            let state = self.file.state();
            let mut chunks = state.expected.iter().flatten();
            let chunk = chunks.find(|chunk| chunk.contains(&self.at));
            chunk.map_or(self.file.bytes, |chunk| chunk.end)
        };
        let end = end.min(self.at + buffer.len() as u64);
        let bytes = self.file.read(self.at..end)?;
        buffer[..bytes.len()].copy_from_slice(&bytes);
        self.at = end;
        Ok(bytes.len())
    }
}
