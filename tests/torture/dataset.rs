//! What must hold of the files of a dataset.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
};

use parquet::file::reader::SerializedFileReader;
use robocensus::{
    Progress,
    dataset::verify::{ViolationKind, verify},
};
use serde_json::Value;

use crate::util::{Census, Files, files_with_end, read_json};

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
    for path in files_of_tables(folder) {
        let reader = SerializedFileReader::new(File::open(&path).unwrap());
        assert!(reader.is_ok(), "{} is cut", path.display());
    }
    n_parts
}

/// Returns the Parquet files but for those in `_tmp`, which other runs remove meanwhile.
fn files_of_tables(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let folders = entries.map(|entry| entry.unwrap().path());
    let of_tables = folders.filter(|path| path.is_dir() && !path.ends_with("_tmp"));
    of_tables
        .flat_map(|path| files_with_end(&path, "parquet"))
        .collect()
}

/// Asserts that a run which ended by itself left no file that is not part of the dataset.
pub fn assert_is_tidy(folder: &Path) {
    assert!(!folder.join("_tmp").exists(), "_tmp is left");
    let Ok(verified) = verify(folder, &Progress::default()) else {
        return;
    };
    for violation in verified.violations {
        let is_not_made_yet = match violation.kind {
            ViolationKind::Incomplete | ViolationKind::Stale => true,
            ViolationKind::Missing => !violation.message.contains("has files but no manifest"),
            _ => false,
        };
        assert!(is_not_made_yet, "{violation:?}");
    }
}
