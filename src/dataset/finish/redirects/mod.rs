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
mod mask;
mod splits;
mod window;
mod writer;

use std::{collections::BTreeSet, sync::Arc};

pub(in crate::dataset) use self::{
    captures::{CaptureRow, CaptureRows, CategoryMasks},
    follower::{
        OPTION as FOLLOWERS_OPTION, access_of, describe as describe_followers, resolve_followed,
    },
    hosts::{is_answer, is_known},
    mask::{MAX_CATEGORIES, category_mask, host_hash},
    splits::{SPLIT_ROWS, cut, split},
    window::{OPTION as WINDOW_OPTION, describe as describe_window, read as read_window},
    writer::seconds_apart,
};
use self::{
    captures::{RedirectNumbers, redirecting},
    follower::is_target,
    hosts::{CategoryShares, RANGE_BYTES, SORTED_BYTES},
    writer::count_outcomes,
};
use crate::{
    archive::{cohort::MemberNames, error::Error},
    dataset::{
        finish::{definitions::read_dialects, members::member_names, whole_writer::WholeWriter},
        progress::Progress,
        redirect::{Candidate, CandidateKind, Chains, Nearest, Redirect, TargetReader, UrlKey},
        sink::{DATASET_FILE, Dataset, PublishedFile},
        summary::Redirects,
        table::{self, redirects},
        table_rows::ROW_GROUP_ROWS,
        written::WrittenTables,
    },
    digest::{hex, sha1},
    robots::dialect::Dialect,
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

/// The masks of the captures that a run has read.
pub(in crate::dataset) struct KnownMasks {
    pub(in crate::dataset) masks: CategoryMasks,
    /// Categories in each mask.
    pub(in crate::dataset) n_categories: usize,
}

/// Builds the tables of an open dataset from these files of `captures`.
pub(super) fn resolve(
    dataset: &Dataset,
    files: &[PublishedFile],
    known: Option<&KnownMasks>,
    limits: Limits,
    progress: &Progress,
) -> Result<Redirects, Error> {
    let tables = WrittenTables::of_dataset(dataset.root())?;
    let window = window_of(dataset)?;
    let resolver = Resolver {
        dataset,
        dialects: read_dialects(dataset)?,
        window,
        known,
        members: member_names(dataset.root())?,
        limits,
        progress,
    };
    let reference = &resolver.dialects[0];
    let mut summary = Redirects {
        dialect: reference.name.to_string(),
        max_hops: reference.access.max_hops,
        ..Redirects::default()
    };
    let [mut redirects, mut hosts] = [redirects::TABLE, table::hosts::TABLE].map(|table| {
        let is_written = tables.contains(table.name);
        is_written.then(|| WholeWriter::new(dataset, table.name))
    });
    let mut shares = None;
    for files in files.chunk_by(|a, b| a.crawl == b.crawl) {
        let crawl = files[0].crawl.as_deref();
        let metadata = metadata(dataset, files);
        // A file that is as it would be written again is kept.
        let [stale_redirects, stale_hosts] = [&mut redirects, &mut hosts].map(|writer| {
            let writer = writer.as_mut()?;
            (!writer.keep(crawl, &metadata)).then_some(writer)
        });
        shares = if stale_redirects.is_some() || stale_hosts.is_some() {
            resolver.resolve(files, &metadata, stale_redirects, stale_hosts)?
        } else {
            None
        };
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
        summary.hosts = Some(hosts::count(latest.as_deref(), crawl, shares)?);
    }
    Ok(summary)
}

/// Builds the files of one crawl after the other.
struct Resolver<'d> {
    dataset: &'d Dataset,
    /// The first is the reference dialect.
    dialects: Vec<Dialect>,
    /// That of captures of no crawl, microseconds.
    window: u64,
    known: Option<&'d KnownMasks>,
    /// Those of the cohort, if there is one.
    members: Option<MemberNames>,
    limits: Limits,
    progress: &'d Progress,
}

/// The captures of a crawl, from which the rows of both tables are made.
struct Crawl<'d> {
    resolver: &'d Resolver<'d>,
    /// Its name, if the archives name one.
    crawl: Option<&'d str>,
    captures: CaptureRows<'d>,
    redirects: &'d RedirectNumbers,
    /// Categories in the masks of the captures, if those are known.
    n_categories: Option<usize>,
}

impl Resolver<'_> {
    /// Writes the files of a crawl from these captures, for the tables whose writers are passed,
    /// and returns the shares of its hosts, if they are known.
    fn resolve(
        &self,
        files: &[PublishedFile],
        metadata: &[(String, String)],
        redirect_writer: Option<&mut WholeWriter<'_>>,
        host_writer: Option<&mut WholeWriter<'_>>,
    ) -> Result<Option<CategoryShares>, Error> {
        // The masks of captures in parts of other runs are not known.
        let known = self.known.filter(|known| {
            let mut files = files.iter();
            files.all(|file| known.masks.contains_key(&file.part))
        });
        let splits = split(files, self.limits.split_rows, self.progress)?;
        let captures = CaptureRows {
            splits: &splits,
            masks: known.map(|known| &known.masks),
            progress: self.progress,
        };
        let crawl = files[0].crawl.as_deref();
        let window = crawl.is_none().then_some(self.window);
        let others = std::iter::empty();
        let (chains, numbers) = find_chains(captures, window, others, |_| 0)?;
        let crawl = Crawl {
            resolver: self,
            crawl,
            captures,
            redirects: &numbers,
            n_categories: known.map(|known| known.n_categories),
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
            None => Ok(None),
        };
        let (redirects, shares) = rayon::join(write_redirects, write_hosts);
        redirects?;
        shares
    }
}

/// Returns the window of the dataset, in microseconds.
pub(super) fn window_of(dataset: &Dataset) -> Result<u64, Error> {
    let value = dataset.identity().option(WINDOW_OPTION);
    value.and_then(read_window).ok_or_else(|| {
        let form = window::FORM;
        let message =
            format!("expected the option {WINDOW_OPTION} with {form}, but found {value:?}");
        Error::corrupt(dataset.root().join(DATASET_FILE), message)
    })
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
