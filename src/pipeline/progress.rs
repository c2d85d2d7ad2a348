//! How far a run is: counters that workers raise and anybody may read.

use std::{
    io::{self, Read},
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
};

/// The state of a run, shared by its workers and whoever watches.
#[derive(Debug, Default)]
pub struct Progress {
    archives: AtomicU64,
    bytes: AtomicU64,
    captures: AtomicU64,
    stop: AtomicBool,
}

/// The counters at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// Archives that were read to their end.
    pub archives: u64,
    /// Bytes of archives read.
    pub bytes: u64,
    /// Captures made.
    pub captures: u64,
}

impl Progress {
    /// Returns the counters.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            archives: self.archives.load(Relaxed),
            bytes: self.bytes.load(Relaxed),
            captures: self.captures.load(Relaxed),
        }
    }

    /// Asks the run to end soon; parts that are not published by then are given up.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Returns true if and only if the run was asked to end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    pub(super) fn add_archive(&self) {
        self.archives.fetch_add(1, Relaxed);
    }

    pub(super) fn add_capture(&self) {
        self.captures.fetch_add(1, Relaxed);
    }
}

/// A source whose bytes are counted as they are read.
pub(super) struct Counted<'p> {
    pub(super) source: Box<dyn Read + Send>,
    pub(super) progress: &'p Progress,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.source.read(buffer)?;
        self.progress.bytes.fetch_add(n as u64, Relaxed);
        Ok(n)
    }
}
