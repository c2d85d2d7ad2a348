//! The files that a pattern matches, in an order that does not depend on the file system's.
//!
//! In: a pattern with `*`, `?`, `[`..`]` or `**`. Out: the files that it matches, folders that
//! cannot be listed, and notes on what is passed over. Links are followed, yet each folder is
//! searched once for each component of the pattern, so that links which lead back to it end.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    fs, io,
    path::{Component, Path, PathBuf, is_separator},
};

use glob::{Pattern, PatternError};

use super::{
    ArchivePath, NamedArchive, archive_name,
    identity::FileIdentity,
    walk::{passed_over, same_folder, special},
};
use crate::error::Error;

/// Adds the files that a pattern matches to `found`.
///
/// Wildcards match a dot at the beginning of a name, as any other character, but neither the folder
/// `.` nor `..`. Of the paths by which a folder is reached, one without a symbolic link counts,
/// else the first that was found.
///
/// # Errors
///
/// A word that is no pattern, and one that no file matches.
pub(super) fn search(
    word: &str,
    found: &mut Vec<NamedArchive>,
    notes: &mut Vec<String>,
) -> Result<(), Error> {
    let steps = steps(word)
        .map_err(|e| Error::usage(format!("{word}: this pattern cannot be read: {e}")))?;
    let before = found.len();
    // With a separator at its end it matches folders alone.
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
    // Says where in the whole a mistake is.
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
    /// Folders and the steps that were taken from them, each with the path by which it was.
    seen: HashMap<(FileIdentity, usize), PathBuf>,
    /// Folders that wait, with the step that is to be taken from them; the empty path is the
    /// current folder.
    folders: VecDeque<(PathBuf, usize)>,
    /// The same of folders that are symbolic links, which wait for all others.
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
                // A link to nothing is there, as it is where a folder is listed.
                if fs::symlink_metadata(&path).is_ok() {
                    let is_folder = path.is_dir();
                    self.take(path, is_folder, step + 1);
                }
            }
            PatternStep::Name(pattern) => {
                for (path, is_folder) in self.list(folder) {
                    let name = path.file_name().and_then(|name| name.to_str());
                    if name.is_some_and(|name| pattern.matches(name)) {
                        self.take(path, is_folder, step + 1);
                    }
                }
            }
            PatternStep::Folders => {
                // At the end of a pattern it matches folders alone.
                if step + 1 == self.steps.len() {
                    return;
                }
                self.wait(folder.to_owned(), step + 1);
                for (path, is_folder) in self.list(folder) {
                    if is_folder {
                        self.wait(path, step);
                    }
                }
            }
        }
    }

    /// Takes what the steps before `next` match.
    fn take(&mut self, path: PathBuf, is_folder: bool, next: usize) {
        if next < self.steps.len() {
            if is_folder {
                self.wait(path, next);
            }
            return;
        }
        if is_folder {
            return;
        }
        // A stream is not opened unasked.
        let kind = fs::metadata(&path).map(|meta| meta.file_type());
        match kind.ok().and_then(special) {
            Some(kind) => self.notes.push(passed_over(&path, kind)),
            None => self.found.push(NamedArchive::named(path)),
        }
    }

    fn wait(&mut self, folder: PathBuf, step: usize) {
        match folder.is_symlink() {
            true => self.links.push_back((folder, step)),
            false => self.folders.push_back((folder, step)),
        }
    }

    /// Returns what a folder holds, sorted, and of each entry whether it leads to a folder.
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
            Err(e) => {
                let path = or_current(folder).to_owned();
                // It may be listed for several steps.
                if self.unlisted.insert(path.clone()) {
                    self.found.push(NamedArchive {
                        name: archive_name(&path, None) + "/",
                        origin: ArchivePath::Unlisted(path, e),
                        is_linked: false,
                    });
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
