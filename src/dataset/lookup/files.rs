//! The stored files of a dataset, each with the captures that have it: for what asks about files,
//! and not about hosts.

use std::{
    collections::{BTreeMap, HashMap},
    slice,
};

use arrow_array::{Int32Array, Int64Array, StringArray};

use super::{
    CaptureStore,
    found::is_cut_off,
    rows::{status, unsigned},
};
use crate::{
    archive::error::Error,
    dataset::{
        redirect::Origin,
        sink::{Manifest, Names, PartArchive, StoredColumn, stored_columns},
        table::{bodies, captures},
    },
    digest::Base32Digest,
    robots::dialect::FetchOutcome,
};

/// A capture that has a file.
#[derive(Debug)]
pub(crate) struct FileCapture {
    pub(crate) id: i64,
    /// Its position in [`CaptureStore::archives`].
    pub(crate) archive: u32,
    pub(crate) offset: u64,
    pub(crate) host: Box<str>,
    pub(crate) origin: Box<str>,
    pub(crate) digest: Base32Digest,
}

stored_columns! {
    struct CaptureColumns<'b> {
        capture_id: &'b Int64Array,
        warc_filename: Names<'b>,
        warc_record_offset: &'b Int64Array,
        url_protocol: Names<'b>,
        url_host_name: &'b StringArray,
        url_port: &'b Int32Array,
        fetch_status: &'b Int32Array,
        content_digest: &'b StringArray,
        content_truncated: Names<'b>,
    }
}

impl CaptureStore {
    /// Refuses a dataset without files.
    pub(crate) fn require_files(&self) -> Result<(), Error> {
        if self.files(bodies::TABLE.name).next().is_some() {
            return Ok(());
        }
        Err(self.refusal(
            "expected a dataset with the table bodies, which has the files themselves; run again with it among the tables (+bodies)",
        ))
    }

    /// Returns the rows of the table with the files.
    pub(crate) fn n_files(&self) -> u64 {
        let parts = self.manifests.iter();
        let files = parts.flat_map(|part| part.files_of(bodies::TABLE.name));
        files.map(|file| file.rows).sum()
    }

    /// Returns the archives of all parts.
    pub(crate) fn archives(&self) -> impl Iterator<Item = &PartArchive> {
        self.manifests.iter().flat_map(|part| &part.archives)
    }

    /// Calls `each` with each stored file and the captures that have it, among those whose fetch is
    /// one that `is_read`. Captures of one part are in memory at a time; of a file that is stored
    /// more than once, each row has its own.
    pub(crate) fn each_file(
        &self,
        is_read: impl Fn(FetchOutcome) -> bool,
        mut each: impl FnMut(&[u8], &[&FileCapture]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut first_archive = 0;
        for part in &self.manifests {
            let captures = self.captures_of(part, first_archive, &is_read)?;
            first_archive += part.archives.len();
            let files = self.bodies_of(slice::from_ref(part));
            let missing = files.each(captures.keys().copied().collect(), |ids, body| {
                let of_body: Vec<_> = ids.iter().filter_map(|id| captures.get(id)).collect();
                each(body, &of_body)
            })?;
            if let Some(id) = missing.first() {
                return Err(self.refusal(&format!(
                    "expected the file of each capture that is read, but that of the capture {id} is not stored, since the reference dialect of the dataset does not read it; give the archives"
                )));
            }
        }
        Ok(())
    }

    fn captures_of(
        &self,
        part: &Manifest,
        first_archive: usize,
        is_read: &impl Fn(FetchOutcome) -> bool,
    ) -> Result<BTreeMap<i64, FileCapture>, Error> {
        let names = part.archives.iter().map(|archive| &*archive.input.name);
        let archives: HashMap<&str, usize> = names.zip(first_archive..).collect();
        let mut found = BTreeMap::new();
        for path in self.files_of(slice::from_ref(part), captures::TABLE.name) {
            CaptureColumns::each_row(&path, None, |rows, row| {
                let is_cut_off = is_cut_off(rows.content_truncated.get(row));
                let status = status(rows.fetch_status.get(row));
                if !is_read(FetchOutcome::of_response(status, is_cut_off)) {
                    return Ok(());
                }
                let archive = rows.warc_filename.get(row).unwrap_or_default();
                let archive = archives.get(archive).copied();
                let digest = rows.content_digest.value(row).as_bytes();
                let id = rows.capture_id.value(row);
                let (Some(archive), Ok(digest)) = (archive, digest.try_into()) else {
                    let message =
                        format!("expected the archive and the digest of the capture {id}");
                    return Err(Error::corrupt(&path, message));
                };
                let origin =
                    Origin::of_row((rows.url_protocol, rows.url_host_name, rows.url_port), row);
                found.insert(
                    id,
                    FileCapture {
                        id,
                        archive: archive as u32,
                        offset: unsigned(rows.warc_record_offset.value(row)),
                        host: origin.host.into(),
                        origin: origin.to_string().into(),
                        digest,
                    },
                );
                Ok(())
            })?;
        }
        Ok(found)
    }
}
