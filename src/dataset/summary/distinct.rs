//! Counting distinct values in bounded memory: exactly while they are few, else by an estimate.

use hashbrown::HashTable;

/// Values that are counted exactly: more hosts than an archive of Common Crawl has, and as many as
/// a table of 2^15 slots holds (7 of 8 are filled), which takes 288 KiB.
const EXACT: usize = 28_672;
/// Values from which on a table has its full size at once: tables live as long as the run, and
/// every doubling would leave a hole among what comes and goes.
const FEW: usize = 1_792;
/// Registers of the estimate, as a base-2 logarithm; 2^14 registers err by 0.8 % (standard error,
/// 1.04 / sqrt(registers)).
const REGISTER_BITS: u32 = 14;

/// A number of distinct values, known by their 64-bit hashes.
///
/// Up to 28,672 values the count is exact (as far as hashes do not collide), beyond that it is an
/// estimate by HyperLogLog (Flajolet et al. 2007) with the estimator of Ertl (2017). The result
/// depends on the values alone, not on their order.
#[derive(Clone, Debug)]
pub(crate) struct Distinct(Form);

#[derive(Clone, Debug)]
enum Form {
    Exact(HashTable<u64>),
    Estimate(Vec<u8>),
}

impl Default for Distinct {
    fn default() -> Self {
        Self(Form::Exact(HashTable::new()))
    }
}

impl Distinct {
    /// Counts a value by its hash, of which every bit must be as good as random.
    pub(crate) fn insert(&mut self, hash: u64) {
        match &mut self.0 {
            Form::Exact(hashes) => {
                if hashes.len() == FEW {
                    hashes.reserve(EXACT - FEW, |&hash| hash);
                }
                let is_same = |&other: &u64| other == hash;
                hashes.entry(hash, is_same, |&hash| hash).or_insert(hash);
                if hashes.len() > EXACT {
                    self.0 = Form::Estimate(registers_of(hashes));
                }
            }
            Form::Estimate(registers) => register(registers, hash),
        }
    }

    /// Returns the number of distinct values.
    pub(crate) fn count(&self) -> u64 {
        match &self.0 {
            Form::Exact(hashes) => hashes.len() as u64,
            Form::Estimate(registers) => estimate(registers),
        }
    }
}

fn registers_of(hashes: &HashTable<u64>) -> Vec<u8> {
    let mut registers = vec![0; 1 << REGISTER_BITS];
    for &hash in hashes {
        register(&mut registers, hash);
    }
    registers
}

fn register(registers: &mut [u8], hash: u64) {
    let index = (hash >> (64 - REGISTER_BITS)) as usize;
    // The marker bit bounds the rank where all other bits are zero.
    let rest = hash << REGISTER_BITS | 1 << (REGISTER_BITS - 1);
    let rank = rest.leading_zeros() as u8 + 1;
    registers[index] = registers[index].max(rank);
}

/// Returns the estimate, by the improved raw estimator of Ertl (2017, "New cardinality estimation
/// algorithms for HyperLogLog sketches", 4): the one of the first paper is several percent too
/// large where some registers are still empty, which is where exact counting ends.
fn estimate(registers: &[u8]) -> u64 {
    let m = registers.len() as f64;
    let n_empty = registers.iter().filter(|&&rank| rank == 0).count();
    let filled = registers.iter().filter(|&&rank| rank > 0);
    let sum: f64 = filled.map(|&rank| (-f64::from(rank)).exp2()).sum();
    let sum = sum + m * sigma(n_empty as f64 / m);
    (m * m / (2.0 * std::f64::consts::LN_2 * sum)).round() as u64
}

/// Returns x + the sum of x^(2^k) * 2^(k-1) for k from 1, for a share x of empty registers below 1.
fn sigma(x: f64) -> f64 {
    let (mut power, mut factor, mut sum) = (x, 1.0, x);
    loop {
        power *= power;
        let next = sum + power * factor;
        if next == sum {
            return sum;
        }
        sum = next;
        factor *= 2.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bijection that scatters small numbers over 64 bits (the finalizer of SplitMix64).
    fn scattered(n: u64) -> u64 {
        let n = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let n = (n ^ n >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let n = (n ^ n >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        n ^ n >> 31
    }

    fn of(range: std::ops::Range<u64>) -> Distinct {
        let mut distinct = Distinct::default();
        range.for_each(|n| distinct.insert(scattered(n)));
        distinct
    }

    #[test]
    fn few_values_are_counted_exactly_however_often_they_come() {
        let mut distinct = of(0..28_672);
        (0..1_000).for_each(|n| distinct.insert(scattered(n)));
        assert_eq!(distinct.count(), 28_672);
    }

    #[test]
    fn estimates_are_right_from_where_exact_counts_end() {
        for n in [28_673, 35_000, 45_000, 60_000, 90_000, 200_000, 1_000_000] {
            let count = of(0..n).count();
            assert!(count.abs_diff(n) * 1_000 < n * 24, "{n} became {count}");
        }
    }
}
