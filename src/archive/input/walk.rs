//! The archives in and below a folder, in an order that does not depend on the file system; each
//! folder is read once, whatever links lead to it.

use std::{
    collections::{HashMap, VecDeque},
    fs::{self, FileType},
    io,
    path::{Path, PathBuf},
};

use walkdir::WalkDir;

use super::{
    ArchivePath, NamedArchive, Unlisted, archive_name, has_archive_name, identity::FileIdentity,
};
use crate::archive::error::Error;

/// Adds the archives in and below a folder to `found`.
///
/// Folders are read in the order of their paths, first those reached without a symbolic link, then
/// those that links lead to. So of several paths to a folder, the one without a link counts, else
/// the one with the fewest links, else the first in order.
///
/// # Errors
///
/// The folder itself cannot be listed. A folder below it that cannot is added as an archive that
/// cannot be opened.
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
    /// Folders that were read, with the path by which each was reached.
    seen: HashMap<FileIdentity, PathBuf>,
    /// Symbolic links to be followed.
    links: VecDeque<PathBuf>,
    found: &'a mut Vec<NamedArchive>,
    notes: &'a mut Vec<String>,
}

impl FolderWalk<'_> {
    /// Reads a folder and those below it, without following links.
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
                // Without links only a mount can give a folder two paths.
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
            // A dangling link with the name of an archive is one that cannot be opened.
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
            Some(kind) => self.notes.push(skipped(&path, kind)),
        }
    }

    fn add(&mut self, path: PathBuf, is_linked: bool, reason: Option<io::Error>) {
        let mut name = archive_name(&path, Some(self.root));
        let origin = match reason {
            None => ArchivePath::File(path.into(), is_linked),
            Some(reason) => {
                name.push('/');
                ArchivePath::Unlisted(Box::new(Unlisted { path, reason }))
            }
        };
        self.found.push(NamedArchive::new(&name, origin));
    }

    /// Returns whether a folder was read before, with a note if it was, and records it if not.
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

/// Returns a note on an entry that is neither a file nor a folder and is not an input itself.
pub(super) fn skipped(path: &Path, kind: &str) -> String {
    format!("{}: {kind}, not a file, so it is skipped", path.display())
}

/// Returns the kind of an entry that is neither a file nor a folder.
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
