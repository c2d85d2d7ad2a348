//! The lock of a folder: one run writes to it alone, or several workers that join.
//!
//! The folder itself is locked, so that no lock file remains when a run is killed: the operating
//! system releases the lock with the process. Where folders cannot be locked (Windows, some network
//! file systems, S3), no run is refused.

use std::{
    fs::{File, TryLockError},
    path::Path,
};

use super::is_remote;
use crate::archive::error::{Error, FolderConflict};

/// The lock of a folder, released when it is dropped.
#[derive(Debug)]
pub struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing the file releases the lock only once no process has it open any more. A process
        // that another thread starts at this moment has it open until its program is loaded.
        let _ = self.0.unlock();
    }
}

/// Locks a folder for one run alone, or for several workers, while the value lives; `None` where
/// folders cannot be locked.
///
/// # Errors
///
/// A folder that another process has locked in a way that excludes this one.
pub fn lock(folder: &Path, is_shared: bool) -> Result<Option<Lock>, Error> {
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
        Ok(()) => Ok(Some(Lock(file))),
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
        // A process that is being started shares the open file.
        let last = take(false).unwrap().unwrap();
        let _inherited = last.0.try_clone().unwrap();
        drop(last);
        take(false).unwrap();
    }
}
