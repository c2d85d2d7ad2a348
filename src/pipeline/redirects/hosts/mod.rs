//! The table `hosts`, built from the captures of all parts and the chains of redirects: one file in
//! place of an older one. Its rows are those of the view `hosts` of `queries/views.sql` with no
//! variable set.
//!
//! 1. The captures are read once. A fetch whose file is its own is complete. One whose redirects
//!    end at another capture is put aside with the key of that capture, and so is that capture when
//!    it is read (`record`); sorted by that key, each end comes before the fetches that lead to it
//!    and completes them.
//! 2. Complete fetches are sorted by domain, host and origin, and those of an origin by which
//!    counts, so that the first of each origin is its row.
//! 3. The rows are read in their order, to choose the primary origin of each host and of each
//!    domain (`primaries`), then again, to write them.
//!
//! Each step is done by all threads: the first by splits of the captures, the others by ranges of
//! the sorted records, which are cut between two domains. A range is a row group of the file, or
//! several, so the file does not depend on the threads.
//!
//! # Memory
//!
//! Nothing is held for each host: a [`Sorter`] writes what exceeds [`SORTED_BYTES`] to disk, some
//! 240 bytes for each fetch before compression. What is held besides, for the whole dataset, are
//! the keys of the ends, 8 bytes each, with the chains of redirects while the captures are read,
//! and by each thread two bits for each row of its range. To choose in passes, each for a share of
//! the domains, would need no disk, but it reads all captures in each pass, and one domain may have
//! more hosts than fit in memory.

mod captures;
mod primaries;
mod record;

use std::sync::Arc;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

pub(super) use self::captures::COLUMNS;
use self::{
    captures::{FetchBatch, is_robots_txt},
    primaries::Primaries,
    record::{
        End, Fetch, Joined, domain_key, end_key, origin_key, read_fetch, read_joined, write_end,
        write_fetch, write_leading,
    },
};
use super::{
    captures::{CaptureRows, RedirectNumbers, changed, is_redirect},
    follower::Follower,
    writer::seconds_apart,
};
use crate::{
    dialect::Access,
    error::{Error, ErrorKind},
    pipeline::{
        progress::Progress,
        whole_writer::{BATCH_ROWS, WholeWriter},
    },
    redirect::{Chains, Outcome},
    sink::{
        Dataset, Encoder, Format, KeyRange, RowGroup, Run, RunBuilder, RunMemory, Sorted, Sorter,
    },
    summary::Hosts,
    table::{Columns, TableBuilder, hosts::HostRedirect, hosts::HostsBuilder},
};

/// Bytes of records that each of the two sorters holds, and each thread for either of them. Shorter
/// runs are no slower to merge; those of a whole crawl are some 1,100, whose blocks take 70 MB
/// while a range of them is read.
pub(super) const SORTED_BYTES: usize = 16 * 1024 * 1024;
/// Records after which it is found out whether the run was asked to end.
const RECORDS_BETWEEN_CHECKS: usize = 8 * 1024;

/// Builds the table.
pub(super) struct HostTable<'d> {
    pub(super) dataset: &'d Dataset,
    pub(super) captures: CaptureRows<'d>,
    pub(super) redirects: &'d RedirectNumbers,
    /// The reference dialect.
    pub(super) reference: &'d Follower,
    /// Categories in the masks of the captures, if those are known.
    pub(super) n_categories: Option<usize>,
    /// Bytes of records that each sorter holds, and each thread for either of them.
    pub(super) sorted_bytes: usize,
}

impl HostTable<'_> {
    /// Writes the table from these parts, and returns the counts of its rows and the bytes of its
    /// file.
    pub(super) fn build(
        &self,
        chains: Arc<Chains>,
        format: Arc<Format>,
        parts: &[&str],
    ) -> Result<(Hosts, u64), Error> {
        let fetches = self.complete_fetches(chains)?;
        let mut counts = Primaries::new(self.n_categories).finish().counts;
        let mut writer = WholeWriter::new(self.dataset, format.clone());
        if !self.captures.splits.is_empty() {
            writer.begin()?;
            for ranges in fetches.ranges().chunks(rayon::current_num_threads()) {
                let ranges = ranges.par_iter();
                let encoded = ranges.map(|range| self.encode(&fetches, range, &format));
                for (row_groups, of_range) in encoded.collect::<Result<Vec<_>, _>>()? {
                    writer.append(row_groups)?;
                    primaries::add(&mut counts, &of_range);
                }
            }
            writer.end(None)?;
        }
        Ok((counts, writer.record(parts)?))
    }

    /// Returns the rows of a range of fetches, encoded, and their counts.
    fn encode(
        &self,
        fetches: &Sorted,
        range: &KeyRange,
        format: &Arc<Format>,
    ) -> Result<(Vec<RowGroup>, Hosts), Error> {
        let mut primaries = Primaries::new(self.n_categories);
        self.each_row(fetches, range, |fetch| {
            primaries.offer(fetch);
            Ok(())
        })?;
        let chosen = primaries.finish();
        let mut builder = HostsBuilder::new();
        let mut encoder = Encoder::new(format.clone());
        let mut number = 0;
        self.each_row(fetches, range, |fetch| {
            let (of_host, of_domain) = chosen.of(number);
            builder.append(&fetch.row, of_host, of_domain);
            number += 1;
            match builder.n_rows() >= BATCH_ROWS {
                true => encoder.write(builder.finish()),
                false => Ok(()),
            }
        })?;
        encoder.write(builder.finish())?;
        Ok((encoder.finish()?, chosen.counts))
    }

    /// Returns the fetches of each robots.txt, complete, in the order of the rows.
    fn complete_fetches(&self, chains: Arc<Chains>) -> Result<Sorted, Error> {
        // The runs of several splits are seldom all held, so that none needs to be.
        let held_bytes = match self.captures.splits {
            [_] => self.sorted_bytes,
            _ => 0,
        };
        let [in_memory, joined_in_memory] = [held_bytes; 2].map(RunMemory::new);
        let completed = || RunBuilder::new(&in_memory, self.sorted_bytes, domain_key);
        let mut fetches = Sorter::new(self.dataset, "hosts-fetches");
        let mut joined = Sorter::new(self.dataset, "hosts-ends");
        let ends = ends(&chains, self.reference);
        for captures in self.captures.at_a_time() {
            let read = captures.map(|captures| {
                let joined = RunBuilder::new(&joined_in_memory, self.sorted_bytes, end_key);
                self.read_fetches(captures, &chains, &ends, completed(), joined)
            });
            for (complete, of_joined) in read? {
                fetches.add(complete)?;
                joined.add(of_joined)?;
            }
        }
        drop((chains, ends));
        let joined = joined.finish()?;
        for ranges in joined.ranges().chunks(rayon::current_num_threads()) {
            let ranges = ranges.par_iter();
            let joining = ranges.map(|range| self.join(&joined, range, completed()));
            for complete in joining.collect::<Result<Vec<_>, _>>()? {
                fetches.add(complete)?;
            }
        }
        fetches.finish()
    }

    /// Reads captures, and returns the fetches that are complete; and those that are not, with the
    /// captures at the ends of redirects.
    fn read_fetches(
        &self,
        captures: CaptureRows<'_>,
        chains: &Chains,
        ends: &[i64],
        mut fetches: RunBuilder<'_>,
        mut joined: RunBuilder<'_>,
    ) -> Result<(Vec<Run>, Vec<Run>), Error> {
        let mut numbers = self.redirects.of(captures);
        let mut record = Vec::new();
        captures.each_batch(&COLUMNS, |path, batch, masks| {
            let captures = FetchBatch::of(path, batch, masks)?;
            for row in 0..batch.num_rows() {
                let capture = captures.capture(row);
                let status = capture.status.filter(|&status| is_redirect(status));
                let index = match status {
                    Some(status) => Some((numbers.next()?, status)),
                    None => None,
                };
                if index.is_none() && ends.binary_search(&capture.id).is_ok() {
                    write_end(&captures.end(row, &capture), &mut record);
                    joined.push(&record)?;
                }
                if !is_robots_txt(&capture) {
                    continue;
                }
                let mut fetch = captures.fetch(row, &capture);
                let Some((index, status)) = index else {
                    complete(&mut fetch, &captures.end(row, &capture));
                    write_fetch(&fetch, &mut record);
                    fetches.push(&record)?;
                    continue;
                };
                let resolution = self.reference.resolve(chains, index, status);
                let end = resolution.end;
                fetch.row.redirect = Some(HostRedirect {
                    outcome: resolution.outcome,
                    hops: resolution.hops,
                    seconds_apart: end.and_then(|end| seconds_apart(capture.time, end.time)),
                });
                match end {
                    Some(end) => {
                        write_leading(&fetch, end.capture_id, &mut record);
                        joined.push(&record)?;
                    }
                    None => {
                        if resolution.outcome == Outcome::NotFollowed {
                            fetch.row.end = Some(captures.end(row, &capture).columns);
                        }
                        let access = self.reference.access(resolution.outcome);
                        fetch.row.access = access.unwrap_or(Access::Undefined);
                        fetch.row.is_answer = is_known(resolution.outcome);
                        write_fetch(&fetch, &mut record);
                        fetches.push(&record)?;
                    }
                }
            }
            Ok(())
        })?;
        Ok((fetches.finish()?, joined.finish()?))
    }

    /// Completes the fetches of a range by the captures to which they lead.
    fn join(
        &self,
        joined: &Sorted,
        range: &KeyRange,
        mut fetches: RunBuilder<'_>,
    ) -> Result<Vec<Run>, Error> {
        // The capture at the end of the redirects of the fetches that are read, as its record.
        let mut last_end: Option<Vec<u8>> = None;
        let mut record = Vec::new();
        let mut stop = StopCheck::new(self.captures.progress);
        joined.each(range, |bytes| {
            stop.check()?;
            match read_joined(bytes) {
                Joined::End(_) => last_end = Some(bytes.to_vec()),
                Joined::Fetch(mut fetch) => {
                    let end = last_end.as_deref().map(read_joined);
                    let Some(Joined::End(end)) = end else {
                        return Err(changed());
                    };
                    complete(&mut fetch, &end);
                    write_fetch(&fetch, &mut record);
                    fetches.push(&record)?;
                }
            }
            Ok(())
        })?;
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
        let mut stop = StopCheck::new(self.captures.progress);
        fetches.each(range, |record| {
            stop.check()?;
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
fn ends(chains: &Chains, reference: &Follower) -> Vec<i64> {
    let indexes = 0..chains.len() as u32;
    let ends = indexes.filter_map(|index| reference.resolve_followed(chains, index).end);
    let mut ends: Vec<i64> = ends.map(|end| end.capture_id).collect();
    ends.sort_unstable();
    ends.dedup();
    ends.shrink_to_fit();
    ends
}

/// Completes a fetch by the capture whose file applies.
fn complete<'a>(fetch: &mut Fetch<'a>, end: &End<'a>) {
    fetch.row.end = Some(end.columns);
    fetch.row.access = match end.access {
        Access::Redirect => Access::Undefined,
        access => access,
    };
    fetch.row.is_answer = end
        .columns
        .fetch_status
        .is_some_and(|status| matches!(status, 200..=299 | 400..=428 | 430..=499));
    fetch.mask = end.mask;
}

/// Returns whether redirects without an end determine the robots.txt.
fn is_known(outcome: Outcome) -> bool {
    !matches!(
        outcome,
        Outcome::NotInCorpus | Outcome::TooFarInTime | Outcome::NotModified
    )
}

/// Finds out from time to time whether the run was asked to end.
struct StopCheck<'p> {
    progress: &'p Progress,
    n_records: usize,
}

impl<'p> StopCheck<'p> {
    fn new(progress: &'p Progress) -> Self {
        let n_records = 0;
        Self {
            progress,
            n_records,
        }
    }

    fn check(&mut self) -> Result<(), Error> {
        self.n_records += 1;
        if self.n_records % RECORDS_BETWEEN_CHECKS == 1 && self.progress.is_stopped() {
            return Err(ErrorKind::Interrupted.into());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{
        super::{MemoryLimits, resolve_once},
        *,
    };
    use crate::{
        Config, input,
        random::Random,
        sink::WholeTable,
        table::{SCHEMA_VERSION, captures, hosts},
    };

    /// Returns an archive of fetches at random times, most of them redirects to other ones.
    fn archive(random: &mut Random) -> String {
        let mut archive = String::new();
        for _ in 0..400 {
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

    #[test]
    fn the_file_is_the_same_whatever_fits_in_memory() {
        let dir = tempfile::tempdir().unwrap();
        let mut random = Random::new(31);
        for name in ["a", "b"] {
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
        let dataset = Dataset::existing(&config.out, SCHEMA_VERSION).unwrap();
        let table = || {
            let table = WholeTable::read(dataset.root(), hosts::TABLE.name);
            table.unwrap().unwrap().files
        };
        let whole = table();
        let rows = summary.redirects.unwrap().hosts.unwrap().origins;
        assert_eq!((whole.len(), whole[0].rows), (1, rows));
        assert!(rows > 100, "{rows}");
        let files = dataset.published(captures::TABLE.name).unwrap();
        let resolve = |captures, sorted_bytes| {
            let limits = MemoryLimits {
                captures,
                sorted_bytes,
            };
            resolve_once(&dataset, &files, None, limits, &progress)
        };
        for (captures, sorted_bytes) in [(0, 0), (799, 1_000), (800, 1_000), (0, 20_000)] {
            let hosts = resolve(captures, sorted_bytes).unwrap().hosts;
            assert_eq!(hosts.unwrap().origins, rows);
            // The list of the files has their digests.
            assert_eq!(table(), whole, "{captures}, {sorted_bytes}");
        }
        progress.stop();
        let stopped = resolve(0, 1_000).unwrap_err();
        assert!(matches!(stopped.kind(), ErrorKind::Interrupted));
        assert_eq!(table(), whole);
    }
}
