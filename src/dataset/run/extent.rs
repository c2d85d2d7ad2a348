//! The extent of a dataset: how many of its archives it contains.

use std::{collections::BTreeMap, path::Path, time::Duration};

use crate::{
    archive::{error::Error, input::crawl_in},
    dataset::{
        config::{WINDOW_OPTION, read_window},
        sink::{Dataset, Manifest, WholeTable, archives_digest, is_remote, leftover, planned},
        summary::{CrawlExtent, Extent},
        table::{hosts, page_robots, redirects},
    },
    digest::{hex, sha1},
};

/// Returns how many of its archives a dataset contains, and from how many parts its tables
/// `redirects`, `hosts` and `page_robots` were built; runs may be writing to it meanwhile.
///
/// # Errors
///
/// A list of inputs or a manifest that cannot be read, and those of [`refuse_unpublished`] for a
/// dataset in a folder.
pub fn extent(root: &Path) -> Result<Extent, Error> {
    // In S3 other workers may be publishing at this moment, which only queries must not see.
    if !is_remote(root) {
        refuse_unpublished(root)?;
    }
    extent_of_parts(root)
}

/// Returns what the published parts of a dataset hold. A run that joins ends with it, even if
/// another one was killed meanwhile and left files for the next run.
///
/// # Errors
///
/// A list of inputs or a manifest that cannot be read.
pub(super) fn extent_of_parts(root: &Path) -> Result<Extent, Error> {
    // Inputs are listed before any part is published: read in this order, no part lacks its own.
    let manifests = Manifest::read_all(root)?;
    let [redirects, hosts, pages] = [redirects::TABLE, hosts::TABLE, page_robots::TABLE]
        .map(|table| WholeTable::read(root, table.name));
    let (redirects, hosts, pages) = (redirects?, hosts?, pages?);
    // Whether an archive is in a part, and whether it was read to its end.
    let planned = planned(root)?.into_keys();
    let mut archives: BTreeMap<String, (bool, bool)> =
        planned.map(|name| (name, (false, false))).collect();
    for archive in manifests.iter().flat_map(|manifest| &manifest.archives) {
        archives.insert(archive.input.name.clone(), (true, archive.is_complete));
    }
    let is_in_table = |table: &WholeTable| {
        table.count_of(manifests.iter().map(|manifest| &*manifest.part)) as u64
    };
    Ok(Extent {
        archives: archives.values().filter(|(is_held, _)| *is_held).count() as u64,
        archives_planned: archives.len() as u64,
        crawls_lacking: crawls_lacking(&archives),
        archives_digest: archives_digest(&manifests),
        crawls: hosts.as_ref().map_or(0, |table| table.files.len() as u64),
        parts: manifests.len() as u64,
        parts_of_redirects: redirects.as_ref().map(is_in_table),
        parts_of_hosts: hosts.as_ref().map(is_in_table),
        parts_of_pages: pages.as_ref().map(is_in_table),
        redirect_window: if redirects.is_some_and(|table| has_rows_of_no_crawl(&table)) {
            redirect_window(root)?
        } else {
            None
        },
    })
}

/// Returns the crawls that lack archives, in the order of their names.
fn crawls_lacking(archives: &BTreeMap<String, (bool, bool)>) -> Vec<CrawlExtent> {
    let mut crawls: BTreeMap<Option<&str>, CrawlExtent> = BTreeMap::new();
    for (name, (_, is_complete)) in archives {
        let crawl = crawl_in(name);
        let extent = crawls.entry(crawl).or_insert_with(|| CrawlExtent {
            crawl: crawl.map(str::to_owned),
            archives_complete: 0,
            archives_planned: 0,
        });
        extent.archives_complete += u64::from(*is_complete);
        extent.archives_planned += 1;
    }
    let is_lacking = |crawl: &CrawlExtent| crawl.archives_complete < crawl.archives_planned;
    crawls.into_values().filter(is_lacking).collect()
}

fn has_rows_of_no_crawl(table: &WholeTable) -> bool {
    let mut files = table.files.iter();
    files.any(|file| file.rows > 0 && !file.path.contains("/crawl="))
}

/// Returns the window of a dataset.
fn redirect_window(root: &Path) -> Result<Option<Duration>, Error> {
    let description = Dataset::read_description(root)?;
    let window = description["options"][WINDOW_OPTION].as_str();
    Ok(window.and_then(read_window))
}

/// Returns the identifier of runs with these options over archives of these contents: of one run,
/// or of all that share a dataset.
pub(in crate::dataset) fn run_id(options_digest: &str, archives_digest: &str) -> String {
    // The query list-provenance repeats this in SQL.
    let text = format!("{options_digest}\n{archives_digest}");
    hex(&sha1(text.as_bytes()))[..16].to_owned()
}

/// Refuses a dataset with files of a part that is not published, since queries would read its rows.
///
/// # Errors
///
/// The first such file, and a dataset in S3 that cannot be listed.
pub fn refuse_unpublished(root: &Path) -> Result<(), Error> {
    let Some(file) = leftover(root)? else {
        return Ok(());
    };
    let message = if is_remote(root) {
        "this file belongs to no part: a run is publishing it at this moment, or was killed before it was done; resuming that run completes the part"
    } else {
        "this file belongs to no part, since a run was killed while it published or replaced files; the next run into the dataset deletes it, and so does resolving its redirects"
    };
    Err(Error::corrupt(file, message))
}
