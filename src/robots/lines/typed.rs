//! Values that are numbers or times. A value without the form of its field is never repaired.

use super::{is_blank_byte, trim};

/// The rate of a request-rate, `n/t[s|m|h] [HHMM-HHMM]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RequestRate {
    /// The time of one fetch: `t` in seconds, divided by `n`.
    pub seconds_per_fetch: f64,
    /// The time of day to which the rate applies.
    pub hours: Option<TimeRange>,
}

/// A range of times of day, which may pass midnight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeRange {
    /// Minutes after midnight UTC, 0 to 1,439.
    pub from: u16,
    /// The same.
    pub to: u16,
}

/// Parses a value that is nothing but an unsigned decimal number, such as `10` or `0.5`.
pub fn decimal(value: &[u8]) -> Option<f64> {
    let is_plain = value.iter().all(|b| b.is_ascii_digit() || *b == b'.');
    let text = std::str::from_utf8(value).ok().filter(|_| is_plain)?;
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Parses a value of request-rate. A rate of no fetch at all is none.
pub fn request_rate(value: &[u8]) -> Option<RequestRate> {
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
    let hours = match trim(rest) {
        [] => None,
        hours => Some(time_range(hours)?),
    };
    Some(RequestRate {
        seconds_per_fetch: whole(span)? * seconds / count,
        hours,
    })
}

/// Parses a value of the form `HHMM-HHMM`.
pub fn time_range(value: &[u8]) -> Option<TimeRange> {
    let [from @ .., b'-', _, _, _, _] = value else {
        return None;
    };
    Some(TimeRange {
        from: minutes(from)?,
        to: minutes(&value[from.len() + 1..])?,
    })
}

fn minutes(time: &[u8]) -> Option<u16> {
    let [h, hh, m, mm] = *time else {
        return None;
    };
    if !time.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number = |tens: u8, ones: u8| u16::from(tens - b'0') * 10 + u16::from(ones - b'0');
    let (hours, minutes) = (number(h, hh), number(m, mm));
    (hours < 24 && minutes < 60).then_some(hours * 60 + minutes)
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
        let seconds = |text: &str| request_rate(text.as_bytes()).map(|rate| rate.seconds_per_fetch);
        assert_eq!(seconds("1/5"), Some(5.0));
        assert_eq!(seconds("10/1m"), Some(6.0));
        assert_eq!(seconds("2/1h"), Some(1_800.0));
        assert_eq!(seconds("1/30s"), Some(30.0));
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
    fn a_request_rate_may_have_a_time_of_day() {
        let rate = request_rate(b"1/5\t 0800-1230");
        let hours = rate.and_then(|rate| rate.hours);
        assert_eq!(hours, Some(TimeRange { from: 480, to: 750 }));
    }

    #[test]
    fn a_time_of_day_is_four_digits_twice() {
        let range = |text: &str| time_range(text.as_bytes()).map(|range| (range.from, range.to));
        assert_eq!(range("0000-2359"), Some((0, 1_439)));
        assert_eq!(range("2200-0600"), Some((1_320, 360)));
        for text in [
            "",
            "0800",
            "0800-2400",
            "08:0-0900",
            "0800 0900",
            "-0900",
            "00800-0900",
        ] {
            assert_eq!(range(text), None, "{text}");
        }
    }
}
