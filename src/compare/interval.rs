//! Confidence intervals of totals of which a part is estimated from a sample.
//!
//! What is estimated is a sum of values none of which is negative, a few of them large, so it is
//! skewed where few files flip; an interval of the same width on either side of it would contain
//! the total too rarely. It is taken to have a gamma distribution with the estimated mean and
//! variance. For the upper bound one more file is added, as large as the largest that was found:
//! that a sample contains no such file does not mean that there is none (Fay and Feuer, Confidence
//! intervals for directly standardized rates, Statistics in Medicine 16, 1997).
//!
//! The variance is an estimate as well. This is why quantiles are of Student's t distribution, with
//! the degrees of freedom of Satterthwaite (Cochran, Sampling Techniques, 1977, 5.4), which are
//! fewer the heavier the tails of the values are.

use super::found::Estimate;

/// The quantile of the normal distribution for an interval of 95 %.
const NORMAL: f64 = 1.959_963_985;

/// What a sample tells about the sum over the files that were not taken.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rest {
    pub mean: f64,
    pub variance: f64,
    /// The variance of [`Rest::variance`], divided by two.
    pub spread: f64,
    /// The largest contribution of a file.
    pub largest: f64,
    /// A sum that it cannot exceed.
    pub most: f64,
}

impl Rest {
    /// Returns the estimate of the total, of which `found` is known.
    pub(super) fn estimate(&self, found: f64) -> Estimate {
        let t = student(self.variance * self.variance / self.spread);
        let low = gamma(self.mean, self.variance, -t);
        let high = gamma(
            self.mean + self.largest,
            self.variance + self.largest * self.largest,
            t,
        );
        Estimate {
            value: found + self.mean,
            low: found + low,
            high: found + high.clamp(self.mean, self.mean.max(self.most)),
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

    #[test]
    fn no_find_is_no_proof_of_absence() {
        // One file in ten was taken of 1,000, and none flips: up to 36.9 may (Hanley and
        // Lippman-Hand's rule of three gives 30 for an interval with one side).
        let rest = Rest {
            largest: 10.0,
            most: 900.0,
            ..Rest::default()
        };
        let estimate = rest.estimate(0.0);
        assert_eq!((estimate.value, estimate.low), (0.0, 0.0));
        assert_near(estimate.high, 36.9);
        let rest = Rest { most: 7.0, ..rest };
        assert_eq!(rest.estimate(3.0).high, 10.0);
    }

    #[test]
    fn few_degrees_of_freedom_make_an_interval_wide() {
        let rest = |spread| Rest {
            mean: 1000.0,
            variance: 100.0 * 100.0,
            spread,
            largest: 1.0,
            most: 1e6,
        };
        let width = |spread| {
            let estimate = rest(spread).estimate(50.0);
            assert!(estimate.low < estimate.value && estimate.value < estimate.high);
            estimate.high - estimate.low
        };
        assert_near(width(0.0), 2.0 * 1.96 * 100.0);
        assert_near(width(1e8 / 5.0), 2.0 * 2.571 * 100.0);
    }
}
