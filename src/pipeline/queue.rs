//! Who works on what: tasks in their order, and large archives for whoever is free.
//!
//! A worker without work first looks whether a large archive that was begun can be read on, then
//! begins the next task, and waits for a large archive only where nothing else is left. So the rows
//! whose turn it is never lack a worker.

use std::sync::{
    Mutex, MutexGuard, PoisonError, TryLockError,
    atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
};

use super::{
    archive::{Buffers, OpenArchive},
    plan::Task,
};

/// The work of a run.
pub(super) struct Queue<'r> {
    tasks: Vec<Queued<'r>>,
    next: AtomicUsize,
}

/// A task, and where its rows stand among those of all.
pub(super) struct Queued<'r> {
    pub(super) number: usize,
    pub(super) task: Task<'r>,
    large: Option<Large<'r>>,
}

/// A large archive: the one task that several workers share.
#[derive(Default)]
struct Large<'r> {
    is_ended: AtomicBool,
    shared: Mutex<SharedArchive<'r>>,
}

/// What passes from worker to worker.
#[derive(Default)]
pub(super) struct SharedArchive<'r> {
    /// `None` before it is begun, and once it has ended.
    pub(super) open: Option<(OpenArchive<'r>, Buffers)>,
    /// Stretches that were read.
    pub(super) n_stretches: usize,
}

/// What a worker is to do next.
pub(super) enum Work<'q, 'r> {
    Task(&'q Queued<'r>),
    Stretch(&'q Queued<'r>, MutexGuard<'q, SharedArchive<'r>>),
}

impl<'r> Queue<'r> {
    pub(super) fn new(tasks: impl Iterator<Item = Task<'r>>) -> Self {
        let queued = tasks.enumerate().map(|(number, task)| Queued {
            number,
            large: task.is_large.then(Large::default),
            task,
        });
        Self {
            tasks: queued.collect(),
            next: AtomicUsize::new(0),
        }
    }

    /// Returns how many workers can have work at once, at most.
    pub(super) fn most_workers(&self) -> usize {
        match self.tasks.iter().any(|queued| queued.large.is_some()) {
            true => usize::MAX,
            false => self.tasks.len().max(1),
        }
    }

    /// Returns what to do next, and waits for a large archive that another worker holds if there is
    /// nothing else; `None` if all work is taken.
    pub(super) fn take(&self) -> Option<Work<'_, 'r>> {
        loop {
            let next = self.next.load(Relaxed);
            let mut begun = self.tasks[..next].iter();
            if let Some(work) = begun.find_map(Queued::try_stretch) {
                return Some(work);
            }
            let Some(queued) = self.tasks.get(next) else {
                return self.tasks.iter().find_map(Queued::stretch);
            };
            let is_mine = self
                .next
                .compare_exchange(next, next + 1, Relaxed, Relaxed)
                .is_ok();
            if is_mine && queued.large.is_none() {
                return Some(Work::Task(queued));
            }
        }
    }
}

impl<'r> Queued<'r> {
    /// Returns the large archive if it has not ended and nobody holds it.
    fn try_stretch(&self) -> Option<Work<'_, 'r>> {
        let large = self.large.as_ref().filter(|large| !large.has_ended())?;
        let guard = match large.shared.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        large.stretch(self, guard)
    }

    /// Waits for the large archive, and returns it if it has not ended.
    fn stretch(&self) -> Option<Work<'_, 'r>> {
        let large = self.large.as_ref().filter(|large| !large.has_ended())?;
        let guard = large.shared.lock();
        large.stretch(self, guard.unwrap_or_else(PoisonError::into_inner))
    }

    /// Says that the large archive has been read to its end.
    pub(super) fn end(&self) {
        let large = self.large.as_ref().expect("only a large archive is ended");
        large.is_ended.store(true, Relaxed);
    }
}

impl<'r> Large<'r> {
    fn has_ended(&self) -> bool {
        self.is_ended.load(Relaxed)
    }

    fn stretch<'q>(
        &self,
        queued: &'q Queued<'r>,
        guard: MutexGuard<'q, SharedArchive<'r>>,
    ) -> Option<Work<'q, 'r>> {
        // It may have ended while this worker waited.
        (!self.has_ended()).then_some(Work::Stretch(queued, guard))
    }
}
