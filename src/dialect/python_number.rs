//! Python's `int`, as far as `urllib.robotparser` trips over it (CPython 3.11, Unicode 14).
//!
//! Enters: the value of a crawl-delay or request-rate line. Leaves: whether Python raises
//! `ValueError`, which ends its reading of the file. Python asks `isdigit` before it calls `int`,
//! but `int` takes decimal digits only, and no more than 4,300 of them.

use super::{python_text, python_url::unquote};
use crate::robots::Field;

/// The most digits that `int` takes (`sys.int_info.default_max_str_digits`).
const MAX_DIGITS: usize = 4_300;

/// Returns true if and only if Python fails on a line with this field and value inside a group.
pub(super) fn raises(field: Field, value: &[u8]) -> bool {
    if !matches!(field, Field::CrawlDelay | Field::RequestRate) {
        return false;
    }
    let decoded = python_text::decode(value);
    let value = unquote(&decoded);
    if field == Field::CrawlDelay {
        return Number::of(&value) == Number::Refused;
    }
    let Some((count, seconds)) = value.split_once('/') else {
        return false;
    };
    let numbers = [Number::of(count), Number::of(seconds)];
    !numbers.contains(&Number::None) && numbers.contains(&Number::Refused)
}

/// What Python makes of a text that should be a number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Number {
    /// `isdigit` is false of it.
    None,
    /// `int` takes it.
    Taken,
    /// `int` raises `ValueError`.
    Refused,
}

impl Number {
    fn of(text: &str) -> Number {
        let text = text.trim_matches(python_text::is_space);
        let is_other_digit = |char| in_ranges(&OTHER_DIGITS, char);
        let is_digit = |char| is_decimal(char) || is_other_digit(char);
        if text.is_empty() || !text.chars().all(is_digit) {
            Number::None
        } else if text.contains(is_other_digit) || text.chars().count() > MAX_DIGITS {
            Number::Refused
        } else {
            Number::Taken
        }
    }
}

fn is_decimal(char: char) -> bool {
    char.is_ascii_digit() || in_ranges(&DECIMAL_DIGITS, char)
}

fn in_ranges(ranges: &[(char, char)], char: char) -> bool {
    let after = ranges.partition_point(|&(first, _)| first <= char);
    after > 0 && char <= ranges[after - 1].1
}

/// The digits that are not decimal ones, such as superscripts.
const OTHER_DIGITS: [(char, char); 20] = [
    ('\u{b2}', '\u{b3}'),
    ('\u{b9}', '\u{b9}'),
    ('\u{1369}', '\u{1371}'),
    ('\u{19da}', '\u{19da}'),
    ('\u{2070}', '\u{2070}'),
    ('\u{2074}', '\u{2079}'),
    ('\u{2080}', '\u{2089}'),
    ('\u{2460}', '\u{2468}'),
    ('\u{2474}', '\u{247c}'),
    ('\u{2488}', '\u{2490}'),
    ('\u{24ea}', '\u{24ea}'),
    ('\u{24f5}', '\u{24fd}'),
    ('\u{24ff}', '\u{24ff}'),
    ('\u{2776}', '\u{277e}'),
    ('\u{2780}', '\u{2788}'),
    ('\u{278a}', '\u{2792}'),
    ('\u{10a40}', '\u{10a43}'),
    ('\u{10e60}', '\u{10e68}'),
    ('\u{11052}', '\u{1105a}'),
    ('\u{1f100}', '\u{1f10a}'),
];

/// The decimal digits outside ASCII.
const DECIMAL_DIGITS: [(char, char); 61] = [
    ('\u{660}', '\u{669}'),
    ('\u{6f0}', '\u{6f9}'),
    ('\u{7c0}', '\u{7c9}'),
    ('\u{966}', '\u{96f}'),
    ('\u{9e6}', '\u{9ef}'),
    ('\u{a66}', '\u{a6f}'),
    ('\u{ae6}', '\u{aef}'),
    ('\u{b66}', '\u{b6f}'),
    ('\u{be6}', '\u{bef}'),
    ('\u{c66}', '\u{c6f}'),
    ('\u{ce6}', '\u{cef}'),
    ('\u{d66}', '\u{d6f}'),
    ('\u{de6}', '\u{def}'),
    ('\u{e50}', '\u{e59}'),
    ('\u{ed0}', '\u{ed9}'),
    ('\u{f20}', '\u{f29}'),
    ('\u{1040}', '\u{1049}'),
    ('\u{1090}', '\u{1099}'),
    ('\u{17e0}', '\u{17e9}'),
    ('\u{1810}', '\u{1819}'),
    ('\u{1946}', '\u{194f}'),
    ('\u{19d0}', '\u{19d9}'),
    ('\u{1a80}', '\u{1a89}'),
    ('\u{1a90}', '\u{1a99}'),
    ('\u{1b50}', '\u{1b59}'),
    ('\u{1bb0}', '\u{1bb9}'),
    ('\u{1c40}', '\u{1c49}'),
    ('\u{1c50}', '\u{1c59}'),
    ('\u{a620}', '\u{a629}'),
    ('\u{a8d0}', '\u{a8d9}'),
    ('\u{a900}', '\u{a909}'),
    ('\u{a9d0}', '\u{a9d9}'),
    ('\u{a9f0}', '\u{a9f9}'),
    ('\u{aa50}', '\u{aa59}'),
    ('\u{abf0}', '\u{abf9}'),
    ('\u{ff10}', '\u{ff19}'),
    ('\u{104a0}', '\u{104a9}'),
    ('\u{10d30}', '\u{10d39}'),
    ('\u{11066}', '\u{1106f}'),
    ('\u{110f0}', '\u{110f9}'),
    ('\u{11136}', '\u{1113f}'),
    ('\u{111d0}', '\u{111d9}'),
    ('\u{112f0}', '\u{112f9}'),
    ('\u{11450}', '\u{11459}'),
    ('\u{114d0}', '\u{114d9}'),
    ('\u{11650}', '\u{11659}'),
    ('\u{116c0}', '\u{116c9}'),
    ('\u{11730}', '\u{11739}'),
    ('\u{118e0}', '\u{118e9}'),
    ('\u{11950}', '\u{11959}'),
    ('\u{11c50}', '\u{11c59}'),
    ('\u{11d50}', '\u{11d59}'),
    ('\u{11da0}', '\u{11da9}'),
    ('\u{16a60}', '\u{16a69}'),
    ('\u{16ac0}', '\u{16ac9}'),
    ('\u{16b50}', '\u{16b59}'),
    ('\u{1d7ce}', '\u{1d7ff}'),
    ('\u{1e140}', '\u{1e149}'),
    ('\u{1e2f0}', '\u{1e2f9}'),
    ('\u{1e950}', '\u{1e959}'),
    ('\u{1fbf0}', '\u{1fbf9}'),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_that_are_no_decimal_ones_are_refused() {
        let delay = |value: &str| raises(Field::CrawlDelay, value.as_bytes());
        assert!(
            delay("\u{b2}") && delay("1\u{2460}") && delay("%C2%B2") && delay(&"1".repeat(4_301))
        );
        assert!(
            !delay("1")
                && !delay("\u{661}")
                && !delay("x\u{b2}")
                && !delay("")
                && !delay(&"1".repeat(4_300))
        );
    }

    #[test]
    fn a_rate_is_refused_where_both_parts_look_like_numbers() {
        let rate = |value: &str| raises(Field::RequestRate, value.as_bytes());
        assert!(rate("1/\u{b2}") && rate(" \u{b2} / 1 "));
        assert!(!rate("1/2") && !rate("\u{b2}") && !rate("\u{b2}/x") && !rate("\u{b2}/1/1"));
        assert!(!raises(Field::Sitemap, "\u{b2}".as_bytes()));
    }
}
