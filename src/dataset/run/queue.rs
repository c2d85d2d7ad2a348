//! The work of a run: tasks in their order, and large archives that several workers share.
//!
//! A worker without work first looks for a large archive that was begun and that no one holds, then
//! takes the next task, and waits for a large archive only if nothing else is left. So the rows
//! that come next in the dataset never lack a worker.

use std::{
    ops::Range,
    sync::{
        Mutex, MutexGuard, PoisonError, TryLockError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use super::{
    archive::{Buffers, OpenArchive},
    plan::{PartPlan, is_large},
};
use crate::dataset::sink::Input;

/// The tasks of a run.
pub(super) struct Queue<'r> {
    tasks: Vec<QueuedTask<'r>>,
    next: AtomicUsize,
}

/// A task and its number among all tasks of the run.
pub(super) struct QueuedTask<'r> {
    pub(super) number: usize,
    pub(super) part: &'r str,
    /// From 0, counted in the part.
    pub(super) number_in_part: usize,
    pub(super) archives: Range<usize>,
    /// The large archive that several workers share, if it is one.
    large: Option<Mutex<SharedArchive<'r>>>,
}

/// What workers that share an archive pass on to each other.
#[derive(Default)]
pub(super) struct SharedArchive<'r> {
    /// `None` before the archive is opened, and once it has ended.
    pub(super) open: Option<(OpenArchive<'r>, Buffers)>,
    pub(super) has_ended: bool,
    /// Chunks that were read.
    pub(super) n_chunks: usize,
}

/// What a worker does next.
pub(super) enum Work<'q, 'r> {
    /// A whole task.
    Task(&'q QueuedTask<'r>),
    /// The next chunk of a large archive, which the worker holds until it drops the guard.
    Chunk(&'q QueuedTask<'r>, MutexGuard<'q, SharedArchive<'r>>),
}

impl<'r> Queue<'r> {
    /// Returns the tasks of parts; `inputs` are the archives of the plan.
    pub(super) fn new(parts: &'r [PartPlan], inputs: &[Input]) -> Self {
        let mut tasks = Vec::new();
        for part in parts {
            for (number_in_part, range) in part.tasks.iter().enumerate() {
                tasks.push(QueuedTask {
                    number: tasks.len(),
                    part: &part.name,
                    number_in_part,
                    archives: range.clone(),
                    large: is_large(inputs, range).then(Mutex::default),
                });
            }
        }
        Self {
            tasks,
            next: AtomicUsize::new(0),
        }
    }

    /// Returns how many workers can have work at once, at most.
    pub(super) fn max_workers(&self) -> usize {
        if self.tasks.iter().any(|queued| queued.large.is_some()) {
            usize::MAX
        } else {
            self.tasks.len().max(1)
        }
    }

    /// Returns what to do next, and waits for a large archive that another worker holds if there is
    /// nothing else; `None` if all work is taken.
    pub(super) fn take(&self) -> Option<Work<'_, 'r>> {
        loop {
            let next = self.next.load(Relaxed);
            let mut begun = self.tasks[..next].iter();
            if let Some(work) = begun.find_map(QueuedTask::try_chunk) {
                return Some(work);
            }
            let Some(queued) = self.tasks.get(next) else {
                return self.tasks.iter().find_map(QueuedTask::wait_for_chunk);
            };
            let is_taken = self
                .next
                .compare_exchange(next, next + 1, Relaxed, Relaxed)
                .is_ok();
            // A large archive that was just begun is found by the next iteration, by this worker
            // or by another.
            if is_taken && queued.large.is_none() {
                return Some(Work::Task(queued));
            }
        }
    }
}

impl<'r> QueuedTask<'r> {
    /// Returns the next chunk of the large archive, if it has not ended and no worker holds it.
    fn try_chunk(&self) -> Option<Work<'_, 'r>> {
        match self.large.as_ref()?.try_lock() {
            Ok(guard) => self.chunk(guard),
            Err(TryLockError::Poisoned(poisoned)) => self.chunk(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// Waits until no worker holds the large archive, and returns its next chunk, if it has not
    /// ended.
    fn wait_for_chunk(&self) -> Option<Work<'_, 'r>> {
        let guard = self.large.as_ref()?.lock();
        self.chunk(guard.unwrap_or_else(PoisonError::into_inner))
    }

    fn chunk<'q>(&'q self, guard: MutexGuard<'q, SharedArchive<'r>>) -> Option<Work<'q, 'r>> {
        (!guard.has_ended).then(|| Work::Chunk(self, guard))
    }
}
