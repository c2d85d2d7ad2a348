//! One worker: takes work until there is none, and hands over what it made of it.

use std::sync::{Arc, MutexGuard};

use super::{
    archive::{Buffers, Item, OpenArchive},
    assemble::{Assembler, End, Stop, Turn},
    config::Config,
    progress::Progress,
    queue::{Queue, Queued, SharedArchive, Work},
    rows::Rows,
    stretch::{Fill, Stretch},
};
use crate::{
    evaluation::Categories,
    input::ArchiveSource,
    matrix::{SeenOrigins, evaluate::Evaluator},
    sink::{Format, Input},
};

/// What all workers read and none changes.
pub(super) struct Shared<'r> {
    pub(super) config: &'r Config,
    pub(super) archives: &'r [ArchiveSource],
    pub(super) inputs: &'r [Input],
    pub(super) run_id: &'r str,
    pub(super) formats: &'r [Arc<Format>],
    pub(super) evaluators: Vec<Evaluator>,
    pub(super) categories: Categories,
    /// The origins of absolute URLs that captures are of.
    pub(super) seen_origins: SeenOrigins,
    /// Whether it is remembered of each capture which agents it shuts out, for hosts to be counted
    /// in the end.
    pub(super) has_marks: bool,
    pub(super) progress: &'r Progress,
}

/// The scratch of one thread.
pub(super) struct Worker<'r> {
    shared: &'r Shared<'r>,
    /// Whether it works alone, so that nobody waits for an archive that it holds.
    is_alone: bool,
    buffers: Buffers,
    stretch: Stretch,
    rows: Rows<'r>,
}

impl<'r> Worker<'r> {
    pub(super) fn new(shared: &'r Shared<'r>, is_alone: bool) -> Self {
        Self {
            shared,
            is_alone,
            buffers: Buffers::new(shared.config),
            stretch: Stretch::default(),
            rows: Rows::new(shared),
        }
    }

    /// Works until no work is left.
    pub(super) fn work(
        &mut self,
        queue: &Queue<'r>,
        assembler: &Assembler<'_>,
    ) -> Result<(), Stop> {
        while let Some(work) = queue.take() {
            match work {
                Work::Task(queued) => self.do_task(queued, assembler)?,
                Work::Stretch(queued, archive) => self.do_stretch(queued, archive, assembler)?,
            }
        }
        Ok(())
    }

    /// Reads the archives of a task.
    fn do_task(&mut self, queued: &Queued<'r>, assembler: &Assembler<'_>) -> Result<(), Stop> {
        let Self {
            shared,
            buffers,
            rows,
            ..
        } = self;
        let turn = Turn {
            task: queued.number,
            stretch: 0,
        };
        let mut finished = Vec::new();
        rows.begin(&queued.task, 0);
        for index in queued.task.archives.clone() {
            let source = &shared.archives[index];
            let mut archive = OpenArchive::open(index, source, shared.progress, buffers);
            archive.read(buffers, |item| {
                rows.take(&source.name, item, |delivery| {
                    assembler.deliver(turn, delivery, End::None)
                })?;
                Ok(true)
            })?;
            finished.push(rows.end_archive(archive));
        }
        assembler.deliver(turn, rows.hand_over(finished)?, End::Task)
    }

    /// Reads the next stretch of a large archive.
    fn do_stretch(
        &mut self,
        queued: &Queued<'r>,
        mut guard: MutexGuard<'_, SharedArchive<'r>>,
        assembler: &Assembler<'_>,
    ) -> Result<(), Stop> {
        let Self {
            shared,
            stretch,
            rows,
            ..
        } = self;
        let index = queued.task.archives.start;
        let source = &shared.archives[index];
        let turn = Turn {
            task: queued.number,
            stretch: guard.n_stretches,
        };
        guard.n_stretches += 1;
        rows.begin(&queued.task, turn.stretch);
        let mut append = |item: Item<'_>| {
            rows.take(&source.name, item, |delivery| {
                assembler.deliver(turn, delivery, End::None)
            })
        };
        let (archive, buffers) = guard.open.get_or_insert_with(|| {
            let mut buffers = Buffers::new(shared.config);
            let archive = OpenArchive::open(index, source, shared.progress, &mut buffers);
            (archive, buffers)
        });
        let mut fill = Fill::default();
        let goes_on = archive.read(buffers, |item| {
            let takes_more = fill.add(&item);
            match self.is_alone {
                true => append(item)?,
                false => stretch.keep(item),
            }
            Ok(takes_more)
        })?;
        let ended = match goes_on {
            true => None,
            false => {
                queued.end();
                guard.open.take()
            }
        };
        drop(guard);
        stretch.hand_out(source, append)?;
        let (finished, end) = match ended {
            Some((archive, _)) => (vec![rows.end_archive(archive)], End::Task),
            None => (Vec::new(), End::Stretch),
        };
        assembler.deliver(turn, rows.hand_over(finished)?, end)
    }
}
