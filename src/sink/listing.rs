//! The contents of a folder of a dataset: its files, links as links, and their digests.

use std::{
    fs::{self, File},
    io::{ErrorKind, Read},
    path::Path,
};

use crate::{
    digest::{Hasher, hex},
    error::Error,
};

/// Bytes that are hashed at once.
const CHUNK_BYTES: usize = 256 * 1024;

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
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(below) = waiting.pop() {
        let path = root.join(&below);
        let kind = match fs::symlink_metadata(&path) {
            Ok(meta) => meta.file_type(),
            Err(e) if e.kind() == ErrorKind::NotFound => continue,
            Err(e) => return Err(Error::io("cannot read", &path)(e)),
        };
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
    let mut file = File::open(path).map_err(Error::io("cannot open", path))?;
    let mut hasher = Hasher::default();
    let mut bytes = 0;
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        match file.read(&mut chunk) {
            Ok(0) => return Ok((hex(&hasher.finish()), bytes)),
            Ok(n) => {
                hasher.update(&chunk[..n]);
                bytes += n as u64;
            }
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(Error::io("cannot read", path)(e)),
        }
    }
}

/// Returns true if and only if there is a symbolic link.
pub(super) fn is_link(path: &Path) -> bool {
    is_kind(path, fs::FileType::is_symlink)
}

/// Returns true if and only if there is an entry of this type; a link is not followed.
pub(super) fn is_kind(path: &Path, is: fn(&fs::FileType) -> bool) -> bool {
    fs::symlink_metadata(path).is_ok_and(|meta| is(&meta.file_type()))
}
