//! Samples of files, and what they tell about all files.
//!
//! Files are taken by a hash of their content, so that the same files are taken in every run and
//! from any archive. They are grouped in strata by size and by the characters in them, large and
//! unusual ones being few; in each stratum all files are counted, whether they are taken or not. A
//! total over all files is estimated by the sum over strata of the number of files times the mean
//! of those taken (Cochran, Sampling Techniques, 1977, 5.3), and its standard error by the
//! variances in the strata.

use super::found::Estimate;

/// How many files are taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    /// The share of the files, above 0 and up to 1.
    pub share: f64,
    /// Selects another sample of the same share.
    pub seed: u64,
}

/// Bounds of the sizes of strata, in bytes.
const SIZES: [usize; 5] = [256, 1024, 4096, 16 * 1024, 64 * 1024];
const N_SHAPES: usize = 3;
/// The number of strata.
pub(super) const N_STRATA: usize = (SIZES.len() + 1) * N_SHAPES;

/// The half width of a confidence interval of 95 % in standard errors (the normal distribution).
const CONFIDENCE: f64 = 1.96;

/// Returns the stratum of a file.
pub(super) fn stratum(body: &[u8]) -> usize {
    let size = SIZES.iter().filter(|&&size| body.len() >= size).count();
    let is_markup = body.trim_ascii_start().starts_with(b"<");
    let has_special = || {
        let is_special =
            |byte: &u8| matches!(byte, b'%' | b'$' | b'?' | b'\r' | b'\0') || *byte >= 0x80;
        body.iter().any(is_special)
    };
    let shape = match is_markup {
        true => 2,
        false => usize::from(has_special()),
    };
    size * N_SHAPES + shape
}

impl Sampling {
    /// Returns true if and only if the file with this SHA-1 is taken.
    pub(super) fn takes(&self, digest: &[u8; 20]) -> bool {
        let bits = digest[..8].try_into().map(u64::from_be_bytes);
        let bits = mix(bits.unwrap_or_default() ^ mix(self.seed));
        // 53 bits are exact in a number of this type.
        ((bits >> 11) as f64) < self.share * (1_u64 << 53) as f64
    }
}

/// The finalizer of SplitMix64, a bijection.
fn mix(n: u64) -> u64 {
    let n = n.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let n = (n ^ n >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let n = (n ^ n >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    n ^ n >> 31
}

/// The files of each stratum.
#[derive(Clone, Debug, Default)]
pub(super) struct Strata([Stratum; N_STRATA]);

/// Sums over the files of a stratum.
#[derive(Clone, Copy, Debug, Default)]
struct Stratum {
    files: u64,
    taken: u64,
    sum: u64,
    sum_of_squares: u128,
}

impl Strata {
    /// Counts a file, taken or not.
    pub(super) fn count(&mut self, stratum: usize) {
        self.0[stratum].files += 1;
    }

    /// Adds the value of a file that was taken.
    pub(super) fn add(&mut self, stratum: usize, value: u64) {
        let stratum = &mut self.0[stratum];
        stratum.taken += 1;
        stratum.sum += value;
        stratum.sum_of_squares += u128::from(value) * u128::from(value);
    }

    /// Returns how many files were counted.
    pub(super) fn n_files(&self) -> u64 {
        self.0.iter().map(|stratum| stratum.files).sum()
    }

    /// Estimates the sum of the values of all files.
    ///
    /// Strata of which fewer than two files were taken count together, as one.
    pub(super) fn estimate(&self) -> Estimate {
        let mut pooled = Stratum::default();
        let mut strata = Vec::new();
        for stratum in &self.0 {
            match stratum.taken {
                0 | 1 => {
                    pooled.files += stratum.files;
                    pooled.taken += stratum.taken;
                    pooled.sum += stratum.sum;
                    pooled.sum_of_squares += stratum.sum_of_squares;
                }
                _ => strata.push(*stratum),
            }
        }
        strata.push(pooled);
        let total: f64 = strata.iter().map(Stratum::total).sum();
        let variance: f64 = strata.iter().map(Stratum::variance).sum();
        let half = CONFIDENCE * variance.sqrt();
        let seen: u64 = self.0.iter().map(|stratum| stratum.sum).sum();
        Estimate {
            value: total,
            low: (total - half).max(seen as f64),
            high: total + half,
        }
    }
}

impl Stratum {
    fn total(&self) -> f64 {
        match self.taken {
            0 => 0.0,
            taken => self.files as f64 * self.sum as f64 / taken as f64,
        }
    }

    /// Returns the variance of the total, with the correction for a finite population.
    fn variance(&self) -> f64 {
        if self.taken < 2 {
            return 0.0;
        }
        let (n, files) = (self.taken as f64, self.files as f64);
        let mean = self.sum as f64 / n;
        let spread = (self.sum_of_squares as f64 - n * mean * mean).max(0.0) / (n - 1.0);
        files * files * (1.0 - n / files).max(0.0) * spread / n
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{digest::sha1, random::Random};

    #[test]
    fn a_share_of_the_files_is_taken_and_another_seed_takes_others() {
        let digests: Vec<_> = (0..20_000_u32).map(|n| sha1(&n.to_le_bytes())).collect();
        let taken = |share, seed| -> Vec<bool> {
            let sampling = Sampling { share, seed };
            digests
                .iter()
                .map(|digest| sampling.takes(digest))
                .collect()
        };
        let count = |taken: &[bool]| taken.iter().filter(|taken| **taken).count();
        assert_eq!(count(&taken(1.0, 7)), digests.len());
        let one = taken(0.1, 1);
        assert!((1_850..2_150).contains(&count(&one)), "{}", count(&one));
        assert_eq!(one, taken(0.1, 1));
        assert_ne!(one, taken(0.1, 2));
        // A larger share takes more files, and the same ones.
        assert!(
            one.iter()
                .zip(taken(0.2, 1))
                .all(|(less, more)| !less || more)
        );
    }

    #[test]
    fn intervals_contain_the_total_about_as_often_as_they_say() {
        let mut random = Random::new(3);
        let values: Vec<(usize, u64)> = (0..5_000)
            .map(|_| {
                let stratum = random.below(N_STRATA);
                let is_flip = random.below(10) == 0;
                let n = random.below(20 * (stratum + 1)) as u64;
                (stratum, if is_flip { n } else { 0 })
            })
            .collect();
        let total: u64 = values.iter().map(|(_, value)| value).sum();
        let contains = (0..400_u64).filter(|&seed| {
            let sampling = Sampling { share: 0.2, seed };
            let mut strata = Strata::default();
            for (n, (stratum, value)) in values.iter().enumerate() {
                strata.count(*stratum);
                if sampling.takes(&sha1(&n.to_le_bytes())) {
                    strata.add(*stratum, *value);
                }
            }
            let Estimate { low, high, .. } = strata.estimate();
            (low..=high).contains(&(total as f64))
        });
        let n = contains.count();
        assert!((360..=398).contains(&n), "{n} of 400");
    }

    #[test]
    fn a_sample_of_all_files_is_exact() {
        let mut strata = Strata::default();
        for value in 0..100 {
            strata.count(value as usize % N_STRATA);
            strata.add(value as usize % N_STRATA, value);
        }
        let estimate = strata.estimate();
        assert_eq!(
            (estimate.value, estimate.low, estimate.high),
            (4950.0, 4950.0, 4950.0)
        );
    }

    #[test]
    fn strata_are_sizes_and_shapes() {
        let strata = [
            stratum(b"User-agent: *\n"),
            stratum(b"User-agent: *\nDisallow: /%20\n"),
            stratum(b" <html>"),
            stratum(&[b'x'; 300]),
            stratum(&[b'x'; 1 << 20]),
        ];
        assert_eq!(strata, [0, 1, 2, 3, 15]);
    }
}
