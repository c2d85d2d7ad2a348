//! Findings on a response: what violates the standard or prevents decoding, never fatal.

use crate::named::described;

/// An example of a response with a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Example {
    /// This response, with the default limit of a body.
    Response(&'static [u8]),
    /// A response that is too long to show, in words.
    Words(&'static str),
}

use Example::{Response, Words};

described! {
    /// A finding on an archived response, or on its record: an error where it means that bytes were
    /// lost, so that the lines of a file do not count.
    #[repr(u8)]
    pub enum Finding: Example;

    StatusLineMissing, "http_status_line_missing", Info,
    "The response has no status line, so all of it is body (HTTP/0.9).",
    Response(b"User-agent: *\n");
    StatusCodeInvalid, "http_status_code_invalid", Info,
    "The status line holds no status code from 100 to 999.",
    Response(b"HTTP/1.1 OK\r\n\r\n");
    FieldWithoutColon, "http_field_without_colon", Info,
    "A line of the head has no colon, or nothing before it, and was passed over.",
    Response(b"HTTP/1.1 200 OK\r\nno field\r\n\r\n");
    FieldFolded, "http_field_folded", Info,
    "A field goes on in a second line (obs-fold, RFC 9112, 5.2).",
    Response(b"HTTP/1.1 200 OK\r\nServer: a\r\n b\r\n\r\n");
    HeadTooLong, "http_head_too_long", Info,
    "The head is longer than 64 KiB, and the fields beyond were not read.",
    Words("a head of 65,537 bytes");
    HeadUnterminated, "http_head_unterminated", Info,
    "The response ends before the empty line that ends its head, so it has no body.",
    Response(b"HTTP/1.1 200 OK\r\nServer: a\r\n");
    ContentLengthDiffers, "http_content_length_differs", Info,
    "Content-Length differs from the number of bytes archived.",
    Response(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n# a\n");
    ChunkingAbsent, "http_chunking_absent", Info,
    "The head names the chunked coding, but the body does not begin with a chunk.",
    Response(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n# a\n");
    ChunkingInvalid, "http_chunking_invalid", Error,
    "A chunk has no valid size, or no line end behind it.",
    Response(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n# a\n\r\nx\r\n");
    ChunkingTruncated, "http_chunking_truncated", Error,
    "The body ends before its last chunk.",
    Response(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n# a\n\r\n");
    CodingUnknown, "http_coding_unknown", Info,
    "The head names a coding that is not known here, and it was not removed.",
    Response(b"HTTP/1.1 200 OK\r\nContent-Encoding: utf-8\r\n\r\n# a\n");
    CodingAbsent, "http_coding_absent", Info,
    "The head names a known coding, but the body is not encoded that way.",
    Response(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n# a\n");
    CodingUnnamed, "http_coding_unnamed", Info,
    "The body is encoded, though no field names the coding, which was removed.",
    Response(b"HTTP/1.1 200 OK\r\n\r\n4\r\n# a\n\r\n0\r\n\r\n");
    CodingCorrupt, "http_coding_corrupt", Error,
    "The encoded body is damaged, or its checksum or length is wrong.",
    Response(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\
        \x1f\x8b\x08\0\0\0\0\0\0\xff\x01\x01\0\xfe\xff#\0\0\0\0\x01\0\0\0");
    CodingTruncated, "http_coding_truncated", Error,
    "The encoded body ends too early.",
    Response(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\
        \x1f\x8b\x08\0\0\0\0\0\0\xff\x01\x01\0\xfe\xff#");
    DataAfterEnd, "http_data_after_end", Info,
    "Bytes follow the end of the encoded body, and were dropped.",
    Response(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\
        \x1f\x8b\x08\0\0\0\0\0\0\xff\x03\0\0\0\0\0\0\0\0\0# a\n");
    TooManyCodings, "http_too_many_codings", Info,
    "The head names more than five codings, and none was removed.",
    Response(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip, gzip, gzip, gzip, gzip\r\n\r\n# a\n");
    OverLimit, "http_over_limit", Info,
    "The body is longer than the limit of a body, and was truncated there.",
    Words("a body that is longer than the limit of a body");
    // Of the record, not of HTTP.
    RecordCut, "record_cut", Warning,
    "The record holds less than was archived, or its length is wrong.",
    Words("a record whose Content-Length is more than the bytes that follow");
}

/// A set of findings, as a bit set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Findings(u32);

impl Findings {
    /// Returns the empty set.
    pub const fn new() -> Findings {
        Findings(0)
    }

    /// Returns true if and only if the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns true if and only if `finding` is in the set.
    pub const fn contains(self, finding: Finding) -> bool {
        self.0 & (1 << finding as u8) != 0
    }

    /// Adds `finding` to the set.
    pub fn insert(&mut self, finding: Finding) {
        self.0 |= 1 << finding as u8;
    }

    /// Returns the findings of both sets.
    pub const fn union(self, other: Findings) -> Findings {
        Findings(self.0 | other.0)
    }

    /// Returns the findings in the order of declaration.
    pub fn iter(self) -> impl Iterator<Item = Finding> {
        Finding::ALL
            .iter()
            .copied()
            .filter(move |&finding| self.contains(finding))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::http::{Decoder, Head, head::MAX_HEAD_BYTES, named::MAX_CODINGS};

    #[test]
    fn all_lists_each_finding_once_in_order() {
        for (index, &finding) in Finding::ALL.iter().enumerate() {
            assert_eq!(finding as usize, index);
        }
        assert_eq!(Finding::RecordCut as usize + 1, Finding::ALL.len());
    }

    #[test]
    fn codes_are_distinct_and_in_snake_case() {
        let mut codes: Vec<&str> = Finding::ALL
            .iter()
            .map(|finding| finding.as_str())
            .collect();
        assert!(
            codes
                .iter()
                .all(|code| code.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'))
        );
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), Finding::ALL.len());
    }

    #[test]
    fn every_example_shows_its_finding() {
        let of_response = Finding::ALL
            .iter()
            .filter(|&&finding| finding != Finding::RecordCut);
        for &finding in of_response {
            let found = match finding.example() {
                Response(block) => found(block, 1_000),
                Words(_) if finding == Finding::OverLimit => found(b"HTTP/1.1 200\r\n\r\n# a", 2),
                Words(_) => {
                    let fields = "A: b\r\n".repeat(MAX_HEAD_BYTES / 6 + 1);
                    found(format!("HTTP/1.1 200\r\n{fields}\r\n").as_bytes(), 1_000)
                }
            };
            assert_eq!(found, [finding]);
        }
    }

    fn found(block: &[u8], limit: usize) -> Vec<Finding> {
        let mut head = Head::default();
        head.parse(block);
        let mut decoder = Decoder::default();
        let of_body = decoder.decode(&head, block, limit).findings;
        head.findings.union(of_body).iter().collect()
    }

    #[test]
    fn sentences_are_sentences() {
        for finding in Finding::ALL {
            let sentence = finding.sentence();
            assert!(sentence.starts_with(char::is_uppercase) && sentence.ends_with('.'));
        }
        assert!(
            Finding::HeadTooLong
                .sentence()
                .contains(&format!("{} KiB", MAX_HEAD_BYTES / 1024))
        );
        assert!(Finding::TooManyCodings.sentence().contains("five") && MAX_CODINGS == 5);
    }

    #[test]
    fn a_set_holds_what_was_inserted_and_nothing_else() {
        let mut set = Findings::new();
        assert!(set.is_empty());
        set.insert(Finding::OverLimit);
        set.insert(Finding::FieldFolded);
        assert!(set.contains(Finding::OverLimit) && !set.contains(Finding::HeadTooLong));
        let listed: Vec<Finding> = set.iter().collect();
        assert_eq!(listed, [Finding::FieldFolded, Finding::OverLimit]);
        assert_eq!(set.union(Findings::new()), set);
    }
}
