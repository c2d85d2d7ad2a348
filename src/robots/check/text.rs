//! Strings of JSON as bytes.
//!
//! A URL or an agent of a case may have any byte. JSON cannot, so programs write U+DC80 to U+DCFF
//! for the bytes 0x80 to 0xFF that are not UTF-8 (Python's `surrogateescape`); these surrogates are
//! decoded to the bytes.

use std::borrow::Cow;

use memchr::memmem;
use serde::Deserialize;

/// A string of JSON, borrowed where it has no escapes. Of a lone surrogate it has the three bytes
/// that UTF-8 would have for it.
#[derive(Debug, Deserialize)]
pub(super) struct Text<'a>(#[serde(borrow)] Cow<'a, [u8]>);

impl<'a> Text<'a> {
    /// Returns the bytes that the string stands for.
    pub(super) fn into_bytes(self) -> Cow<'a, [u8]> {
        unescaped(self.0)
    }
}

/// Replaces surrogates by the bytes that they encode. A surrogate has the three bytes that UTF-8
/// would have for it; those that encode no byte are unchanged.
pub fn unescaped(text: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    let is_escape = |bytes: &[u8]| matches!(bytes, [0xED, 0xB2 | 0xB3, 0x80..=0xBF, ..]);
    if memmem::find(&text, b"\xED\xB2").is_none() && memmem::find(&text, b"\xED\xB3").is_none() {
        return text;
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = &text[..];
    while let [first, tail @ ..] = rest {
        if is_escape(rest) {
            bytes.push((rest[1] & 1) << 6 | rest[2] & 0x3F | 0x80);
            rest = &rest[3..];
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    Cow::Owned(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Vec<u8> {
        let text: Text<'_> = serde_json::from_slice(json.as_bytes()).expect("it is a string");
        text.into_bytes().into_owned()
    }

    #[test]
    fn strings_are_their_bytes() {
        assert_eq!(read(r#""a\u0000\né""#), "a\0\né".as_bytes());
        assert_eq!(read(r#""\ud83d\ude00""#), "\u{1F600}".as_bytes());
    }

    #[test]
    fn surrogates_encode_the_bytes_that_are_not_utf8() {
        assert_eq!(read(r#""\udc80x\udcbf\udcc0\udcff""#), b"\x80x\xbf\xc0\xff");
        assert_eq!(read(r#""\udcc3\udca9""#), "é".as_bytes());
    }

    #[test]
    fn other_lone_surrogates_stay_three_bytes() {
        assert_eq!(read(r#""\ud800x\udc7f""#), b"\xed\xa0\x80x\xed\xb1\xbf");
    }

    #[test]
    fn what_is_no_string_is_rejected() {
        for json in ["1", "null", "[1]", "{}", "\"a", "\"\\x\""] {
            assert!(
                serde_json::from_slice::<Text<'_>>(json.as_bytes()).is_err(),
                "{json}"
            );
        }
    }
}
