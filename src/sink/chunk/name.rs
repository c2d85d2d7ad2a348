//! Chunks of dictionary arrays: a batch's dictionary is mapped to the chunk's once, and a row costs
//! a look into that map.
//!
//! Arrays of texts with keys enter, a chunk leaves. A text is added to the chunk's dictionary when
//! a row first uses it: what a batch's dictionary holds besides is not written, and the Bloom
//! filter stays true.

use arrow_array::{Array, DictionaryArray, StringArray, cast::AsArray, types::Int32Type};
use parquet::{
    basic::{Encoding, Type},
    bloom_filter::Sbbf,
    errors::{ParquetError, Result},
};

use super::{
    Chunk, Layout, Scratch,
    bits::width_of,
    bloom,
    bounds::Bounds,
    dictionary::{TextDictionary, push_plain},
    hybrid, levels,
    pages::{Facts, Pages, Summary},
};

/// No row of the batch has used this text yet.
const UNUSED: u32 = u32::MAX;

/// The chunk of a column of names.
pub(super) struct Names {
    pages: Pages,
    texts: TextDictionary,
    bounds: Option<Bounds<Box<str>>>,
    bloom: Option<Sbbf>,
    is_nullable: bool,
}

impl Names {
    pub(super) fn new(layout: &Layout) -> Result<Self> {
        Ok(Self {
            pages: Pages::new(layout.column.clone()),
            texts: TextDictionary::default(),
            bounds: layout
                .has_bounds
                .then(|| Bounds::new(&layout.column, Type::BYTE_ARRAY)),
            bloom: bloom::begin(layout)?,
            is_nullable: layout.is_nullable(),
        })
    }

    pub(super) fn memory_size(&self) -> usize {
        self.pages.memory_size() + self.texts.bytes()
    }

    pub(super) fn write(
        &mut self,
        array: &DictionaryArray<Int32Type>,
        scratch: &mut Scratch,
    ) -> Result<()> {
        let texts = array.values().as_string::<i32>();
        let mut map = std::mem::take(&mut scratch.map);
        map.clear();
        map.resize(texts.len(), UNUSED);
        for rows in levels::pages(array.len()) {
            let page = array.slice(rows.start, rows.len());
            self.write_page(&page, texts, &mut map, scratch)?;
        }
        scratch.map = map;
        Ok(())
    }

    fn write_page(
        &mut self,
        array: &DictionaryArray<Int32Type>,
        texts: &StringArray,
        map: &mut [u32],
        scratch: &mut Scratch,
    ) -> Result<()> {
        let Scratch {
            press,
            body,
            keys,
            places,
            ..
        } = scratch;
        body.clear();
        if self.is_nullable {
            levels::encode(array, body);
        }
        let values = array.keys().values();
        let has_nulls = array.logical_nulls().is_some_and(|n| n.null_count() > 0);
        if has_nulls && !self.is_nullable {
            // A batch checks its arrays, but not whether a dictionary has a null among its texts.
            return Err(ParquetError::General(
                "a dictionary of a required column holds NULL, and a row uses it".to_owned(),
            ));
        }
        let places = if has_nulls {
            places.clear();
            levels::compact(values, array, places);
            places
        } else {
            &values[..]
        };
        let encoding = if self.texts.is_full() {
            for &place in places {
                let text = texts.value(place as usize);
                push_plain(text, body);
                if let Some(bloom) = &mut self.bloom {
                    bloom.insert(text.as_bytes());
                }
            }
            Encoding::PLAIN
        } else {
            keys.clear();
            map_keys(places, keys, |place| {
                let key = &mut map[place as usize];
                if *key == UNUSED {
                    *key = self.texts.key_of(texts.value(place as usize));
                }
                *key
            });
            encode_keys(keys, self.texts.len(), body);
            Encoding::RLE_DICTIONARY
        };
        if let Some(bounds) = &mut self.bounds {
            let mut used = places.to_vec();
            used.sort_unstable();
            used.dedup();
            let used = used.iter().map(|&place| texts.value(place as usize));
            let page = super::bounds::bounds_of(used);
            let page = page.map(|(min, max)| (min.into(), max.into()));
            bounds.append(page, array.len(), array.len() - places.len());
        }
        let facts = Facts {
            encoding,
            rows: array.len(),
            text_bytes: None,
        };
        self.pages.append(body, facts, press)
    }

    pub(super) fn close(mut self, scratch: &mut Scratch) -> Result<Chunk> {
        let mut summary = match self.bounds {
            Some(bounds) => bounds.close()?,
            None => Summary::default(),
        };
        let dictionary = self.texts.close(self.bloom.as_mut());
        summary.bloom = bloom::end(self.bloom);
        self.pages
            .close(Some(dictionary), summary, &mut scratch.press)
    }
}

/// Appends the key of each value; `key_of` is asked once for a group of eight that are the same.
pub(super) fn map_keys<T: PartialEq + Copy>(
    values: &[T],
    keys: &mut Vec<u32>,
    mut key_of: impl FnMut(T) -> u32,
) {
    keys.reserve(values.len());
    for group in values.chunks(8) {
        if hybrid::is_constant(group) {
            let key = key_of(group[0]);
            keys.resize(keys.len() + group.len(), key);
        } else {
            keys.extend(group.iter().map(|&value| key_of(value)));
        }
    }
}

/// Appends the keys of a page, whose width depends on how many values the dictionary has by now.
pub(super) fn encode_keys(keys: &[u32], values: usize, body: &mut Vec<u8>) {
    let width = width_of(values.saturating_sub(1) as u64);
    body.push(width);
    hybrid::encode(keys, width, body);
}
