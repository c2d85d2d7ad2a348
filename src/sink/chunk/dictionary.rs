//! The dictionary of a chunk of texts: each distinct text once, in the order of first use.
//!
//! Texts enter, keys leave; the dictionary is kept as the page that it will be (`PLAIN`: length,
//! then bytes). Whether a column should have one is not decided here.

use ahash::RandomState;
use hashbrown::HashTable;
use parquet::bloom_filter::Sbbf;

use super::pages::DictionaryPage;
use crate::growth::reserve;

/// Bytes of a dictionary from which on a chunk's pages hold values: beyond it, keys are wide and
/// reading begins with a large page.
pub(super) const MOST_BYTES: usize = 1024 * 1024;

/// Distinct texts and their keys.
#[derive(Default)]
pub(super) struct TextDictionary {
    page: Vec<u8>,
    /// Where in the page each text has its length.
    places: Vec<u32>,
    keys: HashTable<u32>,
    /// Keyed anew for each run: the texts are whatever a stranger put on a server.
    hasher: RandomState,
}

impl TextDictionary {
    /// Returns the key of a text, which is added if it is not there.
    pub(super) fn key_of(&mut self, text: &str) -> u32 {
        let Self {
            page,
            places,
            keys,
            hasher,
        } = self;
        let entry = keys.entry(
            hasher.hash_one(text.as_bytes()),
            |&key| text_at(page, places[key as usize]) == text.as_bytes(),
            |&key| hasher.hash_one(text_at(page, places[key as usize])),
        );
        let key = entry.or_insert_with(|| {
            u32::try_from(places.len()).expect("a row group has fewer than 2^32 rows")
        });
        let key = *key.get();
        if key as usize == places.len() {
            places.push(u32::try_from(page.len()).expect("a page that is not full is below 4 GiB"));
            reserve(page, size_of::<u32>() + text.len());
            push_plain(text, page);
        }
        key
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns the bytes of the page.
    pub(super) fn bytes(&self) -> usize {
        self.page.len()
    }

    pub(super) fn is_full(&self) -> bool {
        self.page.len() >= MOST_BYTES
    }

    /// Returns the page; the texts go into the Bloom filter.
    pub(super) fn close(&self, bloom: Option<&mut Sbbf>) -> DictionaryPage<'_> {
        if let Some(bloom) = bloom {
            for &place in &self.places {
                bloom.insert(text_at(&self.page, place));
            }
        }
        DictionaryPage {
            body: &self.page,
            values: self.places.len(),
        }
    }
}

/// Returns the text whose length stands there.
fn text_at(page: &[u8], place: u32) -> &[u8] {
    let (length, rest) = page[place as usize..]
        .split_first_chunk()
        .expect("every text has its length before it");
    &rest[..u32::from_le_bytes(*length) as usize]
}

/// Appends a text as `PLAIN` has it.
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
