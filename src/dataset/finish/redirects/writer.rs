//! The rows of `redirects` of one crawl.
//!
//! All threads encode, each a share of the captures at a time whose redirects make about one row
//! group. The shares are cut by the redirects alone, so the files do not depend on the threads.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use super::{
    Crawl,
    captures::{CaptureRows, changed},
    follower::{access_of, resolve},
    splits::Split,
};
use crate::{
    archive::error::Error,
    dataset::{
        finish::{redirects::cut, whole_writer::WholeWriter},
        redirect::{Chains, Outcome, Redirect, Resolution, TargetReader},
        sink::{Format, Names, RowGroup, StoredColumn, stored_columns},
        table::{CaptureKey, as_i32, redirects},
        table_rows::{BATCH_ROWS, TableRows},
    },
};

impl Crawl<'_> {
    /// Writes the file of the table `redirects`.
    pub(super) fn write_redirects(
        &self,
        chains: Arc<Chains>,
        metadata: &[(String, String)],
        writer: &mut WholeWriter<'_>,
    ) -> Result<(), Error> {
        let format = Arc::new(Format::new(&redirects::TABLE, metadata)?);
        writer.begin(&format)?;
        let texts = self.target_texts(&chains)?;
        let splits = self.captures.splits;
        let n_dialects = self.resolver.config.dialects.len();
        let n_rows = |index: usize| {
            let numbers = self.redirects.of(&splits[index..=index]);
            (numbers.0.len() * n_dialects) as u64
        };
        let shares = cut(0..splits.len(), self.resolver.limits.share_rows, n_rows);
        writer.append_shares(&shares, |share, append| {
            self.encode_redirects(&splits[share.clone()], &chains, &texts, &format, append)
        })?;
        writer.end(self.crawl)
    }

    /// Reads the texts of the targets at which chains of several hops end.
    fn target_texts(&self, chains: &Chains) -> Result<BTreeMap<u32, String>, Error> {
        let dialects = self.resolver.config.dialects.iter();
        let mut limits: Vec<_> = dialects.map(|dialect| dialect.access.max_hops).collect();
        limits.sort_unstable();
        limits.dedup();
        let wanted = chains.distant_ends(&limits);
        if wanted.is_empty() {
            return Ok(BTreeMap::new());
        }
        let found = self.captures.map(|captures| {
            let mut found = Vec::new();
            let mut targets = TargetReader::default();
            captures.each_numbered(self.redirects, |capture, redirect| {
                if let Some((index, status)) = redirect
                    && wanted.binary_search(&index).is_ok()
                    && let Some(target) = targets.read(status, capture.location)
                {
                    found.push((index, target.to_owned()));
                }
                Ok(())
            })?;
            Ok(found)
        })?;
        Ok(found.into_iter().flatten().collect())
    }

    /// Encodes the rows of a share of the captures, one of each redirect for each dialect, and
    /// passes row groups to `each` as they are complete. `texts` are those of
    /// [`Self::target_texts`].
    fn encode_redirects(
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
        let rows = redirects::RedirectsBuilder::default();
        let mut table = TableRows::new(rows, BATCH_ROWS, Some(format.clone()));
        let mut reader = TargetReader::default();
        let mut url = String::new();
        captures.each_numbered(self.redirects, |capture, redirect| {
            let Some((index, status)) = redirect else {
                return Ok(());
            };
            let key = CaptureKey {
                id: capture.id,
                host: capture.origin.host,
            };
            let target = reader.read(status, capture.location);
            let target_capture_id = chains.target(index).map(|found| found.capture_id);
            capture.write_url(&mut url);
            for dialect in &self.resolver.config.dialects {
                let resolution = resolve(dialect, chains, index, status);
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
                let rows = &mut table.rows;
                rows.capture.append(key);
                rows.dialect.append(&dialect.name);
                rows.target_url.append(target);
                rows.target_capture_id.append(target_capture_id);
                rows.hops.append(as_i32(hops));
                rows.outcome.append(outcome);
                rows.access.append(access_of(dialect, outcome));
                rows.final_url.append(final_url);
                rows.effective_capture_id
                    .append(end.map(|end| end.capture_id));
                rows.seconds_apart
                    .append(end.and_then(|end| seconds_apart(capture.time, end.time)));
            }
            each(table.complete_row_groups()?)
        })?;
        each(table.finish()?)
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
