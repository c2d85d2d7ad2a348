//! The table `captures`: one row for each fetch.

use super::{
    as_i32, as_i64,
    column::{Bool, Int32, Int64, KnownName, Name, Text, Time},
    schema::{CC_INDEX, HTTP, WARC, table},
};
use crate::{
    capture::{Capture, Truncation},
    dialect::Access,
    digest::base32,
    evaluation::FileFacts,
};

table! {
    /// one fetch of a robots.txt, or a hop of a redirect to or from one
    "captures": pub struct CapturesBuilder {
        /// key of the capture: a function of the archive's name and the record's offset, rising
        /// inside a part
        capture_id: Int64 [delta],
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
        /// SURT of the URL: host and path, sortable by domain
        url_surtkey: Text [source(CC_INDEX)],
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
        /// scheme://host:port, the port always written: what the robots.txt applies to
        origin: Text [source("RFC 9309, 2.3")],
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
        /// the run); a 2xx counts as unreachable for all of them but length and limit
        content_truncated: Name [nullable, source(WARC)],
        /// digest of what groups and rules decide under the reference dialect. Equal: every agent
        /// gets the same verdict for every URL, though other lines may decide. Unequal: nothing is
        /// proven, since not every rule that can change no verdict is recognized. NULL in this and
        /// the next columns: the file is not read (access is not conditional)
        semantic_digest: Text [nullable, dictionary],
        /// whether the body looks like an HTML page by its first bytes
        is_html: Bool,
        /// whether the body has no bytes
        is_empty: Bool,
        /// whether the body begins with a UTF-8 byte order mark
        has_bom: Bool [nullable],
        /// lf, crlf, cr, mixed or none
        line_ending: Name [nullable],
        /// lines, as an editor counts them
        line_count: Int32 [nullable, unit("lines"), dictionary],
        /// rows of this capture in groups
        group_count: Int32 [nullable, unit("rows"), dictionary],
        /// rows of this capture in rules
        rule_count: Int32 [nullable, unit("rows"), dictionary],
        /// allow lines among them
        allow_count: Int32 [nullable, unit("lines"), dictionary],
        /// disallow lines among them
        disallow_count: Int32 [nullable, unit("lines"), dictionary],
        /// sitemap lines
        sitemap_count: Int32 [nullable, unit("lines"), dictionary],
        /// rows of this capture in errors
        error_count: Int32 [unit("rows"), dictionary],
        /// rows of this capture in response_errors
        response_error_count: Int32 [unit("rows"), dictionary],
        /// bytes of the body that are not read: those beyond the size limit of the reference
        /// dialect, or after 524,288 lines
        over_limit_bytes: Int64 [nullable, unit("bytes"), source("RFC 9309, 2.5")],
        /// what the fetch itself decides under the reference dialect: conditional (the lines
        /// decide), full_allow, full_disallow, undefined, redirect; a 2xx whose body is cut off or
        /// broken (content_truncated) is unreachable, and its lines are not read
        access: KnownName [source("RFC 9309, 2.3.1")],
        /// rows of verdict_sets that answer for this capture; NULL: the answers are rows of
        /// verdicts
        verdict_set_id: Int64 [nullable, dictionary],
    }
    with {
        /// A buffer for texts that are composed.
        text: String,
    }
}

/// The position of a capture in its archive.
#[derive(Clone, Copy, Debug)]
pub struct Provenance<'a> {
    /// The archive's name.
    pub warc_filename: &'a str,
    /// The crawl in that name.
    pub crawl: Option<&'a str>,
    /// The subset in that name.
    pub subset: Option<&'a str>,
    /// Offset of the record, bytes.
    pub offset: u64,
    /// Length of the record in the file, bytes.
    pub length: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
pub struct CaptureResult<'a> {
    /// What the fetch itself decides, by the reference dialect.
    pub access: Access,
    /// The facts on the file; `None` where it is not read.
    pub facts: Option<&'a FileFacts>,
    /// Rows of the capture in `errors`.
    pub error_count: usize,
    /// Rows of the capture in `response_errors`.
    pub response_error_count: usize,
    /// Key of its answers in `verdict_sets`, in a run of that form.
    pub verdict_set_id: Option<i64>,
}

/// The values of `access`, in the order of [`access_index`].
pub(crate) const ACCESS: [Access; 5] = [
    Access::Conditional,
    Access::FullAllow,
    Access::FullDisallow,
    Access::Undefined,
    Access::Redirect,
];

/// Returns the index of an access in [`ACCESS`].
pub(super) fn access_index(access: Access) -> usize {
    ACCESS
        .iter()
        .position(|&a| a == access)
        .expect("the list has every access")
}

impl CapturesBuilder {
    /// Returns a builder without rows.
    pub fn new() -> Self {
        Self {
            access: KnownName::new(ACCESS.map(Access::as_str)),
            ..Self::default()
        }
    }

    /// Appends a row.
    pub fn append(
        &mut self,
        capture_id: i64,
        provenance: &Provenance<'_>,
        capture: &Capture<'_>,
        result: &CaptureResult<'_>,
    ) {
        let facts = result.facts;
        self.capture_id.append(capture_id);
        self.crawl.append_option(provenance.crawl);
        self.subset.append_option(provenance.subset);
        self.warc_filename.append(provenance.warc_filename);
        self.warc_record_offset.append(as_i64(provenance.offset));
        self.warc_record_length
            .append_option(provenance.length.map(as_i64));
        let location = capture.location;
        self.url.append(location.url());
        self.text.clear();
        location.append_surtkey(&mut self.text);
        self.url_surtkey.append(&self.text);
        self.url_host_name.append(location.host_name());
        self.url_host_tld.append_option(location.host_tld());
        self.url_host_registered_domain
            .append_option(location.host_registered_domain());
        self.url_protocol.append(location.protocol());
        self.url_port.append_option(location.port().map(i32::from));
        self.url_path.append(location.path());
        self.url_query.append_option(location.query());
        self.origin.append(location.origin());
        self.fetch_time.append_option(capture.fetch_time);
        self.fetch_status
            .append_option(capture.fetch_status.map(i32::from));
        self.fetch_redirect.append_option(capture.fetch_redirect);
        self.text.clear();
        let has_type = capture.content_type.append_mime(&mut self.text);
        self.content_mime_type
            .append_option(has_type.then_some(self.text.as_str()));
        self.content_mime_detected.append(capture.mime_detected);
        let charset = capture.content_type.charset().map(String::from_utf8_lossy);
        self.content_charset.append_option(charset.as_deref());
        self.content_length
            .append(as_i64(capture.payload.len() as u64));
        self.content_digest.append(base32_text(&capture.digest));
        self.content_truncated
            .append_option(capture.truncated.map(Truncation::as_str));
        let semantic = facts.map(|facts| base32(&facts.semantic_digest));
        self.semantic_digest
            .append_option(semantic.as_ref().map(base32_text));
        self.is_html.append(capture.is_html);
        self.is_empty.append(capture.payload.is_empty());
        self.has_bom.append_option(facts.map(|facts| facts.has_bom));
        self.line_ending
            .append_option(facts.map(|facts| facts.line_ending.as_str()));
        let count = |of: fn(&FileFacts) -> u32| facts.map(|facts| as_i32(of(facts)));
        self.line_count
            .append_option(count(|facts| facts.line_count));
        self.group_count
            .append_option(count(|facts| facts.group_count));
        self.rule_count
            .append_option(count(|facts| facts.allow_count + facts.disallow_count));
        self.allow_count
            .append_option(count(|facts| facts.allow_count));
        self.disallow_count
            .append_option(count(|facts| facts.disallow_count));
        self.sitemap_count
            .append_option(count(|facts| facts.sitemap_count));
        self.error_count.append(as_i32(result.error_count));
        self.response_error_count
            .append(as_i32(result.response_error_count));
        self.over_limit_bytes
            .append_option(facts.map(|facts| i64::from(facts.over_limit_bytes)));
        self.access.append(access_index(result.access));
        self.verdict_set_id.append_option(result.verdict_set_id);
    }
}

fn base32_text(digest: &[u8; 32]) -> &str {
    std::str::from_utf8(digest).expect("base32 is ASCII")
}
