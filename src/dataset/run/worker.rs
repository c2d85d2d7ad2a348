//! One worker: takes work until none is left, and hands the rows to the assembler.

use std::sync::MutexGuard;

use super::{
    archive::{Buffers, OpenArchive},
    assemble::{Assembler, WorkEnd},
    chunk::{ArchiveChunk, ChunkSize},
    queue::{Queue, QueuedTask, SharedArchive, Work},
    rows::Rows,
    shared::Shared,
};
use crate::archive::error::Error;

/// The state of one thread.
pub(super) struct Worker<'a, 'r> {
    shared: &'r Shared<'r>,
    /// Whether it is the only worker, so that no other waits for an archive that it holds.
    is_alone: bool,
    buffers: Buffers,
    chunk: ArchiveChunk,
    rows: Rows<'a, 'r>,
}

impl<'a, 'r> Worker<'a, 'r> {
    pub(super) fn new(
        shared: &'r Shared<'r>,
        assembler: &'a Assembler<'r>,
        is_alone: bool,
    ) -> Self {
        Self {
            shared,
            is_alone,
            buffers: Buffers::new(shared.job.config),
            chunk: ArchiveChunk::default(),
            rows: Rows::new(shared, assembler),
        }
    }

    /// Works until no work is left.
    pub(super) fn work(&mut self, queue: &Queue<'r>) -> Result<(), Error> {
        while let Some(work) = queue.take() {
            match work {
                Work::Task(queued) => self.process_task(queued)?,
                Work::Chunk(queued, archive) => self.process_chunk(queued, archive)?,
            }
        }
        Ok(())
    }

    /// Processes the archives of a task.
    fn process_task(&mut self, queued: &QueuedTask<'r>) -> Result<(), Error> {
        let mut finished = Vec::new();
        self.rows.begin(queued, 0);
        for index in queued.archives.clone() {
            let mut archive = open(self.shared, index, &mut self.buffers);
            let source = archive.source;
            archive.read(&mut self.buffers, |item| {
                self.rows.append(source, item)?;
                Ok(true)
            })?;
            finished.push(self.rows.end_archive(archive));
        }
        self.rows.end(finished, WorkEnd::Task)
    }

    /// Processes the next chunk of a large archive.
    fn process_chunk(
        &mut self,
        queued: &QueuedTask<'r>,
        mut guard: MutexGuard<'_, SharedArchive<'r>>,
    ) -> Result<(), Error> {
        let index = queued.archives.start;
        let source = &self.shared.job.archives[index];
        self.rows.begin(queued, guard.n_chunks);
        guard.n_chunks += 1;
        let (archive, buffers) = guard.open.get_or_insert_with(|| {
            let mut buffers = Buffers::new(self.shared.job.config);
            (open(self.shared, index, &mut buffers), buffers)
        });
        let mut size = ChunkSize::default();
        let has_more = archive.read(buffers, |item| {
            let takes_more = size.add(&item);
            // A copy only pays where another worker could read on meanwhile.
            if self.is_alone {
                self.rows.append(source, item)?;
            } else {
                self.chunk.push(item);
            }
            Ok(takes_more)
        })?;
        guard.has_ended = !has_more;
        let ended = guard.open.take_if(|_| !has_more);
        // From here on another worker may read the next chunk.
        drop(guard);
        self.chunk.drain(|item| self.rows.append(source, item))?;
        let (finished, end) = match ended {
            Some((archive, _)) => (vec![self.rows.end_archive(archive)], WorkEnd::Task),
            None => (Vec::new(), WorkEnd::Chunk),
        };
        self.rows.end(finished, end)
    }
}

/// Opens an archive by its number.
fn open<'r>(shared: &Shared<'r>, index: usize, buffers: &mut Buffers) -> OpenArchive<'r> {
    let Shared { job, downloads, .. } = shared;
    let source = &job.archives[index];
    OpenArchive::open(index, source, downloads, job.progress, buffers)
}
