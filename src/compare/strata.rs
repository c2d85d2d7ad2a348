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
//! In the literature this is Poisson sampling with probabilities proportional to size, where
//! certainty strata result by themselves (Särndal, Swensson and Wretman, Model Assisted Survey
//! Sampling, 1992, 3.5).
//!
//! # Estimates
//!
//! Files are grouped in strata by captures, size and characters. Which files were not taken is
//! known, with their strata and captures. Their sum in a stratum is estimated by their number times
//! the mean of those taken, each weighted by the files like it that were not taken: one with the
//! chance p stands for (1 - p) / p others (ratio estimator, *ibid.* 5.6 and 7.6; Cochran, Sampling
//! Techniques, 1977, 5A.9). What was found in the files that were taken is added as it is. The
//! module `interval` has the intervals.

use super::{
    found::{Estimate, SampleTotals},
    interval::Rest,
};

/// How many files are taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    /// The chance of a file with one capture, above 0 and up to 1. The chance of another file is
    /// this times its captures, or certainty.
    pub share: f64,
    /// Selects another sample of the same share.
    pub seed: u64,
}

/// Bounds of the sizes of strata, in bytes.
const SIZES: [usize; 5] = [256, 1024, 4096, 16 * 1024, 64 * 1024];
const N_SHAPES: usize = 3;
const N_SIZES_AND_SHAPES: usize = (SIZES.len() + 1) * N_SHAPES;
/// Bounds of the captures of a file.
const CAPTURES: [u32; 3] = [2, 4, 8];
const N_STRATA: usize = (CAPTURES.len() + 1) * N_SIZES_AND_SHAPES;
/// Files of a stratum that were taken, at least; smaller strata are merged with the next one.
const MIN_TAKEN: usize = 10;

/// Returns the number of the size and the characters of a file.
pub(super) fn size_and_shape(body: &[u8]) -> u8 {
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
    (size * N_SHAPES + shape) as u8
}

impl Sampling {
    /// Returns how many captures a file with this SHA-1 must have to be taken, at least 1.
    pub(super) fn captures_to_take(&self, digest: &[u8; 20]) -> u32 {
        let bits = digest[..8].try_into().map(u64::from_be_bytes);
        let bits = mix(bits.unwrap_or_default() ^ mix(self.seed));
        // 53 bits are exact in a number of this type.
        let uniform = (bits >> 11) as f64 / (1_u64 << 53) as f64;
        ((uniform / self.share) as u32).saturating_add(1)
    }
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
    n_files: u64,
    /// The files of each stratum that were not taken.
    untaken: [Units; N_STRATA],
    taken: Vec<TakenFile>,
}

/// What totals are of.
#[derive(Clone, Copy, Debug, Default)]
struct Units {
    files: u64,
    captures: u64,
}

/// A file of the sample.
#[derive(Clone, Copy, Debug)]
struct TakenFile {
    stratum: u8,
    captures: u32,
    /// Its number among flipping files.
    flipping: u32,
}

impl Sample {
    pub(super) fn new(sampling: Sampling) -> Sample {
        Sample {
            share: sampling.share,
            n_files: 0,
            untaken: [Units::default(); N_STRATA],
            taken: Vec::new(),
        }
    }

    /// Adds a file; one that was taken with its number among flipping files.
    pub(super) fn add(&mut self, size_and_shape: u8, captures: u32, taken: Option<u32>) {
        self.n_files += 1;
        let class = CAPTURES.iter().filter(|&&n| captures >= n).count();
        let stratum = class * N_SIZES_AND_SHAPES + usize::from(size_and_shape);
        match taken {
            Some(flipping) => self.taken.push(TakenFile {
                stratum: stratum as u8,
                captures,
                flipping,
            }),
            None => {
                let untaken = &mut self.untaken[stratum];
                untaken.files += 1;
                untaken.captures += u64::from(captures);
            }
        }
    }

    /// Returns the numbers among flipping files of those that were taken.
    pub(super) fn flipping(&self) -> impl Iterator<Item = u32> {
        self.taken.iter().map(|file| file.flipping)
    }

    /// Estimates the totals of all files, from the flips of one capture of each file that was
    /// taken; `max_flips` are as many as a file can have.
    pub(super) fn totals(&self, n_flips: &[u64], max_flips: u64) -> SampleTotals {
        let is_flip = |index: usize| n_flips[index].min(1);
        let (files, captures) = (|units: Units| units.files, |units: Units| units.captures);
        SampleTotals {
            files: self.n_files,
            flipping_files: self.estimate(files, is_flip, 1),
            flipping_captures: self.estimate(captures, is_flip, 1),
            flips: self.estimate(captures, |index| n_flips[index], max_flips),
        }
    }

    /// Estimates the sum over all files of how often each counts times its value, which is at most
    /// `most`.
    fn estimate(
        &self,
        count: fn(Units) -> u64,
        value: impl Fn(usize) -> u64,
        most: u64,
    ) -> Estimate {
        let mut strata: Vec<Stratum> = (self.untaken.iter())
            .map(|&untaken| Stratum {
                untaken: count(untaken) as f64,
                taken: Vec::new(),
            })
            .collect();
        let mut found = 0;
        for (index, file) in self.taken.iter().enumerate() {
            let times = count(Units {
                files: 1,
                captures: file.captures.into(),
            });
            let value = value(index);
            found += times * value;
            let chance = self.share * f64::from(file.captures);
            if chance < 1.0 {
                strata[usize::from(file.stratum)].taken.push(Value {
                    value: value as f64,
                    weight: times as f64 * (1.0 - chance) / chance,
                    chance,
                });
            }
        }
        let mut rest = Rest::default();
        let mut most_of_one: f64 = 0.0;
        for stratum in merged(strata) {
            stratum.add_to(&mut rest);
            let most = stratum.untaken * most as f64;
            rest.most += most;
            most_of_one = most_of_one.max(most / stratum.taken.len().max(1) as f64);
        }
        if rest.largest == 0.0 {
            // Nothing tells what a file that flips is like.
            rest.largest = most_of_one;
        }
        rest.estimate(found as f64)
    }
}

/// The files of a stratum, except those that are always taken.
#[derive(Clone, Debug, Default)]
struct Stratum {
    /// How often the files count that were not taken.
    untaken: f64,
    taken: Vec<Value>,
}

/// The value of a file that was taken.
#[derive(Clone, Copy, Debug)]
struct Value {
    value: f64,
    /// How often the files count that were not taken and for which this one stands.
    weight: f64,
    chance: f64,
}

/// Merges neighbors until enough files of each stratum were taken.
fn merged(strata: Vec<Stratum>) -> Vec<Stratum> {
    let mut merged: Vec<Stratum> = Vec::new();
    for mut stratum in strata {
        match merged.last_mut() {
            Some(last) if last.taken.len() < MIN_TAKEN => last.append(&mut stratum),
            _ => merged.push(stratum),
        }
    }
    if let Some(mut last) = merged.pop_if(|last| last.taken.len() < MIN_TAKEN) {
        match merged.last_mut() {
            Some(before) => before.append(&mut last),
            None => merged.push(last),
        }
    }
    merged
}

impl Stratum {
    fn append(&mut self, other: &mut Stratum) {
        self.untaken += other.untaken;
        self.taken.append(&mut other.taken);
    }

    /// Adds what the stratum contributes.
    fn add_to(&self, rest: &mut Rest) {
        let n = self.taken.len() as f64;
        let weight: f64 = self.taken.iter().map(|file| file.weight).sum();
        if weight == 0.0 {
            return;
        }
        let factor = self.untaken / weight;
        let of_file = |file: &Value| factor * file.weight * file.value;
        let mean = self.taken.iter().map(of_file).sum::<f64>() / self.untaken.max(1.0);
        rest.mean += self.untaken * mean;
        rest.largest = (self.taken.iter().map(of_file)).fold(rest.largest, f64::max);
        let squares = self.taken.iter().map(|file| {
            let deviation = factor * file.weight * (file.value - mean);
            deviation * deviation / (1.0 - file.chance)
        });
        let (mut sum, mut sum_of_squares) = (0.0, 0.0);
        for square in squares {
            sum += square;
            sum_of_squares += square * square;
        }
        if sum > 0.0 {
            let variance = sum * n / (n - 1.0);
            let kurtosis = (n * sum_of_squares / (sum * sum) - 3.0).max(0.0);
            rest.variance += variance;
            rest.spread += variance * variance * (1.0 / (n - 1.0) + kurtosis / (2.0 * n));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{digest::sha1, sample::random::Random};

    const KINDS: usize = N_SIZES_AND_SHAPES;

    /// A file of a simulation.
    #[derive(Clone, Copy)]
    struct File {
        kind: u8,
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
                let kind = (uniform() * KINDS as f64) as u8;
                let captures = (1.0 - uniform()).powf(-1.0 / 1.1).min(3_000.0);
                let chance = per_mille_flipping as f64 / 1000.0 * (0.5 + f64::from(kind) / 18.0);
                // The sum of twelve is close to normal.
                let normal = (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
                let n_flips = (2.0 + 1.3 * normal).exp().clamp(1.0, 256.0) as u64;
                File {
                    kind,
                    captures: captures as u32,
                    n_flips: if uniform() < chance { n_flips } else { 0 },
                }
            })
            .collect()
    }

    /// Takes a sample and estimates.
    fn estimates(files: &[File], sampling: Sampling) -> SampleTotals {
        let mut sample = Sample::new(sampling);
        let mut n_flips = Vec::new();
        for (n, file) in files.iter().enumerate() {
            let is_taken = file.captures >= sampling.captures_to_take(&sha1(&n.to_le_bytes()));
            if is_taken {
                n_flips.push(file.n_flips);
            }
            sample.add(file.kind, file.captures, is_taken.then_some(0));
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
        assert!((30.0..55.0).contains(&high), "{high}");
        let Estimate { value, low, high } = found.flips;
        assert_eq!((value, low), (0.0, 0.0));
        assert!((30.0 * 256.0..60.0 * 256.0).contains(&high), "{high}");
        // Nothing was taken: all may flip.
        let mut sample = Sample::new(sampling);
        (0..7).for_each(|_| sample.add(0, 2, None));
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

    #[test]
    fn strata_are_sizes_and_shapes() {
        let strata = [
            size_and_shape(b"User-agent: *\n"),
            size_and_shape(b"User-agent: *\nDisallow: /%20\n"),
            size_and_shape(b" <html>"),
            size_and_shape(&[b'x'; 300]),
            size_and_shape(&[b'x'; 1 << 20]),
        ];
        assert_eq!(strata, [0, 1, 2, 3, 15]);
    }
}
