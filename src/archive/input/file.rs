//! Archives of this machine: files, folders that cannot be listed, and standard input.

use std::{
    collections::VecDeque,
    fs,
    io::{self, Read, Seek, SeekFrom},
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

use super::Source;
use crate::archive::index::Ranges;

/// A file of the local file system, or some ranges of it.
#[derive(Debug)]
pub(super) struct FileSource {
    path: PathBuf,
    size: Option<u64>,
    modified: Option<SystemTime>,
    is_stream: bool,
    ranges: Option<Arc<Ranges>>,
}

impl FileSource {
    pub(super) fn new(path: PathBuf, ranges: Option<Arc<Ranges>>) -> Self {
        let meta = fs::metadata(&path).ok();
        let is_stream = |meta: &fs::Metadata| !meta.is_file() && !meta.is_dir();
        let is_stream = meta.as_ref().is_some_and(is_stream);
        // The size and time of a pipe or a device are not those of its bytes.
        let meta = meta.filter(fs::Metadata::is_file);
        Self {
            path,
            size: meta.as_ref().map(fs::Metadata::len),
            modified: meta.and_then(|meta| meta.modified().ok()),
            is_stream,
            ranges,
        }
    }

    fn file(&self) -> io::Result<fs::File> {
        let file = fs::File::open(&self.path)?;
        // Some systems open a folder and fail when it is read.
        if file.metadata()?.is_dir() {
            Err(io::Error::new(
                io::ErrorKind::IsADirectory,
                "expected a file, but this is a folder",
            ))
        } else {
            Ok(file)
        }
    }
}

impl Source for FileSource {
    fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        self.open_at(0)
    }

    fn open_at(&self, offset: u64) -> io::Result<Box<dyn Read + Send>> {
        let mut file = self.file()?;
        let Some(ranges) = &self.ranges else {
            // A stream has no other offset.
            if offset > 0 {
                file.seek(SeekFrom::Start(offset))?;
            }
            return Ok(Box::new(file));
        };
        // What is beyond the file is not read, so that the other bytes keep their places.
        let most = self.size.unwrap_or(u64::MAX);
        let within = |range: Range<u64>| range.start.min(most)..range.end.min(most);
        let left = ranges.after(offset).map(within);
        let left = left.filter(|range| !range.is_empty()).collect();
        Ok(Box::new(RangeReader { file, left }))
    }

    fn size(&self) -> Option<u64> {
        let of_ranges = self.ranges.as_ref().map(|ranges| ranges.n_bytes());
        of_ranges.or(self.size)
    }

    fn file_size(&self) -> Option<u64> {
        self.size
    }

    // A path that does not exist, or a folder, has no known size, but is not a stream.
    fn is_stream(&self) -> bool {
        self.is_stream
    }

    fn modified(&self) -> Option<SystemTime> {
        self.modified
    }

    fn path(&self) -> Option<&Path> {
        Some(&self.path)
    }

    fn location(&self) -> String {
        self.path.display().to_string()
    }
}

/// Reads some ranges of a file, as one sequence of bytes.
struct RangeReader {
    file: fs::File,
    left: VecDeque<Range<u64>>,
}

impl Read for RangeReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let Some(next) = self.left.front_mut() else {
            return Ok(0);
        };
        self.file.seek(SeekFrom::Start(next.start))?;
        let rest = next.end - next.start;
        let n = (&mut self.file).take(rest).read(into)?;
        next.start += n as u64;
        if next.is_empty() {
            self.left.pop_front();
        }
        if n == 0 && !into.is_empty() {
            let message = "the file has become shorter while it was read";
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, message));
        }
        Ok(n)
    }
}

/// A folder that cannot be listed.
#[derive(Debug)]
pub(super) struct Unlisted {
    pub(super) path: PathBuf,
    pub(super) reason: io::Error,
}

impl Source for Unlisted {
    fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        Err(io::Error::new(
            self.reason.kind(),
            format!("this folder cannot be listed: {}", self.reason),
        ))
    }

    fn size(&self) -> Option<u64> {
        Some(0)
    }

    fn location(&self) -> String {
        self.path.display().to_string()
    }
}

/// Standard input, which can be read once.
#[derive(Debug)]
pub(super) struct Stdin;

impl Source for Stdin {
    fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(io::stdin()))
    }

    fn size(&self) -> Option<u64> {
        None
    }

    fn location(&self) -> String {
        "standard input".to_owned()
    }
}
