//! The accounting of a dataset, from its files alone: whether its numbers of bytes, records and
//! rows agree.

use std::{collections::BTreeMap, path::Path};

use arrow_array::{BooleanArray, Int32Array, Int64Array, RecordBatch, StringArray};

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
    let mut sums = BTreeMap::new();
    part.count_captures(&mut sums, totals)?;
    part.check_archives(sums)?;
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
        let path = root.join(&file.path);
        read_columns(&path, &["page_id"], |batch| {
            let ids: &Int64Array = column(&path, batch, "page_id")?;
            for &id in ids.values() {
                if page != Some(id) {
                    unequal += u64::from(n_rows != n_agents);
                    (page, n_rows) = (Some(id), 0);
                    n_pages += 1;
                }
                n_rows += 1;
            }
            Ok(())
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
            self.read(of.name, &[counts], |path, batch| {
                let counts: &Int32Array = column(path, batch, counts)?;
                let counts = counts.iter().flatten();
                sum += counts
                    .map(|count| u64::try_from(count).unwrap_or_default())
                    .sum::<u64>();
                Ok(())
            })?;
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

    fn read(
        &self,
        table: &str,
        columns: &[&str],
        mut each: impl FnMut(&Path, &RecordBatch) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for file in self.manifest.files_of(table) {
            let path = self.root.join(&file.path);
            read_columns(&path, columns, |batch| each(&path, batch))?;
        }
        Ok(())
    }

    /// Counts the captures, those of each archive and those that redirect.
    fn count_captures(
        &self,
        sums: &mut BTreeMap<String, ArchiveSums>,
        totals: &mut Totals,
    ) -> Result<(), Error> {
        let table = captures::TABLE.name;
        self.read(table, &CaptureColumns::NAMES, |path, batch| {
            let columns = CaptureColumns::from_batch(path, batch)?;
            for row in 0..batch.num_rows() {
                of_archive(sums, columns.warc_filename, row).captures += 1;
            }
            let statuses = columns.fetch_status.iter().flatten();
            let redirects = statuses.filter(|status| (300..=399).contains(status));
            totals.redirects += redirects.count() as u64;
            totals.captures += batch.num_rows() as u64;
            Ok(())
        })
    }

    /// Compares `archives` with the manifest and with the tables that have rows of each archive, of
    /// which `sums` has the captures.
    fn check_archives(&mut self, mut sums: BTreeMap<String, ArchiveSums>) -> Result<(), Error> {
        let (skips, faults) = (archive_skips::TABLE.name, archive_errors::TABLE.name);
        self.read(skips, &SkipColumns::NAMES, |path, batch| {
            let columns = SkipColumns::from_batch(path, batch)?;
            for row in 0..batch.num_rows() {
                let archive = of_archive(&mut sums, columns.warc_filename, row);
                archive.skipped += columns.records.value(row);
            }
            Ok(())
        })?;
        self.read(faults, &FaultColumns::NAMES, |path, batch| {
            let columns = FaultColumns::from_batch(path, batch)?;
            for row in 0..batch.num_rows() {
                let archive = of_archive(&mut sums, columns.warc_filename, row);
                archive.faults += 1;
                archive.bytes_skipped += columns.bytes_skipped.value(row);
            }
            Ok(())
        })?;
        let mut listed = self.manifest.archives.iter();
        let mut is_as_listed = true;
        let mut unequal = Vec::new();
        let mut altered = Vec::new();
        self.read(archives::TABLE.name, &ArchiveColumns::NAMES, |path, batch| {
            let columns = ArchiveColumns::from_batch(path, batch)?;
            for row in 0..batch.num_rows() {
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
                    ("rows of archive_errors", found.faults, of(columns.error_count)),
                    ("bytes skipped by faults", found.bytes_skipped, rest),
                ] {
                    if found != expected {
                        unequal.push(format!("{name}: expected {expected} {what}, but found {found}"));
                    }
                }
                let Some(listed) = listed.next() else {
                    is_as_listed = false;
                    continue;
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
            }
            Ok(())
        })?;
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
        self.read(pages::TABLE.name, &["has_policy"], |path, batch| {
            let has_policy: &BooleanArray = column(path, batch, "has_policy")?;
            with_policy += has_policy.true_count() as u64;
            Ok(())
        })?;
        totals.pages_with_policy += with_policy;
        if self.has(page_policies::TABLE.name) {
            let mut n_pages = 0;
            // Its rows of a page are behind one another.
            let mut page = None;
            self.read(page_policies::TABLE.name, &["page_id"], |path, batch| {
                let ids: &Int64Array = column(path, batch, "page_id")?;
                for &id in ids.values() {
                    n_pages += u64::from(page != Some(id));
                    page = Some(id);
                }
                Ok(())
            })?;
            if n_pages > with_policy {
                self.find(format!(
                    "expected at most {with_policy} pages in page_policies, as many as have a policy, but found {n_pages}"
                ));
            }
        }
        Ok(())
    }
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
