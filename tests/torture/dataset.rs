//! Datasets compared: file by file, or row by row.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    path::Path,
};

use parquet::file::reader::SerializedFileReader;
use serde_json::Value;

use crate::util::{Census, Files, files_with_end, read_json};

/// What tells one run from another, and not one dataset from another.
const COLUMN_OF_RUN: &str = "options_digest";

/// Returns the files of a dataset, without those that a killed run left for a later one.
pub fn files(folder: &Path) -> Files {
    let mut files = Census(folder.to_owned()).files();
    let is_left = |path: &str| {
        path.split('/')
            .any(|name| name == "_tmp" || name.starts_with('.'))
    };
    files.retain(|path, _| !is_left(path));
    files
}

/// Returns the rows of every table, sorted, as text; what depends on the run and not on its inputs
/// is left out.
pub fn rows(folder: &Path) -> BTreeMap<String, Vec<String>> {
    let census = Census(folder.to_owned());
    let sorted = |table: String| {
        let mut rows = census.table(&table).rows_without(&[COLUMN_OF_RUN]);
        rows.sort();
        (table, rows)
    };
    census.tables().into_iter().map(sorted).collect()
}

/// Asserts that what a dataset says is there is there, however its run ended, and returns how many
/// parts are.
pub fn assert_is_sound(folder: &Path) -> usize {
    let Ok(manifests) = fs::read_dir(folder.join("_manifest")) else {
        return 0;
    };
    let mut n_parts = 0;
    for manifest in manifests {
        let path = manifest.unwrap().path();
        if path.file_name().unwrap().to_str().unwrap().starts_with('.') {
            continue;
        }
        let manifest: Value = read_json(&path);
        for file in manifest["files"].as_array().unwrap() {
            let path = file["path"].as_str().unwrap();
            let length = fs::metadata(folder.join(path)).unwrap().len();
            assert_eq!(length, file["bytes"], "{path}");
        }
        n_parts += 1;
    }
    for path in files_with_end(folder, "parquet") {
        if path.strip_prefix(folder).unwrap().starts_with("_tmp") {
            continue;
        }
        let reader = SerializedFileReader::new(File::open(&path).unwrap());
        assert!(reader.is_ok(), "{} is cut", path.display());
    }
    n_parts
}
