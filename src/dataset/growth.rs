//! The growth of vectors of bytes.

/// The length, in bytes, from which on a vector no longer doubles.
const LONG: usize = 256 * 1024;

/// Reserves capacity for `more` further bytes.
///
/// A long vector that doubles is half empty afterwards, and every worker has dozens of them: it
/// grows by a quarter instead, at the price of a few more copies.
pub(crate) fn reserve(bytes: &mut Vec<u8>, more: usize) {
    if more <= bytes.capacity() - bytes.len() {
        return;
    }
    let step = match bytes.len() {
        n @ 0..LONG => n,
        n => n / 4,
    };
    bytes.reserve_exact(more.max(step));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_vectors_grow_by_a_quarter_and_short_ones_double() {
        for (length, capacity) in [
            (100, 200),
            (LONG - 4, 2 * LONG - 8),
            (2 * LONG, 5 * LONG / 2),
        ] {
            let mut bytes = vec![0; length];
            bytes.shrink_to_fit();
            reserve(&mut bytes, 1);
            assert_eq!(bytes.capacity(), capacity);
        }
    }

    #[test]
    fn the_capacity_suffices_for_what_is_reserved() {
        let mut bytes = Vec::new();
        for more in [0, 1, 3 * LONG, 5] {
            reserve(&mut bytes, more);
            assert!(bytes.capacity() - bytes.len() >= more);
            bytes.resize(bytes.len() + more, 0);
        }
    }
}
