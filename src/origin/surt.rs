//! The sort-friendly key of cc-index (SURT): `com,example)/robots.txt`.
//!
//! What enters is a location, what leaves is its key. This file refuses to know how a URI is taken
//! apart.
//!
//! The rules are those of the Internet Archive's canonicalizer with its default options,
//! established by its published tests: no scheme, no user; the labels of the host in reverse,
//! joined by commas, without a leading `www`, `www1` and so on, and IPv4 addresses like names; the
//! port unless it is the default; path and query unescaped as often as possible, escaped once and
//! in lower case; no dot segments, doubled slashes or slash at the end of a path; the parts of a
//! query in order, an empty one not at all. It removes session ids too, which is left out here: no
//! robots.txt has any.

use std::fmt::Write;

use super::host::{HostKind, escaped_byte};
use super::location::{Location, default_port};

/// Appends the key of `location` to `out`; nothing if the location is empty.
pub(super) fn append_key(location: &Location, out: &mut String) {
    if location.host_name().is_empty() {
        return;
    }
    append_host(location, out);
    if let Some(port) = location
        .port()
        .filter(|&port| default_port(location.protocol()) != Some(port))
    {
        // Writing to a string cannot fail.
        let _ = write!(out, ":{port}");
    }
    out.push(')');
    append_path(location.path(), out);
    if let Some(query) = location.query().filter(|query| !query.is_empty()) {
        append_query(query, out);
    }
}

fn append_host(location: &Location, out: &mut String) {
    if location.host_kind() == HostKind::Ipv6 {
        out.push_str(location.host_name());
        return;
    }
    let host = without_www(location.host_name());
    for (index, label) in host.rsplit('.').enumerate() {
        if index > 0 {
            out.push(',');
        }
        out.push_str(label);
    }
}

/// Returns a host without a first label of `www` and digits.
fn without_www(host: &str) -> &str {
    let digits_gone = |rest: &'_ str| rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    match host.strip_prefix("www") {
        Some(rest) => host[host.len() - digits_gone(rest)..]
            .strip_prefix('.')
            .unwrap_or(host),
        None => host,
    }
}

fn append_path(path: &str, out: &mut String) {
    // Nearly every path is `/robots.txt`, which is its own canonical form.
    if is_canonical(path) {
        out.push_str(path);
        return;
    }
    let unescaped = unescaped(path.as_bytes());
    let mut kept: Vec<&[u8]> = Vec::new();
    for segment in unescaped.split(|&b| b == b'/').skip(1) {
        match segment {
            b"." => {}
            b".." if !kept.is_empty() => {
                kept.pop();
            }
            _ => kept.push(segment),
        }
    }
    let start = out.len();
    for segment in kept.into_iter().filter(|segment| !segment.is_empty()) {
        out.push('/');
        append_escaped(segment, out);
    }
    if out.len() == start {
        out.push('/');
    }
}

/// Returns true if and only if the canonical form of a path is the path itself, as far as a glance
/// can tell.
fn is_canonical(path: &str) -> bool {
    let is_kept = |b: u8| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_');
    let has_odd_segment = path.contains("//") || path.contains("/.") || path.ends_with('/');
    path == "/" || (path.bytes().all(is_kept) && !has_odd_segment)
}

fn append_query(query: &str, out: &mut String) {
    let mut escaped = String::new();
    append_escaped(&unescaped(query.as_bytes()), &mut escaped);
    let mut parts: Vec<(&str, Option<&str>)> = escaped
        .split('&')
        .map(|part| {
            part.split_once('=')
                .map_or((part, None), |(key, value)| (key, Some(value)))
        })
        .collect();
    parts.sort_unstable();
    for (index, (key, value)) in parts.into_iter().enumerate() {
        out.push(if index == 0 { '?' } else { '&' });
        out.push_str(key);
        if let Some(value) = value {
            out.push('=');
            out.push_str(value);
        }
    }
}

/// Decodes escapes until none is left, those included that only decoding makes (`%2541` is `A`).
///
/// One pass is enough: an escape can only be completed by its last byte, so the end of the output
/// is looked at after each byte. Time is linear, since each escape decoded makes the output
/// shorter.
fn unescaped(bytes: &[u8]) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::with_capacity(bytes.len());
    for &byte in bytes {
        out.push(byte);
        while let Some(decoded) = out.last_chunk::<3>().and_then(|end| escaped_byte(end)) {
            out.truncate(out.len() - 3);
            out.push(decoded);
        }
    }
    out
}

/// Appends bytes in lower case; what is not visible ASCII, and `#` and `%`, becomes an escape.
fn append_escaped(bytes: &[u8], out: &mut String) {
    for &byte in bytes {
        if byte.is_ascii_graphic() && !matches!(byte, b'#' | b'%') {
            out.push(byte.to_ascii_lowercase() as char);
        } else {
            let _ = write!(out, "%{byte:02x}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(uri: &str) -> String {
        let mut location = Location::new();
        location.parse(uri.as_bytes()).unwrap();
        let mut out = String::from("before ");
        location.append_surtkey(&mut out);
        out.split_off("before ".len())
    }

    macro_rules! key {
        ($name:ident, $uri:expr, $want:expr) => {
            #[test]
            fn $name() {
                assert_eq!(key($uri), $want);
            }
        };
    }

    key!(
        robots,
        "http://example.com/robots.txt",
        "com,example)/robots.txt"
    );
    key!(www_is_removed, "https://www.example.com/", "com,example)/");
    key!(
        www_with_digits_is_removed,
        "http://www34.example.com/a",
        "com,example)/a"
    );
    key!(
        www_inside_a_label_stays,
        "http://www2example.com/",
        "com,www2example)/"
    );
    key!(www_alone_stays, "http://www/", "www)/");
    key!(
        deep_host,
        "http://a.b.example.co.uk/x",
        "uk,co,example,b,a)/x"
    );
    key!(default_port, "https://example.com:443/", "com,example)/");
    key!(other_port, "http://example.com:443/", "com,example:443)/");
    key!(user_is_removed, "ftp://u:p@example.com/x", "com,example)/x");
    key!(ipv4, "http://192.0.2.1/", "1,2,0,192)/");
    key!(ipv6, "http://[2001:db8::1]:8080/", "[2001:db8::1]:8080)/");
    key!(idn, "http://www.müller.eu/", "eu,xn--mller-kva)/");
    key!(
        path_in_lower_case,
        "http://e.com/Robots.TXT",
        "com,e)/robots.txt"
    );
    key!(slash_at_the_end, "http://e.com/goo/", "com,e)/goo");
    key!(
        doubled_slashes,
        "http://e.com//robots.txt",
        "com,e)/robots.txt"
    );
    key!(dot_segments, "http://e.com/a/./b/../c", "com,e)/a/c");
    key!(dots_at_the_end, "http://e.com/blah/..", "com,e)/");
    key!(
        escape_in_path,
        "http://e.com/%7Ea%20b%C3%BC",
        "com,e)/~a%20b%c3%bc"
    );
    key!(
        escapes_of_escapes,
        "http://e.com/%25%32%35%2541",
        "com,e)/%25a"
    );
    key!(
        escaped_number_sign,
        "http://e.com/ab%23cd",
        "com,e)/ab%23cd"
    );
    key!(fragment, "http://e.com/a#b", "com,e)/a");
    key!(empty_query, "http://e.com/goo/?", "com,e)/goo");
    key!(
        query_in_order,
        "http://e.com/goo/?a=2&b&a=1",
        "com,e)/goo?a=1&a=2&b"
    );
    key!(
        query_key_before_key_with_value,
        "http://e.com/?a=&a",
        "com,e)/?a&a="
    );
    key!(
        query_in_lower_case,
        "http://e.com/x?B=C%26d",
        "com,e)/x?b=c&d"
    );
    key!(
        query_slashes_stay,
        "http://e.com/x?more//slashes",
        "com,e)/x?more//slashes"
    );

    #[test]
    fn empty_location_has_no_key() {
        let mut out = String::new();
        Location::new().append_surtkey(&mut out);
        assert_eq!(out, "");
    }

    #[test]
    fn glance_agrees_with_the_long_way() {
        for path in ["/", "/robots.txt", "/a/b", "/a.b/c-d_e"] {
            assert!(is_canonical(path), "{path}");
            assert_eq!(
                key(&format!("http://e.com{path}?x")),
                format!("com,e){path}?x")
            );
        }
        for path in ["/A", "/a/", "//", "/.", "/a/../b", "/%41", "/a b", ""] {
            assert!(!is_canonical(path) || path.is_empty(), "{path}");
        }
    }

    #[test]
    fn deep_escapes_take_linear_time() {
        let path = "25".repeat(200_000);
        assert_eq!(key(&format!("http://e.com/%{path}")), "com,e)/%25");
    }
}
