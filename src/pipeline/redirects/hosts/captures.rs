//! The columns of `captures` that rows of `hosts` are made of.

use std::path::Path;

use arrow_array::{
    Array, BooleanArray, DictionaryArray, Int32Array, Int64Array, RecordBatch, StringArray,
    TimestampMicrosecondArray, types::Int32Type,
};

use super::{
    super::captures::{column, text},
    record::{End, Fetch},
};
use crate::{
    dialect::Access,
    error::Error,
    table::{
        captures::ACCESS,
        hosts::{HostEnd, HostRow},
    },
};

/// The path of a robots.txt (RFC 9309, 2.3).
const ROBOTS_PATH: &str = "/robots.txt";

/// The columns of a [`CaptureBatch`].
pub(in super::super) const COLUMNS: [&str; 16] = [
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
    "access",
];

/// A batch of captures.
pub(super) struct CaptureBatch<'b> {
    n_rows: usize,
    masks: &'b [u32],
    ids: &'b Int64Array,
    crawls: Names<'b>,
    hosts: &'b StringArray,
    tlds: Names<'b>,
    registered_domains: &'b StringArray,
    protocols: Names<'b>,
    ports: &'b Int32Array,
    paths: &'b StringArray,
    queries: &'b StringArray,
    origins: &'b StringArray,
    times: &'b TimestampMicrosecondArray,
    statuses: &'b Int32Array,
    content_digests: &'b StringArray,
    semantic_digests: &'b StringArray,
    are_html: &'b BooleanArray,
    accesses: Names<'b>,
}

impl<'b> CaptureBatch<'b> {
    /// Returns the captures of a batch of [`COLUMNS`] with their masks, which may be missing.
    pub(super) fn of(path: &Path, batch: &'b RecordBatch, masks: &'b [u32]) -> Result<Self, Error> {
        Ok(Self {
            n_rows: batch.num_rows(),
            masks,
            ids: column(path, batch, "capture_id")?,
            crawls: Names(column(path, batch, "crawl")?),
            hosts: column(path, batch, "url_host_name")?,
            tlds: Names(column(path, batch, "url_host_tld")?),
            registered_domains: column(path, batch, "url_host_registered_domain")?,
            protocols: Names(column(path, batch, "url_protocol")?),
            ports: column(path, batch, "url_port")?,
            paths: column(path, batch, "url_path")?,
            queries: column(path, batch, "url_query")?,
            origins: column(path, batch, "origin")?,
            times: column(path, batch, "fetch_time")?,
            statuses: column(path, batch, "fetch_status")?,
            content_digests: column(path, batch, "content_digest")?,
            semantic_digests: column(path, batch, "semantic_digest")?,
            are_html: column(path, batch, "is_html")?,
            accesses: Names(column(path, batch, "access")?),
        })
    }

    pub(super) fn rows(&self) -> std::ops::Range<usize> {
        0..self.n_rows
    }

    pub(super) fn id(&self, row: usize) -> i64 {
        self.ids.value(row)
    }

    pub(super) fn status(&self, row: usize) -> Option<i32> {
        int32(self.statuses, row)
    }

    /// Returns the time, in microseconds since 1970.
    pub(super) fn time(&self, row: usize) -> Option<i64> {
        self.times.is_valid(row).then(|| self.times.value(row))
    }

    /// Returns true if and only if the URL is that of a robots.txt.
    pub(super) fn is_robots_txt(&self, row: usize) -> bool {
        self.paths.value(row) == ROBOTS_PATH && self.queries.is_null(row)
    }

    /// Returns a capture as one whose file applies.
    pub(super) fn end(&self, row: usize) -> End<'b> {
        let access = self.accesses.get(row).unwrap_or_default();
        let known = ACCESS.into_iter().find(|known| known.as_str() == access);
        End {
            columns: HostEnd {
                capture_id: self.id(row),
                fetch_status: self.status(row),
                url_host_name: self.hosts.value(row),
                content_digest: self.content_digests.value(row),
                semantic_digest: text(self.semantic_digests, row),
                is_html: self.are_html.value(row),
            },
            access: known.unwrap_or(Access::Undefined),
            mask: self.masks.get(row).copied().unwrap_or_default(),
        }
    }

    /// Returns a capture as a fetch; where it leads, and what that decides, is not known yet.
    pub(super) fn fetch(&self, row: usize) -> Fetch<'b> {
        Fetch {
            row: HostRow {
                capture_id: self.id(row),
                origin: self.origins.value(row),
                url_host_name: self.hosts.value(row),
                url_host_tld: self.tlds.get(row),
                url_host_registered_domain: text(self.registered_domains, row),
                url_protocol: self.protocols.get(row).unwrap_or_default(),
                url_port: int32(self.ports, row),
                crawl: self.crawls.get(row),
                fetch_time: self.time(row),
                fetch_status: self.status(row),
                redirect: None,
                end: None,
                access: Access::Undefined,
                is_answer: false,
            },
            mask: self.masks.get(row).copied().unwrap_or_default(),
        }
    }
}

/// A column of names.
struct Names<'b>(&'b DictionaryArray<Int32Type>);

impl<'b> Names<'b> {
    fn get(&self, row: usize) -> Option<&'b str> {
        let names = self.0.values().as_any().downcast_ref::<StringArray>()?;
        Some(names.value(self.0.key(row)?))
    }
}

fn int32(array: &Int32Array, row: usize) -> Option<i32> {
    array.is_valid(row).then(|| array.value(row))
}
