//! The journal of changes to published files, written before they begin.
//!
//! Publishing a part and deleting a dataset touch many files, which no file system does atomically.
//! A process that dies between two of them leaves this note in its temporary folder, or in a folder
//! of that name below `_tmp/` in S3, and the process that deletes that folder finishes the work:
//! files of a part without its manifest are deleted, so that no query counts them.

use std::{
    fs,
    path::{Component, Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{is_kind, is_remote, storage, write_whole};
use crate::archive::error::Error;

const NOTE: &str = "pending.json";

/// Files that are to be deleted unless their manifest exists.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Pending {
    /// The path of the manifest below the dataset's folder; `None` if the files are to be deleted
    /// in any case.
    pub manifest: Option<String>,
    /// Their paths below the dataset's folder, with `/`.
    pub files: Vec<String>,
}

impl Pending {
    /// Writes the note to the folder of a process; `temporary` is one of the same file system.
    pub fn note(&self, session: &Path, temporary: &Path) -> Result<(), Error> {
        write_whole(temporary, &session.join(NOTE), self)
    }

    /// Deletes the note of a process: the work is done.
    pub fn forget(session: &Path) {
        // If it stays, the next process finds the manifest and deletes nothing.
        let _ = storage::delete(&session.join(NOTE));
    }

    /// Finishes the work that the owner of a temporary folder below `root` left unfinished, while
    /// no other process publishes. What cannot be deleted stays, and a verification reports it.
    pub fn settle(session: &Path, root: &Path) {
        for file in Self::left(session, root) {
            let _ = storage::delete(&file);
        }
        Self::forget(session);
    }

    /// Returns the files that would not exist if the owner of a temporary folder had finished its
    /// work.
    pub fn left(session: &Path, root: &Path) -> Vec<PathBuf> {
        let note = storage::read(&session.join(NOTE)).unwrap_or_default();
        let Ok(pending) = serde_json::from_slice::<Self>(&note) else {
            return Vec::new();
        };
        let is_done = pending
            .manifest
            .is_some_and(|path| storage::exists(&root.join(path)).unwrap_or(true));
        if is_done {
            return Vec::new();
        }
        let files = pending.files.iter().filter_map(|file| below(root, file));
        files.filter(|file| storage::is_file(file)).collect()
    }
}

/// Returns the path of a file below a folder, unless `..` or a link in it leads out of the folder.
fn below(root: &Path, file: &str) -> Option<PathBuf> {
    let mut path = root.to_owned();
    for component in Path::new(file).components() {
        if !is_remote(root) && path != root && !is_kind(&path, fs::FileType::is_dir) {
            return None;
        }
        match component {
            Component::Normal(name) => path.push(name),
            _ => return None,
        }
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_outside_of_the_folder_is_deleted() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("census");
        let session = root.join("_tmp/1.2");
        fs::create_dir_all(&session).unwrap();
        fs::create_dir_all(root.join("captures")).unwrap();
        fs::write(root.join("captures/part-a.parquet"), "ours").unwrap();
        fs::write(dir.path().join("thesis"), "mine").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(dir.path(), root.join("out")).unwrap();
        let absolute = dir.path().join("thesis").to_str().unwrap().to_owned();
        let files = [
            "captures/part-a.parquet",
            "../thesis",
            "out/thesis",
            &absolute,
        ];
        let pending = Pending {
            manifest: Some("_manifest/a.json".to_owned()),
            files: files.map(str::to_owned).to_vec(),
        };
        pending.note(&session, &session).unwrap();
        Pending::settle(&session, &root);
        assert!(!root.join("captures/part-a.parquet").exists());
        assert!(dir.path().join("thesis").exists());
        assert!(!session.join(NOTE).exists());
    }

    #[test]
    fn the_files_of_a_published_part_stay() {
        let dir = tempfile::tempdir().unwrap();
        let session = dir.path().join("_tmp/1.2");
        fs::create_dir_all(&session).unwrap();
        for file in ["a.parquet", "a.json"] {
            fs::write(dir.path().join(file), "ours").unwrap();
        }
        let pending = Pending {
            manifest: Some("a.json".to_owned()),
            files: vec!["a.parquet".to_owned()],
        };
        pending.note(&session, &session).unwrap();
        assert!(Pending::left(&session, dir.path()).is_empty());
        Pending::settle(&session, dir.path());
        assert!(dir.path().join("a.parquet").exists());
    }
}
