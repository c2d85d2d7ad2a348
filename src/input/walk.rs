//! What a folder holds: the archives in and below it, each folder read once whatever links lead to
//! it.
//!
//! In: a folder. Out: archives, folders that cannot be listed, and notes on what is passed over, in
//! an order that does not depend on the file system's.

use std::{
    collections::{HashMap, VecDeque},
    fs::{self, FileType},
    io,
    path::{Path, PathBuf},
};

use walkdir::WalkDir;

use super::{ArchivePath, NamedArchive, archive_name, has_archive_name, identity::FileIdentity};
use crate::error::Error;

/// Adds the archives in and below a folder to `found`.
///
/// Folders are read first where no symbolic link leads, in the order of their paths; then those
/// that links lead to and that were not read before. So of the names that a folder has by links,
/// the one without a link counts, else the one by fewest links, else the first by its path.
///
/// # Errors
///
/// The folder itself cannot be listed; a folder below it that cannot is an archive that cannot be
/// opened.
pub(super) fn walk(
    root: &Path,
    found: &mut Vec<NamedArchive>,
    notes: &mut Vec<String>,
) -> Result<(), Error> {
    fs::read_dir(root).map_err(Error::io("cannot list", root))?;
    let mut walk = FolderWalk {
        root,
        seen: HashMap::from([(FileIdentity::of_folder(root), root.to_owned())]),
        links: VecDeque::new(),
        found,
        notes,
    };
    walk.folder(root, false);
    while let Some(link) = walk.links.pop_front() {
        walk.follow(&link);
    }
    Ok(())
}

struct FolderWalk<'a> {
    root: &'a Path,
    /// Folders that were read, each with the path by which it was.
    seen: HashMap<FileIdentity, PathBuf>,
    /// Symbolic links that wait to be followed.
    links: VecDeque<PathBuf>,
    found: &'a mut Vec<NamedArchive>,
    notes: &'a mut Vec<String>,
}

impl FolderWalk<'_> {
    /// Reads a folder and what is below it, up to links.
    fn folder(&mut self, folder: &Path, is_linked: bool) {
        let mut entries = WalkDir::new(folder)
            .min_depth(1)
            .sort_by_file_name()
            .into_iter();
        while let Some(entry) = entries.next() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let path = error.path().unwrap_or(folder).to_owned();
                    let reason = error.into();
                    self.add(path, is_linked, Some(reason));
                    continue;
                }
            };
            let kind = entry.file_type();
            if kind.is_dir() {
                // Without links only a mount can show a folder in two paths.
                if self.was_seen(entry.path()) {
                    entries.skip_current_dir();
                }
            } else if kind.is_symlink() {
                self.links.push_back(entry.into_path());
            } else {
                self.file(entry.into_path(), kind, is_linked);
            }
        }
    }

    fn follow(&mut self, link: &Path) {
        match fs::metadata(link) {
            Ok(target) if target.is_dir() => {
                if !self.was_seen(link) {
                    self.folder(link, true);
                }
            }
            Ok(target) => self.file(link.to_owned(), target.file_type(), true),
            // A link to nothing is an archive that cannot be opened, if its name says archive.
            Err(_) if has_archive_name(link) => self.add(link.to_owned(), true, None),
            Err(_) => {}
        }
    }

    fn file(&mut self, path: PathBuf, kind: FileType, is_linked: bool) {
        if !has_archive_name(&path) {
            return;
        }
        match special(kind) {
            None => self.add(path, is_linked, None),
            Some(kind) => self.notes.push(passed_over(&path, kind)),
        }
    }

    fn add(&mut self, path: PathBuf, is_linked: bool, reason: Option<io::Error>) {
        let mut name = archive_name(&path, Some(self.root));
        let origin = match reason {
            None => ArchivePath::File(path),
            Some(reason) => {
                name.push('/');
                ArchivePath::Unlisted(path, reason)
            }
        };
        self.found.push(NamedArchive {
            name,
            origin,
            is_linked,
        });
    }

    /// Returns whether a folder was read before, and notes that it is read now or that it was.
    fn was_seen(&mut self, folder: &Path) -> bool {
        let id = FileIdentity::of_folder(folder);
        if let Some(first) = self.seen.get(&id) {
            self.notes.push(same_folder(folder, first));
            return true;
        }
        self.seen.insert(id, folder.to_owned());
        false
    }
}

/// Returns a note on a folder that was read by another path.
pub(super) fn same_folder(folder: &Path, first: &Path) -> String {
    format!(
        "{}: the same folder as {}, which is read once",
        folder.display(),
        first.display()
    )
}

/// Returns a note on what is no file and was not named by its own path.
pub(super) fn passed_over(path: &Path, kind: &str) -> String {
    format!(
        "{}: {kind} and no file, so it is passed over",
        path.display()
    )
}

/// Returns what a file is that has no size and can be read but once, if at all.
pub(super) fn special(kind: FileType) -> Option<&'static str> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return Some("a named pipe");
        }
        if kind.is_socket() {
            return Some("a socket");
        }
    }
    (!kind.is_file() && !kind.is_dir()).then_some("a device")
}
