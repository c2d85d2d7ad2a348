//! Which columns a run writes of its tables: all, or those that were chosen.

use super::{WrittenTables, all};
use crate::{
    archive::error::Error,
    dataset::{
        finish::{pages, redirects},
        table::{
            PAGE_TABLES, Table, all_tables, archive_errors, archives, captures, dialects, errors,
            groups, hosts, matrix_agents, page_directives, page_policies, page_robots,
            pages as page_table, policy_sets, redirects as redirect_table, response_errors,
            robots_bodies, rules, verdict_sets,
        },
    },
};

/// The option of a dataset that lacks columns; others do not have it.
pub(super) const OPTION: &str = "excluded_columns";

/// The tables that have all of their columns: those in which every byte of the inputs is accounted
/// for, those that define names, and those from which other columns are computed.
const COMPLETE: [&str; 7] = [
    archives::TABLE.name,
    archive_errors::TABLE.name,
    redirect_table::TABLE.name,
    dialects::TABLE.name,
    matrix_agents::TABLE.name,
    robots_bodies::TABLE.name,
    page_robots::TABLE.name,
];

/// The columns that their tables always have: keys, and those that verification or most views
/// read. Of a table that is not here it is `capture_id`.
const ALWAYS: [(&str, &[&str]); 7] = [
    (
        captures::TABLE.name,
        &[
            "capture_id",
            "crawl",
            "warc_filename",
            "url_path",
            "url_query",
            "fetch_time",
            "fetch_status",
            "access",
            "verdict_set_id",
            "policy_set_id",
        ],
    ),
    (groups::TABLE.name, &["capture_id", "agent_count"]),
    (verdict_sets::TABLE.name, &["verdict_set_id"]),
    (policy_sets::TABLE.name, &["policy_set_id"]),
    (
        page_table::TABLE.name,
        &["page_id", "statement_count", "has_policy"],
    ),
    (page_directives::TABLE.name, &["page_id"]),
    (page_policies::TABLE.name, &["page_id"]),
];

impl WrittenTables {
    /// The columns of `captures` that count the rows of another table, each with that table.
    pub(in crate::dataset) const COUNTS: [(&str, &str); 4] = [
        ("group_count", groups::TABLE.name),
        ("rule_count", rules::TABLE.name),
        ("error_count", errors::TABLE.name),
        ("response_error_count", response_errors::TABLE.name),
    ];

    /// The columns of `hosts` that are copied from a column of `captures` and are made of nothing
    /// else, each with that column.
    pub(crate) const COPIED_TO_HOSTS: [(&str, &str); 2] = [
        ("end_content_digest", "content_digest"),
        ("end_semantic_digest", "semantic_digest"),
    ];

    /// Returns the same tables, where each table that `names` mentions has only the columns named
    /// and those that it must have; a name is `TABLE.COLUMN`.
    ///
    /// # Errors
    ///
    /// A name of no column, and a table that is not written or always has all columns.
    pub fn with_columns<'a>(
        mut self,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, Error> {
        let named = self.columns_of(names)?;
        for table in all_tables() {
            if named.iter().any(|(of, _)| *of == table.name) {
                let columns = table.columns.iter().map(|column| (table.name, column.name));
                let others = columns.filter(|column| !named.contains(column));
                self.left_out.extend(others);
            }
        }
        Ok(self)
    }

    /// Returns the same tables without columns; a name is `TABLE.COLUMN`.
    ///
    /// # Errors
    ///
    /// Those of [`WrittenTables::with_columns`], and a column that its table must have.
    pub fn without_columns<'a>(
        mut self,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, Error> {
        let named = self.columns_of(names)?;
        self.left_out.extend(&named);
        for (table, column) in named {
            if let Some(need) = self.need_of(table, column) {
                return Err(Error::usage(format!(
                    "{table}.{column} cannot be left out: {need}"
                )));
            }
        }
        Ok(self)
    }

    /// Returns true if and only if a table that is written has a column.
    pub(crate) fn has_column(&self, table: &str, column: &str) -> bool {
        !self.left_out.contains(&(table, column)) || self.need_of(table, column).is_some()
    }

    /// Returns the columns that the tables which are written do not have, each as `TABLE.COLUMN`
    /// with commas between them; `None` if they have all.
    pub(crate) fn excluded_columns(&self) -> Option<String> {
        let names = all_tables().flat_map(|table| {
            let columns = self.excluded_of(table);
            columns.map(|column| format!("{}.{column}", table.name))
        });
        let names: Vec<_> = names.collect();
        (!names.is_empty()).then(|| names.join(","))
    }

    /// Returns the columns that a table lacks.
    pub(crate) fn excluded_of(&self, table: &Table) -> impl Iterator<Item = &'static str> {
        let columns = table.columns.iter().map(|column| column.name);
        let of = table.name;
        columns.filter(move |column| self.contains(of) && !self.has_column(of, column))
    }

    /// Refuses a choice of columns of tables without rows.
    pub(crate) fn check_columns(&self, reads_pages: bool) -> Result<(), Error> {
        let is_of_pages = |name: &str| PAGE_TABLES.iter().any(|table| table.name == name);
        for (table, _) in &self.left_out {
            if is_of_pages(table) && !reads_pages {
                return Err(Error::usage(format!(
                    "the table {table} is of runs that read pages, and this one does not; choose columns of other tables"
                )));
            }
        }
        Ok(())
    }

    /// Returns the columns of these names.
    fn columns_of<'a>(
        &self,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Vec<(&'static str, &'static str)>, Error> {
        let names = names.into_iter().map(str::trim);
        let column_of = |name: &str| {
            let (table, column) = name.split_once('.').ok_or_else(|| {
                Error::usage(format!(
                    "no column is called {name:?}; expected TABLE.COLUMN, such as captures.semantic_digest"
                ))
            })?;
            let known = all_tables().find(|known| known.name == table);
            let known = known.ok_or_else(|| {
                let known: Vec<_> = all().filter(|name| !COMPLETE.contains(name)).collect();
                Error::usage(format!(
                    "{name}: no table is called {table:?}; expected a column of {}",
                    known.join(", ")
                ))
            })?;
            let mut columns = known.columns.iter();
            let found = columns.find(|known| known.name == column);
            let found = found.ok_or_else(|| {
                Error::usage(format!(
                    "{name}: the table {table} has no column {column:?}; \"robocensus tables {table}\" lists its columns"
                ))
            })?;
            if !self.contains(known.name) {
                return Err(Error::usage(format!(
                    "{name}: the table {table} is not among the tables that are written; choose it too, or do not name its columns"
                )));
            }
            if COMPLETE.contains(&known.name) {
                return Err(Error::usage(format!(
                    "{name}: the table {table} always has all of its columns; do not name any of them"
                )));
            }
            Ok((known.name, found.name))
        };
        names.map(column_of).collect()
    }

    /// Returns why a table must have a column, as a clause with what to do; `None` if it need not.
    fn need_of(&self, table: &str, column: &str) -> Option<String> {
        let always = ALWAYS.iter().find(|(of, _)| *of == table);
        let always = always.map_or(&["capture_id"][..], |(_, columns)| columns);
        if always.contains(&column) {
            return Some("it is a key, or verify or most views read it".to_owned());
        }
        if table == captures::TABLE.name {
            return self.need_of_captures(column);
        }
        let is_source = table == page_table::TABLE.name && pages::COLUMNS.contains(&column);
        (is_source && self.needs_page_robots()).then(|| {
            "the table page_robots is made of it; choose tables without page_robots".to_owned()
        })
    }

    fn need_of_captures(&self, column: &str) -> Option<String> {
        if let Some((_, counted)) = Self::COUNTS.iter().find(|(count, _)| *count == column) {
            let is_compared = self.contains(counted);
            return is_compared
                .then(|| format!("verify compares it with the rows of the table {counted}; choose tables without {counted}"));
        }
        if let Some((copy, _)) = Self::COPIED_TO_HOSTS
            .iter()
            .find(|(_, source)| *source == column)
        {
            let has_copy = self.contains(hosts::TABLE.name)
                && !self.left_out.contains(&(hosts::TABLE.name, copy));
            return has_copy.then(|| format!("hosts.{copy} is a copy of it; leave that out too"));
        }
        let [of_redirects, of_hosts] =
            redirects::SOURCE_COLUMNS.map(|columns| columns.contains(&column));
        let need = if of_redirects && self.needs_redirects() {
            "the tables redirects and hosts are made of it; choose tables without them"
        } else if of_hosts && self.contains(hosts::TABLE.name) {
            "the table hosts is made of it; choose tables without hosts"
        } else if of_redirects && self.needs_page_robots() {
            "the table page_robots is made of it; choose tables without page_robots"
        } else {
            return None;
        };
        Some(need.to_owned())
    }
}
