//! The rows of `hosts` of one crawl, built from its captures and the chains of their redirects.
//! This is the only place that finds out which fetch of an origin counts and which origins are
//! primary: the views of `queries/views.sql`, summaries and charts read the table.
//!
//! 1. A few columns of the captures are read for those at the ends of redirects.
//! 2. The captures are read for the fetches, each of which is completed by the capture whose file
//!    applies: itself, or the end of its redirects. Fetches are sorted by domain, host and origin,
//!    and those of an origin by which counts, so that the first of each origin is its row.
//! 3. The rows are read in their order, to choose the primary origin of each host and of each
//!    domain (`primaries`), then again, to write them.
//!
//! Each step is done by all threads: the first two by splits of the captures, the last by ranges of
//! the sorted records, which are cut between domains. A range is a row group of the file, or
//! several if it is long, so the file does not depend on the threads.
//!
//! # Memory
//!
//! Nothing is held for each host: a [`Sorter`] writes some 300 bytes for each fetch to disk, before
//! compression. What is held besides, for the whole crawl, are the captures at the ends of
//! redirects, 72 bytes each, with the chains while the captures are read; and by each thread two
//! bits for each row of its range, and row groups up to a limit ([`WholeWriter::append_shares`]).
//! To choose in passes, each for a share of the domains, would need no disk, but it reads all
//! captures in each pass, and one domain may have more hosts than fit in memory.

mod captures;
mod primaries;
mod record;

use std::{path::Path, sync::Arc};

use arrow_array::{BooleanArray, Int64Array};

use self::{
    captures::{EndColumns, FetchColumns},
    primaries::Primaries,
    record::{End, Fetch, domain_key, origin_key, read_fetch, write_fetch},
};
use super::{
    Crawl,
    captures::{CaptureRows, changed},
    follower::{access_of, resolve, resolve_followed},
    shares::ReadBySet,
};
use crate::{
    archive::{cohort::Cohort, error::Error},
    dataset::{
        finish::whole_writer::WholeWriter,
        redirect::{Chains, Outcome, Resolution},
        sink::{Format, KeyRange, RowGroup, Sorted, Sorter, StoredColumn, stored_columns},
        summary::Hosts,
        table::hosts::{self, HostRedirect, HostsBuilder},
        table_rows::{BATCH_ROWS, TableRows},
    },
    robots::dialect::{Access, Dialect},
};

/// Bytes of records that a thread sorts. Shorter runs are no slower to merge; those of a whole
/// crawl are some 1,100, whose blocks take 70 MB in each thread that merges them.
pub(super) const SORTED_BYTES: usize = 16 * 1024 * 1024;
/// Bytes of records of a range, for row groups of some 100,000 rows.
pub(super) const RANGE_BYTES: usize = 32 * 1024 * 1024;

impl Crawl<'_> {
    /// Writes the file of the table `hosts`.
    pub(super) fn write_hosts(
        &self,
        chains: Arc<Chains>,
        metadata: &[(String, String)],
        writer: &mut WholeWriter<'_>,
    ) -> Result<(), Error> {
        let format = Arc::new(Format::new(&hosts::TABLE, metadata)?);
        writer.begin(&format)?;
        let fetches = self.complete_fetches(chains)?;
        let ranges = fetches.ranges(self.resolver.limits.range_bytes);
        writer.append_shares(&ranges, |range, append| {
            self.encode_hosts(&fetches, range, &format, append)
        })?;
        writer.end(self.crawl)
    }

    /// Encodes the rows of a range of fetches, and passes row groups to `each` as they are
    /// complete.
    fn encode_hosts(
        &self,
        fetches: &Sorted,
        range: &KeyRange,
        format: &Arc<Format>,
        mut each: impl FnMut(Vec<RowGroup>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut primaries = Primaries::default();
        self.each_row(fetches, range, |fetch| {
            primaries.offer(&fetch.row);
            Ok(())
        })?;
        let mut chosen = primaries.finish().into_iter();
        let rows = HostsBuilder::default();
        let mut table = TableRows::new(rows, BATCH_ROWS, Some(format.clone()));
        self.each_row(fetches, range, |fetch| {
            let primary = chosen.next().ok_or_else(changed)?;
            table.rows.append(&fetch.row, self.crawl, primary);
            each(table.complete_row_groups()?)
        })?;
        each(table.finish()?)
    }

    /// Returns the fetches of each robots.txt, complete, in the order of the rows.
    fn complete_fetches(&self, chains: Arc<Chains>) -> Result<Sorted, Error> {
        let (dataset, limits) = (self.resolver.dataset, self.resolver.limits);
        let fetches = Sorter::new(dataset, "hosts-fetches", domain_key, limits.sorted_bytes)?;
        let ends = self.read_ends(&chains)?;
        self.captures
            .map(|captures| self.read_fetches(captures, (&chains, &ends), &fetches))?;
        drop((chains, ends));
        fetches.finish()
    }

    /// Returns the captures at the ends of redirects, sorted by their keys.
    fn read_ends(&self, chains: &Chains) -> Result<Vec<End>, Error> {
        let ids = ends(chains, &self.resolver.config.dialects[0]);
        let mut ends = Vec::with_capacity(ids.len());
        for captures in self.captures.chunks() {
            let found = captures.map(|captures| {
                let mut found = Vec::new();
                captures.each_batch(&EndColumns::NAMES, |path, batch| {
                    let columns = EndColumns::from_batch(path, batch)?;
                    let rows = 0..batch.num_rows();
                    let rows = rows.filter(|&row| ids.binary_search(&columns.id(row)).is_ok());
                    found.extend(rows.map(|row| columns.end(row)));
                    Ok(())
                })?;
                Ok(found)
            })?;
            ends.extend(found.into_iter().flatten());
        }
        ends.sort_unstable_by_key(|end| end.columns.capture_id);
        Ok(ends)
    }

    /// Reads captures, and adds the fetches among them to `fetches`, each completed by the capture
    /// whose file applies: itself, or one of `ends`.
    fn read_fetches(
        &self,
        captures: CaptureRows<'_>,
        (chains, ends): (&Chains, &[End]),
        fetches: &Sorter,
    ) -> Result<(), Error> {
        let mut fetches = fetches.builder();
        let mut numbers = self.redirects.of(captures.splits);
        let mut record = Vec::new();
        let cohort = self.resolver.config.cohort.as_deref();
        let reference = &self.resolver.config.dialects[0];
        let columns = [&EndColumns::NAMES[..], &FetchColumns::NAMES].concat();
        captures.each_batch(&columns, |path, batch| {
            let own = EndColumns::from_batch(path, batch)?;
            let columns = FetchColumns::from_batch(path, batch)?;
            for row in 0..batch.num_rows() {
                let own = own.end(row);
                let redirect = numbers.next(own.columns.fetch_status)?;
                if !columns.is_of_robots_txt(row) {
                    continue;
                }
                let mut fetch = columns.fetch(row, &own);
                let domain = fetch.row.url_host_registered_domain;
                let is_outside =
                    |cohort: &Cohort| !cohort.names.have(fetch.row.url_host_name, || domain);
                if cohort.is_some_and(is_outside) {
                    continue;
                }
                match redirect {
                    Some((index, status)) => {
                        let resolution = resolve(reference, chains, index, status);
                        lead(&mut fetch, &resolution, reference, (&own, ends))?;
                    }
                    None => complete(&mut fetch, &own),
                }
                write_fetch(&fetch, &mut record);
                fetches.push(&record)?;
            }
            Ok(())
        })?;
        numbers.finish()?;
        fetches.finish()
    }

    /// Passes the fetch that counts for each origin of a range to `each`, in the order of the rows.
    fn each_row(
        &self,
        fetches: &Sorted,
        range: &KeyRange,
        mut each: impl FnMut(&Fetch<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut last_key = Vec::new();
        fetches.each(range, |record| {
            self.captures.progress.check()?;
            if !last_key.is_empty() && record.starts_with(&last_key) {
                return Ok(());
            }
            last_key.clear();
            last_key.extend_from_slice(origin_key(record));
            each(&read_fetch(record))
        })
    }
}

/// Returns the captures at the ends of all redirects, sorted, by their keys.
fn ends(chains: &Chains, reference: &Dialect) -> Vec<i64> {
    let indexes = 0..chains.len() as u32;
    let ends = indexes.filter_map(|index| resolve_followed(reference, chains, index).end);
    let mut ends: Vec<i64> = ends.map(|end| end.capture_id).collect();
    ends.sort_unstable();
    ends.dedup();
    ends.shrink_to_fit();
    ends
}

/// Completes a fetch by the end of its redirects, or by what their outcome decides without one.
fn lead(
    fetch: &mut Fetch<'_>,
    resolution: &Resolution,
    reference: &Dialect,
    (own, ends): (&End, &[End]),
) -> Result<(), Error> {
    let &Resolution { outcome, hops, .. } = resolution;
    fetch.row.redirect = Some(HostRedirect { outcome, hops });
    if let Some(id) = resolution.end.map(|end| end.capture_id) {
        let end = ends.binary_search_by_key(&id, |end| end.columns.capture_id);
        complete(fetch, &ends[end.map_err(|_| changed())?]);
        return Ok(());
    }
    if outcome == Outcome::NotFollowed {
        fetch.row.end = Some(own.columns);
    }
    let access = access_of(reference, outcome);
    fetch.row.access = access.unwrap_or(Access::Undefined);
    fetch.is_answer = is_known(outcome);
    Ok(())
}

/// Completes a fetch by the capture whose file applies.
fn complete(fetch: &mut Fetch<'_>, end: &End) {
    fetch.row.end = Some(end.columns);
    fetch.row.access = match end.access {
        Access::Redirect => Access::Undefined,
        access => access,
    };
    fetch.is_answer = is_answer(end.columns.fetch_status);
    fetch.row.sets = end.sets;
}

/// Counts the hosts in the file of a crawl, and those with a robots.txt by its vector of answers.
pub(super) fn count(
    path: Option<&Path>,
    crawl: Option<String>,
) -> Result<(Hosts, ReadBySet), Error> {
    let mut hosts = Hosts {
        crawl,
        ..Hosts::default()
    };
    let mut read_by_set = ReadBySet::new();
    let Some(path) = path else {
        return Ok((hosts, read_by_set));
    };
    HostColumns::each_row(path, None, |rows, row| {
        let is_read = u64::from(rows.has_robots_txt.value(row));
        let of_host = u64::from(rows.is_primary.value(row));
        let of_domain = u64::from(rows.is_primary_of_domain.value(row));
        hosts.origins += 1;
        hosts.asked += of_host;
        hosts.read += of_host * is_read;
        hosts.domains += of_domain;
        hosts.domains_read += of_domain * is_read;
        if let (1, 1, Some(set)) = (is_read, of_host, rows.verdict_set_id.get(row)) {
            let read = read_by_set.entry(set).or_default();
            read[0] += of_host;
            read[1] += of_domain;
        }
        Ok(())
    })?;
    Ok((hosts, read_by_set))
}

stored_columns! {
    /// The columns by which hosts are counted.
    struct HostColumns<'b> {
        is_primary: &'b BooleanArray,
        is_primary_of_domain: &'b BooleanArray,
        has_robots_txt: &'b BooleanArray,
        verdict_set_id: &'b Int64Array,
    }
}

/// Returns true if and only if a status determines the robots.txt: a file, or that there is none.
pub(in crate::dataset) fn is_answer(status: Option<i32>) -> bool {
    matches!(status, Some(200..=299 | 400..=428 | 430..=499))
}

/// Returns whether redirects without an end determine the robots.txt.
fn is_known(outcome: Outcome) -> bool {
    !matches!(outcome, Outcome::NotInCorpus | Outcome::NotModified)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use arrow_array::RecordBatch;

    use super::{
        super::{Limits, Resolver},
        *,
    };
    use crate::{
        Config, Progress,
        archive::input,
        dataset::{
            sink::{Dataset, WholeTable, read_columns, row_group_rows},
            table::{Table, captures, hosts, redirects},
        },
        sample::random::Random,
    };

    /// Returns an archive of fetches at random times, most of them redirects to other ones.
    fn archive(random: &mut Random) -> String {
        let mut archive = String::new();
        for _ in 0..2_000 {
            let mut url = || {
                let scheme = ["http", "https"][random.below(2)];
                let host = ["", "www.", "shop."][random.below(3)];
                let domain = random.below(30);
                format!("{scheme}://{host}d{domain}.example/robots.txt")
            };
            let (from, to) = (url(), url());
            let http = match random.below(3) {
                0 => "HTTP/1.1 200 OK\r\n\r\nUser-agent: *\nDisallow: /\n".to_owned(),
                _ => format!("HTTP/1.1 301 Moved\r\nLocation: {to}\r\n\r\n"),
            };
            archive += &format!(
                "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {from}\r\n\
                 WARC-Date: 2026-01-02T03:04:{:02}Z\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
                random.below(60),
                http.len()
            );
        }
        archive
    }

    /// Returns the rows of a table, each as a batch.
    fn rows(dataset: &Dataset, table: &Table) -> Vec<RecordBatch> {
        let columns: Vec<&str> = table.columns.iter().map(|column| column.name).collect();
        let whole = WholeTable::read(dataset.root(), table.name);
        let mut rows = Vec::new();
        for file in whole.unwrap().unwrap().files {
            let path = dataset.root().join(&file.path);
            read_columns(&path, &columns, |batch| {
                rows.extend((0..batch.num_rows()).map(|row| batch.slice(row, 1)));
                Ok(())
            })
            .unwrap();
        }
        rows
    }

    #[test]
    fn rows_are_the_same_whatever_fits_in_memory_and_however_many_threads_there_are() {
        let dir = tempfile::tempdir().unwrap();
        let mut random = Random::new(31);
        for name in ["a", "b", "c"] {
            let path = dir.path().join(format!("in/{name}.warc"));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, archive(&mut random)).unwrap();
        }
        let archives = input::expand(&[dir.path().join("in").to_str().unwrap()]).unwrap();
        let config = Config {
            part_bytes: 1,
            ..Config::new(dir.path().join("census"))
        };
        let progress = Progress::default();
        let summary = crate::run(&config, &archives, &progress).unwrap();
        let n_rows = summary.redirects.unwrap().hosts.unwrap().origins;
        assert!(n_rows > 100, "{n_rows}");
        let dataset = Dataset::existing(&config.out).unwrap();
        let tables = [&hosts::TABLE, &redirects::TABLE];
        let rows_of_all = || tables.map(|table| rows(&dataset, table));
        let expected = rows_of_all();
        assert_eq!(expected[0].len() as u64, n_rows);
        let files = dataset.published(captures::TABLE.name).unwrap();
        let resolve_with = |limits, threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            // Files that have no record are not kept.
            for table in tables {
                let record = WholeTable::path(&config.out, table.name);
                fs::remove_file(record).unwrap();
            }
            let resolver = Resolver {
                dataset: &dataset,
                config: &config,
                limits,
                progress: &progress,
            };
            let resolved = || resolver.resolve(&config.tables, &files);
            Ok::<_, Error>(pool.unwrap().install(resolved)?.hosts.unwrap())
        };
        let whole = Limits {
            split_rows: 100_000,
            sorted_bytes: 10_000_000,
            range_bytes: 100_000_000,
            share_rows: 100_000,
        };
        let counts = resolve_with(whole, 1).unwrap();
        assert!(
            counts
                .categories
                .iter()
                .flatten()
                .all(|share| share.any > 0)
        );
        let short_runs = Limits {
            sorted_bytes: 20_000,
            ..whole
        };
        let splits = Limits {
            split_rows: 2_500,
            range_bytes: 1,
            share_rows: 1_000,
            ..whole
        };
        for (limits, threads, [of_hosts, of_redirects]) in [
            (whole, 2, [1, 1]),
            (short_runs, 2, [1, 1]),
            (splits, 1, [3, 3]),
            (splits, 3, [3, 3]),
        ] {
            assert_eq!(resolve_with(limits, threads).unwrap(), counts);
            assert!(rows_of_all() == expected);
            let path = config.out.join("hosts/part-hosts.parquet");
            assert_eq!(row_group_rows(&path).unwrap().len(), of_hosts);
            let path = config.out.join("redirects/part-redirects.parquet");
            assert_eq!(row_group_rows(&path).unwrap().len(), of_redirects);
        }
        progress.stop();
        let stopped = resolve_with(splits, 2).unwrap_err();
        assert!(matches!(stopped.kind(), crate::ErrorKind::Interrupted));
    }
}
