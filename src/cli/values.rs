//! Values of flags: what is accepted, and what a message says was expected.

use std::{
    num::{IntErrorKind, NonZeroUsize, ParseIntError},
    str::FromStr,
    time::Duration,
};

use robocensus::{dataset::run::Shard, robots::check::STATUS_CODES};

/// Parses a number. The error names what was expected: clap would pass on `invalid digit found in
/// string`.
fn number<T: FromStr<Err = ParseIntError>>(text: &str, expected: &str) -> Result<T, String> {
    text.parse()
        .map_err(|error: ParseIntError| match error.kind() {
            IntErrorKind::PosOverflow => too_large(expected),
            _ => format!("expected {expected}"),
        })
}

/// Parses a whole number.
pub fn whole<T: FromStr<Err = ParseIntError>>(text: &str) -> Result<T, String> {
    number(text, "a whole number")
}

/// Parses a whole number above 0.
pub fn from_1(text: &str) -> Result<NonZeroUsize, String> {
    number(text, "a whole number from 1")
}

/// Parses the identifier of a capture.
pub fn capture_id(text: &str) -> Result<i64, String> {
    number(text, "a capture_id, a whole number")
}

/// Parses digits as a multiple of a unit.
fn multiple(digits: &str, unit: u64, expected: &str) -> Result<u64, String> {
    let n = number::<u64>(digits, expected)?;
    n.checked_mul(unit).ok_or_else(|| too_large(expected))
}

fn too_large(expected: &str) -> String {
    format!("the number is too large; expected {expected}")
}

/// Returns what was parsed, or the error that says what was expected.
fn parsed<T>(value: Option<T>, expected: &str) -> Result<T, String> {
    value.ok_or_else(|| format!("expected {expected}"))
}

/// Parses a text that is more than white space.
pub fn not_blank(text: &str) -> Result<String, String> {
    let text = Some(text.to_owned()).filter(|text| !text.trim().is_empty());
    parsed(text, "a text that is not blank")
}

/// Parses the width of a chart: pixels, or inches of 96 pixels.
pub fn chart_width(text: &str) -> Result<u16, String> {
    let pixels = match text.strip_suffix("in") {
        Some(inches) => inches.trim().parse().ok().map(|inches: f64| inches * 96.0),
        None => text.parse::<u16>().ok().map(f64::from),
    };
    let pixels = pixels.map(f64::round);
    let pixels = pixels.filter(|n| (280.0..=4000.0).contains(n));
    parsed(
        pixels.map(|n| n as u16),
        "280 to 4000 pixels, such as 760, or as many in inches, such as 3.2in",
    )
}

/// Parses a URL, or the path of one, which begins with a slash.
///
/// Other text is a path that lost its slash: dialects would cut it at the first slash as they cut
/// the host of a URL, and evaluate the rest.
pub fn url(text: &str) -> Result<String, String> {
    if !text.starts_with('/') && !text.contains("://") {
        return Err("expected a path that begins with / or an absolute URL".to_owned());
    }
    let host = text.split_once("://").filter(|_| !text.starts_with('/'));
    if host.is_some_and(|(_, host)| host.is_empty() || host.starts_with(['/', '?', '#'])) {
        return Err("expected a URL with a host, such as https://example.com/".to_owned());
    }
    Ok(text.to_owned())
}

/// Returns a URL as it is, and a path as the URL of that path at an origin.
pub fn absolute_url(origin: &str, url: &str) -> String {
    if url.starts_with('/') {
        format!("{origin}{url}")
    } else {
        url.to_owned()
    }
}

/// Parses the status code of a response.
pub fn status(text: &str) -> Result<u16, String> {
    let number = text.parse().ok();
    let status = number.filter(|status| STATUS_CODES.contains(status));
    parsed(status, "an HTTP status code, such as 404, from 100 to 999")
}

/// Parses a share in percent: a number above 0 and up to 100, and a percent sign.
pub fn percent(text: &str) -> Result<f64, String> {
    // Without the sign, 0.01 might be meant as a hundredth.
    let number = text.strip_suffix('%');
    let number = number.and_then(|number| number.trim().parse::<f64>().ok());
    let number = number.filter(|number| *number > 0.0 && *number <= 100.0);
    let share = number.map(|number| number / 100.0);
    parsed(share, "a share such as 1%, above 0 and up to 100%")
}

/// Parses a shard: its number from 1 and their count, such as 2/5.
pub fn shard(text: &str) -> Result<Shard, String> {
    let shard = text
        .split_once('/')
        .and_then(|(number, count)| Shard::new(number.parse().ok()?, count.parse().ok()?));
    parsed(
        shard,
        "I/N with a whole number N and I from 1 to N, such as 2/5",
    )
}

/// Parses a number of bytes: digits, and K, M or G for powers of 1024.
pub fn bytes(text: &str) -> Result<u64, String> {
    const EXPECTED: &str = "a number of bytes such as 65536, 64K, 8M or 1G";
    const UNITS: [(char, u64); 3] = [('K', 1 << 10), ('M', 1 << 20), ('G', 1 << 30)];
    let text = text.to_ascii_uppercase();
    let mut units = UNITS.into_iter();
    let found = units.find_map(|(unit, bytes)| Some((text.strip_suffix(unit)?, bytes)));
    let (digits, unit) = found.unwrap_or((text.as_str(), 1));
    match multiple(digits, unit, EXPECTED)? {
        0 => Err(format!("expected {EXPECTED}")),
        n => Ok(n),
    }
}

/// Parses a duration: digits, and ms, s, m, h, d or w.
pub fn duration(text: &str) -> Result<Duration, String> {
    const EXPECTED: &str = "a number and a unit, such as 90s, 30m, 36h, 7d, 2w or 500ms";
    const UNITS: [(&str, u64); 6] = [
        ("ms", 1),
        ("s", 1_000),
        ("m", 60 * 1_000),
        ("h", 60 * 60 * 1_000),
        ("d", 24 * 60 * 60 * 1_000),
        ("w", 7 * 24 * 60 * 60 * 1_000),
    ];
    let mut units = UNITS.into_iter();
    let found =
        units.find_map(|(unit, milliseconds)| Some((text.strip_suffix(unit)?, milliseconds)));
    let (digits, milliseconds) = parsed(found, EXPECTED)?;
    // It is compared with the times of fetches, which are in microseconds.
    multiple(digits, milliseconds * 1_000, EXPECTED).map(Duration::from_micros)
}

/// Parses `NAME=VALUE`, a variable of SQL.
pub fn variable(text: &str) -> Result<(String, String), String> {
    let is_name = |name: &&str| {
        !name.is_empty()
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let variable = text.split_once('=').filter(|(name, _)| is_name(name));
    parsed(
        variable.map(|(name, value)| (name.to_owned(), value.to_owned())),
        "a name of letters, digits and _, and a value, such as agent=CCBot",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_lost_its_slash_and_a_url_without_a_host_are_refused() {
        for text in ["/", "/shop/x", "https://example.com", "//a"] {
            assert_eq!(url(text), Ok(text.to_owned()));
        }
        for text in [
            "",
            "shop/x",
            "not a url",
            "mailto:a@b.example",
            "https://",
            "https:///a",
        ] {
            assert!(url(text).is_err(), "{text}");
        }
    }

    #[test]
    fn durations_have_a_unit() {
        for (text, seconds) in [
            ("0s", 0),
            ("90s", 90),
            ("2m", 120),
            ("36h", 129_600),
            ("7d", 604_800),
            ("2w", 1_209_600),
            ("3000ms", 3),
        ] {
            assert_eq!(duration(text), Ok(Duration::from_secs(seconds)));
        }
        for wrong in [
            "",
            "7",
            "d",
            "1.5h",
            "-1d",
            "7D",
            "7 d",
            "99999999999999999999w",
            "18446744073710s",
        ] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn shares_are_percent() {
        assert_eq!(percent("1%"), Ok(0.01));
        assert_eq!(percent("100 %"), Ok(1.0));
        assert_eq!(percent("0.5%"), Ok(0.005));
        for wrong in ["", "%", "0.01", "0%", "-1%", "101%", "NaN%", "1%%"] {
            assert!(percent(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn shards_are_counted_from_one() {
        assert_eq!(shard("2/5"), Ok(Shard::new(2, 5).expect("2 is one of 5")));
        for wrong in ["", "2", "/", "0/5", "6/5", "-1/5", "1/0", "1/2/3", "a/b"] {
            assert!(shard(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_are_powers_of_1024() {
        assert_eq!(bytes("64k"), Ok(65536));
        assert_eq!(bytes("8M"), Ok(8 << 20));
        assert_eq!(bytes("1G"), Ok(1 << 30));
        assert_eq!(bytes("17"), Ok(17));
        for wrong in ["", "0", "M", "-1", "1.5M", "99999999999G", "ü"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers_that_are_too_large_are_not_called_malformed() {
        let status = |text| number::<u16>(text, "an HTTP status code");
        let errors = [
            status("65536").map(u64::from),
            bytes("99999999999G"),
            bytes("18446744073709551616"),
            duration("99999999999999999999w").map(|n| n.as_secs()),
            duration("18446744073710s").map(|n| n.as_secs()),
        ];
        for error in errors.map(Result::unwrap_err) {
            assert!(
                error.starts_with("the number is too large; expected a"),
                "{error}"
            );
        }
        for error in [status("x").unwrap_err(), bytes("x").unwrap_err()] {
            assert!(error.starts_with("expected a"), "{error}");
        }
    }

    #[test]
    fn a_variable_has_a_name_and_may_have_any_value() {
        let parsed = |text| variable(text).map(|(name, value)| [name, value]);
        let pair = |name: &str, value: &str| Ok([name.to_owned(), value.to_owned()]);
        assert_eq!(parsed("agent=CCBot"), pair("agent", "CCBot"));
        assert_eq!(parsed("url=/a?b=c'd"), pair("url", "/a?b=c'd"));
        assert_eq!(parsed("url="), pair("url", ""));
        for wrong in ["", "agent", "=x", "1a=x", "a b=x", "a'=x"] {
            assert!(parsed(wrong).is_err(), "{wrong}");
        }
    }
}
