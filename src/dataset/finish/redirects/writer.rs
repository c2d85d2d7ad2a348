//! The rows of `redirects` of one crawl.
//!
//! All threads encode, each a share of the captures at a time whose redirects make about one row
//! group. The shares are cut by the redirects alone, so the files do not depend on the threads.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use super::{
    captures::{CaptureRows, RedirectNumbers, changed},
    follower::Follower,
    splits::Split,
};
use crate::{
    archive::error::Error,
    dataset::{
        finish::{
            redirects::cut,
            whole_writer::{RowGroupEncoder, WholeWriter},
        },
        redirect::{Chains, Outcome, Redirect, Resolution, TargetReader},
        sink::{Format, Names, RowGroup, StoredColumn, stored_columns},
        table::{CaptureKey, as_i32, redirects},
    },
};

/// Writes the rows of a crawl.
pub(super) struct RedirectTable<'d> {
    pub(super) captures: CaptureRows<'d>,
    pub(super) redirects: &'d RedirectNumbers,
    /// The first is the reference dialect.
    pub(super) followers: &'d [Follower],
    /// The most rows that a thread encodes at a time, unless one split has more.
    pub(super) share_rows: u64,
}

impl RedirectTable<'_> {
    /// Writes the rows to the file that was begun.
    pub(super) fn write(
        &self,
        chains: Arc<Chains>,
        format: &Arc<Format>,
        writer: &mut WholeWriter<'_>,
    ) -> Result<(), Error> {
        let texts = self.target_texts(&chains)?;
        let splits = self.captures.splits;
        let n_rows =
            |index: usize| (self.redirects.of_split(&splits[index]) * self.followers.len()) as u64;
        let shares = cut(0..splits.len(), self.share_rows, n_rows);
        writer.append_shares(
            &shares,
            |share, append| self.encode(&splits[share.clone()], &chains, &texts, format, append),
            |()| {},
        )
    }

    /// Reads the texts of the targets at which chains of several hops end.
    fn target_texts(&self, chains: &Chains) -> Result<BTreeMap<u32, String>, Error> {
        let mut limits: Vec<_> = self
            .followers
            .iter()
            .map(|follower| follower.max_hops)
            .collect();
        limits.sort_unstable();
        limits.dedup();
        let wanted = chains.distant_ends(&limits);
        if wanted.is_empty() {
            return Ok(BTreeMap::new());
        }
        let found = self.captures.map(|captures| {
            let mut found = Vec::new();
            let mut targets = TargetReader::default();
            let mut numbers = self.redirects.of(captures);
            captures.each_target(|status, location| {
                let index = numbers.next()?;
                if wanted.binary_search(&index).is_ok()
                    && let Some(target) = targets.read(status, location)
                {
                    found.push((index, target.to_owned()));
                }
                Ok(())
            })?;
            numbers.finish()?;
            Ok(found)
        })?;
        Ok(found.into_iter().flatten().collect())
    }

    /// Encodes the rows of a share of the captures, one of each redirect for each dialect, and
    /// passes row groups to `each` as they are complete. `texts` are those of
    /// [`Self::target_texts`].
    fn encode(
        &self,
        splits: &[Split<'_>],
        chains: &Chains,
        texts: &BTreeMap<u32, String>,
        format: &Arc<Format>,
        mut each: impl FnMut(Vec<RowGroup>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let captures = CaptureRows {
            splits,
            ..self.captures
        };
        let names = self.followers.iter().map(|follower| &follower.name);
        let rows = redirects::RedirectsBuilder::new(names);
        let mut encoder = RowGroupEncoder::new(rows, format.clone());
        let mut reader = TargetReader::default();
        let mut url = String::new();
        let mut numbers = self.redirects.of(captures);
        captures.each_redirect(|redirect| {
            let index = numbers.next()?;
            let (capture, status) = (&redirect.capture, redirect.status);
            let key = CaptureKey {
                id: capture.id,
                host: capture.origin.host,
            };
            let target = reader.read(status, redirect.location);
            let target_capture_id = chains.target(index).map(|found| found.capture_id);
            capture.write_url(&mut url);
            for (dialect, follower) in self.followers.iter().enumerate() {
                let resolution = follower.resolve(chains, index, status);
                // The chain's own target is at hand; only that of a later redirect had to be
                // collected.
                let final_url = match (resolution.last, target) {
                    (Some(last), Some(target)) if last == index => target,
                    (Some(last), _) => texts.get(&last).ok_or_else(changed)?,
                    (None, _) => &url,
                };
                let Resolution {
                    outcome, hops, end, ..
                } = resolution;
                let rows = &mut encoder.rows;
                rows.capture.append(key);
                rows.dialect.append(dialect);
                rows.target_url.append(target);
                rows.target_capture_id.append(target_capture_id);
                rows.hops.append(as_i32(hops));
                rows.outcome.append(outcome);
                rows.access.append(follower.access(outcome));
                rows.final_url.append(final_url);
                rows.effective_capture_id
                    .append(end.map(|end| end.capture_id));
                rows.seconds_apart
                    .append(end.and_then(|end| seconds_apart(capture.time, end.time)));
            }
            each(encoder.encode_full()?)
        })?;
        numbers.finish()?;
        each(encoder.finish()?)
    }
}

/// Returns how many redirects end in each way by a dialect, in all files of the table.
pub(super) fn count_outcomes(
    paths: &[PathBuf],
    dialect: &str,
) -> Result<BTreeMap<&'static str, u64>, Error> {
    let mut counts: BTreeMap<_, _> = Outcome::ALL.map(|outcome| (outcome.as_str(), 0)).into();
    for path in paths {
        EndColumns::each_row(path, None, |ends, row| {
            if ends.dialect.get(row) == Some(dialect)
                && let Some(outcome) = ends.outcome.get(row)
                && let Some(count) = counts.get_mut(outcome)
            {
                *count += 1;
            }
            Ok(())
        })?;
    }
    Ok(counts)
}

stored_columns! {
    /// The columns by which the ends of redirects are counted.
    struct EndColumns<'b> {
        dialect: Names<'b>,
        outcome: Names<'b>,
    }
}

/// Returns the seconds between two fetches, if both times are known.
pub(in crate::dataset) fn seconds_apart(time: i64, other: i64) -> Option<f64> {
    let is_known = time != Redirect::NO_TIME && other != Redirect::NO_TIME;
    is_known.then(|| time.abs_diff(other) as f64 / 1e6)
}
