//! Python's `str`, as far as `urllib.robotparser` uses it.
//!
//! Physical lines are split and trimmed as `splitlines`, `strip` and `split(':', 1)` do on text
//! decoded from UTF-8 with replacement. Values stay as written; they are unquoted where they are
//! compared.

use std::{borrow::Cow, ops::ControlFlow};

use bstr::ByteSlice;

use crate::robots::{
    dialect::{
        definition::{Dialect, MissingColon},
        line::{DialectLine, Role, classify, two_words},
    },
    lines::{Field, Span},
};

/// Calls `emit` with the lines of one physical line, which may be several for Python: VT, FF, the
/// separators U+001C to U+001E, NEL, U+2028 and U+2029 end a line too.
pub fn interpret_line(
    dialect: &Dialect,
    body: &[u8],
    line: Span,
    number: u32,
    emit: &mut impl FnMut(DialectLine) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut rest = line;
    loop {
        let end = line_end(rest.of(body));
        let len = end.map_or(rest.len(), |(at, _)| at as u32);
        let text = Span::new(rest.start, rest.start + len);
        if let Some((role, field, key, value)) = interpret(dialect, body, text) {
            emit(DialectLine {
                number,
                offset: line.start,
                role,
                field,
                key,
                value,
            })?;
        }
        match end {
            Some((_, len)) => rest.start = text.end + len as u32,
            None => return ControlFlow::Continue(()),
        }
    }
}

/// Returns true if and only if a physical line is for Python an empty line, or several of which one
/// is empty.
pub fn has_empty_line(body: &[u8], line: Span) -> bool {
    let mut rest = line.of(body);
    while let Some((at, len)) = line_end(rest) {
        if at == 0 {
            return true;
        }
        rest = &rest[at + len..];
    }
    rest.is_empty()
}

/// Returns true if and only if Python's `str.isspace` is true of `char`.
pub fn is_space(char: char) -> bool {
    char.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&char)
}

/// Returns `text` as `str.strip()` does.
pub fn strip(text: &[u8]) -> &[u8] {
    text.trim_with(is_space)
}

/// Returns `text` as `bytes.decode("utf-8", "replace")` does.
pub fn decode(text: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(text)
}

/// Appends `text` as `str.lower()` returns it.
pub fn lower(text: &str, out: &mut Vec<u8>) {
    let start = out.len();
    if text.is_ascii() {
        out.extend_from_slice(text.as_bytes());
        out[start..].make_ascii_lowercase();
    } else {
        out.extend_from_slice(text.to_lowercase().as_bytes());
    }
}

/// Appends the name of a crawler in the form in which it is compared: in lower case. Python decodes
/// escapes in the file only. Bytes that are not UTF-8 stay as they are and so are equal to nothing
/// in a file, whose invalid bytes are replaced.
pub fn fold_name(name: &[u8], out: &mut Vec<u8>) {
    for chunk in name.utf8_chunks() {
        lower(chunk.valid(), out);
        out.extend_from_slice(chunk.invalid());
    }
}

/// Returns the role, the field, the key and the value of one of Python's lines.
fn interpret(dialect: &Dialect, body: &[u8], mut text: Span) -> Option<(Role, Field, Span, Span)> {
    if text.is_empty() {
        return Some((Role::BlankLine, Field::Unknown, text, text));
    }
    if let Some(limit) = dialect.line_limit {
        text.end = text.end.min(text.start.saturating_add(limit));
    }
    let bytes = text.of(body);
    let content = &bytes[..bytes.find_byte(b'#').unwrap_or(bytes.len())];
    let part = |part: &[u8], start: usize| {
        let stripped = strip(part);
        let lead = part.len() - part.trim_start_with(is_space).len();
        let start = text.start + (start + lead.min(part.len() - stripped.len())) as u32;
        Span::new(start, start + stripped.len() as u32)
    };
    let (key, value) = match content.find_byte(b':') {
        Some(colon) => (
            part(&content[..colon], 0),
            part(&content[colon + 1..], colon + 1),
        ),
        None if dialect.missing_colon == MissingColon::TwoWords => {
            two_words(body, part(content, 0))?
        }
        None => return None,
    };
    if key.is_empty() {
        return None;
    }
    // Python lower-cases by Unicode, but no letter outside ASCII becomes one of these names.
    let exact = Field::from_key(key.of(body));
    let (role, field) = classify(dialect.field_names, key.of(body), exact);
    Some((role, field, key, value))
}

/// Returns the offset and the length of the first line end inside a physical line.
fn line_end(text: &[u8]) -> Option<(usize, usize)> {
    text.iter().enumerate().find_map(|(at, &byte)| match byte {
        b'\x0b' | b'\x0c' | b'\x1c'..=b'\x1e' => Some((at, 1)),
        0xC2 if text[at..].starts_with(b"\xc2\x85") => Some((at, 2)),
        0xE2 if text[at..].starts_with(b"\xe2\x80\xa8") => Some((at, 3)),
        0xE2 if text[at..].starts_with(b"\xe2\x80\xa9") => Some((at, 3)),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots::dialect::{Dialect, definition::FieldNames};

    fn read(body: &[u8]) -> Vec<(Role, String, String)> {
        read_by(&Dialect::PYTHON, body)
    }

    fn read_by(dialect: &Dialect, body: &[u8]) -> Vec<(Role, String, String)> {
        let mut found = Vec::new();
        let line = Span::from_indexes(0..body.len());
        let flow = interpret_line(dialect, body, line, 1, &mut |line| {
            let text = |span: Span| String::from_utf8_lossy(span.of(body)).into_owned();
            found.push((line.role, text(line.key), text(line.value)));
            ControlFlow::Continue(())
        });
        assert!(flow.is_continue());
        found
    }

    #[test]
    fn unicode_line_ends_part_lines() {
        for end in [
            "\u{b}", "\u{c}", "\u{1c}", "\u{1d}", "\u{1e}", "\u{85}", "\u{2028}", "\u{2029}",
        ] {
            let found = read(format!("allow: /a{end}{end}disallow: /b").as_bytes());
            assert_eq!(found.len(), 3, "{end:?}");
            assert_eq!(found[1].0, Role::BlankLine);
            assert_eq!(
                found[2],
                (Role::Disallow, "disallow".to_owned(), "/b".to_owned())
            );
        }
    }

    #[test]
    fn unicode_white_space_is_stripped() {
        let found = read("\u{a0} allow\u{3000}:\u{2003}/a\u{1f} # x".as_bytes());
        assert_eq!(found, [(Role::Allow, "allow".to_owned(), "/a".to_owned())]);
        assert_eq!(strip(" \u{a0} ".as_bytes()), b"");
        assert_eq!(strip(b"\xff a\xff "), b"\xff a\xff");
    }

    #[test]
    fn other_answers_of_a_dialect_hold_for_this_text_too() {
        let mut dialect = Dialect::PYTHON;
        dialect.missing_colon = MissingColon::TwoWords;
        dialect.field_names = FieldNames::GooglePrefixes;
        dialect.line_limit = Some(14);
        let rule = |value: &str| (Role::Disallow, "disalow".to_owned(), value.to_owned());
        assert_eq!(read_by(&dialect, b"disalow \t /a"), [rule("/a")]);
        assert_eq!(read_by(&dialect, b"disalow: /12345678"), [rule("/1234")]);
        assert_eq!(read_by(&dialect, b"disalow /a /b"), []);
        assert_eq!(read(b"disallow /a"), []);
    }

    #[test]
    fn a_line_of_white_space_is_not_an_empty_line() {
        assert_eq!(read(b" "), []);
        assert_eq!(read(b"")[0].0, Role::BlankLine);
        assert_eq!(read(b"# x"), []);
    }
}
