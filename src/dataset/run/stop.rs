//! Why a worker stops early.

use crate::archive::error::Error;

/// Why a worker stops before its work is done.
pub(super) enum StopReason {
    /// The caller stopped the run.
    Requested,
    /// Another worker failed and has reported why.
    OtherWorker,
    /// This worker failed.
    Failed(Error),
}

impl From<Error> for StopReason {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}
