//! Distinct vectors of answers, and of policies: collected by workers, written once in each part.
//!
//! A worker gives every capture the identifiers of its vectors, and hands over those that its task
//! has not had yet. The assembler, which takes tasks in their order, writes those that the
//! part has not had yet. So what is written, and in which order, depends on the plan alone.

use std::{collections::HashSet, mem, sync::Arc};

use super::{
    chunk,
    config::Config,
    tables::{BATCH_ROWS, HAND_OVER_BYTES, table_rows},
};
use crate::{
    archive::error::Error,
    dataset::{
        evaluation::{AgentPolicies, Evaluation},
        sink::{Format, PartWriter},
        table::{TableBuilder, policy_sets::PolicySetsBuilder, verdict_sets::VerdictSetsBuilder},
        table_rows::TableRows,
    },
    digest::{Sha1Digest, sha1},
    robots::matrix::{Answers, Matrix},
};

/// Identifiers that a worker remembers, about 18 MB of them. Then it forgets them, and its task
/// continues as if it were another part, so that an archive of any size takes no more memory.
pub(super) const MAX_REMEMBERED: usize = 1 << 20;

/// Chunks of a task whose vectors are shared by the whole part; together they have no more captures
/// than one worker may remember.
const SHARED_CHUNKS: usize = MAX_REMEMBERED / chunk::MAX_ITEMS;

/// The kind of the vectors of large matrices.
const LARGE: &str = "large";

/// Returns an origin that has URLs of its own, and an empty text for all others, whose captures are
/// asked the same.
fn own_origin<'o>(matrix: &Matrix, origin: &'o str) -> &'o str {
    match matrix.urls.of_origin(origin).next() {
        Some(_) => origin,
        None => "",
    }
}

/// A vector that a task has not had before.
pub(super) struct NewSet<V> {
    id: i64,
    /// Whether other tasks of the part may have it too.
    is_shared: bool,
    vector: V,
}

/// A vector of answers.
struct AnswerVector {
    /// Empty if no absolute URL is asked.
    origin: Box<str>,
    /// By dialect.
    answers: Vec<Answers>,
}

/// The vectors that a task has not had before, in the order of their captures.
#[derive(Default)]
pub(super) struct NewSets {
    verdicts: Vec<NewSet<AnswerVector>>,
    /// By dialect.
    policies: Vec<NewSet<Vec<AgentPolicies>>>,
}

/// Collects the distinct vectors of a worker's task.
#[derive(Default)]
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
    seen: HashSet<i64>,
    new: NewSets,
    /// About how many bytes of memory the new vectors take.
    pub(super) new_bytes: usize,
    text: Vec<u8>,
}

impl SetCollector {
    pub(super) fn new(max_remembered: usize) -> Self {
        Self {
            max_remembered,
            ..Self::default()
        }
    }

    /// Begins a chunk, by its number in the task and the number of the task in the part.
    pub(super) fn begin(&mut self, part: &str, task: usize, chunk: usize) {
        part.clone_into(&mut self.part);
        self.task = task as u64;
        self.generation = chunk.saturating_sub(SHARED_CHUNKS - 1) as u64;
        self.chunk = chunk as u64;
        self.seen.clear();
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
        self.id(LARGE, own_origin(matrix, origin), file)
    }

    /// Returns the identifier of a capture's vector of answers about the URLs that `matrix` has for
    /// `origin`.
    ///
    /// It is cut from a SHA-1: of n vectors of a part two share one by chance once in 2^64 / n^2
    /// parts, and no file can be crafted to get that of another.
    pub(super) fn id_of_answers(
        &mut self,
        matrix: &Matrix,
        origin: &str,
        evaluation: &Evaluation,
    ) -> i64 {
        let origin = own_origin(matrix, origin);
        let (id, is_new) = self.id("answers", origin, &evaluation.answers_digest);
        if is_new {
            let answers: Vec<_> = evaluation.answers().cloned().collect();
            let bytes: usize = answers.iter().map(Answers::memory_size).sum();
            self.new_bytes += size_of::<NewSet<AnswerVector>>() + origin.len() + bytes;
            self.new.verdicts.push(NewSet {
                id,
                is_shared: self.generation == 0,
                vector: AnswerVector {
                    origin: origin.into(),
                    answers,
                },
            });
        }
        id
    }

    /// Returns the identifier of a capture's vector of policies, made like that of its answers.
    pub(super) fn id_of_policies(&mut self, evaluation: &Evaluation) -> i64 {
        let (id, is_new) = self.id("policies", "", &evaluation.policies_digest);
        if is_new {
            let set = NewSet {
                id,
                is_shared: self.generation == 0,
                vector: evaluation.policies.clone(),
            };
            self.new_bytes += set.memory_size();
            self.new.policies.push(set);
        }
        id
    }

    /// Returns the identifier of a vector, and whether the task has not had it before.
    fn id(&mut self, kind: &str, origin: &str, digest: &Sha1Digest) -> (i64, bool) {
        if self.seen.len() >= self.max_remembered {
            self.seen.clear();
            self.generation += 1;
        }
        // What keeps identifiers apart from others of the part. In generation 0 equal vectors of
        // all tasks have one identifier, and the assembler drops repetitions. It could not hold
        // the identifiers of all later ones, so those differ by task.
        let numbers = match (kind, self.generation) {
            (LARGE, generation) => &[self.task, self.chunk, generation][..],
            (_, 0) => &[0, 0],
            (_, generation) => &[self.task, generation],
        };
        self.text.clear();
        for number in numbers {
            self.text.extend(number.to_le_bytes());
        }
        for word in [kind, &self.part, origin] {
            self.text.extend_from_slice(word.as_bytes());
            self.text.push(b'\n');
        }
        self.text.extend_from_slice(digest);
        let digest = sha1(&self.text);
        let first = u64::from_be_bytes(digest[..8].try_into().expect("a SHA-1 has 20 bytes"));
        let id = i64::try_from(first >> 1).expect("63 bits fit");
        (id, self.seen.insert(id))
    }

    /// Returns the vectors that are new since the last call.
    pub(super) fn take(&mut self) -> NewSets {
        self.new_bytes = 0;
        mem::take(&mut self.new)
    }
}

impl<V> NewSet<V> {
    /// Returns false if an earlier task of the part has handed over the same vector.
    fn is_new(&self, written: &mut HashSet<i64>) -> bool {
        !self.is_shared || written.insert(self.id)
    }
}

impl NewSet<Vec<AgentPolicies>> {
    /// Returns about how many bytes of memory the vector takes.
    fn memory_size(&self) -> usize {
        let policies: usize = self.vector.iter().map(AgentPolicies::memory_size).sum();
        size_of::<Self>() + policies
    }
}

/// Writes the vectors of one part after another.
pub(super) struct SetWriter<'r> {
    config: &'r Config,
    /// Identifiers of the open part that several tasks may have: 18 bytes each, and of every task
    /// at most [`MAX_REMEMBERED`].
    written: HashSet<i64>,
    verdicts: TableRows<VerdictSetsBuilder>,
    policies: TableRows<PolicySetsBuilder>,
    /// The vectors of the open block of policies.
    block: Vec<NewSet<Vec<AgentPolicies>>>,
    /// About how many bytes of memory they take.
    block_bytes: usize,
}

impl<'r> SetWriter<'r> {
    pub(super) fn new(config: &'r Config, formats: &[Arc<Format>]) -> Self {
        let (matrix, dialects) = (&config.matrix, config.dialect_names());
        Self {
            config,
            written: HashSet::new(),
            verdicts: table_rows(VerdictSetsBuilder::new(matrix, &dialects), formats),
            policies: table_rows(PolicySetsBuilder::new(matrix, &dialects), formats),
            block: Vec::new(),
            block_bytes: 0,
        }
    }

    /// Takes the vectors of a task, and appends row groups to the open part once they are large.
    pub(super) fn write(&mut self, sets: NewSets, part: &mut PartWriter) -> Result<(), Error> {
        for set in sets.verdicts {
            if set.is_new(&mut self.written) {
                self.append_verdicts(&set)?;
            }
        }
        hand_over_if_large(&mut self.verdicts, part)?;
        for set in sets.policies {
            if set.is_new(&mut self.written) {
                self.block_bytes += set.memory_size();
                self.block.push(set);
                if self.block_bytes > HAND_OVER_BYTES {
                    self.write_block(part)?;
                }
            }
        }
        Ok(())
    }

    /// Ends the part.
    pub(super) fn finish(&mut self, part: &mut PartWriter) -> Result<(), Error> {
        self.written.clear();
        hand_over(&mut self.verdicts, part)?;
        self.write_block(part)
    }

    fn append_verdicts(&mut self, set: &NewSet<AnswerVector>) -> Result<(), Error> {
        let AnswerVector { origin, answers } = &set.vector;
        let asked = (&self.config.matrix, &**origin);
        for (dialect, answers) in answers.iter().enumerate() {
            for block in answers.blocks() {
                self.verdicts.rows.append(set.id, dialect, asked, block);
            }
        }
        self.verdicts.encode_full()
    }

    /// Writes a block of policies ordered by dialect and agent: most questions are about one agent,
    /// and readers then skip the rows of all others.
    fn write_block(&mut self, part: &mut PartWriter) -> Result<(), Error> {
        for dialect in 0..self.config.dialects.len() {
            for agent in 0..self.config.matrix.agents.len() {
                for sets in self.block.chunks(BATCH_ROWS) {
                    let policies = sets.iter().map(|set| {
                        let policies = &set.vector[dialect];
                        (set.id, policies.of_agent(agent))
                    });
                    (self.policies.rows).append_agent(dialect, agent, policies);
                    self.policies.encode_full()?;
                }
                hand_over_if_large(&mut self.policies, part)?;
            }
        }
        hand_over(&mut self.policies, part)?;
        self.block.clear();
        self.block_bytes = 0;
        Ok(())
    }
}

/// Appends row groups to a part once they are large.
fn hand_over_if_large(
    rows: &mut TableRows<impl TableBuilder>,
    part: &mut PartWriter,
) -> Result<(), Error> {
    if rows.encoded_bytes > HAND_OVER_BYTES {
        hand_over(rows, part)?;
    }
    Ok(())
}

/// Appends all rows to a part.
fn hand_over<B: TableBuilder>(rows: &mut TableRows<B>, part: &mut PartWriter) -> Result<(), Error> {
    part.append(B::TABLE.name, rows.finish()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots::{
        dialect::Access,
        matrix::evaluate::{Cells, Evaluator},
    };

    /// Collects the vectors of these captures as a task of the part `part`.
    fn collect(
        task: usize,
        max_remembered: usize,
        captures: &[Access],
    ) -> (Vec<i64>, Vec<NewSet<AnswerVector>>) {
        let config = Config::new("");
        let evaluator = Evaluator::new(config.dialects[0].clone(), &config.matrix);
        let mut collector = SetCollector::new(max_remembered);
        collector.begin("part", task, 0);
        let ids = captures.iter().map(|&access| {
            let mut cells = Cells::default();
            evaluator.answer_all(access, 0, &mut cells);
            let evaluation = Evaluation {
                answers_digest: sha1(access.as_str().as_bytes()),
                cells: vec![cells],
                ..Evaluation::default()
            };
            collector.id_of_answers(&config.matrix, "https://a.example:443", &evaluation)
        });
        (ids.collect(), collector.take().verdicts)
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
