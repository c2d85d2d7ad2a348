//! The attributes of a tag, as far as they matter.

use super::{
    tag::{Tag, TagSet, name_hash},
    tree::FORMATTING,
};

/// Bytes of a value that are recorded.
pub(super) const MAX_VALUE: usize = 8 * 1024;
/// Attributes of a formatting element that are compared with those of another.
const MAX_COMPARED: usize = 64;

/// Formatting elements, which are compared with all of their attributes. An `a` never is, since one
/// ends the one before it.
pub(super) const COMPARED: TagSet = FORMATTING.without(TagSet::of(&[Tag::A]));

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

    #[inline]
    fn of(name: &[u8]) -> Option<Attribute> {
        let [first, second, ..] = *name else {
            return None;
        };
        // Most names are none of these: `class`, `id`, `style`.
        let start = (first.to_ascii_lowercase(), second.to_ascii_lowercase());
        let (known, attribute): (&[u8], _) = match (name.len(), start) {
            (3, (b'r', b'e')) => (b"rel", Self::Rel),
            (4, (b'n', b'a')) => (b"name", Self::Name),
            (4, (b'h', b'r')) => (b"href", Self::Href),
            (4, (b't', b'y')) => (b"type", Self::Type),
            (4, (b'f', b'a')) => (b"face", Self::FontStyle),
            (4, (b's', b'i')) => (b"size", Self::FontStyle),
            (5, (b'c', b'o')) => (b"color", Self::FontStyle),
            (7, (b'c', b'o')) => (b"content", Self::Content),
            (8, (b'e', b'n')) => (b"encoding", Self::Encoding),
            (14, (b'd', b'a')) => (b"data-nosnippet", Self::DataNosnippet),
            _ => return None,
        };
        name.eq_ignore_ascii_case(known).then_some(attribute)
    }
}

/// The attributes of one tag. The memory is reused for the next.
#[derive(Debug, Default)]
pub(super) struct Attributes {
    tag: Tag,
    values: [Vec<u8>; Attribute::COUNT],
    is_present: [bool; Attribute::COUNT],
    /// A bit for each attribute whose value is longer than is recorded.
    cut: u8,
    /// The hashes of the names of attributes of a formatting element.
    compared: Vec<u32>,
    /// A hash of all attributes of a formatting element.
    pub hash: u64,
}

impl Attributes {
    /// Returns the value of an attribute.
    pub fn get(&self, attribute: Attribute) -> Option<&[u8]> {
        let index = attribute as usize;
        self.is_present[index].then_some(&self.values[index])
    }

    /// Returns true if and only if the value of an attribute is longer than is recorded.
    pub fn is_cut(&self, attribute: Attribute) -> bool {
        self.cut >> attribute as u8 & 1 == 1
    }

    /// Returns true if and only if an attribute is `value`, in any case.
    pub fn is(&self, attribute: Attribute, value: &[u8]) -> bool {
        self.get(attribute)
            .is_some_and(|found| found.eq_ignore_ascii_case(value))
    }

    /// Prepares for the attributes of a start tag.
    pub fn start(&mut self, tag: Tag) {
        self.tag = tag;
        self.is_present = [false; Attribute::COUNT];
        self.cut = 0;
        self.compared.clear();
        self.hash = 0;
    }

    /// Records an attribute as it is written. Returns false, without effect, where the value
    /// matters and has parts that are not what they are written as.
    pub fn push_written(&mut self, name: &[u8], value: &[u8]) -> bool {
        let attribute = Attribute::of(name);
        let is_compared = COMPARED.has(self.tag);
        if attribute.is_none() && !is_compared {
            return true;
        }
        let is_heeded = is_compared || attribute.is_some_and(|known| self.records(known));
        if is_heeded && memchr::memchr3(b'&', b'\0', b'\r', value).is_some() {
            return false;
        }
        self.push(name, value);
        true
    }

    /// Returns true if and only if the value of an attribute is recorded: of links it only matters
    /// that they have a target.
    fn records(&self, attribute: Attribute) -> bool {
        attribute != Attribute::Href || self.tag == Tag::Link
    }

    /// Records an attribute of the tag, as far as it matters. The name is not empty.
    pub fn push(&mut self, name: &[u8], value: &[u8]) {
        // The first attribute of a name counts.
        if let Some(attribute) = Attribute::of(name)
            && !std::mem::replace(&mut self.is_present[attribute as usize], true)
        {
            let is_recorded = self.records(attribute);
            let recorded = &mut self.values[attribute as usize];
            recorded.clear();
            if is_recorded {
                self.cut |= u8::from(value.len() > MAX_VALUE) << attribute as u8;
                recorded.extend_from_slice(&value[..value.len().min(MAX_VALUE)]);
            }
        }
        if COMPARED.has(self.tag) && self.compared.len() < MAX_COMPARED {
            let name = name_hash(name);
            if !self.compared.contains(&name) {
                self.compared.push(name);
                // A sum, since the order of attributes does not count.
                let pair = mixed(value_hash(value), u64::from(name));
                self.hash = self.hash.wrapping_add(pair);
            }
        }
    }
}

/// Returns a hash of a value, eight bytes at a time.
fn value_hash(value: &[u8]) -> u64 {
    let mut words = value.chunks_exact(8);
    let mut hash = value.len() as u64;
    for word in &mut words {
        hash = mixed(hash, word.try_into().map_or(0, u64::from_le_bytes));
    }
    let rest = words.remainder().iter();
    mixed(
        hash,
        rest.fold(0, |word, byte| word << 8 | u64::from(*byte)),
    )
}

/// Returns a hash of what was hashed before and one word more.
fn mixed(hash: u64, word: u64) -> u64 {
    let product = (hash ^ word)
        .wrapping_add(1)
        .wrapping_mul(0x9E37_79B9_7F4A_7C15);
    product ^ product >> 32
}
