//! The elements that the rules of the HTML Standard name, as numbers and sets of numbers.

/// Declares [`Tag`] with the name of each element.
macro_rules! tags {
    ($($tag:ident $name:literal)+) => {
        /// The name of an element, as far as a rule of the HTML Standard (13.2.6) names it.
        ///
        /// The name alone: `title` is [`Tag::Title`] in HTML and in SVG.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub(super) enum Tag {
            /// A name that no rule mentions.
            Other,
            $(
                #[doc = concat!("`", $name, "`")]
                $tag,
            )+
        }

        impl Tag {
            /// Returns the tag of a name in lower case.
            #[allow(non_upper_case_globals, reason = "constants named like the variants")]
            pub(super) fn of(name: &[u8]) -> Tag {
                $(const $tag: u128 = packed($name.as_bytes());)+
                match packed(name) {
                    $($tag => Tag::$tag,)+
                    _ => Tag::Other,
                }
            }
        }
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

/// Returns the bytes of a name as one number, and 0 for a name that no element of [`Tag`] has.
const fn packed(name: &[u8]) -> u128 {
    if name.len() > 16 {
        return 0;
    }
    let mut number = 0;
    let mut index = 0;
    while index < name.len() {
        number = number << 8 | name[index] as u128;
        index += 1;
    }
    number
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
            ("meta", Tag::Meta),
            ("annotation-xml", Tag::AnnotationXml),
            ("xmp", Tag::Xmp),
            ("", Tag::Other),
            ("metas", Tag::Other),
            ("\0a", Tag::A),
            ("averyveryverylongname", Tag::Other),
        ] {
            if !name.starts_with('\0') {
                assert_eq!(Tag::of(name.as_bytes()), tag, "{name}");
            }
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
