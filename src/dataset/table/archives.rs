//! The table `archives`: one row for each input.

use std::time::SystemTime;

use super::{Bool, Int64, KnownName, Name, Text, Time, as_i64, table};
use crate::{
    archive::{
        capture::Skip,
        input::ArchiveSource,
        warc::{Fault, ReadCounts},
    },
    digest::{Sha1Digest, hex},
};

table! {
    /// one input archive, whatever became of it
    "archives": pub struct ArchivesBuilder {
        /// name of the archive, as in the other tables
        warc_filename: Text,
        /// crawl in the archive's name, such as CC-MAIN-2025-05
        crawl: Name [nullable],
        /// subset in the archive's name, such as robotstxt
        subset: Name [nullable],
        /// bytes read
        bytes: Int64 [unit("bytes")],
        /// ranges of an index that were to be read, those that overlap as one; NULL of an archive
        /// that is read whole
        range_count: Int64 [nullable, unit("ranges")],
        /// bytes of the file that are in no such range; 0 of an archive that is read whole, NULL
        /// where the size of the file is not known
        bytes_not_asked: Int64 [nullable, unit("bytes")],
        /// SHA-1 of the bytes read, as sha1sum prints it for the file; NULL of an archive that
        /// could not be opened
        archive_sha1: Text [nullable],
        /// bytes of intact gzip members or zstd frames, or of the records of a plain archive
        member_bytes: Int64 [unit("bytes")],
        /// bytes from which nothing was read; with member_bytes they add up to bytes
        bytes_skipped: Int64 [unit("bytes")],
        /// records of any type
        record_count: Int64 [unit("records")],
        /// rows of this archive in captures; with the records of its rows in archive_skips they
        /// add up to record_count
        capture_count: Int64 [unit("rows")],
        /// rows of this archive in archive_errors
        error_count: Int64 [unit("rows")],
        /// whether every record of the archive was read
        is_complete: Bool,
        /// the first fault that lost records: where, what was expected, what was found;
        /// archive_errors has them all
        incomplete_reason: Text [nullable],
        /// URL from which the archive was downloaded, without secrets; NULL for a file
        source_url: Text [nullable],
        /// entity tag of the version that was downloaded, if the server gave one
        source_etag: Text [nullable],
        /// when the server says that version was last changed
        source_modified: Time [nullable],
        /// requests for the bytes of the archive: more than 1 where the download was cut or
        /// refused, so that it may differ between runs over the same bytes; 0 for a file
        request_count: Int64 [unit("requests")],
        /// version of the program that wrote the row
        tool_version: KnownName,
        /// digest of the program's version and of every option on which rows depend, as in
        /// _dataset.json
        options_digest: KnownName,
    }
}

/// Where an archive was downloaded from.
#[derive(Clone, Debug)]
pub struct Download {
    /// The URL, without secrets.
    pub url: String,
    /// What identifies the version, in the server's words.
    pub etag: Option<String>,
    /// The time of the last change.
    pub modified: Option<SystemTime>,
    /// How many requests were made for its bytes.
    pub requests: u64,
}

/// The counts of one archive.
#[derive(Clone, Debug, Default)]
pub struct ArchiveCounts {
    /// What the reader counted.
    pub read: ReadCounts,
    /// Digest of the bytes that were read; `None` if it could not be opened.
    pub digest: Option<Sha1Digest>,
    /// Records that became captures.
    pub captures: u64,
    /// Records that did not, by the order of [`Skip::ALL`], but for the unreadable ones.
    pub skipped: [u64; Skip::ALL.len()],
    /// Of those skipped for their path, the records that were read as pages.
    pub pages_of_other_paths: u64,
    /// Faults.
    pub errors: u64,
    /// The number of ranges of an index that are read, and of the bytes outside, where that is
    /// known; `None` of an archive that is read whole.
    pub not_asked: Option<(u64, Option<u64>)>,
    /// The first fault that lost records; `None` if every record was read.
    pub first_loss: Option<Fault>,
}

impl ArchiveCounts {
    /// Returns the reasons for which records were skipped, each with their number.
    pub fn skips(&self) -> impl Iterator<Item = (Skip, u64)> {
        let mut skipped = self.skipped;
        let known = self.captures + skipped.iter().sum::<u64>();
        // All that are neither captures nor skipped for another reason.
        skipped[Skip::Unreadable as usize] = self.read.records.saturating_sub(known);
        let skips = Skip::ALL.into_iter().zip(skipped);
        skips.filter(|(_, n)| *n > 0)
    }
}

impl ArchivesBuilder {
    /// Returns a builder without rows.
    pub fn new(options_digest: &str) -> Self {
        Self {
            tool_version: KnownName::new([env!("CARGO_PKG_VERSION")]),
            options_digest: KnownName::new([options_digest]),
            ..Self::default()
        }
    }

    /// Appends a row.
    pub fn append(
        &mut self,
        archive: &ArchiveSource,
        counts: &ArchiveCounts,
        download: Option<&Download>,
    ) {
        let read = counts.read;
        self.warc_filename.append(&archive.name);
        self.crawl.append(archive.crawl.as_deref());
        self.subset.append(archive.subset.as_deref());
        self.bytes.append(as_i64(read.bytes));
        let (ranges, not_asked) = match counts.not_asked {
            Some((ranges, bytes)) => (Some(as_i64(ranges)), bytes.map(as_i64)),
            None => (None, Some(0)),
        };
        self.range_count.append(ranges);
        self.bytes_not_asked.append(not_asked);
        self.archive_sha1.append(counts.digest.as_ref().map(hex));
        self.member_bytes.append(as_i64(read.member_bytes));
        self.bytes_skipped.append(as_i64(read.bytes_skipped));
        self.record_count.append(as_i64(read.records));
        self.capture_count.append(as_i64(counts.captures));
        self.error_count.append(as_i64(counts.errors));
        self.is_complete.append(counts.first_loss.is_none());
        let reason = counts.first_loss.as_ref().map(Fault::to_string);
        self.incomplete_reason.append(reason);
        self.source_url
            .append(download.map(|download| download.url.as_str()));
        self.source_etag
            .append(download.and_then(|download| download.etag.as_deref()));
        let modified = download.and_then(|download| download.modified);
        self.source_modified.append(modified.and_then(micros));
        let requests = download.map_or(0, |download| download.requests);
        self.request_count.append(as_i64(requests));
        self.tool_version.append(0);
        self.options_digest.append(0);
    }
}

/// Returns the microseconds from 1970 to a time; `None` before that.
fn micros(time: SystemTime) -> Option<i64> {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    i64::try_from(since.as_micros()).ok()
}
