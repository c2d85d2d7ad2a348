//! Parquet's delta encoding of integers (`DELTA_BINARY_PACKED`, encoding 5): each value as its
//! distance from the one before.
//!
//! Integers enter, bytes leave. Distances are taken by wrapping subtraction in the width of the
//! column, as the specification wants it, so there is no value that does not come back, and none
//! takes more bits than the column has.

use super::{
    bits::{pack_wide, width_of},
    hybrid::varint,
    number::Number,
};

/// Values of a block, which has one smallest distance.
const BLOCK: usize = 128;
/// Blocks of bits in a block, each of a width of its own.
const MINIBLOCKS: usize = 4;
const MINIBLOCK: usize = BLOCK / MINIBLOCKS;

/// Appends a page's values.
pub(super) fn encode<T: Number>(values: &[T], out: &mut Vec<u8>) {
    for n in [BLOCK, MINIBLOCKS, values.len()] {
        varint(n as u64, out);
    }
    let first = values.first().map_or(0, |first| first.to_i64());
    varint(zigzag(first), out);
    let mut distances = [0_i64; BLOCK];
    let pairs = values.len().saturating_sub(1);
    for start in (0..pairs).step_by(BLOCK) {
        let n = BLOCK.min(pairs - start);
        let block = &values[start..=start + n];
        for (distance, pair) in distances.iter_mut().zip(block.windows(2)) {
            *distance = pair[1].distance_from(pair[0]);
        }
        encode_block(&distances[..n], out);
    }
}

fn encode_block(distances: &[i64], out: &mut Vec<u8>) {
    let smallest = distances.iter().copied().min().unwrap_or(0);
    varint(zigzag(smallest), out);
    let above = |distance: &i64| distance.wrapping_sub(smallest) as u64;
    let widths = out.len();
    out.extend_from_slice(&[0; MINIBLOCKS]);
    for (index, miniblock) in distances.chunks(MINIBLOCK).enumerate() {
        let width = width_of(miniblock.iter().map(above).fold(0, |all, bits| all | bits));
        out[widths + index] = width;
        // A reader counts on whole blocks of bits; those that no value reaches are left out.
        let end = out.len() + MINIBLOCK / 8 * usize::from(width);
        pack_wide(miniblock.iter().map(above), width, out);
        out.resize(end, 0);
    }
}

fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_specification_gives_its_bytes() {
        // Encodings.md, "Delta Encoding", example 2: 7, 5, 3, 1, 2, 3, 4, 5 has the distances -2,
        // -2, -2, 1, 1, 1, 1.
        let mut out = Vec::new();
        encode(&[7_i32, 5, 3, 1, 2, 3, 4, 5], &mut out);
        // Block size, miniblocks, count, first value, smallest distance, widths, then 0 0 0 3 3 3 3
        // in two bits each.
        let head = [0x80, 1, 4, 8, 14, 3, 2, 0, 0, 0];
        assert_eq!(out[..10], head);
        assert_eq!(out[10..], [0b1100_0000, 0b0011_1111, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn a_page_without_values_is_a_head() {
        let mut out = Vec::new();
        encode::<i64>(&[], &mut out);
        assert_eq!(out, [0x80, 1, 4, 0, 0]);
    }
}
