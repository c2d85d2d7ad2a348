//! Writes rows of `redirects`, a file for each crawl.

use std::sync::Arc;

use super::{
    captures::{CaptureRow, changed},
    follower::Follower,
};
use crate::{
    error::Error,
    redirect::{Candidate, Chains, Outcome, Redirect, TargetReader, TargetTexts},
    sink::{Dataset, Encoder, Format, MAX_ROW_GROUP_ROWS, PartWriter, TableFile},
    summary::{Hosts, Redirects},
    table::{CaptureKey, Columns, TableBuilder, redirects},
};

/// Writes the rows, a file for each crawl.
pub(super) struct Writer<'d> {
    dataset: &'d Dataset,
    /// The first is the reference dialect.
    followers: &'d [Follower],
    format: Arc<Format>,
    builder: redirects::RedirectsBuilder,
    targets: TargetReader,
    url: String,
    open: Option<(PartWriter, Encoder)>,
    /// Rows that are encoded and not in the file yet.
    rows: usize,
    /// The files of the crawls that have ended.
    pub(super) files: Vec<TableFile>,
    pub(super) summary: Redirects,
}

/// Rows that a builder collects before they are encoded: few enough to stay in the processor's
/// caches.
const BATCH_ROWS: usize = 16 * 1024;

impl<'d> Writer<'d> {
    pub(super) fn new(dataset: &'d Dataset, format: Format, followers: &'d [Follower]) -> Self {
        let names = followers.iter().map(|follower| &follower.name);
        Self {
            dataset,
            followers,
            format: Arc::new(format),
            builder: redirects::RedirectsBuilder::new(names),
            targets: TargetReader::default(),
            url: String::new(),
            open: None,
            rows: 0,
            files: Vec::new(),
            summary: Redirects {
                dialect: followers[0].name.clone(),
                max_hops: followers[0].max_hops,
                outcomes: Outcome::ALL.map(|outcome| (outcome.as_str(), 0)).into(),
                bytes: 0,
                hosts: Hosts::default(),
            },
        }
    }

    /// Begins the file of a crawl.
    pub(super) fn begin(&mut self) -> Result<(), Error> {
        let formats = std::slice::from_ref(&self.format);
        let part = self.dataset.begin_part(self.format.name(), formats)?;
        self.open = Some((part, Encoder::new(self.format.clone())));
        Ok(())
    }

    /// Appends the rows of a redirect, by its number among all: one for each dialect.
    pub(super) fn append(
        &mut self,
        index: u32,
        status: i32,
        capture: &CaptureRow<'_>,
        chains: &Chains,
        texts: &TargetTexts,
    ) -> Result<(), Error> {
        let key = CaptureKey {
            id: capture.id,
            host: capture.host,
        };
        let target = self.targets.read(status, capture.redirect);
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
                    seconds_apart: resolution.end.and_then(|end| seconds_apart(capture, &end)),
                },
            );
            if dialect == 0 {
                let outcome = resolution.outcome.as_str();
                *self.summary.outcomes.entry(outcome).or_default() += 1;
            }
        }
        if self.builder.n_rows() >= BATCH_ROWS {
            self.encode()?;
        }
        Ok(())
    }

    fn encode(&mut self) -> Result<(), Error> {
        let (part, encoder) = self.open.as_mut().expect("a file is open while rows come");
        self.rows += self.builder.n_rows();
        encoder.write(self.builder.finish())?;
        // The encoder holds all it has encoded until then.
        if self.rows >= MAX_ROW_GROUP_ROWS {
            self.rows = 0;
            part.append(0, encoder.finish()?)?;
        }
        Ok(())
    }

    /// Publishes the file that was begun.
    pub(super) fn end(&mut self, crawl: Option<&str>) -> Result<(), Error> {
        self.encode()?;
        self.rows = 0;
        let (mut part, mut encoder) = self.open.take().expect("a file was begun");
        part.append(0, encoder.finish()?)?;
        let files = self.dataset.replace(crawl, part)?;
        self.summary.bytes += files.iter().map(|file| file.bytes).sum::<u64>();
        self.files.extend(files);
        Ok(())
    }
}

/// Returns the seconds between two fetches, if both times are known.
fn seconds_apart(capture: &CaptureRow<'_>, end: &Candidate) -> Option<f64> {
    let is_known = capture.time != Redirect::NO_TIME && end.time != Redirect::NO_TIME;
    is_known.then(|| capture.time.abs_diff(end.time) as f64 / 1e6)
}
