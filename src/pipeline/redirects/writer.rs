//! Writes rows of `redirects`, a file for each crawl.

use std::sync::Arc;

use super::{
    captures::{RedirectRow, changed},
    follower::Follower,
};
use crate::{
    error::Error,
    pipeline::whole_writer::{BATCH_ROWS, WholeWriter},
    redirect::{Chains, Outcome, Redirect, TargetReader, TargetTexts},
    sink::{Dataset, Format},
    summary::Redirects,
    table::{CaptureKey, Columns, TableBuilder, redirects},
};

/// Writes the rows, a file for each crawl.
pub(super) struct Writer<'d> {
    /// The first is the reference dialect.
    followers: &'d [Follower],
    writer: WholeWriter<'d>,
    builder: redirects::RedirectsBuilder,
    targets: TargetReader,
    url: String,
    summary: Redirects,
}

impl<'d> Writer<'d> {
    pub(super) fn new(
        dataset: &'d Dataset,
        format: Arc<Format>,
        followers: &'d [Follower],
    ) -> Self {
        let names = followers.iter().map(|follower| &follower.name);
        Self {
            followers,
            writer: WholeWriter::new(dataset, format),
            builder: redirects::RedirectsBuilder::new(names),
            targets: TargetReader::default(),
            url: String::new(),
            summary: Redirects {
                dialect: followers[0].name.clone(),
                max_hops: followers[0].max_hops,
                outcomes: Outcome::ALL.map(|outcome| (outcome.as_str(), 0)).into(),
                bytes: 0,
                hosts: None,
            },
        }
    }

    /// Begins the file of a crawl.
    pub(super) fn begin(&mut self) -> Result<(), Error> {
        self.writer.begin()
    }

    /// Appends the rows of a redirect, by its number among all: one for each dialect.
    pub(super) fn append(
        &mut self,
        index: u32,
        redirect: &RedirectRow<'_>,
        chains: &Chains,
        texts: &TargetTexts,
    ) -> Result<(), Error> {
        let (capture, status) = (&redirect.capture, redirect.status);
        let key = CaptureKey {
            id: capture.id,
            host: redirect.host,
        };
        let target = self.targets.read(status, redirect.location);
        let target_capture_id = chains.target(index).map(|found| found.capture_id);
        capture.write_url(&mut self.url);
        for (dialect, follower) in self.followers.iter().enumerate() {
            let resolution = follower.resolve(chains, index, status);
            // The chain's own target is at hand; only that of a later redirect had to be collected.
            let final_url = match (resolution.last, target) {
                (Some(last), Some(target)) if last == index => target.url,
                (Some(last), _) => texts.get(last).ok_or_else(changed)?,
                (None, _) => &self.url,
            };
            self.builder.append(
                key,
                &redirects::RedirectRow {
                    dialect,
                    target,
                    target_capture_id,
                    resolution,
                    access: follower.access(resolution.outcome),
                    final_url,
                    seconds_apart: resolution
                        .end
                        .and_then(|end| seconds_apart(capture.time, end.time)),
                },
            );
            if dialect == 0 {
                let outcome = resolution.outcome.as_str();
                *self.summary.outcomes.entry(outcome).or_default() += 1;
            }
        }
        if self.builder.n_rows() >= BATCH_ROWS {
            self.writer.write(self.builder.finish())?;
        }
        Ok(())
    }

    /// Publishes the file that was begun.
    pub(super) fn end(&mut self, crawl: Option<&str>) -> Result<(), Error> {
        self.writer.write(self.builder.finish())?;
        self.writer.end(crawl)
    }

    /// Records the files and the parts that the table was built from, and returns what was written.
    pub(super) fn record(self, parts: &[&str]) -> Result<Redirects, Error> {
        Ok(Redirects {
            bytes: self.writer.record(parts)?,
            ..self.summary
        })
    }
}

/// Returns the seconds between two fetches, if both times are known.
pub(in crate::pipeline) fn seconds_apart(time: i64, other: i64) -> Option<f64> {
    let is_known = time != Redirect::NO_TIME && other != Redirect::NO_TIME;
    is_known.then(|| time.abs_diff(other) as f64 / 1e6)
}
