//! The accounting of a dataset, from its files alone: whether its numbers of bytes, records and
//! rows agree.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use arrow_array::{Array, ArrayAccessor, BooleanArray, Int32Array, Int64Array, StringArray};

use super::violation::{Verified, ViolationKind, list_of_part, list_of_table};
use crate::{
    archive::error::Error,
    dataset::{
        sink::{
            Manifest, Names, StoredColumn, WholeTable, column, n_rows, read_columns, stored_columns,
        },
        table::{
            Table, agents, archive_errors, archive_skips, archives, captures, errors, groups,
            page_directives, page_policies, page_robots, pages, response_errors, rules,
        },
    },
};

/// Sums over the parts.
#[derive(Default)]
pub(super) struct Totals {
    pub(super) captures: u64,
    /// Captures that answer with a status from 300 to 399.
    redirects: u64,
    /// Pages with a statement on the page as a whole.
    pages_with_policy: u64,
}

/// The part that is being added up.
struct Part<'a> {
    root: &'a Path,
    manifest: &'a Manifest,
    verified: &'a mut Verified,
}

/// What a table of a part has of an archive.
#[derive(Clone, Copy, Default)]
struct ArchiveRows {
    n: i64,
    /// The sum of the column that [`BY_ARCHIVE`] names.
    sum: i64,
}

/// The tables that have rows of each archive, with the columns that are added up.
const BY_ARCHIVE: [(Table, Option<&str>); 3] = [
    (captures::TABLE, None),
    (archive_skips::TABLE, Some("records")),
    (archive_errors::TABLE, Some("bytes_skipped")),
];

stored_columns! {
    struct ArchiveColumns<'b> {
        warc_filename: &'b StringArray,
        bytes: &'b Int64Array,
        member_bytes: &'b Int64Array,
        bytes_skipped: &'b Int64Array,
        record_count: &'b Int64Array,
        capture_count: &'b Int64Array,
        error_count: &'b Int64Array,
        is_complete: &'b BooleanArray,
    }
}

/// A column of counts, and the table of which each row is counted there once.
const SUMS: [(Table, &str, Table); 6] = [
    (captures::TABLE, "group_count", groups::TABLE),
    (captures::TABLE, "rule_count", rules::TABLE),
    (captures::TABLE, "error_count", errors::TABLE),
    (
        captures::TABLE,
        "response_error_count",
        response_errors::TABLE,
    ),
    (groups::TABLE, "agent_count", agents::TABLE),
    (pages::TABLE, "statement_count", page_directives::TABLE),
];

/// Adds up a part whose files are intact.
pub(super) fn account(
    root: &Path,
    manifest: &Manifest,
    totals: &mut Totals,
    verified: &mut Verified,
) -> Result<(), Error> {
    let mut part = Part {
        root,
        manifest,
        verified,
    };
    for file in &manifest.files {
        let rows = n_rows(&root.join(&file.path))?;
        let what = format!("rows in the footer of {}", file.path);
        part.expect_equal(&what, rows, "the manifest", file.rows);
    }
    part.count_captures(totals)?;
    part.check_archives()?;
    part.check_sums()?;
    if part.has(pages::TABLE.name) {
        part.check_pages(totals)?;
    }
    Ok(())
}

/// Compares the rows of `page_robots` with the agents of the matrix and with the pages that have a
/// policy. Which of these have a robots.txt is not found out again.
pub(super) fn account_page_robots(
    root: &Path,
    table: &WholeTable,
    n_agents: u64,
    totals: &Totals,
    verified: &mut Verified,
) -> Result<(), Error> {
    let files = table.files.iter().map(|file| root.join(&file.path));
    let (n_pages, unequal) = count_pages(files, n_agents)?;
    let most = totals.pages_with_policy;
    let message = if unequal > 0 {
        format!(
            "expected {n_agents} rows of page_robots for each page, one for each agent, but {unequal} of {n_pages} pages have another number"
        )
    } else if n_pages > most {
        format!(
            "expected at most {most} pages in page_robots, as many as have a policy, but found {n_pages}"
        )
    } else {
        return Ok(());
    };
    let message = format!("{message}; resolve the pages again");
    let list = list_of_table(page_robots::TABLE.name);
    verified.find(list, ViolationKind::Accounting, message);
    Ok(())
}

/// Compares the rows of `redirects` with the captures that redirect, once for each dialect.
pub(super) fn account_redirects(
    redirects: &WholeTable,
    dialects: &WholeTable,
    totals: &Totals,
    verified: &mut Verified,
) {
    let (n_captures, n_dialects) = (totals.redirects, dialects.n_rows());
    let (expected, found) = (n_captures * n_dialects, redirects.n_rows());
    if found != expected {
        let message = format!(
            "expected {expected} rows of redirects, {n_captures} captures that redirect under {n_dialects} dialects, but found {found}; resolve the redirects again"
        );
        let list = list_of_table(&redirects.table);
        verified.find(list, ViolationKind::Accounting, message);
    }
}

impl Part<'_> {
    fn expect_equal(&mut self, what: &str, found: u64, by: &str, expected: u64) {
        if found != expected {
            self.find(format!(
                "expected {expected} {what} by {by}, but found {found}"
            ));
        }
    }

    /// Compares the rows of tables with the sums of their counts.
    fn check_sums(&mut self) -> Result<(), Error> {
        for (of, counts, table) in SUMS {
            if !self.has(of.name) || !self.has(table.name) {
                continue;
            }
            let mut sum = 0;
            for path in self.files(of.name) {
                read_column(&path, counts, |counts: &Int32Array| {
                    let counts = counts.iter().flatten().map(u64::try_from);
                    sum += counts.map(Result::unwrap_or_default).sum::<u64>();
                })?;
            }
            let files = self.manifest.files_of(table.name);
            let rows = files.map(|file| file.rows).sum();
            let by = if of.name == captures::TABLE.name {
                "the sum of captures".to_owned()
            } else {
                format!("the sum of {}.{counts}", of.name)
            };
            self.expect_equal(&format!("rows of {}", table.name), rows, &by, sum);
        }
        Ok(())
    }

    fn find(&mut self, message: String) {
        let list = list_of_part(&self.manifest.part);
        let remedy = "the manifest was changed after the run, which wrote these files, or is wrong: delete it with the files that it names and resume the run, which makes them again";
        let message = format!("{message}; {remedy}");
        self.verified.find(list, ViolationKind::Accounting, message);
    }

    /// Returns true if and only if the dataset is to have a table.
    fn has(&self, table: &str) -> bool {
        self.verified.tables.contains(table)
    }

    /// Returns the files of a table.
    fn files(&self, table: &str) -> impl Iterator<Item = PathBuf> {
        let files = self.manifest.files_of(table);
        files.map(|file| self.root.join(&file.path))
    }

    /// Returns the rows of the tables of [`BY_ARCHIVE`], by archive.
    fn rows_of_archives(&self) -> Result<BTreeMap<String, [ArchiveRows; 3]>, Error> {
        let mut rows: BTreeMap<String, [ArchiveRows; 3]> = BTreeMap::new();
        for (number, (table, added_up)) in BY_ARCHIVE.into_iter().enumerate() {
            let columns: Vec<_> = ["warc_filename"].into_iter().chain(added_up).collect();
            for path in self.files(table.name) {
                read_columns(&path, &columns, |batch| {
                    let names: Names<'_> = column(&path, batch, "warc_filename")?;
                    let values = added_up.map(|name| column::<&Int64Array>(&path, batch, name));
                    let values = values.transpose()?;
                    for row in 0..batch.num_rows() {
                        let name = names.get(row).unwrap_or_default().to_owned();
                        let of_archive = &mut rows.entry(name).or_default()[number];
                        of_archive.n += 1;
                        of_archive.sum += values.map_or(0, |values| values.value(row));
                    }
                    Ok(())
                })?;
            }
        }
        Ok(rows)
    }

    /// Counts the captures, and those that redirect.
    fn count_captures(&self, totals: &mut Totals) -> Result<(), Error> {
        for path in self.files(captures::TABLE.name) {
            read_column(&path, "fetch_status", |statuses: &Int32Array| {
                totals.captures += statuses.len() as u64;
                let is_redirect = |status: &i32| (300..=399).contains(status);
                totals.redirects += statuses.iter().flatten().filter(is_redirect).count() as u64;
            })?;
        }
        Ok(())
    }

    /// Compares `archives` with the manifest and with the tables that have rows of each archive.
    fn check_archives(&mut self) -> Result<(), Error> {
        let mut rows = self.rows_of_archives()?;
        let mut listed = self.manifest.archives.iter();
        let mut is_as_listed = true;
        let mut unequal = Vec::new();
        let mut altered = Vec::new();
        for path in self.files(archives::TABLE.name) {
            ArchiveColumns::each_row(&path, None, |columns, row| {
                let name = columns.warc_filename.value(row);
                let of = |column: &Int64Array| column.value(row);
                let (bytes, captures) = (of(columns.bytes), of(columns.capture_count));
                let (members, rest) = (of(columns.member_bytes), of(columns.bytes_skipped));
                let is_complete = columns.is_complete.value(row);
                let [found, skips, faults] = rows.remove(name).unwrap_or_default();
                let (records, errors) = (of(columns.record_count), of(columns.error_count));
                let of_members = format!("{members} of members and {rest} skipped");
                let of_records = format!("{captures} captures and {} skipped", skips.sum);
                let shown = |n: i64| (n, n.to_string());
                for (expected, what, (n, found)) in [
                    (bytes, "bytes", (members + rest, of_members)),
                    (records, "records", (captures + skips.sum, of_records)),
                    (captures, "rows of captures", shown(found.n)),
                    (errors, "rows of archive_errors", shown(faults.n)),
                    (rest, "bytes skipped by faults", shown(faults.sum)),
                ] {
                    if n != expected {
                        unequal.push(format!(
                            "{name}: expected {expected} {what}, but found {found}"
                        ));
                    }
                }
                let Some(listed) = listed.next() else {
                    is_as_listed = false;
                    return Ok(());
                };
                is_as_listed &= listed.input.name == name
                    && i64::try_from(listed.captures) == Ok(captures)
                    && listed.is_complete == is_complete;
                // Of an incomplete archive fewer bytes may have been read.
                if let (true, Some(before)) = (is_complete, listed.input.bytes)
                    && u64::try_from(bytes) != Ok(before)
                {
                    altered.push(format!(
                        "the archive {name} had {before} bytes when the run began and {bytes} were read, so it was changed meanwhile; overwrite the dataset when it is complete"
                    ));
                }
                Ok(())
            })?;
        }
        if !is_as_listed || listed.next().is_some() {
            let message =
                "expected the archives of the manifest in the table archives, but found others";
            unequal.push(message.to_owned());
        }
        unequal.extend(
            rows.into_keys()
                .map(|name| format!("expected a row of archives for {name}, but found none")),
        );
        for message in unequal {
            self.find(message);
        }
        for message in altered {
            let list = list_of_part(&self.manifest.part);
            self.verified.find(list, ViolationKind::Altered, message);
        }
        Ok(())
    }

    /// Compares `page_policies` with the pages that have a policy.
    fn check_pages(&mut self, totals: &mut Totals) -> Result<(), Error> {
        let mut with_policy = 0;
        for path in self.files(pages::TABLE.name) {
            read_column(&path, "has_policy", |has_policy: &BooleanArray| {
                with_policy += has_policy.true_count() as u64;
            })?;
        }
        totals.pages_with_policy += with_policy;
        if self.has(page_policies::TABLE.name) {
            let (n_pages, _) = count_pages(self.files(page_policies::TABLE.name), 0)?;
            if n_pages > with_policy {
                self.find(format!(
                    "expected at most {with_policy} pages in page_policies, as many as have a policy, but found {n_pages}"
                ));
            }
        }
        Ok(())
    }
}

/// Passes a column of a file to `each`, batch by batch.
fn read_column<A: Array + 'static>(
    path: &Path,
    name: &str,
    mut each: impl FnMut(&A),
) -> Result<(), Error>
where
    for<'b> &'b A: ArrayAccessor,
{
    read_columns(path, &[name], |batch| {
        each(column(path, batch, name)?);
        Ok(())
    })
}

/// Returns of how many pages files have rows, which are behind one another, and how many of these
/// pages have another number of rows than `expected`.
fn count_pages(files: impl Iterator<Item = PathBuf>, expected: u64) -> Result<(u64, u64), Error> {
    let (mut n_pages, mut unequal) = (0, 0);
    let (mut page, mut n_rows) = (None, expected);
    for path in files {
        read_column(&path, "page_id", |ids: &Int64Array| {
            for &id in ids.values() {
                if page.replace(id) != Some(id) {
                    unequal += u64::from(n_rows != expected);
                    n_rows = 0;
                    n_pages += 1;
                }
                n_rows += 1;
            }
        })?;
    }
    unequal += u64::from(n_rows != expected);
    Ok((n_pages, unequal))
}
