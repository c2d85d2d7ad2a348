//! The removal of a crawl from a dataset.
//!
//! The files of a crawl are its own, so the others stay as they are. What was made of all parts
//! forgets the crawl first; then a note lists all of its files, its manifests first. A process that
//! dies before the note leaves the crawl whole, for [`finish`](crate::finish) to complete; after
//! it, the next process that writes deletes the rest ([`Pending`]).

use std::{fs, path::Path};

use super::{
    Dataset, INPUTS_FOLDER, MANIFEST_FOLDER, Manifest, OpenMode, Pending, WholeTable,
    crawl_of_file, crawls_of, is_remote, list_name, lists, published::whole_path, storage,
    write_whole,
};
use crate::archive::{error::Error, input::crawl_in};

impl Dataset {
    /// Deletes the parts of a crawl, its files of other tables, and its archives in the lists of
    /// inputs.
    ///
    /// # Errors
    ///
    /// A crawl that is not in the dataset or is its only one, a dataset that another process writes
    /// to, and a file that cannot be written or deleted.
    pub(crate) fn drop_crawl(root: &Path, crawl: &str) -> Result<(), Error> {
        let identity = Self::identity_of(root)?;
        let dataset = Self::in_folder(root, identity, OpenMode::Resume)?;
        let crawls = crawls_of(root)?;
        let named: Vec<&str> = crawls.iter().flatten().map(String::as_str).collect();
        let refusal = if !named.contains(&crawl) {
            format!("has no crawl {crawl:?}; it has {}", named.join(", "))
        } else if crawls.len() == 1 {
            format!("has no crawl but {crawl}; delete its folder instead")
        } else {
            return dataset.leave_out(crawl);
        };
        let folder = root.display();
        Err(Error::usage(format!("{folder}: the dataset {refusal}")))
    }

    fn leave_out(&self, crawl: &str) -> Result<(), Error> {
        let root = self.root();
        let is_of_crawl = |path: &str| crawl_of_file(path) == Some(crawl);
        let mut manifests = Vec::new();
        let mut files = Vec::new();
        for manifest in Manifest::read_all(root)? {
            let mut of_part = manifest.files.into_iter().map(|file| file.path).peekable();
            if of_part.peek().is_some_and(|path| is_of_crawl(path)) {
                manifests.push(manifest.part);
                files.extend(of_part);
            }
        }
        for mut table in WholeTable::read_all(root)? {
            let dropped = table.files.extract_if(.., |file| is_of_crawl(&file.path));
            let is_recorded = dropped.count() > 0;
            // Also where a process recorded it and died before the note.
            files.push(whole_path(&table.table, Some(crawl)));
            table.parts.retain(|part| !manifests.contains(part));
            if is_recorded {
                self.record(&table)?;
            }
        }
        for mut list in lists(root)? {
            let name = list_name(&list);
            let n_listed = list.len();
            list.retain(|input| crawl_in(&input.name) != Some(crawl));
            if list.len() == n_listed {
                continue;
            }
            if !list.is_empty() {
                let path = root.join(INPUTS_FOLDER).join(list_name(&list));
                write_whole(&self.session.folder, &path, &list)?;
            }
            files.push(format!("{INPUTS_FOLDER}/{name}"));
        }
        let manifests = manifests.iter();
        let manifests = manifests.map(|part| format!("{MANIFEST_FOLDER}/{part}.json"));
        let pending = Pending {
            manifest: None,
            files: manifests.chain(files).collect(),
        };
        pending.note(&self.session.notes, &self.session.folder)?;
        for file in &pending.files {
            let path = root.join(file);
            storage::delete(&path)?;
            // The last file of the crawl leaves an empty folder in the table.
            if let Some(folder) = path
                .parent()
                .filter(|_| is_of_crawl(file) && !is_remote(root))
            {
                let _ = fs::remove_dir(folder);
            }
        }
        Pending::forget(&self.session.notes);
        Ok(())
    }
}
