//! The dictionary of a chunk of texts: each distinct text once, in the order of first use.
//!
//! It is stored as the body of its page (`PLAIN`: length, then bytes), so that a chunk needs no
//! second copy of its texts.

use ahash::RandomState;
use hashbrown::HashTable;
use parquet::bloom_filter::Sbbf;

use super::pages::DictionaryPage;
use crate::dataset::growth::reserve;

/// Bytes of a dictionary after which the pages of a chunk hold values: keys would be wide, and a
/// reader would begin with a large page.
const MAX_BYTES: usize = 1024 * 1024;

/// Distinct texts and their keys.
#[derive(Default)]
pub(super) struct TextDictionary {
    page: Vec<u8>,
    /// The offset of each text's length in the page.
    offsets: Vec<u32>,
    keys: HashTable<u32>,
    /// With random keys: servers choose the texts, and could choose ones that collide.
    hasher: RandomState,
}

impl TextDictionary {
    /// Returns the key of a text, which is added if it is new.
    pub(super) fn key_of(&mut self, text: &str) -> u32 {
        let Self {
            page,
            offsets,
            keys,
            hasher,
        } = self;
        let entry = keys.entry(
            hasher.hash_one(text.as_bytes()),
            |&key| text_at(page, offsets[key as usize]) == text.as_bytes(),
            |&key| hasher.hash_one(text_at(page, offsets[key as usize])),
        );
        let key = entry.or_insert_with(|| {
            u32::try_from(offsets.len()).expect("a row group has fewer than 2^32 rows")
        });
        let key = *key.get();
        if key as usize == offsets.len() {
            offsets
                .push(u32::try_from(page.len()).expect("a page that is not full is below 4 GiB"));
            reserve(page, size_of::<u32>() + text.len());
            push_plain(text, page);
        }
        key
    }

    pub(super) fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Returns the bytes of the page.
    pub(super) fn bytes(&self) -> usize {
        self.page.len()
    }

    pub(super) fn is_full(&self) -> bool {
        self.page.len() >= MAX_BYTES
    }

    /// Returns the page, and inserts its texts into the Bloom filter.
    pub(super) fn close(&self, bloom_filter: Option<&mut Sbbf>) -> DictionaryPage<'_> {
        if let Some(filter) = bloom_filter {
            for &offset in &self.offsets {
                filter.insert(text_at(&self.page, offset));
            }
        }
        DictionaryPage {
            body: &self.page,
            values: self.offsets.len(),
        }
    }
}

/// Returns the text whose length is at an offset.
fn text_at(page: &[u8], offset: u32) -> &[u8] {
    let (length, rest) = page[offset as usize..]
        .split_first_chunk()
        .expect("every text has its length before it");
    &rest[..u32::from_le_bytes(*length) as usize]
}

/// Appends a text in encoding `PLAIN`.
pub(super) fn push_plain(text: &str, out: &mut Vec<u8>) {
    let length = u32::try_from(text.len()).expect("an Arrow string is below 2 GiB");
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_count_distinct_texts_in_the_order_of_first_use() {
        let mut texts = TextDictionary::default();
        let keys = ["b", "", "a", "b", "", "ab"].map(|text| texts.key_of(text));
        assert_eq!(keys, [0, 1, 2, 0, 1, 3]);
        let page = texts.close(None);
        assert_eq!(page.values, 4);
        assert_eq!(page.body, b"\x01\0\0\0b\0\0\0\0\x01\0\0\0a\x02\0\0\0ab");
    }

    #[test]
    fn a_dictionary_that_has_grown_still_knows_its_texts() {
        let mut texts = TextDictionary::default();
        for _ in 0..2 {
            for n in 0..10_000_u32 {
                assert_eq!(texts.key_of(&n.to_string()), n);
            }
        }
    }
}
