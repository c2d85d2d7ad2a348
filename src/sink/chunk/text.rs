//! Chunks of plain texts: as they are where most are distinct, with a dictionary where they repeat.
//!
//! Arrays of texts enter, a chunk leaves. The first texts of a chunk decide: see the essay of the
//! folder for why a dictionary that is tried first and given up later costs most and saves nothing.

use arrow_array::{Array, StringArray};
use parquet::{
    basic::{Encoding, Type},
    bloom_filter::Sbbf,
    errors::Result,
};

use super::{
    Chunk, Layout, Scratch, bloom,
    bounds::{Bounds, bounds_of},
    dictionary::{TextDictionary, push_plain},
    levels,
    name::encode_keys,
    pages::{Facts, Pages},
};
use crate::growth::reserve;

/// Texts that decide about a dictionary.
const SAMPLE: usize = 2_048;
/// A dictionary pays where a distinct text is used at least so often.
const LEAST_USES: usize = 2;
/// Bytes of texts that end a page.
const PAGE_BYTES: usize = 512 * 1024;

/// The chunk of a column of texts.
pub(super) struct Texts {
    pages: Pages,
    /// None before the first text.
    has_dictionary: Option<bool>,
    texts: TextDictionary,
    bounds: Bounds<Box<str>>,
    bloom: Option<Sbbf>,
    is_nullable: bool,
}

impl Texts {
    pub(super) fn new(layout: &Layout) -> Result<Self> {
        Ok(Self {
            pages: Pages::new(layout.column.clone()),
            has_dictionary: None,
            texts: TextDictionary::default(),
            bounds: Bounds::new(&layout.column, Type::BYTE_ARRAY),
            bloom: bloom::begin(layout)?,
            is_nullable: layout.is_nullable(),
        })
    }

    pub(super) fn memory_size(&self) -> usize {
        self.pages.memory_size() + self.texts.bytes()
    }

    pub(super) fn write(&mut self, array: &StringArray, scratch: &mut Scratch) -> Result<()> {
        for rows in levels::pages(array.len()) {
            let mut rest = array.slice(rows.start, rows.len());
            while !rest.is_empty() {
                let offsets = rest.value_offsets();
                let most = offsets[0].saturating_add(PAGE_BYTES as i32);
                let fitting = offsets[1..].partition_point(|&end| end <= most);
                let n = fitting.max(1);
                self.write_page(&rest.slice(0, n), scratch)?;
                rest = rest.slice(n, rest.len() - n);
            }
        }
        Ok(())
    }

    fn write_page(&mut self, array: &StringArray, scratch: &mut Scratch) -> Result<()> {
        let Scratch {
            press, body, keys, ..
        } = scratch;
        body.clear();
        if self.is_nullable {
            levels::encode(array, body);
        }
        let texts = || array.iter().flatten();
        let nulls = array.null_count();
        if self.has_dictionary.is_none() && nulls < array.len() {
            self.has_dictionary = Some(are_repetitive(texts()));
        }
        // A chunk of nulls alone is one without a dictionary.
        let has_dictionary = self.has_dictionary == Some(true);
        let mut text_bytes = 0;
        let encoding = if has_dictionary && !self.texts.is_full() {
            keys.clear();
            let mut last = None;
            keys.extend(texts().map(|text| match last {
                Some((last_text, key)) if last_text == text => key,
                _ => {
                    let key = self.texts.key_of(text);
                    last = Some((text, key));
                    key
                }
            }));
            encode_keys(keys, self.texts.len(), body);
            Encoding::RLE_DICTIONARY
        } else {
            let n_bytes = array.value_offsets()[array.len()] - array.value_offsets()[0];
            reserve(body, n_bytes as usize + array.len() * size_of::<u32>());
            for text in texts() {
                push_plain(text, body);
                text_bytes += text.len();
            }
            if let Some(bloom) = &mut self.bloom {
                texts().for_each(|text| bloom.insert(text.as_bytes()));
            }
            Encoding::PLAIN
        };
        let page = bounds_of(texts()).map(|(min, max)| (min.into(), max.into()));
        self.bounds.append(page, array.len(), nulls);
        let facts = Facts {
            encoding,
            rows: array.len(),
            text_bytes: (self.has_dictionary == Some(false)).then_some(text_bytes),
        };
        self.pages.append(body, facts, press)
    }

    pub(super) fn close(mut self, scratch: &mut Scratch) -> Result<Chunk> {
        let mut summary = self.bounds.close()?;
        let dictionary = self.texts.close(self.bloom.as_mut());
        summary.bloom = bloom::end(self.bloom);
        let dictionary = (self.has_dictionary == Some(true)).then_some(dictionary);
        self.pages.close(dictionary, summary, &mut scratch.press)
    }
}

/// Returns true if and only if the first texts repeat so often that a dictionary pays.
fn are_repetitive<'a>(texts: impl Iterator<Item = &'a str>) -> bool {
    let mut distinct = TextDictionary::default();
    let mut n = 0;
    for text in texts.take(SAMPLE) {
        distinct.key_of(text);
        n += 1;
    }
    distinct.len() * LEAST_USES <= n
}
