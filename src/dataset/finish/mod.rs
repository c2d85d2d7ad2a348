//! The tables of a dataset that cannot be made from one archive: where redirects lead, which fetch
//! of an origin counts, and what the robots.txt of its origin states about a page.

pub(in crate::dataset) mod redirects;

pub(in crate::dataset) mod whole_writer;

pub(in crate::dataset) mod pages;

use std::path::Path;

use self::{
    pages::MAX_PAGES,
    redirects::{LIMITS, Resolver},
};
use crate::{
    archive::error::Error,
    dataset::{
        config::Config,
        progress::Progress,
        sink::{Dataset, LISTS_FILE, PublishedFile},
        summary::{PageRobotsCounts, Redirects},
        table::{
            Table, captures, hosts, page_robots, pages as pages_table, redirects as redirects_table,
        },
        written::WrittenTables,
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
    let config = Config::from_dataset(root)?.ok_or_else(|| {
        let message = "expected the lists of a run, but this file is missing; resume the run with all its options, which writes it";
        Error::corrupt(root.join(LISTS_FILE), message)
    })?;
    let mut made = vec![redirects_table::TABLE.name, hosts::TABLE.name];
    if config.pages {
        made.push(page_robots::TABLE.name);
    }
    WrittenTables::of_dataset(root)?.require(root, &made)?;
    make_tables(&dataset, &config, progress)
}

/// Makes those of the tables that a dataset is written with; `config` has its options.
pub(in crate::dataset) fn make_tables(
    dataset: &Dataset,
    config: &Config,
    progress: &Progress,
) -> Result<Finished, Error> {
    let tables = WrittenTables::of_dataset(dataset.root())?;
    let mut finished = Finished {
        redirects: None,
        page_robots: None,
    };
    if tables.needs_redirects() {
        let resolver = Resolver {
            dataset,
            config,
            limits: LIMITS,
            progress,
        };
        let resolve = |files: &_| resolver.resolve(&tables, files);
        finished.redirects = Some(of_all_parts(dataset, &captures::TABLE, resolve)?);
    }
    if config.pages && tables.needs_page_robots() {
        let resolve = |files: &_| pages::resolve((dataset, config), files, MAX_PAGES, progress);
        finished.page_robots = Some(of_all_parts(dataset, &pages_table::TABLE, resolve)?);
    }
    Ok(finished)
}

/// Returns what `make` makes of the published files of a table.
fn of_all_parts<T>(
    dataset: &Dataset,
    table: &Table,
    make: impl Fn(&[PublishedFile]) -> Result<T, Error>,
) -> Result<T, Error> {
    let mut files = dataset.published(table.name)?;
    loop {
        let made = make(&files)?;
        // Another process may have published a part meanwhile, and tables built from more parts,
        // which these have now replaced.
        let now = dataset.published(table.name)?;
        if now == files {
            return Ok(made);
        }
        files = now;
    }
}
