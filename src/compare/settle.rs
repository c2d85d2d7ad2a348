//! The second pass: files that flip are explained, after external parsers were asked again, and the
//! reference.

use std::{collections::BTreeMap, num::NonZeroUsize, time::Instant};

use rayon::{ThreadPool, prelude::*};

use super::{
    collect::{Asked, Faults},
    decider::Decider,
    explain::{Explainer, Explanation},
    external::{ParserFault, ParserFaultKind},
    found::Direction,
    output::Output,
    query::{CellAnswer, FileQueries},
    record::{Flip, FlippingFile, FlippingFiles},
    reduce::Example,
    shape::kinds_of_flips,
    side::{REFERENCE, Side},
};
use crate::{archive::error::Error, dataset::run::Progress, robots::dialect::Verdict};

/// Files that are explained at a time, and those of them where time is limited: no parser is asked
/// about fewer.
const BATCH: u32 = 512;
const BATCH_IN_TIME: u32 = 16;
/// Kinds of unexplained flips that are told apart; the others are of one kind.
const MAX_KINDS: usize = 4096;

/// The flips that are certain, explained, and the best example of each explanation.
pub(super) struct Settled {
    pub files: FlippingFiles,
    pub examples: BTreeMap<Group, FlipExample>,
    /// Flips on which the fitted dialect does not give the candidate's verdict.
    pub not_reproduced: u64,
}

/// Flips that may have one cause: those with one explanation, or unexplained ones of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Group {
    /// Each direction has an example of its own.
    Explained(Explanation, Option<Direction>),
    Unexplained(u64),
}

impl Group {
    pub(super) fn from_flip(flip: &Flip) -> Group {
        if flip.explanation.is_none() {
            Group::Unexplained(flip.rough)
        } else {
            Group::Explained(flip.explanation, flip.direction())
        }
    }
}

/// A flip with its file.
#[derive(Clone, Debug)]
pub(super) struct FlipExample {
    pub example: Example,
    pub flip: Flip,
    /// The flips of the group: queries, not captures.
    pub n_flips: u64,
}

/// Explains all files that flip, and counts what was not asked again or is unstable. Of the sides
/// the third one, if there is one, is the reference. External parsers are asked until each has
/// answered `repeat` times, but not from the time `until` on.
pub(super) fn settle(
    asked: &mut Asked,
    (repeat, until): (NonZeroUsize, Option<Instant>),
    explainer: &Explainer,
    sides: &mut [Side],
    pool: &ThreadPool,
    progress: &Progress,
    output: &mut Output,
) -> Result<Settled, Error> {
    let Asked {
        files,
        faults,
        totals,
        ..
    } = asked;
    let mut settled = Settled {
        files: FlippingFiles::new(output.dataset.spill("explained")?),
        examples: BTreeMap::new(),
        not_reproduced: 0,
    };
    // Else the changes make the candidate itself.
    let is_fitted = sides[1].dialect().is_none();
    let n_files = files.len() as u32;
    let n_at_a_time = until.map_or(BATCH, |_| BATCH_IN_TIME);
    progress.begin_step("files explained", n_files.into());
    for first in (0..n_files).step_by(n_at_a_time as usize) {
        progress.check()?;
        let mut batch = files.read_all(first..n_files.min(first + n_at_a_time))?;
        let is_over = until.is_some_and(|until| Instant::now() >= until);
        if is_over && sides.iter().any(|side| side.dialect().is_none()) {
            totals.not_asked_again += batch.len() as u64;
        }
        for (number, side) in sides.iter_mut().enumerate() {
            // The others have answered once, and a dialect answers the same again.
            let n_before = usize::from(number != REFERENCE);
            let n_times = match side.external() {
                Some(_) if is_over => 0,
                Some(_) => repeat.get(),
                None => 1,
            };
            for _ in n_before..n_times {
                totals.unstable += ask_again(&mut batch, number, side, progress, faults, output)?;
            }
        }
        let explain = |decider: &mut Decider, file: &mut FlippingFile| {
            explain_file(explainer, is_fitted, decider, file)
        };
        settled.not_reproduced += pool.install(|| -> u64 {
            let files = batch.par_iter_mut();
            files.map_init(Decider::default, explain).sum()
        });
        for file in batch {
            settled.add(file)?;
        }
        progress.set_done(settled.files.len() as u64);
    }
    Ok(settled)
}

/// Asks a side once more about all flips, or the reference for the first time. What has changed is
/// no answer, nor is any about a file at which the side fails; a flip to which baseline or
/// candidate has no answer is removed. Returns how many are removed since an answer has changed.
fn ask_again(
    batch: &mut [FlippingFile],
    number: usize,
    side: &mut Side,
    progress: &Progress,
    faults: &mut Faults,
    output: &mut Output,
) -> Result<u64, Error> {
    let mut unstable = 0;
    let with_flips = batch.iter_mut().filter(|file| !file.flips.is_empty());
    let mut with_flips: Vec<&mut FlippingFile> = with_flips.collect();
    // The protocol has one token for a crawler; where both sides are dialects, there may be more.
    let is_parser = side.external().is_some();
    let is_asked = |(agent, _): (&str, &str)| !(is_parser && agent.contains(','));
    let to_ask = with_flips.iter().map(|file| {
        let asked = (0..file.flips.len()).filter(|&index| is_asked(file.queries.get(index)));
        FileQueries {
            body: file.body.as_slice().into(),
            queries: file.queries.subset(asked),
        }
    });
    let to_ask: Vec<FileQueries> = to_ask.collect();
    let replies = side.ask(&to_ask);
    progress.check()?;
    for (file, reply) in with_flips.iter_mut().zip(replies) {
        let mut again = reply.result.iter().flatten().copied();
        let mut n_changed = 0;
        for (query, flip) in file.queries.iter().zip(&mut file.flips) {
            let again = is_asked(query).then(|| again.next()).flatten();
            let again = again.unwrap_or_default();
            let first = match flip.answers.get_mut(number) {
                Some(first) => first,
                None => flip.reference.get_or_insert(again),
            };
            if first.verdict.is_some() && first.verdict != again.verdict {
                *first = CellAnswer::default();
                n_changed += 1;
            }
        }
        let before = file.flips.len();
        if n_changed > 0 {
            file.retain(|flip| flip.direction().is_some());
        }
        let fault = match reply.result {
            Err(fault) => fault,
            Ok(_) if n_changed == 0 => continue,
            Ok(_) => {
                unstable += (before - file.flips.len()) as u64;
                let message = format!(
                    "expected the same {before} verdicts when asked again, but {n_changed} of them changed"
                );
                ParserFault::new(ParserFaultKind::UnstableAnswer, message)
            }
        };
        faults.take(output, number, &fault, reply.elapsed, Some(&file.key))?;
    }
    Ok(unstable)
}

/// Explains the flips of a file; returns how many of them the fitted dialect does not reproduce.
fn explain_file(
    explainer: &Explainer,
    is_fitted: bool,
    decider: &mut Decider,
    file: &mut FlippingFile,
) -> u64 {
    if file.flips.is_empty() {
        return 0;
    }
    let queries = &file.queries;
    let verdicts = |side: usize| -> Vec<Verdict> {
        let flips = file.flips.iter();
        flips
            .filter_map(|flip| flip.answers[side].verdict)
            .collect()
    };
    let (baseline, candidate) = (verdicts(0), verdicts(1));
    let verdicts = [&baseline[..], &candidate];
    let explanations = explainer.explain(decider, &file.body, queries, verdicts, &file.agreed);
    let mut not_reproduced = 0;
    if is_fitted {
        let fitted = decider.verdicts(&explainer.fitted, &file.body, queries);
        let pairs = fitted.iter().zip(&candidate);
        not_reproduced = pairs.filter(|(ours, theirs)| ours != theirs).count() as u64;
    }
    for (flip, explanation) in file.flips.iter_mut().zip(explanations) {
        flip.explanation = explanation;
    }
    let is_unexplained = |&index: &usize| file.flips[index].explanation.is_none();
    let unexplained: Vec<usize> = (0..file.flips.len()).filter(is_unexplained).collect();
    let readers = [&explainer.base, &explainer.fitted];
    let kinds = kinds_of_flips(decider, file, readers, &unexplained);
    for (index, kind) in unexplained.into_iter().zip(kinds) {
        file.flips[index].rough = kind;
    }
    not_reproduced
}

impl Settled {
    fn add(&mut self, mut file: FlippingFile) -> Result<(), Error> {
        for (index, flip) in file.flips.iter_mut().enumerate() {
            let is_known = self.examples.contains_key(&Group::from_flip(flip));
            if !is_known && flip.explanation.is_none() && self.examples.len() >= MAX_KINDS {
                flip.rough = 0;
            }
            let known = self.examples.entry(Group::from_flip(flip));
            let known = known.or_insert_with(|| FlipExample {
                example: Example::default(),
                flip: *flip,
                n_flips: 0,
            });
            known.n_flips += 1;
            // The smallest file is read and reduced fastest; of equal ones the first.
            if known.n_flips == 1 || file.body.len() < known.example.body.len() {
                let (agent, url) = file.queries.get(index);
                known.example = Example {
                    body: file.body.clone(),
                    agent: agent.to_owned(),
                    url: url.to_owned(),
                };
                known.flip = *flip;
            }
        }
        // Examples have their bodies, and nothing that follows needs the others.
        file.body.clear();
        self.files.push(&file)
    }
}
