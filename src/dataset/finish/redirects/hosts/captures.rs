//! The columns of `captures` that rows of `hosts` are made of.

use std::path::Path;

use arrow_array::{Array, BooleanArray, Int32Array, Int64Array, RecordBatch, StringArray};

use super::{
    super::captures::{CaptureBatch, CaptureRow, Names, column, int32, text},
    record::{End, Fetch},
};
use crate::{
    archive::error::Error,
    dataset::{
        redirect::Redirect,
        table::{
            captures::ACCESS,
            hosts::{HostEnd, HostRow, SetIds},
        },
    },
    robots::dialect::Access,
};

/// The path of a robots.txt (RFC 9309, 2.3).
const ROBOTS_PATH: &str = "/robots.txt";

/// The columns of a [`FetchBatch`].
pub(in super::super) const COLUMNS: [&str; 16] = [
    "capture_id",
    "url_host_name",
    "url_host_tld",
    "url_host_registered_domain",
    "url_protocol",
    "url_port",
    "url_path",
    "url_query",
    "origin",
    "fetch_time",
    "fetch_status",
    "is_html",
    "is_robots_txt",
    "access",
    "verdict_set_id",
    "policy_set_id",
];

/// A batch of captures.
pub(super) struct FetchBatch<'b> {
    masks: &'b [u32],
    captures: CaptureBatch<'b>,
    hosts: &'b StringArray,
    tlds: Names<'b>,
    registered_domains: &'b StringArray,
    protocols: Names<'b>,
    ports: &'b Int32Array,
    are_html: &'b BooleanArray,
    are_robots_txt: &'b BooleanArray,
    verdict_set_ids: &'b Int64Array,
    policy_set_ids: &'b Int64Array,
}

impl<'b> FetchBatch<'b> {
    /// Returns the captures of a batch of [`COLUMNS`] with their masks, which may be missing.
    pub(super) fn of(path: &Path, batch: &'b RecordBatch, masks: &'b [u32]) -> Result<Self, Error> {
        Ok(Self {
            masks,
            captures: CaptureBatch::of(path, batch)?,
            hosts: column(path, batch, "url_host_name")?,
            tlds: Names(column(path, batch, "url_host_tld")?),
            registered_domains: column(path, batch, "url_host_registered_domain")?,
            protocols: Names(column(path, batch, "url_protocol")?),
            ports: column(path, batch, "url_port")?,
            are_html: column(path, batch, "is_html")?,
            are_robots_txt: column(path, batch, "is_robots_txt")?,
            verdict_set_ids: column(path, batch, "verdict_set_id")?,
            policy_set_ids: column(path, batch, "policy_set_id")?,
        })
    }

    pub(super) fn capture(&self, row: usize) -> CaptureRow<'b> {
        self.captures.row(row)
    }

    /// Returns a capture as one whose file applies.
    pub(super) fn end(&self, row: usize, capture: &CaptureRow<'b>) -> End {
        let known = ACCESS
            .into_iter()
            .find(|known| known.as_str() == capture.access);
        End {
            columns: HostEnd {
                capture_id: capture.id,
                fetch_status: capture.status,
                is_html: self.are_html.value(row),
                is_robots_txt: self.are_robots_txt.value(row),
            },
            access: known.unwrap_or(Access::Undefined),
            sets: self.sets(row),
            mask: self.mask(row),
        }
    }

    /// Returns a capture as a fetch; where it leads, and what that decides, is not known yet.
    pub(super) fn fetch(&self, row: usize, capture: &CaptureRow<'b>) -> Fetch<'b> {
        Fetch {
            row: HostRow {
                fetch_capture_id: capture.id,
                origin: capture.origin,
                url_host_name: self.hosts.value(row),
                url_host_tld: self.tlds.get(row),
                url_host_registered_domain: text(self.registered_domains, row),
                url_protocol: self.protocols.get(row).unwrap_or_default(),
                url_port: int32(self.ports, row),
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
        let id = |ids: &Int64Array| ids.is_valid(row).then(|| ids.value(row));
        SetIds {
            verdicts: id(self.verdict_set_ids),
            policies: id(self.policy_set_ids),
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
