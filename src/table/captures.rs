//! The table `captures`: one row for each fetch.

use std::sync::Arc;

use arrow_array::{
    RecordBatch,
    builder::BooleanBuilder,
    types::{Int32Type, Int64Type, TimestampMicrosecondType},
};
use arrow_schema::SchemaRef;

use super::{
    as_i32,
    column::{Known, Numbers, Repeated, Texts},
    schema::{CAPTURE_ID, CC_INDEX, HTTP, Kind, Table, WARC, optional, required},
};
use crate::{
    capture::{Capture, Truncation},
    dialect::Access,
    digest::base32,
    evaluation::FileFacts,
};

/// The table as data.
pub const TABLE: Table = Table {
    name: "captures",
    about: "one fetch of a robots.txt, or a hop of a redirect to or from one",
    columns: &[
        CAPTURE_ID,
        optional(
            "crawl",
            Kind::Name,
            "crawl that the archive's name names, such as CC-MAIN-2025-05",
        ).source(CC_INDEX),
        optional(
            "subset",
            Kind::Name,
            "subset that the archive's name names, such as robotstxt",
        ).source(CC_INDEX),
        required(
            "warc_filename",
            Kind::Name,
            "name of the archive",
        ).source(CC_INDEX),
        required(
            "warc_record_offset",
            Kind::Int64,
            "offset of the record's gzip member in the archive, or of the record in a plain archive",
        ).unit("bytes").source(CC_INDEX),
        optional(
            "warc_record_length",
            Kind::Int64,
            "length of that member or record in the archive; NULL: inside a member too large to be inflated as a whole",
        ).unit("bytes").source(CC_INDEX),
        required("url", Kind::Text, "URL that was fetched").source(CC_INDEX),
        required("url_surtkey", Kind::Text, "SURT of the URL: host and path, sortable by domain").source(CC_INDEX),
        required(
            "url_host_name",
            Kind::Text,
            "host of the URL, ASCII (IDNA) and lower case",
        ).source(CC_INDEX),
        optional(
            "url_host_tld",
            Kind::Name,
            "last label of the host; NULL: an IP address",
        ).source(CC_INDEX),
        optional(
            "url_host_registered_domain",
            Kind::Text,
            "registered domain, ICANN section; NULL: an IP address or a public suffix",
        ).source("public suffix list"),
        required("url_protocol", Kind::Name, "scheme of the URL, lower case").source(CC_INDEX),
        optional("url_port", Kind::Int32, "port, where the URL names one").source(CC_INDEX),
        required("url_path", Kind::Text, "path of the URL").source(CC_INDEX),
        optional(
            "url_query",
            Kind::Text,
            "query of the URL, without the question mark",
        ).source(CC_INDEX),
        required(
            "origin",
            Kind::Text,
            "scheme://host:port, the port always written: what the robots.txt speaks for",
        ).source("RFC 9309, 2.3"),
        optional("fetch_time", Kind::Time, "time of the fetch").unit("UTC, microseconds").source(WARC),
        optional(
            "fetch_status",
            Kind::Int32,
            "status code; NULL: the response has no readable status line",
        ).source(HTTP),
        optional(
            "fetch_redirect",
            Kind::Text,
            "where a 3xx leads, resolved against the URL",
        ).source(CC_INDEX),
        optional(
            "content_mime_type",
            Kind::Name,
            "media type as the server declared it, lower case, without parameters",
        ).source(HTTP),
        required(
            "content_mime_detected",
            Kind::Name,
            "media type that the bytes look like",
        ).source(CC_INDEX),
        optional(
            "content_charset",
            Kind::Name,
            "charset as the server declared it",
        ).source(CC_INDEX),
        required(
            "content_length",
            Kind::Int64,
            "body, transfer and content codings removed",
        ).unit("bytes"),
        required(
            "content_digest",
            Kind::Text,
            "SHA-1 of the body in base32: as the archive states it, computed where it does not or where the body was decoded or cut",
        ).source(CC_INDEX),
        optional(
            "content_truncated",
            Kind::Name,
            "why bytes of the body are missing: length (the crawler cut it on purpose), time, disconnect, unspecified (as the archive says), record (broken in the archive), decoding (a transfer or content coding ends early, is broken or cannot be undone), content_length (fewer bytes than Content-Length says), limit (longer than a limit of the run); a 2xx counts as unreachable for all of them but length and limit",
        ).source(WARC),
        optional(
            "semantic_digest",
            Kind::Text,
            "digest of what groups and rules decide under the reference dialect. Equal: every agent gets the same verdict for every URL, though other lines may decide. Unequal: nothing is proven, since not every rule that can change no verdict is recognized. NULL in this and the next columns: the file is not read (access is not conditional)",
        ),
        required(
            "is_html",
            Kind::Bool,
            "whether the body looks like an HTML page by its first bytes",
        ),
        required("is_empty", Kind::Bool, "whether the body has no bytes"),
        optional(
            "has_bom",
            Kind::Bool,
            "whether the body begins with a UTF-8 byte order mark",
        ),
        optional("line_ending", Kind::Name, "lf, crlf, cr, mixed or none"),
        optional("line_count", Kind::Int32, "lines, as an editor counts them").unit("lines"),
        optional("group_count", Kind::Int32, "rows of this capture in groups").unit("rows"),
        optional("rule_count", Kind::Int32, "rows of this capture in rules").unit("rows"),
        optional("allow_count", Kind::Int32, "allow lines among them").unit("lines"),
        optional("disallow_count", Kind::Int32, "disallow lines among them").unit("lines"),
        optional("sitemap_count", Kind::Int32, "sitemap lines").unit("lines"),
        required("error_count", Kind::Int32, "rows of this capture in errors").unit("rows"),
        optional(
            "over_limit_bytes",
            Kind::Int64,
            "bytes of the body that are not read because of the size limit of the reference dialect, or because they stand behind 524,288 lines",
        ).unit("bytes").source("RFC 9309, 2.5"),
        required(
            "access",
            Kind::Name,
            "what the fetch itself decides under the reference dialect: conditional (the lines decide), full_allow, full_disallow, undefined, redirect; a 2xx whose body is cut off or broken (content_truncated) is unreachable, and its lines are not read",
        ).source("RFC 9309, 2.3.1"),
        optional(
            "verdict_set_id",
            Kind::Int64,
            "rows of verdict_sets that answer for this capture; NULL: the answers are rows of verdicts",
        ),
    ],
};

/// Where a capture stands in its archive.
#[derive(Clone, Copy, Debug)]
pub struct Provenance<'a> {
    /// The archive's name.
    pub warc_filename: &'a str,
    /// The crawl and the subset that the name names.
    pub crawl: Option<&'a str>,
    /// See `crawl`.
    pub subset: Option<&'a str>,
    /// Offset of the record, bytes.
    pub offset: u64,
    /// Length of the record in the file, bytes.
    pub length: Option<u64>,
}

/// What the run found out about a capture.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// What the fetch itself decides, by the reference dialect.
    pub access: Access,
    /// What was read of the file; `None` where it is not read.
    pub facts: Option<&'a FileFacts>,
    /// Rows of the capture in `errors`.
    pub error_count: usize,
    /// Key of its answers in `verdict_sets`, in a run of that form.
    pub verdict_set_id: Option<i64>,
}

/// Builds rows of `captures`.
#[derive(Debug)]
pub struct Builder {
    schema: SchemaRef,
    capture_id: Numbers<Int64Type>,
    crawl: Repeated,
    subset: Repeated,
    warc_filename: Repeated,
    warc_record_offset: Numbers<Int64Type>,
    warc_record_length: Numbers<Int64Type>,
    url: Texts,
    url_surtkey: Texts,
    url_host_name: Texts,
    url_host_tld: Repeated,
    url_host_registered_domain: Texts,
    url_protocol: Repeated,
    url_port: Numbers<Int32Type>,
    url_path: Texts,
    url_query: Texts,
    origin: Texts,
    fetch_time: Numbers<TimestampMicrosecondType>,
    fetch_status: Numbers<Int32Type>,
    fetch_redirect: Texts,
    content_mime_type: Repeated,
    content_mime_detected: Repeated,
    content_charset: Repeated,
    content_length: Numbers<Int64Type>,
    content_digest: Texts,
    content_truncated: Repeated,
    semantic_digest: Texts,
    is_html: BooleanBuilder,
    is_empty: BooleanBuilder,
    has_bom: BooleanBuilder,
    line_ending: Repeated,
    line_count: Numbers<Int32Type>,
    group_count: Numbers<Int32Type>,
    rule_count: Numbers<Int32Type>,
    allow_count: Numbers<Int32Type>,
    disallow_count: Numbers<Int32Type>,
    sitemap_count: Numbers<Int32Type>,
    error_count: Numbers<Int32Type>,
    over_limit_bytes: Numbers<Int64Type>,
    access: Known,
    verdict_set_id: Numbers<Int64Type>,
    text: String,
}

/// The values of `access`, in the order of [`access_index`].
pub(super) const ACCESS: [Access; 5] = [
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
        .expect("every access stands in the list")
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            schema: TABLE.schema(),
            capture_id: Numbers::default(),
            crawl: Repeated::default(),
            subset: Repeated::default(),
            warc_filename: Repeated::default(),
            warc_record_offset: Numbers::default(),
            warc_record_length: Numbers::default(),
            url: Texts::default(),
            url_surtkey: Texts::default(),
            url_host_name: Texts::default(),
            url_host_tld: Repeated::default(),
            url_host_registered_domain: Texts::default(),
            url_protocol: Repeated::default(),
            url_port: Numbers::default(),
            url_path: Texts::default(),
            url_query: Texts::default(),
            origin: Texts::default(),
            fetch_time: Numbers::default(),
            fetch_status: Numbers::default(),
            fetch_redirect: Texts::default(),
            content_mime_type: Repeated::default(),
            content_mime_detected: Repeated::default(),
            content_charset: Repeated::default(),
            content_length: Numbers::default(),
            content_digest: Texts::default(),
            content_truncated: Repeated::default(),
            semantic_digest: Texts::default(),
            is_html: BooleanBuilder::new(),
            is_empty: BooleanBuilder::new(),
            has_bom: BooleanBuilder::new(),
            line_ending: Repeated::default(),
            line_count: Numbers::default(),
            group_count: Numbers::default(),
            rule_count: Numbers::default(),
            allow_count: Numbers::default(),
            disallow_count: Numbers::default(),
            sitemap_count: Numbers::default(),
            error_count: Numbers::default(),
            over_limit_bytes: Numbers::default(),
            access: Known::new(ACCESS.map(Access::as_str)),
            verdict_set_id: Numbers::default(),
            text: String::new(),
        }
    }
}

impl Builder {
    /// Appends a row.
    pub fn append(
        &mut self,
        capture_id: i64,
        provenance: &Provenance<'_>,
        capture: &Capture<'_>,
        found: &Found<'_>,
    ) {
        let facts = found.facts;
        self.capture_id.append(capture_id);
        self.crawl.append(provenance.crawl);
        self.subset.append(provenance.subset);
        self.warc_filename.append(Some(provenance.warc_filename));
        self.warc_record_offset.append(as_i64(provenance.offset));
        self.warc_record_length
            .append_option(provenance.length.map(as_i64));
        let location = capture.location;
        self.url.append(location.url());
        self.text.clear();
        location.append_surtkey(&mut self.text);
        self.url_surtkey.append(&self.text);
        self.url_host_name.append(location.host_name());
        self.url_host_tld.append(location.host_tld());
        self.url_host_registered_domain
            .append_option(location.host_registered_domain());
        self.url_protocol.append(Some(location.protocol()));
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
            .append(has_type.then_some(self.text.as_str()));
        self.content_mime_detected
            .append(Some(capture.mime_detected));
        let charset = capture.content_type.charset().map(String::from_utf8_lossy);
        self.content_charset.append(charset.as_deref());
        self.content_length
            .append(as_i64(capture.payload.len() as u64));
        self.content_digest.append(base32_text(&capture.digest));
        self.content_truncated
            .append(capture.truncated.map(Truncation::as_str));
        let semantic = facts.map(|facts| base32(&facts.semantic_digest));
        self.semantic_digest
            .append_option(semantic.as_ref().map(base32_text));
        self.is_html.append_value(capture.is_html);
        self.is_empty.append_value(capture.payload.is_empty());
        self.has_bom.append_option(facts.map(|facts| facts.has_bom));
        self.line_ending
            .append(facts.map(|facts| facts.line_ending.as_str()));
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
        self.error_count
            .append(i32::try_from(found.error_count).unwrap_or(i32::MAX));
        self.over_limit_bytes
            .append_option(facts.map(|facts| i64::from(facts.over_limit_bytes)));
        self.access.append(access_index(found.access));
        self.verdict_set_id.append_option(found.verdict_set_id);
    }

    /// Returns the rows appended since the last call.
    pub fn finish(&mut self) -> RecordBatch {
        let columns: Vec<arrow_array::ArrayRef> = vec![
            Arc::new(self.capture_id.finish()),
            self.crawl.finish(),
            self.subset.finish(),
            self.warc_filename.finish(),
            Arc::new(self.warc_record_offset.finish()),
            Arc::new(self.warc_record_length.finish()),
            Arc::new(self.url.finish()),
            Arc::new(self.url_surtkey.finish()),
            Arc::new(self.url_host_name.finish()),
            self.url_host_tld.finish(),
            Arc::new(self.url_host_registered_domain.finish()),
            self.url_protocol.finish(),
            Arc::new(self.url_port.finish()),
            Arc::new(self.url_path.finish()),
            Arc::new(self.url_query.finish()),
            Arc::new(self.origin.finish()),
            Arc::new(self.fetch_time.finish().with_timezone("UTC")),
            Arc::new(self.fetch_status.finish()),
            Arc::new(self.fetch_redirect.finish()),
            self.content_mime_type.finish(),
            self.content_mime_detected.finish(),
            self.content_charset.finish(),
            Arc::new(self.content_length.finish()),
            Arc::new(self.content_digest.finish()),
            self.content_truncated.finish(),
            Arc::new(self.semantic_digest.finish()),
            Arc::new(self.is_html.finish()),
            Arc::new(self.is_empty.finish()),
            Arc::new(self.has_bom.finish()),
            self.line_ending.finish(),
            Arc::new(self.line_count.finish()),
            Arc::new(self.group_count.finish()),
            Arc::new(self.rule_count.finish()),
            Arc::new(self.allow_count.finish()),
            Arc::new(self.disallow_count.finish()),
            Arc::new(self.sitemap_count.finish()),
            Arc::new(self.error_count.finish()),
            Arc::new(self.over_limit_bytes.finish()),
            self.access.finish(),
            Arc::new(self.verdict_set_id.finish()),
        ];
        super::batch(&self.schema, columns)
    }

    /// Returns the number of rows appended since the last call of [`Builder::finish`].
    pub fn n_rows(&self) -> usize {
        self.capture_id.len()
    }

    /// Returns the bytes of the texts appended since the last call of [`Builder::finish`] that a
    /// server or an archive may make long.
    pub fn n_bytes(&self) -> usize {
        self.url.n_bytes()
            + self.url_surtkey.n_bytes()
            + self.url_path.n_bytes()
            + self.url_query.n_bytes()
            + self.origin.n_bytes()
            + self.fetch_redirect.n_bytes()
            + self.content_mime_type.n_bytes()
            + self.content_charset.n_bytes()
    }
}

fn base32_text(digest: &[u8; 32]) -> &str {
    std::str::from_utf8(digest).expect("base32 is ASCII")
}

fn as_i64(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}
