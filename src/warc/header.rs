//! The header of a WARC record: version line and named fields, as spans, read leniently (ISO 28500:2017, clauses 4 and 5).
//!
//! Departures from the standard, all of them seen in real archives:
//! - lines may end in LF alone, field names may have any case and blanks before the colon (5.1 wants neither);
//! - a line without a colon, or with bytes outside ASCII in its name, is passed over;
//! - any version is read (4 names 1.0 and 1.1), since 0.17 and 0.18 differ in nothing that matters here;
//! - of a field that stands twice, the first counts.

use std::ops::Range;

use bstr::ByteSlice;
use memchr::memchr;

use super::stream::SYNC;

/// The kinds of record that ISO 28500 names, and what else there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RecordType {
    /// `warcinfo`
    WarcInfo,
    /// `response`
    Response,
    /// `request`
    Request,
    /// `resource`
    Resource,
    /// `metadata`
    Metadata,
    /// `revisit`
    Revisit,
    /// `conversion`
    Conversion,
    /// `continuation`
    Continuation,
    /// Any other type.
    Other,
    /// No WARC-Type at all.
    #[default]
    Missing,
}

impl RecordType {
    fn from_value(value: &[u8]) -> Self {
        const NAMES: [(&[u8], RecordType); 8] = [
            (b"response", RecordType::Response),
            (b"request", RecordType::Request),
            (b"warcinfo", RecordType::WarcInfo),
            (b"resource", RecordType::Resource),
            (b"metadata", RecordType::Metadata),
            (b"revisit", RecordType::Revisit),
            (b"conversion", RecordType::Conversion),
            (b"continuation", RecordType::Continuation),
        ];
        NAMES
            .iter()
            .find(|(name, _)| value.eq_ignore_ascii_case(name))
            .map_or(Self::Other, |&(_, kind)| kind)
    }
}

/// What a header says of the length of the block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ContentLength {
    #[default]
    Missing,
    Invalid,
    Bytes(u64),
}

/// How far a header at the start of some bytes goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeaderEnd {
    /// The header, its blank line included, is this long.
    At(usize),
    /// The bytes end before the blank line.
    Open,
    /// Another record begins before the blank line: the header was cut.
    Cut,
}

/// The named fields that matter here, as spans into the header's bytes.
#[derive(Debug, Default)]
pub(super) struct Header {
    pub(super) record_type: RecordType,
    pub(super) content_length: ContentLength,
    pub(super) target_uri: Option<Range<usize>>,
    pub(super) date: Option<Range<usize>>,
    pub(super) content_type: Option<Range<usize>>,
    pub(super) truncated: Option<Range<usize>>,
    pub(super) payload_digest: Option<Range<usize>>,
}

impl Header {
    /// Returns true if and only if it says of what type or how long its record is, as every record must (ISO 28500, 5.2).
    pub(super) fn is_telling(&self) -> bool {
        self.record_type != RecordType::Missing || self.content_length != ContentLength::Missing
    }

    /// Reads the header at the start of `bytes`, which begin with `WARC/`.
    pub(super) fn parse(&mut self, bytes: &[u8]) -> HeaderEnd {
        *self = Self::default();
        let mut has_type = false;
        let mut has_length = false;
        let Some(version_end) = memchr(b'\n', bytes) else {
            return HeaderEnd::Open;
        };
        let mut at = version_end + 1;
        loop {
            let Some(length) = memchr(b'\n', &bytes[at..]) else {
                return HeaderEnd::Open;
            };
            let mut end = at + length;
            if bytes[at..].starts_with(SYNC) {
                return HeaderEnd::Cut;
            }
            if bytes[at..end].trim_ascii().is_empty() && !starts_with_blank(&bytes[at..end]) {
                return HeaderEnd::At(end + 1);
            }
            // A line that begins with a blank continues the field above it (ISO 28500, 4, "folded").
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
                match name.len() {
                    9 if !has_type && name.eq_ignore_ascii_case(b"warc-type") => {
                        has_type = true;
                        self.record_type = RecordType::from_value(&bytes[value]);
                    }
                    14 if !has_length && name.eq_ignore_ascii_case(b"content-length") => {
                        has_length = true;
                        self.content_length = length_of(&bytes[value]);
                    }
                    15 => first(&mut self.target_uri, name, b"warc-target-uri", value),
                    9 => first(&mut self.date, name, b"warc-date", value),
                    12 => first(&mut self.content_type, name, b"content-type", value),
                    14 => first(&mut self.truncated, name, b"warc-truncated", value),
                    19 => first(
                        &mut self.payload_digest,
                        name,
                        b"warc-payload-digest",
                        value,
                    ),
                    _ => {}
                }
            }
            at = end + 1;
        }
    }
}

fn starts_with_blank(line: &[u8]) -> bool {
    matches!(line.first(), Some(b' ' | b'\t'))
}

fn trimmed(bytes: &[u8], span: Range<usize>) -> Range<usize> {
    let value = &bytes[span.clone()];
    let start = span.start + (value.len() - value.trim_ascii_start().len());
    start..start + value.trim_ascii().len()
}

fn first(field: &mut Option<Range<usize>>, name: &[u8], wanted: &[u8], value: Range<usize>) {
    if field.is_none() && !value.is_empty() && name.eq_ignore_ascii_case(wanted) {
        *field = Some(value);
    }
}

fn length_of(value: &[u8]) -> ContentLength {
    let digits = value.trim_with(|c| c == '"');
    match digits
        .to_str()
        .ok()
        .filter(|d| d.bytes().all(|b| b.is_ascii_digit()))
    {
        // More digits than a u64 holds are a length no file has: as large as can be said.
        Some(d) if !d.is_empty() => ContentLength::Bytes(d.parse().unwrap_or(u64::MAX)),
        _ => ContentLength::Invalid,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> (Header, HeaderEnd) {
        let mut header = Header::default();
        let end = header.parse(text.as_bytes());
        (header, end)
    }

    #[test]
    fn a_regular_header_gives_its_fields_and_its_length() {
        let text = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nContent-Length: 12\r\n\r\nblock";
        let (header, end) = parse(text);
        assert_eq!(end, HeaderEnd::At(text.len() - 5));
        assert_eq!(header.record_type, RecordType::Response);
        assert_eq!(header.content_length, ContentLength::Bytes(12));
        assert_eq!(&text[header.target_uri.unwrap()], "http://a.example/");
    }

    #[test]
    fn names_ends_and_blanks_are_read_leniently_and_the_first_of_two_counts() {
        let (header, end) = parse(
            "WARC/0.18 \nno colon here\nwarc-TYPE :Response\ncontent-length:\t007 \nContent-Length: 9\nWARC-Date:\n 2025-01-01T00:00:00Z\n\n",
        );
        assert!(matches!(end, HeaderEnd::At(_)));
        assert_eq!(header.record_type, RecordType::Response);
        assert_eq!(header.content_length, ContentLength::Bytes(7));
        assert!(header.date.is_some(), "a folded value is the field's value");
    }

    #[test]
    fn lengths_that_are_no_lengths_are_told_apart() {
        let length = |value: &str| {
            parse(&format!("WARC/1.0\r\nContent-Length: {value}\r\n\r\n"))
                .0
                .content_length
        };
        assert_eq!(length("-5"), ContentLength::Invalid);
        assert_eq!(length(""), ContentLength::Invalid);
        assert_eq!(length("12x"), ContentLength::Invalid);
        assert_eq!(
            length("99999999999999999999999"),
            ContentLength::Bytes(u64::MAX)
        );
        assert_eq!(
            parse("WARC/1.0\r\n\r\n").0.content_length,
            ContentLength::Missing
        );
    }

    #[test]
    fn a_header_in_which_another_begins_is_cut_there() {
        let (header, end) = parse(
            "WARC/1.0\r\nWARC-Type: request\r\nConWARC/1.0\r\nWARC/1.0\r\nWARC-Type: response\r\n\r\n",
        );
        assert_eq!(end, HeaderEnd::Cut);
        assert_eq!(header.record_type, RecordType::Request);
    }

    #[test]
    fn a_header_without_its_blank_line_is_open_wherever_it_is_cut() {
        let text = "WARC/1.0\r\nWARC-Type: response\r\n folded\r\n\r\n";
        for cut in 0..text.len() {
            assert_eq!(parse(&text[..cut]).1, HeaderEnd::Open, "cut at {cut}");
        }
    }
}
