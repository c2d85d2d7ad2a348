//! The folder of a dataset: who may write to it, where parts go, and what marks them complete.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde_json::{Value, json};

use super::{
    encode::Format,
    inputs::{Input, change, difference},
    lock::Lock,
    part::{Part, PublishedPart},
    whole::{attempt, read_json, sweep, write_beside, write_whole},
};
use crate::error::Error;

/// What to do with a folder that is there already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OpenMode {
    /// Refuse a folder that is not empty.
    #[default]
    New,
    /// Delete the dataset that stands there.
    Overwrite,
    /// Go on where a run of the same options and inputs ended, or begin where there is none; parts that are published are not made again.
    Resume,
    /// Add parts to a dataset of the same identity, beside other workers; parts that are published already are not made again.
    Join,
}

/// What all parts of a dataset have in common; two runs may share a folder if and only if theirs are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Version of the tables' columns.
    pub schema_version: u32,
    /// Digest of matrix, dialects and every option that rows depend on.
    pub options_digest: String,
    /// The same for a person: option and value.
    pub options: Vec<(String, String)>,
}

/// An open dataset folder.
#[derive(Debug)]
pub struct Dataset {
    root: PathBuf,
    identity: Identity,
    mode: OpenMode,
    _lock: Lock,
}

pub(super) const DATASET_FILE: &str = "_dataset.json";
const MANIFEST_FOLDER: &str = "_manifest";
const TEMPORARY_FOLDER: &str = "_tmp";
/// The inputs of a run that has not ended, in the folder for temporary files: when it is gone, the manifests name them all.
const INPUTS_FILE: &str = "inputs.json";

impl Dataset {
    /// Opens or creates the folder and writes `_dataset.json`.
    ///
    /// `tables` are the names of folders that a dataset consists of: only they are deleted by [`OpenMode::Overwrite`]. `inputs` are the archives
    /// of this run. While the dataset is open, nobody else may write to the folder, but for workers that join with others.
    ///
    /// # Errors
    ///
    /// A folder that is not empty, is no dataset, belongs to other options or inputs, is being written by another run, or cannot be written.
    pub fn open(
        root: &Path,
        mode: OpenMode,
        identity: Identity,
        tables: &[&str],
        inputs: &[Input],
    ) -> Result<Self, Error> {
        fs::create_dir_all(root).map_err(Error::io("cannot create this folder", root))?;
        let dataset = Self {
            _lock: Lock::take(root, mode == OpenMode::Join)?,
            root: root.to_owned(),
            identity,
            mode,
        };
        let is_dataset = Self::stands_in(root);
        match mode {
            OpenMode::New if is_dataset => {
                return Err(Error::usage(format!(
                    "{}: this folder holds a dataset, so it is not empty; go on with it by --resume, replace it by --overwrite, or give another folder with --out",
                    root.display()
                )));
            }
            OpenMode::Overwrite if is_dataset => dataset.clear(tables)?,
            // Another worker may have made its folders a moment ago and be about to say what dataset this is. It says so before it makes the
            // first table's folder: whoever sees that folder sees the file too, if it asks in this order.
            _ if has_other_entries(root, &[MANIFEST_FOLDER, TEMPORARY_FOLDER])?
                && !Self::stands_in(root) =>
            {
                return Err(Error::usage(format!(
                    "{}: this folder is not empty and holds no dataset ({DATASET_FILE} is missing), so it is not touched; give another folder with --out",
                    root.display()
                )));
            }
            OpenMode::Resume if is_dataset => {
                dataset.check_identity(&root.join(DATASET_FILE))?;
                dataset.check_inputs(inputs)?;
            }
            OpenMode::New | OpenMode::Overwrite | OpenMode::Join | OpenMode::Resume => {}
        }
        if mode != OpenMode::Join {
            dataset.begin_alone(inputs)?;
        }
        for folder in [dataset.manifests(), dataset.temporary()] {
            fs::create_dir_all(&folder).map_err(Error::io("cannot create this folder", &folder))?;
        }
        dataset.claim()?;
        Ok(dataset)
    }

    /// Returns true if and only if a folder holds a dataset, complete or not.
    pub fn stands_in(root: &Path) -> bool {
        root.join(DATASET_FILE).exists()
    }

    /// Returns what a dataset says of itself: the tool, its version, and the options.
    ///
    /// # Errors
    ///
    /// If the folder holds no dataset, or its description cannot be read.
    pub fn read_description(root: &Path) -> Result<Value, Error> {
        read_json(&root.join(DATASET_FILE))
    }

    /// Returns true if and only if a part of that name is published.
    pub fn has_part(&self, name: &str) -> bool {
        self.manifest(name).exists()
    }

    /// Returns the manifest of a published part.
    ///
    /// # Errors
    ///
    /// A manifest that cannot be read.
    pub fn read_manifest(&self, name: &str) -> Result<Value, Error> {
        read_json(&self.manifest(name))
    }

    /// Begins a part.
    ///
    /// # Errors
    ///
    /// A file that cannot be created.
    pub fn begin_part(&self, name: &str, formats: &[Arc<Format>]) -> Result<Part, Error> {
        // Another worker may be at the same part: each attempt has a folder of its own.
        Part::create(
            self.temporary().join(format!("{name}.{}", attempt())),
            formats,
        )
    }

    /// Publishes a part: its files under their final names, then its manifest, which marks it complete.
    ///
    /// # Errors
    ///
    /// A file that cannot be written or renamed.
    pub fn publish(
        &self,
        name: &str,
        crawl: Option<&str>,
        part: Part,
        mut manifest: Value,
    ) -> Result<Vec<PublishedPart>, Error> {
        let files = part.publish(&self.root, |table, volume| {
            let folder = match crawl {
                Some(crawl) => format!("{table}/crawl={crawl}"),
                None => table.to_owned(),
            };
            match volume {
                1 => format!("{folder}/part-{name}.parquet"),
                // In the order of names the further volumes stand behind the first.
                _ => format!("{folder}/part-{name}.v{volume:04}.parquet"),
            }
        })?;
        manifest["part"] = name.into();
        manifest["options_digest"] = self.identity.options_digest.as_str().into();
        manifest["files"] = files
            .iter()
            .map(|file| {
                json!({"table": file.table, "path": file.path, "rows": file.rows, "bytes": file.bytes})
            })
            .collect();
        write_whole(&self.manifest(name), &manifest)?;
        Ok(files)
    }

    /// Returns the archives of a published part, as its manifest lists them.
    ///
    /// # Errors
    ///
    /// A manifest that cannot be read, and an archive that has changed since the part was made of it.
    pub fn check_part(&self, name: &str, inputs: &[Input]) -> Result<Vec<Value>, Error> {
        let mut manifest = self.read_manifest(name)?;
        let Value::Array(archives) = manifest["archives"].take() else {
            return Err(Error::usage(format!(
                "{}: expected a list of archives; this is no manifest of a part",
                self.manifest(name).display()
            )));
        };
        for (archive, ours) in archives.iter().filter_map(Input::from_json).zip(inputs) {
            // Workers on several machines may each have a copy of their own, with a time of its own.
            let modified = match self.mode {
                OpenMode::Join => None,
                _ => ours.modified,
            };
            let ours = Input {
                modified,
                ..ours.clone()
            };
            if let Some(changed) = change(&archive, &ours) {
                return Err(self.other_inputs(&changed));
            }
        }
        Ok(archives)
    }

    /// Ends the run, complete or not: removes the folder for temporary files, if nobody needs what is in it.
    pub fn close(self, is_complete: bool) {
        if is_complete && self.mode != OpenMode::Join {
            let _ = fs::remove_file(self.temporary().join(INPUTS_FILE));
        }
        // Another worker's files keep the folder, and what a killed one left there; neither is a fault of this run.
        let _ = fs::remove_dir(self.temporary());
    }

    /// Removes what a killed run left, for nobody else is at work here, and notes the inputs before anything says that this is a dataset.
    fn begin_alone(&self, inputs: &[Input]) -> Result<(), Error> {
        let temporary = self.temporary();
        fs::create_dir_all(&temporary)
            .map_err(Error::io("cannot create this folder", &temporary))?;
        sweep(&self.root)?;
        sweep(&self.manifests())?;
        sweep(&temporary)?;
        let entries = fs::read_dir(&temporary).map_err(Error::io("cannot list", &temporary))?;
        for entry in entries {
            let path = entry.map_err(Error::io("cannot list", &temporary))?.path();
            if path.is_dir() {
                fs::remove_dir_all(&path).map_err(Error::io("cannot delete", &path))?;
            }
        }
        let inputs = inputs.iter().map(Input::to_json).collect();
        write_whole(&temporary.join(INPUTS_FILE), &inputs)
    }

    /// Checks that these are the inputs with which the dataset was begun.
    fn check_inputs(&self, ours: &[Input]) -> Result<(), Error> {
        if let Some(unknown) = ours.iter().find(|input| input.bytes.is_none()) {
            return Err(Error::usage(format!(
                "{}: its size is not known, so nobody can tell whether it is the same as before; a run with such an input cannot be resumed",
                unknown.name
            )));
        }
        let noted = self.temporary().join(INPUTS_FILE);
        let mut theirs = Vec::new();
        if noted.exists() {
            let noted = read_json(&noted)?;
            theirs.extend(
                noted
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(Input::from_json),
            );
        } else {
            for name in self.parts()? {
                let manifest = self.read_manifest(&name)?;
                let archives = manifest["archives"].as_array();
                theirs.extend(archives.into_iter().flatten().filter_map(Input::from_json));
            }
        }
        match difference(&theirs, ours) {
            Some(differs) => Err(self.other_inputs(&differs)),
            None => Ok(()),
        }
    }

    fn other_inputs(&self, differs: &str) -> Error {
        Error::usage(format!(
            "{}: the dataset in this folder was made of other inputs: {differs}; give the same, or begin anew with --overwrite",
            self.root.display()
        ))
    }

    /// Returns an open dataset that stands there already and that others may be writing to.
    pub(super) fn beside_others(root: &Path, identity: Identity) -> Result<Self, Error> {
        Ok(Self {
            _lock: Lock::take(root, true)?,
            root: root.to_owned(),
            identity,
            mode: OpenMode::Join,
        })
    }

    /// Returns what all parts have in common.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Returns the folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the names of the published parts, sorted.
    pub(super) fn parts(&self) -> Result<Vec<String>, Error> {
        let folder = self.manifests();
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(e) => return Err(Error::io("cannot list", &folder)(e)),
        };
        let mut parts = Vec::new();
        for entry in entries {
            let name = entry
                .map_err(Error::io("cannot list", &folder))?
                .file_name();
            let name = name.to_string_lossy();
            if let Some(part) = name
                .strip_suffix(".json")
                .filter(|_| !name.starts_with('.'))
            {
                parts.push(part.to_owned());
            }
        }
        parts.sort();
        Ok(parts)
    }

    fn clear(&self, tables: &[&str]) -> Result<(), Error> {
        // A part is marked complete until its manifest is gone, so manifests go first, should this end in the middle.
        let folders = [MANIFEST_FOLDER, TEMPORARY_FOLDER].into_iter();
        for name in folders.chain(tables.iter().copied()) {
            let folder = self.root.join(name);
            match fs::remove_dir_all(&folder) {
                Ok(()) => {}
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
                Err(e) => return Err(Error::io("cannot delete", &folder)(e)),
            }
        }
        let file = self.root.join(DATASET_FILE);
        fs::remove_file(&file).map_err(Error::io("cannot delete", &file))
    }

    /// Says what dataset this folder holds, or checks that it is this one if that has been said already.
    fn claim(&self) -> Result<(), Error> {
        let file = self.root.join(DATASET_FILE);
        if file.exists() {
            return self.check_identity(&file);
        }
        let temporary = write_beside(&file, &self.identity_json())?;
        // A link, unlike a rename, replaces nothing: of two workers that begin at once, the second finds the first one's claim.
        let result = match fs::hard_link(&temporary, &file) {
            Ok(()) => Ok(()),
            Err(_) if file.exists() => self.check_identity(&file),
            // A file system without links.
            Err(_) => fs::copy(&temporary, &file)
                .map(drop)
                .map_err(Error::io("cannot write", &file)),
        };
        fs::remove_file(&temporary).map_err(Error::io("cannot delete", &temporary))?;
        result
    }

    fn check_identity(&self, file: &Path) -> Result<(), Error> {
        let theirs = read_json(file)?;
        let ours = self.identity_json();
        let of_tool = ["tool_version", "schema_version"]
            .map(|key| (key, &theirs[key], &ours[key]))
            .into_iter();
        let of_options = self.identity.options.iter().map(|(key, _)| {
            let (theirs, ours) = (&theirs["options"][key], &ours["options"][key]);
            (key.as_str(), theirs, ours)
        });
        let differing: Vec<String> = of_tool
            .chain(of_options)
            .filter(|(_, theirs, ours)| theirs != ours)
            .map(|(key, theirs, ours)| format!("{key} is {theirs} there and {ours} here"))
            .collect();
        if differing.is_empty() {
            return Ok(());
        }
        Err(Error::usage(format!(
            "{}: the dataset in this folder was made with other options ({}); its parts would not fit",
            self.root.display(),
            differing.join("; ")
        )))
    }

    fn identity_json(&self) -> Value {
        let options: serde_json::Map<String, Value> = self
            .identity
            .options
            .iter()
            .map(|(key, value)| (key.clone(), value.as_str().into()))
            .collect();
        json!({
            "tool": "robocensus",
            "tool_version": env!("CARGO_PKG_VERSION"),
            "schema_version": self.identity.schema_version,
            "options_digest": self.identity.options_digest,
            "options": options,
        })
    }

    fn manifests(&self) -> PathBuf {
        self.root.join(MANIFEST_FOLDER)
    }

    fn temporary(&self) -> PathBuf {
        self.root.join(TEMPORARY_FOLDER)
    }

    fn manifest(&self, name: &str) -> PathBuf {
        self.manifests().join(format!("{name}.json"))
    }
}

/// Returns true if and only if a folder holds anything but entries of these names and hidden files; one that is not there holds nothing.
fn has_other_entries(folder: &Path, names: &[&str]) -> Result<bool, Error> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(false),
        Err(e) => return Err(Error::io("cannot be the output folder", folder)(e)),
    };
    for entry in entries {
        let name = entry.map_err(Error::io("cannot list", folder))?.file_name();
        let name = name.to_string_lossy();
        if !name.starts_with('.') && !names.contains(&name.as_ref()) {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sink::Encoder;
    use arrow_array::{Int64Array, RecordBatch};
    use arrow_schema::{DataType, Field, Schema, SchemaRef};

    fn identity(digest: &str) -> Identity {
        Identity {
            schema_version: 1,
            options_digest: digest.to_owned(),
            options: vec![("dialects".to_owned(), digest.to_owned())],
        }
    }

    fn schema() -> SchemaRef {
        Arc::new(Schema::new(vec![Field::new("n", DataType::Int64, false)]))
    }

    fn format() -> Arc<Format> {
        Arc::new(Format::new("numbers", schema(), &[]).unwrap())
    }

    fn publish(dataset: &Dataset, name: &str) -> Vec<PublishedPart> {
        let format = format();
        let mut part = dataset
            .begin_part(name, std::slice::from_ref(&format))
            .unwrap();
        let mut encoder = Encoder::new(format);
        let column = Arc::new(Int64Array::from(vec![1, 2, 3]));
        encoder
            .write(&RecordBatch::try_new(schema(), vec![column]).unwrap())
            .unwrap();
        part.append(0, encoder.finish().unwrap()).unwrap();
        dataset.publish(name, None, part, json!({})).unwrap()
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
        assert_eq!(fs::read_dir(root.join("_tmp")).unwrap().count(), 1);
        let files = publish(&dataset, "x");
        assert_eq!(
            (files[0].path.as_str(), files[0].rows),
            ("numbers/part-x.parquet", 3)
        );
        assert!(dataset.has_part("x") && !dataset.has_part("y"));
        assert_eq!(dataset.read_manifest("x").unwrap()["files"][0]["rows"], 3);
        dataset.close(true);
        assert!(!root.join("_tmp").exists());
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
        assert!(open(OpenMode::Join, "a").unwrap().has_part("x"));
        let error = open(OpenMode::Join, "b").unwrap_err().to_string();
        assert!(
            error.contains("dialects is \"a\" there and \"b\" here"),
            "{error}"
        );
        let replaced = open(OpenMode::Overwrite, "b").unwrap();
        assert!(!replaced.has_part("x") && !dir.path().join("numbers").exists());
    }
}
