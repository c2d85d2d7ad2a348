//! The files in and below a folder, and those that a pattern with `*`, `?`, `[`..`]` or `**`
//! matches, in an order that does not depend on the file system.
//!
//! Links are followed, but each folder is searched once for each component of the pattern, so that
//! cycles of links end. Folders are searched in the order of their paths, first those reached
//! without a symbolic link, then those that links lead to. So of several paths to a folder, the one
//! without a link counts, else the one with the fewest links, else the first in order.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    fs::{self, FileType},
    io,
    path::{Component, Path, PathBuf, is_separator},
};

use glob::{Pattern, PatternError};

use super::{
    ArchivePath, NamedArchive, archive_name, file::Unlisted, has_archive_name,
    identity::FileIdentity,
};
use crate::archive::error::Error;

/// Adds the archives in and below a folder to `found`. A folder below it that cannot be listed is
/// added as an archive that cannot be opened.
///
/// # Errors
///
/// The folder itself cannot be listed.
pub(super) fn walk(
    root: &Path,
    found: &mut Vec<NamedArchive>,
    notes: &mut Vec<String>,
) -> Result<(), Error> {
    fs::read_dir(root).map_err(Error::io("cannot list", root))?;
    let mut search = Search::new(&[PatternStep::Below], found, notes);
    search.root = Some(root);
    search.run(root);
    Ok(())
}

/// Adds the files that a pattern matches to `found`.
///
/// Wildcards match a dot at the beginning of a name like any other character, but not the folders
/// `.` and `..`.
///
/// # Errors
///
/// A pattern that is invalid, and one that no file matches.
pub(super) fn search(
    word: &str,
    found: &mut Vec<NamedArchive>,
    notes: &mut Vec<String>,
) -> Result<(), Error> {
    let steps =
        steps(word).map_err(|e| Error::usage(format!("{word}: this pattern is invalid: {e}")))?;
    let before = found.len();
    // With a separator at its end it matches only folders.
    if !word.ends_with(is_separator) {
        Search::new(&steps, found, notes).run(Path::new(""));
    }
    if found.len() == before {
        let message = format!("{word}: no file matches this pattern");
        return Err(Error::usage(message));
    }
    Ok(())
}

/// A component of a pattern.
enum PatternStep {
    /// A name without wildcards, the root, or `..`.
    Literal(PathBuf),
    /// A pattern of names.
    Name(Pattern),
    /// `**`: any number of folders.
    Folders,
    /// All files in the folder and below it.
    Below,
}

fn steps(word: &str) -> Result<Vec<PatternStep>, PatternError> {
    // The position in an error is that in the whole pattern.
    Pattern::new(word)?;
    let components = Path::new(word).components();
    let components = components.filter(|component| *component != Component::CurDir);
    let step = |component: Component<'_>| {
        let text = component.as_os_str().to_string_lossy();
        Ok(match &*text {
            "**" => PatternStep::Folders,
            text if text.contains(['*', '?', '[']) => PatternStep::Name(Pattern::new(text)?),
            text => PatternStep::Literal(text.into()),
        })
    };
    components.map(step).collect()
}

/// A folder to be searched.
struct Visit {
    /// The empty path is the current folder.
    folder: PathBuf,
    /// The component that its entries must match.
    step: usize,
    /// Whether it is, or was reached by, a symbolic link.
    is_linked: bool,
}

struct Search<'a> {
    steps: &'a [PatternStep],
    /// The input folder, if it is one: its archives are named below it, and other files are left
    /// out.
    root: Option<&'a Path>,
    /// Folders and steps that were searched, with the path by which the folder was reached.
    seen: HashMap<(FileIdentity, usize), PathBuf>,
    /// The last is the next.
    folders: Vec<Visit>,
    /// Symbolic links to folders, which are followed last.
    links: VecDeque<Visit>,
    unlisted: HashSet<PathBuf>,
    found: &'a mut Vec<NamedArchive>,
    notes: &'a mut Vec<String>,
}

/// An entry of a folder.
struct FolderEntry {
    path: PathBuf,
    /// Whether it is or leads to a folder.
    is_folder: bool,
}

impl<'a> Search<'a> {
    fn new(
        steps: &'a [PatternStep],
        found: &'a mut Vec<NamedArchive>,
        notes: &'a mut Vec<String>,
    ) -> Self {
        Self {
            steps,
            root: None,
            seen: HashMap::new(),
            folders: Vec::new(),
            links: VecDeque::new(),
            unlisted: HashSet::new(),
            found,
            notes,
        }
    }

    fn run(&mut self, start: &Path) {
        let mut next = Some(Visit {
            folder: start.to_owned(),
            step: 0,
            is_linked: false,
        });
        while let Some(visit) = next {
            let entered = self.folders.len();
            self.visit(&visit);
            // They were pushed in their order.
            self.folders[entered..].reverse();
            next = self.next();
        }
    }

    fn next(&mut self) -> Option<Visit> {
        while let Some(visit) = self.folders.pop() {
            if !visit.folder.is_symlink() {
                return Some(visit);
            }
            self.links.push_back(Visit {
                is_linked: true,
                ..visit
            });
        }
        self.links.pop_front()
    }

    fn visit(&mut self, visit: &Visit) {
        let (folder, step, is_linked) = (&visit.folder, visit.step, visit.is_linked);
        let id = FileIdentity::of_folder(or_current(folder));
        if let Some(first) = self.seen.get(&(id, step)) {
            if first != folder {
                self.notes.push(format!(
                    "{}: the same folder as {}, which is read once",
                    folder.display(),
                    first.display()
                ));
            }
            return;
        }
        self.seen.insert((id, step), folder.clone());
        let is_last = step + 1 == self.steps.len();
        match &self.steps[step] {
            PatternStep::Literal(name) => {
                let path = folder.join(name);
                // A dangling link exists, as in the list of a folder.
                if fs::symlink_metadata(&path).is_ok() {
                    let is_folder = path.is_dir();
                    self.add(FolderEntry { path, is_folder }, step + 1, is_linked);
                }
            }
            PatternStep::Name(pattern) => {
                for entry in self.list(visit) {
                    let name = entry.path.file_name().and_then(|name| name.to_str());
                    if name.is_some_and(|name| pattern.matches(name)) {
                        self.add(entry, step + 1, is_linked);
                    }
                }
            }
            // At the end of a pattern it matches only folders.
            PatternStep::Folders if is_last => {}
            PatternStep::Folders => {
                self.push(folder.clone(), step + 1, is_linked);
                for entry in self.list(visit) {
                    if entry.is_folder {
                        self.push(entry.path, step, is_linked);
                    }
                }
            }
            PatternStep::Below => {
                for entry in self.list(visit) {
                    let next = if entry.is_folder { step } else { step + 1 };
                    self.add(entry, next, is_linked);
                }
            }
        }
    }

    /// Adds an entry that the steps before `next` match.
    fn add(&mut self, entry: FolderEntry, next: usize, is_linked: bool) {
        let FolderEntry { path, is_folder } = entry;
        if next < self.steps.len() {
            if is_folder {
                self.push(path, next, is_linked);
            }
            return;
        }
        if is_folder || self.root.is_some() && !has_archive_name(&path) {
            return;
        }
        // A stream is only opened if its own path is an input.
        let kind = fs::metadata(&path).map(|meta| meta.file_type());
        match kind.ok().and_then(special) {
            Some(kind) => self.notes.push(format!(
                "{}: {kind}, not a file, so it is skipped",
                path.display()
            )),
            None => {
                let name = archive_name(&path, self.root);
                let is_linked = is_linked || path.is_symlink();
                let origin = ArchivePath::File(path.into(), is_linked);
                self.found.push(NamedArchive::new(&name, origin));
            }
        }
    }

    fn push(&mut self, folder: PathBuf, step: usize, is_linked: bool) {
        self.folders.push(Visit {
            folder,
            step,
            is_linked,
        });
    }

    /// Returns the entries of a folder, sorted.
    fn list(&mut self, visit: &Visit) -> Vec<FolderEntry> {
        let folder = or_current(&visit.folder);
        let listed = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let mut entries = match listed {
            Ok(entries) => entries,
            Err(e) => {
                // Several steps may list the folder.
                if self.unlisted.insert(folder.to_owned()) {
                    let name = archive_name(folder, self.root) + "/";
                    let (path, reason) = (folder.to_owned(), e);
                    let origin = ArchivePath::Unlisted(Box::new(Unlisted { path, reason }));
                    self.found.push(NamedArchive::new(&name, origin));
                }
                return Vec::new();
            }
        };
        entries.sort_by_key(fs::DirEntry::file_name);
        let entry = |entry: fs::DirEntry| FolderEntry {
            path: visit.folder.join(entry.file_name()),
            is_folder: match entry.file_type() {
                Ok(kind) if !kind.is_symlink() => kind.is_dir(),
                _ => entry.path().is_dir(),
            },
        };
        entries.into_iter().map(entry).collect()
    }
}

fn or_current(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    }
}

/// Returns the kind of an entry that is neither a file nor a folder.
fn special(kind: FileType) -> Option<&'static str> {
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
