//! Rows of `captures`, `redirects` and `hosts` by a key, as values.

use std::{cmp::Reverse, collections::BTreeSet};

use arrow_array::{BooleanArray, Int32Array, Int64Array, StringArray, TimestampMicrosecondArray};

use super::{CaptureStore, OtherOrigin, StoredCapture, StoredRedirect, found::is_cut_off, id_key};
use crate::{
    archive::{capture::ROBOTS_PATH, error::Error},
    dataset::{
        redirect::{Origin, Outcome},
        sink::{Names, RowKey, StoredColumn, TableFile, WholeTable, stored_columns},
        table::{captures, redirects},
    },
    robots::dialect::FetchOutcome,
};

/// What decides which fetch of an origin is in force; millions may be held.
#[derive(Clone, Debug)]
pub(super) struct Fetch {
    pub(super) id: i64,
    pub(super) origin: String,
    /// Microseconds since 1970.
    pub(super) time: Option<i64>,
    pub(super) status: Option<i32>,
    /// Whether the body was cut off on its way.
    pub(super) is_cut_off: bool,
    /// Whether the URL is that of a robots.txt, without a query.
    pub(super) is_of_file: bool,
}

impl Fetch {
    /// Returns how the fetch itself ended.
    pub(super) fn outcome(&self) -> FetchOutcome {
        FetchOutcome::of_response(status(self.status), self.is_cut_off)
    }

    pub(super) fn is_redirect(&self) -> bool {
        matches!(self.status, Some(300..=399))
    }
}

stored_columns! {
    struct FetchColumns<'b> {
        capture_id: &'b Int64Array,
        url_protocol: Names<'b>,
        url_host_name: &'b StringArray,
        url_port: &'b Int32Array,
        url_path: &'b StringArray,
        url_query: &'b StringArray,
        fetch_time: &'b TimestampMicrosecondArray,
        fetch_status: &'b Int32Array,
        content_truncated: Names<'b>,
    }
}

stored_columns! {
    struct CaptureColumns<'b> {
        warc_filename: Names<'b>,
        warc_record_offset: &'b Int64Array,
        warc_record_length: &'b Int64Array,
        url: &'b StringArray,
        url_protocol: Names<'b>,
        url_host_name: &'b StringArray,
        url_port: &'b Int32Array,
        fetch_time: &'b TimestampMicrosecondArray,
        fetch_status: &'b Int32Array,
        content_length: &'b Int64Array,
        content_digest: &'b StringArray,
        content_truncated: Names<'b>,
    }
}

stored_columns! {
    struct RedirectColumns<'b> {
        capture_id: &'b Int64Array,
        hops: &'b Int32Array,
        outcome: Names<'b>,
        final_url: &'b StringArray,
        effective_capture_id: &'b Int64Array,
    }
}

stored_columns! {
    struct HostColumns<'b> {
        capture_id: &'b Int64Array,
        fetch_capture_id: &'b Int64Array,
        url_protocol: Names<'b>,
        url_host_name: &'b StringArray,
        url_port: &'b Int32Array,
        has_robots_txt: &'b BooleanArray,
    }
}

impl CaptureStore {
    /// Returns the origins in a file of `hosts` that have a key, each with the fetch that counts.
    /// The first is the primary origin of its host, and the others are in the order in which they
    /// would be.
    pub(super) fn origins(
        &self,
        file: &TableFile,
        key: &RowKey,
    ) -> Result<Vec<OtherOrigin>, Error> {
        let mut found = Vec::new();
        HostColumns::each_row(&self.root.join(&file.path), Some(key), |rows, row| {
            let origin =
                Origin::of_row((rows.url_protocol, rows.url_host_name, rows.url_port), row);
            let (is_https, is_default) = (origin.protocol == "https", origin.has_default_port());
            let rank = Reverse((rows.has_robots_txt.value(row), is_https, is_default));
            let fetch_id = rows.fetch_capture_id.get(row);
            let capture_id = fetch_id.unwrap_or_else(|| rows.capture_id.value(row));
            found.push((rank, origin.to_string(), capture_id));
            Ok(())
        })?;
        found.sort_unstable();
        let found = found.into_iter();
        let origins = found.map(|(_, origin, capture_id)| OtherOrigin { origin, capture_id });
        Ok(origins.collect())
    }

    /// Calls `each` with the fetches that have a key.
    pub(super) fn each_fetch(
        &self,
        key: &RowKey,
        mut each: impl FnMut(Fetch),
    ) -> Result<(), Error> {
        for path in self.files(captures::TABLE.name) {
            FetchColumns::each_row(&path, Some(key), |rows, row| {
                let origin =
                    Origin::of_row((rows.url_protocol, rows.url_host_name, rows.url_port), row);
                each(Fetch {
                    id: rows.capture_id.value(row),
                    origin: origin.to_string(),
                    time: rows.fetch_time.get(row),
                    status: rows.fetch_status.get(row),
                    is_cut_off: is_cut_off(rows.content_truncated.get(row)),
                    is_of_file: rows.url_path.value(row) == ROBOTS_PATH
                        && rows.url_query.get(row).is_none(),
                });
                Ok(())
            })?;
        }
        Ok(())
    }

    pub(super) fn capture(&self, id: i64) -> Result<Option<StoredCapture>, Error> {
        let key = id_key(BTreeSet::from([id]));
        let mut found = None;
        for path in self.files(captures::TABLE.name) {
            CaptureColumns::each_row(&path, Some(&key), |rows, row| {
                let length = rows.warc_record_length.get(row);
                let origin =
                    Origin::of_row((rows.url_protocol, rows.url_host_name, rows.url_port), row);
                found = Some(StoredCapture {
                    id,
                    url: rows.url.value(row).to_owned(),
                    origin: origin.to_string(),
                    fetch_time: rows.fetch_time.get(row),
                    fetch_status: status(rows.fetch_status.get(row)),
                    truncated: rows.content_truncated.get(row).map(str::to_owned),
                    content_length: unsigned(rows.content_length.value(row)),
                    content_digest: rows.content_digest.value(row).to_owned(),
                    warc_filename: rows.warc_filename.get(row).unwrap_or_default().to_owned(),
                    offset: unsigned(rows.warc_record_offset.value(row)),
                    length: length.map(unsigned),
                });
                Ok(())
            })?;
        }
        Ok(found)
    }

    pub(super) fn redirects(&self, ids: BTreeSet<i64>) -> Result<Vec<StoredRedirect>, Error> {
        let key = id_key(ids);
        let mut found = Vec::new();
        let table = WholeTable::read(&self.root, redirects::TABLE.name)?;
        for file in table.iter().flat_map(|table| &table.files) {
            RedirectColumns::each_row(&self.root.join(&file.path), Some(&key), |rows, row| {
                let outcome = rows.outcome.get(row).and_then(Outcome::from_name);
                found.push(StoredRedirect {
                    id: rows.capture_id.value(row),
                    outcome: outcome.unwrap_or(Outcome::NotInCorpus),
                    hops: unsigned(i64::from(rows.hops.value(row))),
                    final_url: rows.final_url.value(row).to_owned(),
                    end_id: rows.effective_capture_id.get(row),
                    end: None,
                });
                Ok(())
            })?;
        }
        Ok(found)
    }
}

/// Returns a status; none that this program writes is out of range.
pub(super) fn status(n: Option<i32>) -> Option<u16> {
    u16::try_from(n?).ok()
}

/// Returns a length or an offset; none that this program writes is negative.
pub(super) fn unsigned(n: i64) -> u64 {
    u64::try_from(n).unwrap_or_default()
}
