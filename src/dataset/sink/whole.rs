//! Small files of JSON that are written atomically.

use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use super::storage;
use crate::archive::error::Error;

/// Writes a file, or replaces it; `temporary` is a folder of the same file system.
pub(super) fn write_whole(
    temporary: &Path,
    path: &Path,
    value: &impl Serialize,
) -> Result<(), Error> {
    storage::replace(temporary, path, text_of(value))
}

/// Writes a file unless it exists, and returns false if it does.
pub(super) fn create_whole(
    temporary: &Path,
    path: &Path,
    value: &impl Serialize,
) -> Result<bool, Error> {
    storage::create(temporary, path, text_of(value))
}

fn text_of(value: &impl Serialize) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(value)
        .expect("names, numbers and lists of them can be written as JSON");
    text.push(b'\n');
    text
}

/// Reads a file of JSON.
pub(super) fn read_json(path: &Path) -> Result<Value, Error> {
    json_of(path, &storage::read(path)?)
}

/// Returns the JSON that a file holds.
pub(super) fn json_of(path: &Path, bytes: &[u8]) -> Result<Value, Error> {
    serde_json::from_slice(bytes).map_err(|e| Error::corrupt(path, format!("expected JSON: {e}")))
}
