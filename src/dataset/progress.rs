//! The progress of a run: counters that workers raise and any thread may read.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
};

use crate::archive::error::{Error, ErrorKind};

/// The progress of a run, shared by its workers and its observers.
#[derive(Debug, Default)]
pub struct Progress {
    archives: AtomicU64,
    bytes: AtomicU64,
    captures: AtomicU64,
    stop: Arc<AtomicBool>,
    events: Mutex<Vec<Event>>,
    step: Mutex<Option<Step>>,
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
    /// What is done after the archives were read.
    #[doc(hidden)]
    pub step: Option<Step>,
}

/// Work that follows the reading of archives.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// What is done to what, such as `files explained`.
    pub name: &'static str,
    /// How many of these were done.
    pub done: u64,
    /// All of these.
    pub total: u64,
}

/// What happens once in a run, or once for each part.
#[cfg_attr(
    not(feature = "cli"),
    allow(dead_code, reason = "only the command line shows events")
)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The work was planned.
    Planned {
        /// Worker threads.
        threads: usize,
        /// Parts to build.
        parts: usize,
        /// Tasks of these parts.
        tasks: usize,
        /// Parts of the plan that were published by an earlier run.
        existing_parts: u64,
    },
    /// A part was published.
    Published {
        /// Its name.
        part: String,
        /// Its archives.
        archives: usize,
        /// Their captures.
        captures: u64,
        /// Size of its files.
        bytes: u64,
    },
}

impl Progress {
    /// Returns the counters.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            archives: self.archives.load(Relaxed),
            bytes: self.bytes.load(Relaxed),
            captures: self.captures.load(Relaxed),
            step: *self.step.lock().unwrap_or_else(PoisonError::into_inner),
        }
    }

    /// Counts from zero, since what was counted is read again.
    pub(crate) fn begin_again(&self) {
        *self.step.lock().unwrap_or_else(PoisonError::into_inner) = None;
        for counter in [&self.archives, &self.bytes, &self.captures] {
            counter.store(0, Relaxed);
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

    /// Returns [`ErrorKind::Interrupted`] if the run was asked to end.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.is_stopped() {
            return Err(ErrorKind::Interrupted.into());
        }
        Ok(())
    }

    /// Returns the flag that [`stop`](Progress::stop) sets.
    pub(crate) fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Takes the events since the last call, in their order.
    #[cfg(feature = "cli")]
    pub(crate) fn take_events(&self) -> Vec<Event> {
        std::mem::take(&mut *self.events.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Begins work that follows the reading of archives.
    pub(crate) fn begin_step(&self, name: &'static str, total: u64) {
        let mut step = self.step.lock().unwrap_or_else(PoisonError::into_inner);
        let done = 0;
        *step = Some(Step { name, done, total });
    }

    /// States how much of that work is done.
    pub(crate) fn set_done(&self, done: u64) {
        let mut step = self.step.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(step) = &mut *step {
            step.done = done;
        }
    }

    pub(super) fn report(&self, event: Event) {
        let mut events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        events.push(event);
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
