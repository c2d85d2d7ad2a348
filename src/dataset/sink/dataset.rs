//! The root of a dataset: who may write to it, the names of its parts, and what marks them
//! complete.

use std::{
    collections::{HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use serde_json::Value;

use super::{
    DATASET_FILE, DatasetIdentity, Format, Input, Lock, MANIFEST_FOLDER, Manifest, PartArchive,
    PartWriter, Pending, Session, TEMPORARY_FOLDER, TableFile, WholeTable, attempt, change, clear,
    create_whole, file_path, is_ours, is_remote, lock, publishing, read_json, storage, write_whole,
};
use crate::archive::error::{Error, ErrorKind, FolderConflict};

/// What to do with a folder that exists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OpenMode {
    /// Refuse a folder that is not empty.
    #[default]
    New,
    /// Delete the dataset in it.
    Overwrite,
    /// Continue a run of the same options and inputs, or begin one; published parts are not made
    /// again.
    Resume,
    /// Add parts to a dataset of the same identity, along with other workers; published parts are
    /// not made again.
    Join,
}

/// An open dataset folder.
#[derive(Debug)]
pub struct Dataset {
    pub(super) session: Session,
    root: PathBuf,
    identity: DatasetIdentity,
    mode: OpenMode,
    published: Mutex<PublishedArchives>,
    /// Whether files that are kept are read, to find those whose bytes were changed.
    pub(super) reads_bytes: bool,
    /// Once it is set, uploads are aborted.
    stop: Arc<AtomicBool>,
    _lock: Option<Lock>,
}

/// The archives of published parts, as far as their manifests have been read.
#[derive(Debug, Default)]
struct PublishedArchives {
    parts: HashSet<String>,
    /// The part of each archive.
    part_of: HashMap<String, String>,
}

impl Dataset {
    /// Opens or creates the folder and writes `_dataset.json`.
    ///
    /// `tables` are the names of folders that a dataset consists of: only they are deleted by
    /// [`OpenMode::Overwrite`]. `inputs` are the archives of this run. While the dataset is open,
    /// no other process can open it, unless both join.
    ///
    /// # Errors
    ///
    /// A folder that is not empty, is no dataset, belongs to other options or inputs, is being
    /// written by another run, or cannot be written.
    pub(crate) fn open(
        root: &Path,
        mode: OpenMode,
        identity: DatasetIdentity,
        tables: &[&str],
        inputs: &[Input],
    ) -> Result<Self, Error> {
        storage::create_folder(root)?;
        let lock = lock(root, mode == OpenMode::Join)?;
        let is_dataset = Self::exists(root)?;
        // Another worker may be creating the dataset at this moment. It writes the description
        // before any folder but the temporary one, so the description is looked for once more after
        // anything else was found.
        if !is_dataset && has_other_entries(root)? && !Self::exists(root)? {
            let message = format!(
                "this folder is not empty and holds no dataset ({DATASET_FILE} is missing), so it is not touched"
            );
            return Err(Error::folder(root, FolderConflict::Foreign, message));
        }
        if mode == OpenMode::New && is_dataset {
            return Err(Self::already_there(root, inputs)?);
        }
        let dataset = Self::begin(root, identity, mode, lock)?;
        // `Session::begin` has finished the deletion that a run began which died.
        let is_dataset = Self::exists(root)?;
        match mode {
            OpenMode::Overwrite if is_dataset => clear(root, tables, &dataset.session)?,
            OpenMode::Resume if is_dataset => {
                dataset.check_identity()?;
                dataset.check_inputs(inputs)?;
            }
            OpenMode::New | OpenMode::Overwrite | OpenMode::Join | OpenMode::Resume => {}
        }
        dataset.claim()?;
        dataset.record_inputs(inputs)?;
        Ok(dataset)
    }

    /// Returns the dataset with a flag that ends its uploads: once it is set, they are aborted.
    pub(crate) fn stopped_by(self, stop: Arc<AtomicBool>) -> Self {
        Self { stop, ..self }
    }

    /// Returns true if and only if a folder, or a prefix of S3, holds a dataset, complete or not.
    ///
    /// # Errors
    ///
    /// A bucket of S3 that is not there or denies access.
    pub fn exists(root: &Path) -> Result<bool, Error> {
        storage::exists(&root.join(DATASET_FILE))
    }

    /// Returns true if and only if a dataset has the folder of a table.
    ///
    /// # Errors
    ///
    /// A bucket of S3 that is not there or denies access.
    pub fn has_table(root: &Path, table: &str) -> Result<bool, Error> {
        storage::is_folder(&root.join(table))
    }

    /// Returns the description of a dataset: the tool, its version, and the options.
    ///
    /// # Errors
    ///
    /// If the folder holds no dataset, or its description cannot be read.
    pub fn read_description(root: &Path) -> Result<Value, Error> {
        read_json(&root.join(DATASET_FILE))
    }

    /// Begins a part.
    ///
    /// # Errors
    ///
    /// A file that cannot be created.
    pub(crate) fn begin_part(
        &self,
        name: &str,
        formats: &[Arc<Format>],
    ) -> Result<PartWriter, Error> {
        let folder = format!("{name}.{}", attempt());
        PartWriter::create(self.session.folder.join(folder), formats)
    }

    /// Publishes a part: its files under their final names, then its manifest, which marks it
    /// complete.
    ///
    /// Returns `None`, and nothing is published, where other workers have published all of its
    /// archives meanwhile.
    ///
    /// # Errors
    ///
    /// A file that cannot be written or renamed, and a part of which other workers have published
    /// some archives meanwhile.
    pub(crate) fn publish(
        &self,
        name: &str,
        crawl: Option<&str>,
        part: PartWriter,
        archives: Vec<PartArchive>,
    ) -> Result<Option<Vec<TableFile>>, Error> {
        storage::create_folder(&self.root.join(MANIFEST_FOLDER))?;
        // One worker publishes at a time, until its manifest is written. Where folders cannot be
        // locked, as in S3, the look-up finds all parts but those that are published at the same
        // moment.
        let _guard = publishing(&self.root);
        if self.mode == OpenMode::Join && self.is_published(name, &archives)? {
            return Ok(None);
        }
        let published = self.publish_part(name, crawl, part, archives);
        match &published {
            Ok(_) => Pending::forget(&self.session.notes),
            // Another worker may be writing the same files of the same part, and its manifest next.
            Err(_) if self.mode == OpenMode::Join && is_remote(&self.root) => {}
            Err(_) => Pending::settle(&self.session.notes, &self.root),
        }
        published
    }

    fn publish_part(
        &self,
        name: &str,
        crawl: Option<&str>,
        mut part: PartWriter,
        archives: Vec<PartArchive>,
    ) -> Result<Option<Vec<TableFile>>, Error> {
        let (files, targets) =
            part.complete(&self.root, |table, file_number| match file_number {
                1 => file_path(table, crawl, name),
                // The order of names is that of the rows.
                _ => file_path(table, crawl, &format!("{name}.v{file_number:04}")),
            })?;
        let path = Manifest::path(&self.root, name);
        Pending {
            manifest: Some(format!("{MANIFEST_FOLDER}/{name}.json")),
            files: files.iter().map(|file| file.path.clone()).collect(),
        }
        .note(&self.session.notes, &self.session.folder)?;
        self.publish_files(&targets)?;
        let manifest = Manifest {
            part: name.to_owned(),
            tool_version: env!("CARGO_PKG_VERSION").to_owned(),
            options_digest: self.identity.options_digest.clone(),
            archives,
            files,
        };
        // In S3 no lock has kept others from publishing the same files in the meantime.
        if is_remote(&self.root) {
            let is_first = create_whole(&self.session.folder, &path, &manifest)?;
            return Ok(is_first.then_some(manifest.files));
        }
        write_whole(&self.session.folder, &path, &manifest)?;
        Ok(Some(manifest.files))
    }

    /// Gives complete files their final names, in place of older ones: a reader sees the older file
    /// or the newer, each of them complete.
    ///
    /// # Errors
    ///
    /// A file that cannot be renamed or uploaded.
    pub(crate) fn publish_files(&self, files: &[(PathBuf, PathBuf)]) -> Result<(), Error> {
        storage::publish(files, &self.stop).map_err(|(path, source)| {
            if is_remote(&self.root) && self.stop.load(Relaxed) {
                return ErrorKind::Interrupted.into();
            }
            Error::io("cannot publish", path)(source)
        })
    }

    /// Returns true if and only if all archives are in published parts; it is an error if only some
    /// are.
    fn is_published(&self, name: &str, archives: &[PartArchive]) -> Result<bool, Error> {
        let published = self.published.lock();
        let mut published = published.unwrap_or_else(PoisonError::into_inner);
        // A manifest never changes while workers join, so each is read once.
        for part in Manifest::parts(&self.root)? {
            if published.parts.insert(part.clone()) {
                let manifest = Manifest::read(&self.root, &part)?;
                let archives = manifest.archives.into_iter();
                let named = archives.map(|archive| (archive.input.name, part.clone()));
                published.part_of.extend(named);
            }
        }
        let mut known = archives.iter().filter_map(|archive| {
            let part = published.part_of.get(&archive.input.name)?;
            Some((&archive.input.name, part))
        });
        match known.clone().count() {
            0 => Ok(false),
            n if n == archives.len() => Ok(true),
            _ => {
                let (archive, other) = known.next().expect("there is at least one");
                Err(Error::usage(format!(
                    "{archive}: another worker has published this archive meanwhile, in the part {other}, so the part {name} is not published; the same run again makes a part of the archives that are missing"
                )))
            }
        }
    }

    /// Checks that an archive has not changed since it was recorded or a part was made of it.
    ///
    /// # Errors
    ///
    /// What changed.
    pub(crate) fn check_input(&self, before: &Input, now: &Input) -> Result<(), Error> {
        // Workers on several machines may each have a copy of their own, with a time of its own.
        let modified = now.modified.filter(|_| self.mode != OpenMode::Join);
        let now = Input {
            modified,
            ..now.clone()
        };
        self.refuse_other_inputs(change(before, &now))
    }

    /// Deletes a published part, its manifest first.
    ///
    /// # Errors
    ///
    /// A file that cannot be deleted or written.
    pub(crate) fn discard(&self, manifest: &Manifest) -> Result<(), Error> {
        // A table that was made of this part is out of date once the part is made again.
        for mut table in WholeTable::read_all(&self.root)? {
            if table.parts.contains(&manifest.part) {
                table.parts.retain(|part| *part != manifest.part);
                self.record(&table)?;
            }
        }
        let files = manifest.files.iter().map(|file| self.root.join(&file.path));
        let first = Manifest::path(&self.root, &manifest.part);
        for path in std::iter::once(first).chain(files) {
            storage::delete(&path)?;
        }
        Ok(())
    }

    /// Refuses inputs that differ from those of the dataset, in what the clause says.
    pub(super) fn refuse_other_inputs(&self, differs: Option<String>) -> Result<(), Error> {
        let Some(differs) = differs else {
            return Ok(());
        };
        let message = format!("the dataset in this folder was made of other inputs: {differs}");
        Err(Error::folder(&self.root, FolderConflict::Differs, message))
    }

    /// Opens a dataset that exists; where the mode is [`OpenMode::Join`], others may be writing to
    /// it.
    pub(super) fn in_folder(
        root: &Path,
        identity: DatasetIdentity,
        mode: OpenMode,
    ) -> Result<Self, Error> {
        let lock = lock(root, mode == OpenMode::Join)?;
        Ok(Self {
            reads_bytes: true,
            ..Self::begin(root, identity, mode, lock)?
        })
    }

    fn begin(
        root: &Path,
        identity: DatasetIdentity,
        mode: OpenMode,
        lock: Option<Lock>,
    ) -> Result<Self, Error> {
        Ok(Self {
            session: Session::begin(root, mode != OpenMode::Join)?,
            root: root.to_owned(),
            identity,
            mode,
            published: Mutex::default(),
            reads_bytes: false,
            stop: Arc::default(),
            _lock: lock,
        })
    }

    /// Returns the properties that all parts share.
    pub(crate) fn identity(&self) -> &DatasetIdentity {
        &self.identity
    }

    /// Returns the folder.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }
}

/// Returns true if and only if a folder has anything but temporary files of this program.
fn has_other_entries(folder: &Path) -> Result<bool, Error> {
    if is_remote(folder) {
        return storage::has_outside(folder, TEMPORARY_FOLDER);
    }
    let entries = fs::read_dir(folder).map_err(Error::io("cannot be the output folder", folder))?;
    for entry in entries {
        let name = entry.map_err(Error::io("cannot list", folder))?.file_name();
        if name != TEMPORARY_FOLDER {
            return Ok(true);
        }
    }
    Ok(!is_ours(&folder.join(TEMPORARY_FOLDER)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{
        sink::{Encoder, FileSizes, leftover},
        table::{Column, ColumnType, Table},
    };
    use arrow_array::{Int64Array, RecordBatch};

    const NUMBERS: Table = Table {
        name: "numbers",
        about: "",
        columns: &[Column::of_type(ColumnType::Int64).named("n", "")],
    };

    fn identity(digest: &str) -> DatasetIdentity {
        DatasetIdentity::new(vec![("dialects".to_owned(), digest.to_owned())])
    }

    fn format() -> Arc<Format> {
        Arc::new(Format::new(&NUMBERS, &[]).unwrap())
    }

    fn publish(dataset: &Dataset, name: &str) -> Vec<TableFile> {
        let format = format();
        let mut part = dataset
            .begin_part(name, std::slice::from_ref(&format))
            .unwrap();
        let mut encoder = Encoder::new(format);
        let column = Arc::new(Int64Array::from(vec![1, 2, 3]));
        encoder
            .write(RecordBatch::try_new(NUMBERS.schema(), vec![column]).unwrap())
            .unwrap();
        part.append(NUMBERS.name, encoder.finish().unwrap())
            .unwrap();
        let archive = PartArchive {
            input: Input::new(name, Some(1), None),
            sha1: None,
            captures: 0,
            is_complete: true,
            loss: None,
        };
        let published = dataset.publish(name, None, part, vec![archive]);
        published.unwrap().unwrap_or_default()
    }

    #[test]
    fn a_part_is_absent_until_it_is_published_and_then_whole() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("out");
        let dataset =
            Dataset::open(&root, OpenMode::New, identity("a"), &["numbers"], &[]).unwrap();
        let unfinished = dataset.begin_part("x", &[format()]).unwrap();
        assert!(!root.join("numbers").exists());
        drop(unfinished);
        let files = publish(&dataset, "x");
        assert_eq!(
            (files[0].path.as_str(), files[0].rows),
            ("numbers/part-x.parquet", 3)
        );
        assert_eq!(Manifest::parts(&root).unwrap(), ["x"]);
        let manifest = Manifest::read(&root, "x").unwrap();
        assert_eq!(manifest.damage(&FileSizes::Folder(&root)), None);
        assert_eq!(manifest.files, files);
        drop(dataset);
        assert!(!root.join("_tmp").exists());
    }

    #[test]
    fn a_part_that_cannot_be_published_leaves_no_file() {
        let dir = tempfile::tempdir().unwrap();
        let open = || Dataset::open(dir.path(), OpenMode::Resume, identity("a"), &[], &[]);
        let dataset = open().unwrap();
        let others = Table {
            name: "others",
            ..NUMBERS
        };
        let other = Arc::new(Format::new(&others, &[]).unwrap());
        fs::create_dir_all(dir.path().join("others/part-x.parquet")).unwrap();
        let part = dataset.begin_part("x", &[format(), other]).unwrap();
        let error = dataset.publish("x", None, part, Vec::new()).unwrap_err();
        assert!(error.to_string().contains("part-x.parquet"), "{error}");
        assert!(!dir.path().join("numbers/part-x.parquet").exists());
        assert!(Manifest::parts(dir.path()).unwrap().is_empty());
        assert_eq!(leftover(dir.path()).unwrap(), None);
    }

    #[test]
    fn a_folder_with_something_in_it_is_refused_and_never_deleted_unless_it_is_a_dataset() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("thesis.txt"), "x").unwrap();
        let open = |mode| Dataset::open(dir.path(), mode, identity("a"), &["numbers"], &[]);
        let error = open(OpenMode::New).unwrap_err().to_string();
        assert!(error.contains("not empty"), "{error}");
        assert!(
            open(OpenMode::Overwrite)
                .unwrap_err()
                .to_string()
                .contains("no dataset")
        );
        assert!(
            open(OpenMode::Join)
                .unwrap_err()
                .to_string()
                .contains("no dataset")
        );
        assert!(dir.path().join("thesis.txt").exists());
    }

    #[test]
    fn only_a_run_of_the_same_options_may_join_and_is_told_what_differs() {
        let dir = tempfile::tempdir().unwrap();
        let open =
            |mode, digest| Dataset::open(dir.path(), mode, identity(digest), &["numbers"], &[]);
        publish(&open(OpenMode::New, "a").unwrap(), "x");
        let joined = open(OpenMode::Join, "a").unwrap();
        assert!(publish(&joined, "x").is_empty(), "it is published already");
        drop(joined);
        let error = open(OpenMode::Join, "b").unwrap_err().to_string();
        assert!(
            error.contains("dialects is \"a\" there and \"b\" here"),
            "{error}"
        );
        open(OpenMode::Overwrite, "b").unwrap();
        assert!(Manifest::parts(dir.path()).unwrap().is_empty());
        assert!(!dir.path().join("numbers").exists());
    }
}
