//! A generator of pseudo-random numbers whose streams never change.
//!
//! It is SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators",
//! 2014), written out here because [`sample`](crate::sample) promises the same archive for the same
//! seed, while a crate of random numbers may change its streams between versions. Tests and
//! benchmarks use it too, so that a failing case is the same on every machine.

/// A SplitMix64 generator: one 64-bit word of state, period 2^64.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Starts the stream of `seed`.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Starts one of the streams of `seed`; neighboring streams are unrelated.
    pub(crate) fn of_stream(seed: u64, stream: u64) -> Random {
        Random(mix(seed ^ mix(stream.wrapping_add(GOLDEN))))
    }

    /// Returns the next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        mix(self.0)
    }

    /// Returns the next byte.
    pub fn byte(&mut self) -> u8 {
        self.bits() as u8
    }

    /// Returns `n` bytes.
    pub fn bytes(&mut self, n: usize) -> Vec<u8> {
        (0..n).map(|_| self.byte()).collect()
    }

    /// Returns a number below `bound`, which must not be above 2^32, and 0 where `bound` is 0.
    ///
    /// It is the high half of a product, so no division is needed; the bias is at most `bound` in
    /// 2^32.
    pub fn below(&mut self, bound: usize) -> usize {
        (((self.bits() >> 32) * bound as u64) >> 32) as usize
    }

    /// Returns true with a probability of `parts` in a thousand.
    pub(crate) fn per_mille(&mut self, parts: usize) -> bool {
        self.below(1000) < parts
    }

    /// Returns one of `items`, which must not be empty.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// Returns an index by these weights, whose sum must not be 0.
    pub(crate) fn weighted(&mut self, weights: impl Iterator<Item = usize> + Clone) -> usize {
        let drawn = self.below(weights.clone().sum());
        let mut passed = 0;
        weights
            .take_while(|weight| {
                passed += weight;
                passed <= drawn
            })
            .count()
    }

    /// Returns a span of time by the exponential law with this mean.
    pub(crate) fn exponential(&mut self, mean: f64) -> f64 {
        let share = (self.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        -mean * (1.0 - share).ln()
    }

    /// Puts `items` in a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for index in (1..items.len()).rev() {
            items.swap(index, self.below(index + 1));
        }
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
    fn first_numbers_are_those_published_for_splitmix64() {
        let mut random = Random::new(1_234_567);
        assert_eq!(random.bits(), 6_457_827_717_110_365_317);
        assert_eq!(random.bits(), 3_203_168_211_198_807_973);
        assert_eq!(random.bits(), 9_817_491_932_198_370_423);
    }

    #[test]
    fn below_stays_below_and_reaches_every_number() {
        let mut random = Random::new(1);
        let mut seen = [0; 7];
        for _ in 0..7_000 {
            seen[random.below(7)] += 1;
        }
        assert!(seen.iter().all(|&n| (800..1_200).contains(&n)), "{seen:?}");
        assert_eq!(random.below(0), 0);
    }

    #[test]
    fn streams_of_one_seed_differ() {
        let first = |seed, stream| Random::of_stream(seed, stream).bits();
        assert_ne!(first(1, 0), first(1, 1));
        assert_ne!(first(0, 1), first(1, 1));
    }
}
