//! `robocensus verify`: whether a dataset is what it says.
//!
//! Enters: the folder of a dataset. Leaves: [`Finding`]s, in the order of their paths. Every file
//! is read once for its digest, every footer for its rows, and a few columns to repeat the
//! accounting (`accounting`). Nothing is written.

mod accounting;
mod files;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use self::{
    accounting::{Totals, account, account_redirects},
    files::{Expected, check_files, list_tables},
};
use super::progress::Progress;
use crate::{
    error::{Error, ErrorKind},
    sink::{Dataset, Lock, Manifest, WholeTable, planned, publishing},
    table::{SCHEMA_VERSION, dialects, matrix_agents, redirects},
};

/// What is wrong with a dataset: one thing, at one path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// The file or folder below the dataset's folder, with `/`.
    pub path: String,
    /// What kind of thing.
    pub kind: FindingKind,
    /// What was expected, what was found, and what to do, as one sentence without a final stop.
    pub message: String,
}

/// The kinds of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FindingKind {
    /// A file is not there, or is no regular file.
    Missing,
    /// A file is shorter than it was.
    Cut,
    /// A file has other bytes than it had.
    Altered,
    /// A file holds the bytes of another one.
    Exchanged,
    /// Rows are there twice: an archive in two parts, a file in two lists, a copy of a file.
    Doubled,
    /// A file that no list names.
    Foreign,
    /// A list or file that cannot be read.
    Unreadable,
    /// Archives that are in no part yet.
    Incomplete,
    /// A table that was made of other parts than there are.
    Stale,
    /// Numbers that do not add up.
    Accounting,
}

impl FindingKind {
    /// Returns the name used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Cut => "cut",
            Self::Altered => "altered",
            Self::Exchanged => "exchanged",
            Self::Doubled => "doubled",
            Self::Foreign => "foreign",
            Self::Unreadable => "unreadable",
            Self::Incomplete => "incomplete",
            Self::Stale => "stale",
            Self::Accounting => "accounting",
        }
    }
}

/// What was verified.
#[derive(Clone, Debug, Default)]
pub struct Verified {
    /// Published parts.
    pub parts: u64,
    /// Archives in them.
    pub archives: u64,
    /// Rows of `captures` of the parts whose files are sound.
    pub captures: u64,
    /// Files that were read and are as they were published.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Whether the table `redirects` was made.
    pub has_redirects: bool,
    /// What is wrong, by path; empty if nothing is.
    pub findings: Vec<Finding>,
}

impl Verified {
    fn find(&mut self, path: impl Into<String>, kind: FindingKind, message: impl Into<String>) {
        self.findings.push(Finding {
            path: path.into(),
            kind,
            message: message.into(),
        });
    }
}

/// Reads all lists and files of a dataset and names what is not as it was published; `progress` can
/// stop it.
///
/// # Errors
///
/// A folder that holds no dataset of this version, that a run alone is writing to, or that cannot
/// be listed, and [`ErrorKind::Interrupted`].
pub fn verify(root: &Path, progress: &Progress) -> Result<Verified, Error> {
    let identity = Dataset::identity_of(root, SCHEMA_VERSION)?;
    let _lock = Lock::take(root, true)?;
    let mut verified = Verified::default();
    // Workers that join publish when nobody looks: what a manifest names and what is there are of
    // one moment.
    let nobody_publishes = publishing(root);
    let manifests = read_manifests(root, &identity.options_digest, &mut verified)?;
    let tables = read_tables(root, &mut verified);
    let listed = list_tables(root)?;
    drop(nobody_publishes);
    verified.parts = manifests.len() as u64;
    verified.has_redirects = tables
        .iter()
        .any(|table| table.table == redirects::TABLE.name);
    check_archives(root, &manifests, &mut verified);
    let sound = {
        let of_parts = manifests.iter().flat_map(|manifest| {
            let files = manifest.files.iter();
            files.map(|file| Expected::of_part(manifest, file))
        });
        let of_tables = tables
            .iter()
            .flat_map(|table| table.files.iter().map(Expected::of_table));
        let expected: Vec<_> = of_parts.chain(of_tables).collect();
        let stop = || match progress.is_stopped() {
            true => Err(ErrorKind::Interrupted.into()),
            false => Ok(()),
        };
        check_files(root, listed, &expected, stop, &mut verified)?
    };
    check_tables(&manifests, &tables, &mut verified);
    let mut totals = Totals::default();
    let mut n_accounted = 0;
    for manifest in &manifests {
        if manifest
            .files
            .iter()
            .all(|file| sound.contains(file.path.as_str()))
        {
            account(root, manifest, &mut totals, &mut verified)?;
            n_accounted += 1;
        }
    }
    verified.captures = totals.captures;
    let of = |name: &str| tables.iter().find(|table| table.table == name);
    if let (Some(redirects), Some(dialects)) = (of(redirects::TABLE.name), of(dialects::TABLE.name))
    {
        let names: BTreeSet<&String> = manifests.iter().map(|manifest| &manifest.part).collect();
        let mut files = redirects.files.iter().chain(&dialects.files);
        let is_whole = n_accounted == manifests.len()
            && redirects.parts.iter().collect::<BTreeSet<_>>() == names
            && files.all(|file| sound.contains(file.path.as_str()));
        if is_whole {
            account_redirects(redirects, dialects, &totals, &mut verified);
        }
    }
    verified.findings.sort();
    Ok(verified)
}

/// Reads the manifests; one that cannot be read, or is of another dataset, is a finding.
fn read_manifests(
    root: &Path,
    options_digest: &str,
    verified: &mut Verified,
) -> Result<Vec<Manifest>, Error> {
    let mut manifests = Vec::new();
    for part in Manifest::parts(root)? {
        let path = format!("_manifest/{part}.json");
        match Manifest::read(root, &part) {
            Ok(manifest) if manifest.options_digest != options_digest => verified.find(
                path,
                FindingKind::Foreign,
                format!(
                    "expected a part of this dataset, with the options {options_digest}, but found one with {}; delete it with the files of the part, and use --resume",
                    manifest.options_digest
                ),
            ),
            Ok(manifest) => manifests.push(manifest),
            Err(error) => verified.find(path, FindingKind::Unreadable, without_path(&error)),
        }
    }
    Ok(manifests)
}

/// Reads what is said of tables that are made of the whole.
fn read_tables(root: &Path, verified: &mut Verified) -> Vec<WholeTable> {
    let mut tables = Vec::new();
    let names = [dialects::TABLE, matrix_agents::TABLE, redirects::TABLE].map(|table| table.name);
    for name in names {
        match WholeTable::read(root, name) {
            Ok(table) => tables.extend(table),
            Err(error) => {
                let path = format!("_tables/{name}.json");
                verified.find(path, FindingKind::Unreadable, without_path(&error));
            }
        }
    }
    tables
}

/// Returns a message without the path that it begins with; a finding names it already.
fn without_path(error: &Error) -> String {
    let text = error.to_string();
    match text.split_once(".json: ") {
        Some((_, rest)) => rest.to_owned(),
        None => text,
    }
}

/// Compares the archives of the parts with each other and with the inputs of the runs.
fn check_archives(root: &Path, manifests: &[Manifest], verified: &mut Verified) {
    let planned = match planned(root) {
        Ok(planned) => planned,
        Err(error) => {
            return verified.find("_inputs", FindingKind::Unreadable, error.to_string());
        }
    };
    let mut parts: BTreeMap<&str, &str> = BTreeMap::new();
    for manifest in manifests {
        for archive in &manifest.archives {
            let name = archive.input.name.as_str();
            if let Some(other) = parts.insert(name, &manifest.part) {
                verified.find(
                    format!("_manifest/{}.json", manifest.part),
                    FindingKind::Doubled,
                    format!(
                        "the archive {name} is in the part {other} too, so its rows are there twice; delete one of the manifests with the files that it names"
                    ),
                );
            }
            match planned.get(name) {
                None => verified.find(
                    "_inputs",
                    FindingKind::Missing,
                    format!(
                        "expected a list that names the archive {name} of the part {}, but found none; --join with the inputs of the run writes it again",
                        manifest.part
                    ),
                ),
                Some(input) if differ(input.bytes, archive.input.bytes) => verified.find(
                    format!("_manifest/{}.json", manifest.part),
                    FindingKind::Altered,
                    format!(
                        "the archive {name} has another size than in _inputs; it changed while the dataset was made: begin anew with --overwrite"
                    ),
                ),
                Some(_) => {}
            }
        }
    }
    verified.archives = parts.len() as u64;
    let missing: Vec<_> = planned
        .keys()
        .filter(|name| !parts.contains_key(name.as_str()))
        .collect();
    if let Some(first) = missing.first() {
        verified.find(
            "_inputs",
            FindingKind::Incomplete,
            format!(
                "{} of {} archives are in no part, the first of them {first}; --resume reads them",
                missing.len(),
                planned.len()
            ),
        );
    }
}

fn differ(one: Option<u64>, other: Option<u64>) -> bool {
    matches!((one, other), (Some(one), Some(other)) if one != other)
}

/// Compares the tables that are made of the whole with the parts.
fn check_tables(manifests: &[Manifest], tables: &[WholeTable], verified: &mut Verified) {
    for asked in [dialects::TABLE.name, matrix_agents::TABLE.name] {
        if !tables.iter().any(|table| table.table == asked) {
            let path = format!("_tables/{asked}.json");
            if !verified.findings.iter().any(|finding| finding.path == path) {
                verified.find(
                    path,
                    FindingKind::Missing,
                    format!("expected the files of the table {asked}, but found none; --resume makes them again"),
                );
            }
        }
    }
    let Some(redirects) = tables
        .iter()
        .find(|table| table.table == redirects::TABLE.name)
    else {
        return;
    };
    let parts: BTreeSet<&String> = manifests.iter().map(|manifest| &manifest.part).collect();
    let of: BTreeSet<&String> = redirects.parts.iter().collect();
    if of != parts {
        verified.find(
            "_tables/redirects.json",
            FindingKind::Stale,
            format!(
                "the table redirects was made of {} of {} parts{}; robocensus redirects makes it of all",
                of.intersection(&parts).count(),
                parts.len(),
                match of.difference(&parts).count() {
                    0 => String::new(),
                    n => format!(" and of {n} that are not there"),
                }
            ),
        );
    }
}
