//! All fetches of origins in the order of time, and which of them is in force at a time.
//!
//! # The fetch in force
//!
//! It is the latest at or before that time, and within a limit, that determines the file: as in the
//! table `hosts`, one after which the file remains unknown (429, 5xx, no readable answer, redirects
//! that leave the dataset) changes nothing. A 304 confirms the file that was fetched before it,
//! however long before. A later fetch is never in force: the file may have changed in between, and
//! a crawler could not have known it.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use super::{CaptureStore, StoredRedirect, found::end_of, rows::Fetch};
use crate::{
    archive::error::Error,
    dataset::{finish::redirects::is_answer, redirect::Outcome, sink::RowKey, table::asof::Reason},
    robots::dialect::{Access, Dialect, FetchOutcome},
};

/// One fetch of a robots.txt.
#[derive(Clone, Copy, Debug)]
pub(in crate::dataset) struct HistoricFetch {
    pub(in crate::dataset) capture_id: i64,
    /// Microseconds since 1970.
    pub(in crate::dataset) time: i64,
    /// How it ended under the dialect, redirects followed.
    pub(in crate::dataset) outcome: FetchOutcome,
    /// The capture at that end.
    pub(in crate::dataset) end_id: i64,
    state: FetchState,
    /// The latest fetch up to this one that is an answer or a 304.
    known: Option<u32>,
    /// The latest fetch up to this one that has a file.
    file: Option<u32>,
}

/// What a fetch says about the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FetchState {
    /// It determines the file, or that there is none.
    Answer,
    /// The file fetched before still holds.
    NotModified,
    /// Its redirects leave the dataset.
    Unresolved,
    /// No server answered.
    Unreachable,
}

/// The fetches of one origin, by time.
#[derive(Debug, Default)]
pub(in crate::dataset) struct History(Vec<HistoricFetch>);

impl History {
    /// Returns the fetch in force at a time and the one that has the answer, the same or one that a
    /// 304 confirms; or why there is none, with the fetch that shows it.
    pub(in crate::dataset) fn at(
        &self,
        time: i64,
        within: u64,
    ) -> Result<(&HistoricFetch, &HistoricFetch), (Reason, Option<&HistoricFetch>)> {
        let n_before = self.0.partition_point(|fetch| fetch.time <= time);
        let Some(latest) = n_before.checked_sub(1).map(|index| &self.0[index]) else {
            let first = self.0.first();
            let reason = first.map_or(Reason::NotInDataset, |_| Reason::BeforeFirstFetch);
            return Err((reason, first));
        };
        let is_within = |fetch: &&HistoricFetch| time.abs_diff(fetch.time) <= within;
        if !is_within(&latest) {
            return Err((Reason::NotFetchedWithin, Some(latest)));
        }
        let known = latest.known.map(|index| &self.0[index as usize]);
        let Some(fetch) = known.filter(is_within) else {
            let reason = match latest.state {
                FetchState::Unresolved => Reason::RedirectUnresolved,
                _ => Reason::Unreachable,
            };
            return Err((reason, Some(latest)));
        };
        let answer = match fetch.state {
            FetchState::NotModified => fetch.file.map(|index| &self.0[index as usize]),
            _ => Some(fetch),
        };
        match answer {
            Some(answer) => Ok((fetch, answer)),
            None => Err((Reason::NotModified, Some(fetch))),
        }
    }

    /// Orders the fetches, and notes for each what is known up to it.
    fn complete(&mut self) {
        self.0
            .sort_unstable_by_key(|fetch| (fetch.time, fetch.capture_id));
        let (mut known, mut file) = (None, None);
        for (index, fetch) in (0..).zip(&mut self.0) {
            match fetch.state {
                FetchState::Answer => {
                    known = Some(index);
                    if matches!(fetch.outcome, FetchOutcome::Status(200..=299)) {
                        file = known;
                    }
                }
                FetchState::NotModified => known = Some(index),
                FetchState::Unresolved | FetchState::Unreachable => {}
            }
            (fetch.known, fetch.file) = (known, file);
        }
    }
}

impl CaptureStore {
    /// Reads the fetches of some origins, which are numbered from 0, and of the `hosts` of them.
    pub(in crate::dataset) fn histories(
        &self,
        hosts: HashSet<String>,
        origins: &HashMap<String, u32>,
        dialect: &Dialect,
    ) -> Result<Vec<History>, Error> {
        let key = RowKey::Texts("url_host_name", Arc::new(hosts));
        let mut found: Vec<(u32, i64, Fetch)> = Vec::new();
        self.each_fetch(&key, |fetch| {
            let origin = origins.get(&fetch.origin).filter(|_| fetch.is_of_file);
            if let (Some(&origin), Some(time)) = (origin, fetch.time) {
                found.push((origin, time, fetch));
            }
        })?;
        let (redirects, ends) = self.followed(found.iter().map(|(.., fetch)| fetch))?;
        let mut histories = Vec::new();
        histories.resize_with(origins.len(), History::default);
        for (origin, time, fetch) in found {
            let row = redirects.get(&fetch.id);
            let end_id = row.and_then(|row| row.end_id);
            let end = end_id.and_then(|id| ends.get(&id)).map(Fetch::outcome);
            let led = row.map(|row| (row.outcome, row.hops));
            let (outcome, is_at_end) = end_of(fetch.outcome(), led, end, dialect);
            histories[origin as usize].0.push(HistoricFetch {
                capture_id: fetch.id,
                time,
                outcome,
                end_id: end_id.filter(|_| is_at_end).unwrap_or(fetch.id),
                state: state(&fetch, row, outcome, dialect),
                known: None,
                file: None,
            });
        }
        histories.iter_mut().for_each(History::complete);
        Ok(histories)
    }
}

fn state(
    fetch: &Fetch,
    row: Option<&StoredRedirect>,
    outcome: FetchOutcome,
    dialect: &Dialect,
) -> FetchState {
    let is_not_modified = row.is_some_and(|row| row.outcome == Outcome::NotModified);
    match outcome {
        _ if is_not_modified || fetch.status == Some(304) => FetchState::NotModified,
        FetchOutcome::TooManyHops => FetchState::Answer,
        FetchOutcome::Status(300..=399) if dialect.access.redirect == Access::Redirect => {
            FetchState::Unresolved
        }
        FetchOutcome::Status(300..=399) => FetchState::Answer,
        FetchOutcome::Status(status) if is_answer(Some(i32::from(status))) => FetchState::Answer,
        FetchOutcome::Status(_) | FetchOutcome::Unreachable => FetchState::Unreachable,
    }
}
