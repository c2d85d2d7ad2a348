//! The codes of findings on lines: each with a sentence, a severity and the smallest file that
//! shows it.

use crate::named::described;

described! {
    /// Something unusual about a robots.txt or one of its lines: first the codes of the whole file,
    /// then those of a line. The codes `beyond_size_limit` and `too_many_lines` have an empty
    /// example: their smallest ones have 500,001 bytes and 524,289 lines.
    pub enum AnomalyCode: &'static [u8];

    HtmlBody, "html_body", Error,
    "The body is an HTML page; only those of its lines that are directives count.",
    b"<html><body>Not found</body></html>\n";
    XmlBody, "xml_body", Error,
    "The body is an XML document; only those of its lines that are directives count.",
    b"<?xml version=\"1.0\"?>\n<Error><Code>AccessDenied</Code></Error>\n";
    GzipBody, "gzip_body", Error,
    "The body is a gzip stream that nobody announced, so crawlers read its bytes as text.",
    b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03";
    ImageBody, "image_body", Error,
    "The body is an image.",
    b"GIF89a\x01\x00\x01\x00";
    PdfBody, "pdf_body", Error,
    "The body is a PDF document.",
    b"%PDF-1.4\n";
    Utf16, "utf16", Error,
    "The body is UTF-16 where UTF-8 is required, so no line of it is a directive.",
    b"\xff\xfeA\x00l\x00l\x00o\x00w\x00:\x00/\x00";
    InvalidUtf8, "invalid_utf8", Warning,
    "The body holds bytes that are not UTF-8; one row for the file, at the first place.",
    b"User-agent: *\nDisallow: /caf\xe9\n";
    NulByte, "nul_byte", Warning,
    "The body holds NUL bytes; one row for the file, at the first place.",
    b"User-agent: *\nDisallow: /a\x00b\n";
    ByteOrderMark, "byte_order_mark", Info,
    "A UTF-8 byte order mark stands at the start of the file.",
    b"\xef\xbb\xbfUser-agent: *\nDisallow: /\n";
    RepeatedByteOrderMark, "repeated_byte_order_mark", Error,
    "A second byte order mark follows the first and spoils the first line.",
    b"\xef\xbb\xbf\xef\xbb\xbfUser-agent: *\n";
    ByteOrderMarkInside, "byte_order_mark_inside", Error,
    "A byte order mark stands behind the start of the file and spoils its line.",
    b"User-agent: *\n\xef\xbb\xbfDisallow: /\n";
    CrLineEnds, "cr_line_ends", Info,
    "Lines end with a lone CR, which many text tools do not show; one row for the file.",
    b"User-agent: *\rDisallow: /\r";
    BeyondSizeLimit, "beyond_size_limit", Warning,
    "The file is longer than some dialects read; rules behind the limit do not count there.",
    b"";
    TooManyLines, "too_many_lines", Warning,
    "The file has more than 524,288 lines, which is all that this program reads; rules behind them do not count in any dialect.",
    b"";
    LineTooLong, "line_too_long", Warning,
    "The line is longer than 16,663 bytes, and the google dialect drops the rest.",
    &LONG_LINE;
    MisspeltField, "misspelt_field", Error,
    "The key is no field but close to one.",
    b"User-agent: *\nDisalow: /\n";
    FieldReadAsRule, "field_read_as_rule", Warning,
    "The field begins with the name of another one, and the google dialect reads it as that.",
    b"User-agent: *\nDisallowAITraining: /\n";
    UnknownField, "unknown_field", Info,
    "The key is no known field, and crawlers ignore the line.",
    b"User-agent: *\nColor: blue\n";
    MissingColon, "missing_colon", Error,
    "A field and its value stand without a colon between them.",
    b"User-agent: *\nDisallow /\n";
    PathWithoutField, "path_without_field", Error,
    "A path stands alone on its line, without a field, and crawlers ignore it.",
    b"User-agent: *\n/private/\n";
    FullWidthColon, "full_width_colon", Error,
    "A full-width colon (U+FF1A) stands where a colon is needed.",
    b"User-agent\xef\xbc\x9a *\nDisallow: /\n";
    NonBreakingSpace, "non_breaking_space", Warning,
    "A no-break space (U+00A0) stands in a directive and is part of its key or value.",
    b"User-agent: *\nDisallow:\xc2\xa0/x\n";
    ZeroWidthSpace, "zero_width_space", Warning,
    "An invisible character (U+200B to U+200F, U+2060) stands in a key or a value and is part of it.",
    b"User-agent: *\nDisallow: \xe2\x80\x8b/x\n";
    RuleBeforeUserAgent, "rule_before_user_agent", Error,
    "The rule stands before any user-agent line and belongs to no group.",
    b"Disallow: /\nUser-agent: *\n";
    BlankLineInGroup, "blank_line_in_group", Warning,
    "A blank line stands inside a group, before a rule of it, and ends the group for some dialects; one row for the group, at its first one.",
    b"User-agent: *\n\nDisallow: /\n";
    AgentNotAProductToken, "agent_not_a_product_token", Warning,
    "The user-agent is neither * nor a product token (RFC 9309 section 2.2.1: letters, - and _).",
    b"User-agent: MJ12bot\nDisallow: /\n";
    DuplicateGroup, "duplicate_group", Info,
    "The user-agent was named before; some dialects merge the groups, others read the first.",
    b"User-agent: a\nDisallow: /x\nUser-agent: a\nDisallow: /y\n";
    DuplicateWildcardGroup, "duplicate_wildcard_group", Warning,
    "The user-agent * was named before; some dialects merge the groups, others read the first.",
    b"User-agent: *\nDisallow: /x\nUser-agent: *\nDisallow: /y\n";
    PathWithoutSlash, "path_without_slash", Warning,
    "The path begins neither with / nor with *, so in most dialects it matches nothing.",
    b"User-agent: *\nDisallow: private\n";
    CommentCutsPath, "comment_cuts_path", Warning,
    "A # stands inside the path and begins a comment, so the path ends before it.",
    b"User-agent: *\nDisallow: /a#b\n";
    ShadowedRule, "shadowed_rule", Info,
    "An equal rule, or an allow with the same path, stands in the group; this one never decides.",
    b"User-agent: *\nDisallow: /x\nDisallow: /x\n";
    AnchorInside, "anchor_inside", Warning,
    "A $ stands inside the path, where it is a plain byte and anchors nothing.",
    b"User-agent: *\nDisallow: /a$b\n";
    InvalidPercentEscape, "invalid_percent_escape", Warning,
    "A % in the path is not followed by two hex digits.",
    b"User-agent: *\nDisallow: /100%\n";
    RelativeSitemap, "relative_sitemap", Warning,
    "The sitemap is not an absolute URL.",
    b"Sitemap: /sitemap.xml\n";
    MalformedSitemap, "malformed_sitemap", Error,
    "The sitemap is empty, or an absolute URL without host or with white space inside.",
    b"Sitemap: https:///sitemap.xml\n";
    CrawlDelayNotANumber, "crawl_delay_not_a_number", Warning,
    "The crawl delay is not a number of seconds.",
    b"User-agent: *\nCrawl-delay: slow\n";
    RequestRateUnreadable, "request_rate_unreadable", Warning,
    "The request rate has not the form n/t[s|m|h] [HHMM-HHMM].",
    b"User-agent: *\nRequest-rate: slow\n";
    VisitTimeUnreadable, "visit_time_unreadable", Warning,
    "The visit time has not the form HHMM-HHMM.",
    b"User-agent: *\nVisit-time: at night\n";
    MalformedValue, "malformed_value", Warning,
    "The value of a known field does not have the form of that field.",
    b"User-agent: *\nContent-Signal: ai-train=perhaps\n";
}

static LONG_LINE: [u8; 16_665] = long_line();

/// The shortest line of which the google dialect drops a byte, and a line end.
const fn long_line() -> [u8; 16_665] {
    let mut line = [b'x'; 16_665];
    let start = b"Disallow: /";
    line.split_at_mut(start.len()).0.copy_from_slice(start);
    line[16_664] = b'\n';
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_distinct_and_snake_case() {
        let mut names: Vec<_> = AnomalyCode::ALL.iter().map(|code| code.as_str()).collect();
        for name in &names {
            assert!(
                name.bytes()
                    .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'))
            );
        }
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), AnomalyCode::ALL.len());
    }

    #[test]
    fn sentences_are_sentences() {
        for code in AnomalyCode::ALL {
            let sentence = code.sentence();
            assert!(sentence.starts_with(char::is_uppercase) && sentence.ends_with('.'));
        }
    }

    #[test]
    fn every_code_but_those_of_size_has_an_example() {
        for &code in AnomalyCode::ALL {
            assert_eq!(
                code.example().is_empty(),
                matches!(
                    code,
                    AnomalyCode::BeyondSizeLimit | AnomalyCode::TooManyLines
                )
            );
        }
    }
}
