//! Times as text.

/// Returns a time in microseconds since 1970 as text (RFC 3339).
///
/// Years are counted from March, so that the leap day is the last day of a year; there are 719,468
/// days from 0000-03-01 to 1970, and 146,097 in 400 years.
pub fn utc(micros: i64) -> String {
    let (seconds, micros) = (micros.div_euclid(1_000_000), micros.rem_euclid(1_000_000));
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = (shifted_month + 2) % 12 + 1;
    let year = 400 * era + year_of_era + i64::from(month <= 2);
    let fraction = match micros {
        0 => String::new(),
        micros => format!(".{micros:06}"),
    };
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_dates_in_utc() {
        for (micros, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (1_709_251_199_000_000, "2024-02-29T23:59:59Z"),
            (1_736_679_793_123_456, "2025-01-12T11:03:13.123456Z"),
            (951_782_400_000_000, "2000-02-29T00:00:00Z"),
            (-1, "1969-12-31T23:59:59.999999Z"),
        ] {
            assert_eq!(utc(micros), text);
        }
    }
}
