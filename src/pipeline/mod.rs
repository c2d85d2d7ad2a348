//! The run: archives in, a dataset and a [`Summary`](crate::summary::Summary) out. The only room
//! that knows all rooms.
//!
//! # How order is kept without waiting
//!
//! The sorted archives are cut into parts (a file for each table) and parts into tasks, by the
//! sizes of the inputs alone (`plan`). Workers take tasks in their order (`queue`); each reads,
//! parses, evaluates and encodes its task to finished row groups with scratch of its own, and hands
//! them to the assembler (`assemble`), which appends them to the open part in the order of the
//! tasks. Whoever is ahead leaves its row groups there and goes on, up to a bound; the task whose
//! turn it is never waits. Only what is said once in a part (`sets`) is encoded there. So the files
//! are the same bytes whatever the number of threads.
//!
//! A large archive is one task that workers share. It can only be inflated from its start, so it
//! passes from hand to hand: its holder reads a stretch ahead (`stretch`), gives the archive away,
//! and then does the rest of the work, three quarters of it, beside the others.

mod archive;
mod asked;
mod assemble;
mod config;
mod extent;
mod missing;
mod plan;
mod progress;
mod queue;
mod redirects;
mod rows;
mod run;
mod sets;
mod stream;
mod stretch;
mod sums;
mod tables;
mod verify;
mod worker;

pub use self::{
    config::{Config, DEFAULT_MAX_BODY, DEFAULT_PART_BYTES, VerdictForm},
    extent::extent,
    progress::{Event, Progress, Snapshot},
    redirects::resolve_redirects,
    run::run,
    verify::{Finding, FindingKind, Verified, verify},
};
pub use crate::{sink::OpenMode, warc::Limits};
