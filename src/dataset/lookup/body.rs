//! The body of a capture, read from its archive by the offset of its record.

use super::StoredCapture;
use crate::{
    archive::{
        capture::{Capture, CaptureReader, Truncation},
        error::{Error, ErrorKind},
        input::{ArchiveSource, locate},
        warc::{Limits, Reader},
    },
    dataset::{
        progress::Progress,
        run::stream::CountedBytes,
        sink::{Input, change},
    },
    digest::{base32, sha1},
};

/// The body of a capture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredBody {
    /// The bytes, with transfer and content codings removed, as the run parsed them.
    pub bytes: Vec<u8>,
    /// Where the archive was found; `None` where the dataset has stored the body.
    pub archive: Option<String>,
    /// The SHA-1 of the bytes, base32, where the archive has always stated another for them.
    pub other_digest: Option<String>,
}

/// Reads a body from the first archive that has it. `before` is the archive as it was.
pub(super) fn read(
    capture: &StoredCapture,
    inputs: &[String],
    before: Option<&Input>,
    limits: Limits,
) -> Result<StoredBody, Error> {
    let mut wrong = None;
    for archive in locate(inputs, &capture.warc_filename)? {
        let mut other = None;
        let take = |found: &Capture<'_>, _| match compare(capture, found, &archive, before) {
            Ok(body) => Some(body),
            // The record of the same URL tells more than those next to it.
            Err(what) => {
                if found.location.url() == capture.url || other.is_none() {
                    other = Some(what);
                }
                None
            }
        };
        let error = match at_offset(&archive, capture.offset, limits, take) {
            Ok(Some(body)) => return Ok(body),
            Ok(None) => {
                let what = other.as_deref().unwrap_or("found no response there");
                changed(capture, &archive, before, what)
            }
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

/// Passes the captures whose records begin at an offset of an archive to `take`, until that returns
/// something. There are several where a member holds many records.
///
/// If there is no capture at the offset, the archive is read from its start: a zstd frame may need
/// a dictionary at the start of the file, and a record in damaged bytes begins where only a reader
/// finds it that has seen those before it.
pub(super) fn at_offset<T>(
    archive: &ArchiveSource,
    offset: u64,
    limits: Limits,
    mut take: impl FnMut(&Capture<'_>, Option<u64>) -> Option<T>,
) -> Result<Option<T>, Error> {
    let source = &archive.source;
    let failed = |offset, source| {
        Error::from(ErrorKind::Read {
            location: archive.source.location(),
            offset,
            source,
        })
    };
    for base in [offset, 0] {
        let bytes = source.open_at(base).map_err(|e| failed(base, e))?;
        let progress = Progress::default();
        let mut bytes = CountedBytes::new(bytes, None, &progress);
        let mut reader = Reader::new(limits);
        reader.begin(source.size().map(|size| size.saturating_sub(base)));
        let mut captures = CaptureReader::new(limits.body);
        // The dataset has the record, whatever its path is.
        captures.begin(true);
        let mut has_captures = false;
        while let Some(record) = reader.read_record(&mut bytes) {
            let at = base + record.offset;
            if at > offset {
                break;
            }
            if at == offset
                && let Ok(capture) = captures.read(&record)
            {
                has_captures = true;
                if let Some(taken) = take(&capture, record.length) {
                    return Ok(Some(taken));
                }
            }
        }
        if let Some((n_read, error)) = bytes.failure() {
            return Err(failed(base + n_read, error));
        }
        if has_captures || offset == 0 {
            break;
        }
    }
    Ok(None)
}

/// Returns the body of a capture that was found, or what it is instead, as a clause.
fn compare(
    wanted: &StoredCapture,
    found: &Capture<'_>,
    archive: &ArchiveSource,
    before: Option<&Input>,
) -> Result<StoredBody, String> {
    let url = found.location.url();
    if url != wanted.url {
        return Err(format!("found a response of {url}"));
    }
    if found.fetch_time != wanted.fetch_time || found.fetch_status != wanted.fetch_status {
        return Err("found another fetch of its URL".to_owned());
    }
    let computed = base32(&sha1(found.payload));
    let computed = String::from_utf8_lossy(&computed).into_owned();
    let is_as_stored = found.digest == wanted.content_digest.as_bytes()
        && found.payload.len() as u64 == wanted.content_length
        && found.truncated.map(Truncation::as_str) == wanted.truncated.as_deref();
    let is_as_stated = computed == wanted.content_digest;
    // An archive may state a wrong digest of its own. Whether it always did is known only where
    // the file has not been touched.
    if !is_as_stored || !is_as_stated && !is_untouched(archive, before) {
        return Err(format!(
            "found {} bytes with {computed}",
            found.payload.len()
        ));
    }
    Ok(StoredBody {
        bytes: found.payload.to_vec(),
        archive: Some(archive.source.location()),
        other_digest: (!is_as_stated).then_some(computed),
    })
}

/// Returns true if and only if the archive has the size and the time that it had.
fn is_untouched(archive: &ArchiveSource, before: Option<&Input>) -> bool {
    before.is_some_and(|before| {
        let now = as_it_is(before, archive);
        before.modified.is_some() && (before.bytes, before.modified) == (now.bytes, now.modified)
    })
}
