//! The contents of a dataset: its files, links as links, their sizes and digests.

use std::{collections::HashMap, fs, path::Path};

use super::{is_remote, storage};
use crate::{
    archive::error::Error,
    digest::{Hasher, hex},
};

/// An entry below a folder that is not a folder itself, or a folder whose name is not UTF-8.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DirectoryEntry {
    /// Its path below the dataset's folder, with `/`; what is no UTF-8 in it is U+FFFD.
    pub path: String,
    /// Whether it is a regular file with a name in UTF-8, and no link, pipe or device.
    pub is_file: bool,
}

/// Returns the entries below a folder of the dataset, by path; a folder that is absent has none,
/// and links are listed, not followed.
///
/// # Errors
///
/// A folder that cannot be listed.
pub fn list(root: &Path, folder: &str) -> Result<Vec<DirectoryEntry>, Error> {
    if is_remote(root) {
        let files = storage::files_below(&root.join(folder))?.into_iter();
        let files = files.map(|(name, _)| DirectoryEntry {
            path: format!("{folder}/{name}"),
            is_file: true,
        });
        let mut files: Vec<_> = files.collect();
        files.sort();
        return Ok(files);
    }
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(below) = waiting.pop() {
        let path = root.join(&below);
        let meta = storage::unless_absent(fs::symlink_metadata(&path));
        let Some(meta) = meta.map_err(Error::io("cannot read", &path))? else {
            continue;
        };
        let kind = meta.file_type();
        if !kind.is_dir() {
            let is_file = kind.is_file();
            found.push(DirectoryEntry {
                path: below,
                is_file,
            });
            continue;
        }
        let entries = fs::read_dir(&path).map_err(Error::io("cannot list", &path))?;
        for entry in entries {
            let name = entry.map_err(Error::io("cannot list", &path))?.file_name();
            match name.to_str() {
                Some(name) => waiting.push(format!("{below}/{name}")),
                // This program gives no such name, so the file need not be found by it.
                None => found.push(DirectoryEntry {
                    path: format!("{below}/{}", name.to_string_lossy()),
                    is_file: false,
                }),
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Returns the SHA-1 of a file, 40 hexadecimal digits, and its bytes.
///
/// # Errors
///
/// A file that cannot be read.
pub fn digest_of(path: &Path) -> Result<(String, u64), Error> {
    let mut hasher = Hasher::default();
    let mut bytes = 0;
    storage::read_through(path, |chunk| {
        hasher.update(chunk);
        bytes += chunk.len() as u64;
    })?;
    Ok((hex(&hasher.finish()), bytes))
}

/// The sizes of a dataset's files: those of S3 are listed once, since to ask for each would take as
/// many requests.
pub enum FileSizes<'r> {
    /// Of the files of a folder.
    Folder(&'r Path),
    /// By path below the dataset's root.
    Listed(HashMap<String, u64>),
}

impl<'r> FileSizes<'r> {
    /// Returns the sizes of the files of a dataset.
    ///
    /// # Errors
    ///
    /// A dataset in S3 that cannot be listed.
    pub fn of_dataset(root: &'r Path) -> Result<Self, Error> {
        if !is_remote(root) {
            return Ok(Self::Folder(root));
        }
        let files = storage::files_below(root)?.into_iter();
        Ok(Self::Listed(files.collect()))
    }

    /// Returns how a file differs from one of so many bytes, as a clause; `None` if it does not.
    pub(super) fn damage(&self, path: &str, bytes: u64) -> Option<String> {
        let found = match self {
            Self::Folder(root) => match fs::symlink_metadata(root.join(path)) {
                Ok(meta) if !meta.is_file() => return Some(format!("{path} is no file")),
                found => found.ok().map(|meta| meta.len()),
            },
            Self::Listed(sizes) => sizes.get(path).copied(),
        };
        match found {
            None => Some(format!("{path} is missing")),
            Some(found) => {
                (found != bytes).then(|| format!("{path} has {found} bytes, and had {bytes}"))
            }
        }
    }
}
