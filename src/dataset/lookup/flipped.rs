//! Captures of a comparison: the table `flips` has the archive, the offset and the digest of each,
//! and the record has the rest.

use std::{collections::BTreeMap, path::Path};

use super::{StoredCapture, body::at_offset, rows::Rows};
use crate::{
    archive::{capture::Truncation, error::Error, input::locate, warc::Limits},
    dataset::sink::{RowKey, read_rows},
};

/// A capture that flips.
#[derive(Clone, Debug)]
pub(super) struct FlippedCapture {
    id: i64,
    host: String,
    digest: String,
    warc_filename: String,
    offset: u64,
}

/// Adds the captures of a file that have a key, by their identifiers.
pub(super) fn flips(
    path: &Path,
    key: &RowKey,
    found: &mut BTreeMap<i64, FlippedCapture>,
) -> Result<(), Error> {
    let columns = [
        "capture_id",
        "url_host_name",
        "content_digest",
        "warc_filename",
        "warc_record_offset",
    ];
    read_rows(path, key, &columns, |batch| {
        let rows = Rows { path, batch };
        for row in 0..batch.num_rows() {
            let id = rows.int64("capture_id", row)?.unwrap_or_default();
            if found.contains_key(&id) {
                continue;
            }
            let name = |name: &str| rows.name(name, row).map(Option::unwrap_or_default);
            let offset = rows.int64("warc_record_offset", row)?;
            let capture = FlippedCapture {
                id,
                host: name("url_host_name")?.to_owned(),
                digest: name("content_digest")?.to_owned(),
                warc_filename: name("warc_filename")?.to_owned(),
                offset: offset
                    .and_then(|n| u64::try_from(n).ok())
                    .unwrap_or_default(),
            };
            found.insert(id, capture);
        }
        Ok(())
    })
}

impl FlippedCapture {
    /// Reads the record of the capture for what the table does not have.
    pub(super) fn complete(
        self,
        inputs: &[String],
        limits: Limits,
    ) -> Result<StoredCapture, Error> {
        let archives = locate(inputs, &self.warc_filename)?;
        for archive in &archives {
            let found = at_offset(archive, self.offset, limits, |capture, length| {
                let is_wanted = capture.location.host_name() == self.host
                    && capture.digest == self.digest.as_bytes();
                is_wanted.then(|| StoredCapture {
                    id: self.id,
                    url: capture.location.url().to_owned(),
                    origin: capture.location.origin().to_owned(),
                    fetch_time: capture.fetch_time,
                    fetch_status: capture.fetch_status,
                    truncated: capture.truncated.map(Truncation::as_str).map(str::to_owned),
                    content_length: capture.payload.len() as u64,
                    content_digest: self.digest.clone(),
                    warc_filename: self.warc_filename.clone(),
                    offset: self.offset,
                    length,
                })
            })?;
            if let Some(capture) = found {
                return Ok(capture);
            }
        }
        let location = archives.first().map(|archive| archive.source.location());
        Err(Error::usage(format!(
            "{}: offset {}: expected a response of {} whose body has the SHA-1 {}, but found none; the archive is not as it was when the parsers were compared: give the one that was read",
            location.unwrap_or_default(),
            self.offset,
            self.host,
            self.digest
        )))
    }
}
