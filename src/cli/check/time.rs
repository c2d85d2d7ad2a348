//! Times as text.

use jiff::Timestamp;

/// Returns a time in microseconds since 1970 as text (RFC 3339).
pub fn utc(micros: i64) -> String {
    match Timestamp::from_microsecond(micros) {
        Ok(time) if micros % 1_000_000 == 0 => time.to_string(),
        Ok(time) => format!("{time:.6}"),
        // Beyond the years that have four digits.
        Err(_) => format!("{micros} microseconds since 1970"),
    }
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
