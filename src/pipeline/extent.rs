//! The extent of a dataset: how many of its archives it contains.

use std::{collections::BTreeSet, path::Path};

use crate::{
    error::Error,
    sink::{Dataset, Manifest, WholeTable, planned},
    summary::Extent,
    table::{hosts, page_robots, redirects},
};

/// Returns how many of its archives a dataset contains, and from how many parts its tables
/// `redirects`, `hosts` and `page_robots` were built; runs may be writing to it meanwhile.
///
/// # Errors
///
/// A list of inputs or a manifest that cannot be read, and a file left by a run that was killed
/// while it published: queries would read its rows.
pub fn extent(root: &Path) -> Result<Extent, Error> {
    if let Some(file) = Dataset::leftover(root) {
        return Err(Error::corrupt(
            file,
            "this file belongs to no part, since a run was killed while it published or replaced files; the next run into the dataset deletes it, and so does resolving its redirects",
        ));
    }
    // Inputs are listed before any part is published: read in this order, no part lacks its own.
    let manifests = Manifest::read_all(root)?;
    let [redirects, hosts, pages] = [redirects::TABLE, hosts::TABLE, page_robots::TABLE]
        .map(|table| WholeTable::read(root, table.name));
    let (redirects, hosts, pages) = (redirects?, hosts?, pages?);
    let mut names: BTreeSet<String> = planned(root)?.into_keys().collect();
    let held = manifests.iter().flat_map(|manifest| &manifest.archives);
    let held: BTreeSet<String> = held.map(|archive| archive.input.name.clone()).collect();
    names.extend(held.iter().cloned());
    let is_in_table = |table: &WholeTable| {
        let parts = manifests.iter().map(|manifest| &manifest.part);
        parts.filter(|part| table.parts.contains(part)).count() as u64
    };
    Ok(Extent {
        archives: held.len() as u64,
        archives_planned: names.len() as u64,
        parts: manifests.len() as u64,
        parts_of_redirects: redirects.as_ref().map(is_in_table),
        parts_of_hosts: hosts.as_ref().map(is_in_table),
        parts_of_pages: pages.as_ref().map(is_in_table),
    })
}
