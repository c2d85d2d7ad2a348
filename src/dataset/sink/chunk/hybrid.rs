//! Parquet's hybrid of runs and bit packing (`RLE`, encoding 3), for dictionary keys and definition
//! levels.
//!
//! Values are compared in groups of eight, the unit of a bit-packed run: a group of equal values
//! begins an RLE run, which ends with the last equal value. So only the first values of a run, up
//! to the next group, are bit-packed with those before it.

use super::bits::{GROUP, pack_keys};

/// Equal bytes of a bitmap that begin a run: a run and the header of the bit-packed run after it
/// cost about as much as three packed bytes.
const MIN_RUN_BYTES: usize = 4;

/// Appends keys, each below two to the power of `width`.
pub(super) fn encode(keys: &[u32], width: u8, out: &mut Vec<u8>) {
    let mut packed_from = 0;
    let mut at = 0;
    while let Some(group) = keys.get(at..at + GROUP) {
        let first = group[0];
        if !is_constant(group) {
            at += GROUP;
            continue;
        }
        pack(&keys[packed_from..at], width, out);
        let end = end_of_run(keys, at + GROUP, first);
        run(end - at, first, width, out);
        at = end;
        packed_from = end;
    }
    pack(&keys[packed_from..], width, out);
}

/// Appends the definition levels of `rows` rows of a column without nesting; `bitmap` has a bit for
/// each row, lowest first, 1 for a value.
pub(super) fn encode_validity(bitmap: &[u8], rows: usize, out: &mut Vec<u8>) {
    let whole = &bitmap[..rows / 8];
    let mut packed_from = 0;
    let mut at = 0;
    while let Some(&byte) = whole.get(at) {
        let n = match byte {
            0 | 0xFF => whole[at..].iter().take_while(|&&b| b == byte).count(),
            _ => 1,
        };
        if n >= MIN_RUN_BYTES && matches!(byte, 0 | 0xFF) {
            pack_bitmap(&whole[packed_from..at], out);
            run(n * 8, u32::from(byte & 1), 1, out);
            packed_from = at + n;
        }
        at += n;
    }
    let left = rows % 8;
    if left == 0 {
        return pack_bitmap(&whole[packed_from..], out);
    }
    let last = bitmap[rows / 8] & (0xFF >> (8 - left));
    header(whole.len() - packed_from + 1, 1, out);
    out.extend_from_slice(&whole[packed_from..]);
    out.push(last);
}

/// Appends a run of one value.
pub(super) fn run(n: usize, value: u32, width: u8, out: &mut Vec<u8>) {
    header(n, 0, out);
    out.extend_from_slice(&value.to_le_bytes()[..usize::from(width.div_ceil(8))]);
}

fn pack(keys: &[u32], width: u8, out: &mut Vec<u8>) {
    if !keys.is_empty() {
        header(keys.len().div_ceil(GROUP), 1, out);
        pack_keys(keys, width, out);
    }
}

fn pack_bitmap(bytes: &[u8], out: &mut Vec<u8>) {
    if !bytes.is_empty() {
        header(bytes.len(), 1, out);
        out.extend_from_slice(bytes);
    }
}

fn header(n: usize, kind: u64, out: &mut Vec<u8>) {
    varint((n as u64) << 1 | kind, out);
}

/// Appends an integer, seven bits a byte, lowest first (ULEB128).
pub(super) fn varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Returns true if and only if all values of a group are equal.
pub(super) fn is_constant<T: PartialEq + Copy>(group: &[T]) -> bool {
    // An early exit would prevent the compiler from comparing all values with one instruction.
    group.iter().fold(true, |is_constant, value| {
        is_constant & (*value == group[0])
    })
}

fn end_of_run(keys: &[u32], from: usize, value: u32) -> usize {
    let mut end = from;
    while let Some(group) = keys.get(end..end + GROUP) {
        if group[0] != value || !is_constant(group) {
            break;
        }
        end += GROUP;
    }
    let rest = keys[end..].iter();
    end + rest.take_while(|&&key| key == value).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::random::Random;

    /// Decodes by the grammar of the specification.
    fn decode(mut bytes: &[u8], width: u8, n: usize) -> Vec<u32> {
        let mut keys = Vec::new();
        while keys.len() < n {
            let mut head = 0_usize;
            for shift in (0..).step_by(7) {
                let byte = bytes[0];
                bytes = &bytes[1..];
                head |= usize::from(byte & 0x7F) << shift;
                if byte < 0x80 {
                    break;
                }
            }
            if head & 1 == 0 {
                let (value, rest) = bytes.split_at(usize::from(width.div_ceil(8)));
                let value = value.iter().rev().fold(0, |v, &b| v << 8 | u32::from(b));
                keys.extend(std::iter::repeat_n(value, head >> 1));
                bytes = rest;
            } else {
                let (packed, rest) = bytes.split_at((head >> 1) * usize::from(width));
                let bit = |at: usize| u32::from(packed[at / 8] >> (at % 8) & 1);
                let width = usize::from(width);
                keys.extend(
                    (0..(head >> 1) * 8)
                        .map(|i| (0..width).map(|b| bit(i * width + b) << b).sum::<u32>()),
                );
                bytes = rest;
            }
        }
        assert!(bytes.is_empty(), "{} superfluous bytes", bytes.len());
        // Only the last group may hold more than it should.
        assert!(keys.len() < n + 8);
        keys.truncate(n);
        keys
    }

    #[test]
    fn keys_come_back_whatever_runs_they_form() {
        let mut random = Random::new(1);
        for width in 0..=17_u8 {
            for _ in 0..50 {
                let mut keys = Vec::new();
                while keys.len() < 300 {
                    let value = random.below(1 << width) as u32;
                    let longest = random.pick(&[1, 3, 40]);
                    let n = 1 + random.below(longest);
                    keys.extend(std::iter::repeat_n(value, n));
                }
                let mut out = Vec::new();
                encode(&keys, width, &mut out);
                assert_eq!(decode(&out, width, keys.len()), keys);
            }
        }
    }

    #[test]
    fn a_run_costs_the_same_whatever_its_length() {
        for n in [8, 9, 63] {
            let mut out = Vec::new();
            encode(&vec![5; n], 3, &mut out);
            assert_eq!(out, [(n as u8) << 1, 5]);
        }
    }

    #[test]
    fn no_keys_are_no_bytes() {
        let mut out = Vec::new();
        encode(&[], 3, &mut out);
        assert!(out.is_empty());
    }

    #[test]
    fn a_bitmap_comes_back_as_levels() {
        let cases: [(&[u8], usize); 7] = [
            (&[0xFF; 10], 80),
            (&[0; 10], 77),
            (&[0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0b101], 75),
            (&[0b1010_0101], 3),
            (&[0b1010_0101], 8),
            (&[1, 0, 0, 0, 0, 0, 2, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], 96),
            (&[0xFF, 0, 0xFF], 24),
        ];
        for (bitmap, rows) in cases {
            let mut out = Vec::new();
            encode_validity(bitmap, rows, &mut out);
            let expected: Vec<u32> = (0..rows)
                .map(|row| u32::from(bitmap[row / 8] >> (row % 8) & 1))
                .collect();
            assert_eq!(decode(&out, 1, rows), expected, "{bitmap:?}");
        }
    }
}
