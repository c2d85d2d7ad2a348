//! Whether two paths lead to the same file.

use std::{
    fs,
    path::{self, Path, PathBuf},
};

use crate::digest::{Sha1Digest, sha1, sha1_of_list};

/// The identity of a file or folder, which is the same for all paths that lead to it.
///
/// It is the digest of device and inode, and of a file its modification time and length: some
/// network file systems give two files one inode. Without an inode it is that of the path without
/// links, as far as it exists, or of the URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct FileIdentity(Sha1Digest);

/// Returns true if and only if standard input is a regular file, and the path leads to it.
pub fn is_stdin(path: &Path) -> bool {
    FileIdentity::of_stdin().is_some_and(|stdin| stdin == FileIdentity::of_file(path))
}

impl FileIdentity {
    /// Returns the identity of a file; hard links are one file.
    pub(super) fn of_file(path: &Path) -> Self {
        Self::of(path, true)
    }

    /// Returns the identity of a folder, which does not change when files are added to it.
    pub(super) fn of_folder(path: &Path) -> Self {
        Self::of(path, false)
    }

    /// Returns the identity of what is at a URL.
    #[cfg(feature = "remote")]
    pub(super) fn of_url(url: &str) -> Self {
        Self(sha1_of_list(["URL", url]))
    }

    /// Returns the identity of standard input if it is a regular file.
    #[cfg(unix)]
    pub(super) fn of_stdin() -> Option<Self> {
        use std::os::fd::AsFd;
        let stdin = std::io::stdin().as_fd().try_clone_to_owned().ok()?;
        let meta = fs::File::from(stdin).metadata().ok()?;
        Self::of_inode(&meta, true).filter(|_| meta.is_file())
    }

    /// Returns `None`: the identity of standard input is not available on this system.
    #[cfg(not(unix))]
    pub(super) fn of_stdin() -> Option<Self> {
        None
    }

    #[cfg_attr(
        not(unix),
        expect(unused_variables, reason = "the path is the identity")
    )]
    fn of(path: &Path, is_file: bool) -> Self {
        #[cfg(unix)]
        if let Ok(meta) = fs::metadata(path)
            && let Some(inode) = Self::of_inode(&meta, is_file)
        {
            return inode;
        }
        Self(sha1(without_links(path).as_os_str().as_encoded_bytes()))
    }

    /// Returns `None` on a file system without inodes, where the number is 0.
    #[cfg(unix)]
    fn of_inode(meta: &fs::Metadata, is_file: bool) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        let mut parts = vec![meta.dev(), meta.ino()];
        if is_file {
            let time = [meta.mtime(), meta.mtime_nsec()].map(i64::cast_unsigned);
            parts.extend(time.into_iter().chain([meta.len()]));
        }
        let parts: Vec<_> = parts.iter().map(u64::to_string).collect();
        let parts = parts.iter().map(String::as_str);
        (meta.ino() != 0).then(|| Self(sha1_of_list(parts)))
    }
}

/// Returns a path without links and dots, as far as it exists; the rest stays as it is.
fn without_links(path: &Path) -> PathBuf {
    let path = path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let in_folder = || {
        let folder = fs::canonicalize(path.parent()?).ok()?;
        Some(folder.join(path.file_name()?))
    };
    let canonical = fs::canonicalize(&path).ok().or_else(in_folder);
    canonical.unwrap_or(path)
}
