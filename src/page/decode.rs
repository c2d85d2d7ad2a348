//! The text of a page as UTF-8, and where its offsets are in the bytes of the page.

use encoding_rs::{CoderResult, Decoder, Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};

use super::encoding::PageEncoding;

/// The text of a page.
pub(super) struct Decoded<'p> {
    source: &'p [u8],
    /// The text; bytes that are not valid UTF-8 are those of the page.
    pub text: &'p [u8],
    mapping: Mapping,
}

/// How offsets of the text become offsets of the page. Statements are elements, and the `<` of an
/// element is a `<` in every encoding, so the `<` of both are counted where the text is a copy.
enum Mapping {
    /// The text is the page without so many bytes.
    Behind(usize),
    /// Every byte `<` of the page is one of the text, and no other is.
    Bytes,
    /// Every 16-bit unit `<` is one of the text; the first byte is this one.
    Units([u8; 2]),
    /// Bytes depend on those before them.
    States(&'static Encoding),
}

/// Decodes a page. The buffer is used only where the text is not the page itself.
pub(super) fn decode<'p>(
    body: &'p [u8],
    found: &PageEncoding,
    buffer: &'p mut String,
) -> Decoded<'p> {
    let encoding = found.encoding;
    let source = &body[found.bom_len..];
    let is_same = encoding == UTF_8
        || encoding.is_ascii_compatible() && Encoding::ascii_valid_up_to(source) == source.len();
    if is_same || encoding == REPLACEMENT {
        return Decoded {
            source: body,
            // Of a page in one of these encodings browsers show one replacement character.
            text: if is_same { source } else { &[] },
            mapping: Mapping::Behind(found.bom_len),
        };
    }
    buffer.clear();
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut rest = source;
    loop {
        buffer.reserve(rest.len() + rest.len() / 2 + 16);
        let (result, n_read, _) = decoder.decode_to_string(rest, buffer, true);
        rest = &rest[n_read..];
        if result == CoderResult::InputEmpty {
            break;
        }
    }
    Decoded {
        source,
        text: buffer.as_bytes(),
        mapping: if encoding.is_ascii_compatible() {
            Mapping::Bytes
        } else if encoding == UTF_16LE {
            Mapping::Units([b'<', 0])
        } else if encoding == UTF_16BE {
            Mapping::Units([0, b'<'])
        } else {
            Mapping::States(encoding)
        },
    }
}

/// A position in a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Location {
    /// The offset in its bytes.
    pub byte_offset: u64,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

/// Finds positions, each behind the one before it, in one pass over the page.
pub(super) struct Locator<'p> {
    decoded: &'p Decoded<'p>,
    /// The offset in the text up to which lines are counted.
    at: usize,
    line: u32,
    /// Characters between the start of the line and `at`.
    n_columns: usize,
    /// The offset in the page of the last `<` that was found, or 0.
    source_at: usize,
    decoder: Option<Decoder>,
    bom_len: usize,
}

impl<'p> Locator<'p> {
    pub fn new(decoded: &'p Decoded<'p>, bom_len: usize) -> Locator<'p> {
        let decoder = match decoded.mapping {
            Mapping::States(encoding) => Some(encoding.new_decoder_without_bom_handling()),
            _ => None,
        };
        Locator {
            decoded,
            at: 0,
            line: 1,
            n_columns: 0,
            source_at: 0,
            decoder,
            bom_len,
        }
    }

    /// Returns the position of the `<` at `offset` of the text, which must not be before the last.
    pub fn locate(&mut self, offset: usize) -> Location {
        let passed = &self.decoded.text[self.at..offset];
        let mut start = 0;
        for end in memchr::memchr2_iter(b'\n', b'\r', passed) {
            // A CR before LF is part of its line end; a `<` is never between the two.
            if passed[end] == b'\n' || passed.get(end + 1) != Some(&b'\n') {
                self.line = self.line.saturating_add(1);
            }
            self.n_columns = 0;
            start = end + 1;
        }
        let starts_character = |byte: &&u8| **byte & 0xC0 != 0x80;
        self.n_columns += passed[start..].iter().filter(starts_character).count();
        let byte_offset = self.source_offset(passed, offset);
        self.at = offset;
        Location {
            byte_offset: byte_offset as u64,
            line: self.line,
            column: u32::try_from(self.n_columns + 1).unwrap_or(u32::MAX),
        }
    }

    fn source_offset(&mut self, passed: &[u8], offset: usize) -> usize {
        let source = self.decoded.source;
        let n_passed = memchr::memchr_iter(b'<', passed).count();
        let from = self.source_at;
        let rest = source.get(from..).unwrap_or_default();
        let found = match &self.decoded.mapping {
            Mapping::Behind(bom_len) => return bom_len + offset,
            Mapping::Bytes => memchr::memchr_iter(b'<', rest).nth(n_passed),
            Mapping::Units(unit) => {
                let units = rest.chunks_exact(2).enumerate();
                let mut found = units.filter(|(_, bytes)| **bytes == unit[..]);
                found.nth(n_passed).map(|(index, _)| 2 * index)
            }
            Mapping::States(_) => return self.step_to(n_passed),
        };
        self.source_at = from + found.unwrap_or(rest.len());
        self.bom_len + self.source_at
    }

    /// Decodes byte by byte until `n_passed` further `<` and one more were decoded.
    fn step_to(&mut self, n_passed: usize) -> usize {
        let source = self.decoded.source;
        // The one that was found last is among those passed, but is decoded already.
        let mut n_left = n_passed + usize::from(self.at == 0 && self.source_at == 0);
        let Some(decoder) = &mut self.decoder else {
            return 0;
        };
        while n_left > 0 && self.source_at < source.len() {
            let mut text = [0; 32];
            let byte = &source[self.source_at..=self.source_at];
            let (_, _, n_written, _) = decoder.decode_to_utf8(byte, &mut text, false);
            n_left -= usize::from(text[..n_written].contains(&b'<'));
            self.source_at += 1;
        }
        self.source_at.saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::{super::encoding, *};

    /// Returns the positions of all `<` of a page, and checks that they are at a `<`.
    fn locations(body: &[u8], content_type: &str) -> Vec<(u64, u32, u32)> {
        let found = encoding::detect(body, Some(content_type.as_bytes()));
        let mut buffer = String::new();
        let decoded = decode(body, &found, &mut buffer);
        let mut locator = Locator::new(&decoded, found.bom_len);
        let offsets = memchr::memchr_iter(b'<', decoded.text);
        offsets
            .map(|offset| {
                let location = locator.locate(offset);
                let at = location.byte_offset as usize;
                assert!(
                    body[at..].iter().take(2).any(|&byte| byte == b'<'),
                    "{location:?}"
                );
                (location.byte_offset, location.line, location.column)
            })
            .collect()
    }

    macro_rules! locates {
        ($($name:ident: $body:expr, $charset:literal => [$($location:expr),*];)+) => {
            $(
                #[test]
                fn $name() {
                    let content_type = format!("text/html; charset={}", $charset);
                    let body = $body;
                    let expected = [$($location),*];
                    assert_eq!(locations(body.as_ref(), &content_type), expected);
                }
            )+
        };
    }

    locates! {
        utf_8: "a<b>\r\n\u{e9}<c>\n\n<d>\r<e>", "utf-8"
            => [(1, 1, 2), (8, 2, 2), (13, 4, 1), (17, 5, 1)];
        utf_8_behind_a_mark: b"\xef\xbb\xbf<b><c>", "utf-8" => [(3, 1, 1), (6, 1, 4)];
        single_bytes: b"\xe9\xe9<b>\n\xe9<c>", "windows-1252" => [(2, 1, 3), (7, 2, 2)];
        // The second byte of a character may be a letter, never a `<`.
        shift_jis: b"\x83A<b>\x81<c>", "shift_jis" => [(2, 1, 2), (6, 1, 6)];
        gbk: b"\x81A\x81<b><c>", "gbk" => [(3, 1, 3), (6, 1, 6)];
        utf_16_low_byte_first: b"\xff\xfe<\0b\0>\0\n\0\x3c\xd8\x3c\xdf<\0", "x"
            => [(2, 1, 1), (14, 2, 2)];
        utf_16_high_byte_first: b"\xfe\xff\0\n\0<\x3c\0\0<", "x" => [(4, 2, 1), (8, 2, 3)];
        // Within the escapes the bytes of two `<` are a character.
        iso_2022_jp: b"<a>\x1b$B<<\x1b(B<b>\n<c>", "iso-2022-jp"
            => [(0, 1, 1), (11, 1, 5), (15, 2, 1)];
    }

    #[test]
    fn a_page_in_an_encoding_for_attacks_has_no_text() {
        assert_eq!(locations(b"<a>", "charset=iso-2022-kr"), []);
    }
}
