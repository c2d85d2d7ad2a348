//! The first pass: every distinct body is asked about once.
//!
//! One thread reads archives or a dataset, one derives queries and asks dialects with the help of a
//! pool, and one for each external parser hands requests and answers over; the caller collects.

use std::{
    collections::HashSet,
    sync::mpsc::{Receiver, sync_channel},
    thread,
    time::Instant,
};

use rayon::ThreadPool;

use super::{
    collect::Asked,
    config::CompareConfig,
    external::Reply,
    input::CompareInput,
    output::Output,
    prepare::Pass,
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
        // Dropped with an error, so that the threads behind it end.
        let to_collect = to_collect;
        let reading = scope.spawn(move || reader.read(&readers, input, progress, &chunks));
        let mut senders = Vec::new();
        let mut receivers: [Option<Receiver<Vec<Reply>>>; 2] = [None, None];
        for (receiver, side) in receivers.iter_mut().zip(sides.iter_mut()) {
            if let Some(side) = side.external() {
                let (files, to_ask) = sync_channel(AHEAD);
                let (answered, answers) = sync_channel(AHEAD);
                senders.push(files);
                *receiver = Some(answers);
                scope.spawn(move || side.answer_all(to_ask, &answered));
            }
        }
        let pass = &pass;
        scope.spawn(move || {
            while let Ok(chunk) = to_prepare.recv() {
                let chunk = pool.install(|| pass.prepare(chunk));
                for files in &senders {
                    let to_ask = chunk.files.iter().map(|file| file.asked.clone());
                    // A receiver is gone only if the comparison ends early.
                    let _ = files.send(to_ask.collect());
                }
                if prepared.send(chunk).is_err() {
                    break;
                }
            }
        });
        while let Ok(chunk) = to_collect.recv() {
            let external = receivers
                .each_ref()
                .map(|receiver| receiver.as_ref()?.recv().ok());
            asked.take(pass, output, &mut waiting, chunk, external)?;
            progress.set_done(asked.n_asked);
        }
        drop(to_collect);
        reading
            .join()
            .map_err(|_| Error::usage("the thread that reads the archives has panicked"))?
    })?;
    progress.check()?;
    asked.finish(config, waiting, damaged, share)?;
    for (index, side) in sides.iter_mut().enumerate() {
        if let Some(side) = side.external() {
            let late = std::mem::take(&mut side.late);
            let dropped = asked.take_late(output, index, &late)?;
            asked.files.dropped.extend(dropped);
        }
    }
    Ok(asked)
}
