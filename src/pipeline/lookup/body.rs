//! The body of a capture, read from its archive by the offset of its record.

use super::StoredCapture;
use crate::{
    capture::{Capture, CaptureReader, Truncation},
    digest::{base32, sha1},
    error::{Error, ErrorKind},
    input::{ArchiveSource, locate},
    pipeline::{
        progress::Progress,
        stream::{Bytes, CountedBytes},
    },
    sink::{Input, change},
    warc::Reader,
};

/// The limits with which a run reads archives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) max_body: usize,
    pub(super) records: crate::warc::Limits,
}

/// The body of a capture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredBody {
    /// The bytes, with transfer and content codings removed, as the run parsed them.
    pub bytes: Vec<u8>,
    /// Where the archive was found.
    pub archive: String,
    /// The SHA-1 of the bytes, base32, where the archive has always stated another for them.
    pub other_digest: Option<String>,
}

/// What an archive has in place of a body.
enum Found {
    Body(StoredBody),
    /// The reason why it has none, as a clause.
    Other(String),
    /// No record of a response at the offset.
    Nothing,
}

/// Reads a body from the first archive that has it. `before` is the archive as it was.
pub(super) fn read(
    capture: &StoredCapture,
    inputs: &[String],
    before: Option<&Input>,
    limits: &Limits,
) -> Result<StoredBody, Error> {
    let mut wrong = None;
    for archive in locate(inputs, &capture.warc_filename)? {
        let found = ArchiveReader {
            capture,
            archive: &archive,
            before,
            limits,
        }
        .read();
        let error = match found {
            Ok(Found::Body(body)) => return Ok(body),
            Ok(Found::Other(what)) => changed(capture, &archive, before, &what),
            Ok(Found::Nothing) => changed(capture, &archive, before, "found no response there"),
            Err(error) => error,
        };
        wrong.get_or_insert(error);
    }
    Err(wrong.unwrap_or_else(|| Error::usage("expected an archive, but found none")))
}

/// Returns the error of an archive that has something else at the offset.
fn changed(
    capture: &StoredCapture,
    archive: &ArchiveSource,
    before: Option<&Input>,
    what: &str,
) -> Error {
    let since = before.and_then(|before| change(before, &as_it_is(before, archive)));
    let since = since.map_or_else(String::new, |since| format!(" ({since})"));
    Error::usage(format!(
        "{}: offset {}: expected the body of the capture {}, {} bytes with the SHA-1 {}, but {what}; the archive is not as it was when the dataset was made{since}: give the one that was read, or make the dataset again",
        archive.source.location(),
        capture.offset,
        capture.id,
        capture.content_length,
        capture.content_digest
    ))
}

/// Returns an archive as the input that it would be now.
fn as_it_is(before: &Input, archive: &ArchiveSource) -> Input {
    let source = &archive.source;
    Input::new(&before.name, source.size(), source.modified())
}

struct ArchiveReader<'c> {
    capture: &'c StoredCapture,
    archive: &'c ArchiveSource,
    before: Option<&'c Input>,
    limits: &'c Limits,
}

impl ArchiveReader<'_> {
    /// Reads at the offset of the record; if there is no response, from the start of the archive.
    ///
    /// A zstd frame may need a dictionary at the start of the file, and a record in damaged bytes
    /// begins where only a reader that has seen those before it finds it.
    fn read(&self) -> Result<Found, Error> {
        let found = self.read_from(self.capture.offset)?;
        let now = self.archive.source.size();
        let is_as_long = self.before.is_none_or(|before| before.bytes == now);
        match found {
            Found::Nothing if self.capture.offset > 0 && is_as_long => self.read_from(0),
            found => Ok(found),
        }
    }

    fn read_from(&self, base: u64) -> Result<Found, Error> {
        let source = &self.archive.source;
        let failed = |offset, source| {
            Error::from(ErrorKind::Read {
                location: self.archive.source.location(),
                offset,
                source,
            })
        };
        let bytes = source.open_at(base).map_err(|e| failed(base, e))?;
        let progress = Progress::default();
        let mut bytes = CountedBytes::new(Bytes::File(bytes), &progress);
        let mut reader = Reader::new(self.limits.records);
        reader.begin(source.size().map(|size| size.saturating_sub(base)));
        let mut captures = CaptureReader::new(self.limits.max_body);
        // The dataset has the record, whatever its path is.
        captures.begin(true);
        let mut found = Found::Nothing;
        // A member may hold many records, all of them at its offset.
        while let Some(record) = reader.read_record(&mut bytes) {
            let offset = base + record.offset;
            if offset > self.capture.offset {
                break;
            }
            if offset < self.capture.offset {
                continue;
            }
            if let Ok(capture) = captures.read(&record) {
                match self.compare(&capture) {
                    body @ Found::Body(_) => return Ok(body),
                    // The record of the same URL says more than those beside it.
                    other if capture.location.url() == self.capture.url => found = other,
                    other if matches!(found, Found::Nothing) => found = other,
                    _ => {}
                }
            }
        }
        match bytes.failure() {
            Some((n_read, error)) => Err(failed(base + n_read, error)),
            None => Ok(found),
        }
    }

    fn compare(&self, found: &Capture<'_>) -> Found {
        let wanted = self.capture;
        let url = found.location.url();
        if url != wanted.url {
            return Found::Other(format!("found a response of {url}"));
        }
        if found.fetch_time != wanted.fetch_time || found.fetch_status != wanted.fetch_status {
            return Found::Other("found another fetch of its URL".to_owned());
        }
        let computed = base32(&sha1(found.payload));
        let computed = String::from_utf8_lossy(&computed).into_owned();
        let is_as_stored = found.digest == wanted.content_digest.as_bytes()
            && found.payload.len() as u64 == wanted.content_length
            && found.truncated.map(Truncation::as_str) == wanted.truncated.as_deref();
        let is_as_stated = computed == wanted.content_digest;
        // An archive may state a wrong digest of its own. Whether it always did is known only where
        // the file has not been touched.
        if !is_as_stored || !is_as_stated && !self.is_untouched() {
            return Found::Other(format!(
                "found {} bytes with {computed}",
                found.payload.len()
            ));
        }
        Found::Body(StoredBody {
            bytes: found.payload.to_vec(),
            archive: self.archive.source.location(),
            other_digest: (!is_as_stated).then_some(computed),
        })
    }

    /// Returns true if and only if the archive has the size and the time that it had.
    fn is_untouched(&self) -> bool {
        self.before.is_some_and(|before| {
            let now = as_it_is(before, self.archive);
            before.modified.is_some()
                && (before.bytes, before.modified) == (now.bytes, now.modified)
        })
    }
}
