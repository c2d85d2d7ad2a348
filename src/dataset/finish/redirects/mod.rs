//! The tables `redirects` and `hosts`, built from the captures of all parts: one file of each for
//! each crawl. What one crawl found says nothing about another, so a crawl that is added to a
//! dataset is read alone, and the files of the others stay.
//!
//! The captures of a crawl are read six times, a few columns each time, because whatever is held in
//! memory is held for millions of redirects: first for the redirects, then for the captures nearest
//! to them, then for the texts of the few targets at which chains of several hops end, if there are
//! such, then to write the rows in the order of `captures`, then for what hosts have of the
//! captures at the ends of redirects, then for the hosts. A single pass would have to hold every
//! capture, since a redirect may lead to one that was read long before it.
//!
//! All threads read, each a split of the captures at a time (`splits`), and encode the rows of both
//! tables.
//!
//! Nothing is kept of the captures while parts are made: the parts of earlier runs and of other
//! processes have only their files, so that would be a second way to the same tables. To decode the
//! columns takes 2 to 3 % of the time of a run.

mod captures;
mod follower;
mod hosts;
mod shares;
mod splits;
mod writer;

use std::{collections::BTreeSet, sync::Arc};

pub(in crate::dataset) use self::{
    captures::{CaptureRow, CaptureRows},
    follower::{access_of, resolve_followed},
    hosts::is_answer,
    splits::{SPLIT_ROWS, cut, split},
    writer::seconds_apart,
};
use self::{
    captures::{RedirectNumbers, redirecting},
    follower::is_target,
    hosts::{RANGE_BYTES, SORTED_BYTES},
    shares::category_shares,
    writer::count_outcomes,
};
use crate::{
    archive::error::Error,
    dataset::{
        config::Config,
        finish::whole_writer::WholeWriter,
        progress::Progress,
        redirect::{Candidate, CandidateKind, Chains, Nearest, Redirect, TargetReader, UrlKey},
        sink::{Dataset, PublishedFile},
        summary::Redirects,
        table::{self, redirects, verdict_sets},
        table_rows::ROW_GROUP_ROWS,
        written::WrittenTables,
    },
    digest::{hex, sha1},
};

/// What is done at a time.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// The most captures that a thread reads at a time.
    split_rows: u64,
    /// The most bytes of records that a thread sorts.
    sorted_bytes: usize,
    /// The bytes of sorted records that a thread merges.
    range_bytes: usize,
    /// The most rows of redirects that a thread encodes, unless one split has more.
    share_rows: u64,
}

pub(super) const LIMITS: Limits = Limits {
    split_rows: SPLIT_ROWS,
    sorted_bytes: SORTED_BYTES,
    range_bytes: RANGE_BYTES,
    share_rows: ROW_GROUP_ROWS as u64,
};

/// Builds the tables of an open dataset, the files of one crawl after the other.
pub(super) struct Resolver<'d> {
    pub(super) dataset: &'d Dataset,
    /// The options of the dataset.
    pub(super) config: &'d Config,
    pub(super) limits: Limits,
    pub(super) progress: &'d Progress,
}

/// The captures of a crawl, from which the rows of both tables are made.
struct Crawl<'d> {
    resolver: &'d Resolver<'d>,
    /// Its name, if the archives name one.
    crawl: Option<&'d str>,
    captures: CaptureRows<'d>,
    redirects: &'d RedirectNumbers,
}

impl Resolver<'_> {
    /// Builds those of the tables that are among `tables` from these files of `captures`.
    pub(super) fn resolve(
        &self,
        tables: &WrittenTables,
        files: &[PublishedFile],
    ) -> Result<Redirects, Error> {
        let reference = &self.config.dialects[0];
        let mut summary = Redirects {
            dialect: reference.name.to_string(),
            max_hops: reference.access.max_hops,
            ..Redirects::default()
        };
        let [mut redirects, mut hosts] = [redirects::TABLE, table::hosts::TABLE].map(|table| {
            let is_written = tables.contains(table.name);
            is_written.then(|| WholeWriter::new(self.dataset, table.name))
        });
        for files in files.chunk_by(|a, b| a.crawl == b.crawl) {
            let crawl = files[0].crawl.as_deref();
            let metadata = metadata(self.dataset, files);
            let parts = parts(files);
            // A file that is as it would be written again is kept.
            let [stale_redirects, stale_hosts] = [&mut redirects, &mut hosts].map(|writer| {
                let writer = writer.as_mut()?;
                (!writer.keep(crawl, &parts, &metadata)).then_some(writer)
            });
            if stale_redirects.is_some() || stale_hosts.is_some() {
                self.resolve_crawl(files, &metadata, stale_redirects, stale_hosts)?;
            }
        }
        let parts = parts(files);
        if let Some(redirects) = redirects {
            summary.bytes += redirects.publish(&parts)?;
            summary.outcomes = count_outcomes(&redirects.paths(), &reference.name)?;
        }
        if let Some(hosts) = hosts {
            summary.bytes += hosts.publish(&parts)?;
            // Hosts of several crawls are not counted together.
            let latest = hosts.paths().pop();
            let crawl = files.last().and_then(|file| file.crawl.clone());
            let (mut counted, read_by_set) = hosts::count(latest.as_deref(), crawl)?;
            if tables.contains(verdict_sets::TABLE.name) {
                let mut files = self.dataset.published(verdict_sets::TABLE.name)?;
                files.retain(|file| file.crawl == counted.crawl);
                let shares = category_shares(self.config, &files, &read_by_set, self.progress)?;
                let shares = shares.map(|[of_hosts, of_domains]| (of_hosts, of_domains));
                (counted.categories, counted.domain_categories) = shares.unzip();
            }
            summary.hosts = Some(counted);
        }
        Ok(summary)
    }

    /// Writes the files of a crawl from these captures, for the tables whose writers are passed.
    fn resolve_crawl(
        &self,
        files: &[PublishedFile],
        metadata: &[(String, String)],
        redirect_writer: Option<&mut WholeWriter<'_>>,
        host_writer: Option<&mut WholeWriter<'_>>,
    ) -> Result<(), Error> {
        let splits = split(files, self.limits.split_rows, self.progress)?;
        let captures = CaptureRows {
            splits: &splits,
            progress: self.progress,
        };
        let crawl = files[0].crawl.as_deref();
        let window = crawl
            .is_none()
            .then(|| self.config.redirect_window_micros());
        let others = std::iter::empty();
        let (chains, numbers) = find_chains(captures, window, others, |_| 0)?;
        let crawl = Crawl {
            resolver: self,
            crawl,
            captures,
            redirects: &numbers,
        };
        // Both tables need them, and each for a while.
        let of_redirects = Arc::new(chains);
        let of_hosts = of_redirects.clone();
        let write_redirects = || match redirect_writer {
            Some(writer) => crawl.write_redirects(of_redirects, metadata, writer),
            None => Ok(()),
        };
        let write_hosts = || match host_writer {
            Some(writer) => crawl.write_hosts(of_hosts, metadata, writer),
            None => Ok(()),
        };
        let (redirects, hosts) = rayon::join(write_redirects, write_hosts);
        redirects.and(hosts)
    }
}

/// Finds the hops among captures of one crawl, within a window, if it has one: reads the redirects,
/// then the captures nearest to them and to `others`. What `label` returns for a capture is known
/// at the ends of chains. Returns the chains of the redirects, in the order of the captures, then
/// those of the others; and the numbers of the redirects.
pub(super) fn find_chains(
    captures: CaptureRows<'_>,
    window: Option<u64>,
    others: impl ExactSizeIterator<Item = Redirect>,
    label: impl Fn(&CaptureRow<'_>) -> u32 + Sync,
) -> Result<(Chains, RedirectNumbers), Error> {
    let mut found = Vec::new();
    let mut redirects = RedirectNumbers::default();
    for captures in captures.chunks() {
        for of_split in captures.map(read_redirects)? {
            redirects.push(of_split.len());
            found.extend(of_split);
        }
    }
    found.shrink_to_fit();
    found.reserve_exact(others.len());
    found.extend(others);
    let mut nearest = Nearest::new(found);
    for captures in captures.chunks() {
        let candidates = captures.map(|captures| {
            let mut candidates = Vec::new();
            let mut url = String::new();
            captures.each_numbered(&redirects, |capture, redirect| {
                if !is_target(capture.status) {
                    return Ok(());
                }
                capture.write_url(&mut url);
                let url = UrlKey::new(&url);
                if nearest.is_target(url) {
                    let kind = match redirect {
                        Some((index, _)) => CandidateKind::Redirect(index),
                        None => CandidateKind::Other(label(capture)),
                    };
                    let candidate = Candidate::new(capture.time, capture.id, kind);
                    candidates.push((url, candidate));
                }
                Ok(())
            })?;
            Ok(candidates)
        });
        for (url, candidate) in candidates?.into_iter().flatten() {
            nearest.offer(url, candidate);
        }
    }
    Ok((nearest.finish(window), redirects))
}

fn read_redirects(captures: CaptureRows<'_>) -> Result<Vec<Redirect>, Error> {
    let mut redirects = Vec::new();
    let mut targets = TargetReader::default();
    let mut url = String::new();
    captures.each(|capture| {
        if let Some(status) = redirecting(capture.status) {
            capture.write_url(&mut url);
            redirects.push(Redirect {
                time: capture.time,
                url: UrlKey::new(&url),
                target: targets.read(status, capture.location).map(UrlKey::new),
            });
        }
        Ok(())
    })?;
    Ok(redirects)
}

/// Returns the names of the parts that files belong to, sorted.
pub(super) fn parts(files: &[PublishedFile]) -> Vec<&str> {
    let names: BTreeSet<&str> = files.iter().map(|file| file.part.as_str()).collect();
    names.into_iter().collect()
}

/// Returns the key-value metadata of a file of a table that is built from these files of parts: the
/// dataset, and the files, by which a file is known to be what would be written again.
pub(super) fn metadata(dataset: &Dataset, files: &[PublishedFile]) -> Vec<(String, String)> {
    let identity = dataset.identity();
    let sources: Vec<String> = files
        .iter()
        .map(|file| format!("{} {}", file.part, file.sha1))
        .collect();
    let parts = format!(
        "{}, sha1 {}",
        parts(files).len(),
        hex(&sha1(sources.join("\n").as_bytes()))
    );
    let reference = identity.reference_dialect().unwrap_or_default();
    identity.metadata([
        ("reference_dialect", reference.to_owned()),
        ("parts", parts),
    ])
}
