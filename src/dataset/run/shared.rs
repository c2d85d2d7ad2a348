//! What all workers of a run read and none changes.

use std::sync::Arc;

use rayon::ThreadPool;

use super::{config::Config, downloads::Downloads, progress::Progress};
use crate::{
    archive::input::ArchiveSource,
    dataset::sink::{Dataset, Format},
    robots::matrix::{SeenOrigins, evaluate::Evaluator},
};

/// What the parts of a run are built with.
pub(super) struct Job<'r> {
    pub(super) config: &'r Config,
    pub(super) archives: &'r [ArchiveSource],
    pub(super) dataset: &'r Dataset,
    /// Of the tables that are written.
    pub(super) formats: &'r [Arc<Format>],
    pub(super) progress: &'r Progress,
    pub(super) pool: ThreadPool,
}

/// What follows from it, prepared once.
pub(super) struct Shared<'r> {
    pub(super) job: &'r Job<'r>,
    pub(super) downloads: Downloads,
    /// By dialect; the first is the reference dialect.
    pub(super) evaluators: Vec<Evaluator>,
    /// The origins of absolute URLs that captures are of: marked as they are met.
    pub(super) seen_origins: SeenOrigins,
}
