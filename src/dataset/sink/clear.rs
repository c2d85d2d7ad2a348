//! The deletion of a dataset that is replaced, and of nothing else in its folder.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

use super::{
    DATASET_FILE, INPUTS_FOLDER, LISTS_FILE, MANIFEST_FOLDER, Manifest, Pending, Session,
    TABLES_FOLDER, is_link, list, storage,
};
use crate::archive::error::{Error, FolderConflict};

/// Refuses archives in the folder of a dataset that is to be replaced; `paths` are those of the
/// archives.
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
    // An archive that cannot be resolved cannot be opened either, which is reported then.
    let inside = paths
        .into_iter()
        .find(|path| fs::canonicalize(path).is_ok_and(|path| path.starts_with(&folder)));
    let Some(path) = inside else {
        return Ok(());
    };
    let message = format!(
        "this input is in the folder of the dataset that is to be replaced ({})",
        root.display()
    );
    Err(Error::folder(path, FolderConflict::Foreign, message))
}

/// Deletes a dataset: its lists, and the files of these tables. If their folders contain anything
/// else, nothing is deleted.
///
/// If this process dies before it is done, the next one finishes the work by the note in the
/// temporary folder `session`.
pub(super) fn clear(root: &Path, tables: &[&str], session: &Session) -> Result<(), Error> {
    let published = published(root);
    let is_table = |stem: &str| tables.contains(&stem);
    let mut files = Vec::new();
    // A part counts as complete while its manifest exists, so manifests are deleted first.
    let mut folders = vec![(MANIFEST_FOLDER, true), (TABLES_FOLDER, true)];
    folders.extend(tables.iter().map(|&name| (name, false)));
    folders.push((INPUTS_FOLDER, true));
    for &(name, is_list) in &folders {
        if is_link(&root.join(name)) {
            return Err(foreign(root.join(name)));
        }
        for found in list(root, name)? {
            let below: Vec<&str> = found.path.split('/').skip(1).collect();
            let is_ours = match below[..] {
                [file] if is_list => {
                    let stem = file.strip_suffix(".json");
                    stem.is_some_and(|stem| ends_with_digest(stem) || is_table(stem))
                }
                [file] => is_part_file(name, file),
                [crawl, file] if !is_list => {
                    crawl.starts_with("crawl=") && is_part_file(name, file)
                }
                _ => false,
            };
            if !found.is_file || !(is_ours || published.contains(&found.path)) {
                return Err(foreign(root.join(found.path)));
            }
            files.push(found.path);
        }
    }
    files.push(DATASET_FILE.to_owned());
    // A run that comes after a death in the middle of this must not take the options of a dataset
    // that it then deletes.
    storage::delete(&root.join(LISTS_FILE))?;
    let manifest = None;
    Pending { manifest, files }.note(&session.notes, &session.folder)?;
    for (name, _) in folders {
        storage::delete_folder(&root.join(name))?;
    }
    storage::delete(&root.join(DATASET_FILE))?;
    Pending::forget(&session.notes);
    Ok(())
}

/// Returns the paths of manifests and of the files that they name, as far as they can be read.
fn published(root: &Path) -> HashSet<String> {
    let parts = Manifest::parts(root).unwrap_or_default();
    let manifests = parts.iter().map(|part| Manifest::read(root, part));
    let paths = manifests.flatten().flat_map(|manifest| {
        let own = format!("{MANIFEST_FOLDER}/{}.json", manifest.part);
        let files = manifest.files.into_iter().map(|file| file.path);
        files.chain([own])
    });
    paths.collect()
}

/// Returns true if and only if a file in the folder of a table has a name that this program gives:
/// that of a part, or that of the one file of a table of the whole dataset.
fn is_part_file(table: &str, name: &str) -> bool {
    let name = name.strip_prefix("part-").unwrap_or_default();
    let Some(stem) = name.strip_suffix(".parquet") else {
        return false;
    };
    if stem == table {
        return true;
    }
    // The second file of a part and those after it have a number.
    let numbered = stem
        .rsplit_once(".v")
        .filter(|(_, number)| number.bytes().all(|b| b.is_ascii_digit()));
    ends_with_digest(numbered.map_or(stem, |(stem, _)| stem))
}

/// Returns true if and only if a name ends with 16 hexadecimal digits, as those of parts and of
/// lists of inputs do.
fn ends_with_digest(name: &str) -> bool {
    let digits = name.rsplit('-').next().unwrap_or_default();
    digits.len() == 16
        && digits
            .bytes()
            .all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

fn foreign(path: PathBuf) -> Error {
    let message = "this is no file of the dataset, so it is not deleted, nor is the dataset";
    Error::folder(path, FolderConflict::Foreign, message)
}
