//! Captures of a comparison: the table `flips` has the archive, the offset and the digest of each,
//! and the record has the rest.

use std::{collections::BTreeMap, path::Path};

use arrow_array::Int64Array;

use super::{StoredCapture, body::at_offset, rows::unsigned};
use crate::{
    archive::{capture::Truncation, error::Error, input::locate, warc::Limits},
    dataset::sink::{Names, RowKey, StoredColumn, stored_columns},
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

stored_columns! {
    struct FlipColumns<'b> {
        capture_id: &'b Int64Array,
        url_host_name: Names<'b>,
        content_digest: Names<'b>,
        warc_filename: Names<'b>,
        warc_record_offset: &'b Int64Array,
    }
}

/// Adds the captures of a file that have a key, by their identifiers.
pub(super) fn flips(
    path: &Path,
    key: &RowKey,
    found: &mut BTreeMap<i64, FlippedCapture>,
) -> Result<(), Error> {
    FlipColumns::each_row(path, Some(key), |rows, row| {
        let id = rows.capture_id.value(row);
        let text = |names: Names<'_>| names.get(row).unwrap_or_default().to_owned();
        found.entry(id).or_insert_with(|| FlippedCapture {
            id,
            host: text(rows.url_host_name),
            digest: text(rows.content_digest),
            warc_filename: text(rows.warc_filename),
            offset: unsigned(rows.warc_record_offset.value(row)),
        });
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
