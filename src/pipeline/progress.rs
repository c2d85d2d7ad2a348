//! The progress of a run: counters that workers raise and any thread may read.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The progress of a run, shared by its workers and its observers.
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

    /// Asks the run to end soon; parts that are not published by then are dropped.
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

    /// Counts archives that need not be read.
    pub(super) fn skip(&self, archives: u64, bytes: u64) {
        self.archives.fetch_add(archives, Relaxed);
        self.bytes.fetch_add(bytes, Relaxed);
    }

    pub(super) fn add_bytes(&self, n: u64) {
        self.bytes.fetch_add(n, Relaxed);
    }

    pub(super) fn add_capture(&self) {
        self.captures.fetch_add(1, Relaxed);
    }
}
