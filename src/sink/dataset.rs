//! The folder of a dataset: who may write to it, where parts go, and what marks them complete.

use std::{
    fs,
    path::{Path, PathBuf},
    process,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use serde_json::{Value, json};

use super::{
    encode::Format,
    part::{Part, PublishedPart},
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
}

const DATASET_FILE: &str = "_dataset.json";
const MANIFEST_FOLDER: &str = "_manifest";
const TEMPORARY_FOLDER: &str = "_tmp";

impl Dataset {
    /// Opens or creates the folder and writes `_dataset.json`.
    ///
    /// `tables` are the names of folders that a dataset consists of: only they are deleted by [`OpenMode::Overwrite`].
    ///
    /// # Errors
    ///
    /// A folder that is not empty, is no dataset, belongs to other options, or cannot be written.
    pub fn open(
        root: &Path,
        mode: OpenMode,
        identity: Identity,
        tables: &[&str],
    ) -> Result<Self, Error> {
        let dataset = Self {
            root: root.to_owned(),
            identity,
        };
        match mode {
            OpenMode::New if has_other_entries(root, &[])? => {
                return Err(Error::usage(format!(
                    "{}: this folder is not empty; give another one with --out, or --overwrite to replace the dataset in it",
                    root.display()
                )));
            }
            OpenMode::Overwrite if root.join(DATASET_FILE).exists() => dataset.clear(tables)?,
            // Another worker may have made its folders a moment ago and be about to say what dataset this is. It says so before it makes the
            // first table's folder: whoever sees that folder sees the file too, if it asks in this order.
            OpenMode::Overwrite | OpenMode::Join
                if has_other_entries(root, &[MANIFEST_FOLDER, TEMPORARY_FOLDER])?
                    && !root.join(DATASET_FILE).exists() =>
            {
                return Err(Error::usage(format!(
                    "{}: this folder is not empty and holds no dataset ({DATASET_FILE} is missing), so it is not touched; give another folder with --out",
                    root.display()
                )));
            }
            OpenMode::New | OpenMode::Overwrite | OpenMode::Join => {}
        }
        for folder in [dataset.manifests(), dataset.temporary()] {
            fs::create_dir_all(&folder).map_err(Error::io("cannot create this folder", &folder))?;
        }
        dataset.claim()?;
        Ok(dataset)
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
        let files = part.publish(&self.root, |table| match crawl {
            Some(crawl) => format!("{table}/crawl={crawl}/part-{name}.parquet"),
            None => format!("{table}/part-{name}.parquet"),
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

    /// Ends the run: removes the folder for temporary files, if no other worker has one in it.
    pub fn close(self) {
        // Another worker's files keep the folder, and what a killed one left there; neither is a fault of this run.
        let _ = fs::remove_dir(self.temporary());
    }

    fn clear(&self, tables: &[&str]) -> Result<(), Error> {
        for name in tables
            .iter()
            .copied()
            .chain([MANIFEST_FOLDER, TEMPORARY_FOLDER])
        {
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
        if theirs["options_digest"] == ours["options_digest"]
            && theirs["schema_version"] == ours["schema_version"]
        {
            return Ok(());
        }
        let differing: Vec<String> = self
            .identity
            .options
            .iter()
            .filter(|(key, _)| theirs["options"][key] != ours["options"][key])
            .map(|(key, _)| {
                format!(
                    "{key} is {} there and {} here",
                    theirs["options"][key], ours["options"][key]
                )
            })
            .collect();
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

/// Writes a file that is there whole or not at all.
fn write_whole(path: &Path, value: &Value) -> Result<(), Error> {
    let temporary = write_beside(path, value)?;
    fs::rename(&temporary, path).map_err(Error::io("cannot rename to", path))
}

/// Writes a hidden file beside `path`, under a name that no other worker has.
fn write_beside(path: &Path, value: &Value) -> Result<PathBuf, Error> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = path.with_file_name(format!(".{name}.{}", attempt()));
    fs::write(&temporary, format!("{value:#}\n")).map_err(Error::io("cannot write", &temporary))?;
    Ok(temporary)
}

/// Returns a text that no other attempt at the same thing has, on this machine or another.
fn attempt() -> String {
    let nanos = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |now| now.as_nanos());
    format!("{}.{nanos}", process::id())
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

fn read_json(path: &Path) -> Result<Value, Error> {
    let bytes = fs::read(path).map_err(Error::io("cannot read", path))?;
    serde_json::from_slice(&bytes)
        .map_err(|e| Error::usage(format!("{}: expected JSON: {e}", path.display())))
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
        let dataset = Dataset::open(&root, OpenMode::New, identity("a"), &["numbers"]).unwrap();
        let unfinished = dataset.begin_part("x", &[format()]).unwrap();
        assert!(!root.join("numbers").exists());
        drop(unfinished);
        assert_eq!(fs::read_dir(root.join("_tmp")).unwrap().count(), 0);
        let files = publish(&dataset, "x");
        assert_eq!(
            (files[0].path.as_str(), files[0].rows),
            ("numbers/part-x.parquet", 3)
        );
        assert!(dataset.has_part("x") && !dataset.has_part("y"));
        assert_eq!(dataset.read_manifest("x").unwrap()["files"][0]["rows"], 3);
        dataset.close();
        assert!(!root.join("_tmp").exists());
    }

    #[test]
    fn a_folder_with_something_in_it_is_refused_and_never_deleted_unless_it_is_a_dataset() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("thesis.txt"), "x").unwrap();
        let open = |mode| Dataset::open(dir.path(), mode, identity("a"), &["numbers"]);
        let error = open(OpenMode::New).unwrap_err().to_string();
        assert!(error.contains("--overwrite"), "{error}");
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
        let open = |mode, digest| Dataset::open(dir.path(), mode, identity(digest), &["numbers"]);
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
