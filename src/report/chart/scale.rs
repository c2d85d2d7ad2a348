//! Scales with short numbers at their marks, and numbers as charts write them.

use jiff::{ToSpan, civil::Date};

use crate::report::words;

/// A scale from its least to its greatest mark.
#[derive(Clone, Debug)]
pub struct Scale {
    /// Its marks, at least two.
    pub marks: Vec<f64>,
}

/// The least distance of the marks of a scale of shares.
const LEAST_STEP_OF_SHARES: f64 = 0.00001;
/// Fewer days than these may have the beginning of one month, or of none.
const MOST_DAYS_WITHOUT_MONTHS: f64 = 62.0;

impl Scale {
    /// Returns the scale that has zero and all values, with some five marks.
    pub fn new(values: impl Iterator<Item = f64>, is_share: bool) -> Self {
        let (mut low, mut high) = (0.0, 0.0);
        for value in values {
            low = f64::min(low, value);
            high = f64::max(high, value);
        }
        let least = if is_share { LEAST_STEP_OF_SHARES } else { 1e-9 };
        let step = match high - low {
            0.0 if is_share => 0.2,
            0.0 => 1.0,
            range => nice(range / 5.0).max(least),
        };
        let first = (low / step).floor();
        let last = (high / step - 1e-9).ceil().max(first + 1.0);
        let last = match (high, is_share) {
            (0.0, true) => 5.0,
            (..=1.0, true) => last.min((1.0 / step).round()),
            _ => last,
        };
        let n = (last - first) as usize;
        Self {
            marks: (0..=n).map(|index| (first + index as f64) * step).collect(),
        }
    }

    /// Returns where a value is, from 0 to 1.
    pub fn at(&self, value: f64) -> f64 {
        let (low, high) = (self.marks[0], self.marks[self.marks.len() - 1]);
        (value - low) / (high - low)
    }
}

/// Returns the least of 1, 2 and 5 times a power of ten that is no less than a positive number.
fn nice(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    let factors = [1.0, 2.0, 5.0, 10.0];
    let least = least * (1.0 - 1e-9);
    let factor = factors.iter().find(|factor| *factor * power >= least);
    factor.unwrap_or(&10.0) * power
}

/// Returns at most so many marks between two times, in days of the Unix epoch: the beginnings of
/// years, or of months where the years would be few; the two times themselves where they are close.
pub fn time_marks(first: f64, last: f64, most: usize) -> Vec<(f64, String)> {
    const EPOCH: Date = Date::constant(1970, 1, 1);
    let day = |at: f64| EPOCH.checked_add((at as i32).days()).unwrap_or(EPOCH);
    let days = |date: Date| f64::from((date - EPOCH).get_days());
    if last - first < MOST_DAYS_WITHOUT_MONTHS {
        let mut marks = [first, last].map(|at| (at, day(at).to_string())).to_vec();
        marks.dedup();
        return marks;
    }
    for months in [1, 3, 6, 12, 24, 60, 120, 300, 600, 1_200] {
        let mut date = Date::new(day(first).year() / 100 * 100, 1, 1).unwrap_or(EPOCH);
        let mut marks = Vec::new();
        while days(date) <= last {
            if days(date) >= first {
                let form = if months < 12 { "%Y-%m" } else { "%Y" };
                marks.push((days(date), date.strftime(form).to_string()));
            }
            let Ok(next) = date.checked_add(months.months()) else {
                break;
            };
            date = next;
        }
        if marks.len() <= most.max(1) {
            return marks;
        }
    }
    Vec::new()
}

/// Returns a value as the label of a mark.
pub fn mark(value: f64, is_share: bool) -> String {
    if is_share {
        // Marks are short decimals; rounding removes what binary fractions add to them.
        return format!("{}\u{a0}%", (value * 1e7).round() / 1e5);
    }
    number(value)
}

/// Returns a value as text beside a bar.
pub fn value(value: f64, is_share: bool) -> String {
    if is_share {
        return words::rounded_share(value);
    }
    number(value)
}

/// Returns a share in whole percent, without the sign; only all is 100, and only nothing is 0.
pub fn whole_percent(share: f64) -> String {
    match (100.0 * share).round() as i64 {
        0 if share > 0.0 => "<1".to_owned(),
        100 if share < 1.0 => ">99".to_owned(),
        percent => percent.to_string(),
    }
}

/// Returns a number of any size: in full up to a million, then with a unit.
fn number(value: f64) -> String {
    let magnitude = value.abs();
    let (divisor, unit) = match magnitude {
        ..1e6 => (1.0, ""),
        ..1e9 => (1e6, "\u{a0}million"),
        ..1e12 => (1e9, "\u{a0}billion"),
        ..1e15 => (1e12, "\u{a0}trillion"),
        _ => return format!("{value:.2e}"),
    };
    let rounded = match magnitude / divisor {
        0.0 => 0.0,
        short if short < 0.01 => return format!("{value:.2e}"),
        short => (short * 100.0).round() / 100.0,
    };
    let sign = if value < 0.0 { "\u{2212}" } else { "" };
    let whole = words::count(rounded.trunc() as u64);
    let decimals = format!("{:.2}", rounded.fract());
    let decimals = decimals.trim_start_matches('0').trim_end_matches('0');
    format!("{sign}{whole}{}{unit}", decimals.trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_of_time_has_years_or_months_as_there_is_space() {
        let marks = |first, last, most| {
            let marks = time_marks(first, last, most).into_iter();
            marks.map(|(_, text)| text).collect::<Vec<_>>().join(" ")
        };
        // 2023-01-26 to 2026-03-01, and to 2023-05-06.
        assert_eq!(marks(19_383.0, 20_513.0, 5), "2024 2025 2026");
        assert_eq!(
            marks(19_383.0, 19_483.0, 5),
            "2023-02 2023-03 2023-04 2023-05"
        );
        assert_eq!(marks(19_383.0, 19_483.0, 3), "2023-04");
        assert_eq!(time_marks(0.0, 0.0, 1), [(0.0, "1970-01-01".to_owned())]);
    }

    #[test]
    fn no_cell_rounds_to_all_or_to_nothing() {
        let cells = [0.0, 0.004, 0.5, 0.996, 1.0].map(whole_percent);
        assert_eq!(cells, ["0", "<1", "50", ">99", "100"]);
    }

    fn marks(values: &[f64], is_share: bool) -> Vec<String> {
        let scale = Scale::new(values.iter().copied(), is_share);
        scale.marks.iter().map(|&at| mark(at, is_share)).collect()
    }

    #[test]
    fn marks_are_short_and_few() {
        let shares = marks(&[0.129, 0.05], true).join(" ");
        assert_eq!(shares, "0\u{a0}% 5\u{a0}% 10\u{a0}% 15\u{a0}%");
        let all = marks(&[1.0], true).join(" ");
        assert!(all.ends_with("80\u{a0}% 100\u{a0}%"), "{all}");
        assert_eq!(marks(&[0.97], true).last().unwrap(), "100\u{a0}%");
        assert_eq!(marks(&[1234.0], false).join(" "), "0 500 1,000 1,500");
        assert_eq!(
            marks(&[-3.0, 4.0], false).join(" "),
            "\u{2212}4 \u{2212}2 0 2 4"
        );
        assert_eq!(marks(&[], true).len(), 6);
        assert_eq!(marks(&[0.0], false).join(" "), "0 1");
        for most in [1e-7, 0.004, 7.0, 99.0, 1e7, 3e14, 1e18] {
            let n = marks(&[most], false).len();
            assert!((2..=7).contains(&n), "{most}: {n}");
        }
    }

    #[test]
    fn values_are_between_the_ends() {
        let scale = Scale::new([0.0, 8.0].into_iter(), false);
        assert_eq!(
            [0.0, 4.0, 8.0].map(|value| scale.at(value)),
            [0.0, 0.5, 1.0]
        );
    }

    #[test]
    fn numbers_of_any_size_are_short() {
        let texts = [0.0, 1.5, 999_999.0, 2_500_000.0, -3.0, 0.000_12, 4e17].map(number);
        let wanted = [
            "0",
            "1.5",
            "999,999",
            "2.5\u{a0}million",
            "\u{2212}3",
            "1.20e-4",
            "4.00e17",
        ];
        assert_eq!(texts, wanted);
    }
}
