//! Dates of HTTP (RFC 9110, 5.6.7).

use std::time::SystemTime;

use jiff::fmt::rfc2822::DateTimeParser;

/// Parses a date such as `Sun, 06 Nov 1994 08:49:37 GMT`; `None` for the two forms that are
/// obsolete and for what is no date.
pub(super) fn parse(text: &str) -> Option<SystemTime> {
    static PARSER: DateTimeParser = DateTimeParser::new().relaxed_weekday(true);
    PARSER
        .parse_timestamp(text.trim())
        .ok()
        .and_then(|time| SystemTime::try_from(time).ok())
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
            "Sun, 31 Feb 1994 08:49:37 GMT",
            "x, 0 Jan 2000 0:0:0 GMT",
        ] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }
}
