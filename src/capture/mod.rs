//! From a record to a capture: one fetch of a robots.txt, or a hop of a redirect to or from one.
//!
//! Enters: a [`Record`]. Leaves: a [`Capture`], or the named reason why the record is none
//! ([`Skip`]). This room knows HTTP and URLs; it refuses to know what a robots.txt says. A page of
//! errors is a capture like any other: what it means is for a dialect to decide.

mod code;
mod owned;
mod truncation;

use std::collections::HashSet;

use crate::{
    digest::{Base32Digest, base32, sha1, stated},
    http::{ContentType, Decoder, Findings, Head},
    origin::Location,
    sniff::{BodyKind, sniff},
    warc::{Record, RecordType},
};

pub use self::code::ResponseCode;
pub(crate) use self::owned::OwnedCapture;
pub(crate) use self::truncation::Truncation;

/// One fetch, ready to be parsed and written.
#[derive(Debug)]
pub struct Capture<'a> {
    /// The URL and its parts.
    pub location: &'a Location,
    /// When it was fetched, in microseconds since 1970-01-01T00:00:00Z; `None` if the record does
    /// not say.
    pub fetch_time: Option<i64>,
    /// The status code; `None` if there is no readable status line.
    pub fetch_status: Option<u16>,
    /// Where a redirect leads: the `Location` field resolved against the URL, or as written where
    /// that fails.
    pub fetch_redirect: Option<&'a str>,
    /// The declared type of the payload.
    pub content_type: ContentType<'a>,
    /// The type that the bytes look like.
    pub mime_detected: &'static str,
    /// Whether the bytes look like an HTML page.
    pub is_html: bool,
    /// Why bytes are missing at the end, if any are.
    pub truncated: Option<Truncation>,
    /// The payload, with transfer and content codings removed.
    pub payload: &'a [u8],
    /// SHA-1 of the payload, base32: as the archive states it where the payload is what was
    /// archived, else computed.
    pub digest: Base32Digest,
    /// What was odd about the response.
    pub findings: Findings,
    /// Whether the archive's record holds less than was archived.
    pub is_cut: bool,
}

/// Why a record is no capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Skip {
    /// A `warcinfo` record: what the archive says of itself.
    WarcInfo,
    /// A `request` record.
    Request,
    /// A `resource` record.
    Resource,
    /// A `metadata` record.
    Metadata,
    /// A `revisit` record: the payload stands elsewhere.
    Revisit,
    /// A `conversion` record.
    Conversion,
    /// A `continuation` record.
    Continuation,
    /// A record of another type.
    OtherType,
    /// A record without a type.
    NoType,
    /// A response without a target URI.
    NoTargetUri,
    /// A response whose target URI is no URL with a host.
    BadTargetUri,
    /// A response of another protocol than HTTP.
    NotHttp,
    /// A response for another path than `/robots.txt`, and no hop of a redirect to or from one.
    NotRobotsPath,
}

impl Skip {
    /// Every reason, in the order of the enum.
    pub const ALL: [Self; 13] = [
        Self::WarcInfo,
        Self::Request,
        Self::Resource,
        Self::Metadata,
        Self::Revisit,
        Self::Conversion,
        Self::Continuation,
        Self::OtherType,
        Self::NoType,
        Self::NoTargetUri,
        Self::BadTargetUri,
        Self::NotHttp,
        Self::NotRobotsPath,
    ];

    /// Returns the name that the summary and the columns of `archives` show.
    pub fn name(self) -> &'static str {
        match self {
            Self::WarcInfo => "warcinfo",
            Self::Request => "request",
            Self::Resource => "resource",
            Self::Metadata => "metadata",
            Self::Revisit => "revisit",
            Self::Conversion => "conversion",
            Self::Continuation => "continuation",
            Self::OtherType => "other_type",
            Self::NoType => "no_type",
            Self::NoTargetUri => "no_target_uri",
            Self::BadTargetUri => "bad_target_uri",
            Self::NotHttp => "not_http",
            Self::NotRobotsPath => "not_robots_path",
        }
    }
}

/// Makes captures of the records of one archive after the other; its buffers serve for all of them.
pub struct CaptureReader {
    max_body: usize,
    head: Head,
    decoder: Decoder,
    location: Location,
    /// Where the redirect at hand leads; empty if that is no URL.
    target: Location,
    /// What its field says, where that is no URL.
    unresolved: String,
    /// URLs that redirects of this archive lead to, as hashes: their captures count although their
    /// paths may be any.
    awaited: HashSet<u64>,
    keep_every_path: bool,
}

impl CaptureReader {
    /// Returns a reader that decodes at most `max_body` bytes of a body.
    pub fn new(max_body: usize) -> Self {
        Self {
            max_body,
            head: Head::new(),
            decoder: Decoder::new(),
            location: Location::new(),
            target: Location::new(),
            unresolved: String::new(),
            awaited: HashSet::new(),
            keep_every_path: false,
        }
    }

    /// Begins another archive. In one of a subset of nothing but robots.txt fetches, every response
    /// is a capture.
    pub fn begin(&mut self, is_robots_subset: bool) {
        self.awaited.clear();
        self.keep_every_path = is_robots_subset;
    }

    /// Makes a capture of a record, or says why it is none.
    ///
    /// # Errors
    ///
    /// The reason why the record is no capture.
    pub fn read<'a>(&'a mut self, record: &Record<'a>) -> Result<Capture<'a>, Skip> {
        match record.record_type() {
            RecordType::Response => {}
            other => return Err(skip_for(other)),
        }
        let uri = record.target_uri().ok_or(Skip::NoTargetUri)?;
        let block = record.block;
        if !is_http(record.content_type(), block) {
            return Err(Skip::NotHttp);
        }
        self.location.parse(uri).map_err(|_| Skip::BadTargetUri)?;
        self.head.parse(block);
        let status = self.head.status();
        let is_redirect = self.read_redirect(block, status);
        if !self.keep_every_path {
            let is_hop = self.location.path() == ROBOTS_PATH
                || self.awaited.contains(&hash(self.location.url()))
                || is_redirect && self.target.path() == ROBOTS_PATH;
            if !is_hop {
                return Err(Skip::NotRobotsPath);
            }
            if is_redirect && !self.target.url().is_empty() {
                self.awaited.insert(hash(self.target.url()));
            }
        }
        let decoded = self.decoder.decode(&self.head, block, self.max_body);
        let truncated = Truncation::of(record, decoded.loss);
        // What was decoded or cut is not what the crawler made its digest of.
        let is_as_archived = decoded.bytes.len() == block.len() - self.head.body_offset()
            && decoded.findings.is_empty()
            && truncated.is_none();
        let digest = record
            .payload_digest()
            .filter(|_| is_as_archived)
            .and_then(stated)
            .unwrap_or_else(|| base32(&sha1(decoded.bytes)));
        let body_type = sniff(decoded.bytes);
        let content_type =
            ContentType::parse(self.head.get(block, "content-type").unwrap_or_default());
        Ok(Capture {
            location: &self.location,
            fetch_time: record.date().and_then(parse_time),
            fetch_status: status,
            fetch_redirect: is_redirect.then(|| match self.target.url() {
                "" => self.unresolved.as_str(),
                url => url,
            }),
            content_type,
            mime_detected: body_type.mime,
            is_html: body_type.kind == BodyKind::Html,
            truncated,
            payload: decoded.bytes,
            digest,
            findings: self.head.findings().union(decoded.findings),
            is_cut: record.is_cut,
        })
    }

    /// Reads where a response leads, and returns whether it does.
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

/// The path of a robots.txt (RFC 9309, 2.3). A query behind it is another URL, but a fetch that was
/// meant for the file all the same.
const ROBOTS_PATH: &str = "/robots.txt";

fn skip_for(kind: RecordType) -> Skip {
    match kind {
        RecordType::WarcInfo => Skip::WarcInfo,
        RecordType::Request => Skip::Request,
        RecordType::Resource => Skip::Resource,
        RecordType::Metadata => Skip::Metadata,
        RecordType::Revisit => Skip::Revisit,
        RecordType::Conversion => Skip::Conversion,
        RecordType::Continuation => Skip::Continuation,
        RecordType::Missing => Skip::NoType,
        RecordType::Response | RecordType::Other => Skip::OtherType,
    }
}

/// Returns true if and only if a response's block is HTTP, by its type or, where that says nothing,
/// by its first bytes.
fn is_http(content_type: Option<&[u8]>, block: &[u8]) -> bool {
    const HTTP: &[u8] = b"application/http";
    content_type.is_none_or(|value| {
        value.len() >= HTTP.len() && value[..HTTP.len()].eq_ignore_ascii_case(HTTP)
    }) || block.starts_with(b"HTTP/")
}

fn hash(url: &str) -> u64 {
    let digest = sha1(url.as_bytes());
    u64::from_le_bytes(digest[..8].try_into().expect("a SHA-1 has 20 bytes"))
}

/// Returns the microseconds since 1970-01-01T00:00:00Z of a `WARC-Date` (ISO 28500, 5.4):
/// `YYYY-MM-DDThh:mm:ss`, a fraction of up to nine digits, `Z`; the 14 digits of older tools are
/// read too.
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
    let is_date = (1..=12).contains(&month) && (1..=31).contains(&day);
    let is_clock = hour < 24 && minute < 60 && second <= 60;
    if !is_date || !is_clock || !matches!(rest, b"" | b"Z" | b"z") {
        return None;
    }
    let seconds = ((days_since_1970(year, month, day) * 24 + hour) * 60 + minute) * 60 + second;
    Some(seconds * 1_000_000 + micros)
}

/// Returns the days from 1970-01-01 to a day of the Gregorian calendar.
///
/// Years are counted from March, so that the leap day is a year's last; then 400 years have 146,097
/// days, and the months before one another have 153 days in every five.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_become_microseconds_and_nonsense_becomes_nothing() {
        let cases: [(&str, Option<i64>); 11] = [
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
            ("2015-09-23", None),
            ("yesterday", None),
            ("2015-09-23T03:25:08+02:00", None),
        ];
        for (text, expected) in cases {
            assert_eq!(parse_time(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn dns_records_are_not_http_and_unnamed_blocks_are_judged_by_their_bytes() {
        assert!(is_http(Some(b"application/http; msgtype=response"), b""));
        assert!(is_http(None, b"User-agent: *"));
        assert!(is_http(Some(b"text/plain"), b"HTTP/1.1 200 OK"));
        assert!(!is_http(Some(b"text/dns"), b"20250101\nexample.com"));
    }
}
