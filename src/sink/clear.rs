//! `--overwrite`: what of a folder is a dataset's, so that nothing else is deleted.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{
    dataset::DATASET_FILE,
    listing::list,
    manifest::{INPUTS_FOLDER, MANIFEST_FOLDER, TABLES_FOLDER},
    session::is_link,
};
use crate::error::Error;

/// Refuses archives that lie in the folder of a dataset which is to be replaced; `paths` are those of the archives.
///
/// # Errors
///
/// The first such archive.
pub fn refuse_inside<'p>(
    root: &Path,
    paths: impl IntoIterator<Item = &'p Path>,
) -> Result<(), Error> {
    let Ok(folder) = fs::canonicalize(root) else {
        return Ok(());
    };
    // An archive that cannot be resolved cannot be opened either, which will be said.
    let inside = paths
        .into_iter()
        .find(|path| fs::canonicalize(path).is_ok_and(|path| path.starts_with(&folder)));
    match inside {
        Some(path) => Err(Error::usage(format!(
            "{}: this input lies in the folder that --overwrite is to replace ({}); move it, or give another folder with --out",
            path.display(),
            root.display()
        ))),
        None => Ok(()),
    }
}

/// Deletes a dataset: its lists, and the files of these tables. A folder with anything else in them is refused before a file is deleted.
pub(super) fn clear(root: &Path, tables: &[&str]) -> Result<(), Error> {
    // A part is marked complete until its manifest is gone, so manifests go first, should this end in the middle.
    let lists = [MANIFEST_FOLDER, TABLES_FOLDER].map(|name| (name, true));
    let tables = tables.iter().map(|&name| (name, false));
    let folders: Vec<(&str, bool)> = lists
        .into_iter()
        .chain(tables)
        .chain([(INPUTS_FOLDER, true)])
        .collect();
    for &(name, is_list) in &folders {
        if is_link(&root.join(name)) {
            return Err(foreign(root.join(name)));
        }
        for found in list(root, name)? {
            let mut parts = found.path.split('/').skip(1);
            let (first, second, third) = (parts.next(), parts.next(), parts.next());
            let is_ours = match (is_list, first, second, third) {
                (true, Some(file), None, None) => file.ends_with(".json"),
                (false, Some(file), None, None) => is_part_file(file),
                (false, Some(crawl), Some(file), None) => {
                    crawl.starts_with("crawl=") && is_part_file(file)
                }
                _ => false,
            };
            if !found.is_file || !is_ours {
                return Err(foreign(root.join(found.path)));
            }
        }
    }
    for (name, _) in folders {
        let folder = root.join(name);
        match fs::remove_dir_all(&folder) {
            Ok(()) => {}
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(e) => return Err(Error::io("cannot delete", &folder)(e)),
        }
    }
    let file = root.join(DATASET_FILE);
    fs::remove_file(&file).map_err(Error::io("cannot delete", &file))
}

fn is_part_file(name: &str) -> bool {
    name.starts_with("part-") && name.ends_with(".parquet")
}

fn foreign(path: PathBuf) -> Error {
    Error::usage(format!(
        "{}: this is no file of the dataset, so --overwrite does not delete it; move it, or give another folder with --out",
        path.display()
    ))
}
