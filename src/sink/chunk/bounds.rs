//! Smallest and largest value of every page and of the chunk: what an engine asks before it reads.
//!
//! Bounds of pages enter, statistics and the column index leave. Long texts are cut as the
//! `parquet` crate cuts them: the smallest to a prefix, the largest to the prefix after it.

use parquet::{
    basic::{BoundaryOrder, Type},
    data_type::ByteArray,
    errors::Result,
    file::{
        metadata::{ColumnIndexBuilder, LevelHistogram},
        statistics::{Statistics, ValueStatistics},
    },
    schema::types::ColumnDescPtr,
};

use super::pages::Summary;

/// Bytes of a text in statistics.
const MOST_TEXT: usize = 64;

/// A value that has an order in Parquet.
pub(super) trait Bound: PartialOrd + Clone {
    /// Returns bytes that are not above the value.
    fn floor(&self) -> Vec<u8>;

    /// Returns bytes that are not below the value.
    fn ceiling(&self) -> Vec<u8> {
        self.floor()
    }

    /// Returns what a chunk says of its values, none where there are only nulls.
    fn statistics(bounds: Option<(Self, Self)>, nulls: u64) -> Statistics;
}

macro_rules! number {
    ($type:ty) => {
        impl Bound for $type {
            fn floor(&self) -> Vec<u8> {
                self.to_le_bytes().to_vec()
            }

            fn statistics(bounds: Option<(Self, Self)>, nulls: u64) -> Statistics {
                let (min, max) = bounds.unzip();
                // Readers of the first hour know only the fields that are right for signed numbers.
                ValueStatistics::new(min, max, None, Some(nulls), false)
                    .with_backwards_compatible_min_max(true)
                    .into()
            }
        }
    };
}

number!(i32);
number!(i64);

impl Bound for bool {
    fn floor(&self) -> Vec<u8> {
        vec![u8::from(*self)]
    }

    fn statistics(bounds: Option<(Self, Self)>, nulls: u64) -> Statistics {
        let (min, max) = bounds.unzip();
        ValueStatistics::new(min, max, None, Some(nulls), false).into()
    }
}

impl Bound for Box<str> {
    fn floor(&self) -> Vec<u8> {
        self[..self.floor_char_boundary(MOST_TEXT)].into()
    }

    fn ceiling(&self) -> Vec<u8> {
        let end = self.floor_char_boundary(MOST_TEXT);
        let cut = (end < self.len())
            .then(|| successor(&self[..end]))
            .flatten();
        cut.unwrap_or_else(|| self.as_bytes().into())
    }

    fn statistics(bounds: Option<(Self, Self)>, nulls: u64) -> Statistics {
        let Some((min, max)) = bounds else {
            return ValueStatistics::<ByteArray>::new(None, None, None, Some(nulls), false).into();
        };
        let (floor, ceiling) = (min.floor(), max.ceiling());
        let is_exact = (*floor == *min.as_bytes(), *ceiling == *max.as_bytes());
        let (floor, ceiling) = (Some(floor.into()), Some(ceiling.into()));
        ValueStatistics::<ByteArray>::new(floor, ceiling, None, Some(nulls), false)
            .with_min_is_exact(is_exact.0)
            .with_max_is_exact(is_exact.1)
            .into()
    }
}

/// Returns the smallest text of at most that length that is above every text with this beginning.
fn successor(prefix: &str) -> Option<Vec<u8>> {
    prefix.char_indices().rev().find_map(|(at, c)| {
        let next = char::from_u32(u32::from(c) + 1)?;
        // A longer character would make the text longer than it may be.
        (next.len_utf8() == c.len_utf8()).then(|| {
            let mut text = prefix[..at].to_owned();
            text.push(next);
            text.into_bytes()
        })
    })
}

/// The bounds of a chunk that is being written.
pub(super) struct Bounds<T> {
    index: ColumnIndexBuilder,
    chunk: Option<(T, T)>,
    last: Option<(T, T)>,
    is_ascending: bool,
    is_descending: bool,
    nulls: usize,
    levels: Option<LevelHistogram>,
}

impl<T: Bound> Bounds<T> {
    pub(super) fn new(column: &ColumnDescPtr, physical: Type) -> Self {
        Self {
            index: ColumnIndexBuilder::new(physical),
            chunk: None,
            last: None,
            is_ascending: true,
            is_descending: true,
            nulls: 0,
            levels: LevelHistogram::try_new(column.max_def_level()),
        }
    }

    /// Adds a page; it has no bounds if and only if it has only nulls.
    pub(super) fn append(&mut self, bounds: Option<(T, T)>, rows: usize, nulls: usize) {
        self.nulls += nulls;
        if let Some(levels) = &mut self.levels {
            let mut page = levels.clone();
            page.reset();
            page.increment_by(0, nulls as i64);
            page.increment_by(1, (rows - nulls) as i64);
            levels.add(&page);
            self.index.append_histograms(&None, &Some(page));
        }
        let Some((min, max)) = bounds else {
            self.index
                .append(true, Vec::new(), Vec::new(), nulls as i64, None);
            return;
        };
        self.index
            .append(false, min.floor(), max.ceiling(), nulls as i64, None);
        if let Some((last_min, last_max)) = &self.last {
            self.is_ascending &= *last_min <= min && *last_max <= max;
            self.is_descending &= *last_min >= min && *last_max >= max;
        }
        match &mut self.chunk {
            None => self.chunk = Some((min.clone(), max.clone())),
            Some((chunk_min, chunk_max)) => {
                if min < *chunk_min {
                    *chunk_min = min.clone();
                }
                if max > *chunk_max {
                    *chunk_max = max.clone();
                }
            }
        }
        self.last = Some((min, max));
    }

    pub(super) fn close(mut self) -> Result<Summary> {
        self.index
            .set_boundary_order(match (self.is_ascending, self.is_descending) {
                (true, _) => BoundaryOrder::ASCENDING,
                (false, true) => BoundaryOrder::DESCENDING,
                (false, false) => BoundaryOrder::UNORDERED,
            });
        Ok(Summary {
            statistics: Some(T::statistics(self.chunk, self.nulls as u64)),
            column_index: Some(self.index.build()?),
            levels: self.levels,
            bloom: None,
        })
    }
}

/// Returns the smallest and the largest of values.
pub(super) fn bounds_of<T: PartialOrd + Copy>(
    mut values: impl Iterator<Item = T>,
) -> Option<(T, T)> {
    let first = values.next()?;
    Some(values.fold((first, first), |(min, max), value| {
        (
            if value < min { value } else { min },
            if value > max { value } else { max },
        )
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_between_its_floor_and_its_ceiling() {
        let long: Box<str> = "a".repeat(100).into();
        assert_eq!(long.floor(), "a".repeat(64).as_bytes());
        assert_eq!(long.ceiling(), format!("{}b", "a".repeat(63)).into_bytes());
        let short: Box<str> = "a".repeat(64).into();
        assert_eq!(
            (short.floor(), short.ceiling()),
            (short.as_bytes().into(), short.as_bytes().into())
        );
    }

    #[test]
    fn a_text_is_cut_between_characters() {
        let text: Box<str> = format!("{}é", "a".repeat(63)).into();
        assert_eq!(text.floor(), "a".repeat(63).as_bytes());
        // U+007F has no successor of one byte, nor has U+10FFFF any: the character before takes its
        // place.
        let text: Box<str> = format!("{}b\u{7f}\u{10FFFF}x", "a".repeat(58)).into();
        assert_eq!(text.ceiling(), format!("{}c", "a".repeat(58)).into_bytes());
        let text: Box<str> = "\u{10FFFF}".repeat(20).into();
        assert_eq!(text.ceiling(), text.as_bytes());
    }

    #[test]
    fn bounds_are_the_smallest_and_the_largest() {
        assert_eq!(bounds_of([3, -1, 2].into_iter()), Some((-1, 3)));
        assert_eq!(bounds_of(std::iter::empty::<i32>()), None);
    }
}
