//! Chunks of integers and points in time: by a dictionary, by distances, or as they are, whichever
//! the first values of the chunk are smallest in.
//!
//! Arrays of numbers enter, a chunk leaves. What a number counts is not known here.

use ahash::RandomState;
use arrow_array::Array;
use hashbrown::HashMap;
use parquet::{
    basic::{Encoding, Type},
    errors::Result,
};

use super::{
    Chunk, Layout, Scratch,
    bounds::{Bound, Bounds, bounds_of},
    delta,
    dictionary::MOST_BYTES,
    levels,
    name::{encode_keys, map_keys},
    pages::{DictionaryPage, Facts, Pages, Press},
};

/// Values that decide about the encoding of a chunk.
const SAMPLE: usize = 4_096;
/// Length of runs, on average, from which on a dictionary is taken unasked: each run is three bytes
/// then, and costs next to nothing to read.
const LONG_RUN: usize = 16;
/// Numbers below are found by their place in a table.
const SMALL: i64 = 8 * 1024;

/// A number of a column.
pub(super) trait Number: Bound + Copy {
    /// The type in Parquet.
    const PHYSICAL: Type;
    /// Bytes of `PLAIN`.
    const BYTES: usize;

    /// Returns the same number.
    fn to_i64(self) -> i64;

    /// Returns this less `before`, wrapped around in the width of the column.
    fn distance_from(self, before: Self) -> i64;

    /// Stores the number as `PLAIN` has it.
    fn store(self, place: &mut [u8]);
}

macro_rules! number {
    ($type:ty, $physical:expr) => {
        impl Number for $type {
            const PHYSICAL: Type = $physical;
            const BYTES: usize = size_of::<$type>();

            fn to_i64(self) -> i64 {
                i64::from(self)
            }

            fn distance_from(self, before: Self) -> i64 {
                i64::from(self.wrapping_sub(before))
            }

            fn store(self, place: &mut [u8]) {
                place.copy_from_slice(&self.to_le_bytes());
            }
        }
    };
}

number!(i32, Type::INT32);
number!(i64, Type::INT64);

/// The chunk of a column of numbers.
pub(super) struct Numbers<T> {
    pages: Pages,
    plan: Option<Plan>,
    dictionary: Dictionary<T>,
    bounds: Bounds<T>,
    is_nullable: bool,
}

/// How a chunk is encoded.
#[derive(Clone, Copy)]
struct Plan {
    has_dictionary: bool,
    /// What takes over where there is no dictionary, or where it is full.
    direct: Encoding,
}

impl<T: Number> Numbers<T> {
    pub(super) fn new(layout: &Layout) -> Self {
        Self {
            pages: Pages::new(layout.column.clone()),
            plan: None,
            dictionary: Dictionary::default(),
            bounds: Bounds::new(&layout.column, T::PHYSICAL),
            is_nullable: layout.is_nullable(),
        }
    }

    pub(super) fn memory_size(&self) -> usize {
        self.pages.memory_size() + self.dictionary.bytes()
    }

    /// Encodes the rows of a batch: an array, and its values with whatever stands where there is
    /// none.
    pub(super) fn write(
        &mut self,
        array: &dyn Array,
        values: &[T],
        scratch: &mut Scratch,
    ) -> Result<()> {
        for rows in levels::pages(array.len()) {
            let page = array.slice(rows.start, rows.len());
            self.write_page(&page, &values[rows], scratch)?;
        }
        Ok(())
    }

    fn write_page(&mut self, array: &dyn Array, values: &[T], scratch: &mut Scratch) -> Result<()> {
        let Scratch {
            press, body, keys, ..
        } = scratch;
        let nulls = array.null_count();
        let mut valid = Vec::new();
        let values = if nulls == 0 {
            values
        } else {
            valid.reserve_exact(values.len() - nulls);
            levels::compact(values, array, &mut valid);
            &valid
        };
        let plan = match self.plan {
            Some(plan) => plan,
            // Nulls alone decide nothing.
            None if values.is_empty() => Plan {
                has_dictionary: false,
                direct: Encoding::PLAIN,
            },
            None => *self.plan.insert(Plan::of(values, press)?),
        };
        body.clear();
        if self.is_nullable {
            levels::encode(array, body);
        }
        let encoding = if plan.has_dictionary && !self.dictionary.is_full() {
            keys.clear();
            map_keys(values, keys, |value| self.dictionary.key_of(value));
            encode_keys(keys, self.dictionary.values.len(), body);
            Encoding::RLE_DICTIONARY
        } else {
            encode_direct(values, plan.direct, body);
            plan.direct
        };
        let page = bounds_of(values.iter().copied());
        self.bounds.append(page, array.len(), nulls);
        let facts = Facts {
            encoding,
            rows: array.len(),
            text_bytes: None,
        };
        self.pages.append(body, facts, press)
    }

    pub(super) fn close(self, scratch: &mut Scratch) -> Result<Chunk> {
        let summary = self.bounds.close()?;
        let Scratch { press, body, .. } = scratch;
        body.clear();
        plain(&self.dictionary.values, body);
        let dictionary =
            self.plan
                .is_some_and(|plan| plan.has_dictionary)
                .then_some(DictionaryPage {
                    body,
                    values: self.dictionary.values.len(),
                });
        self.pages.close(dictionary, summary, press)
    }
}

impl Plan {
    /// Tries the encodings on the first values of a chunk.
    fn of<T: Number>(values: &[T], press: &mut Press) -> Result<Self> {
        let sample = &values[..values.len().min(SAMPLE)];
        let mut body = Vec::new();
        let mut compressed = |encoding| {
            body.clear();
            encode_direct(sample, encoding, &mut body);
            press.compress(&body).map(<[u8]>::len)
        };
        let plain_size = compressed(Encoding::PLAIN)?;
        let delta_size = compressed(Encoding::DELTA_BINARY_PACKED)?;
        let (direct, direct_size) = if delta_size < plain_size {
            (Encoding::DELTA_BINARY_PACKED, delta_size)
        } else {
            (Encoding::PLAIN, plain_size)
        };
        let runs = 1 + sample.windows(2).filter(|pair| pair[0] != pair[1]).count();
        let has_dictionary = runs * LONG_RUN <= sample.len() || {
            let mut dictionary = Dictionary::default();
            let mut keys = Vec::new();
            let (first, second) = sample.split_at(sample.len() / 2);
            map_keys(first, &mut keys, |value| dictionary.key_of(value));
            let known = dictionary.values.len();
            map_keys(second, &mut keys, |value| dictionary.key_of(value));
            let distinct = dictionary.values.len();
            body.clear();
            encode_keys(&keys, distinct, &mut body);
            let keys_size = press.compress(&body)?.len();
            body.clear();
            plain(&dictionary.values, &mut body);
            // The chunk has one dictionary, whatever its length: what counts is how fast it still
            // grows.
            let growth = (distinct - known) * 2;
            keys_size + press.compress(&body)?.len() * growth / distinct < direct_size
        };
        Ok(Self {
            has_dictionary,
            direct,
        })
    }
}

fn encode_direct<T: Number>(values: &[T], encoding: Encoding, out: &mut Vec<u8>) {
    match encoding {
        Encoding::DELTA_BINARY_PACKED => delta::encode(values, out),
        _ => plain(values, out),
    }
}

fn plain<T: Number>(values: &[T], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + values.len() * T::BYTES, 0);
    let places = out[start..].chunks_exact_mut(T::BYTES);
    for (place, value) in places.zip(values) {
        value.store(place);
    }
}

/// Distinct numbers and their keys, in the order of first use.
struct Dictionary<T> {
    values: Vec<T>,
    /// Key and 1 more of small numbers; 0 where there is none.
    small: Vec<u32>,
    /// Keyed anew for each run: the numbers are whatever a stranger put on a server.
    large: HashMap<i64, u32, RandomState>,
    last: Option<(T, u32)>,
}

impl<T> Default for Dictionary<T> {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            small: Vec::new(),
            large: HashMap::default(),
            last: None,
        }
    }
}

impl<T: Number> Dictionary<T> {
    fn key_of(&mut self, value: T) -> u32 {
        if let Some((last, key)) = self.last
            && last == value
        {
            return key;
        }
        let key = self.find(value);
        self.last = Some((value, key));
        key
    }

    fn find(&mut self, value: T) -> u32 {
        let next = u32::try_from(self.values.len()).expect("a row group has fewer than 2^32 rows");
        let number = value.to_i64();
        let key = match usize::try_from(number) {
            Ok(place) if number < SMALL => {
                if self.small.len() <= place {
                    self.small.resize((place + 1).next_power_of_two(), 0);
                }
                let entry = &mut self.small[place];
                if *entry == 0 {
                    *entry = next + 1;
                }
                *entry - 1
            }
            _ => *self.large.entry(number).or_insert(next),
        };
        if key == next {
            self.values.push(value);
        }
        key
    }

    fn bytes(&self) -> usize {
        self.values.len() * T::BYTES
    }

    fn is_full(&self) -> bool {
        self.bytes() >= MOST_BYTES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_count_distinct_numbers_small_and_large() {
        let mut dictionary = Dictionary::default();
        let numbers = [5, -1, i64::MAX, 5, 0, 70_000, -1, 65_535];
        let keys = numbers.map(|number| dictionary.key_of(number));
        assert_eq!(keys, [0, 1, 2, 0, 3, 4, 1, 5]);
        assert_eq!(dictionary.values, [5, -1, i64::MAX, 0, 70_000, 65_535]);
    }

    #[test]
    fn the_values_decide_how_they_are_encoded() {
        let mut press = Press::new().unwrap();
        let mut plan = |value: fn(i64) -> i64| {
            let values: Vec<i64> = (0..8_000).map(value).collect();
            let plan = Plan::of(&values, &mut press).unwrap();
            (plan.has_dictionary, plan.direct)
        };
        let mixed = |n: i64| {
            let n = (n as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            (n ^ n >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) as i64
        };
        let delta = Encoding::DELTA_BINARY_PACKED;
        // Places in an archive: far apart, always rising.
        assert_eq!(plan(|n| (n << 40) + n * 37 % 5), (false, delta));
        // Captures of a matrix: the same number a hundred times.
        assert!(plan(|n| n / 100 * 1_000_003).0);
        // Status codes: few numbers in no order.
        let statuses: Vec<i64> = (0..8_000).map(|n| 200 + (mixed(n) >> 61) * 67).collect();
        assert!(Plan::of(&statuses, &mut press).unwrap().has_dictionary);
        // Digests: nothing to be had.
        let digests: Vec<i64> = (0..8_000).map(mixed).collect();
        let plan = Plan::of(&digests, &mut press).unwrap();
        assert_eq!((plan.has_dictionary, plan.direct), (false, Encoding::PLAIN));
    }
}
