//! The temporary folder of a process, below `_tmp/`, for files that are not complete; that of a
//! dataset in S3 is in the folder of temporary files of this machine (`TMPDIR`).
//!
//! A marker file in it contains the folder's name, and its owner holds a lock on it. The operating
//! system releases the lock with the process, so another process that gets the lock knows that the
//! owner has ended, even if a new process has its number. Only such folders are deleted, and no
//! link is followed. Where files cannot be locked (some network file systems), no owner is known to
//! have ended and nothing is deleted; a file system whose locks are local to each machine must not
//! be shared by workers.

use std::{
    env,
    fs::{self, File, TryLockError},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use super::{MANIFEST_FOLDER, Pending, attempt, is_kind, is_link, is_remote, storage};
use crate::archive::error::{Error, FolderConflict};

pub(super) const TEMPORARY_FOLDER: &str = "_tmp";
const MARKER: &str = "robocensus-owner";
/// How often an operation is tried that another process can block for a moment.
const ATTEMPTS: usize = 20;
const PAUSE: Duration = Duration::from_millis(5);

/// The temporary folder of this process, deleted when it is dropped.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) folder: PathBuf,
    /// The folder of the note on unfinished work, which is in the dataset.
    pub(super) notes: PathBuf,
    _marker: File,
}

impl Session {
    /// Creates a folder below `_tmp/`, and deletes those of processes that have ended, after their
    /// unfinished work was finished. Whether a process that writes to S3 has ended is known only to
    /// one that writes alone.
    ///
    /// # Errors
    ///
    /// `_tmp` is a symbolic link, or the folder cannot be created.
    pub(super) fn begin(root: &Path, is_alone: bool) -> Result<Self, Error> {
        if !is_remote(root) {
            return Self::begin_in(root);
        }
        if is_alone {
            for notes in notes(root)? {
                Pending::settle(&notes, root);
            }
        }
        let mut session = Self::begin_in(&staging_folder())?;
        session.notes = root.join(TEMPORARY_FOLDER).join(name(&session.folder));
        Ok(session)
    }

    fn begin_in(root: &Path) -> Result<Self, Error> {
        let temporary = root.join(TEMPORARY_FOLDER);
        if is_link(&temporary) {
            let message =
                "this is a symbolic link, and temporary files are not written through one";
            return Err(Error::folder(temporary, FolderConflict::Foreign, message));
        }
        sweep(&temporary, root);
        let refused = |e| Error::io("cannot create this folder", &temporary)(e);
        for _ in 0..ATTEMPTS {
            let folder = temporary.join(attempt());
            // Another process may have removed `_tmp`, which it does at its end if it is empty, or
            // this folder, which had no marker yet.
            let marked = storage::unless_absent(mark(&folder)).map_err(refused)?;
            if let Some(marker) = marked.flatten() {
                return Ok(Self {
                    notes: folder.clone(),
                    folder,
                    _marker: marker,
                });
            }
            thread::sleep(PAUSE);
        }
        Err(refused(io::ErrorKind::ResourceBusy.into()))
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // The next process deletes what cannot be deleted now.
        let _ = remove(&self.folder);
        if let Some(temporary) = self.folder.parent() {
            let _ = fs::remove_dir(temporary);
            // The folder below that of temporary files, if it was made for a dataset in S3.
            if let Some(staging) = temporary.parent().filter(|_| self.notes != self.folder) {
                let _ = fs::remove_dir(staging);
            }
        }
    }
}

/// Returns the folder below which files for S3 are written, of each user another one.
fn staging_folder() -> PathBuf {
    let user = ["USER", "LOGNAME", "USERNAME"].iter().find_map(env::var_os);
    let user = user.unwrap_or_default();
    env::temp_dir().join(format!("robocensus-{}", user.display()))
}

/// Returns the folders of notes of a dataset in S3.
fn notes(root: &Path) -> Result<Vec<PathBuf>, Error> {
    let temporary = root.join(TEMPORARY_FOLDER);
    let files = storage::files_below(&temporary)?.into_iter();
    let folders = files.filter_map(|(file, _)| Some(temporary.join(file.split_once('/')?.0)));
    Ok(folders.collect())
}

/// Creates the folder and its marker, locked where that is possible; `None` if another process took
/// the folder for an abandoned one and deleted it.
fn mark(folder: &Path) -> io::Result<Option<File>> {
    fs::create_dir_all(folder)?;
    let path = folder.join(MARKER);
    let mut marker = File::options()
        .read(true)
        .write(true)
        .create_new(true)
        .open(&path)?;
    // A process that checks whether the owner has ended holds the lock for a moment.
    while let Err(TryLockError::WouldBlock) = marker.try_lock() {
        thread::sleep(PAUSE);
    }
    if !path.exists() {
        return Ok(None);
    }
    marker.write_all(name(folder).as_bytes())?;
    Ok(Some(marker))
}

/// Waits until no other process publishes, and locks publishing while the value lives; `None` where
/// folders cannot be locked.
pub fn publishing(root: &Path) -> Option<File> {
    if is_remote(root) {
        return None;
    }
    let folder = File::open(root.join(MANIFEST_FOLDER)).ok()?;
    folder.lock().ok().map(|()| folder)
}

/// Returns a file that no manifest names, since a process died while it published or deleted files;
/// in S3 it may still do so. Every query would count its rows. The next run into the folder deletes
/// it; in S3 a run that resumes does.
///
/// # Errors
///
/// A dataset in S3 that cannot be listed.
pub fn leftover(root: &Path) -> Result<Option<PathBuf>, Error> {
    if is_remote(root) {
        let notes = notes(root)?;
        let mut left = notes.iter().flat_map(|folder| Pending::left(folder, root));
        return Ok(left.next());
    }
    let Ok(entries) = fs::read_dir(root.join(TEMPORARY_FOLDER)) else {
        return Ok(None);
    };
    Ok(entries.flatten().find_map(|entry| {
        let folder = entry.path();
        let first = Pending::left(&folder, root).into_iter().next()?;
        let marker = File::open(folder.join(MARKER)).ok()?;
        (is_session(&folder) && marker.try_lock_shared().is_ok()).then_some(first)
    }))
}

/// Deletes the folders of processes that have ended, and finishes their work.
fn sweep(temporary: &Path, root: &Path) {
    // Folders that cannot be listed or deleted only waste space.
    let Ok(entries) = fs::read_dir(temporary) else {
        return;
    };
    let folders = entries.flatten().map(|entry| entry.path());
    for folder in folders.filter(|folder| is_session(folder)) {
        let path = folder.join(MARKER);
        if !is_kind(&path, fs::FileType::is_file) {
            // Its owner has not created the marker: the folder is empty.
            let _ = fs::remove_dir(&folder);
            continue;
        }
        // An owner that may be running holds the lock. That of one that has ended is held here
        // until the folder is gone, so that only one process deletes it.
        if let Ok(marker) = File::options().read(true).write(true).open(&path)
            && marker.try_lock().is_ok()
        {
            let _guard = publishing(root);
            Pending::settle(&folder, root);
            let _ = remove(&folder);
        }
    }
}

/// Returns true if and only if this program created everything in `_tmp/`, which may be absent.
pub(super) fn is_ours(temporary: &Path) -> bool {
    let is_absent =
        |path: &Path| matches!(storage::unless_absent(fs::symlink_metadata(path)), Ok(None));
    // A folder that its owner creates or deletes at this moment may look foreign, but not for long.
    let is_of_session = |path: &Path| {
        (0..ATTEMPTS).any(|attempt| {
            if attempt > 0 {
                thread::sleep(PAUSE);
            }
            is_session(path) || is_absent(path)
        })
    };
    if is_absent(temporary) {
        return true;
    }
    let all = |entries: fs::ReadDir| entries.flatten().all(|entry| is_of_session(&entry.path()));
    match fs::read_dir(temporary) {
        Ok(entries) => !is_link(temporary) && all(entries),
        Err(_) => is_absent(temporary),
    }
}

/// Returns true if and only if this program created the folder: its name is that of an attempt, and
/// it has a marker with that name, or no more than an owner that was killed at its start leaves.
fn is_session(folder: &Path) -> bool {
    let name = name(folder);
    let mut numbers = name.split('.');
    let mut is_number = || {
        let number = numbers.next().unwrap_or_default();
        !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
    };
    let is_attempt = is_number() && is_number() && numbers.next().is_none();
    if !is_attempt || !is_kind(folder, fs::FileType::is_dir) {
        return false;
    }
    let marker = folder.join(MARKER);
    if !is_kind(&marker, fs::FileType::is_file) {
        return n_entries(folder) == 0;
    }
    let mut written = String::new();
    // At most one byte more than the name: a foreign file may have any size.
    let most = name.len() as u64 + 1;
    let read = File::open(&marker).and_then(|file| file.take(most).read_to_string(&mut written));
    read.is_ok() && (written == name || written.is_empty() && n_entries(folder) == 1)
}

/// Deletes a folder, its marker last: until then it is known to be of this program.
fn remove(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else if entry.file_name() != MARKER {
            fs::remove_file(entry.path())?;
        }
    }
    fs::remove_file(folder.join(MARKER))?;
    fs::remove_dir(folder)
}

fn n_entries(folder: &Path) -> usize {
    fs::read_dir(folder).map_or(0, Iterator::count)
}

fn name(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders(root: &Path) -> Vec<String> {
        let entries = fs::read_dir(root.join(TEMPORARY_FOLDER)).into_iter();
        let mut names: Vec<_> = entries
            .flatten()
            .map(|entry| name(&entry.unwrap().path()))
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_folder_lives_as_long_as_its_owner() {
        let dir = tempfile::tempdir().unwrap();
        let first = Session::begin(dir.path(), true).unwrap();
        fs::write(first.folder.join("x"), "x").unwrap();
        let second = Session::begin(dir.path(), true).unwrap();
        assert_eq!(folders(dir.path()).len(), 2);
        assert!(first.folder.join("x").exists());
        drop(first);
        assert_eq!(folders(dir.path()), [name(&second.folder)]);
        drop(second);
        assert!(!dir.path().join(TEMPORARY_FOLDER).exists());
    }

    #[cfg(unix)]
    #[test]
    fn what_a_dead_owner_left_is_deleted_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let temporary = dir.path().join(TEMPORARY_FOLDER);
        let make = |folder: &str, marker: Option<&str>| {
            fs::create_dir_all(temporary.join(folder).join("part")).unwrap();
            if let Some(marker) = marker {
                fs::write(temporary.join(folder).join(MARKER), marker).unwrap();
            }
        };
        make("1.2", Some("1.2"));
        fs::create_dir(temporary.join("3.4")).unwrap();
        make("5.6", None);
        make("7.8", Some("1.2"));
        make("thesis", Some("thesis"));
        make("9.9", Some(""));
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join(MARKER), "11.12").unwrap();
        std::os::unix::fs::symlink(outside.path(), temporary.join("11.12")).unwrap();
        assert!(!is_ours(&temporary));
        drop(Session::begin(dir.path(), true).unwrap());
        assert_eq!(
            folders(dir.path()),
            ["11.12", "5.6", "7.8", "9.9", "thesis"]
        );
        assert!(outside.path().join(MARKER).exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_refused() {
        let (dir, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let link = dir.path().join(TEMPORARY_FOLDER);
        std::os::unix::fs::symlink(outside.path(), &link).unwrap();
        assert!(!is_ours(&link));
        let error = Session::begin(dir.path(), true).unwrap_err().to_string();
        assert!(error.contains("symbolic link"), "{error}");
    }
}
