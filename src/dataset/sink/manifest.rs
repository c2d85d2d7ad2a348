//! The lists of a dataset, as small files of JSON that are read without a lock: its inputs, its
//! parts, and the tables that are made of all parts.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{FileSizes, Input, TableFile, json_of, storage};
use crate::{
    archive::{error::Error, input::crawl_in},
    digest::{hex, sha1},
};

pub(super) const INPUTS_FOLDER: &str = "_inputs";
pub(crate) const DATASET_FILE: &str = "_dataset.json";
/// The member of the description of a copy that names the tables which were left out.
pub(crate) const LEFT_OUT: &str = "left_out";
/// The lists of which the description has digests.
pub(crate) const LISTS_FILE: &str = "_lists.json";
pub(super) const MANIFEST_FOLDER: &str = "_manifest";
pub(super) const TABLES_FOLDER: &str = "_tables";

/// What can be done about the manifest of a part that cannot be used.
pub(super) const REMAKE: &str = "delete it and resume the run, which makes the part again";

/// A published part: its archives and its files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The part's name.
    pub part: String,
    /// Version of the program that made it.
    pub tool_version: String,
    /// That of the dataset's [`DatasetIdentity`](super::DatasetIdentity).
    pub options_digest: String,
    /// Its archives, in the order of their rows.
    pub archives: Vec<PartArchive>,
    /// Its files.
    pub files: Vec<TableFile>,
}

/// An archive of a part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartArchive {
    /// The archive as it was when the run began.
    #[serde(flatten)]
    pub input: Input,
    /// SHA-1 of the bytes that were read, 40 hexadecimal digits; `None` if it could not be opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha1: Option<String>,
    /// Its rows of `captures`.
    pub captures: u64,
    /// Whether every record of it was read.
    pub is_complete: bool,
    /// The first fault that lost records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<Loss>,
}

/// A fault that lost records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loss {
    /// The code of the kind of fault, as in the table `archive_errors`.
    pub code: String,
    /// What was expected, and what was found instead.
    pub message: String,
}

/// A table that belongs to the dataset, not to a part of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WholeTable {
    /// The table's name.
    pub table: String,
    /// The parts that it was made of; empty where it depends on the options alone.
    pub parts: Vec<String>,
    /// Its files.
    pub files: Vec<TableFile>,
}

impl Manifest {
    /// Returns the names of the published parts, sorted.
    ///
    /// # Errors
    ///
    /// A folder that cannot be listed.
    pub fn parts(root: &Path) -> Result<Vec<String>, Error> {
        names(&root.join(MANIFEST_FOLDER))
    }

    /// Reads the manifest of a part.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, or is no manifest of that part.
    pub fn read(root: &Path, part: &str) -> Result<Self, Error> {
        let path = Self::path(root, part);
        let bytes = storage::read(&path)?;
        Self::parse(path, part, &bytes)
    }

    fn parse(path: PathBuf, part: &str, bytes: &[u8]) -> Result<Self, Error> {
        let manifest: Self = parse(&path, bytes, &format!("the manifest of a part; {REMAKE}"))?;
        if manifest.part != part {
            let found = manifest.part;
            let message = format!(
                "expected the manifest of the part {part}, but found that of {found}; {REMAKE}"
            );
            return Err(Error::corrupt(path, message));
        }
        // The paths are of files that may be deleted, so they must not lead out of the dataset.
        if let Some(file) = manifest.files.iter().find(|file| !is_of_table(file)) {
            let message = format!(
                "expected the path of a file in the folder of a table, but found {:?}; this is no manifest of this program",
                file.path
            );
            return Err(Error::corrupt(path, message));
        }
        Ok(manifest)
    }

    /// Reads the manifests of all published parts, in the order of their names.
    ///
    /// # Errors
    ///
    /// Those of [`Manifest::parts`] and [`Manifest::read`].
    pub fn read_all(root: &Path) -> Result<Vec<Self>, Error> {
        let parts = Self::parts(root)?;
        let paths: Vec<_> = parts.iter().map(|part| Self::path(root, part)).collect();
        let files = storage::read_all(&paths)?.into_iter().zip(paths);
        let files = parts.iter().zip(files);
        files
            .map(|(part, (bytes, path))| Self::parse(path, part, &bytes?))
            .collect()
    }

    /// Returns the path of a part's manifest.
    pub fn path(root: &Path, part: &str) -> PathBuf {
        root.join(MANIFEST_FOLDER).join(format!("{part}.json"))
    }

    /// Returns the files of a table.
    pub fn files_of(&self, table: &str) -> impl Iterator<Item = &TableFile> {
        self.files.iter().filter(move |file| file.table == table)
    }

    /// Returns the first file that is missing or has another size, as a clause; `None` if there is
    /// none. `sizes` are those of the dataset.
    pub fn damage(&self, sizes: &FileSizes<'_>) -> Option<String> {
        let mut files = self.files.iter();
        files.find_map(|file| sizes.damage(&file.path, file.bytes))
    }
}

impl WholeTable {
    /// Returns how many of some parts it was made of.
    pub(crate) fn count_of<'p>(&self, parts: impl Iterator<Item = &'p str>) -> usize {
        let known: HashSet<&str> = self.parts.iter().map(String::as_str).collect();
        parts.filter(|part| known.contains(part)).count()
    }

    /// Reads the record of a table; `None` if the table was not made.
    ///
    /// # Errors
    ///
    /// A file that cannot be read.
    pub fn read(root: &Path, table: &str) -> Result<Option<Self>, Error> {
        let path = Self::path(root, table);
        let expected = "a list of the table's files; another run makes the table again";
        let bytes = storage::read_if_there(&path)?;
        bytes
            .map(|bytes| parse(&path, &bytes, expected))
            .transpose()
    }

    /// Reads the records of all such tables, in the order of their names.
    ///
    /// # Errors
    ///
    /// A file that cannot be read.
    pub fn read_all(root: &Path) -> Result<Vec<Self>, Error> {
        let mut tables = Vec::new();
        for name in names(&root.join(TABLES_FOLDER))? {
            tables.extend(Self::read(root, &name)?);
        }
        Ok(tables)
    }

    /// Returns how many rows its files have.
    pub fn n_rows(&self) -> u64 {
        self.files.iter().map(|file| file.rows).sum()
    }

    /// Returns the path of the record of a table.
    pub fn path(root: &Path, table: &str) -> PathBuf {
        root.join(TABLES_FOLDER).join(format!("{table}.json"))
    }
}

/// Returns the files of each table, as paths below the dataset's folder: those that the
/// manifests name, whatever else lies beside them.
///
/// # Errors
///
/// A manifest that cannot be read.
pub fn files_of_tables(root: &Path) -> Result<BTreeMap<String, Vec<String>>, Error> {
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let parts = Manifest::read_all(root)?.into_iter();
    let whole = WholeTable::read_all(root)?.into_iter();
    let named = parts.flat_map(|part| part.files);
    for file in named.chain(whole.flat_map(|table| table.files)) {
        files.entry(file.table).or_default().push(file.path);
    }
    Ok(files)
}

/// Returns the archives that runs into a dataset were given, by name: those that are in no part yet
/// are still to be read.
///
/// # Errors
///
/// A list or manifest that cannot be read.
pub fn planned(root: &Path) -> Result<BTreeMap<String, Input>, Error> {
    let inputs = lists(root)?.into_iter().flatten();
    Ok(inputs.map(|input| (input.name.clone(), input)).collect())
}

/// Returns the archives of which a dataset is made or is to be made, by name.
///
/// # Errors
///
/// A list or manifest that cannot be read.
pub(super) fn inputs_of(root: &Path) -> Result<BTreeMap<String, Input>, Error> {
    let mut inputs = planned(root)?;
    for manifest in Manifest::read_all(root)? {
        let archives = manifest.archives.into_iter();
        inputs.extend(archives.map(|archive| (archive.input.name.clone(), archive.input)));
    }
    Ok(inputs)
}

/// Returns the crawl that the path of a file names.
pub(crate) fn crawl_of_file(path: &str) -> Option<&str> {
    let mut folders = path.split('/');
    folders.find_map(|folder| folder.strip_prefix("crawl="))
}

/// Returns the crawls of which a dataset has archives or is to have them; `None` is that of
/// archives that name no crawl.
///
/// # Errors
///
/// A list or manifest that cannot be read.
pub fn crawls_of(root: &Path) -> Result<BTreeSet<Option<String>>, Error> {
    let inputs = inputs_of(root)?;
    let crawls = inputs.keys().map(|name| crawl_in(name).map(str::to_owned));
    Ok(crawls.collect())
}

/// Returns true if and only if a run into a dataset was given all of these archives.
///
/// # Errors
///
/// A list that cannot be read.
pub fn is_listed(root: &Path, inputs: &[Input]) -> Result<bool, Error> {
    let has_all = |list: &Vec<Input>| {
        let names: HashSet<&str> = list.iter().map(|input| input.name.as_str()).collect();
        inputs.iter().all(|input| names.contains(&*input.name))
    };
    Ok(lists(root)?.iter().any(has_all))
}

/// Returns the digest of the contents of all archives of some parts, whatever their names, their
/// order and the parts are. An archive that could not be opened has no content.
pub fn archives_digest(manifests: &[Manifest]) -> String {
    let archives = manifests.iter().flat_map(|manifest| &manifest.archives);
    let mut contents: Vec<&str> = archives.filter_map(|one| one.sha1.as_deref()).collect();
    contents.sort_unstable();
    // The query list-provenance repeats this in SQL.
    hex(&sha1(contents.join("\n").as_bytes()))
}

/// Returns the list of archives that each run into a dataset was given.
pub(super) fn lists(root: &Path) -> Result<Vec<Vec<Input>>, Error> {
    let folder = root.join(INPUTS_FOLDER);
    let expected = "a list of inputs; without it, the archives of published parts are known only";
    let list = |name: String| {
        let path = folder.join(format!("{name}.json"));
        parse(&path, &storage::read(&path)?, expected)
    };
    names(&folder)?.into_iter().map(list).collect()
}

/// Returns true if and only if a file has a path that one of its table may have.
fn is_of_table(file: &TableFile) -> bool {
    let is_name = |name: &str| name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    let mut folders = file.path.split('/');
    folders.next() == Some(&file.table)
        && is_name(&file.table)
        && folders.all(|folder| !matches!(folder, "" | "." | ".."))
}

fn parse<T: DeserializeOwned>(path: &Path, bytes: &[u8], expected: &str) -> Result<T, Error> {
    serde_json::from_value(json_of(path, bytes)?)
        .map_err(|e| Error::corrupt(path, format!("{e}; expected {expected}")))
}

/// Returns the names of a folder's files of JSON without their end, sorted.
fn names(folder: &Path) -> Result<Vec<String>, Error> {
    let files = storage::names(folder)?;
    let names = files.iter().filter_map(|name| name.strip_suffix(".json"));
    let mut names: Vec<_> = names.map(str::to_owned).collect();
    names.sort();
    Ok(names)
}
