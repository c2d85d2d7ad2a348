//! The first pass: every distinct body is asked about once.
//!
//! One thread reads archives or a dataset, and one derives queries and asks dialects with the help
//! of a pool; the caller asks external parsers and collects.

use std::{collections::HashSet, sync::mpsc::sync_channel, thread, time::Instant};

use rayon::ThreadPool;

use super::{
    collect::Asked,
    config::CompareConfig,
    input::CompareInput,
    output::Output,
    prepare::{Pass, PreparedChunk},
    read::{ChunkReader, DeferredFiles},
    record::Records,
    side::{Side, SideConfig},
};
use crate::{archive::error::Error, dataset::run::Progress, robots::dialect::Dialect};

/// Chunks between two stages.
const AHEAD: usize = 1;

/// Asks both sides about all files.
///
/// It is long because all stages and their channels stand together: which end is dropped when
/// decides whether the threads end.
pub(super) fn ask(
    config: &CompareConfig,
    input: CompareInput<'_>,
    progress: &Progress,
    only: Option<HashSet<[u8; 32]>>,
    sides: &mut [Side; 2],
    pool: &ThreadPool,
    output: &mut Output,
) -> Result<Asked, Error> {
    let dialects = [0, 1].map(|side: usize| sides[side].dialect().cloned());
    let pass = Pass::new(config, dialects);
    let mut readers: Vec<&Dialect> = pass.dialects.iter().flatten().collect();
    if readers.is_empty() {
        readers.push(&Dialect::GOOGLE);
    }
    let mut deferred = None;
    if let Some(budget) = config.budget {
        // Whatever flips is asked about again, also of a reference that is a parser, which takes as
        // long for each time if all flip.
        let is_parser = matches!(config.reference, Some(SideConfig::External(_)));
        let n_times = config.repeat.get().max(2) * (1 + usize::from(is_parser));
        let until = Instant::now().checked_add(budget.time.div_f64(n_times as f64));
        let spill = output.dataset.spill("put-off")?;
        deferred = Some(DeferredFiles::new(until, budget.seed, spill));
    }
    let reader = ChunkReader::new(config, only, deferred);
    let mut asked = Asked::new(config, output)?;
    let mut waiting = Records::new(output.dataset.spill("waiting")?);
    let (chunks, to_prepare) = sync_channel(AHEAD);
    let (prepared, to_collect) = sync_channel(AHEAD);
    let (damaged, share) = thread::scope(|scope| -> Result<_, Error> {
        let reading = scope.spawn(move || reader.read(&readers, input, progress, &chunks));
        let pass = &pass;
        scope.spawn(move || {
            for chunk in to_prepare {
                if prepared.send(pool.install(|| pass.prepare(chunk))).is_err() {
                    break;
                }
            }
        });
        let has_external = pass.dialects.iter().any(Option::is_none);
        let mut sent: Option<PreparedChunk> = None;
        // The receiver is dropped with an error, so that the threads behind it end.
        for next in to_collect.into_iter().map(Some).chain([None]) {
            if let Some(chunk) = &next {
                for pool in sides.iter_mut().filter_map(Side::external) {
                    pool.send(chunk.files.iter().map(|file| file.asked.clone()));
                }
            }
            // Answers about a chunk are awaited only once the next one is asked about, so that no
            // process is idle between two. Dialects have answered already.
            let answered = if has_external {
                std::mem::replace(&mut sent, next)
            } else {
                next
            };
            if let Some(chunk) = answered {
                let n = chunk.files.len();
                let external = sides
                    .each_mut()
                    .map(|side| Some(side.external()?.receive(n)));
                asked.take(pass, output, &mut waiting, chunk, external)?;
                progress.set_done(asked.n_asked);
            }
        }
        reading
            .join()
            .map_err(|_| Error::usage("the thread that reads the archives has panicked"))?
    })?;
    progress.check()?;
    asked.finish(config, waiting, damaged, share)?;
    for (index, side) in sides.iter_mut().enumerate() {
        if let Some(pool) = side.external() {
            let late = pool.late_faults();
            let dropped = asked.take_late(output, index, &late)?;
            asked.files.dropped.extend(dropped);
        }
    }
    Ok(asked)
}
