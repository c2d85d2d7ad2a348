//! Dates of HTTP (RFC 9110, 5.6.7).

use std::time::{Duration, SystemTime};

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// Parses a date such as `Sun, 06 Nov 1994 08:49:37 GMT`; `None` for the two forms that are
/// obsolete and for what is no date.
pub(super) fn parse(text: &str) -> Option<SystemTime> {
    let (_, rest) = text.trim().split_once(", ")?;
    let mut parts = rest.split(' ');
    let day: u64 = parts.next()?.parse().ok()?;
    let month = parts.next()?;
    let month = MONTHS.iter().position(|name| *name == month)? as u64 + 1;
    let year: u64 = parts.next()?.parse().ok()?;
    let mut clock = parts.next()?.split(':').map(|n| n.parse::<u64>().ok());
    let [hour, minute, second] = [clock.next()??, clock.next()??, clock.next()??];
    if parts.next() != Some("GMT") || !(1..=31).contains(&day) || !(1970..=9999).contains(&year) {
        return None;
    }
    // Days since 1970-01-01, counted in years that begin in March, so that leap days end them.
    let (y, m) = match month {
        1 | 2 => (year - 1, month + 9),
        _ => (year, month - 3),
    };
    let days = 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719_468;
    let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second;
    Some(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_seconds_since_1970() {
        let seconds = |text: &str| {
            let since = parse(text)?.duration_since(SystemTime::UNIX_EPOCH);
            since.ok().map(|since| since.as_secs())
        };
        assert_eq!(seconds("Sun, 06 Nov 1994 08:49:37 GMT"), Some(784_111_777));
        assert_eq!(seconds("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0));
        assert_eq!(
            seconds("Thu, 29 Feb 2024 12:00:00 GMT"),
            Some(1_709_208_000)
        );
        for text in [
            "",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49 GMT",
            "x, 0 Jan 2000 0:0:0 GMT",
        ] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }
}
