//! Files besides the tables of a dataset: examples and logs that people read.

use std::fs;

use super::{Dataset, whole::attempt};
use crate::error::Error;

impl Dataset {
    /// Writes a file, or replaces it; `path` is below the folder of the dataset, with `/`. Another
    /// process sees the whole file or none.
    ///
    /// # Errors
    ///
    /// A file that cannot be written.
    pub(crate) fn write_file(&self, path: &str, bytes: &[u8]) -> Result<(), Error> {
        let target = self.root().join(path);
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder).map_err(Error::io("cannot create this folder", folder))?;
        }
        let written = self.temporary().join(attempt());
        fs::write(&written, bytes).map_err(Error::io("cannot write", &target))?;
        fs::rename(&written, &target).map_err(Error::io("cannot rename to", &target))
    }

    /// Deletes the files of a folder below that of the dataset whose names end so; a folder that
    /// does not exist has none.
    ///
    /// # Errors
    ///
    /// A file that cannot be deleted.
    pub(crate) fn delete_files(&self, folder: &str, ends: &[&str]) -> Result<(), Error> {
        let folder = self.root().join(folder);
        let Ok(entries) = fs::read_dir(&folder) else {
            return Ok(());
        };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if ends.iter().any(|end| name.ends_with(end)) {
                let path = entry.path();
                fs::remove_file(&path).map_err(Error::io("cannot delete", &path))?;
            }
        }
        Ok(())
    }
}
