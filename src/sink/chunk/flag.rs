//! Chunks of booleans: an Arrow bitmap without nulls is a Parquet page as it stands.

use arrow_array::{Array, BooleanArray};
use parquet::{
    basic::{Encoding, Type},
    errors::Result,
};

use super::{
    Chunk, Layout, Scratch,
    bits::pack_keys,
    bounds::Bounds,
    levels,
    pages::{Facts, Pages},
};

/// The chunk of a column of booleans.
pub(super) struct Flags {
    pages: Pages,
    bounds: Bounds<bool>,
    is_nullable: bool,
}

impl Flags {
    pub(super) fn new(layout: &Layout) -> Self {
        Self {
            pages: Pages::new(layout.column.clone()),
            bounds: Bounds::new(&layout.column, Type::BOOLEAN),
            is_nullable: layout.is_nullable(),
        }
    }

    pub(super) fn memory_size(&self) -> usize {
        self.pages.memory_size()
    }

    pub(super) fn write(&mut self, array: &BooleanArray, scratch: &mut Scratch) -> Result<()> {
        for rows in levels::pages(array.len()) {
            self.write_page(&array.slice(rows.start, rows.len()), scratch)?;
        }
        Ok(())
    }

    fn write_page(&mut self, array: &BooleanArray, scratch: &mut Scratch) -> Result<()> {
        let Scratch {
            press, body, keys, ..
        } = scratch;
        body.clear();
        if self.is_nullable {
            levels::encode(array, body);
        }
        let nulls = array.null_count();
        if nulls == 0 {
            let start = body.len();
            body.extend_from_slice(&array.values().sliced());
            body.truncate(start + array.len().div_ceil(8));
            let left = array.len() % 8;
            if left != 0 {
                // Bits beyond the rows are whatever the array was cut from; equal rows are to give
                // equal bytes.
                *body.last_mut().expect("a page has rows") &= 0xFF >> (8 - left);
            }
        } else {
            keys.clear();
            keys.extend(array.iter().flatten().map(u32::from));
            pack_keys(keys, 1, body);
        }
        let trues = array.true_count();
        let falses = array.len() - nulls - trues;
        let page = (trues + falses > 0).then_some((falses == 0, trues > 0));
        self.bounds.append(page, array.len(), nulls);
        let facts = Facts {
            encoding: Encoding::PLAIN,
            rows: array.len(),
            text_bytes: None,
        };
        self.pages.append(body, facts, press)
    }

    pub(super) fn close(self, scratch: &mut Scratch) -> Result<Chunk> {
        let summary = self.bounds.close()?;
        self.pages.close(None, summary, &mut scratch.press)
    }
}
