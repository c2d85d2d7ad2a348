//! The two sides of a comparison: dialects, which are evaluated here, and external parsers.

use std::{sync::Arc, sync::mpsc::Receiver, thread, time::Duration};

use super::{
    cause::Decider,
    external::{ExternalVerdict, ParserFault, ParserPool, Query, Reply, Request},
};
use crate::dialect::{Basis, Dialect, Verdict};

/// The answer of one side to one query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellAnswer {
    /// The verdict; `None` where an external parser reports an error for the query.
    pub verdict: Option<Verdict>,
    /// What decided; `None` where it is not known.
    pub basis: Option<Basis>,
    /// The line that decided, from 1; 0 for none, `None` where it is not known.
    pub line: Option<u32>,
}

/// What one side says about one file.
#[derive(Clone, Debug)]
pub struct FileAnswers {
    /// One answer for each query, or the fault that cost them.
    pub answers: Result<Vec<CellAnswer>, ParserFault>,
    /// How long an external parser took; zero for a dialect.
    pub elapsed: Duration,
}

/// One distinct body and what is asked about it.
#[derive(Clone, Debug)]
pub struct FileQueries {
    /// The body of the robots.txt.
    pub body: Arc<[u8]>,
    /// The queries; those of one agent are together.
    pub queries: Arc<[Query]>,
}

/// One side.
pub enum Side {
    /// A dialect.
    Dialect(Box<Dialect>),
    /// An external parser, with the receiver of its replies and the number of the next request.
    External(ParserPool, Receiver<Reply>, u64),
}

impl Side {
    /// Answers all queries about some files, in their order.
    pub fn ask(&mut self, files: &[FileQueries]) -> Vec<FileAnswers> {
        match self {
            Side::Dialect(dialect) => by_dialect(dialect, files),
            Side::External(pool, replies, next) => {
                let first = *next;
                *next += files.len() as u64;
                by_parser(pool, replies, first, files)
            }
        }
    }
}

fn by_dialect(dialect: &Dialect, files: &[FileQueries]) -> Vec<FileAnswers> {
    use rayon::prelude::*;
    let ask = |decider: &mut Decider, file: &FileQueries| {
        decider.parse(&file.body);
        let decisions = decider.decisions(dialect, &file.body, &file.queries);
        let answer = |decision: crate::dialect::Decision| CellAnswer {
            verdict: Some(decision.verdict),
            basis: Some(decision.basis),
            line: Some(decision.rule_line.unwrap_or(0)),
        };
        FileAnswers {
            answers: Ok(decisions.into_iter().map(answer).collect()),
            elapsed: Duration::ZERO,
        }
    };
    files.par_iter().map_init(Decider::default, ask).collect()
}

/// Sends requests from a thread of its own, since processes take them only as they answer.
fn by_parser(
    pool: &ParserPool,
    replies: &Receiver<Reply>,
    first: u64,
    files: &[FileQueries],
) -> Vec<FileAnswers> {
    let mut answers: Vec<Option<FileAnswers>> = vec![None; files.len()];
    thread::scope(|scope| {
        scope.spawn(|| {
            for (id, file) in (first..).zip(files) {
                pool.send(Request {
                    id,
                    body: Arc::clone(&file.body),
                    queries: Arc::clone(&file.queries),
                });
            }
        });
        let mut n_open = files.len();
        while n_open > 0 {
            let Ok(reply) = replies.recv() else {
                break;
            };
            let index = reply
                .id
                .and_then(|id| usize::try_from(id.checked_sub(first)?).ok());
            let Some(slot) = index.and_then(|index| answers.get_mut(index)) else {
                continue;
            };
            n_open -= usize::from(slot.is_none());
            // A fault that follows an answer, such as a second one, costs the file its answer.
            *slot = Some(FileAnswers {
                elapsed: reply.elapsed,
                answers: reply
                    .result
                    .map(|answers| answers.into_iter().map(cell).collect()),
            });
        }
    });
    let absent = || FileAnswers {
        answers: Err(ParserFault {
            kind: super::external::ParserFaultKind::Exited,
            message: "the processes of the parser have ended".to_owned(),
        }),
        elapsed: Duration::ZERO,
    };
    answers
        .into_iter()
        .map(|slot| slot.unwrap_or_else(absent))
        .collect()
}

fn cell(answer: super::external::ExternalAnswer) -> CellAnswer {
    CellAnswer {
        verdict: match answer.verdict {
            ExternalVerdict::Allow => Some(Verdict::Allow),
            ExternalVerdict::Disallow => Some(Verdict::Disallow),
            ExternalVerdict::Undefined => Some(Verdict::Undefined),
            ExternalVerdict::Error => None,
        },
        basis: None,
        line: answer.line,
    }
}
