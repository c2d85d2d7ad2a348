//! The columns of a fetch: where its record is, what was asked for and what was answered.

use super::{CC_INDEX, HTTP, Int32, Int64, Name, Text, Time, WARC, as_i64, columns};
use crate::{
    archive::{
        capture::{Capture, Truncation},
        input::ArchiveSource,
    },
    digest::Base32Digest,
};

columns! {
    /// The columns of one fetch, of a robots.txt or of a page.
    pub(super) struct FetchColumns {
        /// crawl in the archive's name, such as CC-MAIN-2025-05
        crawl: Name [nullable, source(CC_INDEX)],
        /// subset in the archive's name, such as robotstxt
        subset: Name [nullable, source(CC_INDEX)],
        /// name of the archive
        warc_filename: Name [source(CC_INDEX), statistics],
        /// offset of the record's gzip member in the archive, or of the record in a plain archive
        warc_record_offset: Int64 [unit("bytes"), source(CC_INDEX), delta],
        /// length of that member or record in the archive; NULL: inside a member too large to be
        /// inflated as a whole
        warc_record_length: Int64 [nullable, unit("bytes"), source(CC_INDEX)],
        /// URL that was fetched
        url: Text [source(CC_INDEX)],
        /// host of the URL, ASCII (IDNA) and lower case
        url_host_name: Text [source(CC_INDEX), bloom_filter],
        /// last label of the host; NULL: an IP address
        url_host_tld: Name [nullable, source(CC_INDEX)],
        /// registered domain, ICANN section; NULL: an IP address or a public suffix
        url_host_registered_domain: Text [nullable, source("public suffix list")],
        /// scheme of the URL, lower case
        url_protocol: Name [source(CC_INDEX)],
        /// port, where the URL names one
        url_port: Int32 [nullable, source(CC_INDEX)],
        /// path of the URL
        url_path: Text [source(CC_INDEX)],
        /// query of the URL, without the question mark
        url_query: Text [nullable, source(CC_INDEX)],
        /// time of the fetch
        fetch_time: Time [nullable, unit("UTC, microseconds"), source(WARC), delta],
        /// status code; NULL: the response has no readable status line
        fetch_status: Int32 [nullable, source(HTTP), dictionary],
        /// target of a 3xx, resolved against the URL
        fetch_redirect: Text [nullable, source(CC_INDEX)],
        /// media type as the server declared it, lower case, without parameters
        content_mime_type: Name [nullable, source(HTTP)],
        /// media type that the bytes look like
        content_mime_detected: Name [source(CC_INDEX)],
        /// charset as the server declared it
        content_charset: Name [nullable, source(CC_INDEX)],
        /// length of the body, transfer and content codings removed
        content_length: Int64 [unit("bytes")],
        /// SHA-1 of the body in base32: as the archive states it, computed where it does not or
        /// where the body was decoded or cut
        content_digest: Text [source(CC_INDEX), bloom_filter],
        /// why bytes of the body are missing: length (the crawler cut it on purpose), time,
        /// disconnect, unspecified (as the archive states), record (broken in the archive),
        /// decoding (a transfer or content coding ends early, is broken or cannot be undone),
        /// content_length (fewer bytes than Content-Length states), limit (longer than a limit of
        /// the run); a robots.txt with a 2xx counts as unreachable for all but length and limit
        content_truncated: Name [nullable, source(WARC)],
    }
    with {
        /// A buffer for texts that are composed.
        text: String,
    }
}

/// The position of a capture in its archive.
#[derive(Clone, Copy, Debug)]
pub struct Provenance<'a> {
    /// The archive.
    pub archive: &'a ArchiveSource,
    /// Offset of the record, bytes.
    pub offset: u64,
    /// Length of the record in the file, bytes.
    pub length: Option<u64>,
}

impl FetchColumns {
    /// Appends a fetch.
    pub(super) fn append(&mut self, provenance: &Provenance<'_>, capture: &Capture<'_>) {
        let archive = provenance.archive;
        self.crawl.append(archive.crawl.as_deref());
        self.subset.append(archive.subset.as_deref());
        self.warc_filename.append(&archive.name);
        self.warc_record_offset.append(as_i64(provenance.offset));
        self.warc_record_length
            .append(provenance.length.map(as_i64));
        let location = capture.location;
        self.url.append(location.url());
        self.url_host_name.append(location.host_name());
        self.url_host_tld.append(location.host_tld());
        self.url_host_registered_domain
            .append(location.host_registered_domain());
        self.url_protocol.append(location.protocol());
        self.url_port.append(location.port().map(i32::from));
        self.url_path.append(location.path());
        self.url_query.append(location.query());
        self.fetch_time.append(capture.fetch_time);
        self.fetch_status
            .append(capture.fetch_status.map(i32::from));
        self.fetch_redirect.append(capture.fetch_redirect);
        self.text.clear();
        let has_type = capture.content_type.append_mime(&mut self.text);
        self.content_mime_type
            .append(has_type.then_some(self.text.as_str()));
        self.content_mime_detected.append(capture.mime_detected);
        let charset = capture.content_type.charset;
        self.content_charset
            .append(charset.map(String::from_utf8_lossy));
        self.content_length
            .append(as_i64(capture.payload.len() as u64));
        self.content_digest.append(base32_text(&capture.digest));
        self.content_truncated
            .append(capture.truncated.map(Truncation::as_str));
    }
}

/// Returns a digest as text.
pub(super) fn base32_text(digest: &Base32Digest) -> &str {
    std::str::from_utf8(digest).expect("base32 is ASCII")
}
