//! The accounting of a dataset, from its files alone: whether its numbers of bytes, records and
//! rows agree.

use std::{collections::BTreeMap, path::Path};

use arrow_array::{
    Array, BooleanArray, DictionaryArray, Int32Array, Int64Array, RecordBatch, StringArray,
    types::Int32Type,
};

use super::violation::{Verified, ViolationKind};
use crate::{
    archive::error::Error,
    dataset::{
        sink::{Manifest, TableFile, WholeTable, n_rows, read_columns},
        table::{
            agents, archive_errors, archive_skips, archives, captures, errors, groups,
            page_directives, page_policies, pages, response_errors, rules,
        },
    },
};

/// The columns of `captures` that count the rows of another table, each with that table.
const COUNTS: [(&str, &str); 4] = [
    ("group_count", groups::TABLE.name),
    ("rule_count", rules::TABLE.name),
    ("error_count", errors::TABLE.name),
    ("response_error_count", response_errors::TABLE.name),
];

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

/// A row of `archives`.
struct Archive {
    name: String,
    bytes: i64,
    captures: i64,
    faults: i64,
    bytes_skipped: i64,
    is_complete: bool,
}

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
        part.expect_equal(
            &format!("rows in the footer of {}", file.path),
            rows,
            ("the manifest", file.rows),
        );
    }
    let archives = part.archives()?;
    part.check_archives(&archives)?;
    totals.captures += part.rows(captures::TABLE.name);
    let columns = [&COUNTS.map(|(column, _)| column)[..], &["fetch_status"]].concat();
    let sums = part.sums(captures::TABLE.name, &columns)?;
    for (column, table) in COUNTS {
        if !part.has(table) {
            continue;
        }
        let rows = part.rows(table);
        let sum = sums.of(column);
        part.expect_equal(
            &format!("rows of {table}"),
            rows,
            ("the sum of captures", sum),
        );
    }
    totals.redirects += sums.redirects;
    if part.has(groups::TABLE.name) && part.has(agents::TABLE.name) {
        let agents = part
            .sums(groups::TABLE.name, &["agent_count"])?
            .of("agent_count");
        let rows = part.rows(agents::TABLE.name);
        part.expect_equal(
            "rows of agents",
            rows,
            ("the sum of groups.agent_count", agents),
        );
    }
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
        read_columns(&root.join(&file.path), &["page_id"], |batch| {
            for id in integers(batch, "page_id") {
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
    let rows = |table: &WholeTable| table.files.iter().map(|file| file.rows).sum::<u64>();
    let expected = totals.redirects * rows(dialects);
    if rows(redirects) != expected {
        verified.find(
            "_tables/redirects.json",
            ViolationKind::Accounting,
            format!(
                "expected {expected} rows of redirects, {} captures that redirect under {} dialects, but found {}; resolve the redirects again",
                totals.redirects,
                rows(dialects),
                rows(redirects)
            ),
        );
    }
}

/// Sums of columns of one table.
#[derive(Default)]
struct Sums {
    by_column: BTreeMap<String, i64>,
    redirects: u64,
}

impl Sums {
    fn of(&self, column: &str) -> u64 {
        let sum = self.by_column.get(column).copied().unwrap_or_default();
        u64::try_from(sum).unwrap_or_default()
    }
}

impl Part<'_> {
    fn expect_equal(&mut self, what: &str, found: u64, (by, expected): (&str, u64)) {
        if found != expected {
            self.find(format!(
                "expected {expected} {what} by {by}, but found {found}"
            ));
        }
    }

    fn find(&mut self, message: String) {
        let path = format!("_manifest/{}.json", self.manifest.part);
        let remedy = "the files are as they were written, so this is an error of robocensus: please report it";
        let message = format!("{message}; {remedy}");
        self.verified.find(path, ViolationKind::Accounting, message);
    }

    fn files(&self, table: &str) -> impl Iterator<Item = &TableFile> {
        let files = self.manifest.files.iter();
        files.filter(move |file| file.table == table)
    }

    /// Returns true if and only if the dataset is to have a table.
    fn has(&self, table: &str) -> bool {
        self.verified.tables.contains(table)
    }

    fn rows(&self, table: &str) -> u64 {
        self.files(table).map(|file| file.rows).sum()
    }

    fn read(
        &self,
        table: &str,
        columns: &[&str],
        mut each: impl FnMut(&RecordBatch),
    ) -> Result<(), Error> {
        let paths: Vec<_> = self
            .files(table)
            .map(|file| self.root.join(&file.path))
            .collect();
        for path in paths {
            read_columns(&path, columns, |batch| {
                each(batch);
                Ok(())
            })?;
        }
        Ok(())
    }

    fn sums(&self, table: &str, columns: &[&str]) -> Result<Sums, Error> {
        let mut sums = Sums::default();
        self.read(table, columns, |batch| {
            for &column in columns {
                let values = integers(batch, column);
                if column == "fetch_status" {
                    let is_redirect = |value: &&i64| (300..=399).contains(*value);
                    sums.redirects += values.iter().filter(is_redirect).count() as u64;
                } else {
                    *sums.by_column.entry(column.to_owned()).or_default() +=
                        values.iter().sum::<i64>();
                }
            }
        })?;
        Ok(sums)
    }

    /// Reads the rows of `archives`, and compares the numbers of each with one another.
    fn archives(&mut self) -> Result<Vec<Archive>, Error> {
        const NUMBERS: [&str; 6] = [
            "bytes",
            "member_bytes",
            "bytes_skipped",
            "record_count",
            "capture_count",
            "error_count",
        ];
        let mut skipped: BTreeMap<String, i64> = BTreeMap::new();
        let columns = ["warc_filename", "records"];
        self.read(archive_skips::TABLE.name, &columns, |batch| {
            let records = integers(batch, "records");
            for (name, records) in texts(batch, "warc_filename").into_iter().zip(records) {
                *skipped.entry(name).or_default() += records;
            }
        })?;
        let columns = [&["warc_filename", "is_complete"][..], &NUMBERS].concat();
        let mut archives = Vec::new();
        let mut unequal = Vec::new();
        self.read(archives::TABLE.name, &columns, |batch| {
            let names = texts(batch, "warc_filename");
            let numbers = NUMBERS.map(|column| integers(batch, column));
            let complete = batch.column_by_name("is_complete");
            let complete = complete.and_then(|array| array.as_any().downcast_ref::<BooleanArray>());
            for (row, name) in names.into_iter().enumerate() {
                let of = |column: usize| numbers[column].get(row).copied().unwrap_or_default();
                let n_skipped = skipped.remove(&name).unwrap_or_default();
                let (members, rest) = (of(1), of(2));
                if members + rest != of(0) {
                    unequal.push(format!(
                        "{name}: expected {} bytes, but found {members} of members and {rest} skipped",
                        of(0)
                    ));
                }
                if of(4) + n_skipped != of(3) {
                    unequal.push(format!(
                        "{name}: expected {} records, but found {} captures and {n_skipped} skipped",
                        of(3),
                        of(4)
                    ));
                }
                archives.push(Archive {
                    name,
                    bytes: of(0),
                    captures: of(4),
                    faults: of(5),
                    bytes_skipped: rest,
                    is_complete: complete.is_some_and(|array| array.value(row)),
                });
            }
        })?;
        let without_row = skipped.into_keys().map(no_archive);
        for message in unequal.into_iter().chain(without_row) {
            self.find(message);
        }
        Ok(archives)
    }

    /// Compares the tables of pages with one another.
    fn check_pages(&mut self, totals: &mut Totals) -> Result<(), Error> {
        let of_pages = self.sums(pages::TABLE.name, &["statement_count", "has_policy"])?;
        if self.has(page_directives::TABLE.name) {
            let statements = of_pages.of("statement_count");
            let rows = self.rows(page_directives::TABLE.name);
            self.expect_equal(
                "rows of page_directives",
                rows,
                ("the sum of pages.statement_count", statements),
            );
        }
        let with_policy = of_pages.of("has_policy");
        totals.pages_with_policy += with_policy;
        if self.has(page_policies::TABLE.name) {
            let mut n_pages = 0;
            // Its rows of a page are behind one another.
            let mut page = None;
            self.read(page_policies::TABLE.name, &["page_id"], |batch| {
                for id in integers(batch, "page_id") {
                    n_pages += u64::from(page != Some(id));
                    page = Some(id);
                }
            })?;
            if n_pages > with_policy {
                self.find(format!(
                    "expected at most {with_policy} pages in page_policies, as many as have a policy, but found {n_pages}"
                ));
            }
        }
        Ok(())
    }

    /// Compares `archives` with the manifest and with the tables that have rows of each archive.
    fn check_archives(&mut self, archives: &[Archive]) -> Result<(), Error> {
        let listed = self.manifest.archives.iter().map(|archive| {
            let captures = i64::try_from(archive.captures).unwrap_or(i64::MAX);
            (archive.input.name.as_str(), captures, archive.is_complete)
        });
        let rows = archives
            .iter()
            .map(|archive| (archive.name.as_str(), archive.captures, archive.is_complete));
        if !listed.eq(rows) {
            self.find(
                "expected the archives of the manifest in the table archives, but found others"
                    .to_owned(),
            );
        }
        for (listed, archive) in self.manifest.archives.iter().zip(archives) {
            let now = u64::try_from(archive.bytes).ok();
            // Of an incomplete archive fewer bytes may have been read.
            if let (true, Some(before)) = (archive.is_complete, listed.input.bytes)
                && now != Some(before)
            {
                let path = format!("_manifest/{}.json", self.manifest.part);
                let message = format!(
                    "the archive {} had {before} bytes when the run began and {} were read, so it was changed meanwhile; overwrite the dataset when it is complete",
                    archive.name, archive.bytes
                );
                self.verified.find(path, ViolationKind::Altered, message);
            }
        }
        let mut captures: BTreeMap<String, i64> = BTreeMap::new();
        self.read(captures::TABLE.name, &["warc_filename"], |batch| {
            for name in texts(batch, "warc_filename") {
                *captures.entry(name).or_default() += 1;
            }
        })?;
        let mut faults: BTreeMap<String, (i64, i64)> = BTreeMap::new();
        self.read(
            archive_errors::TABLE.name,
            &["warc_filename", "bytes_skipped"],
            |batch| {
                let bytes = integers(batch, "bytes_skipped");
                for (name, bytes) in texts(batch, "warc_filename").into_iter().zip(bytes) {
                    let sums = faults.entry(name).or_default();
                    *sums = (sums.0 + 1, sums.1 + bytes);
                }
            },
        )?;
        for archive in archives {
            let n_captures = captures.remove(&archive.name).unwrap_or_default();
            let (n_faults, bytes) = faults.remove(&archive.name).unwrap_or_default();
            for (what, found, expected) in [
                ("rows of captures", n_captures, archive.captures),
                ("rows of archive_errors", n_faults, archive.faults),
                ("bytes skipped by faults", bytes, archive.bytes_skipped),
            ] {
                if found != expected {
                    self.find(format!(
                        "{}: expected {expected} {what}, but found {found}",
                        archive.name
                    ));
                }
            }
        }
        if let Some(name) = captures.keys().chain(faults.keys()).next() {
            self.find(no_archive(name.clone()));
        }
        Ok(())
    }
}

/// Returns what is wrong where another table names an archive that has no row.
fn no_archive(name: String) -> String {
    format!("expected a row of archives for {name}, but found none")
}

/// Returns a column of integers, or of truth values as 1 and 0; NULL counts as 0.
fn integers(batch: &RecordBatch, name: &str) -> Vec<i64> {
    let Some(array) = batch.column_by_name(name) else {
        return Vec::new();
    };
    if let Some(array) = array.as_any().downcast_ref::<Int64Array>() {
        return array.iter().map(Option::unwrap_or_default).collect();
    }
    if let Some(array) = array.as_any().downcast_ref::<BooleanArray>() {
        let values = array.iter().map(Option::unwrap_or_default);
        return values.map(i64::from).collect();
    }
    let array = array.as_any().downcast_ref::<Int32Array>();
    let values = array.into_iter().flatten();
    values.map(|value| value.map_or(0, i64::from)).collect()
}

/// Returns a column of texts.
fn texts(batch: &RecordBatch, name: &str) -> Vec<String> {
    let Some(array) = batch.column_by_name(name) else {
        return Vec::new();
    };
    if let Some(array) = array.as_any().downcast_ref::<StringArray>() {
        let texts = array.iter().map(Option::unwrap_or_default);
        return texts.map(str::to_owned).collect();
    }
    let array = array.as_any().downcast_ref::<DictionaryArray<Int32Type>>();
    let array = array.and_then(DictionaryArray::downcast_dict::<StringArray>);
    let texts = array.into_iter().flatten();
    texts
        .map(|text| text.unwrap_or_default().to_owned())
        .collect()
}
