//! A lenient parser of WARC record headers (ISO 28500:2017, clauses 4 and 5): version line and
//! named fields, as spans.
//!
//! Departures from the standard, all of them seen in real archives:
//! - lines may end in LF alone, and white space may precede the colon (5.1 allows neither);
//! - a line without a colon, or with bytes outside ASCII in its name, is ignored;
//! - any version is accepted (4 names 1.0 and 1.1), since 0.17 and 0.18 differ in nothing that
//!   matters here;
//! - the first of several fields of one name counts;
//! - a version line ends a header that was truncated, even inside a line. Since a value may end
//!   like a version line (a URL with the path `/WARC/1.0`), one inside a line only counts if a
//!   complete header follows it.

use std::ops::Range;

use bstr::ByteSlice;
use memchr::memchr;

use super::sync::SYNC;
use crate::named::named;

named! {
    /// The type of a record: those of ISO 28500, or any other.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum RecordType {
        /// A description of the archive.
        WarcInfo = "warcinfo",
        /// The answer of a server.
        Response = "response",
        /// What a server was asked.
        Request = "request",
        /// A file that no server answered with.
        Resource = "resource",
        /// What describes another record.
        Metadata = "metadata",
        /// A response whose body is in another record.
        Revisit = "revisit",
        /// Another version of a record.
        Conversion = "conversion",
        /// The rest of a record in another file.
        Continuation = "continuation",
        /// Any other type.
        Other = "other",
    }
}

impl RecordType {
    fn from_value(value: &[u8]) -> Self {
        let is = |kind: &Self| value.eq_ignore_ascii_case(kind.as_str().as_bytes());
        Self::ALL.into_iter().find(is).unwrap_or(Self::Other)
    }
}

/// The extent of a header at the start of some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeaderEnd {
    /// The header has this many bytes, including its blank line.
    At(usize),
    /// The bytes end before the blank line.
    Open,
    /// The header was truncated: another record begins this many bytes after its start.
    Cut(usize),
}

/// The named fields that the reader uses, as spans into the header's bytes.
#[derive(Debug, Default)]
pub(super) struct Header {
    pub(super) record_type: Option<RecordType>,
    /// `None` if it is missing, `Some(None)` if it is no number.
    pub(super) content_length: Option<Option<u64>>,
    pub(super) target_uri: Option<Range<usize>>,
    pub(super) date: Option<Range<usize>>,
    pub(super) content_type: Option<Range<usize>>,
    pub(super) truncated: Option<Range<usize>>,
    pub(super) payload_digest: Option<Range<usize>>,
    pub(super) ip_address: Option<Range<usize>>,
}

impl Header {
    /// Returns true if and only if it has a type or a length, which every record must have (ISO
    /// 28500, 5.2).
    pub(super) fn names_type_or_length(&self) -> bool {
        self.record_type.is_some() || self.content_length.is_some()
    }

    /// Returns true if and only if it has the fields that every record of a fetch must have: a
    /// type, a length and a target (ISO 28500, 5.2 and 5.7).
    pub(super) fn is_complete(&self) -> bool {
        self.record_type.is_some()
            && self.content_length.is_some()
            && (self.target_uri.is_some() || self.record_type == Some(RecordType::WarcInfo))
    }

    /// Parses the header at the start of `bytes`, which begin with `WARC/`.
    ///
    /// At an offset where no record was expected, any version line inside it ends it, even one that
    /// may be part of a value. So the headers parsed at many such offsets do not overlap, and time
    /// stays linear.
    pub(super) fn parse(&mut self, bytes: &[u8], is_unexpected: bool) -> HeaderEnd {
        *self = Self::default();
        let Some(version_end) = memchr(b'\n', bytes) else {
            return HeaderEnd::Open;
        };
        // The version line inside a line at which this header may have been truncated, and the
        // fields after it.
        let mut cut = version_line_at_end(&bytes[..version_end]).filter(|&at| at > 0);
        let mut later = Self::default();
        let mut at = version_end + 1;
        loop {
            let Some(length) = memchr(b'\n', &bytes[at..]) else {
                return HeaderEnd::Open;
            };
            let mut end = at + length;
            if bytes[at..].starts_with(SYNC) {
                return HeaderEnd::Cut(at);
            }
            let line = &bytes[at..end];
            if line.trim_ascii().is_empty() && !starts_with_blank(line) {
                return match cut.filter(|_| later.is_complete()) {
                    Some(cut) => HeaderEnd::Cut(cut),
                    None => HeaderEnd::At(end + 1),
                };
            }
            if let Some(inside) = version_line_at_end(line)
                && !later.is_complete()
            {
                if is_unexpected {
                    return HeaderEnd::Cut(at + inside);
                }
                cut = Some(at + inside);
                later = Self::default();
            }
            // A line that begins with a blank continues the field before it (ISO 28500, 4,
            // "folded").
            while starts_with_blank(&bytes[end + 1..]) {
                match memchr(b'\n', &bytes[end + 1..]) {
                    Some(folded) => end += 1 + folded,
                    None => return HeaderEnd::Open,
                }
            }
            let line = &bytes[at..end];
            if let Some(colon) = memchr(b':', line) {
                let name = line[..colon].trim_ascii();
                let value = trimmed(bytes, at + colon + 1..end);
                if cut.is_some_and(|cut| cut < at) {
                    later.note(name, value.clone(), bytes);
                }
                self.note(name, value, bytes);
            }
            at = end + 1;
        }
    }

    /// Notes a field; the first of several of one name counts.
    fn note(&mut self, name: &[u8], value: Range<usize>, bytes: &[u8]) {
        let is = |wanted: &[u8]| name.eq_ignore_ascii_case(wanted);
        match name.len() {
            9 if is(b"warc-type") => {
                self.record_type
                    .get_or_insert_with(|| RecordType::from_value(&bytes[value]));
            }
            9 if is(b"warc-date") => first(&mut self.date, value),
            12 if is(b"content-type") => first(&mut self.content_type, value),
            14 if is(b"content-length") => {
                self.content_length
                    .get_or_insert_with(|| decimal(bytes[value].trim_with(|c| c == '"')));
            }
            14 if is(b"warc-truncated") => first(&mut self.truncated, value),
            15 if is(b"warc-target-uri") => first(&mut self.target_uri, value),
            15 if is(b"warc-ip-address") => first(&mut self.ip_address, value),
            19 if is(b"warc-payload-digest") => first(&mut self.payload_digest, value),
            _ => {}
        }
    }
}

/// Returns the offset in a line of the version line with which it ends: `WARC/`, digits, a dot and
/// digits.
pub(super) fn version_line_at_end(line: &[u8]) -> Option<usize> {
    let without_digits = |bytes: &'_ [u8]| {
        let n = bytes.iter().rev().take_while(|byte| byte.is_ascii_digit());
        bytes.len() - n.count()
    };
    let end = line.trim_ascii_end().len();
    let minor = without_digits(&line[..end]);
    let point = minor.checked_sub(1).filter(|_| minor < end)?;
    let major = without_digits(&line[..point]);
    let is_version = line[point] == b'.' && major < point && line[..major].ends_with(SYNC);
    is_version.then(|| major - SYNC.len())
}

fn starts_with_blank(line: &[u8]) -> bool {
    matches!(line.first(), Some(b' ' | b'\t'))
}

/// Returns a span without the white space around it.
pub(in crate::archive) fn trimmed(bytes: &[u8], span: Range<usize>) -> Range<usize> {
    let value = &bytes[span.clone()];
    let start = span.start + (value.len() - value.trim_ascii_start().len());
    start..start + value.trim_ascii().len()
}

fn first(field: &mut Option<Range<usize>>, value: Range<usize>) {
    if field.is_none() && !value.is_empty() {
        *field = Some(value);
    }
}

/// Returns the number written in decimal digits, `u64::MAX` for a larger one; `None` if there are
/// other bytes or none.
pub(in crate::archive) fn decimal(digits: &[u8]) -> Option<u64> {
    let digits = digits.to_str().ok()?;
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    // No file is as long as a number that a u64 cannot hold.
    is_number.then(|| digits.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> (Header, HeaderEnd) {
        let mut header = Header::default();
        let end = header.parse(text.as_bytes(), false);
        (header, end)
    }

    #[test]
    fn a_regular_header_gives_its_fields_and_its_length() {
        let text = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nContent-Length: 12\r\n\r\nblock";
        let (header, end) = parse(text);
        assert_eq!(end, HeaderEnd::At(text.len() - 5));
        assert_eq!(header.record_type, Some(RecordType::Response));
        assert_eq!(header.content_length, Some(Some(12)));
        assert_eq!(&text[header.target_uri.unwrap()], "http://a.example/");
    }

    #[test]
    fn names_ends_and_blanks_are_lenient_and_the_first_of_two_counts() {
        let (header, end) = parse(
            "WARC/0.18 \nno colon here\nwarc-TYPE :Response\ncontent-length:\t007 \nContent-Length: 9\nWARC-Date:\n 2025-01-01T00:00:00Z\n\n",
        );
        assert!(matches!(end, HeaderEnd::At(_)));
        assert_eq!(header.record_type, Some(RecordType::Response));
        assert_eq!(header.content_length, Some(Some(7)));
        assert!(header.date.is_some(), "a folded value is the field's value");
    }

    #[test]
    fn invalid_and_missing_lengths_are_distinguished() {
        let length = |value: &str| {
            parse(&format!("WARC/1.0\r\nContent-Length: {value}\r\n\r\n"))
                .0
                .content_length
        };
        assert_eq!(length("-5"), Some(None));
        assert_eq!(length(""), Some(None));
        assert_eq!(length("12x"), Some(None));
        assert_eq!(length("99999999999999999999999"), Some(Some(u64::MAX)));
        assert_eq!(parse("WARC/1.0\r\n\r\n").0.content_length, None);
    }

    #[test]
    fn a_header_in_which_another_begins_is_cut_there() {
        let (header, end) = parse(
            "WARC/1.0\r\nWARC-Type: request\r\nConWARC/1.0\r\nWARC/1.0\r\nWARC-Type: response\r\n\r\n",
        );
        assert_eq!(end, HeaderEnd::Cut(43));
        assert_eq!(header.record_type, Some(RecordType::Request));
    }

    #[test]
    fn a_header_cut_inside_any_of_its_lines_ends_at_the_next_version_line() {
        let cut = "WARC/1.0\r\nWARC-Type: request\r\nWARC-Target-URI: http://a.example/\r\nContent-Length: 9\r\n\r\n";
        let next = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://b.example/\r\nContent-Length: 7\r\n\r\n";
        for at in 5..cut.len() - 1 {
            let text = [&cut[..at], next].concat();
            assert_eq!(parse(&text).1, HeaderEnd::Cut(at), "cut at {at}");
        }
    }

    #[test]
    fn a_value_that_ends_like_a_version_line_cuts_nothing() {
        for fields in [
            "WARC-Type: response\r\nContent-Length: 9\r\nWARC-Target-URI: http://a.example/WARC/1.0\r\n",
            "WARC-Target-URI: http://a.example/WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 9\r\n",
            "Content-Length: 9\r\nWARC-Target-URI: http://a.example/WARC/1.0\r\nWARC-Type: request\r\n",
        ] {
            let text = format!("WARC/1.0\r\n{fields}\r\n");
            assert_eq!(parse(&text).1, HeaderEnd::At(text.len()), "{fields}");
        }
    }

    #[test]
    fn a_version_line_has_two_numbers() {
        let at = |line: &str| version_line_at_end(line.as_bytes());
        assert_eq!(at("WARC/1.0\r"), Some(0));
        assert_eq!(at("ConteWARC/0.18"), Some(5));
        for line in [
            "",
            "1",
            "1.0",
            "WARC/1",
            "WARC/.0",
            "WARC/1.",
            "WARC/1.0a",
            "warc/1.0",
        ] {
            assert_eq!(at(line), None, "{line}");
        }
    }

    #[test]
    fn a_header_without_its_blank_line_is_open_wherever_it_is_cut() {
        let text = "WARC/1.0\r\nWARC-Type: response\r\n folded\r\n\r\n";
        for cut in 0..text.len() {
            assert_eq!(parse(&text[..cut]).1, HeaderEnd::Open, "cut at {cut}");
        }
    }
}
