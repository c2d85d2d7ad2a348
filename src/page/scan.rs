//! Where the tokens of a page begin and end: the states of the HTML Standard's tokenizer (13.2.5)
//! without what they produce.
//!
//! What has no end ends with the page, but a tag that has none is no tag. Names, values and texts
//! are short, so they are searched eight bytes at a time before `memchr` is called.

use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr2_iter};

/// A part of a tag behind its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TagPart {
    /// An attribute, with the value as it is written, which is empty where there is none.
    Attribute {
        name: Range<usize>,
        value: Range<usize>,
    },
    /// The `>`.
    End(TagEnd),
}

/// The end of a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TagEnd {
    /// The offset behind the `>`.
    pub offset: usize,
    /// Whether it is `/>`.
    pub is_self_closing: bool,
}

/// Returns true if and only if the name of a tag ends at `byte`.
pub(super) fn ends_tag_name(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>')
}

/// Returns the eight bytes at `at`, the first in the lowest bits.
pub(super) fn word(text: &[u8], at: usize) -> Option<u64> {
    let bytes = text.get(at..at + 8)?;
    bytes.try_into().ok().map(u64::from_le_bytes)
}

const ONES: u64 = u64::MAX / 0xFF;
const HIGH_BITS: u64 = ONES << 7;

/// Marks the high bit of the first byte of a word that is `byte`. What is marked behind the first
/// is arbitrary.
pub(super) fn equal(word: u64, byte: u8) -> u64 {
    let difference = word ^ (ONES * u64::from(byte));
    difference.wrapping_sub(ONES) & !difference & HIGH_BITS
}

/// Marks the first byte below `bound`, which is at most 0x80, like [`equal`].
pub(super) fn below(word: u64, bound: u8) -> u64 {
    word.wrapping_sub(ONES * u64::from(bound)) & !word & HIGH_BITS
}

/// Marks the bytes that are not ASCII.
pub(super) fn not_ascii(word: u64) -> u64 {
    word & HIGH_BITS
}

/// Returns a word of ASCII in lower case.
pub(super) fn lower_case(word: u64) -> u64 {
    let from = |byte: u8| word + ONES * u64::from(0x80 - byte);
    word | ((from(b'A') ^ from(b'Z' + 1)) & HIGH_BITS) >> 2
}

/// Returns the index of the first byte that is marked.
pub(super) fn first(marks: u64) -> usize {
    marks.trailing_zeros() as usize / 8
}

/// Returns the offset of the first `byte` at or behind `from`.
#[inline]
fn find(text: &[u8], byte: u8, mut from: usize) -> Option<usize> {
    const WORDS: usize = 3;
    for _ in 0..WORDS {
        let Some(word) = word(text, from) else {
            break;
        };
        let found = equal(word, byte);
        if found != 0 {
            return Some(from + first(found));
        }
        from += 8;
    }
    memchr(byte, text.get(from..)?).map(|index| from + index)
}

/// Returns the offset of the first byte, at or behind `at`, at which the name of an attribute ends.
#[inline]
fn attribute_name_end(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        if let Some(word) = word(text, at) {
            let end =
                below(word, b' ' + 1) | equal(word, b'/') | equal(word, b'=') | equal(word, b'>');
            if end == 0 {
                at += 8;
                continue;
            }
            at += first(end);
        }
        // Other control characters are part of the name.
        let byte = *text.get(at)?;
        if ends_tag_name(byte) || byte == b'=' {
            return Some(at);
        }
        at += 1;
    }
}

/// Returns the offset of the first `<`, at or behind `from`, that begins a tag or a declaration.
pub(super) fn markup(text: &[u8], mut from: usize) -> Option<usize> {
    loop {
        from = find(text, b'<', from)?;
        match text.get(from + 1)? {
            b'a'..=b'z' | b'A'..=b'Z' | b'!' | b'?' => return Some(from),
            b'/' if from + 2 < text.len() => return Some(from),
            _ => from += 1,
        }
    }
}

/// Reads the part of a tag at `at`, behind its name, and moves `at` behind it. Returns `None` if
/// and only if the page ends before the tag does.
#[inline(always)]
pub(super) fn tag_part(text: &[u8], at: &mut usize) -> Option<TagPart> {
    // "Before attribute name", "self-closing start tag" and "after attribute value".
    let start = loop {
        let byte = *text.get(*at)?;
        let is_self_closing = byte == b'/' && *text.get(*at + 1)? == b'>';
        if is_self_closing || byte == b'>' {
            *at += 1 + usize::from(is_self_closing);
            return Some(TagPart::End(TagEnd {
                offset: *at,
                is_self_closing,
            }));
        }
        if byte != b'/' && !byte.is_ascii_whitespace() {
            break *at;
        }
        *at += 1;
    };
    // The first byte is part of the name even if it is `=`.
    *at = attribute_name_end(text, start + 1)?;
    let name = start..*at;
    skip_space(text, at)?;
    if text[*at] != b'=' {
        let value = *at..*at;
        return Some(TagPart::Attribute { name, value });
    }
    *at += 1;
    skip_space(text, at)?;
    let value = match text[*at] {
        quote @ (b'"' | b'\'') => {
            let start = *at + 1;
            let end = find(text, quote, start)?;
            *at = end + 1;
            start..end
        }
        _ => {
            let start = *at;
            let ends_value = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'>';
            *at += text[start..].iter().position(ends_value)?;
            start..*at
        }
    };
    Some(TagPart::Attribute { name, value })
}

fn skip_space(text: &[u8], at: &mut usize) -> Option<()> {
    while text.get(*at)?.is_ascii_whitespace() {
        *at += 1;
    }
    Some(())
}

/// Returns the offset behind a comment whose text begins at `from`.
pub(super) fn comment_end(text: &[u8], from: usize) -> usize {
    let comment = &text[from..];
    if comment.starts_with(b">") {
        return from + 1;
    }
    if comment.starts_with(b"->") {
        return from + 2;
    }
    let mut ends = memchr_iter(b'>', comment);
    let end = ends.find(|&end| {
        let before = &comment[..end];
        before.ends_with(b"--") || before.ends_with(b"--!")
    });
    end.map_or(text.len(), |end| from + end + 1)
}

/// Returns the offset behind the first `>` at or behind `from`, where a bogus comment and a doctype
/// end.
pub(super) fn declaration_end(text: &[u8], from: usize) -> usize {
    let end = memchr(b'>', &text[from..]);
    end.map_or(text.len(), |end| from + end + 1)
}

/// Returns the offset of the end tag `name` that ends text without markup from `from` on.
pub(super) fn raw_text_end(text: &[u8], from: usize, name: &[u8]) -> usize {
    let mut ends = memchr_iter(b'<', &text[from..]);
    let end = ends.find(|end| is_tag(&text[from + end + 1..], b"/", name));
    end.map_or(text.len(), |end| from + end)
}

/// Whether the end tag of a script is heeded, and what precedes it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Data,
    /// Behind `<!--`.
    Escaped,
    /// Behind `<!--` and `<script>`, whose end tag does not end the script.
    DoubleEscaped,
}

/// Returns the offset of the end tag that ends a script from `from` on.
pub(super) fn script_end(text: &[u8], from: usize) -> usize {
    const NAME: &[u8] = b"script";
    let script = &text[from..];
    let mut state = Script::Data;
    let mut next = 0;
    while state == Script::Data {
        let Some(open) = memchr(b'<', &script[next..]).map(|open| next + open) else {
            break;
        };
        let behind = &script[open + 1..];
        if is_tag(behind, b"/", NAME) {
            return from + open;
        }
        next = open + 1;
        if !behind.starts_with(b"!--") {
            continue;
        }
        state = Script::Escaped;
        let escaped = open + 2;
        for at in memchr2_iter(b'<', b'>', &script[escaped..]) {
            let (before, behind) = (&script[escaped..escaped + at], &script[escaped + at..]);
            if behind[0] == b'>' {
                if before.ends_with(b"--") {
                    state = Script::Data;
                    next = escaped + at + 1;
                    break;
                }
            } else if is_tag(&behind[1..], b"/", NAME) {
                if state == Script::Escaped {
                    return from + escaped + at;
                }
                state = Script::Escaped;
            } else if is_tag(&behind[1..], b"", NAME) {
                state = Script::DoubleEscaped;
            }
        }
    }
    text.len()
}

/// Returns true if and only if `text`, behind a `<`, is `slash`, a name and what ends it.
pub(super) fn is_tag(text: &[u8], slash: &[u8], name: &[u8]) -> bool {
    let Some((found, [end, ..])) = text
        .strip_prefix(slash)
        .and_then(|text| text.split_at_checked(name.len()))
    else {
        return false;
    };
    ends_tag_name(*end) && found.eq_ignore_ascii_case(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(tag: &str) -> Option<(Vec<(&str, &str)>, bool)> {
        let mut at = 0;
        let mut found = Vec::new();
        loop {
            match tag_part(tag.as_bytes(), &mut at)? {
                TagPart::Attribute { name, value } => found.push((&tag[name], &tag[value])),
                TagPart::End(end) => {
                    assert_eq!(end.offset, at);
                    return Some((found, end.is_self_closing));
                }
            }
        }
    }

    #[test]
    fn attributes_are_split_as_by_the_standard() {
        for (tag, attributes, is_self_closing) in [
            (">", &[][..], false),
            ("/>", &[], true),
            ("/ >", &[], false),
            (" a>", &[("a", "")], false),
            (" a/>", &[("a", "")], true),
            (" a = b/>", &[("a", "b/")], false),
            (" a=\"x>y\"b='z'/>", &[("a", "x>y"), ("b", "z")], true),
            (" =x=y>", &[("=x", "y")], false),
            (" ==y>", &[("=", "y")], false),
            (" a=>", &[("a", "")], false),
            (" a= \n'' b=c\"d>", &[("a", ""), ("b", "c\"d")], false),
            (" a\"b'c<d>", &[("a\"b'c<d", "")], false),
            ("/a//b=/c>", &[("a", ""), ("b", "/c")], false),
            (" a \t= b =c>", &[("a", "b"), ("=c", "")], false),
        ] {
            let expected = Some((attributes.to_vec(), is_self_closing));
            assert_eq!(parts(tag), expected, "{tag}");
        }
    }

    #[test]
    fn a_tag_that_the_page_cuts_is_none() {
        for tag in [
            "",
            " ",
            "/",
            " a",
            " a=",
            " a = b",
            " a=\"b>",
            " a='>",
            " a=\"b\"/",
        ] {
            assert_eq!(parts(tag), None, "{tag}");
        }
    }

    #[test]
    fn comments_end_as_by_the_standard() {
        for (comment, rest) in [
            (">x", "x"),
            ("->x", "x"),
            ("-->x", "x"),
            ("--!>x", "x"),
            ("--->x", "x"),
            (" -> > --x> --!->-->x", "x"),
            ("-!>", ""),
            (" <!-->x", "x"),
            (" --", ""),
        ] {
            let end = comment_end(comment.as_bytes(), 0);
            assert_eq!(&comment[end..], rest, "{comment}");
        }
    }

    #[test]
    fn scripts_end_as_by_the_standard() {
        for (script, rest) in [
            ("a</script>b", "</script>b"),
            ("a</SCRIPT x>", "</SCRIPT x>"),
            ("</scripts></script", ""),
            ("<!--</script/", "</script/"),
            ("<!--<script></script>--></script>", "</script>"),
            ("<!--<script></script></script>", "</script>"),
            ("<!--<script>--></script>", "</script>"),
            ("<!--<script></script>", ""),
            ("<!--><script></script>", "</script>"),
            ("<!---><script></script>", "</script>"),
            ("<!- -<script></script>", "</script>"),
            ("<!--<scripts></script>", "</script>"),
            ("<!--<script-->x</script>", "</script>"),
            ("<!-- --><!--<script ></script\n></script\t>", "</script\t>"),
        ] {
            let end = script_end(script.as_bytes(), 0);
            assert_eq!(&script[end..], rest, "{script}");
        }
    }

    #[test]
    fn words_are_searched_like_bytes() {
        let mut random = crate::sample::random::Random::new(16);
        for _ in 0..100_000 {
            let text = random.bytes(8);
            let word = word(&text, 0).unwrap_or_default();
            let position = |is: &dyn Fn(u8) -> bool| text.iter().position(|&byte| is(byte));
            let marked = |marks: u64| (marks != 0).then(|| first(marks));
            let byte = random.pick(&text);
            assert_eq!(marked(equal(word, byte)), position(&|other| other == byte));
            let bound = 1 + random.byte() % 0x80;
            assert_eq!(marked(below(word, bound)), position(&|other| other < bound));
            assert_eq!(
                marked(not_ascii(word)),
                position(&|other| !other.is_ascii())
            );
            let ascii = word & !HIGH_BITS;
            let expected = ascii.to_le_bytes().map(|byte| byte.to_ascii_lowercase());
            assert_eq!(lower_case(ascii).to_le_bytes(), expected);
            let sparse: Vec<_> = (0..random.below(60))
                .map(|_| b'a' + random.byte() % 30)
                .collect();
            let from = random.below(sparse.len() + 1);
            let found = memchr(b'z', &sparse[from..]).map(|index| from + index);
            assert_eq!(find(&sparse, b'z', from), found);
        }
    }

    #[test]
    fn markup_begins_at_a_tag_or_a_declaration() {
        for (text, found) in [
            ("a < b<c", Some(5)),
            ("<<a", Some(1)),
            ("</>", Some(0)),
            ("x</", None),
            ("<", None),
            ("<3<!", Some(2)),
            ("<?", Some(0)),
        ] {
            assert_eq!(markup(text.as_bytes(), 0), found, "{text}");
        }
    }
}
