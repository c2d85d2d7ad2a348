//! From the text of a page to its elements.
//!
//! A pass over the text finds tags and skips all else ([`scan`]). Values are looked at only where a
//! statement or tree construction can depend on them, and a tag costs no memory for its length.
//! What is not split by single bytes is left to html5gum ([`references`]).

use std::ops::Range;

use super::{
    attributes::{Attribute, Attributes, COMPARED},
    references,
    scan::{self, TagEnd, TagPart},
    statement::Place,
    tag::{Tag, TagName, TagSet},
    tree::{StartTag, Text, TextKind, Tree},
};

/// An element that may have a statement.
pub(super) struct FoundElement<'e> {
    pub tag: Tag,
    pub at: Place,
    /// The offset of its `<` in the text.
    pub offset: usize,
    pub attributes: &'e Attributes,
}

/// What a page consists of, in its order.
pub(super) enum Found<'e> {
    /// An element of [`REPORTED`].
    Element(FoundElement<'e>),
    /// The first element of the body follows.
    Body,
    /// The elements of the body, all of those since then, were removed.
    BodyRemoved,
}

/// Elements that may have a statement.
const REPORTED: TagSet = TagSet::of(&[
    Tag::Meta,
    Tag::Link,
    Tag::A,
    Tag::Area,
    Tag::Form,
    Tag::Span,
    Tag::Div,
    Tag::Section,
]);
/// Elements on whose attributes tree construction depends.
const CONSTRUCTING: TagSet = TagSet::of(&[Tag::Input, Tag::Font, Tag::AnnotationXml]).or(COMPARED);
const HEEDED: TagSet = REPORTED.or(CONSTRUCTING);

/// Finds the elements of a page. Returns true if and only if it ends within a tag.
pub(super) fn elements(
    text: &[u8],
    tree: &mut Tree,
    attributes: &mut Attributes,
    each: &mut impl FnMut(Found<'_>),
) -> bool {
    let mut elements = Elements {
        text,
        tree,
        attributes,
        each,
        has_body: false,
    };
    elements.read().is_none()
}

struct Elements<'p, F> {
    text: &'p [u8],
    tree: &'p mut Tree,
    attributes: &'p mut Attributes,
    each: &'p mut F,
    has_body: bool,
}

impl<F: FnMut(Found<'_>)> Elements<'_, F> {
    /// Reads the page. Returns `None` if and only if it ends within a tag.
    fn read(&mut self) -> Option<()> {
        let mut at = 0;
        while let Some(open) = scan::markup(self.text, at) {
            self.characters(at..open, true);
            at = match self.text[open + 1] {
                b'!' => self.declaration(open),
                b'?' => self.bogus_comment(open + 2),
                b'/' => match self.text[open + 2] {
                    b'a'..=b'z' | b'A'..=b'Z' => self.end_tag(open)?,
                    b'>' => open + 3,
                    _ => self.bogus_comment(open + 2),
                },
                _ => self.start_tag(open)?,
            };
        }
        self.characters(at..self.text.len(), true);
        Some(())
    }

    fn bogus_comment(&mut self, from: usize) -> usize {
        self.tree.comment();
        scan::declaration_end(self.text, from)
    }

    /// Reads what begins with `<!`, and returns the offset behind it.
    fn declaration(&mut self, open: usize) -> usize {
        const CDATA: &[u8] = b"<![CDATA[";
        const DOCTYPE: &[u8] = b"<!doctype";
        let rest = &self.text[open..];
        if rest.starts_with(b"<!--") {
            self.tree.comment();
            return scan::comment_end(self.text, open + 4);
        }
        if rest.starts_with(CDATA) && self.tree.is_foreign() {
            let start = open + CDATA.len();
            let n_text = memchr::memmem::find(&self.text[start..], b"]]>");
            let end = n_text.map_or(self.text.len(), |n_text| start + n_text);
            self.characters(start..end, false);
            return self.text.len().min(end + 3);
        }
        let starts_doctype = rest
            .get(..DOCTYPE.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(DOCTYPE));
        if !starts_doctype {
            return self.bogus_comment(open + 2);
        }
        let end = scan::declaration_end(self.text, open);
        let is_quirks = references::is_quirks(&self.text[open..end]);
        self.tree.doctype(is_quirks);
        end
    }

    fn end_tag(&mut self, open: usize) -> Option<usize> {
        let name = TagName::read(self.text, open + 2)?;
        let end = self.skip_attributes(name.end)?;
        self.tree.end(name.tag, name.hash);
        Some(end.offset)
    }

    fn start_tag(&mut self, open: usize) -> Option<usize> {
        let name = TagName::read(self.text, open + 1)?;
        let is_heeded = HEEDED.has(name.tag);
        let end = if is_heeded {
            self.attributes(open, &name)?
        } else {
            self.skip_attributes(name.end)?
        };
        let mut token = StartTag {
            tag: name.tag,
            name: name.hash,
            is_self_closing: end.is_self_closing,
            ..StartTag::default()
        };
        if CONSTRUCTING.has(name.tag) {
            let attributes = &self.attributes;
            token.attributes = attributes.hash;
            token.is_hidden = attributes.is(Attribute::Type, b"hidden");
            token.has_font_attribute = attributes.get(Attribute::FontStyle).is_some();
            token.holds_html = name.tag == Tag::AnnotationXml
                && (attributes.is(Attribute::Encoding, b"text/html")
                    || attributes.is(Attribute::Encoding, b"application/xhtml+xml"));
        }
        let inserted = self.tree.start(&token);
        if inserted.is_body_removed {
            (self.each)(Found::BodyRemoved);
        }
        if !self.has_body && self.tree.has_body() {
            self.has_body = true;
            (self.each)(Found::Body);
        }
        if let Some(at) = inserted.at
            && REPORTED.has(name.tag)
        {
            (self.each)(Found::Element(FoundElement {
                tag: name.tag,
                at,
                offset: open,
                attributes: self.attributes,
            }));
        }
        Some(match inserted.text {
            Some(kind) => self.raw_text(kind, &self.text[open + 1..name.end], end.offset),
            None => end.offset,
        })
    }

    /// Finds the end of a tag whose attributes do not matter.
    fn skip_attributes(&self, mut at: usize) -> Option<TagEnd> {
        loop {
            if let TagPart::End(end) = scan::tag_part(self.text, &mut at)? {
                return Some(end);
            }
        }
    }

    /// Reads the attributes of a start tag.
    fn attributes(&mut self, open: usize, name: &TagName) -> Option<TagEnd> {
        self.attributes.start(name.tag);
        let mut at = name.end;
        let mut is_written = true;
        let end = loop {
            match scan::tag_part(self.text, &mut at)? {
                TagPart::End(end) => break end,
                TagPart::Attribute { name, value } => {
                    let (name, value) = (&self.text[name], &self.text[value]);
                    is_written &= self.attributes.push_written(name, value);
                }
            }
        };
        if !is_written {
            self.attributes.start(name.tag);
            references::attributes(&self.text[open..end.offset], self.attributes);
        }
        Some(end)
    }

    /// Passes over the text of an element without markup, and returns the offset of its end tag.
    fn raw_text(&mut self, kind: TextKind, name: &[u8], from: usize) -> usize {
        let end = match kind {
            TextKind::Plaintext => self.text.len(),
            TextKind::Script => scan::script_end(self.text, from),
            TextKind::Rcdata | TextKind::Rawtext => scan::raw_text_end(self.text, from, name),
        };
        self.characters(from..end, kind == TextKind::Rcdata);
        end
    }

    /// Reads characters that are in no tag and no comment.
    fn characters(&mut self, range: Range<usize>, has_references: bool) {
        let text = &self.text[range];
        if text.is_empty() || !self.tree.heeds_text() {
            return;
        }
        if text[0] != 0 && !self.tree.heeds_space() {
            return self.tree.reconstruct();
        }
        let is_space = |byte: &u8| byte.is_ascii_whitespace();
        let n_blank = text.iter().take_while(|byte| is_space(byte)).count();
        match text[n_blank..] {
            [] | [0, ..] => classify(self.tree, text),
            // No other reference is white space, and `&` itself is not.
            [b'&', b'#' | b'T' | b'N', ..] if has_references => {
                references::text(text, |text| classify(self.tree, text));
            }
            _ => self.tree.text(Text::Written, false),
        }
    }
}

/// Passes characters to the tree, which only depends on whether they are white space.
fn classify(tree: &mut Tree, text: &[u8]) {
    for part in text.chunk_by(|a, b| (*a == 0) == (*b == 0)) {
        let is_line_end = matches!(part, b"\n" | b"\r" | b"\r\n");
        let text = match part {
            [0, ..] => Text::Null,
            _ if part.iter().all(u8::is_ascii_whitespace) => Text::Blank,
            _ => Text::Written,
        };
        tree.text(text, is_line_end);
    }
}
