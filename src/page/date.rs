//! Dates of `unavailable_after`: RFC 822, RFC 850 and ISO 8601.
//!
//! A date may have commas, which separate directives too. So its end is found by its words: it
//! ends before the first word that no date has.

use jiff::civil;

/// A time, and whether a zone was written with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Date {
    /// Microseconds since 1970, UTC.
    pub micros: i64,
    /// Whether a zone is given; UTC is assumed otherwise.
    pub has_zone: bool,
}

const MONTHS: [&[u8]; 12] = [
    b"january",
    b"february",
    b"march",
    b"april",
    b"may",
    b"june",
    b"july",
    b"august",
    b"september",
    b"october",
    b"november",
    b"december",
];
const DAYS: [&[u8]; 7] = [
    b"monday",
    b"tuesday",
    b"wednesday",
    b"thursday",
    b"friday",
    b"saturday",
    b"sunday",
];
/// Zones by name, in hours before UTC (RFC 822, 5.1).
const ZONES: [(&[u8], i64); 12] = [
    (b"gmt", 0),
    (b"utc", 0),
    (b"ut", 0),
    (b"z", 0),
    (b"est", 5),
    (b"edt", 4),
    (b"cst", 6),
    (b"cdt", 5),
    (b"mst", 7),
    (b"mdt", 6),
    (b"pst", 8),
    (b"pdt", 7),
];

/// Returns the length of the date at the start of `text`, which begins with no white space.
pub(super) fn extent(text: &[u8]) -> usize {
    let mut end = 0;
    loop {
        let rest = &text[end..];
        let n_skipped = rest.iter().take_while(|byte| separates(byte)).count();
        let word = rest[n_skipped..].split(separates).next();
        match word.filter(|word| is_date_word(word)) {
            Some(word) => end += n_skipped + word.len(),
            None => return end,
        }
    }
}

fn separates(byte: &u8) -> bool {
    byte.is_ascii_whitespace() || *byte == b','
}

fn is_date_word(word: &[u8]) -> bool {
    match word.first() {
        Some(b'0'..=b'9') => true,
        Some(b'+' | b'-') => word[1..]
            .iter()
            .all(|&byte| byte.is_ascii_digit() || byte == b':'),
        _ => {
            index_of(&MONTHS, word).is_some()
                || index_of(&DAYS, word).is_some()
                || ZONES
                    .iter()
                    .any(|(name, _)| name.eq_ignore_ascii_case(word))
        }
    }
}

/// Returns the index of the name that `word` is, or is the start of.
fn index_of(names: &[&[u8]], word: &[u8]) -> Option<usize> {
    names.iter().position(|name| {
        word.len() >= 3
            && name
                .get(..word.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(word))
    })
}

/// Parses a date.
pub(super) fn parse(text: &[u8]) -> Option<Date> {
    let text = text.trim_ascii();
    iso(text).or_else(|| rfc(text))
}

/// Parses `2026-06-25`, with a time and a zone if wanted: `2026-06-25T15:00:00.000+02:00`.
fn iso(text: &[u8]) -> Option<Date> {
    let (date, rest) = match text
        .iter()
        .position(|byte| matches!(byte, b'T' | b't' | b' '))
    {
        Some(at) => (&text[..at], text[at + 1..].trim_ascii()),
        None => (text, &b""[..]),
    };
    let mut parts = date.split(|&byte| byte == b'-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || year.len() != 4 {
        return None;
    }
    let day = civil_date(number(year)?, number(month)?, number(day)?)?;
    if rest.is_empty() {
        return instant(day, 0, None);
    }
    let zone_at = rest
        .iter()
        .position(|byte| matches!(byte, b'Z' | b'z' | b'+' | b'-' | b' '));
    let (clock, zone) = rest.split_at(zone_at.unwrap_or(rest.len()));
    let zone = zone.trim_ascii();
    let zone = if zone.is_empty() {
        None
    } else {
        Some(offset(zone)?)
    };
    instant(day, seconds(clock)?, zone)
}

/// Parses `Thu, 25 Jun 2026 15:00:00 GMT`, `Thursday, 25-Jun-26 15:00:00 GMT` and what is between
/// them: the day of the week, the seconds and the zone may be missing.
fn rfc(text: &[u8]) -> Option<Date> {
    let mut words = text.split(separates).filter(|word| !word.is_empty());
    let mut word = words.next()?;
    if word.first().is_some_and(u8::is_ascii_alphabetic) {
        index_of(&DAYS, word)?;
        word = words.next()?;
    }
    let (day, month, year) = match memchr::memchr(b'-', word) {
        Some(_) => {
            let mut parts = word.split(|&byte| byte == b'-');
            let date = (parts.next()?, parts.next()?, parts.next()?);
            parts.next().is_none().then_some(date)?
        }
        None => (word, words.next()?, words.next()?),
    };
    let month = index_of(&MONTHS, month)? as i64 + 1;
    let day = civil_date(full_year(year)?, month, number(day)?)?;
    let (clock, zone) = (words.next(), words.next());
    if words.next().is_some() {
        return None;
    }
    let seconds = clock.map_or(Some(0), seconds)?;
    let zone = match zone {
        Some(zone) => Some(offset(zone)?),
        None => None,
    };
    instant(day, seconds, zone)
}

/// Returns the year of two, three or four digits (RFC 5322, 4.3).
fn full_year(text: &[u8]) -> Option<i64> {
    let year = number(text)?;
    match (text.len(), year) {
        (2, ..50) => Some(2000 + year),
        (2, _) | (3, _) => Some(1900 + year),
        (4, _) => Some(year),
        _ => None,
    }
}

fn number(digits: &[u8]) -> Option<i64> {
    let is_number = matches!(digits.len(), 1..=4) && digits.iter().all(u8::is_ascii_digit);
    is_number.then(|| {
        digits
            .iter()
            .fold(0, |number, digit| number * 10 + i64::from(digit - b'0'))
    })
}

/// Returns the seconds of `15:00` or `15:00:00`; fractions of a second are ignored.
fn seconds(clock: &[u8]) -> Option<i64> {
    let whole = clock.split(|&byte| byte == b'.').next()?;
    let mut parts = whole.split(|&byte| byte == b':');
    let hour = number(parts.next()?)?;
    let minute = number(parts.next()?)?;
    let second = parts.next().map_or(Some(0), number)?;
    // A second 60 is a leap second.
    let is_time = hour < 24 && minute < 60 && second <= 60 && parts.next().is_none();
    is_time.then_some(hour * 3600 + minute * 60 + second)
}

/// Returns the seconds by which a zone is ahead of UTC.
fn offset(zone: &[u8]) -> Option<i64> {
    let name = zone.to_ascii_lowercase();
    if let Some((_, hours)) = ZONES.iter().find(|(zone, _)| *zone == name) {
        return Some(-hours * 3600);
    }
    let (sign, digits) = match name.split_first()? {
        (b'+', digits) => (1, digits),
        (b'-', digits) => (-1, digits),
        _ => return None,
    };
    let digits: Vec<_> = digits
        .iter()
        .copied()
        .filter(|&byte| byte != b':')
        .collect();
    let (hours, minutes) = match digits.len() {
        2 => (number(&digits)?, 0),
        4 => (number(&digits[..2])?, number(&digits[2..])?),
        _ => return None,
    };
    (hours < 24 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
}

/// Returns a date of the Gregorian calendar.
fn civil_date(year: i64, month: i64, day: i64) -> Option<civil::Date> {
    civil::Date::new(
        year.try_into().ok()?,
        month.try_into().ok()?,
        day.try_into().ok()?,
    )
    .ok()
}

fn instant(day: civil::Date, seconds: i64, zone: Option<i64>) -> Option<Date> {
    let days = day.duration_since(civil::date(1970, 1, 1));
    let seconds = days.as_secs() + seconds - zone.unwrap_or(0);
    Some(Date {
        micros: seconds * 1_000_000,
        has_zone: zone.is_some(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2010-06-25 15:00:00 UTC.
    const NOON: i64 = 1_277_478_000;

    #[test]
    fn dates_of_three_standards_are_read() {
        for (text, expected, has_zone) in [
            ("25 Jun 2010 15:00:00 GMT", NOON, true),
            ("Fri, 25 Jun 2010 15:00:00 GMT", NOON, true),
            ("fri 25 jun 10 15:00 utc", NOON, true),
            ("25 Jun 2010 15:00:00 PST", NOON + 8 * 3600, true),
            ("25 Jun 2010 17:00:00 +0200", NOON, true),
            ("Friday, 25-Jun-10 15:00:00 GMT", NOON, true),
            ("25-Jun-2010 15:00:00 EST", NOON + 5 * 3600, true),
            ("25 June 2010", NOON - 15 * 3600, false),
            ("2010-06-25", NOON - 15 * 3600, false),
            ("2010-06-25T15:00:00Z", NOON, true),
            ("2010-06-25T15:00:00.123Z", NOON, true),
            ("2010-06-25 15:00:00", NOON, false),
            ("2010-06-25T17:00+02:00", NOON, true),
            ("2010-06-25 10:00:00 -0500", NOON, true),
            ("01 Jan 1970 00:00:00 GMT", 0, true),
            ("29 Feb 2000 00:00:00 GMT", 951_782_400, true),
        ] {
            let expected = Date {
                micros: expected * 1_000_000,
                has_zone,
            };
            assert_eq!(parse(text.as_bytes()), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in [
            "",
            "soon",
            "25",
            "25 Jun",
            "Fri",
            "32 Jan 2010",
            "29 Feb 2010",
            "2010-13-01",
            "2010-06-25T25:00:00Z",
            "25 Jun 2010 15:00:00 NOWHERE",
            "25 Jun 2010 15:00 GMT 1",
            "10-06-25",
            "2010-06-25-01",
            "25-Jun-2010-1",
            "xyz, 25 Jun 2010",
        ] {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn a_date_ends_before_the_first_word_that_none_has() {
        for (text, expected) in [
            (
                "Fri, 25 Jun 2010 15:00:00 GMT, noindex",
                "Fri, 25 Jun 2010 15:00:00 GMT",
            ),
            ("25 Jun 2010 15:00:00 PST", "25 Jun 2010 15:00:00 PST"),
            ("2010-06-25 , nofollow", "2010-06-25"),
            (
                "2010-06-25T15:00:00+02:00 nofollow",
                "2010-06-25T15:00:00+02:00",
            ),
            ("Marchy, noindex", ""),
            ("noindex", ""),
            ("", ""),
        ] {
            let end = extent(text.as_bytes());
            assert_eq!(&text[..end], expected, "{text}");
        }
    }
}
