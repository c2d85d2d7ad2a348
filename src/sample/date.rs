//! Times of fetches, as WARC and HTTP write them.

use std::fmt;

/// A time as WARC writes it, such as `2026-01-05T00:00:00Z`, given in seconds since the epoch.
pub(super) struct WarcDate(pub(super) u64);

/// A time as HTTP writes it (RFC 9110 section 5.6.7), given in seconds since the epoch.
pub(super) struct HttpDate(pub(super) u64);

impl fmt::Display for WarcDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = civil(self.0 / 86_400);
        write!(f, "{year}-{month:02}-{day:02}T{}Z", Clock(self.0))
    }
}

impl fmt::Display for HttpDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let days = self.0 / 86_400;
        let (year, month, day) = civil(days);
        // The epoch was a Thursday.
        let weekday = &"ThuFriSatSunMonTueWed"[(days % 7) as usize * 3..][..3];
        let month = &"JanFebMarAprMayJunJulAugSepOctNovDec"[(month as usize - 1) * 3..][..3];
        write!(
            f,
            "{weekday}, {day:02} {month} {year} {} GMT",
            Clock(self.0)
        )
    }
}

/// The time of day.
struct Clock(u64);

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (hour, minute, second) = (self.0 / 3_600 % 24, self.0 / 60 % 60, self.0 % 60);
        write!(f, "{hour:02}:{minute:02}:{second:02}")
    }
}

/// Returns year, month and day of a day counted from the epoch.
///
/// Years are counted from March, so that the leap day is the last day of a year; there are 719,468
/// days from 0000-03-01 to the epoch, and 146,097 in 400 years.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    (400 * era + year_of_era + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (second, warc, http) in [
            (0, "1970-01-01T00:00:00Z", "Thu, 01 Jan 1970 00:00:00 GMT"),
            (
                784_111_777,
                "1994-11-06T08:49:37Z",
                "Sun, 06 Nov 1994 08:49:37 GMT",
            ),
            (
                1_709_251_199,
                "2024-02-29T23:59:59Z",
                "Thu, 29 Feb 2024 23:59:59 GMT",
            ),
            (
                1_798_761_600,
                "2027-01-01T00:00:00Z",
                "Fri, 01 Jan 2027 00:00:00 GMT",
            ),
        ] {
            assert_eq!(WarcDate(second).to_string(), warc);
            assert_eq!(HttpDate(second).to_string(), http);
        }
    }
}
