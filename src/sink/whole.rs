//! Small files of JSON that are written atomically.

use std::{
    path::Path,
    process,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::{SystemTime, UNIX_EPOCH},
};

use serde::Serialize;
use serde_json::Value;

use super::storage;
use crate::error::Error;

/// The latest attempt of this process, in nanoseconds since 1970.
static LAST: AtomicU64 = AtomicU64::new(0);

/// Writes a file, or replaces it; `temporary` is a folder of the same file system.
pub(super) fn write_whole(
    temporary: &Path,
    path: &Path,
    value: &impl Serialize,
) -> Result<(), Error> {
    storage::replace(temporary, path, text_of(value)).map_err(Error::io("cannot write", path))
}

/// Writes a file unless it exists, and returns false if it does.
pub(super) fn create_whole(
    temporary: &Path,
    path: &Path,
    value: &impl Serialize,
) -> Result<bool, Error> {
    storage::create(temporary, path, text_of(value)).map_err(Error::io("cannot write", path))
}

fn text_of(value: &impl Serialize) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(value)
        .expect("names, numbers and lists of them can be written as JSON");
    text.push(b'\n');
    text
}

/// Reads a file of JSON.
pub(super) fn read_json(path: &Path) -> Result<Value, Error> {
    let bytes = storage::read(path).map_err(Error::io("cannot read", path))?;
    json_of(path, &bytes)
}

/// Returns the JSON that a file holds.
pub(super) fn json_of(path: &Path, bytes: &[u8]) -> Result<Value, Error> {
    serde_json::from_slice(bytes).map_err(|e| Error::corrupt(path, format!("expected JSON: {e}")))
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
