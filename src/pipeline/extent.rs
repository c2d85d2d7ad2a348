//! How much a dataset holds of what it is to hold.

use std::{collections::BTreeSet, path::Path};

use crate::{
    error::Error,
    sink::{Dataset, Manifest, WholeTable, planned},
    summary::Extent,
    table::redirects,
};

/// Returns how many of its archives a dataset holds, and of how many parts its table `redirects`
/// was made; runs may be at work.
///
/// # Errors
///
/// A list of inputs or a manifest that cannot be read, and a file that a run left which died while
/// it published: its rows would count.
pub fn extent(root: &Path) -> Result<Extent, Error> {
    if let Some(file) = Dataset::leftover(root) {
        return Err(Error::usage(format!(
            "{}: this file is of no part, since a run died while it published or replaced files; the next run into the dataset, or robocensus redirects {}, deletes it",
            file.display(),
            root.display()
        )));
    }
    // Inputs are noted before any part is published: in this order no part is seen without them.
    let manifests = Manifest::read_all(root)?;
    let table = WholeTable::read(root, redirects::TABLE.name)?;
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
        parts_of_redirects: table.as_ref().map(is_in_table),
    })
}
