//! The two sides of a comparison: dialects, which are evaluated here, and external parsers.

use std::{
    collections::VecDeque,
    sync::{
        Arc,
        atomic::AtomicBool,
        mpsc::{Receiver, SyncSender},
    },
    time::Duration,
};

use super::{
    decider::Decider,
    external::{ParserCommand, ParserFault, ParserFaultKind, ParserPool, Reply, Request, Usage},
    query::FileQueries,
};
use crate::robots::dialect::Dialect;

pub use super::query::CellAnswer;

/// The names of the sides, and of the reference, in their order.
pub(super) const SIDES: [&str; 3] = ["baseline", "candidate", "reference"];
/// The number of the reference, after those of baseline and candidate.
pub(super) const REFERENCE: usize = 2;

/// One side, before it is started.
#[derive(Clone, Debug)]
pub enum SideConfig {
    /// A dialect.
    Dialect(Box<Dialect>),
    /// The command of an external parser.
    External(ParserCommand),
}

/// What one side answers about one file.
#[derive(Clone, Debug)]
pub struct FileAnswers {
    /// One answer for each query, or the fault that cost them.
    pub answers: Result<Vec<CellAnswer>, ParserFault>,
    /// How long an external parser took; zero for a dialect.
    pub elapsed: Duration,
}

/// One side.
pub enum Side {
    /// A dialect.
    Dialect(Box<DialectSide>),
    /// An external parser.
    External(ExternalSide),
}

/// A dialect, with the memory in which it decides.
pub struct DialectSide {
    dialect: Dialect,
    decider: Decider,
}

/// An external parser that was started.
pub struct ExternalSide {
    pool: ParserPool,
    replies: Receiver<Reply>,
    /// The number of the next request.
    next: u64,
    /// Faults that followed the answers to earlier requests.
    late: Vec<LateFault>,
}

/// A fault of a file whose answers were handed over before.
pub(super) struct LateFault {
    /// The number of the request, from 0; `None` where none is at fault alone.
    pub file: Option<u64>,
    pub fault: ParserFault,
    pub elapsed: Duration,
}

impl Side {
    /// Starts a side, whose processes are killed once `stop` is set.
    ///
    /// # Errors
    ///
    /// One sentence: a parser cannot be started or does not speak the protocol.
    pub fn start(config: &SideConfig, stop: Arc<AtomicBool>) -> Result<Side, String> {
        Ok(match config {
            SideConfig::Dialect(dialect) => Side::Dialect(Box::new(DialectSide {
                dialect: Dialect::clone(dialect),
                decider: Decider::default(),
            })),
            SideConfig::External(command) => {
                let (pool, replies) = ParserPool::start(command.clone(), stop)?;
                Side::External(ExternalSide {
                    pool,
                    replies,
                    next: 0,
                    late: Vec::new(),
                })
            }
        })
    }

    /// Returns its name; that of an external parser with its version.
    pub fn name(&self) -> String {
        match self {
            Side::Dialect(side) => side.dialect.name.to_string(),
            Side::External(side) => side.pool.name().to_owned(),
        }
    }

    /// Returns the dialect; `None` for an external parser.
    pub fn dialect(&self) -> Option<&Dialect> {
        match self {
            Side::Dialect(side) => Some(&side.dialect),
            Side::External(_) => None,
        }
    }

    /// Returns the external parser, if it is one.
    pub(super) fn external(&mut self) -> Option<&mut ExternalSide> {
        match self {
            Side::Dialect(_) => None,
            Side::External(side) => Some(side),
        }
    }

    /// Answers all queries about some files, in their order.
    pub fn ask(&mut self, files: &[FileQueries]) -> Vec<FileAnswers> {
        match self {
            Side::Dialect(side) => files.iter().map(|file| side.answer(file)).collect(),
            Side::External(side) => {
                let mut open = VecDeque::new();
                side.begin(files.to_vec(), &mut open);
                side.finish_first(&mut open)
            }
        }
    }

    /// Asks both sides about a file; external parsers answer at the same time. `None` where one is
    /// at fault.
    pub(super) fn ask_both(
        sides: &mut [Side; 2],
        file: &FileQueries,
    ) -> Option<[Vec<CellAnswer>; 2]> {
        let mut open = [VecDeque::new(), VecDeque::new()];
        for (side, open) in sides.iter_mut().zip(&mut open) {
            if let Some(side) = side.external() {
                side.begin(vec![file.clone()], open);
            }
        }
        let [baseline, candidate] = [0, 1].map(|number: usize| {
            let of_file = match &mut sides[number] {
                Side::Dialect(side) => Some(side.answer(file)),
                Side::External(side) => side.finish_first(&mut open[number]).pop(),
            };
            of_file?.answers.ok()
        });
        Some([baseline?, candidate?])
    }

    /// Ends the processes, and returns what they wrote to standard error, up to a limit, the faults
    /// that followed answers, and what they took, where the system tells.
    pub(super) fn end(self) -> (Vec<u8>, Vec<LateFault>, Option<Usage>) {
        match self {
            Side::Dialect(_) => Default::default(),
            Side::External(mut side) => {
                let (log, usage) = side.pool.finish();
                let faults = side.replies.try_iter();
                let faults = faults.filter_map(|reply| take(&mut VecDeque::new(), reply));
                side.late.extend(faults);
                (log, side.late, usage)
            }
        }
    }
}

impl DialectSide {
    fn answer(&mut self, file: &FileQueries) -> FileAnswers {
        self.decider.parse(&file.body);
        let decisions = self
            .decider
            .decisions(&self.dialect, &file.body, &file.queries);
        FileAnswers {
            answers: Ok(decisions.into_iter().map(CellAnswer::from).collect()),
            elapsed: Duration::ZERO,
        }
    }
}

/// The answers about the files of a chunk that have come so far.
struct OpenChunk {
    first: u64,
    answers: Vec<Option<FileAnswers>>,
}

impl ExternalSide {
    /// Answers chunk after chunk, in their order, until there are no more; returns faults of files
    /// whose answers were handed over before.
    pub(super) fn answer_all(
        &mut self,
        chunks: Receiver<Vec<FileQueries>>,
        answered: &SyncSender<Vec<FileAnswers>>,
    ) -> Vec<LateFault> {
        let mut open = VecDeque::new();
        for files in chunks {
            self.begin(files, &mut open);
            // The last chunk is awaited only once this one is asked about, so that no process is
            // idle between two.
            if open.len() > 1 {
                // The receiver is gone only if the comparison ends early.
                let _ = answered.send(self.finish_first(&mut open));
            }
        }
        while !open.is_empty() {
            let _ = answered.send(self.finish_first(&mut open));
        }
        std::mem::take(&mut self.late)
    }

    /// Asks about the files of a chunk. It waits while processes take no more; their
    /// replies are held meanwhile.
    fn begin(&mut self, files: Vec<FileQueries>, open: &mut VecDeque<OpenChunk>) {
        open.push_back(OpenChunk {
            first: self.next,
            answers: vec![None; files.len()],
        });
        for file in files {
            let id = self.next;
            self.pool.send(Request { id, file });
            self.next += 1;
        }
    }

    /// Waits for the answers about the first of the open chunks, and removes it.
    fn finish_first(&mut self, open: &mut VecDeque<OpenChunk>) -> Vec<FileAnswers> {
        let is_open = |chunk: &OpenChunk| chunk.answers.iter().any(Option::is_none);
        while open.front().is_some_and(is_open) {
            // Processes have ended for good, which the pool prevents.
            let Ok(reply) = self.replies.recv() else {
                break;
            };
            self.late.extend(take(open, reply));
        }
        let answers = open.pop_front().into_iter().flat_map(|chunk| chunk.answers);
        answers.map(|slot| slot.unwrap_or_else(absent)).collect()
    }
}

/// Puts a reply to its file; returns it as a fault where the file is not open any more.
fn take(open: &mut VecDeque<OpenChunk>, reply: Reply) -> Option<LateFault> {
    let elapsed = reply.elapsed;
    let slot = reply.id.and_then(|id| {
        let chunk = open.iter_mut().rev().find(|chunk| chunk.first <= id)?;
        let index = usize::try_from(id - chunk.first).ok()?;
        chunk.answers.get_mut(index)
    });
    match slot {
        // A fault that follows an answer, such as a second one, costs the file its answer.
        Some(slot) => {
            *slot = Some(FileAnswers {
                elapsed,
                answers: reply.result,
            });
            None
        }
        None => Some(LateFault {
            file: reply.id,
            fault: reply.result.err()?,
            elapsed,
        }),
    }
}

fn absent() -> FileAnswers {
    FileAnswers {
        answers: Err(ParserFault {
            kind: ParserFaultKind::Exited,
            message: "expected an answer, but no process of the parser is left".to_owned(),
        }),
        elapsed: Duration::ZERO,
    }
}
