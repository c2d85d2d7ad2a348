//! The accounting of a dataset, from its files alone: whether its numbers of bytes, records and
//! rows agree.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use arrow_array::{Array, ArrayAccessor, BooleanArray, Int32Array, Int64Array, StringArray};

use super::violation::{Verified, ViolationKind};
use crate::{
    archive::error::Error,
    dataset::{
        sink::{
            Manifest, Names, StoredColumn, WholeTable, column, n_rows, read_columns, stored_columns,
        },
        table::{
            Table, agents, archive_errors, archive_skips, archives, captures, errors, groups,
            page_directives, page_policies, pages, response_errors, rules,
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

/// What the tables of a part have of an archive.
#[derive(Default)]
struct ArchiveSums {
    /// Rows of `captures`.
    captures: i64,
    /// Records of the rows of `archive_skips`.
    skipped: i64,
    /// Rows of `archive_errors`, and the bytes that they state as skipped.
    faults: i64,
    bytes_skipped: i64,
}

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

stored_columns! {
    struct SkipColumns<'b> {
        warc_filename: Names<'b>,
        records: &'b Int64Array,
    }
}

stored_columns! {
    struct FaultColumns<'b> {
        warc_filename: Names<'b>,
        bytes_skipped: &'b Int64Array,
    }
}

stored_columns! {
    struct CaptureColumns<'b> {
        warc_filename: Names<'b>,
        fetch_status: &'b Int32Array,
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
    part.check_archives(totals)?;
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
    let mut n_pages = 0;
    let mut unequal = 0;
    for file in &table.files {
        // Its rows of a page are behind one another.
        let mut page = None;
        let mut n_rows = n_agents;
        read_column(&root.join(&file.path), "page_id", |ids: &Int64Array| {
            for &id in ids.values() {
                if page.replace(id) != Some(id) {
                    unequal += u64::from(n_rows != n_agents);
                    n_rows = 0;
                    n_pages += 1;
                }
                n_rows += 1;
            }
        })?;
        unequal += u64::from(n_rows != n_agents);
    }
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
    verified.find(
        "_tables/page_robots.json",
        ViolationKind::Accounting,
        format!("{message}; resolve the pages again"),
    );
    Ok(())
}

/// Compares the rows of `redirects` with the captures that redirect, once for each dialect.
pub(super) fn account_redirects(
    redirects: &WholeTable,
    dialects: &WholeTable,
    totals: &Totals,
    verified: &mut Verified,
) {
    let expected = totals.redirects * dialects.n_rows();
    if redirects.n_rows() != expected {
        verified.find(
            "_tables/redirects.json",
            ViolationKind::Accounting,
            format!(
                "expected {expected} rows of redirects, {} captures that redirect under {} dialects, but found {}; resolve the redirects again",
                totals.redirects,
                dialects.n_rows(),
                redirects.n_rows()
            ),
        );
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
        let path = format!("_manifest/{}.json", self.manifest.part);
        let remedy = "the manifest was changed after the run, which wrote these files, or is wrong: delete it with the files that it names and resume the run, which makes them again";
        let message = format!("{message}; {remedy}");
        self.verified.find(path, ViolationKind::Accounting, message);
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

    /// Adds up the rows of tables by archive, and counts the captures and those that redirect.
    fn sums_of_archives(
        &self,
        totals: &mut Totals,
    ) -> Result<BTreeMap<String, ArchiveSums>, Error> {
        let mut sums = BTreeMap::new();
        for path in self.files(captures::TABLE.name) {
            CaptureColumns::each_row(&path, None, |columns, row| {
                of_archive(&mut sums, columns.warc_filename, row).captures += 1;
                let is_redirect = matches!(columns.fetch_status.get(row), Some(300..=399));
                totals.redirects += u64::from(is_redirect);
                totals.captures += 1;
                Ok(())
            })?;
        }
        for path in self.files(archive_skips::TABLE.name) {
            SkipColumns::each_row(&path, None, |columns, row| {
                let archive = of_archive(&mut sums, columns.warc_filename, row);
                archive.skipped += columns.records.value(row);
                Ok(())
            })?;
        }
        for path in self.files(archive_errors::TABLE.name) {
            FaultColumns::each_row(&path, None, |columns, row| {
                let archive = of_archive(&mut sums, columns.warc_filename, row);
                archive.faults += 1;
                archive.bytes_skipped += columns.bytes_skipped.value(row);
                Ok(())
            })?;
        }
        Ok(sums)
    }

    /// Compares `archives` with the manifest and with the tables that have rows of each archive.
    fn check_archives(&mut self, totals: &mut Totals) -> Result<(), Error> {
        let mut sums = self.sums_of_archives(totals)?;
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
                let found = sums.remove(name).unwrap_or_default();
                if members + rest != bytes {
                    unequal.push(format!(
                        "{name}: expected {bytes} bytes, but found {members} of members and {rest} skipped"
                    ));
                }
                let records = of(columns.record_count);
                if captures + found.skipped != records {
                    unequal.push(format!(
                        "{name}: expected {records} records, but found {captures} captures and {} skipped",
                        found.skipped
                    ));
                }
                for (what, found, expected) in [
                    ("rows of captures", found.captures, captures),
                    (
                        "rows of archive_errors",
                        found.faults,
                        of(columns.error_count),
                    ),
                    ("bytes skipped by faults", found.bytes_skipped, rest),
                ] {
                    if found != expected {
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
            sums.into_keys()
                .map(|name| format!("expected a row of archives for {name}, but found none")),
        );
        for message in unequal {
            self.find(message);
        }
        for message in altered {
            let path = format!("_manifest/{}.json", self.manifest.part);
            self.verified.find(path, ViolationKind::Altered, message);
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
            let mut n_pages = 0;
            // Its rows of a page are behind one another.
            let mut page = None;
            for path in self.files(page_policies::TABLE.name) {
                read_column(&path, "page_id", |ids: &Int64Array| {
                    for &id in ids.values() {
                        n_pages += u64::from(page.replace(id) != Some(id));
                    }
                })?;
            }
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

/// Returns the sums of the archive that a row names.
fn of_archive<'s>(
    sums: &'s mut BTreeMap<String, ArchiveSums>,
    names: Names<'_>,
    row: usize,
) -> &'s mut ArchiveSums {
    let name = names.get(row).unwrap_or_default();
    if !sums.contains_key(name) {
        sums.insert(name.to_owned(), ArchiveSums::default());
    }
    sums.get_mut(name).expect("it was inserted")
}
