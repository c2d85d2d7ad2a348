//! What was odd about a response: noticed, never fatal.
//!
//! What enters is the name of an oddity, what leaves is a set of them. This file refuses to know
//! how they are found.

/// Names one oddity of an archived response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
#[repr(u8)]
pub enum Finding {
    /// The block does not begin with a status line, so all of it is body (HTTP/0.9).
    StatusLineMissing,
    /// The status line holds no three-digit status code from 100 to 999.
    StatusCodeInvalid,
    /// A line of the head has no colon, or nothing before it, and was passed over.
    FieldWithoutColon,
    /// A field goes on in a second line (`obs-fold`, RFC 9112, 5.2).
    FieldFolded,
    /// The head is longer than [`MAX_HEAD_BYTES`](super::MAX_HEAD_BYTES), and the fields beyond
    /// were not recorded.
    HeadTooLong,
    /// The block ends before the empty line that ends the head, so there is no body.
    HeadUnterminated,
    /// `Content-Length` differs from the number of bytes archived.
    ContentLengthDiffers,
    /// The chunked coding is named, but the body does not begin with a chunk.
    ChunkingAbsent,
    /// A chunk has no valid size or no line end behind it, and the body was read up to there.
    ChunkingInvalid,
    /// The body ends before its last chunk.
    ChunkingTruncated,
    /// A coding is named that is not known here, and was not removed.
    CodingUnknown,
    /// A known coding is named, but the body is not encoded that way.
    CodingAbsent,
    /// The body is encoded, though no field names the coding, which was removed.
    CodingUnnamed,
    /// An encoded body is damaged or its checksum is wrong; what came out before was kept.
    CodingCorrupt,
    /// An encoded body ends too early; what came out was kept.
    CodingTruncated,
    /// Bytes follow the end of an encoded body, and were dropped.
    DataAfterEnd,
    /// More than [`MAX_CODINGS`](super::MAX_CODINGS) codings are named, and none was removed.
    TooManyCodings,
    /// The body is longer than the limit, and was cut there.
    OverLimit,
}

impl Finding {
    /// Lists every finding, in the order of declaration.
    pub const ALL: [Finding; 18] = [
        Finding::StatusLineMissing,
        Finding::StatusCodeInvalid,
        Finding::FieldWithoutColon,
        Finding::FieldFolded,
        Finding::HeadTooLong,
        Finding::HeadUnterminated,
        Finding::ContentLengthDiffers,
        Finding::ChunkingAbsent,
        Finding::ChunkingInvalid,
        Finding::ChunkingTruncated,
        Finding::CodingUnknown,
        Finding::CodingAbsent,
        Finding::CodingUnnamed,
        Finding::CodingCorrupt,
        Finding::CodingTruncated,
        Finding::DataAfterEnd,
        Finding::TooManyCodings,
        Finding::OverLimit,
    ];

    /// Returns the stable name that stands in tables, in snake case and beginning with `http_`.
    pub const fn code(self) -> &'static str {
        match self {
            Finding::StatusLineMissing => "http_status_line_missing",
            Finding::StatusCodeInvalid => "http_status_code_invalid",
            Finding::FieldWithoutColon => "http_field_without_colon",
            Finding::FieldFolded => "http_field_folded",
            Finding::HeadTooLong => "http_head_too_long",
            Finding::HeadUnterminated => "http_head_unterminated",
            Finding::ContentLengthDiffers => "http_content_length_differs",
            Finding::ChunkingAbsent => "http_chunking_absent",
            Finding::ChunkingInvalid => "http_chunking_invalid",
            Finding::ChunkingTruncated => "http_chunking_truncated",
            Finding::CodingUnknown => "http_coding_unknown",
            Finding::CodingAbsent => "http_coding_absent",
            Finding::CodingUnnamed => "http_coding_unnamed",
            Finding::CodingCorrupt => "http_coding_corrupt",
            Finding::CodingTruncated => "http_coding_truncated",
            Finding::DataAfterEnd => "http_data_after_end",
            Finding::TooManyCodings => "http_too_many_codings",
            Finding::OverLimit => "http_over_limit",
        }
    }

    /// Returns one sentence for people, in lower case and without a final stop.
    pub const fn describe(self) -> &'static str {
        match self {
            Finding::StatusLineMissing => "the response has no status line",
            Finding::StatusCodeInvalid => "the status line holds no status code from 100 to 999",
            Finding::FieldWithoutColon => "a line of the head is no field",
            Finding::FieldFolded => "a field is folded over several lines",
            Finding::HeadTooLong => "the head is too long, and its last fields were not read",
            Finding::HeadUnterminated => "the response ends inside its head",
            Finding::ContentLengthDiffers => "Content-Length differs from the bytes archived",
            Finding::ChunkingAbsent => "the body is not chunked, though the head says so",
            Finding::ChunkingInvalid => "the chunked body is damaged",
            Finding::ChunkingTruncated => "the chunked body ends too early",
            Finding::CodingUnknown => "the head names an unknown coding",
            Finding::CodingAbsent => "the body is not encoded as the head says",
            Finding::CodingUnnamed => "the body is encoded, though the head does not say so",
            Finding::CodingCorrupt => "the encoded body is damaged",
            Finding::CodingTruncated => "the encoded body ends too early",
            Finding::DataAfterEnd => "bytes follow the end of the encoded body",
            Finding::TooManyCodings => "the head names too many codings",
            Finding::OverLimit => "the body is longer than the limit",
        }
    }
}

/// A set of findings, one machine word wide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Findings(u32);

impl Findings {
    /// Returns the empty set.
    pub const fn new() -> Findings {
        Findings(0)
    }

    /// Returns true if and only if nothing was found.
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

    /// Walks over the findings in the order of declaration.
    pub fn iter(self) -> impl Iterator<Item = Finding> {
        Finding::ALL
            .into_iter()
            .filter(move |&finding| self.contains(finding))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_lists_each_finding_once_in_order() {
        for (index, finding) in Finding::ALL.into_iter().enumerate() {
            assert_eq!(finding as usize, index);
        }
        assert_eq!(Finding::OverLimit as usize + 1, Finding::ALL.len());
    }

    #[test]
    fn codes_are_distinct_and_in_snake_case() {
        let mut codes: Vec<&str> = Finding::ALL.into_iter().map(Finding::code).collect();
        assert!(codes.iter().all(|code| code.starts_with("http_")));
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
