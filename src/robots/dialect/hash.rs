//! Hashes that distinguish short texts, such as user-agents and patterns.
//!
//! Texts come from files that may be hostile, so that equal hashes prove nothing: callers compare
//! the texts too, and bound the cost of that.

use crate::robots::lines::first_word;

/// Returns a hash of the first and the last eight bytes of a text and of its length; most texts are
/// no longer.
pub(super) fn hash_of_ends(text: &[u8]) -> u32 {
    let last = text.last_chunk().copied().map_or(0, u64::from_le_bytes);
    let mix = |state: u64, word: u64| {
        let product = (state ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        product ^ product >> 32
    };
    mix(mix(text.len() as u64, first_word(text)), last) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_at_an_end_or_one_more_is_another_number() {
        for len in 0..40 {
            let text = vec![b'a'; len];
            let hash = hash_of_ends(&text);
            assert_ne!(hash_of_ends(&[&text[..], b"a"].concat()), hash);
            let ends = (0..len).filter(|&at| at < 8 || at + 8 >= len);
            for at in ends {
                let mut other = text.clone();
                other[at] = b'b';
                assert_ne!(hash_of_ends(&other), hash, "{len} {at}");
            }
        }
    }
}
