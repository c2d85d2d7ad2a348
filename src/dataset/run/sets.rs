//! Distinct vectors of answers: collected by workers, written once in each part.
//!
//! A worker gives every capture the identifier of its vector, and hands over the vectors that its
//! task has not had yet. The assembler, which takes tasks in their order, writes those that the
//! part has not had yet. So what is written, and in which order, depends on the plan alone.

use std::{collections::HashSet, mem, sync::Arc};

use super::{
    chunk,
    config::Config,
    tables::{BATCH_ROWS, HAND_OVER_BYTES},
};
use crate::{
    archive::error::Error,
    dataset::{
        evaluation::Evaluation,
        sink::{Encoder, Format, RowGroup},
        table::{Columns, TableBuilder, verdict_sets::VerdictSetsBuilder},
    },
    digest::{Sha1Digest, sha1},
    robots::matrix::{Answers, Matrix, evaluate::Cells},
};

/// Identifiers that a worker remembers, about 18 MB of them. Then it forgets them, and its task
/// continues as if it were another part, so that an archive of any size takes no more memory.
const MAX_REMEMBERED: usize = 1 << 20;

/// Chunks of a task whose vectors are shared by the whole part; together they have no more captures
/// than one worker may remember.
const SHARED_CHUNKS: usize = MAX_REMEMBERED / chunk::MAX_CAPTURES;

/// Added to the digests that identifiers of large vectors are cut from, so that none is that of a
/// small one.
const LARGE: &str = "large\n";

/// Returns an origin that has URLs of its own, and an empty text for all others, whose captures are
/// asked the same.
fn own_origin<'o>(matrix: &Matrix, origin: &'o str) -> &'o str {
    match matrix.urls.of_origin(origin).next() {
        Some(_) => origin,
        None => "",
    }
}

/// A vector of answers that a task has not had before.
pub(super) struct NewSet {
    id: i64,
    /// Whether other tasks of the part may have it too.
    is_shared: bool,
    /// Empty if no absolute URL is asked.
    origin: Box<str>,
    /// By dialect.
    answers: Vec<Answers>,
}

/// Collects the distinct vectors of a worker's task.
pub(super) struct SetCollector {
    max_remembered: usize,
    /// The part's name, which keeps its identifiers apart from those of other parts.
    part: String,
    /// The number of the task in its part.
    task: u64,
    /// 0 while identifiers are shared by the whole part; else a number of the task's own.
    generation: u64,
    /// The number of the chunk in its task.
    chunk: u64,
    /// Counts the changes of part, task and generation: evaluations remember identifiers, which
    /// hold for one epoch only.
    epoch: u64,
    seen: HashSet<i64>,
    new: Vec<NewSet>,
    new_bytes: usize,
    text: Vec<u8>,
}

impl Default for SetCollector {
    fn default() -> Self {
        Self {
            max_remembered: MAX_REMEMBERED,
            part: String::new(),
            task: 0,
            generation: 0,
            chunk: 0,
            epoch: 0,
            seen: HashSet::new(),
            new: Vec::new(),
            new_bytes: 0,
            text: Vec::new(),
        }
    }
}

impl SetCollector {
    /// Begins a chunk, by its number in the task and the number of the task in the part.
    pub(super) fn begin(&mut self, part: &str, task: usize, chunk: usize) {
        part.clone_into(&mut self.part);
        self.task = task as u64;
        self.generation = chunk.saturating_sub(SHARED_CHUNKS - 1) as u64;
        self.chunk = chunk as u64;
        self.seen.clear();
        self.epoch += 1;
    }

    /// Returns the identifier of a vector of answers of a large matrix, and whether the caller has
    /// to write it: every chunk writes its own vectors. A vector is identified by the file and the
    /// fetch that it follows from, because comparing its answers would take too long.
    pub(super) fn id_of_large(
        &mut self,
        matrix: &Matrix,
        origin: &str,
        file: &Sha1Digest,
    ) -> (i64, bool) {
        if self.seen.len() >= self.max_remembered {
            self.seen.clear();
            self.generation += 1;
        }
        let id = self.id(
            LARGE,
            [self.task, self.chunk, self.generation],
            matrix,
            origin,
            file,
        );
        (id, self.seen.insert(id))
    }

    /// Returns the identifier of a capture's vector of answers about the URLs that `matrix` has for
    /// `origin`.
    ///
    /// It is cut from a SHA-1: of n vectors of a part two share one by chance once in 2^64 / n^2
    /// parts, and no file can be crafted to get that of another.
    pub(super) fn id_of(&mut self, matrix: &Matrix, origin: &str, evaluation: &Evaluation) -> i64 {
        if self.seen.len() >= self.max_remembered {
            self.seen.clear();
            self.generation += 1;
            self.epoch += 1;
        }
        if let Some((epoch, id)) = evaluation.set_id.get()
            && epoch == self.epoch
        {
            return id;
        }
        // In generation 0 equal vectors of all tasks have one identifier, and the assembler drops
        // repetitions. It could not hold the identifiers of all later ones, so those differ by
        // task.
        let task = if self.generation == 0 { 0 } else { self.task };
        let numbers = [task, self.generation];
        let id = self.id("", numbers, matrix, origin, &evaluation.answers_digest);
        if self.seen.insert(id) {
            self.push(id, own_origin(matrix, origin), &evaluation.cells);
        }
        evaluation.set_id.set(Some((self.epoch, id)));
        id
    }

    fn id<const N: usize>(
        &mut self,
        kind: &str,
        numbers: [u64; N],
        matrix: &Matrix,
        origin: &str,
        digest: &Sha1Digest,
    ) -> i64 {
        self.text.clear();
        self.text.extend_from_slice(kind.as_bytes());
        self.text
            .extend(numbers.map(u64::to_le_bytes).as_flattened());
        for word in [&self.part, own_origin(matrix, origin)] {
            self.text.extend_from_slice(word.as_bytes());
            self.text.push(b'\n');
        }
        self.text.extend_from_slice(digest);
        let digest = sha1(&self.text);
        let first = u64::from_be_bytes(digest[..8].try_into().expect("a SHA-1 has 20 bytes"));
        i64::try_from(first >> 1).expect("63 bits fit")
    }

    fn push(&mut self, id: i64, origin: &str, cells: &[Cells]) {
        let set = NewSet {
            id,
            is_shared: self.generation == 0,
            origin: origin.into(),
            answers: cells.iter().map(|cells| cells.answers().clone()).collect(),
        };
        let answers: usize = set.answers.iter().map(Answers::memory_size).sum();
        self.new_bytes += size_of::<NewSet>() + origin.len() + answers;
        self.new.push(set);
    }

    /// Returns about how many bytes of memory the collected vectors take.
    pub(super) fn memory_size(&self) -> usize {
        self.new_bytes
    }

    /// Returns the vectors that are new since the last call, in the order of their captures.
    pub(super) fn take(&mut self) -> Vec<NewSet> {
        self.new_bytes = 0;
        mem::take(&mut self.new)
    }
}

/// Writes the vectors of one part after another.
pub(super) struct SetWriter<'r> {
    matrix: &'r Matrix,
    /// Identifiers of the open part that several tasks may have: 18 bytes each, and of every task
    /// at most [`MAX_REMEMBERED`].
    written: HashSet<i64>,
    rows: VerdictSetsBuilder,
    encoder: Encoder,
}

impl<'r> SetWriter<'r> {
    pub(super) fn new(config: &'r Config, format: Arc<Format>) -> Self {
        Self {
            matrix: &config.matrix,
            written: HashSet::new(),
            rows: VerdictSetsBuilder::new(&config.matrix, &config.dialect_names()),
            encoder: Encoder::new(format),
        }
    }

    /// Takes the vectors of a task, and returns row groups for the open part once they are large.
    pub(super) fn write(&mut self, sets: Vec<NewSet>) -> Result<Vec<RowGroup>, Error> {
        for set in sets {
            // An earlier task of the part may have handed over the same vector.
            if set.is_shared && !self.written.insert(set.id) {
                continue;
            }
            for (dialect, answers) in set.answers.iter().enumerate() {
                for block in answers.blocks() {
                    let asked = (self.matrix, &*set.origin);
                    self.rows.append(set.id, dialect, asked, block);
                }
            }
            if self.rows.n_rows() >= BATCH_ROWS {
                self.encoder.write(self.rows.finish())?;
            }
        }
        if self.encoder.memory_size() > HAND_OVER_BYTES {
            return self.encoder.finish();
        }
        Ok(Vec::new())
    }

    /// Ends the part and returns its last row groups.
    pub(super) fn finish(&mut self) -> Result<Vec<RowGroup>, Error> {
        self.written.clear();
        self.encoder.write(self.rows.finish())?;
        self.encoder.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots::{dialect::Access, matrix::evaluate::Evaluator};

    /// Collects the vectors of these captures as a task of the part `part`.
    fn collect(task: usize, max_remembered: usize, captures: &[Access]) -> (Vec<i64>, Vec<NewSet>) {
        let config = Config::new("");
        let evaluator = Evaluator::new(config.dialects[0].clone(), &config.matrix);
        let mut collector = SetCollector {
            max_remembered,
            ..SetCollector::default()
        };
        collector.begin("part", task, 0);
        let ids = captures.iter().map(|&access| {
            let mut cells = Cells::default();
            evaluator.answer_all(access, 0, &mut cells);
            let evaluation = Evaluation {
                answers_digest: sha1(access.as_str().as_bytes()),
                cells: vec![cells],
                ..Evaluation::default()
            };
            collector.id_of(&config.matrix, "https://a.example:443", &evaluation)
        });
        (ids.collect(), collector.take())
    }

    const CAPTURES: [Access; 4] = [
        Access::FullAllow,
        Access::FullDisallow,
        Access::FullAllow,
        Access::Redirect,
    ];

    #[test]
    fn equal_answers_have_one_identifier_and_are_handed_over_once() {
        let (ids, new) = collect(0, 10, &CAPTURES);
        assert_eq!(ids[0], ids[2]);
        let handed: Vec<_> = new.iter().map(|set| (set.id, set.is_shared)).collect();
        assert_eq!(handed, [(ids[0], true), (ids[1], true), (ids[3], true)]);
        assert_eq!(
            ids,
            collect(1, 10, &CAPTURES).0,
            "tasks of a part share them"
        );
    }

    #[test]
    fn a_task_that_remembers_enough_continues_under_identifiers_of_its_own() {
        let (ids, new) = collect(0, 2, &CAPTURES);
        let handed: Vec<_> = new.iter().map(|set| (set.id, set.is_shared)).collect();
        let wanted = [
            (ids[0], true),
            (ids[1], true),
            (ids[2], false),
            (ids[3], false),
        ];
        assert_eq!(handed, wanted);
        assert_ne!(ids[0], ids[2]);
        let (other_ids, _) = collect(1, 2, &CAPTURES);
        assert_eq!(ids[..2], other_ids[..2]);
        assert!(ids[2..].iter().all(|id| !other_ids.contains(id)));
    }
}
