//! Numbers that look random and are the same in every run.

/// A sequence that its seed decides.
pub struct Numbers(u64);

impl Numbers {
    pub fn new(seed: u64) -> Self {
        // Seeds that follow each other begin far apart.
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// Returns the next number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}
