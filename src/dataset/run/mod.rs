//! A run: archives in, a dataset and a [`Summary`](crate::dataset::summary::Summary) out. The only module
//! that uses all others.
//!
//! # Order without waiting
//!
//! The sorted archives are grouped into parts (a file for each table) and parts into tasks, by the
//! sizes of the inputs alone (`plan`). Workers take tasks in their order (`queue`); each reads,
//! parses, evaluates and encodes its task to finished row groups with buffers of its own, and hands
//! them to the assembler (`assemble`), which appends them to the open part in the order of the
//! tasks. A worker that finishes early queues its row groups in the assembler, up to a limit; the
//! task that is to be written next never waits. Only distinct vectors of answers and policies
//! (`sets`), which a part has once, are encoded by the assembler. So the files are the same bytes
//! whatever the number of threads.
//!
//! A large archive is one task that workers share. The archive can only be inflated from its start,
//! so one worker at a time holds it: it inflates a chunk (`chunk`), releases the archive, and does
//! the remaining work, about three quarters of the total, in parallel with the others.

mod archive;
mod assemble;
mod captures;
mod chunk;
mod definitions;
mod downloads;
mod driver;
pub(in crate::dataset) mod extent;
mod missing;
mod page_rows;
pub(in crate::dataset) mod plan;
mod queue;
mod rows;
mod sets;
mod shared;
pub(in crate::dataset) mod stream;
mod tables;
mod worker;

use super::{config, progress};

pub use self::captures::DamagedArchive;
#[cfg(feature = "cli")]
pub(crate) use self::{
    driver::{adds_crawls, planned_parts, prepare},
    extent::refuse_unpublished,
};
// The Python package reads captures too.
#[doc(hidden)]
pub use self::captures::{Found, LocatedCapture, read_captures};
pub use self::{driver::run, extent::extent};
#[cfg(feature = "cli")]
pub(crate) use super::progress::Event;
pub use super::{
    config::{Config, DEFAULT_PART_BYTES},
    progress::{Progress, Snapshot},
    shard::Shard,
    written::WrittenTables,
};
pub use crate::{
    archive::warc::{DEFAULT_MAX_BODY, Limits},
    dataset::sink::OpenMode,
};
