//! The columns of `captures` that rows of `hosts` are made of.

use std::path::Path;

use arrow_array::{BooleanArray, Int64Array, RecordBatch, StringArray};

use super::{
    super::captures::{CaptureColumns, CaptureRow},
    record::{End, Fetch},
};
use crate::{
    archive::{capture::ROBOTS_PATH, error::Error},
    dataset::{
        redirect::Redirect,
        sink::{Names, StoredColumn, stored_columns},
        table::{
            captures::access_named,
            hosts::{HostEnd, HostRow, SetIds},
        },
    },
    robots::dialect::Access,
};

stored_columns! {
    /// The columns of a fetch besides those of every capture.
    struct FetchColumns<'b> {
        url_host_tld: Names<'b>,
        url_host_registered_domain: &'b StringArray,
        is_html: &'b BooleanArray,
        is_robots_txt: &'b BooleanArray,
        verdict_set_id: &'b Int64Array,
        policy_set_id: &'b Int64Array,
    }
}

/// Returns the columns of a [`FetchBatch`].
pub(super) fn columns() -> Vec<&'static str> {
    [&CaptureColumns::NAMES[..], &FetchColumns::NAMES].concat()
}

/// A batch of captures.
pub(super) struct FetchBatch<'b> {
    masks: &'b [u32],
    captures: CaptureColumns<'b>,
    fetches: FetchColumns<'b>,
}

impl<'b> FetchBatch<'b> {
    /// Returns the captures of a batch of [`columns`] with their masks, which may be missing.
    pub(super) fn new(
        path: &Path,
        batch: &'b RecordBatch,
        masks: &'b [u32],
    ) -> Result<Self, Error> {
        Ok(Self {
            masks,
            captures: CaptureColumns::from_batch(path, batch)?,
            fetches: FetchColumns::from_batch(path, batch)?,
        })
    }

    pub(super) fn capture(&self, row: usize) -> CaptureRow<'b> {
        self.captures.row(row)
    }

    /// Returns a capture as one whose file applies.
    pub(super) fn end(&self, row: usize, capture: &CaptureRow<'b>) -> End {
        End {
            columns: HostEnd {
                capture_id: capture.id,
                fetch_status: capture.status,
                is_html: self.fetches.is_html.value(row),
                is_robots_txt: self.fetches.is_robots_txt.value(row),
            },
            access: access_named(capture.access).unwrap_or(Access::Undefined),
            sets: self.sets(row),
            mask: self.mask(row),
        }
    }

    /// Returns a capture as a fetch; where it leads, and what that decides, is not known yet.
    pub(super) fn fetch(&self, row: usize, capture: &CaptureRow<'b>) -> Fetch<'b> {
        let columns = &self.fetches;
        Fetch {
            row: HostRow {
                fetch_capture_id: capture.id,
                url_host_name: capture.origin.host,
                url_host_tld: columns.url_host_tld.get(row),
                url_host_registered_domain: columns.url_host_registered_domain.get(row),
                url_protocol: capture.origin.protocol,
                url_port: capture.origin.port,
                fetch_time: (capture.time != Redirect::NO_TIME).then_some(capture.time),
                fetch_status: capture.status,
                redirect: None,
                end: None,
                access: Access::Undefined,
                sets: self.sets(row),
            },
            is_answer: false,
            mask: self.mask(row),
        }
    }

    fn sets(&self, row: usize) -> SetIds {
        SetIds {
            verdicts: self.fetches.verdict_set_id.get(row),
            policies: self.fetches.policy_set_id.get(row),
        }
    }

    fn mask(&self, row: usize) -> u32 {
        self.masks.get(row).copied().unwrap_or_default()
    }
}

/// Returns true if and only if the URL of a capture is that of a robots.txt.
pub(super) fn is_robots_txt(capture: &CaptureRow<'_>) -> bool {
    capture.path == ROBOTS_PATH && capture.query.is_none()
}
