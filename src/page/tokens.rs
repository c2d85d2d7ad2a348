//! From the bytes of a page to its elements: the tokenizer, and what it is told.
//!
//! The tokenizer calls [`Elements`] with parts of names and values; only those of attributes that a
//! statement can depend on are copied, up to a limit, so a tag costs no memory for its length.

use std::{cell::Cell, convert::Infallible};

use html5gum::{Error, State, Tokenizer, emitters::Emitter};

use super::{
    quirks::Doctype,
    tag::{Tag, TagSet},
    tree::{InsertedAt, StartTag, Text, TextKind, Tree},
};

/// Bytes of a value that are recorded.
pub(super) const MAX_VALUE: usize = 8 * 1024;
/// The longest name of a tag or attribute that a rule mentions.
const MAX_NAME: usize = 16;
/// Attributes of a formatting element that are compared with those of another.
const MAX_COMPARED: usize = 64;

/// An element that may have a statement.
pub(super) struct FoundElement<'e> {
    pub tag: Tag,
    pub at: InsertedAt,
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
const CONSTRUCTING: TagSet = TagSet::of(&[Tag::Input, Tag::Font, Tag::AnnotationXml]);
/// Formatting elements, which are compared with all of their attributes.
const COMPARED: TagSet = TagSet::of(&[
    Tag::A,
    Tag::B,
    Tag::Big,
    Tag::Code,
    Tag::Em,
    Tag::Font,
    Tag::I,
    Tag::Nobr,
    Tag::S,
    Tag::Small,
    Tag::Strike,
    Tag::Strong,
    Tag::Tt,
    Tag::U,
]);
const HEEDED: TagSet = REPORTED.or(CONSTRUCTING).or(COMPARED);

/// An attribute that a statement or tree construction depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attribute {
    Name,
    Content,
    Rel,
    Href,
    Type,
    DataNosnippet,
    Encoding,
    /// One of those by which a `font` is one of HTML.
    FontStyle,
}

impl Attribute {
    const COUNT: usize = 8;

    fn of(name: &[u8]) -> Option<Attribute> {
        Some(match name {
            b"name" => Self::Name,
            b"content" => Self::Content,
            b"rel" => Self::Rel,
            b"href" => Self::Href,
            b"type" => Self::Type,
            b"data-nosnippet" => Self::DataNosnippet,
            b"encoding" => Self::Encoding,
            b"color" | b"face" | b"size" => Self::FontStyle,
            _ => return None,
        })
    }
}

/// The attributes of one tag, as far as they matter.
#[derive(Debug, Default)]
pub(super) struct Attributes {
    values: [Vec<u8>; Attribute::COUNT],
    is_present: [bool; Attribute::COUNT],
    /// Whether a value is longer than is recorded.
    pub is_cut: bool,
}

impl Attributes {
    /// Returns the value of an attribute.
    pub fn get(&self, attribute: Attribute) -> Option<&[u8]> {
        let index = attribute as usize;
        self.is_present[index].then_some(&self.values[index])
    }

    fn is(&self, attribute: Attribute, value: &[u8]) -> bool {
        self.get(attribute)
            .is_some_and(|found| found.eq_ignore_ascii_case(value))
    }

    fn clear(&mut self) {
        self.is_present = [false; Attribute::COUNT];
        self.is_cut = false;
    }
}

/// The name of a tag or attribute, as far as a rule can mention it, and a hash of all of it.
#[derive(Debug, Default)]
struct Name {
    bytes: [u8; MAX_NAME],
    length: usize,
    hash: u32,
}

impl Name {
    fn clear(&mut self) {
        self.length = 0;
        self.hash = FNV_OFFSET;
    }

    fn push(&mut self, text: &[u8]) {
        for &byte in text {
            if let Some(slot) = self.bytes.get_mut(self.length) {
                *slot = byte;
            }
            self.length += 1;
            self.hash = (self.hash ^ u32::from(byte)).wrapping_mul(FNV_PRIME);
        }
    }

    /// Returns the name, or an empty one where it is longer than any that a rule mentions.
    fn get(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }
}

/// The constants of the hash FNV-1a of 32 bits.
const FNV_OFFSET: u32 = 0x811C_9DC5;
const FNV_PRIME: u32 = 0x0100_0193;

/// Returns a hash of what was hashed before and one word more.
fn mixed(hash: u64, word: u64) -> u64 {
    let product = (hash ^ word)
        .wrapping_add(1)
        .wrapping_mul(0x9E37_79B9_7F4A_7C15);
    product ^ product >> 32
}

/// The part of the state of [`Elements`] that outlives a page, for its memory.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    attributes: Attributes,
    /// The hashes of the names of attributes of a formatting element.
    compared: Vec<u32>,
}

/// Finds the elements of a page. Returns true if and only if it ends within a tag.
pub(super) fn elements(
    text: &[u8],
    tree: &mut Tree,
    scratch: &mut Scratch,
    each: &mut impl FnMut(Found<'_>),
) -> bool {
    let is_in_tag = Cell::new(false);
    let emitter = Elements {
        tree,
        scratch,
        each,
        position: 0,
        is_in_tag: &is_in_tag,
        offset: 0,
        name: Name::default(),
        is_end: false,
        is_self_closing: false,
        heeded: None,
        attribute_name: Name::default(),
        attribute: CurrentAttribute::None,
        value_hash: 0,
        attributes_hash: 0,
        last_start: Name::default(),
        doctype: Doctype::default(),
        has_body: false,
    };
    // Neither a token nor an error is ever returned.
    let Ok(()) = Tokenizer::new_with_emitter(text, emitter).finish();
    is_in_tag.get()
}

/// The state of an attribute while its name and value are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CurrentAttribute {
    /// There is none.
    None,
    /// Its name is read.
    Named,
    /// Its value is recorded.
    Recorded(Attribute),
    /// Its value is not recorded.
    Passed,
}

/// Receives the parts of tokens, and finds elements in them.
struct Elements<'s, F> {
    tree: &'s mut Tree,
    scratch: &'s mut Scratch,
    each: &'s mut F,
    /// The offset behind what was read of the text.
    position: usize,
    is_in_tag: &'s Cell<bool>,
    /// The offset of the last `<` that may begin a tag.
    offset: usize,
    name: Name,
    is_end: bool,
    is_self_closing: bool,
    /// The tag whose attributes matter; `None` if they do not, or none was read.
    heeded: Option<Tag>,
    attribute_name: Name,
    attribute: CurrentAttribute,
    value_hash: u64,
    attributes_hash: u64,
    last_start: Name,
    doctype: Doctype,
    has_body: bool,
}

impl<F: FnMut(Found<'_>)> Elements<'_, F> {
    fn init_tag(&mut self, is_end: bool) {
        self.name.clear();
        self.is_end = is_end;
        self.is_self_closing = false;
        self.heeded = None;
        self.attribute = CurrentAttribute::None;
        self.attributes_hash = 0;
        self.is_in_tag.set(true);
    }

    /// Decides what the value of the attribute whose name was read is for.
    fn finish_name(&mut self) {
        let attribute = Attribute::of(self.attribute_name.get());
        let attributes = &mut self.scratch.attributes;
        self.attribute = CurrentAttribute::Passed;
        // The first attribute of a name counts.
        if let Some(attribute) = attribute
            && !std::mem::replace(&mut attributes.is_present[attribute as usize], true)
        {
            attributes.values[attribute as usize].clear();
            // Of links it only matters that they have a target.
            let is_target = attribute == Attribute::Href && self.heeded != Some(Tag::Link);
            if !is_target {
                self.attribute = CurrentAttribute::Recorded(attribute);
            }
        }
    }

    fn finish_attribute(&mut self) {
        if self.attribute == CurrentAttribute::Named {
            self.finish_name();
        }
        if self.attribute != CurrentAttribute::None
            && self.heeded.is_some_and(|tag| COMPARED.has(tag))
        {
            let name = self.attribute_name.hash;
            let compared = &mut self.scratch.compared;
            if compared.len() < MAX_COMPARED && !compared.contains(&name) {
                compared.push(name);
                // A sum, since the order of attributes does not count.
                let pair = mixed(self.value_hash, u64::from(name));
                self.attributes_hash = self.attributes_hash.wrapping_add(pair);
            }
        }
        self.attribute = CurrentAttribute::None;
    }

    fn start_tag(&mut self) -> Option<State> {
        let tag = Tag::of(self.name.get());
        if self.heeded.is_none() {
            self.scratch.attributes.clear();
        }
        let attributes = &self.scratch.attributes;
        let token = StartTag {
            tag,
            name: self.name.hash,
            is_self_closing: self.is_self_closing,
            attributes: self.attributes_hash,
            is_hidden: tag == Tag::Input && attributes.is(Attribute::Type, b"hidden"),
            has_font_attribute: attributes.get(Attribute::FontStyle).is_some(),
            holds_html: tag == Tag::AnnotationXml
                && (attributes.is(Attribute::Encoding, b"text/html")
                    || attributes.is(Attribute::Encoding, b"application/xhtml+xml")),
        };
        let inserted = self.tree.start(&token);
        if inserted.is_body_removed {
            (self.each)(Found::BodyRemoved);
        }
        if !self.has_body && self.tree.has_body() {
            self.has_body = true;
            (self.each)(Found::Body);
        }
        if let Some(at) = inserted.at
            && REPORTED.has(tag)
        {
            (self.each)(Found::Element(FoundElement {
                tag,
                at,
                offset: self.offset,
                attributes,
            }));
        }
        let kind = inserted.text?;
        std::mem::swap(&mut self.last_start, &mut self.name);
        Some(match kind {
            TextKind::Rcdata => State::RcData,
            TextKind::Rawtext => State::RawText,
            TextKind::Script => State::ScriptData,
            TextKind::Plaintext => State::PlainText,
        })
    }
}

impl<F: FnMut(Found<'_>)> Emitter for Elements<'_, F> {
    type Token = Infallible;

    fn set_last_start_tag(&mut self, _: Option<&[u8]>) {}

    fn emit_eof(&mut self) {}

    fn emit_error(&mut self, _: Error) {}

    #[inline]
    fn should_emit_errors(&mut self) -> bool {
        false
    }

    #[inline]
    fn pop_token(&mut self) -> Option<Infallible> {
        None
    }

    fn emit_string(&mut self, text: &[u8]) {
        self.is_in_tag.set(false);
        if !self.tree.heeds_text() {
            return;
        }
        let is_blank = |byte: &u8| byte.is_ascii_whitespace();
        let is_line_end = text == b"\n" || text == b"\r" || text == b"\r\n";
        if text.iter().any(|byte| !is_blank(byte) && *byte != 0) {
            self.tree.text(Text::Written, false);
            return;
        }
        if text.contains(&0) {
            self.tree.text(Text::Null, false);
        }
        if text.iter().any(is_blank) {
            self.tree.text(Text::Blank, is_line_end);
        }
    }

    #[inline]
    fn start_open_tag(&mut self) {
        self.offset = self.position.saturating_sub(1);
    }

    #[inline]
    fn move_position(&mut self, offset: isize) {
        self.position = self.position.wrapping_add_signed(offset);
    }

    fn init_start_tag(&mut self) {
        self.init_tag(false);
    }

    fn init_end_tag(&mut self) {
        self.init_tag(true);
    }

    fn push_tag_name(&mut self, text: &[u8]) {
        self.name.push(text);
    }

    fn set_self_closing(&mut self) {
        self.is_self_closing = true;
    }

    fn init_attribute(&mut self) {
        match self.heeded {
            Some(_) => self.finish_attribute(),
            None if self.is_end => return,
            None => {
                let tag = Tag::of(self.name.get());
                if !HEEDED.has(tag) {
                    return;
                }
                self.heeded = Some(tag);
                self.scratch.attributes.clear();
                self.scratch.compared.clear();
            }
        }
        self.attribute = CurrentAttribute::Named;
        self.attribute_name.clear();
        self.value_hash = 0;
    }

    #[inline]
    fn push_attribute_name(&mut self, text: &[u8]) {
        if self.heeded.is_some() {
            self.attribute_name.push(text);
        }
    }

    fn push_attribute_value(&mut self, text: &[u8]) {
        let Some(tag) = self.heeded else {
            return;
        };
        if self.attribute == CurrentAttribute::Named {
            self.finish_name();
        }
        if let CurrentAttribute::Recorded(attribute) = self.attribute {
            let attributes = &mut self.scratch.attributes;
            let value = &mut attributes.values[attribute as usize];
            let capacity = MAX_VALUE - value.len();
            attributes.is_cut |= text.len() > capacity;
            value.extend_from_slice(&text[..text.len().min(capacity)]);
        }
        if COMPARED.has(tag) {
            // Equal values are split alike. Eight bytes at a time, since URLs are long.
            let mut words = text.chunks_exact(8);
            for word in &mut words {
                let word = word.try_into().map_or(0, u64::from_le_bytes);
                self.value_hash = mixed(self.value_hash, word);
            }
            for &byte in words.remainder() {
                self.value_hash = mixed(self.value_hash, u64::from(byte));
            }
        }
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        self.is_in_tag.set(false);
        if self.heeded.is_some() {
            self.finish_attribute();
        }
        if !self.is_end {
            return self.start_tag();
        }
        self.tree.end(Tag::of(self.name.get()), self.name.hash);
        None
    }

    fn init_comment(&mut self) {
        self.is_in_tag.set(false);
        self.tree.comment();
    }

    fn push_comment(&mut self, _: &[u8]) {}

    fn emit_current_comment(&mut self) {}

    fn init_doctype(&mut self) {
        self.doctype = Doctype::default();
    }

    fn push_doctype_name(&mut self, text: &[u8]) {
        self.doctype.push_name(text);
    }

    fn set_force_quirks(&mut self) {
        self.doctype.is_forced = true;
    }

    fn set_doctype_public_identifier(&mut self, text: &[u8]) {
        self.doctype.push_public(text);
    }

    fn push_doctype_public_identifier(&mut self, text: &[u8]) {
        self.doctype.push_public(text);
    }

    fn set_doctype_system_identifier(&mut self, text: &[u8]) {
        self.doctype.push_system(text);
    }

    fn push_doctype_system_identifier(&mut self, text: &[u8]) {
        self.doctype.push_system(text);
    }

    fn emit_current_doctype(&mut self) {
        self.tree.doctype(self.doctype.is_quirks());
    }

    #[inline]
    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        self.is_end
            && self.name.length == self.last_start.length
            && self.name.hash == self.last_start.hash
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.tree.is_foreign()
    }
}
