//! What verification finds.

use serde::Serialize;

use crate::{
    dataset::{sink::Manifest, written::WrittenTables},
    named::named,
};

/// One thing that is wrong with a dataset, at one path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Violation {
    /// The file or folder below the dataset's folder, with `/`.
    pub path: String,
    /// The kind.
    pub kind: ViolationKind,
    /// What was expected, what was found, and what to do, as one sentence without a final stop.
    pub message: String,
}

named! {
    /// The kinds of violations.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
    #[serde(rename_all = "snake_case")]
    #[non_exhaustive]
    pub enum ViolationKind {
        /// A file does not exist, or is no regular file.
        Missing = "missing",
        /// A file is shorter than it was.
        Cut = "cut",
        /// A file has other bytes than it had.
        Altered = "altered",
        /// A file has the bytes of another one.
        Exchanged = "exchanged",
        /// Rows are there twice: an archive in two parts, a file in two lists, a copy of a file.
        Doubled = "doubled",
        /// A file that no list names.
        Foreign = "foreign",
        /// A list or file that cannot be read.
        Unreadable = "unreadable",
        /// Archives that are in no part yet.
        Incomplete = "incomplete",
        /// A table that was built from other parts than those that exist.
        Stale = "stale",
        /// Numbers that do not add up.
        Accounting = "accounting",
    }
}

/// The result of verification.
#[derive(Clone, Debug, Default)]
pub struct Verified {
    /// The identifier of the runs that made it, which follows from options and archives.
    pub run_id: String,
    /// Digest of the contents of the archives in published parts, 16 hexadecimal digits.
    pub archives_digest: String,
    /// Published parts.
    pub parts: u64,
    /// Archives in them.
    pub archives: u64,
    /// Rows of `captures` of the parts whose files are sound.
    pub captures: u64,
    /// The tables that the dataset is to have.
    pub tables: WrittenTables,
    /// Whether the table `page_robots` exists; `None` for a dataset without pages.
    pub has_page_robots: Option<bool>,
    /// Files that were read and are as they were published.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Whether the table `redirects` exists.
    pub has_redirects: bool,
    /// Whether the table `hosts` exists.
    pub has_hosts: bool,
    /// The published parts, by name.
    pub manifests: Vec<PublishedPart>,
    /// What is wrong, by path; empty if nothing is.
    pub violations: Vec<Violation>,
}

/// A published part, by its manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PublishedPart {
    /// The part's name.
    pub part: String,
    /// Its archives.
    pub archives: u64,
    /// Rows of `captures` in it.
    pub captures: u64,
    /// Its files.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
}

impl PublishedPart {
    pub(super) fn from_manifest(manifest: &Manifest) -> Self {
        let (archives, files) = (&manifest.archives, &manifest.files);
        Self {
            part: manifest.part.clone(),
            archives: archives.len() as u64,
            captures: archives.iter().map(|archive| archive.captures).sum(),
            files: files.len() as u64,
            bytes: files.iter().map(|file| file.bytes).sum(),
        }
    }
}

/// Returns the path of the list of a part's files.
pub(super) fn list_of_part(part: &str) -> String {
    format!("_manifest/{part}.json")
}

/// Returns the path of the list of the files of a table that belongs to the whole dataset.
pub(super) fn list_of_table(table: &str) -> String {
    format!("_tables/{table}.json")
}

impl Verified {
    pub(super) fn find(&mut self, path: impl Into<String>, kind: ViolationKind, message: String) {
        let path = path.into();
        self.violations.push(Violation {
            path,
            kind,
            message,
        });
    }
}
