//! The files that the lists of a dataset name, compared with those that exist.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use super::violation::{Verified, ViolationKind, list_of_part, list_of_table};
use crate::{
    archive::error::Error,
    dataset::{
        progress::Progress,
        sink::{DirectoryEntry, Manifest, TableFile, digest_of, list},
        table::all_tables,
    },
};

/// A file that a list names.
pub(super) struct Expected<'m> {
    file: &'m TableFile,
    /// The list, below the dataset's folder.
    list: String,
    /// What rebuilds the file, as an imperative.
    remedy: String,
}

impl<'m> Expected<'m> {
    pub(super) fn of_part(manifest: &'m Manifest, file: &'m TableFile) -> Self {
        let part = &manifest.part;
        let list = list_of_part(part);
        let mut archives = manifest.archives.iter();
        let remedy = match archives.find(|archive| archive.input.is_stream) {
            Some(stream) => {
                let name = &stream.input.name;
                format!("delete {list} and join the stream {name} again")
            }
            None => format!("delete it and resume the run, which rebuilds the part {part}"),
        };
        Self { file, list, remedy }
    }

    pub(super) fn of_table(file: &'m TableFile) -> Self {
        let remedy = match file.table.as_str() {
            "redirects" | "hosts" => {
                "resolve the redirects again, which rebuilds the table".to_owned()
            }
            "page_robots" => "resolve the pages again, which rebuilds the table".to_owned(),
            _ => "resume the run, which rebuilds the table".to_owned(),
        };
        Self {
            file,
            list: list_of_table(&file.table),
            remedy,
        }
    }
}

/// Lists the folders of tables, by path.
pub(super) fn list_tables(root: &Path) -> Result<BTreeMap<String, DirectoryEntry>, Error> {
    let mut listed = BTreeMap::new();
    for table in all_tables() {
        let found = list(root, table.name)?.into_iter();
        listed.extend(found.map(|found| (found.path.clone(), found)));
    }
    Ok(listed)
}

/// Reads every file that is listed and expected, and returns the paths of those that are as they
/// were published.
pub(super) fn check_files<'m>(
    root: &Path,
    mut listed: BTreeMap<String, DirectoryEntry>,
    expected: &[Expected<'m>],
    progress: &Progress,
    verified: &mut Verified,
) -> Result<BTreeSet<&'m str>, Error> {
    let mut by_path: BTreeMap<&str, &Expected<'m>> = BTreeMap::new();
    let mut by_digest: BTreeMap<(&str, u64), &str> = BTreeMap::new();
    for one in expected {
        let TableFile {
            path, sha1, bytes, ..
        } = one.file;
        // By its digest a copy, or a file exchanged with another, is recognized.
        by_digest.insert((sha1, *bytes), path);
        if let Some(other) = by_path.insert(path, one) {
            let message = format!(
                "{} names this file too, not only {}; delete one of the two and resume the run",
                other.list, one.list
            );
            verified.find(path, ViolationKind::Doubled, message);
        }
    }
    let mut sound = BTreeSet::new();
    for (&path, one) in &by_path {
        progress.check()?;
        match compare(root, one, listed.get(path), &by_digest) {
            Ok(()) => {
                sound.insert(path);
                verified.files += 1;
                verified.bytes += one.file.bytes;
            }
            Err((kind, message)) => verified.find(path, kind, message),
        }
    }
    listed.retain(|path, _| !by_path.contains_key(path.as_str()));
    check_unnamed(root, listed.values(), expected, &by_digest, verified)?;
    Ok(sound)
}

/// Compares a file with what its list says, and returns how it differs.
fn compare(
    root: &Path,
    expected: &Expected<'_>,
    found: Option<&DirectoryEntry>,
    by_digest: &BTreeMap<(&str, u64), &str>,
) -> Result<(), (ViolationKind, String)> {
    let Expected { file, list, remedy } = expected;
    let missing = |is: &str| {
        let remedy = remedy.replace("delete it and ", "");
        let message = format!("{is}; {list} names it: {remedy}");
        Err((ViolationKind::Missing, message))
    };
    match found {
        None => return missing("this file is missing"),
        Some(found) if !found.is_file => {
            return missing("expected a regular file, but found a link or a device");
        }
        Some(_) => {}
    }
    let (digest, bytes) = digest_of(&root.join(&file.path)).map_err(|error| {
        let message = format!("this file cannot be read: {}", cause(&error));
        (ViolationKind::Unreadable, message)
    })?;
    if bytes == file.bytes && digest == file.sha1 {
        return Ok(());
    }
    let (kind, differs) = if let Some(other) = by_digest.get(&(digest.as_str(), bytes)) {
        let differs = format!("expected its own bytes, but found those of {other}");
        (ViolationKind::Exchanged, differs)
    } else if bytes == file.bytes {
        let differs = format!("expected the SHA-1 {}, but found {digest}", file.sha1);
        (ViolationKind::Altered, differs)
    } else {
        let is_cut = bytes < file.bytes;
        let differs = format!("expected {} bytes, but found {bytes}", file.bytes);
        (
            if is_cut {
                ViolationKind::Cut
            } else {
                ViolationKind::Altered
            },
            differs,
        )
    };
    Err((kind, format!("{differs}; {remedy}")))
}

/// Returns what the operating system reported.
fn cause(error: &Error) -> String {
    let source = std::error::Error::source(error);
    source.map_or_else(|| error.to_string(), ToString::to_string)
}

/// Names the files that no list names: those of a part without a manifest together, copies and
/// others one by one.
fn check_unnamed<'l>(
    root: &Path,
    unnamed: impl Iterator<Item = &'l DirectoryEntry>,
    expected: &[Expected<'_>],
    by_digest: &BTreeMap<(&str, u64), &str>,
    verified: &mut Verified,
) -> Result<(), Error> {
    let named: BTreeSet<&str> = expected.iter().map(|one| one.list.as_str()).collect();
    let mut of_lists: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for found in unnamed {
        let path = found.path.as_str();
        let copy_of = if found.is_file {
            let (digest, bytes) = digest_of(&root.join(path))?;
            by_digest.get(&(digest.as_str(), bytes)).copied()
        } else {
            None
        };
        match list_of(path).filter(|list| found.is_file && !named.contains(list.as_str())) {
            Some(list) => of_lists.entry(list).or_default().push((path, copy_of)),
            None => find_unnamed(path, copy_of, verified),
        }
    }
    for (list, files) in of_lists {
        // A single file may be a copy under a name that a part could have.
        if files.iter().all(|(_, copy_of)| copy_of.is_some()) {
            for (path, copy_of) in files {
                find_unnamed(path, copy_of, verified);
            }
            continue;
        }
        let name = list.trim_end_matches(".json");
        let (what, remedy) = match name.strip_prefix("_tables/") {
            Some(table) => (
                format!("the table {table}"),
                "a resumed run rebuilds the table",
            ),
            None => (
                format!("part {}", name.trim_start_matches("_manifest/")),
                "resume the run to rebuild the part, or delete the files",
            ),
        };
        let message = format!(
            "{what} has files but no manifest: {} files, the first of them {}; {remedy}",
            files.len(),
            files[0].0
        );
        verified.find(list, ViolationKind::Missing, message);
    }
    Ok(())
}

fn find_unnamed(path: &str, copy_of: Option<&str>, verified: &mut Verified) {
    let (kind, message) = match copy_of {
        Some(original) => (
            ViolationKind::Doubled,
            format!("this is a copy of {original}, whose rows queries read twice; delete it"),
        ),
        None => (
            ViolationKind::Foreign,
            "no manifest names this file, but queries may read it; move it out of the dataset"
                .to_owned(),
        ),
    };
    verified.find(path, kind, message);
}

/// Returns the list that would name a file, if it has the name of a table's file.
fn list_of(path: &str) -> Option<String> {
    let (table, _) = path.split_once('/')?;
    let file = path.rsplit('/').next()?;
    let name = file.strip_prefix("part-")?.strip_suffix(".parquet")?;
    if name == table {
        return Some(list_of_table(table));
    }
    let part = match name.rsplit_once(".v") {
        Some((part, number)) if number.bytes().all(|b| b.is_ascii_digit()) => part,
        _ => name,
    };
    Some(list_of_part(part))
}

#[cfg(test)]
mod tests {
    use super::list_of;

    #[test]
    fn the_list_of_a_file_goes_by_its_name() {
        for (path, list) in [
            ("captures/part-a-1f.parquet", Some("_manifest/a-1f.json")),
            (
                "captures/crawl=x/part-a.v1-1f.v0002.parquet",
                Some("_manifest/a.v1-1f.json"),
            ),
            (
                "redirects/part-redirects.parquet",
                Some("_tables/redirects.json"),
            ),
            ("captures/mine.parquet", None),
        ] {
            assert_eq!(list_of(path).as_deref(), list, "{path}");
        }
    }
}
