//! The lines of a body as a dialect interprets them.
//!
//! This file has the tolerances of a line: byte order marks, NUL bytes and limits.

use std::ops::ControlFlow;

use memchr::memchr;

use super::{
    definition::{ByteOrderMark, Dialect, MissingColon, TextModel},
    line::{DialectLine, Role, classify, two_words},
    python,
};
use crate::robots::lines::{Directive, Field, Line, RobotsTxt, Span};

/// Calls `emit` with each line of `body` that the dialect does not ignore, in order, until it
/// breaks.
pub(super) fn interpret(
    dialect: &Dialect,
    body: &[u8],
    robots: &RobotsTxt,
    mut emit: impl FnMut(DialectLine) -> ControlFlow<()>,
) {
    let limit = dialect
        .byte_limit
        .map_or(body.len(), |limit| body.len().min(limit as usize));
    for (index, line) in robots.lines().iter().enumerate() {
        if line.text.start as usize >= limit {
            break;
        }
        let number = index as u32 + 1;
        let start = line.text.start + skipped_mark(dialect, robots, index);
        let counted = Span::new(start, line.text.end.min(limit as u32).max(start));
        let flow = if dialect.text == TextModel::PythonStr {
            python::interpret_line(dialect, body, counted, number, &mut emit)
        } else {
            match interpret_octets(dialect, body, line, counted, number) {
                Some(line) => emit(line),
                None => ControlFlow::Continue(()),
            }
        };
        if flow.is_break() {
            break;
        }
    }
}

fn skipped_mark(dialect: &Dialect, robots: &RobotsTxt, index: usize) -> u32 {
    match dialect.byte_order_mark {
        _ if index > 0 => 0,
        ByteOrderMark::PrefixSkipped => robots.bom_len(),
        ByteOrderMark::Skipped if robots.has_bom() => robots.bom_len(),
        ByteOrderMark::Skipped | ByteOrderMark::Retained => 0,
    }
}

fn interpret_octets(
    dialect: &Dialect,
    body: &[u8],
    line: &Line,
    mut counted: Span,
    number: u32,
) -> Option<DialectLine> {
    if let Some(limit) = dialect.line_limit {
        counted.end = counted.end.min(counted.start.saturating_add(limit));
    }
    if dialect.text == TextModel::OctetsToNul && line.has_nul {
        let nul = memchr(0, counted.of(body));
        counted.end = nul.map_or(counted.end, |at| counted.start + at as u32);
    }
    // Most lines count whole, and the parser has already split those. The first line may begin with
    // a byte order mark, on which dialects differ.
    let is_whole = number > 1 && counted.end == line.text.end;
    let directive = if is_whole {
        line.directive
    } else {
        Directive::split(counted.of(body), counted.start)
    };
    let content = directive.content();
    let (role, field, key, value) = if content.is_empty() {
        if directive.comment().is_some() {
            return None;
        }
        (Role::BlankLine, Field::Unknown, content, content)
    } else {
        let (key, value) = match directive.separator() {
            Some(_) => (directive.key(), directive.value()),
            None if dialect.missing_colon == MissingColon::TwoWords => two_words(body, content)?,
            None => return None,
        };
        if key.is_empty() {
            return None;
        }
        let exact = match (is_whole, directive.separator()) {
            (true, Some(_)) => line.field,
            _ => Field::from_key(key.of(body)),
        };
        let (role, field) = classify(dialect.field_names, key.of(body), exact);
        (role, field, key, value)
    };
    Some(DialectLine {
        number,
        offset: line.text.start,
        role,
        field,
        key,
        value,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots::{dialect::testing::dialect, lines::parse};

    fn lines(name: &str, body: &[u8]) -> Vec<(u32, Role, String, String)> {
        let mut robots = RobotsTxt::new();
        parse(body, &mut robots);
        let mut found = Vec::new();
        interpret(&dialect(name), body, &robots, |line| {
            let text = |span: Span| String::from_utf8_lossy(span.of(body)).into_owned();
            if line.role != Role::BlankLine {
                found.push((line.number, line.role, text(line.key), text(line.value)));
            }
            ControlFlow::Continue(())
        });
        found
    }

    macro_rules! interprets {
        ($name:ident, $dialect:literal, $body:expr, [$($line:literal $role:ident $key:literal $value:literal),*]) => {
            #[test]
            fn $name() {
                let expected: Vec<(u32, Role, String, String)> =
                    vec![$(($line, Role::$role, $key.to_owned(), $value.to_owned())),*];
                assert_eq!(lines($dialect, $body), expected);
            }
        };
    }

    interprets!(google_keys_are_prefixes, "google", b"AllowedAnswers:/a\nuser-agents:b\nDisallow /x: c\nSite-Maps:d",
        [1 Allow "AllowedAnswers" "/a", 2 UserAgent "user-agents" "b", 3 Disallow "Disallow /x" "c", 4 Other "Site-Maps" "d"]);
    interprets!(google_missing_colon_needs_exactly_two_words, "google", b"disallow /a\nallow \t /b\nallow /c /d\nallow",
        [1 Disallow "disallow" "/a", 2 Allow "allow" "/b"]);
    interprets!(google_two_words_may_have_other_white_space_inside, "google", b"allow\x0b \x0c/a",
        [1 Allow "allow" "/a"]);
    interprets!(google_nul_ends_the_text_of_a_line, "google", b"allow: /a\0b\n\0allow: /c\nallow: /d#\0",
        [1 Allow "allow" "/a", 3 Allow "allow" "/d"]);
    interprets!(google_skips_any_prefix_of_a_byte_order_mark, "google", b"\xefallow: /",
        [1 Allow "allow" "/"]);
    interprets!(google_skips_one_byte_order_mark_only, "google", b"\xef\xbb\xbf\xef\xbb\xbfallow: /",
        [1 Other "\u{feff}allow" "/"]);
    interprets!(rfc9309_skips_a_whole_byte_order_mark_only, "rfc9309", b"\xef\xbballow: /\nallow: /b",
        [1 Other "\u{fffd}allow" "/", 2 Allow "allow" "/b"]);
    interprets!(a_nul_is_a_byte_for_rfc9309, "rfc9309", b"allow: /\nallow: /a\0b",
        [1 Allow "allow" "/", 2 Allow "allow" "/a\0b"]);
    interprets!(rfc9309_tolerates_no_misspelling, "rfc9309", b"disalow: /\nallow /\nallowed: /",
        [1 Other "disalow" "/", 3 Other "allowed" "/"]);
    interprets!(an_empty_key_is_no_directive, "google", b": /x\n : \n", []);

    #[test]
    fn google_counts_16663_bytes_of_a_line() {
        let body = [b"allow: /", "x".repeat(17_000).as_bytes(), b"\nallow: /y"].concat();
        let found = lines("google", &body);
        assert_eq!(found[0].3.len(), 16_663 - "allow: ".len());
        assert_eq!(found[1].3, "/y");
        assert_eq!(lines("rfc9309", &body)[0].3.len(), 17_001);
    }

    #[test]
    fn a_line_is_cut_at_the_byte_limit() {
        let mut body = vec![b'#'; 500 * 1024 - 10];
        body.extend_from_slice(b"\nallow: /abc\nallow: /d");
        let found = lines("rfc9309", &body);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].3, "/a");
        assert_eq!(lines("baidu", &body).len(), 2);
    }
}
