//! The lock of a folder: one run writes to it alone, or several workers that join.
//!
//! The folder itself is locked, so that no lock file remains when a run is killed: the operating
//! system releases the lock with the process. Where folders cannot be locked (Windows, some network
//! file systems, S3), no run is refused.

use std::{
    fs::{File, TryLockError},
    path::Path,
};

use super::storage::is_remote;
use crate::archive::error::{Error, FolderConflict};

/// Locks a folder for one run alone, or for several workers, while the value lives; `None` where
/// folders cannot be locked.
///
/// # Errors
///
/// A folder that another process has locked in a way that excludes this one.
pub fn lock(folder: &Path, is_shared: bool) -> Result<Option<File>, Error> {
    if is_remote(folder) {
        return Ok(None);
    }
    let Ok(file) = File::open(folder) else {
        return Ok(None);
    };
    let locked = if is_shared {
        file.try_lock_shared()
    } else {
        file.try_lock()
    };
    match locked {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::Error(_)) => Ok(None),
        Err(TryLockError::WouldBlock) => Err(Error::folder(
            folder,
            FolderConflict::Busy,
            "another run writes to this folder",
        )),
    }
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    #[test]
    fn one_run_alone_or_several_that_join() {
        let dir = tempfile::tempdir().unwrap();
        let take = |is_shared| super::lock(dir.path(), is_shared);
        let alone = take(false).unwrap();
        assert!(take(false).is_err() && take(true).is_err());
        drop(alone);
        let joined = [take(true).unwrap(), take(true).unwrap()];
        let error = take(false).unwrap_err().to_string();
        assert!(error.contains("another run"), "{error}");
        drop(joined);
        take(false).unwrap();
    }
}
