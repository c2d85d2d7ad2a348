//! Whether two paths lead to the same file.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// What two paths have in common if and only if they lead to the same file or folder.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Identity {
    /// Device and inode, and of a file its length and the time of its last change in nanoseconds:
    /// some network file systems give two files one inode.
    #[cfg(unix)]
    Inode([i128; 4]),
    /// The path without links, or the path as it is where nothing can be found there.
    Path(PathBuf),
}

impl Identity {
    /// Returns the identity of a file; hard links are one file.
    pub(super) fn of_file(path: &Path) -> Self {
        Self::of(path, true)
    }

    /// Returns the identity of a folder, whatever is added to it meanwhile.
    pub(super) fn of_folder(path: &Path) -> Self {
        Self::of(path, false)
    }

    #[cfg_attr(not(unix), expect(unused_variables, reason = "paths tell all"))]
    fn of(path: &Path, is_file: bool) -> Self {
        #[cfg(unix)]
        if let Ok(meta) = fs::metadata(path) {
            use std::os::unix::fs::MetadataExt;
            let state = match is_file {
                true => [
                    i128::from(meta.len()),
                    i128::from(meta.mtime()) * 1_000_000_000 + i128::from(meta.mtime_nsec()),
                ],
                false => [0; 2],
            };
            // A file system without inodes says 0.
            if meta.ino() != 0 {
                return Self::Inode([meta.dev().into(), meta.ino().into(), state[0], state[1]]);
            }
        }
        Self::Path(fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()))
    }
}
