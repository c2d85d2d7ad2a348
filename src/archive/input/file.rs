//! Archives of this machine: files, folders that cannot be listed, and standard input.

use std::{
    fs,
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    time::SystemTime,
};

use super::Source;

/// A file of the local file system.
#[derive(Debug)]
pub(super) struct FileSource {
    path: PathBuf,
    size: Option<u64>,
    modified: Option<SystemTime>,
    is_stream: bool,
}

impl FileSource {
    pub(super) fn new(path: PathBuf) -> Self {
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
        Ok(Box::new(self.file()?))
    }

    fn open_at(&self, offset: u64) -> io::Result<Box<dyn Read + Send>> {
        let mut file = self.file()?;
        file.seek(SeekFrom::Start(offset))?;
        Ok(Box::new(file))
    }

    fn size(&self) -> Option<u64> {
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
