//! The encoder of dictionary arrays: the dictionary of a batch is mapped to that of the chunk once,
//! and a row costs a look-up in that map.
//!
//! A text is added to the dictionary of the chunk when a row first uses it. Other texts of a
//! batch's dictionary are not written, so the Bloom filter has no value that no row has.

use arrow_array::{Array, DictionaryArray, StringArray, cast::AsArray, types::Int32Type};
use parquet::{
    basic::Encoding,
    bloom_filter::Sbbf,
    errors::{ParquetError, Result},
};

use super::{
    ColumnChunk, ColumnLayout, PageBuffers,
    bits::key_width,
    bloom,
    dictionary::{TextDictionary, push_plain},
    hybrid, levels,
    pages::{ChunkPages, SharedCompressor},
};

/// The mark of a text that no row of the batch has used yet.
const UNUSED: u32 = u32::MAX;

/// An encoder of a chunk of names.
pub(in crate::dataset::sink) struct NameEncoder {
    pages: ChunkPages,
    texts: TextDictionary,
    bloom_filter: Option<Sbbf>,
    is_nullable: bool,
}

impl NameEncoder {
    pub(super) fn new(layout: &ColumnLayout) -> Result<Self> {
        Ok(Self {
            pages: ChunkPages::new(layout.column.clone()),
            texts: TextDictionary::default(),
            bloom_filter: bloom::new_filter(layout)?,
            is_nullable: layout.is_nullable(),
        })
    }

    pub(super) fn encoded_size(&self) -> usize {
        self.pages.encoded_size() + self.texts.bytes()
    }

    pub(super) fn write(
        &mut self,
        array: &DictionaryArray<Int32Type>,
        buffers: &mut PageBuffers,
    ) -> Result<()> {
        let texts = array.values().as_string::<i32>();
        buffers.key_map.clear();
        buffers.key_map.resize(texts.len(), UNUSED);
        for rows in levels::pages(array.len()) {
            let page = array.slice(rows.start, rows.len());
            self.write_page(&page, texts, buffers)?;
        }
        Ok(())
    }

    fn write_page(
        &mut self,
        array: &DictionaryArray<Int32Type>,
        texts: &StringArray,
        buffers: &mut PageBuffers,
    ) -> Result<()> {
        let PageBuffers {
            compressor,
            body,
            keys,
            key_map,
            batch_keys,
        } = buffers;
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
        let batch_keys = if has_nulls {
            batch_keys.clear();
            levels::append_valid(values, array, batch_keys);
            batch_keys
        } else {
            &values[..]
        };
        let encoding = if self.texts.is_full() {
            for &batch_key in batch_keys {
                let text = texts.value(batch_key as usize);
                push_plain(text, body);
                if let Some(filter) = &mut self.bloom_filter {
                    filter.insert(text.as_bytes());
                }
            }
            Encoding::PLAIN
        } else {
            keys.clear();
            map_keys(batch_keys, keys, |batch_key| {
                let key = &mut key_map[batch_key as usize];
                if *key == UNUSED {
                    *key = self.texts.key_of(texts.value(batch_key as usize));
                }
                *key
            });
            let width = key_width(self.texts.len());
            body.push(width);
            hybrid::encode(keys, width, body);
            Encoding::RLE_DICTIONARY
        };
        self.pages.append(body, encoding, array.len(), compressor)
    }

    pub(super) fn close(mut self, compressor: &SharedCompressor) -> Result<ColumnChunk> {
        let dictionary = self.texts.close(self.bloom_filter.as_mut());
        let bloom_filter = self.bloom_filter.map(bloom::folded);
        self.pages.close(&dictionary, bloom_filter, compressor)
    }
}

/// Appends the key of each value; `key_of` is called once for a group of eight equal values.
fn map_keys(batch_keys: &[i32], keys: &mut Vec<u32>, mut key_of: impl FnMut(i32) -> u32) {
    keys.reserve(batch_keys.len());
    for group in batch_keys.chunks(8) {
        if hybrid::is_constant(group) {
            let key = key_of(group[0]);
            keys.resize(keys.len() + group.len(), key);
        } else {
            keys.extend(group.iter().map(|&batch_key| key_of(batch_key)));
        }
    }
}
