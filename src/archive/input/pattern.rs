//! The files that a pattern with `*`, `?`, `[`..`]` or `**` matches, in an order that does not
//! depend on the file system.
//!
//! Links are followed, but each folder is searched once for each component of the pattern, so that
//! cycles of links end.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    fs, io,
    path::{Component, Path, PathBuf, is_separator},
};

use glob::{Pattern, PatternError};

use super::{
    ArchivePath, NamedArchive, Unlisted, archive_name,
    identity::FileIdentity,
    walk::{same_folder, skipped, special},
};
use crate::archive::error::Error;

/// Adds the files that a pattern matches to `found`.
///
/// Wildcards match a dot at the beginning of a name like any other character, but not the folders
/// `.` and `..`. Of several paths to a folder, one without a symbolic link counts, else the first
/// found.
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
        let mut search = Search {
            steps: &steps,
            seen: HashMap::new(),
            folders: VecDeque::from([(PathBuf::new(), 0)]),
            links: VecDeque::new(),
            unlisted: HashSet::new(),
            found,
            notes,
        };
        while let Some((folder, step)) = search.next() {
            search.folder(&folder, step);
        }
    }
    match found.len() == before {
        true => Err(Error::usage(format!(
            "{word}: no file matches this pattern"
        ))),
        false => Ok(()),
    }
}

/// A component of a pattern.
enum PatternStep {
    /// A name without wildcards, the root, or `..`.
    Literal(PathBuf),
    /// A pattern of names.
    Name(Pattern),
    /// `**`: any number of folders.
    Folders,
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

struct Search<'a> {
    steps: &'a [PatternStep],
    /// Folders and steps that were searched, with the path by which the folder was reached.
    seen: HashMap<(FileIdentity, usize), PathBuf>,
    /// Folders to be searched, each with its step; the empty path is the current folder.
    folders: VecDeque<(PathBuf, usize)>,
    /// The same for folders that are symbolic links, which are searched last.
    links: VecDeque<(PathBuf, usize)>,
    unlisted: HashSet<PathBuf>,
    found: &'a mut Vec<NamedArchive>,
    notes: &'a mut Vec<String>,
}

impl Search<'_> {
    fn next(&mut self) -> Option<(PathBuf, usize)> {
        self.folders.pop_front().or_else(|| self.links.pop_front())
    }

    fn folder(&mut self, folder: &Path, step: usize) {
        let id = FileIdentity::of_folder(or_current(folder));
        if let Some(first) = self.seen.get(&(id.clone(), step)) {
            if first != folder {
                self.notes.push(same_folder(folder, first));
            }
            return;
        }
        self.seen.insert((id, step), folder.to_owned());
        match &self.steps[step] {
            PatternStep::Literal(name) => {
                let path = folder.join(name);
                // A dangling link exists, as in the list of a folder.
                if fs::symlink_metadata(&path).is_ok() {
                    let is_folder = path.is_dir();
                    self.add(path, is_folder, step + 1);
                }
            }
            PatternStep::Name(pattern) => {
                for (path, is_folder) in self.list(folder) {
                    let name = path.file_name().and_then(|name| name.to_str());
                    if name.is_some_and(|name| pattern.matches(name)) {
                        self.add(path, is_folder, step + 1);
                    }
                }
            }
            PatternStep::Folders => {
                // At the end of a pattern it matches only folders.
                if step + 1 == self.steps.len() {
                    return;
                }
                self.push(folder.to_owned(), step + 1);
                for (path, is_folder) in self.list(folder) {
                    if is_folder {
                        self.push(path, step);
                    }
                }
            }
        }
    }

    /// Adds a path that the steps before `next` match.
    fn add(&mut self, path: PathBuf, is_folder: bool, next: usize) {
        if next < self.steps.len() {
            if is_folder {
                self.push(path, next);
            }
            return;
        }
        if is_folder {
            return;
        }
        // A stream is only opened if its own path is an input.
        let kind = fs::metadata(&path).map(|meta| meta.file_type());
        match kind.ok().and_then(special) {
            Some(kind) => self.notes.push(skipped(&path, kind)),
            None => self.found.push(NamedArchive::named(path)),
        }
    }

    fn push(&mut self, folder: PathBuf, step: usize) {
        match folder.is_symlink() {
            true => self.links.push_back((folder, step)),
            false => self.folders.push_back((folder, step)),
        }
    }

    /// Returns the entries of a folder, sorted, and whether each is or leads to a folder.
    fn list(&mut self, folder: &Path) -> Vec<(PathBuf, bool)> {
        let listed =
            fs::read_dir(or_current(folder)).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        match listed {
            Ok(entries) => {
                let is_folder = |entry: &fs::DirEntry| match entry.file_type() {
                    Ok(kind) if !kind.is_symlink() => kind.is_dir(),
                    _ => entry.path().is_dir(),
                };
                let entry = |entry: fs::DirEntry| {
                    let is_folder = is_folder(&entry);
                    (folder.join(entry.file_name()), is_folder)
                };
                let mut entries: Vec<_> = entries.into_iter().map(entry).collect();
                entries.sort();
                entries
            }
            Err(reason) => {
                let path = or_current(folder).to_owned();
                // Several steps may list the folder.
                if self.unlisted.insert(path.clone()) {
                    let name = archive_name(&path, None) + "/";
                    let origin = ArchivePath::Unlisted(Box::new(Unlisted { path, reason }));
                    self.found.push(NamedArchive::new(&name, origin));
                }
                Vec::new()
            }
        }
    }
}

fn or_current(folder: &Path) -> &Path {
    match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    }
}
