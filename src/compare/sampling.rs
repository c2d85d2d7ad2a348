//! Samples of files, and what they tell about all files.
//!
//! # Which files are taken
//!
//! The chance of a file is proportional to its captures: the share that is asked for, times their
//! number. A file with enough captures is always taken. Some files, such as the default of a host
//! of many sites, have a great part of all captures; an estimate from a sample in which they had
//! the chance of any other file would mostly tell whether they are in it. On average at most as
//! many files are taken as the share of the captures.
//!
//! What decides is a hash of the content, which states how many captures the file must have. Thus
//! the same files are taken in every run, with any number of threads and from archives in any
//! order; a greater share takes these as well. A file is taken at the capture that completes the
//! number, and its earlier captures count too.
//!
//! With a budget of time the share is not known before: files are asked about in the order of
//! their hashes, each divided by the captures, until the time is over. The number of the first that
//! is not asked about is the share, of which all before it are the sample (priority sampling:
//! Duffield, Lund and Thorup, Journal of the ACM 54, 2007).
//!
//! In the literature this is Poisson sampling with probabilities proportional to size (Särndal,
//! Swensson and Wretman, Model Assisted Survey Sampling, 1992, 3.5).
//!
//! # Estimates
//!
//! What was found in the files that were taken is added as it is. How many files were not taken,
//! and their captures, is known. Their sum is this number times the mean of the files taken by
//! chance, each weighted by the files like it that were not: one with the chance p stands for
//! (1 - p) / p others (ratio estimator, *ibid.* 5.6 and 7.6).
//!
//! # Intervals
//!
//! A sum of values of which none is negative and a few are large is skewed where few files flip:
//! an interval of the same width on either side would contain the total too rarely. So it is taken
//! to have a gamma distribution with the estimated mean and variance, and for the upper bound one
//! more file is added, as large as the largest found: that a sample has no such file does not mean
//! that there is none (Fay and Feuer, Confidence intervals for directly standardized rates,
//! Statistics in Medicine 16, 1997). The variance is an estimate as well, so quantiles are those of
//! Student's t distribution, with Satterthwaite's degrees of freedom: the fewer, the more of the
//! variance is that of a few files (Cochran, Sampling Techniques, 1977, 5.4).

use std::time::Duration;

use super::found::{Estimate, SampleTotals};

/// The quantile of the normal distribution for an interval of 95 %.
const NORMAL: f64 = 1.959_963_985;

/// How many files are taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    /// The chance of a file with one capture, above 0 and up to 1. The chance of another file is
    /// this times its captures, or certainty.
    pub share: f64,
    /// Selects another sample of the same share.
    pub seed: u64,
}

impl Sampling {
    /// Returns how many captures a file with this SHA-1 must have to be taken, at least 1.
    pub(super) fn captures_to_take(&self, digest: &[u8; 20]) -> u32 {
        ((uniform(digest, self.seed) / self.share) as u32).saturating_add(1)
    }
}

/// How long a comparison may take. Files are asked about in random order, so that those for which
/// there is time are a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The time for everything. Reading the input is not cut short, nor is what has begun when the
    /// time is over.
    pub time: Duration,
    /// Selects another order.
    pub seed: u64,
}

/// Returns a random number of a file with this SHA-1, from 0 to below 1.
pub(super) fn uniform(digest: &[u8; 20], seed: u64) -> f64 {
    let bits = digest[..8].try_into().map(u64::from_be_bytes);
    let bits = mix(bits.unwrap_or_default() ^ mix(seed));
    // 53 bits are exact in a number of this type.
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// The finalizer of SplitMix64, a bijection.
fn mix(n: u64) -> u64 {
    let n = n.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let n = (n ^ n >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let n = (n ^ n >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    n ^ n >> 31
}

/// The files of which a sample is taken.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    share: f64,
    pub n_untaken_files: u64,
    n_untaken_captures: u64,
    taken: Vec<TakenFile>,
}

/// A file of the sample.
#[derive(Clone, Copy, Debug)]
struct TakenFile {
    captures: u32,
    /// Its number among flipping files, if it is one.
    flipping: Option<u32>,
}

impl Sample {
    pub(super) fn new(share: f64) -> Sample {
        Sample {
            share,
            n_untaken_files: 0,
            n_untaken_captures: 0,
            taken: Vec::new(),
        }
    }

    /// Adds a file that was taken, with its number among flipping files, or one that was not.
    pub(super) fn add(&mut self, captures: u32, is_taken: bool, flipping: Option<u32>) {
        if is_taken {
            self.taken.push(TakenFile { captures, flipping });
        } else {
            self.n_untaken_files += 1;
            self.n_untaken_captures += u64::from(captures);
        }
    }

    /// Returns the numbers among flipping files of those that were taken.
    pub(super) fn flipping(&self) -> impl Iterator<Item = Option<u32>> {
        self.taken.iter().map(|file| file.flipping)
    }

    /// Estimates the totals of all files, from the flips of one capture of each file that was
    /// taken; `max_flips` are as many as a file can have.
    pub(super) fn totals(&self, n_flips: &[u64], max_flips: u64) -> SampleTotals {
        let is_flip: Vec<u64> = n_flips.iter().map(|&n| n.min(1)).collect();
        let (files, captures) = (self.n_untaken_files, self.n_untaken_captures);
        SampleTotals {
            files: files + self.taken.len() as u64,
            flipping_files: self.estimate(files, |_| 1.0, &is_flip, 1),
            flipping_captures: self.estimate(captures, f64::from, &is_flip, 1),
            flips: self.estimate(captures, f64::from, n_flips, max_flips),
        }
    }

    /// Estimates the sum over all files of their values, each as often as `count` says by the
    /// file's captures; those not taken count `untaken` times, each with `most` as its value at
    /// most.
    fn estimate(&self, untaken: u64, count: fn(u32) -> f64, values: &[u64], most: u64) -> Estimate {
        let mut found = 0.0;
        let mut by_chance = Vec::new();
        for (file, &value) in self.taken.iter().zip(values) {
            let (count, value) = (count(file.captures), value as f64);
            found += count * value;
            let chance = self.share * f64::from(file.captures);
            if chance < 1.0 {
                let weight = count * (1.0 - chance) / chance;
                by_chance.push((weight, value, chance));
            }
        }
        let untaken = untaken as f64;
        let weights: f64 = by_chance.iter().map(|(weight, ..)| weight).sum();
        let factor = if weights > 0.0 {
            untaken / weights
        } else {
            0.0
        };
        let (mut sum, mut largest) = (0.0, 0.0_f64);
        for (weight, value, _) in &by_chance {
            sum += factor * weight * value;
            largest = largest.max(factor * weight * value);
        }
        if largest == 0.0 {
            // Nothing tells what a file that flips is like.
            let weights = by_chance.iter().map(|(weight, ..)| factor * weight);
            let heaviest = weights.reduce(f64::max).unwrap_or(untaken);
            largest = heaviest * most as f64;
        }
        let mean = sum / untaken.max(1.0);
        let (mut variance, mut squares) = (0.0, 0.0);
        for (weight, value, chance) in &by_chance {
            let deviation = factor * weight * (value - mean);
            let of_file = deviation * deviation / (1.0 - chance);
            variance += of_file;
            squares += of_file * of_file;
        }
        // The variance of the variance is estimated by the sum of the squares.
        let t = student(2.0 * variance * variance / squares);
        let high = gamma(sum + largest, variance + largest * largest, t);
        Estimate {
            value: found + sum,
            low: found + gamma(sum, variance, -t),
            high: found + high.clamp(sum, sum.max(untaken * most as f64)),
        }
    }
}

/// Returns a quantile of the gamma distribution, by that of the normal distribution (Wilson and
/// Hilferty, The distribution of chi-square, 1931).
fn gamma(mean: f64, variance: f64, quantile: f64) -> f64 {
    if mean <= 0.0 {
        return 0.0;
    }
    let c = variance / (9.0 * mean * mean);
    mean * (1.0 - c + quantile * c.sqrt()).max(0.0).powi(3)
}

/// Returns the quantile of Student's t distribution for an interval of 95 % with so many degrees of
/// freedom, at least 1 (Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5).
fn student(freedom: f64) -> f64 {
    if !freedom.is_finite() {
        return NORMAL;
    }
    let n = freedom.max(1.0);
    let z = NORMAL;
    let terms = [
        (z.powi(3) + z) / 4.0,
        (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0,
        (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0,
    ];
    z + terms[0] / n + terms[1] / (n * n) + terms[2] / (n * n * n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{digest::sha1, sample::random::Random};

    /// A file of a simulation.
    #[derive(Clone, Copy)]
    struct File {
        captures: u32,
        n_flips: u64,
    }

    /// Returns files of which few have many captures (the tail of a Pareto distribution, up to
    /// 3,000), and some flip, a few of them in many cells, up to 256; more of the large ones flip.
    fn heavy_tailed(n: usize, per_mille_flipping: usize) -> Vec<File> {
        let mut random = Random::new(3);
        let mut uniform = move || (random.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        (0..n)
            .map(|_| {
                let size = (uniform() * 18.0).floor() / 18.0;
                let captures = (1.0 - uniform()).powf(-1.0 / 1.1).min(3_000.0);
                let chance = per_mille_flipping as f64 / 1000.0 * (0.5 + size);
                // The sum of twelve is close to normal.
                let normal = (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
                let n_flips = (2.0 + 1.3 * normal).exp().clamp(1.0, 256.0) as u64;
                File {
                    captures: captures as u32,
                    n_flips: if uniform() < chance { n_flips } else { 0 },
                }
            })
            .collect()
    }

    /// Takes a sample and estimates.
    fn estimates(files: &[File], sampling: Sampling) -> SampleTotals {
        let mut sample = Sample::new(sampling.share);
        let mut n_flips = Vec::new();
        for (n, file) in files.iter().enumerate() {
            let is_taken = file.captures >= sampling.captures_to_take(&sha1(&n.to_le_bytes()));
            if is_taken {
                n_flips.push(file.n_flips);
            }
            sample.add(file.captures, is_taken, None);
        }
        sample.totals(&n_flips, 256)
    }

    /// The totals of files, captures and flips.
    fn totals(files: &[File]) -> [f64; 3] {
        let total = |value: fn(&File) -> u64| files.iter().map(value).sum::<u64>() as f64;
        [
            total(|file| file.n_flips.min(1)),
            total(|file| u64::from(file.captures) * file.n_flips.min(1)),
            total(|file| u64::from(file.captures) * file.n_flips),
        ]
    }

    #[test]
    fn intervals_of_heavy_tails_hold_and_are_narrow() {
        const SEEDS: usize = 400;
        // The largest median of half the width, as a part of the total.
        for (per_mille, share, widths) in [
            (400, 0.1, [0.11, 0.03, 0.11]),
            (400, 0.02, [0.28, 0.10, 0.30]),
            (100, 0.1, [0.28, 0.08, 0.28]),
            (100, 0.02, [0.75, 0.25, 0.55]),
            // Some ten files of a sample flip.
            (50, 0.02, [1.20, 0.35, 0.70]),
        ] {
            let files = heavy_tailed(5_000, per_mille);
            let totals = totals(&files);
            let mut halves: [Vec<f64>; 3] = Default::default();
            let mut holds = [0; 3];
            let mut means = [0.0; 3];
            for seed in 0..SEEDS as u64 {
                let found = estimates(&files, Sampling { share, seed });
                let found = [found.flipping_files, found.flipping_captures, found.flips];
                for (n, estimate) in found.into_iter().enumerate() {
                    let Estimate { value, low, high } = estimate;
                    assert!(low <= value && value <= high, "{estimate:?}");
                    holds[n] += usize::from((low..=high).contains(&totals[n]));
                    halves[n].push((high - low) / 2.0 / totals[n]);
                    means[n] += value / totals[n] / SEEDS as f64;
                }
            }
            for n in 0..3 {
                halves[n].sort_by(f64::total_cmp);
                let (half, mean) = (halves[n][SEEDS / 2], means[n]);
                let name = ["files", "captures", "flips"][n];
                let what = format!(
                    "{per_mille}, {share}, {name}: {} of {SEEDS}, half {half:.3}, mean {mean:.3}",
                    holds[n]
                );
                assert!(holds[n] * 100 >= 92 * SEEDS && holds[n] < SEEDS, "{what}");
                assert!(half < widths[n], "{what}");
                assert!((mean - 1.0).abs() < 0.05, "{what}");
            }
        }
    }

    #[test]
    fn what_never_flips_in_a_sample_may_flip() {
        let files = heavy_tailed(1_000, 0);
        let sampling = Sampling {
            share: 0.1,
            seed: 1,
        };
        let found = estimates(&files, sampling);
        // Some 37 of those with one capture, since none is found with 2.5 % where 3.7 are expected.
        let Estimate { value, low, high } = found.flipping_files;
        assert_eq!((value, low), (0.0, 0.0));
        assert!((28.0..55.0).contains(&high), "{high}");
        let Estimate { value, low, high } = found.flips;
        assert_eq!((value, low), (0.0, 0.0));
        assert!((28.0 * 256.0..60.0 * 256.0).contains(&high), "{high}");
        // Nothing was taken: all may flip.
        let mut sample = Sample::new(sampling.share);
        (0..7).for_each(|_| sample.add(2, false, None));
        let highs = sample.totals(&[], 10);
        let highs = [highs.flipping_files, highs.flipping_captures, highs.flips];
        assert_eq!(highs.map(|estimate| estimate.high), [7.0, 14.0, 140.0]);
    }

    #[test]
    fn a_sample_of_all_files_is_exact() {
        let files = heavy_tailed(2_000, 300);
        for seed in 0..5 {
            let found = estimates(&files, Sampling { share: 1.0, seed });
            let found = [found.flipping_files, found.flipping_captures, found.flips];
            for (found, total) in found.into_iter().zip(totals(&files)) {
                let exact = (total, total, total);
                assert_eq!((found.value, found.low, found.high), exact);
            }
        }
    }

    #[test]
    fn the_chance_of_a_file_is_proportional_to_its_captures() {
        let digests: Vec<_> = (0..20_000_u32).map(|n| sha1(&n.to_le_bytes())).collect();
        let taken = |share, seed, captures| -> Vec<bool> {
            let sampling = Sampling { share, seed };
            (digests.iter())
                .map(|digest| sampling.captures_to_take(digest) <= captures)
                .collect()
        };
        let count = |taken: &[bool]| taken.iter().filter(|taken| **taken).count();
        assert_eq!(count(&taken(1.0, 7, 1)), digests.len());
        let one = taken(0.1, 1, 1);
        assert!((1_850..2_150).contains(&count(&one)), "{}", count(&one));
        assert_eq!(one, taken(0.1, 1, 1));
        assert_ne!(one, taken(0.1, 2, 1));
        let three = count(&taken(0.1, 1, 3));
        assert!((5_750..6_250).contains(&three), "{three}");
        assert_eq!(count(&taken(0.1, 1, 10)), digests.len());
        // A larger share takes more files, and the same ones.
        let more = taken(0.2, 1, 1);
        assert!(one.iter().zip(more).all(|(less, more)| !less || more));
    }

    fn assert_near(found: f64, expected: f64) {
        let error = (found - expected).abs() / expected;
        assert!(error < 0.02, "{found} instead of {expected}");
    }

    #[test]
    fn quantiles_are_those_of_published_tables() {
        for (freedom, expected) in [
            (3.0, 3.182),
            (5.0, 2.571),
            (10.0, 2.228),
            (30.0, 2.042),
            (f64::INFINITY, 1.960),
        ] {
            assert_near(student(freedom), expected);
        }
        // Half of chi-square with 2n degrees of freedom has mean and variance n.
        for (n, low, high) in [
            (2.0, 0.2422, 5.5716),
            (10.0, 4.7954, 17.0848),
            (50.0, 37.1110, 64.7806),
        ] {
            assert_near(gamma(n, n, NORMAL), high);
            // The approximation is low where the distribution begins.
            let approximate = gamma(n, n, -NORMAL);
            assert!(
                approximate <= low * 1.001 && approximate > 0.9 * low,
                "{approximate}"
            );
        }
    }
}
