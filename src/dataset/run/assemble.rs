//! The assembler: takes row groups from workers in whatever order they finish, and appends them to
//! parts in the order of the tasks.

use std::{
    collections::BTreeMap,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

use super::{
    plan::{PartPlan, second_unnamed_stream},
    progress::Event,
    sets::{NewSets, SetWriter},
    shared::Shared,
    tables::RowGroups,
};
use crate::{
    archive::error::{Error, ErrorKind},
    dataset::{
        sink::{Loss, PartArchive, PartWriter},
        summary::{Counts, Summary},
    },
};

/// Chunks whose rows go into one file of a part: of a crawl, some 100,000 captures. The metadata of
/// row groups is written when a file ends; it alone would grow with the length of an archive.
const CHUNKS_PER_FILE: usize = 8;

/// What a worker hands over: all rows of a task or a chunk, or some of them.
pub(super) struct CompletedRows {
    pub(super) rows: RowGroups,
    /// Vectors that the task has not had before.
    pub(super) sets: NewSets,
    pub(super) counts: Counts,
    /// The archives that ended with these rows.
    pub(super) archives: Vec<PartArchive>,
}

/// The position of rows among all of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SequenceNumber {
    pub(super) task: usize,
    /// Of a large archive, whose chunks several workers may have; else 0.
    pub(super) chunk: usize,
}

/// What ends with some rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WorkEnd {
    /// Nothing: more rows of the same number follow.
    None,
    Chunk,
    Task,
}

/// Held by a worker while it works: if it panics, the others must not wait for its rows.
pub(super) struct PanicGuard<'a, 'r>(pub(super) &'a Assembler<'r>);

impl Drop for PanicGuard<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.fail(ErrorKind::Interrupted.into());
        }
    }
}

/// Appends row groups to parts, in the order of their sequence numbers.
pub(super) struct Assembler<'r> {
    shared: &'r Shared<'r>,
    parts: &'r [PartPlan],
    /// Sequence numbers whose rows may wait for those before them: one for each worker but the one
    /// that has the next rows, so that memory is bounded and no worker waits without need.
    max_waiting: usize,
    state: Mutex<State<'r>>,
    /// Signals that the next sequence number has changed, or that the run has failed.
    changed: Condvar,
}

struct State<'r> {
    /// The number of the rows that come next.
    next: SequenceNumber,
    waiting: BTreeMap<SequenceNumber, (CompletedRows, WorkEnd)>,
    /// The number of the part that is being written.
    part: usize,
    open: Option<OpenPart>,
    sets: SetWriter<'r>,
    summary: Summary,
    /// Why all workers stop.
    error: Option<Error>,
}

/// The part that is being written.
struct OpenPart {
    writer: PartWriter,
    /// Complete tasks, and complete chunks of large archives.
    tasks_done: usize,
    chunks_done: usize,
    /// As the manifest will list them.
    archives: Vec<PartArchive>,
    counts: Counts,
}

impl<'r> Assembler<'r> {
    /// Returns an assembler of parts; `summary` is that of the parts that are there already.
    pub(super) fn new(
        shared: &'r Shared<'r>,
        parts: &'r [PartPlan],
        threads: usize,
        summary: Summary,
    ) -> Self {
        let state = State {
            next: SequenceNumber::default(),
            waiting: BTreeMap::new(),
            part: 0,
            open: None,
            sets: SetWriter::new(shared.job.config, shared.job.formats),
            summary,
            error: None,
        };
        Self {
            shared,
            parts,
            max_waiting: threads - 1,
            state: Mutex::new(state),
            changed: Condvar::new(),
        }
    }

    /// Takes rows from a worker; blocks while others come before them and no more may wait.
    pub(super) fn take(
        &self,
        sequence: SequenceNumber,
        completed: CompletedRows,
        boundary: WorkEnd,
    ) -> Result<(), Error> {
        let mut state = self.lock();
        loop {
            if state.error.is_some() {
                return Err(ErrorKind::Interrupted.into());
            }
            if state.next == sequence {
                break;
            }
            // Some of the rows of a number never wait: the worker would continue to fill memory.
            if boundary != WorkEnd::None && state.waiting.len() < self.max_waiting {
                state.waiting.insert(sequence, (completed, boundary));
                return Ok(());
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        let mut current = Some((completed, boundary));
        while let Some((completed, boundary)) = current.take() {
            self.append(&mut state, completed, boundary)?;
            let SequenceNumber { task, chunk } = state.next;
            let (task, chunk) = match boundary {
                WorkEnd::None => break,
                WorkEnd::Chunk => (task, chunk + 1),
                WorkEnd::Task => (task + 1, 0),
            };
            state.next = SequenceNumber { task, chunk };
            let next = state.next;
            current = state.waiting.remove(&next);
        }
        self.changed.notify_all();
        Ok(())
    }

    /// Stops all workers. Of those that stop, only one that failed says why.
    pub(super) fn fail(&self, error: Error) {
        let mut state = self.lock();
        let known = state.error.as_ref().map(Error::kind);
        if matches!(known, None | Some(ErrorKind::Interrupted)) {
            state.error = Some(error);
        }
        self.changed.notify_all();
    }

    /// Returns the summary of all parts, when all workers have ended.
    pub(super) fn finish(self) -> Result<Summary, Error> {
        let state = self
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = state.error {
            return Err(error);
        }
        Ok(state.summary)
    }

    fn lock(&self) -> MutexGuard<'_, State<'r>> {
        // A worker that panicked has poisoned the lock; the panic itself ends the run.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn append(
        &self,
        state: &mut State<'_>,
        completed: CompletedRows,
        boundary: WorkEnd,
    ) -> Result<(), Error> {
        let plan = &self.parts[state.part];
        let job = self.shared.job;
        let mut part = match state.open.take() {
            Some(part) => part,
            None => OpenPart {
                writer: job.dataset.begin_part(&plan.name, job.formats)?,
                tasks_done: 0,
                chunks_done: 0,
                archives: Vec::new(),
                counts: Counts::default(),
            },
        };
        for (table, groups) in completed.rows {
            part.writer.append(table, groups)?;
        }
        state.sets.write(completed.sets, &mut part.writer)?;
        part.counts += &completed.counts;
        part.archives.extend(completed.archives);
        part.tasks_done += usize::from(boundary == WorkEnd::Task);
        if boundary == WorkEnd::Chunk {
            part.chunks_done += 1;
            if part.chunks_done.is_multiple_of(CHUNKS_PER_FILE) {
                part.writer.end_files()?;
            }
        }
        if part.tasks_done == plan.tasks.len() {
            return self.publish(state, part);
        }
        state.open = Some(part);
        Ok(())
    }

    fn publish(&self, state: &mut State<'_>, mut part: OpenPart) -> Result<(), Error> {
        let plan = &self.parts[state.part];
        state.part += 1;
        state.sets.finish(&mut part.writer)?;
        let summary = &mut state.summary;
        for archive in &part.archives {
            if let Some(Loss { code, message }) = archive.loss.clone() {
                summary.add_incomplete(archive.input.name.clone(), code, message);
            }
        }
        let (n_archives, counts) = (part.archives.len(), part.counts);
        let dataset = self.shared.job.dataset;
        let crawl = plan.crawl.as_deref();
        match dataset.publish(&plan.name, crawl, part.writer, part.archives)? {
            Some(files) => {
                summary.counts += &counts;
                summary.parts += 1;
                let bytes: u64 = files.iter().map(|file| file.bytes).sum();
                summary.bytes_out += bytes;
                self.shared.job.progress.report(Event::Published {
                    part: plan.name.clone(),
                    archives: n_archives,
                    captures: counts.captures,
                    bytes,
                });
            }
            // Another worker may have published its own stream of that name since this run began.
            None if plan.is_unnamed_stream => {
                return Err(second_unnamed_stream(dataset.root()));
            }
            None => {
                summary.parts_kept += 1;
                summary.kept_incomplete += counts.archives_incomplete;
            }
        }
        Ok(())
    }
}
