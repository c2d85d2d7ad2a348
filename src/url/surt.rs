//! The sort-friendly key of cc-index (SURT): `com,example)/robots.txt`.
//!
//! The rules are those of the Internet Archive's canonicalizer with its default options, as its
//! published tests establish them: no scheme, no user; the labels of the host in reverse, joined by
//! commas, without a leading `www`, `www1` and so on, and IPv4 addresses like names; the port
//! unless it is the default; path and query unescaped repeatedly, escaped once and in lower case;
//! no dot segments, doubled slashes or slash at the end of a path; the parts of a query sorted, an
//! empty query not at all. The canonicalizer removes session ids too, which is not done here: no
//! robots.txt has any.

use std::fmt::Write;

use super::{
    Location,
    host::{HostKind, escaped_byte},
    reference::default_port,
};

impl Location {
    /// Appends the sort-friendly key of cc-index to `out`, as `com,example)/robots.txt`.
    ///
    /// It has no scheme, user, leading `www` and default port; the labels of the host are reversed,
    /// path and query canonical and in lower case, and the parts of the query sorted. An empty
    /// location has an empty key.
    pub fn append_surtkey(&self, out: &mut String) {
        if self.host_name().is_empty() {
            return;
        }
        append_host(self, out);
        let default_port = default_port(self.protocol());
        if let Some(port) = self.port().filter(|&port| default_port != Some(port)) {
            // Writing to a string cannot fail.
            let _ = write!(out, ":{port}");
        }
        out.push(')');
        append_path(self.path(), out);
        if let Some(query) = self.query().filter(|query| !query.is_empty()) {
            append_query(query, out);
        }
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
    let rest = host.strip_prefix("www");
    rest.map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()))
        .and_then(|rest| rest.strip_prefix('.'))
        .unwrap_or(host)
}

fn append_path(path: &str, out: &mut String) {
    // Nearly every path is `/robots.txt`, which is its own canonical form.
    if is_canonical(path) {
        out.push_str(path);
        return;
    }
    let unescaped = unescaped(path.as_bytes());
    let mut segments: Vec<&[u8]> = Vec::new();
    for segment in unescaped.split(|&b| b == b'/').skip(1) {
        match segment {
            b"." => {}
            b".." if !segments.is_empty() => {
                segments.pop();
            }
            _ => segments.push(segment),
        }
    }
    let start = out.len();
    for segment in segments.into_iter().filter(|segment| !segment.is_empty()) {
        out.push('/');
        append_escaped(segment, out);
    }
    if out.len() == start {
        out.push('/');
    }
}

/// Returns true if the canonical form of a path is the path itself; false if that is not obvious.
fn is_canonical(path: &str) -> bool {
    let is_plain = |b: u8| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_');
    let has_removed_segment = path.contains("//") || path.contains("/.") || path.ends_with('/');
    path == "/" || (path.bytes().all(is_plain) && !has_removed_segment)
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

/// Decodes escapes until none is left, including those that result from decoding (`%2541` is `A`).
///
/// One pass is enough: an escape can only be completed by its last byte, so the end of the output
/// is examined after each byte. Time is linear, since each decoded escape shortens the output.
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

/// Appends bytes in lower case; those that are not visible ASCII, and `#` and `%`, are escaped.
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
        ($($name:ident, $uri:expr, $want:expr;)+) => {
            $(
                #[test]
                fn $name() {
                    assert_eq!(key($uri), $want);
                }
            )+
        };
    }

    key! {
        robots, "http://example.com/robots.txt", "com,example)/robots.txt";
        www_is_removed, "https://www.example.com/", "com,example)/";
        www_with_digits_is_removed, "http://www34.example.com/a", "com,example)/a";
        www_inside_a_label_stays, "http://www2example.com/", "com,www2example)/";
        www_alone_stays, "http://www/", "www)/";
        deep_host, "http://a.b.example.co.uk/x", "uk,co,example,b,a)/x";
        default_port, "https://example.com:443/", "com,example)/";
        other_port, "http://example.com:443/", "com,example:443)/";
        user_is_removed, "ftp://u:p@example.com/x", "com,example)/x";
        ipv4, "http://192.0.2.1/", "1,2,0,192)/";
        ipv6, "http://[2001:db8::1]:8080/", "[2001:db8::1]:8080)/";
        idn, "http://www.müller.eu/", "eu,xn--mller-kva)/";
        path_in_lower_case, "http://e.com/Robots.TXT", "com,e)/robots.txt";
        slash_at_the_end, "http://e.com/goo/", "com,e)/goo";
        doubled_slashes, "http://e.com//robots.txt", "com,e)/robots.txt";
        dot_segments, "http://e.com/a/./b/../c", "com,e)/a/c";
        dots_at_the_end, "http://e.com/blah/..", "com,e)/";
        escape_in_path, "http://e.com/%7Ea%20b%C3%BC", "com,e)/~a%20b%c3%bc";
        escapes_of_escapes, "http://e.com/%25%32%35%2541", "com,e)/%25a";
        escaped_number_sign, "http://e.com/ab%23cd", "com,e)/ab%23cd";
        fragment, "http://e.com/a#b", "com,e)/a";
        empty_query, "http://e.com/goo/?", "com,e)/goo";
        query_in_order, "http://e.com/goo/?a=2&b&a=1", "com,e)/goo?a=1&a=2&b";
        query_key_before_key_with_value, "http://e.com/?a=&a", "com,e)/?a&a=";
        query_in_lower_case, "http://e.com/x?B=C%26d", "com,e)/x?b=c&d";
        query_slashes_stay, "http://e.com/x?more//slashes", "com,e)/x?more//slashes";
    }

    #[test]
    fn empty_location_has_no_key() {
        let mut out = String::new();
        Location::new().append_surtkey(&mut out);
        assert_eq!(out, "");
    }

    #[test]
    fn paths_taken_as_canonical_are_canonical() {
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
