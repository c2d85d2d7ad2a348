//! Enters: a seed and a stream number. Leaves: numbers that look random and never change.
//!
//! The generator is SplitMix64 (Steele, Lea and Flood, 2014), written out here because an archive
//! made from the same seed must stay the same for as long as somebody quotes its counts; a random
//! number crate is free to change its streams from one version to the next. This room refuses to
//! know what its numbers are used for.

/// A SplitMix64 generator: one 64-bit word of state, period 2^64.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    /// Starts the stream that belongs to `seed` and `stream`; neighboring streams are unrelated.
    pub(super) fn new(seed: u64, stream: u64) -> Random {
        Random(mix(seed ^ mix(stream.wrapping_add(GOLDEN))))
    }

    /// Returns the next 64 bits.
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        mix(self.0)
    }

    /// Returns a number below `bound`, and 0 where `bound` is 0.
    ///
    /// The high half of a product, so that no division is needed; the bias is below 2^-32 for the
    /// small bounds of this room.
    pub(super) fn below(&mut self, bound: u32) -> u32 {
        (((self.next() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// Returns true in `parts` of a thousand calls.
    pub(super) fn per_mille(&mut self, parts: u32) -> bool {
        self.below(1000) < parts
    }

    /// Returns one of `items`, which must not be empty.
    pub(super) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u32) as usize]
    }
}

/// 2^64 divided by the golden ratio, the increment of SplitMix64.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// Scatters the bits of `z`: the output function of SplitMix64, a bijection.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_first_numbers_of_splitmix64_come_out() {
        let mut random = Random(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
        assert_eq!(random.next(), 9_817_491_932_198_370_423);
    }

    #[test]
    fn below_stays_below_and_reaches_every_number() {
        let mut random = Random::new(1, 2);
        let mut seen = [0; 7];
        for _ in 0..7_000 {
            seen[random.below(7) as usize] += 1;
        }
        assert!(seen.iter().all(|&n| (800..1_200).contains(&n)), "{seen:?}");
        assert_eq!(random.below(0), 0);
    }

    #[test]
    fn streams_of_one_seed_differ() {
        assert_ne!(Random::new(1, 0).next(), Random::new(1, 1).next());
        assert_ne!(Random::new(0, 1).next(), Random::new(1, 1).next());
    }
}
