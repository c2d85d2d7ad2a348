//! The two sides of a comparison: dialects, which are evaluated here, and external parsers.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::AtomicBool,
        mpsc::{Receiver, SyncSender},
    },
    time::Duration,
};

use super::{
    decider::Decider,
    external::{ParserCommand, ParserPool, Reply, Request, Usage},
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
    /// The number of the first request whose reply was not handed over.
    first_open: u64,
    /// The replies to requests from there on that have come so far.
    held: BTreeMap<u64, Reply>,
    /// Faults that followed the answers to earlier requests.
    pub(super) late: Vec<Reply>,
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
                    first_open: 0,
                    held: BTreeMap::new(),
                    late: Vec::new(),
                })
            }
        })
    }

    /// Returns its name; that of an external parser with its version.
    pub fn name(&self) -> String {
        match self {
            Side::Dialect(side) => side.dialect.name.to_string(),
            Side::External(side) => side.pool.name.clone(),
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
    pub fn ask(&mut self, files: &[FileQueries]) -> Vec<Reply> {
        match self {
            Side::Dialect(side) => files.iter().map(|file| side.answer(file)).collect(),
            Side::External(side) => {
                side.send(files.to_vec());
                side.receive(files.len())
            }
        }
    }

    /// Asks both sides about a file; external parsers answer at the same time. `None` where one is
    /// at fault.
    pub(super) fn ask_both(
        sides: &mut [Side; 2],
        file: &FileQueries,
    ) -> Option<[Vec<CellAnswer>; 2]> {
        for side in sides.iter_mut().filter_map(Side::external) {
            side.send(vec![file.clone()]);
        }
        let [baseline, candidate] = sides.each_mut().map(|side| {
            let reply = match side {
                Side::Dialect(side) => side.answer(file),
                Side::External(side) => side.receive(1).pop()?,
            };
            reply.result.ok()
        });
        Some([baseline?, candidate?])
    }

    /// Ends the processes, and returns what they wrote to standard error, up to a limit, the faults
    /// that followed answers, and what they took, where the system tells.
    pub(super) fn end(self) -> (Vec<u8>, Vec<Reply>, Option<Usage>) {
        match self {
            Side::Dialect(_) => Default::default(),
            Side::External(mut side) => {
                let (log, usage) = side.pool.finish();
                while let Ok(reply) = side.replies.try_recv() {
                    side.take(reply);
                }
                (log, side.late, usage)
            }
        }
    }
}

impl DialectSide {
    fn answer(&mut self, file: &FileQueries) -> Reply {
        self.decider.parse(&file.body);
        let decisions = self
            .decider
            .decisions(&self.dialect, &file.body, &file.queries);
        Reply {
            id: None,
            elapsed: Duration::ZERO,
            result: Ok(decisions.into_iter().map(CellAnswer::from).collect()),
        }
    }
}

impl ExternalSide {
    /// Answers chunk after chunk, in their order, until there are no more.
    pub(super) fn answer_all(
        &mut self,
        chunks: Receiver<Vec<FileQueries>>,
        answered: &SyncSender<Vec<Reply>>,
    ) {
        let mut n_sent = None;
        for files in chunks {
            let n_before = n_sent.replace(files.len());
            self.send(files);
            // The last chunk is awaited only once this one is asked about, so that no process is
            // idle between two.
            if let Some(n) = n_before {
                // The receiver is gone only if the comparison ends early.
                let _ = answered.send(self.receive(n));
            }
        }
        if let Some(n) = n_sent {
            let _ = answered.send(self.receive(n));
        }
    }

    /// Asks about files. It waits while processes take no more; their replies are held meanwhile.
    fn send(&mut self, files: Vec<FileQueries>) {
        for file in files {
            let id = self.next;
            self.pool.send(Request { id, file });
            self.next += 1;
        }
    }

    /// Waits for the replies about the next `n` files, and returns them in the order of these.
    fn receive(&mut self, n: usize) -> Vec<Reply> {
        let end = self.first_open + n as u64;
        while self.held.range(..end).count() < n {
            let reply = self.replies.recv();
            self.take(reply.expect("a worker of the pool replies to every request"));
        }
        let later = self.held.split_off(&end);
        self.first_open = end;
        std::mem::replace(&mut self.held, later)
            .into_values()
            .collect()
    }

    /// Holds a reply, or a fault as late where the reply about its file was handed over before.
    fn take(&mut self, reply: Reply) {
        match reply.id.filter(|&id| id >= self.first_open) {
            // A fault that follows an answer, such as a second one, costs the file its answer.
            Some(id) => drop(self.held.insert(id, reply)),
            None if reply.result.is_err() => self.late.push(reply),
            None => {}
        }
    }
}
