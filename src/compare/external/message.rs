//! The messages of the protocol, and what can be wrong with them.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{
    compare::query::{CellAnswer, FileQueries},
    named::named,
    robots::dialect::Verdict,
};

/// The name of the protocol and its version.
pub const PROTOCOL: &str = "robocensus-parser/1";

/// How an external parser is run.
#[derive(Clone, Debug)]
pub struct ParserCommand {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// Processes at a time.
    pub workers: usize,
    /// Files under way in one process.
    pub in_flight: usize,
    /// How long a process may take for one file.
    pub timeout: Duration,
}

/// One file and what is asked about it.
#[derive(Clone, Debug)]
pub struct Request {
    /// Names the request in its reply.
    pub id: u64,
    /// The file and what is asked.
    pub file: FileQueries,
}

/// What came of a request.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The request; `None` for a line that is no answer and that no file is at fault for, and for
    /// what a dialect answers.
    pub id: Option<u64>,
    /// How long the process took for the file; zero for a dialect.
    pub elapsed: Duration,
    /// One answer for each query, or what went wrong.
    pub result: Result<Vec<CellAnswer>, ParserFault>,
}

/// What a process did wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParserFault {
    /// The kind of fault.
    pub kind: ParserFaultKind,
    /// What was expected and what was found.
    pub message: String,
}

impl ParserFault {
    pub(in crate::compare) fn new(kind: ParserFaultKind, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { kind, message }
    }
}

named! {
    /// A kind of fault.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum ParserFaultKind {
        /// The process ended.
        Exited = "exited",
        /// It did not answer in time.
        TimedOut = "timed_out",
        /// A line is not an answer of the protocol.
        InvalidAnswer = "invalid_answer",
        /// A line exceeds the limit.
        AnswerTooLong = "answer_too_long",
        /// An answer has another number of verdicts or lines than there were queries.
        WrongCount = "wrong_count",
        /// A file was answered twice.
        RepeatedAnswer = "repeated_answer",
        /// An answer names a file that was never asked.
        UnknownId = "unknown_id",
        /// A file was asked about again, and a verdict has changed.
        UnstableAnswer = "unstable_answer",
    }
}

/// Returns the beginning of a line for a message.
pub(super) fn shortened(line: &[u8]) -> String {
    const SHOWN: usize = 80;
    let text = String::from_utf8_lossy(&line[..line.len().min(SHOWN)]);
    let more = if line.len() > SHOWN { ".." } else { "" };
    format!("{:?}{more}", text)
}

#[derive(Deserialize)]
pub(super) struct HelloLine {
    pub protocol: String,
    pub name: String,
    pub version: String,
}

#[derive(Deserialize)]
pub(super) struct AnswerLine {
    pub id: u64,
    pub verdicts: Vec<VerdictWord>,
    pub lines: Option<Vec<Option<u32>>>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum VerdictWord {
    Allow,
    Disallow,
    Undefined,
    /// The parser reports an error for this query.
    Error,
}

impl VerdictWord {
    /// Returns the answer with the line that decided, where the parser names one.
    pub(super) fn with_line(self, line: Option<u32>) -> CellAnswer {
        CellAnswer {
            verdict: match self {
                VerdictWord::Allow => Some(Verdict::Allow),
                VerdictWord::Disallow => Some(Verdict::Disallow),
                VerdictWord::Undefined => Some(Verdict::Undefined),
                VerdictWord::Error => None,
            },
            basis: None,
            // No file has so many lines.
            line: line.filter(|&line| line <= i32::MAX as u32),
        }
    }
}

#[derive(Deserialize)]
pub(super) struct IdLine {
    pub id: u64,
}

#[derive(Serialize)]
pub(super) struct RequestLine<'q> {
    pub id: u64,
    pub robots_b64: String,
    pub queries: Vec<QueryLine<'q>>,
}

#[derive(Serialize)]
pub(super) struct QueryLine<'q> {
    pub agent: &'q str,
    pub url: &'q str,
}
