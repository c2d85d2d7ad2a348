//! Files besides the tables of a dataset: examples and logs that people read.

use std::fs;

use super::{Dataset, attempt, storage};
use crate::archive::error::Error;

impl Dataset {
    /// Writes a file, or replaces it; `path` is below the folder of the dataset, with `/`. Another
    /// process sees the whole file or none.
    ///
    /// # Errors
    ///
    /// A file that cannot be written.
    pub(crate) fn write_file(&self, path: &str, bytes: &[u8]) -> Result<(), Error> {
        let target = self.root().join(path);
        let written = self.session.folder.join(attempt());
        fs::write(&written, bytes).map_err(Error::io("cannot write", &target))?;
        self.publish_files(&[(written, target)])
    }

    /// Deletes the files of a folder below that of the dataset whose names end so; a folder that
    /// does not exist has none.
    ///
    /// # Errors
    ///
    /// A file that cannot be deleted.
    pub(crate) fn delete_files(&self, folder: &str, ends: &[&str]) -> Result<(), Error> {
        let folder = self.root().join(folder);
        for name in storage::names(&folder).unwrap_or_default() {
            if ends.iter().any(|end| name.ends_with(end)) {
                storage::delete(&folder.join(name))?;
            }
        }
        Ok(())
    }
}
