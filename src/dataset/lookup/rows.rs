//! Rows of `captures` and `redirects` by a key, as values.

use std::path::Path;

use arrow_array::{
    Array, Int32Array, Int64Array, RecordBatch, StringArray, TimestampMicrosecondArray,
};

use super::StoredCapture;
use crate::{
    archive::error::Error,
    dataset::{
        finish::redirects::{Names, column},
        redirect::Outcome,
        sink::{RowKey, read_rows},
        table::captures::ACCESS,
    },
    robots::dialect::Access,
};

/// What decides which fetch of a host counts; millions may be held.
#[derive(Clone, Debug)]
pub(super) struct Fetch {
    pub(super) id: i64,
    pub(super) origin: String,
    /// Microseconds since 1970; none is before all others.
    pub(super) time: Option<i64>,
    pub(super) status: Option<i32>,
    /// What the fetch itself decides under the reference dialect.
    pub(super) access: Access,
    /// Whether the URL is that of a robots.txt, without a query.
    pub(super) is_of_file: bool,
    pub(super) has_default_port: bool,
}

/// A row of `redirects`.
#[derive(Clone, Debug)]
pub(super) struct RedirectRow {
    pub(super) id: i64,
    pub(super) dialect: String,
    pub(super) hops: u64,
    pub(super) outcome: String,
    pub(super) access: Option<Access>,
    pub(super) final_url: String,
    pub(super) effective_id: Option<i64>,
}

impl Fetch {
    pub(super) fn is_redirect(&self) -> bool {
        matches!(self.status, Some(300..=399))
    }

    pub(super) fn is_https(&self) -> bool {
        self.origin.starts_with("https:")
    }

    /// Returns whether the fetch determines the robots.txt: a file, or that there is none.
    pub(super) fn is_answer(&self) -> bool {
        matches!(self.status, Some(200..=299 | 400..=428 | 430..=499))
    }
}

impl RedirectRow {
    /// Returns whether redirects without an end determine the robots.txt.
    pub(super) fn is_answer(&self) -> bool {
        ![Outcome::NotInCorpus, Outcome::NotModified]
            .map(Outcome::as_str)
            .contains(&self.outcome.as_str())
    }
}

/// Appends the fetches of a file that have a key.
pub(super) fn fetches(path: &Path, key: &RowKey, found: &mut Vec<Fetch>) -> Result<(), Error> {
    let columns = [
        "capture_id",
        "url_protocol",
        "url_port",
        "url_path",
        "url_query",
        "origin",
        "fetch_time",
        "fetch_status",
        "access",
    ];
    read_rows(path, key, &columns, |batch| {
        let rows = Rows { path, batch };
        for row in 0..batch.num_rows() {
            let usual = match rows.name("url_protocol", row)? {
                Some("https") => Some(443),
                Some("http") => Some(80),
                _ => None,
            };
            let port = rows.int32("url_port", row)?;
            let access = rows.name("access", row)?;
            found.push(Fetch {
                id: rows.int64("capture_id", row)?.unwrap_or_default(),
                origin: rows.text("origin", row)?.unwrap_or_default().to_owned(),
                time: rows.time("fetch_time", row)?,
                status: rows.int32("fetch_status", row)?,
                access: access.and_then(named).unwrap_or(Access::Undefined),
                is_of_file: rows.text("url_path", row)? == Some("/robots.txt")
                    && rows.text("url_query", row)?.is_none(),
                has_default_port: port.is_none() || port == usual,
            });
        }
        Ok(())
    })
}

/// Hands over the captures of a file that have a key.
pub(super) fn captures(
    path: &Path,
    key: &RowKey,
    mut each: impl FnMut(StoredCapture),
) -> Result<(), Error> {
    let columns = [
        "capture_id",
        "warc_filename",
        "warc_record_offset",
        "warc_record_length",
        "url",
        "origin",
        "fetch_time",
        "fetch_status",
        "content_length",
        "content_digest",
        "content_truncated",
    ];
    read_rows(path, key, &columns, |batch| {
        let rows = Rows { path, batch };
        let unsigned = |n: Option<i64>| n.and_then(|n| u64::try_from(n).ok());
        for row in 0..batch.num_rows() {
            let text = |name: &str| rows.text(name, row).map(Option::unwrap_or_default);
            let status = rows.int32("fetch_status", row)?;
            each(StoredCapture {
                id: rows.int64("capture_id", row)?.unwrap_or_default(),
                url: text("url")?.to_owned(),
                origin: text("origin")?.to_owned(),
                fetch_time: rows.time("fetch_time", row)?,
                fetch_status: status.and_then(|status| u16::try_from(status).ok()),
                truncated: rows.name("content_truncated", row)?.map(str::to_owned),
                content_length: unsigned(rows.int64("content_length", row)?).unwrap_or_default(),
                content_digest: text("content_digest")?.to_owned(),
                warc_filename: rows
                    .name("warc_filename", row)?
                    .unwrap_or_default()
                    .to_owned(),
                offset: unsigned(rows.int64("warc_record_offset", row)?).unwrap_or_default(),
                length: unsigned(rows.int64("warc_record_length", row)?),
            });
        }
        Ok(())
    })
}

/// Appends the redirects of a file that have a key.
pub(super) fn redirects(
    path: &Path,
    key: &RowKey,
    found: &mut Vec<RedirectRow>,
) -> Result<(), Error> {
    let columns = [
        "capture_id",
        "dialect",
        "hops",
        "outcome",
        "access",
        "final_url",
        "effective_capture_id",
    ];
    read_rows(path, key, &columns, |batch| {
        let rows = Rows { path, batch };
        for row in 0..batch.num_rows() {
            let name = |name: &str| rows.name(name, row).map(Option::unwrap_or_default);
            let hops = rows.int32("hops", row)?.unwrap_or_default();
            found.push(RedirectRow {
                id: rows.int64("capture_id", row)?.unwrap_or_default(),
                dialect: name("dialect")?.to_owned(),
                hops: u64::try_from(hops).unwrap_or_default(),
                outcome: name("outcome")?.to_owned(),
                access: rows.name("access", row)?.and_then(named),
                final_url: rows.text("final_url", row)?.unwrap_or_default().to_owned(),
                effective_id: rows.int64("effective_capture_id", row)?,
            });
        }
        Ok(())
    })
}

fn named(name: &str) -> Option<Access> {
    ACCESS.into_iter().find(|access| access.as_str() == name)
}

/// The rows of a batch, read by the names of columns. NULL is `None`.
pub(super) struct Rows<'b> {
    pub(super) path: &'b Path,
    pub(super) batch: &'b RecordBatch,
}

impl<'b> Rows<'b> {
    fn column<A: Array + 'static>(&self, name: &str) -> Result<&'b A, Error> {
        column(self.path, self.batch, name)
    }

    fn int32(&self, name: &str, row: usize) -> Result<Option<i32>, Error> {
        let array = self.column::<Int32Array>(name)?;
        Ok(array.is_valid(row).then(|| array.value(row)))
    }

    pub(super) fn int64(&self, name: &str, row: usize) -> Result<Option<i64>, Error> {
        let array = self.column::<Int64Array>(name)?;
        Ok(array.is_valid(row).then(|| array.value(row)))
    }

    fn time(&self, name: &str, row: usize) -> Result<Option<i64>, Error> {
        let array = self.column::<TimestampMicrosecondArray>(name)?;
        Ok(array.is_valid(row).then(|| array.value(row)))
    }

    fn text(&self, name: &str, row: usize) -> Result<Option<&'b str>, Error> {
        let array = self.column::<StringArray>(name)?;
        Ok(array.is_valid(row).then(|| array.value(row)))
    }

    pub(super) fn name(&self, name: &str, row: usize) -> Result<Option<&'b str>, Error> {
        Ok(Names(self.column(name)?).get(row))
    }
}
