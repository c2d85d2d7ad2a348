//! Bit packing as in Parquet's hybrid encoding: keys without a gap, lowest bit first.

/// Keys of a group, which ends at a byte boundary whatever their width.
pub(super) const GROUP: usize = 8;

/// Returns the bits of the largest of `n` keys, 0 if that is key 0.
pub(super) fn key_width(n: usize) -> u8 {
    let largest = n.saturating_sub(1);
    u8::try_from(usize::BITS - largest.leading_zeros()).expect("64 fits into a byte")
}

/// Appends keys below two to the power of `width`; the last group is padded with zeros.
///
/// Eight keys of `w` bits are `w` bytes. A group of narrow keys is assembled in one register and
/// stored whole; the next group overwrites the excess bytes, so no store depends on the width.
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
            pack_wide(keys, width, out);
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

/// Appends keys of any width up to 32; the last byte is padded with zeros.
fn pack_wide(keys: &[u32], width: u8, out: &mut Vec<u8>) {
    let mut word = 0_u64;
    let mut bits = 0;
    for &key in keys {
        word |= u64::from(key) << bits;
        bits += u32::from(width);
        if bits >= u32::BITS {
            out.extend_from_slice(&(word as u32).to_le_bytes());
            word >>= u32::BITS;
            bits -= u32::BITS;
        }
    }
    let left = bits.div_ceil(8) as usize;
    out.extend_from_slice(&word.to_le_bytes()[..left]);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Follows the specification bit by bit: value i begins at bit i * width, and the lowest bit of
    /// a byte is the first.
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
    fn the_width_of_keys_is_that_of_the_largest() {
        for (n, width) in [(0, 0), (1, 0), (2, 1), (3, 2), (256, 8), (257, 9)] {
            assert_eq!(key_width(n), width);
        }
    }
}
