//! Python's `int`, as far as `urllib.robotparser` fails on it (CPython 3.11, Unicode 14).
//!
//! Python checks the value of a crawl-delay or request-rate line by `isdigit` before it calls
//! `int`, but `int` takes decimal digits only, and no more than 4,300 of them.

use super::{text, url::unquote};
use crate::robots::lines::Field;

/// The most digits that `int` takes (`sys.int_info.default_max_str_digits`).
const MAX_DIGITS: usize = 4_300;

/// Returns true if and only if Python fails on a line with this field and value inside a group.
pub fn raises(field: Field, value: &[u8]) -> bool {
    if !matches!(field, Field::CrawlDelay | Field::RequestRate) {
        return false;
    }
    let decoded = text::decode(value);
    let value = unquote(&decoded);
    if field == Field::CrawlDelay {
        return PythonNumber::parse(&value) == PythonNumber::Refused;
    }
    let Some((count, seconds)) = value.split_once('/') else {
        return false;
    };
    let numbers = [PythonNumber::parse(count), PythonNumber::parse(seconds)];
    !numbers.contains(&PythonNumber::None) && numbers.contains(&PythonNumber::Refused)
}

/// What Python makes of a text that should be a number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PythonNumber {
    /// `isdigit` is false of it.
    None,
    /// `int` takes it.
    Taken,
    /// `int` raises `ValueError`.
    Refused,
}

impl PythonNumber {
    fn parse(value: &str) -> PythonNumber {
        let text = value.trim_matches(text::is_space);
        let is_digit = |char| is_decimal(char) || is_other_digit(char);
        if text.is_empty() || !text.chars().all(is_digit) {
            PythonNumber::None
        } else if text.contains(is_other_digit) || text.chars().count() > MAX_DIGITS {
            PythonNumber::Refused
        } else {
            PythonNumber::Taken
        }
    }
}

fn is_decimal(char: char) -> bool {
    let digit = |zero: u32| (zero..zero + 10).contains(&u32::from(char));
    char.is_ascii_digit() || DECIMAL_ZEROS.into_iter().any(digit)
}

/// Returns true if and only if `char` is a digit, but not a decimal one, such as a superscript.
fn is_other_digit(char: char) -> bool {
    let (ranges, _) = OTHER_DIGITS.as_chunks::<2>();
    ranges
        .iter()
        .any(|&[first, last]| (first..=last).contains(&u32::from(char)))
}

/// The first and the last of each range of digits that are not decimal.
const OTHER_DIGITS: [u32; 40] = [
    0xb2, 0xb3, 0xb9, 0xb9, 0x1369, 0x1371, 0x19da, 0x19da, 0x2070, 0x2070, 0x2074, 0x2079, 0x2080,
    0x2089, 0x2460, 0x2468, 0x2474, 0x247c, 0x2488, 0x2490, 0x24ea, 0x24ea, 0x24f5, 0x24fd, 0x24ff,
    0x24ff, 0x2776, 0x277e, 0x2780, 0x2788, 0x278a, 0x2792, 0x10a40, 0x10a43, 0x10e60, 0x10e68,
    0x11052, 0x1105a, 0x1f100, 0x1f10a,
];

/// The zero of each ten decimal digits outside ASCII.
const DECIMAL_ZEROS: [u32; 65] = [
    0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6,
    0xe50, 0xed0, 0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50,
    0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
    0x104a0, 0x10d30, 0x11066, 0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650,
    0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50, 0x11d50, 0x11da0, 0x16a60, 0x16ac0, 0x16b50,
    0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e950, 0x1fbf0,
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
