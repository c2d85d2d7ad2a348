//! Any URI is parts or an error.
//!
//! An input is a URI and, after byte 0xFE, a reference to another. What must hold:
//!
//! - The parts, joined again, have the same parts; memory is a multiple of the URI.
//! - An origin is its own origin, and a robots.txt there applies to URLs of that origin and no
//!   other.
//! - A resolved reference has no fragment.

use robocensus::url::{Location, applies_to};

use super::{Target, input::Input, memory::peak};

pub const TARGET: Target = Target {
    name: "origin",
    seeds,
    words: include_str!("words/origin.dict"),
    check,
};

/// What parsing holds at most: for IDNA, and for each byte of URI and reference while strings grow.
const BYTES_AT_LEAST: usize = 64 * 1024;
const BYTES_PER_BYTE: usize = 32;

fn seeds() -> Vec<Vec<u8>> {
    [
        &b"http://www.example.co.uk:8080/a/../robots.txt?b=1&a#x\xfe../b?c#d"[..],
        b"HTTPS://u:p@M\xc3\xbcller.EU./robots.txt\xfe//h/..",
        b"ftp://[2001:DB8::0]:21/%7Ea//b\xfemailto:a",
        b"http:////0x7f.1/robots.txt\xfe?",
        b"<http://xn--mller-kva.eu?x>\xfe",
        b"dns:example.com\xfe/x",
        b"http://m%C3%BCller.example:65536/\xfehttps://a/",
    ]
    .map(<[u8]>::to_vec)
    .into()
}

pub fn check(bytes: &[u8]) {
    let mut input = Input(bytes);
    let uri = input.until(0xfe);
    let reference = input.0;
    let mut location = Location::new();
    let (parsed, held) = peak(|| location.parse(uri));
    let bound = BYTES_AT_LEAST + BYTES_PER_BYTE * uri.len();
    assert!(held <= bound, "{held}");
    if parsed.is_err() {
        assert!(location.url().is_empty() && location.origin().is_empty());
        assert!(!applies_to(uri, uri));
        return;
    }
    check_parts(&location);
    let mut target = Location::new();
    let (joined, held) = peak(|| target.parse_relative(&location, reference));
    let length = uri.len() + reference.len();
    assert!(held <= BYTES_AT_LEAST + BYTES_PER_BYTE * length, "{held}");
    if joined.is_ok() {
        check_parts(&target);
        assert!(!target.url().contains('#'));
        let is_same = location.origin() == target.origin();
        let applies = is_same && location.is_robots_path();
        assert_eq!(location.applies_to(&target), applies);
    }
}

fn check_parts(location: &Location) {
    let (scheme, host) = (location.protocol(), location.host_name());
    assert!(!scheme.is_empty() && !host.is_empty());
    assert!(host.is_ascii() && !host.contains(|c: char| c.is_ascii_uppercase() || c == '/'));
    let port = location.effective_port();
    let port = port.map_or(String::new(), |port| format!(":{port}"));
    assert_eq!(location.origin(), format!("{scheme}://{host}{port}"));
    let query = location.query();
    let query = query.map_or(String::new(), |query| format!("?{query}"));
    assert!(location.url().contains(&query) && location.path().starts_with('/'));

    let mut again = Location::new();
    assert_eq!(again.parse(location.url().as_bytes()), Ok(()));
    assert_eq!(again.url(), location.url());
    assert_eq!(again.origin(), location.origin());
    let together = format!("{}{}{query}", location.origin(), location.path());
    // Of several dots behind a host one is removed each time, and what is no text behind a URI
    // where it ends.
    if !host.ends_with('.') && !together.ends_with(|c| c <= ' ') {
        assert_eq!(again.parse(together.as_bytes()), Ok(()), "{together:?}");
        assert_eq!(again.origin(), location.origin());
        assert_eq!(again.path(), location.path());
        assert_eq!(again.query(), location.query());
        let robots = format!("{}/robots.txt", location.origin());
        assert!(applies_to(robots.as_bytes(), location.url().as_bytes()));
    }
}
