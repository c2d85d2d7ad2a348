//! The tables of a dataset: those that it was written with, and what to do about another one.

use std::path::Path;

use anyhow::bail;
use robocensus::{
    dataset::{
        run::{WrittenTables, refuse_unpublished},
        sink::{Dataset, is_remote},
        table::{PAGE_TABLES, all_tables},
    },
    report::has_pages,
};

use super::{
    stored::{PAGE_VIEWS, VIEWS},
    views::tables_read_by,
};

/// The table of pages that a command of its own builds.
const PAGE_ROBOTS: &str = "page_robots";
/// The table of pages that a run may have without pages.
const BODIES: &str = "bodies";

/// The tables of a dataset.
pub struct DatasetTables {
    folder: String,
    written: WrittenTables,
    has_pages: bool,
    has_page_robots: bool,
}

/// Refuses a folder that holds no dataset, or one whose tables this program does not know.
pub fn require_dataset(folder: &Path) -> anyhow::Result<()> {
    if !Dataset::exists(folder)? {
        bail!(
            "{}: expected the folder of a dataset, such as robocensus run writes, but found none",
            folder.display()
        );
    }
    Dataset::identity_of(folder)?;
    Ok(())
}

impl DatasetTables {
    /// Reads which tables a dataset has.
    ///
    /// # Errors
    ///
    /// A folder that holds no dataset, and a dataset without a table that it was written with.
    pub fn read(folder: &Path) -> anyhow::Result<Self> {
        require_dataset(folder)?;
        if is_remote(folder) {
            refuse_unpublished(folder)?;
        }
        let tables = Self {
            folder: folder.display().to_string(),
            written: WrittenTables::of_dataset(folder)?,
            has_pages: has_pages(&Dataset::read_description(folder)?),
            has_page_robots: Dataset::has_table(folder, PAGE_ROBOTS)?,
        };
        let views = [VIEWS, PAGE_VIEWS].concat();
        let read = tables_read_by(&views);
        for table in all_tables().map(|table| table.name) {
            let is_expected = read.contains(table) && tables.has(table);
            if is_expected && !Dataset::has_table(folder, table)? {
                bail!("{}", tables.damage(table));
            }
        }
        Ok(tables)
    }

    fn damage(&self, table: &str) -> String {
        match table {
            "redirects" | "hosts" => format!(
                "{0}: the table {table} is missing; robocensus finish {0} builds it",
                self.folder
            ),
            _ => format!(
                "{}: the table {table} is missing: the dataset is not finished, or another version of robocensus wrote it; run it again",
                self.folder
            ),
        }
    }

    /// Returns true if and only if the dataset has a table, unless it is damaged.
    pub fn has(&self, table: &str) -> bool {
        let is_there = table != PAGE_ROBOTS || self.has_page_robots;
        self.written.includes(table, self.has_pages) && is_there
    }

    /// Returns why SQL that reads these tables cannot be run; `None` if it can.
    pub fn refusal(&self, tables: &[&str]) -> Option<String> {
        let absent: Vec<_> = tables
            .iter()
            .copied()
            .filter(|table| !self.has(table))
            .collect();
        let of_pages = absent.iter().any(|table| is_of_pages(table));
        let folder = &self.folder;
        let left_out = self.written.left_out();
        if absent.is_empty() {
            None
        } else if let Some(table) = absent
            .iter()
            .find(|&&table| left_out.iter().any(|one| one == table))
        {
            Some(format!(
                "{folder}: the table {table} was left out of this publication"
            ))
        } else if of_pages && self.has_pages && self.written.contains(PAGE_ROBOTS) {
            Some(format!(
                "{folder}: the table {PAGE_ROBOTS} is missing; robocensus finish {folder} builds it"
            ))
        } else if of_pages && self.written.has_all() {
            Some(format!(
                "{folder}: expected a dataset with pages, such as robocensus run --pages writes, but this one has none"
            ))
        } else {
            Some(self.sentence(&absent, of_pages))
        }
    }

    fn sentence(&self, absent: &[&str], of_pages: bool) -> String {
        let names = self.written.names();
        let with = names.map_or_else(String::new, |names| format!(", with --tables {names}"));
        let (tables, them) = match absent {
            [table] => (format!("table {table}"), "it"),
            [tables @ .., last] => (format!("tables {} and {last}", tables.join(", ")), "them"),
            [] => unreachable!("a table is absent"),
        };
        let pages = if of_pages { "--pages " } else { "" };
        format!(
            "expected the {tables}, but {} was written without {them}{with}; run again with {pages}--tables {}",
            self.folder,
            self.written.names_with(absent)
        )
    }
}

fn is_of_pages(table: &str) -> bool {
    table != BODIES && PAGE_TABLES.iter().any(|of_pages| of_pages.name == table)
}
