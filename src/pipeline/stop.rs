//! Why a worker stops early.

use parquet::errors::ParquetError;

use crate::error::{Error, ErrorKind};

/// Why a worker stops before its work is done.
pub(super) enum StopReason {
    /// The caller stopped the run.
    Requested,
    /// Another worker failed and has reported why.
    OtherWorker,
    /// This worker failed.
    Failed(Error),
}

impl From<ParquetError> for StopReason {
    fn from(source: ParquetError) -> Self {
        Self::Failed(encoding_error("row group", source))
    }
}

/// Returns the error of rows of `what` that cannot be encoded.
pub(super) fn encoding_error(what: &str, source: ParquetError) -> Error {
    let path = what.into();
    ErrorKind::Parquet { path, source }.into()
}
