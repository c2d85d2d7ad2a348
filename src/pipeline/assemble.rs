//! Row groups from workers, in whatever order they finish; parts in the order of the tasks.

use std::{
    collections::BTreeMap,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

use super::{
    config::{Config, VerdictForm},
    plan::{PartPlan, second_unnamed_stream},
    progress::{Event, Progress},
    redirects::Marks,
    sets::{NewSet, SetWriter},
    sums,
    tables::{RowGroups, VERDICT_SETS},
};
use crate::{
    error::{Error, ErrorKind},
    sink::{Dataset, Format, PartArchive, PartWriter},
    summary::{Counts, Summary},
};

/// Stretches whose rows make a volume of a part: of a crawl, some 100,000 captures. What footers
/// say of them is the one thing that would grow with the length of an archive.
const VOLUME_STRETCHES: usize = 8;

/// What a worker hands over: the rows of a turn, or some of them.
pub(super) struct Delivery {
    pub(super) rows: RowGroups,
    /// Vectors of answers that the task has not had before.
    pub(super) sets: Vec<NewSet>,
    pub(super) counts: Counts,
    /// Of the rows' captures, if they are remembered.
    pub(super) marks: Vec<u32>,
    /// The archives that ended with these rows.
    pub(super) archives: Vec<PartArchive>,
}

/// Where rows stand among all of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Turn {
    pub(super) task: usize,
    /// Of a large archive, whose stretches several workers may have; else 0.
    pub(super) stretch: usize,
}

/// What ends with a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    None,
    Stretch,
    Task,
}

/// Why a worker ends before its work does.
pub(super) enum Stop {
    /// The caller asked for it.
    Asked,
    /// Another worker failed and has said why.
    Elsewhere,
    /// This worker failed.
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// Held by a worker while it works: if it panics, the others must not wait for its rows.
pub(super) struct Presence<'a, 'r>(pub(super) &'a Assembler<'r>);

impl Drop for Presence<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.fail(None);
        }
    }
}

/// Puts row groups into parts, in the order of the tasks.
pub(super) struct Assembler<'r> {
    dataset: &'r Dataset,
    formats: &'r [Arc<Format>],
    verdicts: VerdictForm,
    parts: &'r [PartPlan],
    progress: &'r Progress,
    /// Finished turns that may wait.
    most_waiting: usize,
    state: Mutex<State<'r>>,
    turn: Condvar,
}

struct State<'r> {
    /// Whose rows come next.
    next: Turn,
    waiting: BTreeMap<Turn, (Delivery, End)>,
    /// The part that is being written, and how many of its tasks are complete.
    part: usize,
    tasks_done: usize,
    /// Complete stretches of the part's large archives.
    stretches: usize,
    open: Option<PartWriter>,
    sets: SetWriter<'r>,
    /// Of the open part, as its manifest will list them.
    archives: Vec<PartArchive>,
    /// Of the open part.
    counts: Counts,
    /// By part; that of the open part is added when it is published.
    marks: Marks,
    open_marks: Vec<u32>,
    /// Rows of the published parts, by table.
    rows: BTreeMap<String, u64>,
    summary: Summary,
    error: Option<Error>,
    has_failed: bool,
}

impl<'r> Assembler<'r> {
    pub(super) fn new(
        config: &'r Config,
        dataset: &'r Dataset,
        formats: &'r [Arc<Format>],
        parts: &'r [PartPlan],
        threads: usize,
        progress: &'r Progress,
    ) -> Self {
        let state = State {
            next: Turn {
                task: 0,
                stretch: 0,
            },
            waiting: BTreeMap::new(),
            part: 0,
            tasks_done: 0,
            stretches: 0,
            open: None,
            sets: SetWriter::new(config, formats[VERDICT_SETS].clone()),
            archives: Vec::new(),
            counts: Counts::default(),
            marks: Marks::new(),
            open_marks: Vec::new(),
            rows: BTreeMap::new(),
            summary: Summary::default(),
            error: None,
            has_failed: false,
        };
        Self {
            dataset,
            formats,
            verdicts: config.verdicts,
            parts,
            progress,
            most_waiting: threads - 1,
            state: Mutex::new(state),
            turn: Condvar::new(),
        }
    }

    /// Takes rows; waits while it is not their turn and no more may be kept.
    pub(super) fn deliver(&self, turn: Turn, delivery: Delivery, end: End) -> Result<(), Stop> {
        let mut state = self.lock();
        loop {
            if state.has_failed {
                return Err(Stop::Elsewhere);
            }
            if state.next == turn {
                break;
            }
            if end != End::None && state.waiting.len() < self.most_waiting {
                state.waiting.insert(turn, (delivery, end));
                return Ok(());
            }
            state = self
                .turn
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        let mut current = Some((delivery, end));
        while let Some((delivery, end)) = current.take() {
            self.append(&mut state, delivery, end)
                .map_err(Stop::Failed)?;
            match end {
                End::None => {}
                End::Stretch => state.next.stretch += 1,
                End::Task => {
                    state.next = Turn {
                        task: state.next.task + 1,
                        stretch: 0,
                    }
                }
            }
            if end != End::None {
                let next = state.next;
                current = state.waiting.remove(&next);
            }
        }
        self.turn.notify_all();
        Ok(())
    }

    /// Makes everybody stop.
    pub(super) fn fail(&self, error: Option<Error>) {
        let mut state = self.lock();
        state.has_failed = true;
        if state.error.is_none() {
            state.error = error;
        }
        self.turn.notify_all();
    }

    /// Returns what was found and made, when all workers have ended.
    pub(super) fn finish(self) -> Result<(Summary, Marks), Error> {
        let state = self
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        match (state.error, state.has_failed) {
            (Some(error), _) => Err(error),
            (None, true) => Err(ErrorKind::Interrupted.into()),
            (None, false) => {
                if cfg!(debug_assertions) {
                    sums::check(&state.summary.counts, &state.rows, self.verdicts);
                }
                Ok((state.summary, state.marks))
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<'r>> {
        // A worker that panicked has poisoned the lock; the panic itself ends the run.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn append(&self, state: &mut State<'_>, delivery: Delivery, end: End) -> Result<(), Error> {
        let plan = &self.parts[state.part];
        let part = match &mut state.open {
            Some(part) => part,
            None => state
                .open
                .insert(self.dataset.begin_part(&plan.name, self.formats)?),
        };
        for (table, groups) in delivery.rows.into_iter().enumerate() {
            part.append(table, groups)?;
        }
        let groups = state.sets.write(delivery.sets)?;
        part.append(VERDICT_SETS, groups)?;
        state.counts += &delivery.counts;
        state.open_marks.extend(delivery.marks);
        state.archives.extend(delivery.archives);
        if end == End::Stretch {
            state.stretches += 1;
            if state.stretches.is_multiple_of(VOLUME_STRETCHES) {
                part.end_files()?;
            }
        }
        if end == End::Task {
            state.tasks_done += 1;
            if state.tasks_done == plan.tasks.len() {
                self.publish(state)?;
            }
        }
        Ok(())
    }

    fn publish(&self, state: &mut State<'_>) -> Result<(), Error> {
        let plan = &self.parts[state.part];
        let mut part = state.open.take().expect("a part with rows is open");
        part.append(VERDICT_SETS, state.sets.finish()?)?;
        let archives = std::mem::take(&mut state.archives);
        let counts = std::mem::take(&mut state.counts);
        let marks = std::mem::take(&mut state.open_marks);
        for archive in &archives {
            if let Some(reason) = &archive.reason {
                let name = archive.input.name.clone();
                state.summary.give_up(name, reason.clone());
            }
        }
        let n_archives = archives.len();
        let published = self
            .dataset
            .publish(&plan.name, plan.crawl.as_deref(), part, archives)?;
        match published {
            Some(files) => {
                state.summary.counts += &counts;
                state.marks.insert(plan.name.clone(), marks);
                state.summary.parts += 1;
                for file in &files {
                    *state.rows.entry(file.table.clone()).or_default() += file.rows;
                }
                let bytes: u64 = files.iter().map(|file| file.bytes).sum();
                state.summary.bytes_out += bytes;
                self.progress.report(Event::Published {
                    part: plan.name.clone(),
                    archives: n_archives,
                    captures: counts.captures,
                    bytes,
                });
            }
            // Another worker may have published its own stream of that name since this run began.
            None if plan.is_unnamed_stream => {
                return Err(second_unnamed_stream(self.dataset.root()));
            }
            None => {
                state.summary.parts_kept += 1;
                state.summary.kept_incomplete += counts.archives_incomplete;
            }
        }
        state.part += 1;
        state.tasks_done = 0;
        state.stretches = 0;
        Ok(())
    }
}
