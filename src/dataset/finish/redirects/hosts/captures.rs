//! The columns of `captures` that rows of `hosts` are made of.

use std::path::Path;

use arrow_array::{BooleanArray, Int32Array, RecordBatch, StringArray};

use super::{
    super::captures::{CaptureBatch, CaptureRow, Names, column, int32, text},
    record::{End, Fetch},
};
use crate::{
    archive::error::Error,
    dataset::{
        finish::redirect::Redirect,
        table::{
            captures::ACCESS,
            hosts::{HostEnd, HostRow},
        },
    },
    robots::dialect::Access,
};

/// The path of a robots.txt (RFC 9309, 2.3).
const ROBOTS_PATH: &str = "/robots.txt";

/// The columns of a [`FetchBatch`].
pub(in super::super) const COLUMNS: [&str; 17] = [
    "capture_id",
    "crawl",
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
    "content_digest",
    "semantic_digest",
    "is_html",
    "is_robots_txt",
    "access",
];

/// A batch of captures.
pub(super) struct FetchBatch<'b> {
    masks: &'b [u32],
    captures: CaptureBatch<'b>,
    crawls: Names<'b>,
    hosts: &'b StringArray,
    tlds: Names<'b>,
    registered_domains: &'b StringArray,
    protocols: Names<'b>,
    ports: &'b Int32Array,
    content_digests: &'b StringArray,
    semantic_digests: &'b StringArray,
    are_html: &'b BooleanArray,
    are_robots_txt: &'b BooleanArray,
}

impl<'b> FetchBatch<'b> {
    /// Returns the captures of a batch of [`COLUMNS`] with their masks, which may be missing.
    pub(super) fn of(path: &Path, batch: &'b RecordBatch, masks: &'b [u32]) -> Result<Self, Error> {
        Ok(Self {
            masks,
            captures: CaptureBatch::of(path, batch)?,
            crawls: Names(column(path, batch, "crawl")?),
            hosts: column(path, batch, "url_host_name")?,
            tlds: Names(column(path, batch, "url_host_tld")?),
            registered_domains: column(path, batch, "url_host_registered_domain")?,
            protocols: Names(column(path, batch, "url_protocol")?),
            ports: column(path, batch, "url_port")?,
            content_digests: column(path, batch, "content_digest")?,
            semantic_digests: column(path, batch, "semantic_digest")?,
            are_html: column(path, batch, "is_html")?,
            are_robots_txt: column(path, batch, "is_robots_txt")?,
        })
    }

    pub(super) fn capture(&self, row: usize) -> CaptureRow<'b> {
        self.captures.row(row)
    }

    /// Returns a capture as one whose file applies.
    pub(super) fn end(&self, row: usize, capture: &CaptureRow<'b>) -> End<'b> {
        let known = ACCESS
            .into_iter()
            .find(|known| known.as_str() == capture.access);
        End {
            columns: HostEnd {
                capture_id: capture.id,
                fetch_status: capture.status,
                url_host_name: self.hosts.value(row),
                content_digest: self.content_digests.value(row),
                semantic_digest: text(self.semantic_digests, row),
                is_html: self.are_html.value(row),
                is_robots_txt: self.are_robots_txt.value(row),
            },
            access: known.unwrap_or(Access::Undefined),
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
                crawl: self.crawls.get(row),
                fetch_time: (capture.time != Redirect::NO_TIME).then_some(capture.time),
                fetch_status: capture.status,
                redirect: None,
                end: None,
                access: Access::Undefined,
                is_answer: false,
            },
            mask: self.mask(row),
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
