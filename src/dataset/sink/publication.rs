//! The files of a publication: their digests, and a copy of a dataset without some of its tables.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::json;
use sha2::{Digest, Sha256};

use super::{
    DATASET_FILE, Dataset, INPUTS_FOLDER, LEFT_OUT, LISTS_FILE, MANIFEST_FOLDER, Manifest,
    TABLES_FOLDER, WholeTable, attempt, is_remote, list, lock, storage, write_whole,
};
use crate::{
    archive::error::{Error, FolderConflict},
    digest::{Hasher, hex},
};

/// The digests of a file, in hexadecimal digits.
pub(crate) struct FileDigests {
    pub sha1: String,
    pub sha256: String,
}

/// Reads a file once for its digests.
pub(crate) fn digests_of(path: &Path) -> Result<FileDigests, Error> {
    let (mut sha1, mut sha256) = (Hasher::default(), Sha256::new());
    storage::read_through(path, |chunk| {
        sha1.update(chunk);
        sha256.update(chunk);
    })?;
    Ok(FileDigests {
        sha1: hex(&sha1.finish()),
        sha256: hex::<32>(&sha256.finalize().into()),
    })
}

/// Returns the SHA-256 of some bytes, in hexadecimal digits.
pub(crate) fn sha256_of(bytes: &[u8]) -> String {
    hex::<32>(&Sha256::digest(bytes).into())
}

/// Returns the paths of the description and the lists of a dataset, which have the digests of all
/// its other files.
pub(crate) fn lists_of(root: &Path) -> Result<Vec<String>, Error> {
    let mut paths = vec![DATASET_FILE.to_owned()];
    if storage::is_file(&root.join(LISTS_FILE)) {
        paths.push(LISTS_FILE.to_owned());
    }
    for folder in [INPUTS_FOLDER, MANIFEST_FOLDER, TABLES_FOLDER] {
        let found = list(root, folder)?.into_iter();
        paths.extend(found.map(|entry| entry.path));
    }
    Ok(paths)
}

impl Dataset {
    /// Deletes a file of a publication, unless there is none.
    pub(crate) fn delete_file(&self, path: &str) -> Result<(), Error> {
        storage::delete(&self.root().join(path))
    }
}

/// A copy of a dataset under a temporary name beside its own; dropped before it got that, it is
/// deleted.
#[derive(Debug)]
pub struct DatasetCopy {
    /// The folder of the copy.
    pub folder: PathBuf,
    target: PathBuf,
}

impl DatasetCopy {
    /// Copies a dataset without some of its tables, which its description names. Files of tables
    /// are links where the file system has them: no run ever changes their bytes.
    ///
    /// # Errors
    ///
    /// A target that is not empty, a dataset in S3, one that a run alone is writing to, and a file
    /// that cannot be read or written.
    pub fn begin(root: &Path, target: &Path, without: &[&str]) -> Result<Self, Error> {
        if is_remote(root) {
            let root = root.display();
            let message = format!("{root}: a dataset in S3 is published where it is, not copied");
            return Err(Error::usage(message));
        }
        if fs::read_dir(target).is_ok_and(|mut entries| entries.next().is_some()) {
            let message = "this folder is not empty, so no publication is written to it";
            return Err(Error::folder(target, FolderConflict::Foreign, message));
        }
        let _lock = lock(root, true)?;
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        let copy = Self {
            folder: target.with_file_name(format!(".{name}.{}", attempt())),
            target: target.to_owned(),
        };
        fs::create_dir_all(&copy.folder).map_err(Error::io("cannot create", target))?;
        let is_kept = |table: &str| !without.contains(&table);
        for mut manifest in Manifest::read_all(root)? {
            manifest.files.retain(|file| is_kept(&file.table));
            copy.link(root, manifest.files.iter().map(|file| &file.path))?;
            let path = Manifest::path(&copy.folder, &manifest.part);
            write_whole(&copy.folder, &path, &manifest)?;
        }
        for table in WholeTable::read_all(root)? {
            if is_kept(&table.table) {
                copy.link(root, table.files.iter().map(|file| &file.path))?;
                let path = WholeTable::path(&copy.folder, &table.table);
                write_whole(&copy.folder, &path, &table)?;
            }
        }
        let others = lists_of(root)?.into_iter();
        let others = others.filter(|path| *path == LISTS_FILE || path.starts_with(INPUTS_FOLDER));
        copy.link(root, others.collect::<Vec<_>>().iter())?;
        let mut description = Dataset::read_description(root)?;
        let before = description[LEFT_OUT].as_array().cloned();
        let left_out = without.iter().map(|&name| json!(name));
        let left_out: Vec<_> = left_out.chain(before.unwrap_or_default()).collect();
        if !left_out.is_empty() {
            description[LEFT_OUT] = left_out.into();
        }
        write_whole(&copy.folder, &copy.folder.join(DATASET_FILE), &description)?;
        Ok(copy)
    }

    fn link<'p>(&self, root: &Path, paths: impl Iterator<Item = &'p String>) -> Result<(), Error> {
        for path in paths {
            let (from, to) = (root.join(path), self.folder.join(path));
            let folder = to.parent().unwrap_or(&self.folder);
            let linked = fs::create_dir_all(folder).and_then(|()| {
                // A file system without links.
                fs::hard_link(&from, &to).or_else(|_| fs::copy(&from, &to).map(|_| ()))
            });
            linked.map_err(Error::io("cannot copy", &from))?;
        }
        Ok(())
    }

    /// Gives the copy its name.
    ///
    /// # Errors
    ///
    /// A target that has got files meanwhile.
    pub fn finish(self) -> Result<(), Error> {
        fs::rename(&self.folder, &self.target).map_err(Error::io("cannot write", &self.target))
    }
}

impl Drop for DatasetCopy {
    fn drop(&mut self) {
        // Nothing is there once the copy has its name; what cannot be deleted has a hidden name.
        let _ = fs::remove_dir_all(&self.folder);
    }
}
