//! One target URI, taken apart.
//!
//! What enters is the bytes of a URI, what leaves is its parts, borrowed from buffers that the next
//! URI reuses. This file refuses to know how hosts are compared and which suffixes are public.

use std::fmt::{self, Write};
use std::ops::Range;

use memchr::memchr3;

#[cfg(feature = "dataset")]
use super::domain;
use super::host::{self, HostKind};
use super::{relative, surt};

/// A target URI and its parts, reusable: parsing again keeps the memory, and an ordinary URI
/// allocates nothing then.
///
/// Text is UTF-8. Where the bytes of the URI are not, they became U+FFFD.
#[derive(Clone, Debug, Default)]
pub struct Location {
    url: String,
    /// `scheme://host:port`; scheme and host are ranges of it.
    origin: String,
    scheme: Range<usize>,
    host: Range<usize>,
    host_kind: HostKind,
    port: Option<u16>,
    path: Range<usize>,
    query: Option<Range<usize>>,
    /// Where [`Location::parse_relative`] puts the pieces together.
    joined: Vec<u8>,
}

/// Why a URI has no location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LocationError {
    /// Nothing stands there.
    Empty,
    /// The URI does not begin with a scheme and a colon.
    SchemeMissing,
    /// No host follows the scheme, as in `dns:example.com` or `http:///`.
    HostMissing,
    /// The host holds forbidden characters, is no UTF-8, is refused by IDNA, or is no IPv6 address
    /// in its brackets.
    HostInvalid,
    /// The port is no number from 0 to 65,535.
    PortInvalid,
}

impl Location {
    /// Creates an empty location.
    pub fn new() -> Location {
        Location::default()
    }

    /// Parses a URI, replacing what was parsed before.
    ///
    /// # Errors
    ///
    /// Says what is missing or wrong. The location is empty then: every text is `""`, every option
    /// `None`.
    pub fn parse(&mut self, uri: &[u8]) -> Result<(), LocationError> {
        self.clear();
        let result = self.parse_parts(bare(uri));
        if result.is_err() {
            self.clear();
        }
        result
    }

    /// Parses a URI reference against `base`, as the target of a redirect (RFC 3986, 5.2). A
    /// fragment is dropped.
    ///
    /// # Errors
    ///
    /// As [`parse`](Location::parse), of the URI that base and reference make together.
    pub fn parse_relative(
        &mut self,
        base: &Location,
        reference: &[u8],
    ) -> Result<(), LocationError> {
        let mut joined = std::mem::take(&mut self.joined);
        relative::join(base, bare(reference), &mut joined);
        let result = self.parse(&joined);
        self.joined = joined;
        result
    }

    /// Returns the URI without white space and angle brackets around it.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the scheme in lower case, as `http`.
    pub fn protocol(&self) -> &str {
        &self.origin[self.scheme.clone()]
    }

    /// Returns the host in ASCII and lower case: `xn--mller-kva.eu`, `192.0.2.1`, `[2001:db8::1]`.
    pub fn host_name(&self) -> &str {
        &self.origin[self.host.clone()]
    }

    /// Returns whether the host is a name or an address.
    pub fn host_kind(&self) -> HostKind {
        self.host_kind
    }

    /// Returns the port that is written in the URI, `None` when none is.
    pub fn port(&self) -> Option<u16> {
        self.port
    }

    /// Returns the port that is written, else the default port of the scheme, if it has one.
    pub fn effective_port(&self) -> Option<u16> {
        self.port.or_else(|| default_port(self.protocol()))
    }

    /// Returns the path as written, `/` when it is empty.
    pub fn path(&self) -> &str {
        match &self.url[self.path.clone()] {
            "" if !self.url.is_empty() => "/",
            path => path,
        }
    }

    /// Returns what stands behind the `?`, without the fragment; `None` without a `?`.
    pub fn query(&self) -> Option<&str> {
        self.query.clone().map(|query| &self.url[query])
    }

    /// Returns the last label of the host name, `None` for addresses.
    pub fn host_tld(&self) -> Option<&str> {
        let name = self.name()?;
        name.rsplit('.').next()
    }

    /// Returns the registered domain: one label more than the public suffix.
    ///
    /// Only the ICANN section of the public suffix list counts, as in cc-index: `example.github.io`
    /// belongs to `github.io`. Addresses, public suffixes themselves and names under no known
    /// suffix have none.
    #[cfg(feature = "dataset")]
    pub fn host_registered_domain(&self) -> Option<&str> {
        domain::registered_domain(self.name()?)
    }

    /// Returns the canonical origin, `scheme://host:port`, with the port always written out.
    ///
    /// Only a scheme without a default port, in a URI without a port, leaves it away.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Appends the sort-friendly key of cc-index to `out`, as `com,example)/robots.txt`.
    ///
    /// The scheme, the user, a leading `www` and the default port are left away, the labels of the
    /// host reversed, path and query brought into one form in lower case, and the parts of the
    /// query sorted. An empty location has an empty key.
    pub fn append_surtkey(&self, out: &mut String) {
        surt::append_key(self, out);
    }

    /// Returns true if and only if the path is exactly `/robots.txt`, without a query (RFC 9309,
    /// 2.3).
    pub fn is_robots_path(&self) -> bool {
        self.path() == "/robots.txt" && self.query.is_none()
    }

    /// Returns true if and only if a robots.txt at this location speaks for `other` (RFC 9309,
    /// section 2.3).
    pub fn speaks_for(&self, other: &Location) -> bool {
        self.is_robots_path() && self.origin == other.origin
    }

    fn clear(&mut self) {
        self.url.clear();
        self.origin.clear();
        self.scheme = 0..0;
        self.host = 0..0;
        self.host_kind = HostKind::Name;
        self.port = None;
        self.path = 0..0;
        self.query = None;
    }

    fn name(&self) -> Option<&str> {
        let is_name = self.host_kind == HostKind::Name && !self.host.is_empty();
        is_name.then(|| self.host_name())
    }

    fn parse_parts(&mut self, uri: &[u8]) -> Result<(), LocationError> {
        match std::str::from_utf8(uri) {
            Ok(text) => self.url.push_str(text),
            Err(_) => self.url.push_str(&String::from_utf8_lossy(uri)),
        }
        let url = self.url.as_str();
        if url.is_empty() {
            return Err(LocationError::Empty);
        }
        let scheme_len = scheme_len(url.as_bytes()).ok_or(LocationError::SchemeMissing)?;
        self.origin.push_str(&url[..scheme_len]);
        self.origin.make_ascii_lowercase();
        self.scheme = 0..scheme_len;
        let default_port = default_port(&self.origin);

        let behind = &url[scheme_len + 1..];
        let slashes = behind.len() - behind.trim_start_matches('/').len();
        let authority_start = match (default_port, slashes) {
            (Some(_), 1..) => scheme_len + 1 + slashes,
            (None, 2..) => scheme_len + 3,
            _ => return Err(LocationError::HostMissing),
        };
        let rest = &url[authority_start..];
        let authority_len = memchr3(b'/', b'?', b'#', rest.as_bytes()).unwrap_or(rest.len());
        let (host, port) = split_authority(&rest[..authority_len])?;
        self.port = port;

        self.origin.push_str("://");
        let host_start = self.origin.len();
        self.host_kind = host::append_host(host, &mut self.origin)?;
        self.host = host_start..self.origin.len();
        if let Some(port) = port.or(default_port) {
            // Writing to a string cannot fail.
            let _ = write!(self.origin, ":{port}");
        }

        let path_start = authority_start + authority_len;
        let end = url[path_start..]
            .find('#')
            .map_or(url.len(), |at| path_start + at);
        let question = url[path_start..end].find('?').map(|at| path_start + at);
        self.path = path_start..question.unwrap_or(end);
        self.query = question.map(|at| at + 1..end);
        Ok(())
    }
}

impl LocationError {
    /// Returns the stable name that stands in tables, in snake case and beginning with `url_`.
    pub const fn code(self) -> &'static str {
        match self {
            LocationError::Empty => "url_empty",
            LocationError::SchemeMissing => "url_scheme_missing",
            LocationError::HostMissing => "url_host_missing",
            LocationError::HostInvalid => "url_host_invalid",
            LocationError::PortInvalid => "url_port_invalid",
        }
    }
}

impl fmt::Display for LocationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LocationError::Empty => "the URL is empty",
            LocationError::SchemeMissing => "the URL has no scheme",
            LocationError::HostMissing => "the URL has no host",
            LocationError::HostInvalid => "the host of the URL is invalid",
            LocationError::PortInvalid => "the port of the URL is no number from 0 to 65535",
        })
    }
}

impl std::error::Error for LocationError {}

/// Returns the default port of a scheme in lower case (RFC 9110, sections 4.2.1 and 4.2.2; RFC
/// 1738, section 3.2).
pub(super) fn default_port(scheme: &str) -> Option<u16> {
    match scheme {
        "http" => Some(80),
        "https" => Some(443),
        "ftp" => Some(21),
        _ => None,
    }
}

/// Returns the length of the scheme that a URI begins with (RFC 3986, 3.1), if a colon follows it.
pub(super) fn scheme_len(uri: &[u8]) -> Option<usize> {
    let is_scheme = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
    let len = uri.iter().take_while(is_scheme).count();
    (uri.get(len) == Some(&b':') && uri[0].is_ascii_alphabetic()).then_some(len)
}

/// Returns a URI without white space, control characters and one pair of angle brackets around it.
fn bare(uri: &[u8]) -> &[u8] {
    let trimmed = trim(uri);
    match trimmed {
        [b'<', inner @ .., b'>'] => trim(inner),
        _ => trimmed,
    }
}

fn trim(bytes: &[u8]) -> &[u8] {
    let is_blank = |b: &u8| *b <= b' ';
    let start = bytes.iter().take_while(|b| is_blank(b)).count();
    let end = bytes[start..]
        .iter()
        .rposition(|b| !is_blank(b))
        .map_or(start, |at| start + at + 1);
    &bytes[start..end]
}

/// Splits `user@host:port` into host and port; user and password do not count.
fn split_authority(authority: &str) -> Result<(&str, Option<u16>), LocationError> {
    let host_port = authority
        .rfind('@')
        .map_or(authority, |at| &authority[at + 1..]);
    // The colons inside an IPv6 address are no ports.
    let bracket = if host_port.starts_with('[') {
        host_port.find(']').unwrap_or(0)
    } else {
        0
    };
    let Some(colon) = host_port[bracket..].rfind(':') else {
        return Ok((host_port, None));
    };
    let (host, port) = (
        &host_port[..bracket + colon],
        &host_port[bracket + colon + 1..],
    );
    if port.is_empty() {
        return Ok((host, None));
    }
    if !port.bytes().all(|b| b.is_ascii_digit()) {
        return Err(LocationError::PortInvalid);
    }
    port.parse()
        .map(|port| (host, Some(port)))
        .map_err(|_| LocationError::PortInvalid)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Renders origin, port as written, path and query of a location.
    fn parts(location: &Location) -> String {
        let scheme_and_host = format!("{}://{}", location.protocol(), location.host_name());
        assert!(location.origin().starts_with(&scheme_and_host));
        let (port, query) = (location.port(), location.query());
        format!(
            "{} {port:?} {} {query:?}",
            location.origin(),
            location.path()
        )
    }

    macro_rules! splits {
        ($name:ident, $uri:expr, $parts:expr) => {
            #[test]
            fn $name() {
                let mut location = Location::new();
                assert_eq!(location.parse($uri.as_ref()), Ok(()));
                assert_eq!(parts(&location), $parts);
            }
        };
    }

    splits!(
        plain,
        "http://a.b/robots.txt",
        "http://a.b:80 None /robots.txt None"
    );
    splits!(no_path, "https://a.b", "https://a.b:443 None / None");
    splits!(
        query_without_path,
        "http://a.b?q",
        "http://a.b:80 None / Some(\"q\")"
    );
    splits!(
        empty_query,
        "http://a.b/?#f",
        "http://a.b:80 None / Some(\"\")"
    );
    splits!(fragment, "http://a.b/x#y?z", "http://a.b:80 None /x None");
    splits!(
        fragment_without_path,
        "http://a.b#/x",
        "http://a.b:80 None / None"
    );
    splits!(
        params,
        "http://a.b/x;y=1?z?",
        "http://a.b:80 None /x;y=1 Some(\"z?\")"
    );
    splits!(
        port,
        "http://a.b:8080/",
        "http://a.b:8080 Some(8080) / None"
    );
    splits!(
        default_port_written,
        "http://a.b:0080/",
        "http://a.b:80 Some(80) / None"
    );
    splits!(empty_port, "http://a.b:/", "http://a.b:80 None / None");
    splits!(user, "ftp://u:p@x@a.b/", "ftp://a.b:21 None / None");
    splits!(upper_case, "HTTPS://A.B/X", "https://a.b:443 None /X None");
    splits!(
        ipv6,
        "http://[2001:DB8:0::1]:81/",
        "http://[2001:db8::1]:81 Some(81) / None"
    );
    splits!(
        ipv6_without_port,
        "http://[::1]",
        "http://[::1]:80 None / None"
    );
    splits!(
        many_slashes,
        "https:////a.b//x",
        "https://a.b:443 None //x None"
    );
    splits!(one_slash, "http:/a.b/x", "http://a.b:80 None /x None");
    splits!(
        angle_brackets,
        " <http://a.b/x>\r\n",
        "http://a.b:80 None /x None"
    );
    splits!(
        blank_inside,
        "http://a.b/x?a b",
        "http://a.b:80 None /x Some(\"a b\")"
    );
    splits!(
        invalid_utf8,
        b"http://a.b/\xff",
        "http://a.b:80 None /\u{fffd} None"
    );
    splits!(other_scheme, "gopher://a.b/x", "gopher://a.b None /x None");
    splits!(
        other_scheme_port,
        "gopher://a.b:70",
        "gopher://a.b:70 Some(70) / None"
    );

    macro_rules! fails {
        ($name:ident, $uri:expr, $error:ident) => {
            #[test]
            fn $name() {
                let mut location = Location::new();
                location.parse(b"http://before.example:1/p?q").unwrap();
                assert_eq!(location.parse($uri.as_ref()), Err(LocationError::$error));
                assert_eq!(location.url(), "");
                assert_eq!(location.protocol(), "");
                assert_eq!(location.host_name(), "");
                assert_eq!((location.origin(), location.path()), ("", ""));
                assert_eq!((location.port(), location.query()), (None, None));
                assert_eq!(
                    (location.host_tld(), location.effective_port()),
                    (None, None)
                );
            }
        };
    }

    fails!(empty, "", Empty);
    fails!(only_blanks, " <\t> ", Empty);
    fails!(no_scheme, "a.example/robots.txt", SchemeMissing);
    fails!(
        scheme_with_a_digit_first,
        "1http://a.example/",
        SchemeMissing
    );
    fails!(only_a_colon, ":", SchemeMissing);
    fails!(dns, "dns:a.example", HostMissing);
    fails!(no_host, "http:///?x", HostMissing);
    fails!(only_a_port, "http://:80/", HostMissing);
    fails!(only_dots, "http://../", HostMissing);
    fails!(one_slash_in_another_scheme, "file:/x", HostMissing);
    fails!(blank_in_host, "http://a b/", HostInvalid);
    fails!(host_in_latin1, b"http://m\xfcller.eu/", HostInvalid);
    fails!(open_bracket, "http://[::1/", HostInvalid);
    fails!(port_too_big, "http://a.example:65536/", PortInvalid);
    fails!(port_with_a_sign, "http://a.example:+80/", PortInvalid);
    fails!(port_word, "http://a.example:x/", PortInvalid);

    #[cfg(feature = "dataset")]
    #[test]
    fn parts_of_the_host_are_named_as_in_cc_index() {
        let mut location = Location::new();
        location.parse(b"http://www.example.co.uk./").unwrap();
        assert_eq!(location.host_name(), "www.example.co.uk");
        assert_eq!(location.host_tld(), Some("uk"));
        assert_eq!(location.host_registered_domain(), Some("example.co.uk"));
        for uri in ["http://192.0.2.1/", "http://[::1]/"] {
            location.parse(uri.as_bytes()).unwrap();
            assert_eq!(
                (location.host_tld(), location.host_registered_domain()),
                (None, None)
            );
            assert_ne!(location.host_kind(), HostKind::Name);
        }
    }

    #[test]
    fn robots_path_is_exact() {
        let mut location = Location::new();
        for (uri, want) in [
            ("http://a.example/robots.txt", true),
            ("http://a.example/robots.txt#x", true),
            ("http://a.example/robots.txt?", false),
            ("http://a.example//robots.txt", false),
            ("http://a.example/robots.txt/", false),
            ("http://a.example/", false),
        ] {
            location.parse(uri.as_bytes()).unwrap();
            assert_eq!(location.is_robots_path(), want, "{uri}");
        }
    }

    #[test]
    fn no_bytes_panic() {
        let pieces: [&[u8]; 14] = [
            b"http",
            b":",
            b"/",
            b"//",
            b"[",
            b"]",
            b"@",
            b"%",
            b"%C3",
            b"\xff",
            b"\xc3\xbc",
            b"1.2",
            b"?#",
            b"xn--",
        ];
        let mut location = Location::new();
        let mut random = Random::new(1);
        for _ in 0..20_000 {
            let mut uri = if random.below(2) == 0 {
                b"http://".to_vec()
            } else {
                Vec::new()
            };
            for _ in 0..8 {
                uri.extend_from_slice(random.pick(&pieces));
            }
            let mut key = String::new();
            if location.parse(&uri).is_ok() {
                assert!(location.host_name().is_ascii() && !location.host_name().is_empty());
                location.append_surtkey(&mut key);
                #[cfg(feature = "dataset")]
                location.host_registered_domain();
                let base = location.clone();
                let _ = location.parse_relative(&base, &uri[uri.len() / 2..]);
            }
        }
    }
}
