//! Verification of a dataset: whether its files are as they were published.
//!
//! Every file is read once for its digest, every footer for its rows, and a few columns to repeat
//! the accounting (`accounting`). Nothing is written.

mod accounting;
mod files;
mod hosts;
mod violation;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

pub use self::violation::{PublishedPart, Verified, Violation, ViolationKind};
use self::{
    accounting::{Totals, account, account_page_robots, account_redirects},
    files::{Expected, check_files, list_tables},
    hosts::account_hosts,
    violation::{list_of_part, list_of_table},
};
use super::{
    config::Config,
    progress::Progress,
    run::{extent::run_id, plan::plan},
    written::{PAGES_OPTION, WrittenTables},
};
use crate::{
    archive::error::{Error, ErrorKind},
    dataset::{
        sink::{
            DATASET_FILE, Dataset, DatasetIdentity, LISTS_FILE, Manifest, TableFile, WholeTable,
            archives_digest, lock, planned, publishing,
        },
        table::{
            PAGE_PART_TABLES, PART_TABLES, Table, cohort, dialects, hosts as host_table,
            matrix_agents, page_robots, pages, redirects,
        },
    },
};

/// The tables that follow from the options of a dataset.
const OF_OPTIONS: [Table; 3] = [dialects::TABLE, matrix_agents::TABLE, cohort::TABLE];

/// Reads all lists and files of a dataset and reports what is not as it was published; `progress`
/// can stop it.
///
/// # Errors
///
/// A folder that has no dataset of this version, that an exclusive run is writing to, or that
/// cannot be listed, and [`ErrorKind::Interrupted`].
pub fn verify(root: &Path, progress: &Progress) -> Result<Verified, Error> {
    let identity = Dataset::identity_of(root)?;
    let _lock = lock(root, true)?;
    let mut verified = Verified {
        tables: WrittenTables::of_dataset(root)?,
        ..Verified::default()
    };
    // No process publishes while this lock is held, so the manifests and the listing of the files
    // are of one moment.
    let publishing = publishing(root);
    let manifests = read_manifests(root, &identity.options_digest, &mut verified)?;
    let tables = read_tables(root, &mut verified);
    let listed = list_tables(root)?;
    drop(publishing);
    verified.parts = manifests.len() as u64;
    let digest = archives_digest(&manifests);
    verified.archives_digest = digest[..16].to_owned();
    verified.run_id = run_id(&identity.options_digest, &digest);
    let config = check_options(root, &identity, &mut verified);
    verified.manifests = manifests.iter().map(PublishedPart::from_manifest).collect();
    let find = |name: &str| tables.iter().find(|table| table.table == name);
    verified.has_redirects = find(redirects::TABLE.name).is_some();
    verified.has_hosts = find(host_table::TABLE.name).is_some();
    let of_pages = |manifest: &Manifest| manifest.files_of(pages::TABLE.name).next().is_some();
    let has_pages = manifests.iter().any(of_pages);
    verified.has_page_robots = has_pages.then(|| find(page_robots::TABLE.name).is_some());
    check_archives(root, &identity, &manifests, &mut verified);
    let reads_pages = identity.option(PAGES_OPTION.0).is_some();
    check_parts(&manifests, reads_pages, &mut verified);
    let sound = {
        let of_parts = manifests.iter().flat_map(|manifest| {
            let files = manifest.files.iter();
            files.map(|file| Expected::of_part(manifest, file))
        });
        let of_tables = tables.iter().flat_map(|table| &table.files);
        let of_tables = of_tables.map(Expected::of_table);
        let expected: Vec<_> = of_parts.chain(of_tables).collect();
        check_files(root, listed, &expected, progress, &mut verified)?
    };
    let parts = manifests.iter().map(|manifest| &*manifest.part).collect();
    let up_to_date = check_tables(&parts, &tables, &mut verified);
    let are_sound = |files: &[TableFile]| {
        let mut files = files.iter();
        files.all(|file| sound.contains(file.path.as_str()))
    };
    let of = |name: &str| find(name).filter(|table| are_sound(&table.files));
    let dialects = of(dialects::TABLE.name);
    let matrix_agents = of(matrix_agents::TABLE.name);
    // That table has each agent once for each dialect.
    let n_agents = dialects
        .zip(matrix_agents)
        .and_then(|(dialects, agents)| agents.n_rows().checked_div(dialects.n_rows()));
    let mut totals = Totals::default();
    let mut n_accounted = 0;
    for manifest in &manifests {
        if are_sound(&manifest.files) {
            account(root, manifest, &mut totals, &mut verified)?;
            n_accounted += 1;
        }
    }
    verified.captures = totals.captures;
    // Their numbers are compared with those of all parts.
    let is_whole = n_accounted == manifests.len();
    let resolved = |name: &str| of(name).filter(|_| is_whole && up_to_date.contains(name));
    if let (Some(redirects), Some(dialects)) = (resolved(redirects::TABLE.name), dialects) {
        account_redirects(redirects, dialects, &totals, &mut verified);
    }
    if let (Some(table), Some(config)) = (resolved(host_table::TABLE.name), &config) {
        let (dataset, n_captures) = ((root, config), totals.captures);
        account_hosts(
            dataset,
            &manifests,
            table,
            n_captures,
            progress,
            &mut verified,
        )?;
    }
    if let (Some(robots), Some(n_agents)) = (resolved(page_robots::TABLE.name), n_agents) {
        account_page_robots(root, robots, n_agents, &totals, &mut verified)?;
    }
    verified.violations.sort();
    Ok(verified)
}

/// Checks that the options of the description are those of which it states the digest, and the
/// lists those of which they have the digests, and returns the options, if they can be read.
fn check_options(
    root: &Path,
    identity: &DatasetIdentity,
    verified: &mut Verified,
) -> Option<Config> {
    if !identity.is_consistent() {
        let message = format!(
            "expected the options with the digest {}, which this file states, but found others; restore the file as the run wrote it, or overwrite the dataset",
            identity.options_digest
        );
        verified.find(DATASET_FILE, ViolationKind::Altered, message);
        return None;
    }
    Config::from_dataset(root).unwrap_or_else(|error| {
        verified.find(LISTS_FILE, ViolationKind::Altered, without_path(&error));
        None
    })
}

/// Checks that each part has files of all tables that the dataset is to have, and of each table as
/// many: rows of all tables go to the next files at the same time.
fn check_parts(manifests: &[Manifest], reads_pages: bool, verified: &mut Verified) {
    let tables = PART_TABLES.iter().chain(PAGE_PART_TABLES);
    let tables: Vec<_> = tables.map(|table| table.name).collect();
    for manifest in manifests {
        let of = |name: &str| manifest.files_of(name).count();
        let most = tables.iter().map(|name| of(name)).max().unwrap_or_default();
        let includes = |name: &&&str| verified.tables.includes(name, reads_pages);
        let expected = tables.iter().filter(includes);
        let Some(name) = expected.copied().find(|name| of(name) != most.max(1)) else {
            continue;
        };
        let files = match most {
            0 | 1 => "a file".to_owned(),
            n => format!("{n} files"),
        };
        let message = format!(
            "expected {files} of the table {name}, as of the other tables of this part, but the manifest names {}; delete it and resume the run, which rebuilds the part",
            of(name)
        );
        let list = list_of_part(&manifest.part);
        verified.find(list, ViolationKind::Missing, message);
    }
}

/// Reads the manifests; one that cannot be read, or is of another dataset, is a violation.
fn read_manifests(
    root: &Path,
    options_digest: &str,
    verified: &mut Verified,
) -> Result<Vec<Manifest>, Error> {
    let mut manifests = Vec::new();
    for part in Manifest::parts(root)? {
        let list = list_of_part(&part);
        match Manifest::read(root, &part) {
            Ok(manifest) if manifest.options_digest != options_digest => {
                let message = format!(
                    "expected a part of this dataset, with the options {options_digest}, but found one with {}; delete it with the files of the part, and resume the run",
                    manifest.options_digest
                );
                verified.find(list, ViolationKind::Foreign, message);
            }
            Ok(manifest) => manifests.push(manifest),
            Err(error) => verified.find(list, ViolationKind::Unreadable, without_path(&error)),
        }
    }
    Ok(manifests)
}

/// Reads the lists of the tables that are built from the whole dataset.
fn read_tables(root: &Path, verified: &mut Verified) -> Vec<WholeTable> {
    let mut tables = Vec::new();
    let resolved = [redirects::TABLE, host_table::TABLE, page_robots::TABLE];
    for table in OF_OPTIONS.into_iter().chain(resolved) {
        let name = table.name;
        match WholeTable::read(root, name) {
            Ok(table) => tables.extend(table),
            Err(error) => {
                let list = list_of_table(name);
                verified.find(list, ViolationKind::Unreadable, without_path(&error));
            }
        }
    }
    tables
}

/// Returns a message without the path that it begins with; a violation names it already.
fn without_path(error: &Error) -> String {
    if let ErrorKind::Corrupt { message, .. } = error.kind() {
        return message.clone();
    }
    let text = error.to_string();
    match text.split_once(".json: ") {
        Some((_, rest)) => rest.to_owned(),
        None => text,
    }
}

/// Compares the archives of the parts with each other and with the inputs of the runs.
fn check_archives(
    root: &Path,
    identity: &DatasetIdentity,
    manifests: &[Manifest],
    verified: &mut Verified,
) {
    let planned = match planned(root) {
        Ok(planned) => planned,
        Err(error) => {
            return verified.find("_inputs", ViolationKind::Unreadable, error.to_string());
        }
    };
    let mut parts: BTreeMap<&str, &str> = BTreeMap::new();
    for manifest in manifests {
        for archive in &manifest.archives {
            let name = archive.input.name.as_str();
            if let Some(other) = parts.insert(name, &manifest.part) {
                let message = format!(
                    "the archive {name} is in the part {other} too, so its rows are there twice; delete one of the manifests with the files that it names"
                );
                verified.find(
                    list_of_part(&manifest.part),
                    ViolationKind::Doubled,
                    message,
                );
            }
            let Some(input) = planned.get(name) else {
                let message = format!(
                    "expected a list that names the archive {name} of the part {}, but found none; joining the dataset with the inputs of the run writes it again",
                    manifest.part
                );
                verified.find("_inputs", ViolationKind::Missing, message);
                continue;
            };
            if input
                .bytes
                .zip(archive.input.bytes)
                .is_some_and(|(a, b)| a != b)
            {
                let message = format!(
                    "the archive {name} has another size than in _inputs; it changed while the dataset was written: overwrite the dataset"
                );
                verified.find(
                    list_of_part(&manifest.part),
                    ViolationKind::Altered,
                    message,
                );
            }
        }
    }
    verified.archives = parts.len() as u64;
    let is_missing = |name: &&String| !parts.contains_key(name.as_str());
    let missing: Vec<_> = planned.keys().filter(is_missing).collect();
    if let Some(first) = missing.first() {
        let message = format!(
            "{} of {} archives are in no part, the first of them {first}; resume the run to read them",
            missing.len(),
            planned.len()
        );
        verified.find("_inputs", ViolationKind::Incomplete, message);
    }
    let part_bytes = identity.option("part_bytes");
    let Some(part_bytes) = part_bytes.and_then(|bytes| bytes.parse().ok()) else {
        return;
    };
    let inputs: Vec<_> = planned.into_values().collect();
    for part in plan(&inputs, part_bytes) {
        let mut names = part.archives().map(|index| inputs[index].name.as_str());
        if names.clone().any(|name| parts.contains_key(name)) {
            continue;
        }
        let n_archives = names.clone().count();
        let message = format!(
            "no run has made this part, which begins with the archive {} and has {n_archives} in all; run its shard again, or resume the run",
            names.next().unwrap_or_default()
        );
        verified.find(list_of_part(&part.name), ViolationKind::Incomplete, message);
    }
}

/// Compares the tables that are built from the whole dataset with the parts, and returns the names
/// of those that are resolved from all of these.
fn check_tables(
    parts: &BTreeSet<&str>,
    tables: &[WholeTable],
    verified: &mut Verified,
) -> BTreeSet<&'static str> {
    let find = |name: &str| tables.iter().find(|table| table.table == name);
    for table in OF_OPTIONS.map(|table| table.name) {
        let list = list_of_table(table);
        let is_known = verified.violations.iter().any(|known| known.path == list);
        if find(table).is_none() && !is_known {
            let message = format!(
                "expected the files of the table {table}, but found none; resume the run to rebuild them"
            );
            verified.find(list, ViolationKind::Missing, message);
        }
    }
    let mut up_to_date = BTreeSet::new();
    for (name, resolved) in [
        (redirects::TABLE.name, "the redirects"),
        (host_table::TABLE.name, "the redirects"),
        (page_robots::TABLE.name, "the pages"),
    ] {
        let Some(table) = find(name) else {
            continue;
        };
        let of: BTreeSet<&str> = table.parts.iter().map(String::as_str).collect();
        if of == *parts {
            up_to_date.insert(name);
            continue;
        }
        let others = match of.difference(parts).count() {
            0 => String::new(),
            n => format!(" and from {n} that are not there"),
        };
        let message = format!(
            "the table {name} was built from {} of {} parts{others}; resolve {resolved} again",
            of.intersection(parts).count(),
            parts.len()
        );
        verified.find(list_of_table(name), ViolationKind::Stale, message);
    }
    up_to_date
}
