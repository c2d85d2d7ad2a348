//! Lines as a dialect reads them.
//!
//! Enters: a body, its line model and a dialect. Leaves: a stream of statements. Here live the
//! tolerances of a line: misspelt keys, missing colons, byte order marks, NUL bytes and limits.
//! Groups are not known here.

use std::ops::ControlFlow;

use memchr::{memchr, memchr2};

use super::{
    python_text,
    spec::{ByteOrderMark, DialectSpec, FieldNames, MissingColon, TextModel},
};
use crate::robots::{Directive, Field, Line, RobotsTxt, Span, trim};

/// What one line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Statement {
    /// The number of the line, from 1.
    pub line: u32,
    /// Where the line begins in the body.
    pub offset: u32,
    pub what: What,
    /// The field that the key names; for a rule whose key only begins with a rule's name it may be
    /// another known field.
    pub field: Field,
    pub key: Span,
    pub value: Span,
}

/// The part that a statement plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    UserAgent,
    Allow,
    Disallow,
    /// A directive with any other key.
    Other,
    /// A line of white space, or for Python an empty one.
    BlankLine,
}

/// Calls `emit` with each statement of `body` in order, until it breaks.
pub(super) fn read(
    spec: &DialectSpec,
    body: &[u8],
    robots: &RobotsTxt,
    mut emit: impl FnMut(Statement) -> ControlFlow<()>,
) {
    let limit = spec
        .byte_limit
        .map_or(body.len(), |limit| body.len().min(limit as usize));
    for (index, line) in robots.lines().iter().enumerate() {
        if line.text().start as usize >= limit {
            break;
        }
        let number = index as u32 + 1;
        let start = line.text().start + skipped_mark(spec, robots, index);
        let counted = Span {
            start,
            end: line.text().end.min(limit as u32).max(start),
        };
        let flow = if spec.text == TextModel::PythonStr {
            python_text::read_line(body, counted, number, &mut emit)
        } else {
            match read_octets(spec, body, line, counted, number) {
                Some(statement) => emit(statement),
                None => ControlFlow::Continue(()),
            }
        };
        if flow.is_break() {
            break;
        }
    }
}

/// Returns the part that `key` plays, and the field it names.
pub(super) fn classify(names: FieldNames, key: &[u8], exact: Field) -> (What, Field) {
    match (exact, names) {
        (Field::UserAgent, _) => (What::UserAgent, exact),
        (Field::Allow, _) => (What::Allow, exact),
        (Field::Disallow, _) => (What::Disallow, exact),
        (_, FieldNames::Exact) => (What::Other, exact),
        (_, FieldNames::GooglePrefixes) => google_prefix(key, exact),
    }
}

fn skipped_mark(spec: &DialectSpec, robots: &RobotsTxt, index: usize) -> u32 {
    match spec.byte_order_mark {
        _ if index > 0 => 0,
        ByteOrderMark::PrefixSkipped => robots.bom_len(),
        ByteOrderMark::Skipped if robots.has_bom() => robots.bom_len(),
        ByteOrderMark::Skipped | ByteOrderMark::Kept => 0,
    }
}

fn read_octets(
    spec: &DialectSpec,
    body: &[u8],
    line: &Line,
    mut counted: Span,
    number: u32,
) -> Option<Statement> {
    if let Some(limit) = spec.line_limit {
        counted.end = counted.end.min(counted.start.saturating_add(limit));
    }
    if spec.text == TextModel::OctetsToNul && line.has_nul() {
        let nul = memchr(0, counted.of(body));
        counted.end = nul.map_or(counted.end, |at| counted.start + at as u32);
    }
    // Most lines count whole, and the parser has split those already. The first line may begin
    // with a byte order mark, on which dialects differ.
    let is_whole = number > 1 && counted.end == line.text().end;
    let directive = if is_whole {
        *line.directive()
    } else {
        Directive::split(counted.of(body), counted.start)
    };
    let content = directive.content();
    let (what, field, key, value) = if content.is_empty() {
        if directive.comment().is_some() {
            return None;
        }
        (What::BlankLine, Field::Unknown, content, content)
    } else {
        let (key, value) = match directive.separator() {
            Some(_) => (directive.key(), directive.value()),
            None if spec.missing_colon == MissingColon::TwoWords => two_words(body, content)?,
            None => return None,
        };
        if key.is_empty() {
            return None;
        }
        let exact = match (is_whole, directive.separator()) {
            (true, Some(_)) => line.field(),
            _ => Field::from_key(key.of(body)),
        };
        let (what, field) = classify(spec.field_names, key.of(body), exact);
        (what, field, key, value)
    };
    Some(Statement {
        line: number,
        offset: line.text().start,
        what,
        field,
        key,
        value,
    })
}

/// Parts a line without a colon at its first run of spaces and tabs, if that is the only one.
pub(super) fn two_words(body: &[u8], content: Span) -> Option<(Span, Span)> {
    let is_separator = |&byte: &u8| byte == b' ' || byte == b'\t';
    let text = content.of(body);
    // A line of a page may be as long as the body.
    let gap = memchr2(b' ', b'\t', text)?;
    let second = gap + text[gap..].iter().position(|byte| !is_separator(byte))?;
    if memchr2(b' ', b'\t', &text[second..]).is_some() {
        return None;
    }
    // The content is trimmed, so only the inner ends of the words can hold other white space.
    let key_len = trim(&text[..gap]).len();
    let value_len = trim(&text[second..]).len();
    let value_start = content.end - value_len as u32;
    Some((
        Span {
            start: content.start,
            end: content.start + key_len as u32,
        },
        Span {
            start: value_start,
            end: content.end,
        },
    ))
}

/// Finds the field whose name, or a misspelling of it that Google accepts, `key` begins with, in
/// the order in which Google's parser asks (`GetKeyType` of robots.cc).
fn google_prefix(key: &[u8], exact: Field) -> (What, Field) {
    const NAMES: [(&[u8], What, Field); 12] = [
        (b"user-agent", What::UserAgent, Field::UserAgent),
        (b"useragent", What::UserAgent, Field::UserAgent),
        (b"user agent", What::UserAgent, Field::UserAgent),
        (b"allow", What::Allow, Field::Allow),
        (b"disallow", What::Disallow, Field::Disallow),
        (b"dissallow", What::Disallow, Field::Disallow),
        (b"dissalow", What::Disallow, Field::Disallow),
        (b"disalow", What::Disallow, Field::Disallow),
        (b"diasllow", What::Disallow, Field::Disallow),
        (b"disallaw", What::Disallow, Field::Disallow),
        (b"sitemap", What::Other, Field::Sitemap),
        (b"site-map", What::Other, Field::Sitemap),
    ];
    let starts_with = |name: &[u8]| {
        key.get(..name.len())
            .is_some_and(|prefix| prefix.eq_ignore_ascii_case(name))
    };
    // Most other words, those of a page above all, begin with none of the names' letters.
    let may_start = matches!(
        key.first().map(u8::to_ascii_lowercase),
        Some(b'u' | b'a' | b'd' | b's')
    );
    let mut names = NAMES.iter().filter(|_| may_start);
    match names.find(|(name, ..)| starts_with(name)) {
        // A field of its own keeps its name, so that the line can be told from a misspelling.
        Some(&(_, what, _)) if exact.is_known() => (what, exact),
        Some(&(_, what, field)) => (what, field),
        None => (What::Other, exact),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{dialect::builtin, robots::parse};

    fn statements(dialect: &str, body: &[u8]) -> Vec<(u32, What, String, String)> {
        let spec = builtin(dialect).expect("the dialect is built in");
        let mut robots = RobotsTxt::new();
        parse(body, &mut robots);
        let mut found = Vec::new();
        read(&spec, body, &robots, |statement| {
            let text = |span: Span| String::from_utf8_lossy(span.of(body)).into_owned();
            if statement.what != What::BlankLine {
                let (key, value) = (text(statement.key), text(statement.value));
                found.push((statement.line, statement.what, key, value));
            }
            ControlFlow::Continue(())
        });
        found
    }

    macro_rules! reads {
        ($name:ident, $dialect:literal, $body:expr, [$($line:literal $what:ident $key:literal $value:literal),*]) => {
            #[test]
            fn $name() {
                let expected: Vec<(u32, What, String, String)> =
                    vec![$(($line, What::$what, $key.to_owned(), $value.to_owned())),*];
                assert_eq!(statements($dialect, $body), expected);
            }
        };
    }

    reads!(google_keys_are_prefixes, "google", b"Allowed:/a\nuser-agents:b\nDisallow /x: c\nSite-Maps:d",
        [1 Allow "Allowed" "/a", 2 UserAgent "user-agents" "b", 3 Disallow "Disallow /x" "c", 4 Other "Site-Maps" "d"]);
    reads!(google_missing_colon_needs_exactly_two_words, "google", b"disallow /a\nallow \t /b\nallow /c /d\nallow",
        [1 Disallow "disallow" "/a", 2 Allow "allow" "/b"]);
    reads!(google_two_words_may_have_other_white_space_inside, "google", b"allow\x0b \x0c/a",
        [1 Allow "allow" "/a"]);
    reads!(google_nul_ends_the_text_of_a_line, "google", b"allow: /a\0b\n\0allow: /c\nallow: /d#\0",
        [1 Allow "allow" "/a", 3 Allow "allow" "/d"]);
    reads!(google_skips_any_prefix_of_a_byte_order_mark, "google", b"\xefallow: /",
        [1 Allow "allow" "/"]);
    reads!(google_skips_one_byte_order_mark_only, "google", b"\xef\xbb\xbf\xef\xbb\xbfallow: /",
        [1 Other "\u{feff}allow" "/"]);
    reads!(rfc9309_skips_a_whole_byte_order_mark_only, "rfc9309", b"\xef\xbballow: /\nallow: /b",
        [1 Other "\u{fffd}allow" "/", 2 Allow "allow" "/b"]);
    reads!(rfc9309_reads_a_nul_as_a_byte, "rfc9309", b"allow: /\nallow: /a\0b",
        [1 Allow "allow" "/", 2 Allow "allow" "/a\0b"]);
    reads!(rfc9309_tolerates_no_misspelling, "rfc9309", b"disalow: /\nallow /\nallowed: /",
        [1 Other "disalow" "/", 3 Other "allowed" "/"]);
    reads!(an_empty_key_is_no_directive, "google", b": /x\n : \n", []);

    #[test]
    fn google_counts_16663_bytes_of_a_line() {
        let body = [b"allow: /", "x".repeat(17_000).as_bytes(), b"\nallow: /y"].concat();
        let found = statements("google", &body);
        assert_eq!(found[0].3.len(), 16_663 - "allow: ".len());
        assert_eq!(found[1].3, "/y");
        assert_eq!(statements("rfc9309", &body)[0].3.len(), 17_001);
    }

    #[test]
    fn a_line_is_read_as_far_as_the_byte_limit() {
        let mut body = vec![b'#'; 500 * 1024 - 10];
        body.extend_from_slice(b"\nallow: /abc\nallow: /d");
        let found = statements("rfc9309", &body);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].3, "/a");
        assert_eq!(statements("baidu", &body).len(), 2);
    }
}
