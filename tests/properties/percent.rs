//! Any octets are compared by their definition.
//!
//! The input is a dialect and a text, which is the value of a rule and a path. Properties:
//!
//! - The normalized text is the one that a second normalizer makes, octet by octet (for Python,
//!   which has its own tests, only the rest).
//! - It is at most three times as long, nine times for Python, which writes three bytes for one
//!   that is no UTF-8.
//! - Normalizing it again changes nothing, except for Python, which reads what it has quoted as
//!   another URL.
//! - Escaping an unreserved octet changes nothing where escapes are decoded.

use robocensus::robots::{
    dialect::{
        Dialect, LeadingSlash, NAMES, Percent, PreparedPath, RuleSet, SpecialCharacters,
        TrailingStar,
    },
    lines::{RobotsTxt, parse},
};

use super::{Target, input::Input};
use crate::naive::{Octet, escape, octets};

pub const TARGET: Target = Target {
    name: "percent",
    seeds,
    words: include_str!("words/percent.dict"),
    check,
};

/// The most bytes that may be added once: a slash, and what Python puts in front of a path.
const BYTES_ONCE: usize = 8;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Pattern,
    Path,
}

fn seeds() -> Vec<Vec<u8>> {
    let texts = [
        &b"/a%2fb%7Ec%zz%4"[..],
        b"/\xc3\xa9%C3%a9\xff*a$",
        b"/%2525%252f%2a%24$",
        b"http://h/a;b?c%3d#d",
        b"/a%3f%2f?b=https%3A%2F%2Fc%3F",
        b"/a%2a**",
    ];
    let all = texts.into_iter();
    all.flat_map(|text| (0..NAMES.len() as u8).map(move |dialect| [&[dialect], text].concat()))
        .collect()
}

pub fn check(bytes: &[u8]) {
    let mut input = Input(bytes);
    let spec = Dialect::named(input.pick(&NAMES)).expect("the dialect is built in");
    let text = input.0;
    if let Some((value, pattern)) = pattern(&spec, text) {
        check_one(&spec, Side::Pattern, &value, &pattern);
        // What was decoded may be cut off where a line is read again.
        let again = self::pattern(&spec, &pattern).filter(|(value, _)| *value == pattern);
        let is_stable = again.is_none_or(|(_, again)| again == pattern);
        assert!(is_stable || spec.percent == Percent::PythonQuoted);
    }
    let rooted = [b"/", text].concat();
    // What a URL ends with is no part of its path.
    let end = rooted.iter().position(|b| matches!(b, b'#' | 0));
    let rooted = &rooted[..end.unwrap_or(rooted.len())];
    let path = PreparedPath::from_url(&spec, rooted);
    if rooted.starts_with(b"//") || spec.percent == Percent::PythonQuoted {
        assert!(path.as_bytes().len() <= 9 * rooted.len() + BYTES_ONCE);
        return;
    }
    check_one(&spec, Side::Path, rooted, path.as_bytes());
    let has_end = path.as_bytes().iter().any(|b| matches!(b, b'#' | 0));
    if !path.as_bytes().starts_with(b"//") && !has_end {
        let again = PreparedPath::from_url(&spec, path.as_bytes());
        assert_eq!(again.as_bytes(), path.as_bytes());
    }
    if spec.percent != Percent::PatternEscaped {
        let escaped = rooted.iter().map(|&byte| {
            let is_hex = byte.is_ascii_hexdigit();
            let is_escaped = byte.is_ascii_alphabetic() && !is_hex;
            if is_escaped { escape(byte) } else { vec![byte] }
        });
        let escaped: Vec<u8> = escaped.flatten().collect();
        assert_eq!(PreparedPath::from_url(&spec, &escaped), path);
    }
}

/// Returns a rule's value, trimmed and with what the dialect puts in front, and its normalized
/// pattern; `None` where the text is no value.
fn pattern(spec: &Dialect, text: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let body = [b"user-agent: *\ndisallow:", text].concat();
    let mut robots = RobotsTxt::new();
    parse(&body, &mut robots);
    let mut rules = RuleSet::new();
    rules.compile(spec, &body, &robots);
    let rule = rules.rules().first()?;
    let value = rule.value.of(&body);
    let front: &[u8] = match (spec.leading_slash, value.first()) {
        (_, None | Some(b'/')) | (LeadingSlash::Anywhere, Some(b'*')) => b"",
        (LeadingSlash::Supplied, _) => b"/",
        (LeadingSlash::Anywhere, _) => b"*",
        (LeadingSlash::AsWritten | LeadingSlash::Required, _) => b"",
    };
    Some(([front, value].concat(), rules.pattern(rule).to_vec()))
}

fn check_one(spec: &Dialect, side: Side, text: &[u8], normalized: &[u8]) {
    if spec.percent == Percent::PythonQuoted {
        assert!(normalized.len() <= 9 * text.len() + BYTES_ONCE);
        return;
    }
    assert!(normalized.len() <= 3 * text.len());
    if spec.percent == Percent::PatternEscaped && side == Side::Path {
        assert_eq!(normalized, text);
        return;
    }
    let mut written = written(spec.percent, side, text);
    let is_dropping = side == Side::Pattern
        && spec.trailing_star == TrailingStar::Dropped
        && spec.special_characters == SpecialCharacters::StarAndDollar;
    if is_dropping && !text.is_empty() {
        let last = written.iter().rposition(|&byte| byte != b'*');
        written.truncate(last.map_or(0, |last| last + 1));
        if written.is_empty() {
            written.push(b'/');
        }
    }
    assert_eq!(written, normalized, "{}", spec.name);
}

/// Returns a text as it is compared where `percent` is the rule.
pub fn written(percent: Percent, side: Side, text: &[u8]) -> Vec<u8> {
    let octets = octets(text);
    let n = octets.len();
    let is_query = |octet: &Octet| matches!(octet, Octet::Bare(b'?'));
    let query = octets.iter().position(is_query).unwrap_or(n);
    let mut written = Vec::new();
    for (index, octet) in octets.into_iter().enumerate() {
        let one = match octet {
            Octet::Escaped(b @ (b':' | b'/' | b'?' | b'@' | b'[' | b']'))
                if percent == Percent::Normalized && index > query =>
            {
                vec![b]
            }
            octet => defined(percent, side, octet, index + 1 == n),
        };
        // No escape may come of a percent sign that began none.
        match (&written[..], &one[..]) {
            ([.., b'%', first], [second])
                if percent == Percent::Normalized
                    && first.is_ascii_hexdigit()
                    && second.is_ascii_hexdigit() =>
            {
                written.extend(escape(*second));
            }
            _ => written.extend(one),
        }
    }
    written
}

/// Returns how an octet is written where `percent` is the rule (RFC 9309, section 2.2.2;
/// `MaybeEscapePattern` of robots.cc).
fn defined(percent: Percent, side: Side, octet: Octet, is_last: bool) -> Vec<u8> {
    let is_unreserved = |b: u8| b.is_ascii_alphanumeric() || b"-._~".contains(&b);
    match (percent, octet) {
        (Percent::PatternEscaped, Octet::Bare(b)) if b.is_ascii() || side == Side::Path => vec![b],
        (Percent::PatternEscaped, Octet::Bare(b)) => escape(b),
        (Percent::Normalized, Octet::Bare(b'*')) if side == Side::Pattern => vec![b'*'],
        (Percent::Normalized, Octet::Bare(b'$')) if side == Side::Pattern && is_last => vec![b'$'],
        (Percent::Normalized, Octet::Bare(b @ (b'*' | b'$' | 0x80..))) => escape(b),
        (Percent::Normalized, Octet::Bare(b)) => vec![b],
        (Percent::Normalized, Octet::Escaped(b)) if is_unreserved(b) => vec![b],
        (Percent::DecodedButSlash, Octet::Bare(b'%') | Octet::Escaped(b'%')) => escape(b'%'),
        (Percent::DecodedButSlash, Octet::Escaped(b'/')) => escape(b'/'),
        (Percent::DecodedButSlash, Octet::Bare(b) | Octet::Escaped(b)) => vec![b],
        (_, Octet::Bare(b)) => vec![b],
        (_, Octet::Escaped(b)) => escape(b),
    }
}
