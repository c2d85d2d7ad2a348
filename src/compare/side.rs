//! The two sides of a comparison: dialects, which are evaluated here, and external parsers.

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use super::{
    decider::Decider,
    external::{ParserCommand, ParserPool, Reply, Usage},
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
    External(ParserPool),
}

/// A dialect, with the memory in which it decides.
pub struct DialectSide {
    dialect: Dialect,
    decider: Decider,
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
                Side::External(ParserPool::start(command.clone(), stop)?)
            }
        })
    }

    /// Returns its name; that of an external parser with its version.
    pub fn name(&self) -> String {
        match self {
            Side::Dialect(side) => side.dialect.name.to_string(),
            Side::External(pool) => pool.name.clone(),
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
    pub(super) fn external(&mut self) -> Option<&mut ParserPool> {
        match self {
            Side::Dialect(_) => None,
            Side::External(pool) => Some(pool),
        }
    }

    /// Answers all queries about some files, in their order.
    pub fn ask(&mut self, files: &[FileQueries]) -> Vec<Reply> {
        match self {
            Side::Dialect(side) => files.iter().map(|file| side.answer(file)).collect(),
            Side::External(pool) => {
                pool.send(files.iter().cloned());
                pool.receive(files.len())
            }
        }
    }

    /// Asks both sides about a file; external parsers answer at the same time. `None` where one is
    /// at fault.
    pub(super) fn ask_both(
        sides: &mut [Side; 2],
        file: &FileQueries,
    ) -> Option<[Vec<CellAnswer>; 2]> {
        for pool in sides.iter_mut().filter_map(Side::external) {
            pool.send([file.clone()]);
        }
        let [baseline, candidate] = sides.each_mut().map(|side| {
            let reply = match side {
                Side::Dialect(side) => side.answer(file),
                Side::External(pool) => pool.receive(1).pop()?,
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
            Side::External(mut pool) => {
                let (log, usage) = pool.finish();
                (log, pool.late_faults(), usage)
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
