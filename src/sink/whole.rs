//! Small files of JSON that are there whole or not at all.

use std::{
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::{SystemTime, UNIX_EPOCH},
};

use serde_json::Value;

use crate::error::Error;

/// The latest attempt of this process, in nanoseconds since 1970.
static LAST: AtomicU64 = AtomicU64::new(0);

/// Writes a file in place of what stands there.
pub(super) fn write_whole(path: &Path, value: &Value) -> Result<(), Error> {
    let temporary = write_beside(path, value)?;
    fs::rename(&temporary, path).map_err(Error::io("cannot rename to", path))
}

/// Writes a hidden file beside `path`, under a name that no other worker has.
pub(super) fn write_beside(path: &Path, value: &Value) -> Result<PathBuf, Error> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = path.with_file_name(format!(".{name}.{}", attempt()));
    let written = File::create(&temporary).and_then(|mut file| {
        file.write_all(format!("{value:#}\n").as_bytes())?;
        // After a crash of the machine a name without its content would be worse than neither.
        file.sync_all()
    });
    if let Err(e) = written {
        // Nobody else knows this name; what cannot be written now cannot be of use later.
        let _ = fs::remove_file(&temporary);
        return Err(Error::io("cannot write", path)(e));
    }
    Ok(temporary)
}

/// Deletes what a killed run left of files that were to stand in `folder`.
pub(super) fn sweep(folder: &Path) -> Result<(), Error> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Ok(());
    };
    for entry in entries {
        let path = entry.map_err(Error::io("cannot list", folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut ends = name.rsplitn(3, '.');
        let mut is_number =
            || (ends.next()).is_some_and(|end| end.bytes().all(|b| b.is_ascii_digit()));
        let is_attempt = is_number() && is_number();
        if is_attempt && name.starts_with('.') && name.contains(".json.") {
            fs::remove_file(&path).map_err(Error::io("cannot delete", &path))?;
        }
    }
    Ok(())
}

/// Reads a file of JSON.
pub(super) fn read_json(path: &Path) -> Result<Value, Error> {
    let bytes = fs::read(path).map_err(Error::io("cannot read", path))?;
    serde_json::from_slice(&bytes)
        .map_err(|e| Error::usage(format!("{}: expected JSON: {e}", path.display())))
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

    #[test]
    fn what_a_killed_run_left_is_deleted_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.json");
        write_whole(&path, &Value::Null).unwrap();
        write_beside(&path, &Value::Null).unwrap();
        for mine in [".a.json", ".notes.1.2", "b.json.1.2", ".c.json.1.x"] {
            fs::write(dir.path().join(mine), "").unwrap();
        }
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 6);
        sweep(dir.path()).unwrap();
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 5);
        assert_eq!(read_json(&path).unwrap(), Value::Null);
    }
}
