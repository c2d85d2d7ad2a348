//! Percent escapes: octets in the form in which a dialect compares them, byte by byte. Special
//! characters of a pattern remain special.

use super::definition::Percent;
use crate::robots::lines::{first_word, repeat};

/// What is compared: a pattern with a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    Pattern,
    Path,
}

/// Appends `text` to `out` in the form that `percent` compares, and returns true if and only if no
/// byte of it may have another meaning than itself, as `%`, `*`, `$` and those beyond ASCII have.
///
/// For [`Percent::PythonQuoted`] `text` is appended unchanged, since Python parses whole URLs.
pub(super) fn normalize(
    percent: Percent,
    operand: Operand,
    text: &[u8],
    out: &mut Vec<u8>,
) -> bool {
    // Most text is compared unchanged.
    let has_work = has_work(text);
    match (percent, operand) {
        (Percent::Escaped, _) => {
            let start = out.len();
            let escapes = |octet, is_escaped| is_escaped || !is_in_url(octet);
            escape_where(escapes, text, out);
            return !self::has_work(&out[start..]);
        }
        _ if !has_work => out.extend_from_slice(text),
        (Percent::PatternEscaped, Operand::Path) | (Percent::PythonQuoted, _) => {
            out.extend_from_slice(text);
        }
        (Percent::PatternEscaped, Operand::Pattern) => {
            escape_where(
                |octet, is_escaped| is_escaped || !octet.is_ascii(),
                text,
                out,
            );
        }
        (Percent::Normalized, _) => normalize_reserved(operand, text, out),
        // The form of the 1996 draft, section 3.2.2. A decoded percent sign is written as its
        // escape, so that it cannot form an escaped slash with the next bytes.
        (Percent::DecodedButSlash, _) => {
            let escapes = |octet, is_escaped| octet == b'%' || (octet == b'/' && is_escaped);
            escape_where(escapes, text, out);
        }
    }
    !has_work
}

/// Returns true if and only if `text` has a `%`, a `*`, a `$` or a byte beyond ASCII.
///
/// Eight bytes are tested together, and always all of `text`: stopping early would cost more.
fn has_work(text: &[u8]) -> bool {
    // Some highest bit is set where a byte is zero, and none where no byte is.
    let zeros = |word: u64| word.wrapping_sub(repeat(0x01)) & !word;
    // A `%` is a `$` with its lowest bit set.
    let found = |word: u64| {
        let is_percent_or_dollar = zeros((word | repeat(0x01)) ^ repeat(b'%'));
        word | is_percent_or_dollar | zeros(word ^ repeat(b'*'))
    };
    let last = text.last_chunk().copied().map(u64::from_le_bytes);
    let last = found(last.unwrap_or_else(|| first_word(text)));
    let (words, _) = text.as_chunks();
    let all = words.iter().map(|&word| found(u64::from_le_bytes(word)));
    all.fold(last, |all, word| all | word) & repeat(0x80) != 0
}

/// The octets of a text, each with whether it is written as an escape.
pub(super) struct Octets<'t> {
    /// The text, later that behind the octets that were returned.
    pub rest: &'t [u8],
}

impl Iterator for Octets<'_> {
    type Item = (u8, bool);

    #[inline]
    fn next(&mut self) -> Option<(u8, bool)> {
        if let [b'%', high, low, rest @ ..] = self.rest
            && let [Some(high), Some(low)] = [high, low].map(|&b| char::from(b).to_digit(16))
        {
            self.rest = rest;
            return Some(((high << 4 | low) as u8, true));
        }
        let (&byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some((byte, false))
    }
}

/// Appends the octets of a text, and those as escapes for which `escapes` is true: it is given each
/// with whether it is written as one.
fn escape_where(escapes: impl Fn(u8, bool) -> bool, text: &[u8], out: &mut Vec<u8>) {
    for (octet, is_escaped) in (Octets { rest: text }) {
        push(octet, escapes(octet, is_escaped), out);
    }
}

/// Appends the form of RFC 9309, sections 2.2.2 and 2.2.3. After the first `?`, general delimiters
/// are ordinary octets, so that their escapes are decoded. A plain `*` or `$` is written as its
/// escape, so that only special ones are bare. So is a hex digit that would turn a percent sign
/// that begins no escape into one: `%%341` and `%41` are not the same.
fn normalize_reserved(operand: Operand, text: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    let mut is_query = false;
    let mut octets = Octets { rest: text };
    while let Some((octet, is_escaped)) = octets.next() {
        let makes_escape = octet.is_ascii_hexdigit()
            && matches!(out[start..], [.., b'%', digit] if digit.is_ascii_hexdigit());
        let is_special = match (operand, octet) {
            (Operand::Pattern, b'*') => true,
            (Operand::Pattern, b'$') => octets.rest.is_empty(),
            _ => false,
        };
        let is_bare = if is_escaped {
            is_unreserved(octet) || (is_query && is_general_delimiter(octet))
        } else {
            is_special || (octet.is_ascii() && !matches!(octet, b'*' | b'$'))
        };
        is_query |= octet == b'?' && !is_escaped;
        push(octet, !is_bare || makes_escape, out);
    }
}

/// Appends an octet, as an escape in upper case or as it is.
pub(super) fn push(octet: u8, as_escape: bool, out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    if as_escape {
        let [high, low] = [octet >> 4, octet & 15].map(|digit| DIGITS[usize::from(digit)]);
        out.extend_from_slice(&[b'%', high, low]);
    } else {
        out.push(octet);
    }
}

/// Letters, digits, `-`, `.`, `_` and `~` (RFC 3986 section 2.3).
pub(super) fn is_unreserved(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.' | b'_' | b'~')
}

/// What a path with its query may have bare (RFC 3986 sections 3.3 and 3.4), and a percent sign.
fn is_in_url(octet: u8) -> bool {
    is_unreserved(octet) || b"%!$&'()*+,;=:@/?".contains(&octet)
}

/// The general delimiters that a query can have: all but `#`, which ends it (RFC 3986 section 2.2).
fn is_general_delimiter(octet: u8) -> bool {
    matches!(octet, b':' | b'/' | b'?' | b'@' | b'[' | b']')
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! normal {
        ($name:ident: $percent:ident $operand:ident, $($text:literal => $expected:literal),+) => {
            #[test]
            fn $name() {
                $(
                    let mut out = b"#".to_vec();
                    normalize(Percent::$percent, Operand::$operand, $text, &mut out);
                    let expected = [&b"#"[..], $expected].concat();
                    assert_eq!(out, expected, "{:?}", String::from_utf8_lossy(&out));
                )+
            }
        };
    }

    normal!(google_escapes_patterns_and_decodes_nothing: PatternEscaped Pattern,
        b"/a" => b"/a", b"/%aa%2f%7e*$" => b"/%AA%2F%7E*$", b"/\xc3\xa9" => b"/%C3%A9",
        b"/%" => b"/%", b"/%a" => b"/%a", b"/%zz%4" => b"/%zz%4", b"%%aa" => b"%%AA", b"" => b"");
    normal!(google_takes_paths_as_given: PatternEscaped Path,
        b"/%aa\xc3" => b"/%aa\xc3", b"/*$" => b"/*$");
    normal!(rfc9309_decodes_the_unreserved_only: Normalized Pattern,
        b"/%62%61%7A%2f%7e%e3" => b"/baz%2F~%E3", b"/\xe3\x83\x84" => b"/%E3%83%84",
        b"/%2525" => b"/%2525", b"/%zz" => b"/%zz", b"/ " => b"/ ");
    normal!(rfc9309_makes_no_escape_of_what_was_none: Normalized Pattern,
        b"/%%34%31" => b"/%4%31", b"/%%341" => b"/%4%31", b"/%4%31" => b"/%4%31",
        b"/%41" => b"/A", b"/%%41" => b"/%A", b"/%4%7a" => b"/%4z", b"/%34%31" => b"/41");
    normal!(rfc9309_keeps_special_characters_apart_from_plain_ones: Normalized Pattern,
        b"/*%2a%2A" => b"/*%2A%2A", b"/a$" => b"/a$", b"/a$b$" => b"/a%24b$", b"/%24" => b"/%24");
    normal!(rfc9309_escapes_plain_stars_and_dollars_of_paths: Normalized Path,
        b"/a*b$" => b"/a%2Ab%24", b"/%2a%24" => b"/%2A%24");
    normal!(rfc9309_decodes_delimiters_behind_the_first_question_mark: Normalized Pattern,
        b"/a%3a?b=c%3A%2f%2Fd" => b"/a%3A?b=c://d", b"/%3f%2F" => b"/%3F%2F",
        b"/?%3F%40%5b%5D%23" => b"/??@[]%23", b"/?%26%3d%2b" => b"/?%26%3D%2B",
        b"/*?*%2F%2A%24$" => b"/*?*/%2A%24$");
    normal!(the_1996_draft_decodes_all_but_the_slash: DecodedButSlash Pattern,
        b"/a%3cd" => b"/a<d", b"/a%2fb" => b"/a%2Fb", b"/%7ejoe" => b"/~joe", b"/*$" => b"/*$",
        b"/%252f" => b"/%252f", b"/%" => b"/%25", b"/%2" => b"/%252", b"/%c3%a9" => b"/\xc3\xa9");

    normal!(robots_parser_escapes_what_no_url_has: Escaped Pattern,
        b"/a b[\\]|^`{}\"<>\x7f" => b"/a%20b%5B%5C%5D%7C%5E%60%7B%7D%22%3C%3E%7F",
        b"/-._~:@!$&'()*+,;=?/" => b"/-._~:@!$&'()*+,;=?/", b"/%c3\xa9%7ea%" => b"/%C3%A9%7Ea%");
    normal!(robots_parser_escapes_paths_alike: Escaped Path, b"/a b*$%2f" => b"/a%20b*$%2F");

    #[test]
    fn bytes_with_another_meaning_are_seen_wherever_they_stand() {
        for len in 1..20 {
            for at in 0..len {
                for byte in 0..=255 {
                    let mut text = vec![b'/'; len];
                    text[at] = byte;
                    let is_special = matches!(byte, b'%' | b'*' | b'$' | 0x80..);
                    assert_eq!(has_work(&text), is_special, "{text:?}");
                }
            }
        }
        assert!(!has_work(b""));
    }

    #[test]
    fn an_escape_needs_two_hex_digits() {
        let octets = |text: &[u8]| Octets { rest: text }.collect::<Vec<_>>();
        assert_eq!(
            octets(b"%2f/%fF"),
            [(b'/', true), (b'/', false), (0xFF, true)]
        );
        for text in [&b"%"[..], b"%2", b"%2g", b"%g2", b"%+1", b"2f"] {
            let as_written: Vec<_> = text.iter().map(|&byte| (byte, false)).collect();
            assert_eq!(octets(text), as_written, "{text:?}");
        }
    }
}
