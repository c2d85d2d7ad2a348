//! The comment, the separator, the key and the value of one line. Which keys are acceptable, and
//! what a line without a colon means, depends on the dialect.

use memchr::memchr;

use super::Span;

/// The offset of what does not exist: bodies are shorter than this.
const NONE: u32 = u32::MAX;

/// The parts of a line, as offsets into the body (RFC 9309 section 2.2).
///
/// The comment begins at the first `#`. The text before it, trimmed of ASCII white space, is the
/// content. The first colon of the content separates key and value, both trimmed again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Directive {
    content: Span,
    comment: u32,
    separator: u32,
    key_end: u32,
    value_start: u32,
}

impl Directive {
    /// Splits `text`, whose first byte is at `offset` in the body.
    pub fn split(text: &[u8], offset: u32) -> Directive {
        let comment = memchr(b'#', text);
        let before = &text[..comment.unwrap_or(text.len())];
        Directive::at_marks(text, offset, comment, memchr(b':', before))
    }

    /// Splits `text` as [`Directive::split`] does, where the first `#` and the first colon before
    /// it, as indexes of `text`, are known.
    // Called once in the loop of the parser; inlined, a line costs an eighth less.
    #[inline]
    pub(super) fn at_marks(
        text: &[u8],
        offset: u32,
        comment: Option<usize>,
        colon: Option<usize>,
    ) -> Directive {
        let end = trim_end(&text[..comment.unwrap_or(text.len())]).len();
        // Without anything but white space both are 0.
        let start = end - trim_start(&text[..end]).len();
        let at = |index: usize| offset + index as u32;
        let mut directive = Directive {
            content: Span::new(at(start), at(end)),
            comment: comment.map_or(NONE, at),
            separator: NONE,
            key_end: at(start),
            value_start: at(end),
        };
        if let Some(colon) = colon {
            let key = trim_end(&text[start..colon]);
            let value = trim_start(&text[colon + 1..end]);
            directive.separator = at(colon);
            directive.key_end = at(start + key.len());
            directive.value_start = at(end - value.len());
        }
        directive
    }

    /// Returns the text without comment, trimmed.
    pub fn content(&self) -> Span {
        self.content
    }

    /// Returns the offset of the `#` that begins a comment.
    pub fn comment(&self) -> Option<u32> {
        (self.comment != NONE).then_some(self.comment)
    }

    /// Returns the offset of the colon.
    pub fn separator(&self) -> Option<u32> {
        (self.separator != NONE).then_some(self.separator)
    }

    /// Returns the key; empty when there is no separator.
    pub fn key(&self) -> Span {
        Span::new(self.content.start, self.key_end)
    }

    /// Returns the value; empty when there is no separator.
    pub fn value(&self) -> Span {
        Span::new(self.value_start, self.content.end)
    }
}

/// Returns true if and only if `byte` is ASCII white space: space, tab, LF, VT, FF or CR.
pub fn is_blank_byte(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// Returns `text` without ASCII white space at both ends.
pub fn trim(text: &[u8]) -> &[u8] {
    trim_start(trim_end(text))
}

fn trim_start(mut text: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = text
        && is_blank_byte(*first)
    {
        text = rest;
    }
    text
}

fn trim_end(mut text: &[u8]) -> &[u8] {
    while let [rest @ .., last] = text
        && is_blank_byte(*last)
    {
        text = rest;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! split {
        ($name:ident, $text:expr, $expected:expr) => {
            #[test]
            fn $name() {
                let text: &[u8] = $text;
                let mut body = b"12345".to_vec();
                body.extend_from_slice(text);
                let directive = Directive::split(text, 5);
                let found = directive.separator().map(|separator| {
                    assert_eq!(body[separator as usize], b':');
                    (directive.key().of(&body), directive.value().of(&body))
                });
                let expected: Option<(&str, &str)> = $expected;
                let expected = expected.map(|(key, value)| (key.as_bytes(), value.as_bytes()));
                assert_eq!(found, expected);
            }
        };
    }

    split!(
        key_and_value_are_trimmed,
        b" \tAllow \x0b:\x0c /x \r",
        Some(("Allow", "/x"))
    );
    split!(
        the_first_colon_separates,
        b"sitemap:http://a/",
        Some(("sitemap", "http://a/"))
    );
    split!(
        a_comment_is_cut_first,
        b"allow: /a#b: c",
        Some(("allow", "/a"))
    );
    split!(a_colon_in_a_comment_separates_nothing, b"allow # : /", None);
    split!(
        an_empty_value_is_empty,
        b"disallow:  ",
        Some(("disallow", ""))
    );
    split!(an_empty_key_is_empty, b" : /x", Some(("", "/x")));
    split!(a_line_without_colon_has_no_key, b"disallow /x", None);
    split!(white_space_alone_has_no_key, b" \t ", None);
    split!(
        a_no_break_space_is_not_trimmed,
        b"allow:\xc2\xa0/x",
        Some(("allow", "\u{a0}/x"))
    );

    #[test]
    fn content_and_comment_are_found() {
        let text = b"  allow: /x  # why";
        let directive = Directive::split(text, 0);
        assert_eq!(directive.content().of(text), b"allow: /x");
        assert_eq!(directive.comment(), Some(13));
        let blank = Directive::split(b"  ", 0);
        assert!(blank.content().is_empty() && blank.comment().is_none());
    }
}
