//! The error of a run: what stops it.
//!
//! An [`Error`] is about the caller's options or lists, about the dataset, or about a disk or a
//! network that fails in the middle of an archive, whose part would be published without the rest
//! of it. Content never is: a damaged archive is a [`Fault`](crate::archive::warc::Fault), an unusual line
//! a finding; both become rows.

use std::{fmt, io, path::PathBuf};

/// Why a run stopped or never started.
///
/// [`fmt::Display`] is one sentence without a final stop: what, where, and what the caller can do.
/// What the operating system or the Parquet writer reported is the
/// [`source`](std::error::Error::source).
#[derive(Debug)]
pub struct Error(Box<ErrorKind>);

/// The kinds of [`Error`].
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An option or an input list asks for what cannot be done; the text states what, where, and
    /// what to do instead.
    Usage(String),
    /// The output folder cannot be used as the caller asked.
    Folder {
        /// The folder, or the file in it that is in the way.
        path: PathBuf,
        /// Why it cannot be used.
        conflict: FolderConflict,
        /// The same in words, with the details.
        message: String,
    },
    /// A file of a dataset does not hold what this version writes there.
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What was expected, what was found, and what to do.
        message: String,
    },
    /// An operation on a file failed.
    Io {
        /// What failed, such as `cannot create`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the operating system reported.
        source: io::Error,
    },
    /// Reading an archive failed before its end.
    Read {
        /// The archive.
        location: String,
        /// How many of its bytes had been read.
        offset: u64,
        /// What the operating system reported.
        source: io::Error,
    },
    /// A Parquet file could not be encoded or written.
    Parquet {
        /// The file, or the name of its table.
        path: PathBuf,
        /// What the writer reported.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A Parquet file of a dataset could not be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the reader reported.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The caller stopped the run; the parts that were published stay.
    Interrupted,
}

/// Why a folder cannot be used for the output of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FolderConflict {
    /// It holds something that is not of a dataset, and that is neither used nor deleted.
    Foreign,
    /// It holds a dataset already.
    Exists,
    /// It holds a dataset that lacks some of the archives, to which they can be added.
    Lacks,
    /// Its dataset was made of other inputs or with other options.
    Differs,
    /// Another run writes to it.
    Busy,
    /// It holds no dataset.
    NoDataset,
    /// Its dataset has a part of a stream without a name, and another such stream is to be read.
    UnnamedStream,
}

impl Error {
    /// Returns an error about an option or an input list.
    pub fn usage(message: impl Into<String>) -> Self {
        ErrorKind::Usage(message.into()).into()
    }

    /// Returns an error about the folder of an output.
    pub(crate) fn folder(
        path: impl Into<PathBuf>,
        conflict: FolderConflict,
        message: impl Into<String>,
    ) -> Self {
        ErrorKind::Folder {
            path: path.into(),
            conflict,
            message: message.into(),
        }
        .into()
    }

    /// Returns an error about the content of a file of a dataset.
    pub(crate) fn corrupt(path: impl Into<PathBuf>, message: impl Into<String>) -> Self {
        let (path, message) = (path.into(), message.into());
        ErrorKind::Corrupt { path, message }.into()
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
            ErrorKind::Folder { path, message, .. } | ErrorKind::Corrupt { path, message } => {
                write!(f, "{}: {message}", path.display())
            }
            ErrorKind::Io { action, path, .. } => write!(f, "{}: {action}", path.display()),
            ErrorKind::Read {
                location, offset, ..
            } => write!(f, "{location}: offset {offset}: cannot read"),
            ErrorKind::Parquet { path, .. } => {
                write!(f, "{}: cannot write Parquet", path.display())
            }
            ErrorKind::Unreadable { path, .. } => write!(
                f,
                "{}: expected a Parquet file, but it cannot be read as one",
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
                Some(source.as_ref())
            }
            ErrorKind::Usage(_)
            | ErrorKind::Folder { .. }
            | ErrorKind::Corrupt { .. }
            | ErrorKind::Interrupted => None,
        }
    }
}
