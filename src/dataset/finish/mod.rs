//! The tables of a dataset that cannot be made from one archive: where redirects lead, which fetch
//! of an origin counts, and what the robots.txt of its origin states about a page.

pub(in crate::dataset) mod redirects;

pub(in crate::dataset) mod members;

pub(in crate::dataset) mod whole_writer;

pub(in crate::dataset) mod pages;

use std::path::Path;

use crate::{
    archive::error::Error,
    dataset::{
        progress::Progress,
        sink::Dataset,
        summary::{PageRobotsCounts, Redirects},
        table::{hosts, page_robots, redirects as redirects_table},
        written::{PAGES_OPTION, WrittenTables},
    },
};

/// What [`finish`] has made.
#[derive(Clone, Debug)]
pub struct Finished {
    /// How redirects end, and how many hosts there are; `None` if the dataset was written without
    /// both tables.
    pub redirects: Option<Redirects>,
    /// What robots.txt states about the pages; `None` if the run read none, or without the table.
    pub page_robots: Option<PageRobotsCounts>,
}

/// Makes the tables `redirects`, `hosts` and `page_robots` of a dataset from its published parts,
/// those of them that it was written with; `progress` can stop it.
///
/// Processes that joined the dataset may continue meanwhile, and may do the same: in the end the
/// tables are made from all published parts.
///
/// # Errors
///
/// A folder that has no dataset of this version or that an exclusive run is writing to, a dataset
/// of chosen tables without these three, a file that cannot be read or written, and
/// [`ErrorKind::Interrupted`](crate::ErrorKind::Interrupted).
pub fn finish(root: &Path, progress: &Progress) -> Result<Finished, Error> {
    let dataset = Dataset::existing(root)?.stopped_by(progress.stop_flag());
    let tables = WrittenTables::of_dataset(root)?;
    let (pages_option, yes) = PAGES_OPTION;
    let reads_pages = dataset.identity().option(pages_option) == Some(yes);
    let mut made = vec![redirects_table::TABLE.name, hosts::TABLE.name];
    if reads_pages {
        made.push(page_robots::TABLE.name);
    }
    tables.require(root, &made)?;
    let mut finished = Finished {
        redirects: None,
        page_robots: None,
    };
    if tables.needs_redirects() {
        finished.redirects = Some(redirects::resolve(&dataset, None, progress)?);
    }
    if reads_pages && tables.needs_page_robots() {
        finished.page_robots = Some(pages::resolve(&dataset, progress)?);
    }
    Ok(finished)
}
