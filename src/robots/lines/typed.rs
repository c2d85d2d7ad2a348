//! Values that are numbers or times. A value without the form of its field is never repaired.

use super::{is_blank_byte, trim};

/// Parses a value that is nothing but an unsigned decimal number, such as `10` or `0.5`.
pub fn decimal(value: &[u8]) -> Option<f64> {
    let is_plain = value.iter().all(|b| b.is_ascii_digit() || *b == b'.');
    let text = std::str::from_utf8(value).ok().filter(|_| is_plain)?;
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Parses a value of request-rate, `n/t[s|m|h] [HHMM-HHMM]`, and returns the time of one fetch: `t`
/// in seconds, divided by `n`. A rate of no fetch at all is none.
pub fn request_rate(value: &[u8]) -> Option<f64> {
    let blank = value.iter().position(|&byte| is_blank_byte(byte));
    let (rate, rest) = value.split_at(blank.unwrap_or(value.len()));
    let slash = memchr::memchr(b'/', rate)?;
    let (count, span) = (&rate[..slash], &rate[slash + 1..]);
    let (span, seconds) = match span {
        [number @ .., b's'] => (number, 1.0),
        [number @ .., b'm'] => (number, 60.0),
        [number @ .., b'h'] => (number, 3_600.0),
        number => (number, 1.0),
    };
    let count = whole(count).filter(|&count| count > 0.0)?;
    let hours = trim(rest);
    if !hours.is_empty() && !is_time_range(hours) {
        return None;
    }
    Some(whole(span)? * seconds / count)
}

/// Returns true if and only if a value has the form `HHMM-HHMM`: two times of day.
pub fn is_time_range(value: &[u8]) -> bool {
    match value {
        [from @ .., b'-', h, hh, m, mm] => is_time(from) && is_time(&[*h, *hh, *m, *mm]),
        _ => false,
    }
}

fn is_time(time: &[u8]) -> bool {
    let [h, hh, m, mm] = time else {
        return false;
    };
    // Digits are in the order of their values.
    time.iter().all(u8::is_ascii_digit) && [*h, *hh] < *b"24" && [*m, *mm] < *b"60"
}

fn whole(text: &[u8]) -> Option<f64> {
    decimal(text).filter(|_| text.iter().all(u8::is_ascii_digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_decimals_are_numbers() {
        assert_eq!(decimal(b"10"), Some(10.0));
        assert_eq!(decimal(b"0.5"), Some(0.5));
        for text in ["", ".", "-1", "1e9", "inf", "1,0", "10 s", "1.2.3"] {
            assert_eq!(decimal(text.as_bytes()), None, "{text}");
        }
        assert_eq!(decimal(&b"9".repeat(400)), None);
    }

    #[test]
    fn a_request_rate_is_the_time_of_one_fetch() {
        let seconds = |text: &str| request_rate(text.as_bytes());
        assert_eq!(seconds("1/5"), Some(5.0));
        assert_eq!(seconds("10/1m"), Some(6.0));
        assert_eq!(seconds("2/1h"), Some(1_800.0));
        assert_eq!(seconds("1/30s"), Some(30.0));
        assert_eq!(seconds("1/5\t 0800-1230"), Some(5.0));
        for text in [
            "",
            "5",
            "1/",
            "/5",
            "1/5d",
            "0/5",
            "1/5 8-12",
            "1/5 0800-1260",
            "1/0.5",
        ] {
            assert_eq!(request_rate(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn a_time_of_day_is_four_digits_twice() {
        assert!(is_time_range(b"0000-2359"));
        assert!(is_time_range(b"2200-0600"));
        for text in [
            "",
            "0800",
            "0800-2400",
            "08:0-0900",
            "0800 0900",
            "-0900",
            "00800-0900",
        ] {
            assert!(!is_time_range(text.as_bytes()), "{text}");
        }
    }
}
