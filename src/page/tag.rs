//! The elements that the rules of the HTML Standard name, as numbers and sets of numbers.

use super::scan;

/// Declares [`Tag`] with the name of each element.
macro_rules! tags {
    ($($tag:ident $name:literal)+) => {
        /// The name of an element, as far as a rule of the HTML Standard (13.2.6) names it.
        ///
        /// The name alone: `title` is [`Tag::Title`] in HTML and in SVG.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[repr(u8)]
        pub(super) enum Tag {
            /// A name that no rule mentions.
            #[default]
            Other,
            $(
                #[doc = concat!("`", $name, "`")]
                $tag,
            )+
        }

        /// All tags, in the order of their numbers.
        const TAGS: &[Tag] = &[Tag::Other, $(Tag::$tag,)+];
        const NAMES: &[&[u8]] = &[b"", $($name.as_bytes(),)+];
    };
}

tags! {
    A "a" Address "address" AnnotationXml "annotation-xml" Applet "applet" Area "area"
    Article "article" Aside "aside" B "b" Base "base" Basefont "basefont" Bgsound "bgsound"
    Big "big" Blockquote "blockquote" Body "body" Br "br" Button "button" Caption "caption"
    Center "center" Code "code" Col "col" Colgroup "colgroup" Dd "dd" Desc "desc"
    Details "details" Dialog "dialog" Dir "dir" Div "div" Dl "dl" Dt "dt" Em "em" Embed "embed"
    Fieldset "fieldset" Figcaption "figcaption" Figure "figure" Font "font" Footer "footer"
    ForeignObject "foreignobject" Form "form" Frame "frame" Frameset "frameset" H1 "h1" H2 "h2"
    H3 "h3" H4 "h4" H5 "h5" H6 "h6" Head "head" Header "header" Hgroup "hgroup" Hr "hr" Html "html"
    I "i" Iframe "iframe" Image "image" Img "img" Input "input" Keygen "keygen" Li "li"
    Link "link" Listing "listing" Main "main" Malignmark "malignmark" Marquee "marquee"
    Math "math" Menu "menu" Meta "meta" Mglyph "mglyph" Mi "mi" Mn "mn" Mo "mo" Ms "ms"
    Mtext "mtext" Nav "nav" Nobr "nobr" Noembed "noembed" Noframes "noframes" Noscript "noscript"
    Object "object" Ol "ol" Optgroup "optgroup" Option "option" P "p" Param "param"
    Plaintext "plaintext" Pre "pre" Rb "rb" Rp "rp" Rt "rt" Rtc "rtc" Ruby "ruby" S "s"
    Script "script" Search "search" Section "section" Select "select" Small "small"
    Source "source" Span "span" Strike "strike" Strong "strong" Style "style" Sub "sub"
    Summary "summary" Sup "sup" Svg "svg" Table "table" Tbody "tbody" Td "td"
    Template "template" Textarea "textarea" Tfoot "tfoot" Th "th" Thead "thead" Title "title"
    Tr "tr" Track "track" Tt "tt" U "u" Ul "ul" Var "var" Wbr "wbr" Xmp "xmp"
}

/// Bytes of a name that find its tag. No two names begin with the same.
const KEY_BYTES: usize = 8;
const SLOTS: usize = 512;

/// A hash table of the tags by the first bytes of their names, with linear probing.
static BY_KEY: [(u64, Tag); SLOTS] = {
    let mut table = [(0, Tag::Other); SLOTS];
    let mut index = 1;
    while index < TAGS.len() {
        let key = key_of(NAMES[index]);
        let mut slot = slot_of(key);
        while table[slot].0 != 0 {
            assert!(table[slot].0 != key, "two names begin with the same bytes");
            slot = (slot + 1) % SLOTS;
        }
        table[slot] = (key, TAGS[index]);
        index += 1;
    }
    table
};

const fn slot_of(key: u64) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 55) as usize % SLOTS
}

/// Returns the first bytes of a name as one number in lower case, the first in the lowest bits.
const fn key_of(name: &[u8]) -> u64 {
    let mut key = 0;
    let mut index = if name.len() < KEY_BYTES {
        name.len()
    } else {
        KEY_BYTES
    };
    while index > 0 {
        index -= 1;
        key = key << 8 | name[index].to_ascii_lowercase() as u64;
    }
    key
}

/// The name of a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TagName {
    /// The element, where a rule mentions it.
    pub tag: Tag,
    /// A hash of a name that no rule mentions, and 0 of others.
    pub hash: u32,
    /// The offset behind the name.
    pub end: usize,
}

impl TagName {
    /// Reads the name at `start`. Returns `None` if and only if the page ends in it.
    #[inline]
    pub fn read(text: &[u8], start: usize) -> Option<TagName> {
        if let Some(word) = scan::word(text, start)
            && let Some((tag, length)) = TagName::of_word(word)
        {
            let end = start + length;
            return Some(TagName { tag, hash: 0, end });
        }
        let rest = text.get(start..)?;
        let length = rest.iter().position(|&byte| scan::ends_tag_name(byte))?;
        let name = &rest[..length];
        let tag = Tag::of(name);
        let hash = match tag {
            Tag::Other => name_hash(name),
            _ => 0,
        };
        let end = start + length;
        Some(TagName { tag, hash, end })
    }

    /// Returns the tag whose name is at the begin of a word and ends in it, and the length of the
    /// name, if a rule mentions the tag.
    #[inline]
    fn of_word(word: u64) -> Option<(Tag, usize)> {
        let end = scan::below(word, b'0') | scan::equal(word, b'>') | scan::not_ascii(word);
        let length = scan::first(end);
        let last = word.checked_shr(8 * length as u32)?;
        if !scan::ends_tag_name(last as u8) {
            return None;
        }
        let key = scan::lower_case(word & !(u64::MAX << (8 * length)));
        let tag = Tag::of_key(key);
        (tag != Tag::Other).then_some((tag, length))
    }
}

impl Tag {
    fn of(name: &[u8]) -> Tag {
        let tag = Tag::of_key(key_of(name));
        if name.eq_ignore_ascii_case(NAMES[tag as usize]) {
            tag
        } else {
            Tag::Other
        }
    }

    /// Returns the tag whose name begins with the bytes of a key.
    fn of_key(key: u64) -> Tag {
        let mut slot = slot_of(key);
        loop {
            let (found, tag) = BY_KEY[slot];
            if found == key || found == 0 {
                return tag;
            }
            slot = (slot + 1) % SLOTS;
        }
    }
}

/// Returns a hash of a name in lower case (FNV-1a of 32 bits).
pub(super) fn name_hash(name: &[u8]) -> u32 {
    const OFFSET: u32 = 0x811C_9DC5;
    const PRIME: u32 = 0x0100_0193;
    let hashed = |hash: u32, byte: &u8| (hash ^ u32::from(*byte)).wrapping_mul(PRIME);
    name.iter().fold(OFFSET, |hash, byte| match byte {
        // The tokenizer replaces U+0000.
        0 => "\u{fffd}".as_bytes().iter().fold(hash, hashed),
        _ => hashed(hash, &byte.to_ascii_lowercase()),
    })
}

/// A set of tags: one bit each.
#[derive(Clone, Copy)]
pub(super) struct TagSet(u128);

impl TagSet {
    /// Returns the set of `tags`.
    pub(super) const fn of(tags: &[Tag]) -> TagSet {
        let mut bits = 0;
        let mut index = 0;
        while index < tags.len() {
            bits |= 1 << tags[index] as u32;
            index += 1;
        }
        TagSet(bits)
    }

    /// Returns the tags that are in one of two sets.
    pub(super) const fn or(self, other: TagSet) -> TagSet {
        TagSet(self.0 | other.0)
    }

    /// Returns the tags of this set that are not in another.
    pub(super) const fn without(self, other: TagSet) -> TagSet {
        TagSet(self.0 & !other.0)
    }

    /// Returns true if and only if the set has `tag`.
    pub(super) const fn has(self, tag: Tag) -> bool {
        self.0 >> tag as u32 & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_their_tags() {
        for (name, tag) in [
            ("a", Tag::A),
            ("MeTa", Tag::Meta),
            ("annotation-xml", Tag::AnnotationXml),
            ("xmp", Tag::Xmp),
            ("metas", Tag::Other),
            ("met", Tag::Other),
            ("p-", Tag::Other),
            ("p\u{e9}", Tag::Other),
            ("p\x0b", Tag::Other),
            ("textarea", Tag::Textarea),
            ("H1", Tag::H1),
            ("blockquot", Tag::Other),
            ("blockquotes", Tag::Other),
        ] {
            let read = |text: String| TagName::read(text.as_bytes(), 1).map(|name| name.tag);
            assert_eq!(read(format!("<{name}/")), Some(tag), "{name}");
            assert_eq!(read(format!("<{name}>     ")), Some(tag), "{name}");
            assert_eq!(read(format!("<{name}")), None, "{name}");
        }
        for (&tag, name) in TAGS.iter().zip(NAMES) {
            assert_eq!((TAGS[tag as usize], Tag::of(name)), (tag, tag));
        }
    }

    #[test]
    fn sets_have_their_tags_and_no_others() {
        const SET: TagSet = TagSet::of(&[Tag::Other, Tag::Xmp]);
        assert!(SET.has(Tag::Other) && SET.has(Tag::Xmp) && !SET.has(Tag::A));
        assert!(!SET.without(TagSet::of(&[Tag::Xmp])).has(Tag::Xmp));
        assert!(SET.or(TagSet::of(&[Tag::A])).has(Tag::A));
    }
}
