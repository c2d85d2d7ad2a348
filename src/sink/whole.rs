//! Small files of JSON that are written atomically.

use std::{
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::{SystemTime, UNIX_EPOCH},
};

use serde::Serialize;
use serde_json::Value;

use crate::error::Error;

/// The latest attempt of this process, in nanoseconds since 1970.
static LAST: AtomicU64 = AtomicU64::new(0);

/// Writes a file, or replaces it; `temporary` is a folder of the same file system.
pub(super) fn write_whole(
    temporary: &Path,
    path: &Path,
    value: &impl Serialize,
) -> Result<(), Error> {
    let written = write_complete(temporary, path, value)?;
    fs::rename(&written, path).map_err(Error::io("cannot rename to", path))
}

/// Writes what `path` is to contain to a new file in the folder `temporary`, and returns its path.
pub(super) fn write_complete(
    temporary: &Path,
    path: &Path,
    value: &impl Serialize,
) -> Result<PathBuf, Error> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(Error::io("cannot create this folder", folder))?;
    }
    let text = serde_json::to_string_pretty(value)
        .expect("names, numbers and lists of them can be written as JSON");
    let target = temporary.join(attempt());
    let written = File::create(&target).and_then(|mut file| {
        file.write_all(format!("{text}\n").as_bytes())?;
        // A crash of the machine must not leave a name without its content.
        file.sync_all()
    });
    match written {
        Ok(()) => Ok(target),
        Err(e) => Err(Error::io("cannot write", path)(e)),
    }
}

/// Reads a file of JSON.
pub(super) fn read_json(path: &Path) -> Result<Value, Error> {
    let bytes = fs::read(path).map_err(Error::io("cannot read", path))?;
    serde_json::from_slice(&bytes).map_err(|e| Error::corrupt(path, format!("expected JSON: {e}")))
}

/// Returns a text that no other attempt at the same thing has, on this machine or another.
pub(super) fn attempt() -> String {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |now| now.as_nanos() as u64);
    // Two threads may ask within one tick of the clock.
    let next = |last| now.max(last + 1);
    let last = LAST.fetch_update(Relaxed, Relaxed, |last| Some(next(last)));
    format!("{}.{}", process::id(), last.map_or(now, next))
}

#[cfg(test)]
mod tests {
    use std::{collections::HashSet, thread};

    use super::*;

    #[test]
    fn threads_that_ask_at_once_get_names_of_their_own() {
        let ask = || (0..10_000).map(|_| attempt()).collect::<Vec<_>>();
        let names: Vec<String> = thread::scope(|scope| {
            let workers = [(); 4].map(|()| scope.spawn(ask));
            let names = workers.into_iter().flat_map(|w| w.join().unwrap());
            names.collect()
        });
        let distinct: HashSet<&String> = names.iter().collect();
        assert_eq!(distinct.len(), names.len());
    }
}
