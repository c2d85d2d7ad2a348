//! The two sides of a comparison: dialects, which are evaluated here, and external parsers.

use std::{
    collections::VecDeque,
    io,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::AtomicBool,
        mpsc::{Receiver, SyncSender, channel},
    },
    thread,
    time::Duration,
};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    decider::Decider,
    external::{
        ExternalAnswer, ExternalVerdict, ParserCommand, ParserFault, ParserFaultKind, ParserPool,
        Reply, Request, StartError,
    },
    query::FileQueries,
};
use crate::robots::dialect::{Basis, Decision, Dialect, Verdict};

/// One side, before it is started.
#[derive(Clone, Debug)]
pub enum SideConfig {
    /// A dialect.
    Dialect(Box<Dialect>),
    /// The command of an external parser.
    External(ParserCommand),
}

/// The answer of one side to one query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellAnswer {
    /// The verdict; `None` where an external parser reports an error for the query.
    pub verdict: Option<Verdict>,
    /// What decided; `None` where it is not known.
    pub basis: Option<Basis>,
    /// The line that decided, from 1; 0 for none, `None` where it is not known.
    pub line: Option<u32>,
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
    Dialect(Box<Dialect>),
    /// An external parser.
    External(ExternalSide),
}

/// An external parser that was started.
pub struct ExternalSide {
    pool: ParserPool,
    replies: Receiver<Reply>,
    /// The number of the next request.
    next: u64,
    log: Log,
    /// Faults that followed the answers to earlier requests.
    late: Vec<LateFault>,
}

/// What processes write to standard error, which [`ParserPool`] bounds.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        log.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
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
    /// A parser that cannot be started or does not speak the protocol.
    pub fn start(config: &SideConfig, stop: Arc<AtomicBool>) -> Result<Side, StartError> {
        match config {
            SideConfig::Dialect(dialect) => Ok(Side::Dialect(dialect.clone())),
            SideConfig::External(command) => {
                let log = Log::default();
                let (pool, replies) =
                    ParserPool::start(command.clone(), Box::new(log.clone()), stop)?;
                Ok(Side::External(ExternalSide {
                    pool,
                    replies,
                    next: 0,
                    log,
                    late: Vec::new(),
                }))
            }
        }
    }

    /// Returns its name; that of an external parser with its version.
    pub fn name(&self) -> String {
        match self {
            Side::Dialect(dialect) => dialect.name.to_string(),
            Side::External(side) => {
                let name = side.pool.name();
                format!("{} {}", name.name, name.version).trim().to_owned()
            }
        }
    }

    /// Returns the dialect; `None` for an external parser.
    pub fn dialect(&self) -> Option<&Dialect> {
        match self {
            Side::Dialect(dialect) => Some(dialect),
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
            Side::Dialect(dialect) => by_dialect(dialect, files),
            Side::External(side) => side.ask(files),
        }
    }

    /// Ends the processes of an external parser, and returns what they wrote to standard error, up
    /// to a limit.
    pub fn finish(self) -> Vec<u8> {
        self.end().0
    }

    /// Ends the processes as [`Side::finish`] does, and returns the faults that followed answers
    /// too.
    pub(super) fn end(self) -> (Vec<u8>, Vec<LateFault>) {
        match self {
            Side::Dialect(_) => (Vec::new(), Vec::new()),
            Side::External(mut side) => {
                side.pool.finish();
                let faults = side.replies.try_iter();
                let faults = faults.filter_map(|reply| take(&mut VecDeque::new(), reply));
                side.late.extend(faults);
                let mut log = side.log.0.lock().unwrap_or_else(PoisonError::into_inner);
                (std::mem::take(&mut *log), side.late)
            }
        }
    }
}

/// Returns the answer of a dialect.
pub(super) fn cell_of(decision: Decision) -> CellAnswer {
    CellAnswer {
        verdict: Some(decision.verdict),
        basis: Some(decision.basis),
        line: Some(decision.rule_line.unwrap_or(0)),
    }
}

fn by_dialect(dialect: &Dialect, files: &[FileQueries]) -> Vec<FileAnswers> {
    let ask = |decider: &mut Decider, file: &FileQueries| {
        decider.parse(&file.body);
        let decisions = decider.decisions(dialect, &file.body, &file.queries);
        FileAnswers {
            answers: Ok(decisions.into_iter().map(cell_of).collect()),
            elapsed: Duration::ZERO,
        }
    };
    files.par_iter().map_init(Decider::default, ask).collect()
}

/// The answers about the files of a chunk that have come so far.
struct OpenChunk {
    first: u64,
    answers: Vec<Option<FileAnswers>>,
    n_open: usize,
}

impl ExternalSide {
    fn ask(&mut self, files: &[FileQueries]) -> Vec<FileAnswers> {
        let (chunks, to_ask) = std::sync::mpsc::sync_channel(1);
        let (answered, answers) = std::sync::mpsc::sync_channel(1);
        // Neither waits: there is one chunk.
        let _ = chunks.send(files.to_vec());
        drop(chunks);
        let late = self.answer_all(to_ask, &answered);
        self.late.extend(late);
        answers.try_recv().unwrap_or_default()
    }

    /// Answers chunk after chunk, in their order, until there are no more; returns faults of files
    /// whose answers were handed over before.
    ///
    /// Files of the next chunk are asked while answers of the last one are awaited, so that no
    /// process is idle between two.
    pub(super) fn answer_all(
        &mut self,
        chunks: Receiver<Vec<FileQueries>>,
        answered: &SyncSender<Vec<FileAnswers>>,
    ) -> Vec<LateFault> {
        let begin = self.next;
        let mut next = begin;
        let mut late = Vec::new();
        let (pool, replies) = (&self.pool, &self.replies);
        thread::scope(|scope| {
            let (started, begun) = channel();
            let feeder = scope.spawn(move || {
                while let Ok(files) = chunks.recv() {
                    // A chunk is announced before any reply about it can come.
                    let _ = started.send((next, files.len()));
                    for file in files {
                        pool.send(Request {
                            id: next,
                            body: file.body,
                            queries: file.queries,
                        });
                        next += 1;
                    }
                }
                next
            });
            let mut open: VecDeque<OpenChunk> = VecDeque::new();
            let begin_chunk = |(first, n): (u64, usize)| OpenChunk {
                first,
                answers: vec![None; n],
                n_open: n,
            };
            loop {
                while open.front().is_some_and(|chunk| chunk.n_open == 0) {
                    let answers = open.pop_front().into_iter().flat_map(|chunk| chunk.answers);
                    // The receiver is gone only if the comparison ends early.
                    let _ = answered.send(answers.flatten().collect());
                }
                if open.is_empty() {
                    let Ok(chunk) = begun.recv() else {
                        break;
                    };
                    open.push_back(begin_chunk(chunk));
                    continue;
                }
                let Ok(reply) = replies.recv() else {
                    break;
                };
                open.extend(begun.try_iter().map(begin_chunk));
                late.extend(take(&mut open, reply));
            }
            // Where processes have ended for good, which the pool prevents.
            for chunk in open {
                let answers = chunk
                    .answers
                    .into_iter()
                    .map(|slot| slot.unwrap_or_else(absent));
                let _ = answered.send(answers.collect());
            }
            self.next = feeder.join().unwrap_or(begin);
        });
        late
    }
}

/// Puts a reply to its file; returns it as a fault where the file is not open any more.
fn take(open: &mut VecDeque<OpenChunk>, reply: Reply) -> Option<LateFault> {
    let elapsed = reply.elapsed;
    let slot = reply.id.and_then(|id| {
        let chunk = open.iter_mut().rev().find(|chunk| chunk.first <= id)?;
        let index = usize::try_from(id - chunk.first).ok()?;
        let slot = chunk.answers.get_mut(index)?;
        chunk.n_open -= usize::from(slot.is_none());
        Some(slot)
    });
    match slot {
        // A fault that follows an answer, such as a second one, costs the file its answer.
        Some(slot) => {
            let cells = |answers: Vec<ExternalAnswer>| answers.into_iter().map(cell).collect();
            *slot = Some(FileAnswers {
                elapsed,
                answers: reply.result.map(cells),
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

fn cell(answer: ExternalAnswer) -> CellAnswer {
    CellAnswer {
        verdict: match answer.verdict {
            ExternalVerdict::Allow => Some(Verdict::Allow),
            ExternalVerdict::Disallow => Some(Verdict::Disallow),
            ExternalVerdict::Undefined => Some(Verdict::Undefined),
            ExternalVerdict::Error => None,
        },
        basis: None,
        // No file has so many lines.
        line: answer.line.filter(|&line| line <= i32::MAX as u32),
    }
}
