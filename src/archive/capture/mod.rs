//! Conversion of records to captures: fetches of a robots.txt, and hops of redirects to or from
//! one.
//!
//! A [`Record`] becomes a [`Capture`], or is skipped for a named reason ([`Skip`]). The content of
//! a robots.txt is not known here: an error page is a capture like any other, and a dialect decides
//! what it means.

mod owned;
mod skip;
mod truncation;

use std::{collections::HashSet, sync::Arc};

use jiff::civil::{Date, date};

use crate::{
    archive::{
        cohort::Cohort,
        http::{ContentType, Decoder, Finding, Findings, Head},
        warc::{Record, RecordType},
    },
    digest::{Base32Digest, base32, sha1, sha1_of_list, stated},
    sniff::{self, BodyKind},
    url::Location,
};

pub(crate) use self::owned::OwnedCapture;
pub use self::skip::Skip;
pub(crate) use self::truncation::Truncation;

/// The most bytes of a value that may be cut: no address is as long, and few names of servers are.
const MAX_SHORT: usize = 64;

/// One fetch with its decoded payload.
#[derive(Clone, Debug)]
pub struct Capture<'a> {
    /// The URL and its parts.
    pub location: &'a Location,
    /// The time of the fetch in microseconds since 1970-01-01T00:00:00Z; `None` if the record has
    /// no valid date.
    pub fetch_time: Option<i64>,
    /// The status code; `None` without a valid status line.
    pub fetch_status: Option<u16>,
    /// The target of a redirect: the `Location` field resolved against the URL, or as written if
    /// that fails.
    pub fetch_redirect: Option<&'a str>,
    /// The address of the server as the archive states it (`WARC-IP-Address`), at most 64 bytes.
    pub fetch_ip: Option<&'a [u8]>,
    /// The field `Server`, at most 64 bytes.
    pub fetch_server: Option<&'a [u8]>,
    /// The declared type of the payload.
    pub content_type: ContentType<'a>,
    /// The media type detected from the payload.
    pub mime_detected: &'static str,
    /// Whether the payload is an HTML page by its first bytes; [`Capture::is_html_page`] asks the
    /// declared type too.
    pub is_html: bool,
    /// Why bytes are missing at the end, if any are.
    pub truncated: Option<Truncation>,
    /// The payload, with transfer and content codings removed.
    pub payload: &'a [u8],
    /// SHA-1 of the payload, base32: as stated by the archive if the payload is unchanged, else
    /// computed.
    pub digest: Base32Digest,
    /// The findings on the response and its record.
    pub findings: Findings,
}

impl Capture<'_> {
    /// Returns true if and only if a browser would read the payload as HTML: by its first bytes,
    /// or, where these only show that it is text, by the declared type (WHATWG MIME Sniffing,
    /// 7). So a page in UTF-16 is one, and a page that begins with a word.
    pub(crate) fn is_html_page(&self) -> bool {
        is_html_page(self.is_html, self.mime_detected, &self.content_type)
    }

    /// Returns the bytes of its texts and its payload.
    pub(crate) fn n_bytes(&self) -> usize {
        let location = self.location.url().len() + self.location.origin().len();
        let redirect = self.fetch_redirect.map_or(0, str::len);
        let mime = self.content_type.mime.map_or(0, <[u8]>::len);
        let charset = self.content_type.charset.map_or(0, <[u8]>::len);
        let ip = self.fetch_ip.map_or(0, <[u8]>::len);
        let server = self.fetch_server.map_or(0, <[u8]>::len);
        location + redirect + ip + server + mime + charset + self.payload.len()
    }

    /// Returns true if and only if the head of the response is longer than is read, 64 KiB, so
    /// that fields are missing.
    pub(crate) fn is_head_cut(&self) -> bool {
        self.findings.contains(Finding::HeadTooLong)
    }
}

/// A response that is a capture, a page, or both: a page to which the redirect of a robots.txt
/// leads.
#[derive(Debug)]
pub struct Response<'a> {
    /// What was fetched.
    pub capture: Capture<'a>,
    /// Whether it is a capture.
    pub is_capture: bool,
    /// The head of the response, if it is a page.
    pub page_head: Option<&'a [u8]>,
}

/// A converter of the records of one archive after the other, with buffers that are reused.
#[derive(Default)]
pub struct CaptureReader {
    max_body: usize,
    head: Head,
    decoder: Decoder,
    location: Location,
    /// The target of the current redirect; empty if it is not a URL.
    target: Location,
    /// The `Location` field, if the target is not a URL.
    unresolved: String,
    /// Hashes of the URLs to which redirects of this archive lead: their responses are captures
    /// whatever their paths are.
    awaited: HashSet<u64>,
    accepts_every_path: bool,
    /// Whether pages are found too: HTML ([`Capture::is_html_page`]), and what has a statement on
    /// itself in its header, or may have one beyond what is read of it.
    pub reads_pages: bool,
    /// Whose responses are read, with those of hosts to which their redirects lead; those of all
    /// hosts if `None`.
    pub(crate) cohort: Option<Arc<Cohort>>,
}

impl CaptureReader {
    /// Returns a reader that decodes at most `max_body` bytes of a body.
    pub fn new(max_body: usize) -> Self {
        Self {
            max_body,
            ..Self::default()
        }
    }

    /// Begins another archive. In a subset of robots.txt fetches alone, every response is a
    /// capture.
    pub fn begin(&mut self, is_robots_subset: bool) {
        self.awaited.clear();
        self.accepts_every_path = is_robots_subset;
    }

    /// Converts a record to a capture.
    ///
    /// # Errors
    ///
    /// The reason why the record is not a capture.
    pub fn read<'a>(&'a mut self, record: &Record<'a>) -> Result<Capture<'a>, Skip> {
        match self.read_response(record)? {
            Response {
                capture,
                is_capture: true,
                ..
            } => Ok(capture),
            _ => Err(Skip::NotRobotsPath),
        }
    }

    /// Converts a record to a capture or a page.
    ///
    /// # Errors
    ///
    /// The reason why the record is not a capture, if it is no page either.
    pub fn read_response<'a>(&'a mut self, record: &Record<'a>) -> Result<Response<'a>, Skip> {
        match record.record_type().ok_or(Skip::NoType)? {
            RecordType::Response => {}
            RecordType::WarcInfo => return Err(Skip::WarcInfo),
            RecordType::Request => return Err(Skip::Request),
            RecordType::Resource => return Err(Skip::Resource),
            RecordType::Metadata => return Err(Skip::Metadata),
            RecordType::Revisit => return Err(Skip::Revisit),
            RecordType::Conversion => return Err(Skip::Conversion),
            RecordType::Continuation => return Err(Skip::Continuation),
            RecordType::Other => return Err(Skip::OtherType),
        }
        let uri = record.target_uri().ok_or(Skip::NoTargetUri)?;
        let block = record.block;
        if !is_http(record.content_type(), block) {
            return Err(Skip::NotHttp);
        }
        self.location.parse(uri).map_err(|_| Skip::BadTargetUri)?;
        let is_awaited = self.is_awaited();
        // Most records of a run of few hosts end here, before anything of them is read.
        if !is_awaited && !self.is_in_cohort() {
            return Err(Skip::OutsideCohort);
        }
        self.head.parse(block);
        let status = self.head.status;
        let is_redirect = self.read_redirect(block, status);
        let is_robots_path = self.location.path() == ROBOTS_PATH;
        let is_capture = self.accepts_every_path
            || is_robots_path
            || is_awaited
            || is_redirect && self.target.path() == ROBOTS_PATH;
        let may_be_page = self.reads_pages && !is_robots_path && !self.accepts_every_path;
        if !is_capture && !may_be_page {
            return Err(Skip::NotRobotsPath);
        }
        let awaits = !self.accepts_every_path || self.cohort.is_some();
        if is_capture && is_redirect && awaits && !self.target.url().is_empty() {
            self.awaited.insert(hash(&self.target));
        }
        let decoded = self.decoder.decode(&self.head, block, self.max_body);
        let body_type = sniff::sniff(decoded.bytes);
        let is_html = body_type.kind == BodyKind::Html;
        let content_type =
            ContentType::parse(self.head.get(block, "content-type").unwrap_or_default());
        let is_page = may_be_page
            && (is_html_page(is_html, body_type.mime, &content_type)
                || may_have_statements(&self.head, block));
        if !is_capture && !is_page {
            return Err(Skip::NotRobotsPath);
        }
        let truncated = Truncation::from_record(record, decoded.loss);
        // The crawler's digest is of the archived bytes, not of decoded or truncated ones.
        let is_as_archived = decoded.bytes.len() == block.len() - self.head.body_offset
            && decoded.findings.is_empty()
            && truncated.is_none();
        let digest = record
            .payload_digest()
            .filter(|_| is_as_archived)
            .and_then(stated)
            .unwrap_or_else(|| base32(&sha1(decoded.bytes)));
        let mut findings = self.head.findings.union(decoded.findings);
        if record.is_cut {
            findings.insert(Finding::RecordCut);
        }
        let capture = Capture {
            location: &self.location,
            fetch_time: record.date().and_then(parse_time),
            fetch_status: status,
            fetch_redirect: is_redirect.then(|| match self.target.url() {
                "" => self.unresolved.as_str(),
                url => url,
            }),
            fetch_ip: record.ip_address().map(short),
            fetch_server: self.head.get(block, "server").map(short),
            content_type,
            mime_detected: body_type.mime,
            is_html,
            truncated,
            payload: decoded.bytes,
            digest,
            findings,
        };
        Ok(Response {
            capture,
            is_capture,
            page_head: is_page.then(|| &block[..self.head.body_offset]),
        })
    }

    /// Returns whether a redirect led to the URL before.
    fn is_awaited(&self) -> bool {
        !self.awaited.is_empty() && self.awaited.contains(&hash(&self.location))
    }

    fn is_in_cohort(&self) -> bool {
        let (location, cohort) = (&self.location, self.cohort.as_ref());
        cohort.is_none_or(|cohort| {
            let domain = || location.host_registered_domain();
            cohort.names.have(location.host_name(), domain)
        })
    }

    /// Resolves the target of a redirect, and returns false if the response is not one.
    fn read_redirect(&mut self, block: &[u8], status: Option<u16>) -> bool {
        if !matches!(status, Some(300..=399)) {
            return false;
        }
        let Some(reference) = self.head.get(block, "location") else {
            return false;
        };
        if self
            .target
            .parse_relative(&self.location, reference)
            .is_err()
        {
            self.unresolved.clear();
            self.unresolved
                .push_str(&String::from_utf8_lossy(reference));
        }
        true
    }
}

/// The path of a robots.txt (RFC 9309, 2.3). With a query it is another URL, but still a fetch of
/// the file.
pub(crate) const ROBOTS_PATH: &str = "/robots.txt";

/// The header fields in which a response of any type can state something about itself.
const STATEMENT_FIELDS: [&[u8]; 3] = [b"x-robots-tag", b"tdm-reservation", b"tdm-policy"];

fn is_html_page(is_html: bool, mime_detected: &str, declared: &ContentType<'_>) -> bool {
    is_html || mime_detected == sniff::TEXT && declared.is_html()
}

/// Returns true if and only if a head has a field with a statement, or has fields that were not
/// read.
fn may_have_statements(head: &Head, block: &[u8]) -> bool {
    head.findings.contains(Finding::HeadTooLong)
        || head.fields(block).any(|(name, _)| {
            let mut fields = STATEMENT_FIELDS.iter();
            fields.any(|field| field.eq_ignore_ascii_case(name))
        })
}

/// Returns the beginning of a value that is short in any sound archive.
fn short(value: &[u8]) -> &[u8] {
    &value[..value.len().min(MAX_SHORT)]
}

/// Returns true if and only if a response's block is HTTP, by its type, if it has one, or its first
/// bytes.
fn is_http(content_type: Option<&[u8]>, block: &[u8]) -> bool {
    const HTTP: &[u8] = b"application/http";
    content_type.is_none_or(|value| {
        value.len() >= HTTP.len() && value[..HTTP.len()].eq_ignore_ascii_case(HTTP)
    }) || block.starts_with(b"HTTP/")
}

/// Returns a hash of a URL that is the same for all spellings of its origin.
fn hash(url: &Location) -> u64 {
    let digest = sha1_of_list([url.origin(), url.path()].into_iter().chain(url.query()));
    u64::from_le_bytes(digest[..8].try_into().expect("a SHA-1 has 20 bytes"))
}

/// Returns the microseconds since 1970-01-01T00:00:00Z of a `WARC-Date` (ISO 28500, 5.4):
/// `YYYY-MM-DDThh:mm:ss`, a fraction of up to nine digits, `Z`; the 14 digits of older tools are
/// accepted too.
fn parse_time(text: &[u8]) -> Option<i64> {
    let mut numbers = [0_i64; 6];
    let widths = [4, 2, 2, 2, 2, 2];
    let mut rest = text;
    for (number, width) in numbers.iter_mut().zip(widths) {
        rest = match rest.first() {
            Some(b'-' | b'T' | b't' | b':' | b' ') => &rest[1..],
            _ => rest,
        };
        let digits = rest.get(..width)?;
        for digit in digits {
            *number = *number * 10 + i64::from((*digit as char).to_digit(10)?);
        }
        rest = &rest[width..];
    }
    let mut micros = 0;
    if let Some(fraction) = rest.strip_prefix(b".") {
        let digits = fraction.iter().take_while(|b| b.is_ascii_digit()).count();
        for i in 0..6 {
            let digit = fraction[..digits].get(i).map_or(0, |b| i64::from(b - b'0'));
            micros = micros * 10 + digit;
        }
        rest = &fraction[digits..];
    }
    let [year, month, day, hour, minute, second] = numbers;
    // A second 60 is a leap second.
    let is_clock = hour < 24 && minute < 60 && second <= 60;
    if !is_clock || !matches!(rest, b"" | b"Z" | b"z") {
        return None;
    }
    let day = Date::new(
        year.try_into().ok()?,
        month.try_into().ok()?,
        day.try_into().ok()?,
    )
    .ok()?;
    let days = day.duration_since(date(1970, 1, 1));
    let seconds = days.as_secs() + (hour * 60 + minute) * 60 + second;
    Some(seconds * 1_000_000 + micros)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_become_microseconds_and_nonsense_becomes_nothing() {
        let cases: [(&str, Option<i64>); 12] = [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("2015-09-23T03:25:08Z", Some(1_442_978_708_000_000)),
            ("2024-02-29T23:59:59Z", Some(1_709_251_199_000_000)),
            ("2025-01-12T11:03:13.123456Z", Some(1_736_679_793_123_456)),
            ("2025-01-12T11:03:13.5Z", Some(1_736_679_793_500_000)),
            (
                "2025-01-12T11:03:13.123456789Z",
                Some(1_736_679_793_123_456),
            ),
            ("20150923032508", Some(1_442_978_708_000_000)),
            ("2015-13-23T03:25:08Z", None),
            ("2015-02-29T03:25:08Z", None),
            ("2015-09-23", None),
            ("yesterday", None),
            ("2015-09-23T03:25:08+02:00", None),
        ];
        for (text, expected) in cases {
            assert_eq!(parse_time(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn dns_records_are_not_http_and_blocks_without_a_type_are() {
        assert!(is_http(Some(b"application/http; msgtype=response"), b""));
        assert!(is_http(None, b"User-agent: *"));
        assert!(is_http(Some(b"text/plain"), b"HTTP/1.1 200 OK"));
        assert!(!is_http(Some(b"text/dns"), b"20250101\nexample.com"));
    }
}
