//! Values of a few bits, packed without a gap, lowest bit first, as both Parquet's hybrid and its
//! delta encoding want them.
//!
//! Values and a width enter, bytes leave. What the values mean is not known here; whoever calls
//! promises that they fit.

/// Values that are packed at once: that many of any width end at a byte.
pub(super) const GROUP: usize = 8;

/// Returns the bits that a value takes, 0 for 0.
pub(super) fn width_of(value: u64) -> u8 {
    u8::try_from(u64::BITS - value.leading_zeros()).expect("64 fits into a byte")
}

/// Appends keys, `width` bits each; the last group is filled up with zeros.
///
/// Eight values of `w` bits are `w` bytes. A group of narrow keys is put together in one register
/// and stored whole; the group after it overwrites what was too much, so that no store depends on
/// the width.
pub(super) fn pack_keys(keys: &[u32], width: u8, out: &mut Vec<u8>) {
    let bytes = usize::from(width);
    let start = out.len();
    let end = start + keys.len().div_ceil(GROUP) * bytes;
    match width {
        0 => {}
        1..=8 => {
            out.resize(end + size_of::<u64>(), 0);
            let mut at = start;
            let mut store = |word: u64| {
                out[at..at + size_of::<u64>()].copy_from_slice(&word.to_le_bytes());
                at += bytes;
            };
            let groups = keys.chunks_exact(GROUP);
            let rest = groups.remainder();
            groups.for_each(|group| store(join(group, bytes)));
            if !rest.is_empty() {
                store(join(rest, bytes));
            }
            out.truncate(end);
        }
        _ => {
            pack_wide(keys.iter().map(|&key| key.into()), width, out);
            out.resize(end, 0);
        }
    }
}

fn join(group: &[u32], width: usize) -> u64 {
    group
        .iter()
        .enumerate()
        .fold(0, |word, (i, &key)| word | u64::from(key) << (i * width))
}

/// Appends values of any width up to 64; the last byte is filled up with zeros.
pub(super) fn pack_wide(values: impl Iterator<Item = u64>, width: u8, out: &mut Vec<u8>) {
    let mut word = 0_u128;
    let mut bits = 0_u32;
    for value in values {
        word |= u128::from(value) << bits;
        bits += u32::from(width);
        if bits >= u64::BITS {
            let low = word as u64;
            out.extend_from_slice(&low.to_le_bytes());
            word >>= u64::BITS;
            bits -= u64::BITS;
        }
    }
    let left = bits.div_ceil(8) as usize;
    out.extend_from_slice(&word.to_le_bytes()[..left]);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The specification's words, bit by bit: value i begins at bit i * width, the lowest bit of a
    /// byte comes first.
    fn unpack(bytes: &[u8], width: u8, n: usize) -> Vec<u64> {
        let bit = |at: usize| u64::from(bytes[at / 8] >> (at % 8) & 1);
        let value = |i: usize| {
            (0..usize::from(width))
                .map(|b| bit(i * usize::from(width) + b) << b)
                .sum()
        };
        (0..n).map(value).collect()
    }

    fn value(i: u64, width: u8) -> u64 {
        let mixed = (i + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed.checked_shr(64 - u32::from(width)).unwrap_or(0)
    }

    #[test]
    fn keys_of_every_width_come_back() {
        for width in 0..=32 {
            for n in [1, 7, 8, 9, 64, 67] {
                let keys: Vec<u32> = (0..n).map(|i| value(i, width) as u32).collect();
                let mut out = vec![0xAA];
                pack_keys(&keys, width, &mut out);
                assert_eq!(
                    out.len(),
                    1 + keys.len().div_ceil(8) * usize::from(width),
                    "{width}"
                );
                let expected: Vec<u64> = keys.iter().map(|&key| key.into()).collect();
                assert_eq!(unpack(&out[1..], width, keys.len()), expected, "{width}");
            }
        }
    }

    #[test]
    fn values_of_every_width_come_back() {
        for width in 0..=64 {
            let values: Vec<u64> = (0..32).map(|i| value(i, width)).collect();
            let mut out = Vec::new();
            pack_wide(values.iter().copied(), width, &mut out);
            assert_eq!(out.len(), 4 * usize::from(width));
            assert_eq!(unpack(&out, width, 32), values, "{width}");
        }
    }

    #[test]
    fn the_width_of_a_value_is_that_of_its_highest_bit() {
        for (value, width) in [(0, 0), (1, 1), (2, 2), (255, 8), (256, 9), (u64::MAX, 64)] {
            assert_eq!(width_of(value), width);
        }
    }
}
