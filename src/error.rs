//! What stops a run.
//!
//! Three things can go wrong, and only the first is an [`Error`]: the output, an option or a list
//! file is unusable, or a disk or a network stops in the middle of an archive, whose part would be
//! published without the rest of it. A damaged archive is a [`Fault`](crate::warc::Fault) and an
//! odd robots.txt an anomaly; both become rows, never errors.

use std::{fmt, io, path::PathBuf};

/// Why a run stopped or never started.
///
/// [`fmt::Display`] is one sentence without a final stop: what, where, what to do. What the
/// operating system or the Parquet writer said is the [`source`](std::error::Error::source).
#[derive(Debug)]
pub struct Error(Box<ErrorKind>);

/// The kinds of [`Error`].
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An option or an input list says something that cannot be done; the text says what, where,
    /// and what to do.
    Usage(String),
    /// The operating system refused something about a file.
    Io {
        /// What was tried, such as `cannot create`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The operating system gave up reading an archive in its middle.
    Read {
        /// The archive.
        location: String,
        /// How many of its bytes had been read.
        offset: u64,
        /// What the operating system said.
        source: io::Error,
    },
    /// A Parquet file could not be encoded or written.
    Parquet {
        /// The file.
        path: PathBuf,
        /// What the writer said.
        source: parquet::errors::ParquetError,
    },
    /// A Parquet file of a dataset could not be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the reader said.
        source: parquet::errors::ParquetError,
    },
    /// The caller asked for the run to end; what was published before stays.
    Interrupted,
}

impl Error {
    /// Returns an error about an option or an input list.
    pub fn usage(message: impl Into<String>) -> Self {
        ErrorKind::Usage(message.into()).into()
    }

    /// Returns an error about a file, to be used as `.map_err(Error::io("cannot create", &path))`.
    pub(crate) fn io(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| {
            ErrorKind::Io {
                action,
                path,
                source,
            }
            .into()
        }
    }

    /// Returns the kind.
    pub fn kind(&self) -> &ErrorKind {
        &self.0
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Self(Box::new(kind))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            ErrorKind::Usage(message) => f.write_str(message),
            ErrorKind::Io { action, path, .. } => write!(f, "{}: {action}", path.display()),
            ErrorKind::Read {
                location, offset, ..
            } => write!(f, "{location}: offset {offset}: cannot read"),
            ErrorKind::Parquet { path, .. } => {
                write!(f, "{}: cannot write Parquet", path.display())
            }
            ErrorKind::Unreadable { path, .. } => write!(
                f,
                "{}: expected a Parquet file of this dataset, but it cannot be read",
                path.display()
            ),
            ErrorKind::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &*self.0 {
            ErrorKind::Io { source, .. } | ErrorKind::Read { source, .. } => Some(source),
            ErrorKind::Parquet { source, .. } | ErrorKind::Unreadable { source, .. } => {
                Some(source)
            }
            ErrorKind::Usage(_) | ErrorKind::Interrupted => None,
        }
    }
}
