//! A target URI and its parts.

use std::{fmt::Write, ops::Range};

use bstr::ByteSlice;
use memchr::memchr;

#[cfg(feature = "dataset")]
use super::domain;
use super::{
    LocationError,
    host::{self, HostKind},
    reference::{Reference, default_port},
};

/// A target URI and its parts. It can be parsed into again: its memory is reused, and an ordinary
/// URI then allocates nothing.
///
/// Text is UTF-8; bytes of the URI that are not become U+FFFD.
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
    /// The buffer of [`Location::parse_relative`].
    pub(super) joined: Vec<u8>,
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
    /// The part that is missing or invalid. The location is empty then: every text is `""`, every
    /// option `None`.
    pub fn parse(&mut self, uri: &[u8]) -> Result<(), LocationError> {
        self.clear();
        let result = self.parse_parts(bare(uri));
        if result.is_err() {
            self.clear();
        }
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

    /// Returns the port in the URI, `None` if there is none.
    pub fn port(&self) -> Option<u16> {
        self.port
    }

    /// Returns the port in the URI, else the default port of the scheme, if it has one.
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

    /// Returns the query without its `?` and the fragment; `None` without a `?`.
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

    /// Returns the canonical origin, `scheme://host:port`. The port is always included, except for
    /// a scheme without a default port in a URI without one.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Returns true if and only if the path is exactly `/robots.txt`, without a query (RFC 9309,
    /// 2.3).
    pub fn is_robots_path(&self) -> bool {
        self.path() == "/robots.txt" && self.query.is_none()
    }

    /// Returns true if and only if a robots.txt at this location applies to `other` (RFC 9309,
    /// 2.3).
    pub fn applies_to(&self, other: &Location) -> bool {
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
        self.url.push_str(&String::from_utf8_lossy(uri));
        let url = self.url.as_str();
        if url.is_empty() {
            return Err(LocationError::Empty);
        }
        let parts = Reference::split(url.as_bytes());
        let scheme_len = parts.scheme.ok_or(LocationError::SchemeMissing)?.len();
        self.origin.push_str(&url[..scheme_len]);
        self.origin.make_ascii_lowercase();
        self.scheme = 0..scheme_len;
        let default_port = default_port(&self.origin);

        let hierarchy = parts.hierarchy;
        let slashes = hierarchy.iter().take_while(|&&b| b == b'/').count();
        let skipped = match (default_port, slashes) {
            (Some(_), 1..) => slashes,
            (None, 2..) => 2,
            _ => return Err(LocationError::HostMissing),
        };
        let rest = &hierarchy[skipped..];
        let authority_start = scheme_len + 1 + skipped;
        let path_start = authority_start + memchr(b'/', rest).unwrap_or(rest.len());
        let (host, port) = split_authority(&url[authority_start..path_start])?;
        self.port = port;

        self.origin.push_str("://");
        let host_start = self.origin.len();
        self.host_kind = host::append_host(host, &mut self.origin)?;
        self.host = host_start..self.origin.len();
        if let Some(port) = port.or(default_port) {
            // Writing to a string cannot fail.
            let _ = write!(self.origin, ":{port}");
        }

        let path_end = scheme_len + 1 + hierarchy.len();
        self.path = path_start..path_end;
        self.query = parts
            .query
            .map(|query| path_end + 1..path_end + 1 + query.len());
        Ok(())
    }
}

/// Returns a URI without white space, control characters and one pair of angle brackets around it.
pub(super) fn bare(uri: &[u8]) -> &[u8] {
    let is_blank = |char: char| char <= ' ';
    let trimmed = uri.trim_with(is_blank);
    match trimmed {
        [b'<', inner @ .., b'>'] => inner.trim_with(is_blank),
        _ => trimmed,
    }
}

/// Splits `user@host:port` into host and port; user and password are dropped.
fn split_authority(authority: &str) -> Result<(&str, Option<u16>), LocationError> {
    let host_port = authority
        .rfind('@')
        .map_or(authority, |at| &authority[at + 1..]);
    // The colons inside an IPv6 address do not precede a port.
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
        ($($name:ident, $uri:expr, $parts:expr;)+) => {
            $(
                #[test]
                fn $name() {
                    let mut location = Location::new();
                    assert_eq!(location.parse($uri.as_ref()), Ok(()));
                    assert_eq!(parts(&location), $parts);
                }
            )+
        };
    }

    splits! {
        plain, "http://a.b/robots.txt", "http://a.b:80 None /robots.txt None";
        no_path, "https://a.b", "https://a.b:443 None / None";
        query_without_path, "http://a.b?q", "http://a.b:80 None / Some(\"q\")";
        empty_query, "http://a.b/?#f", "http://a.b:80 None / Some(\"\")";
        fragment, "http://a.b/x#y?z", "http://a.b:80 None /x None";
        fragment_without_path, "http://a.b#/x", "http://a.b:80 None / None";
        params, "http://a.b/x;y=1?z?", "http://a.b:80 None /x;y=1 Some(\"z?\")";
        port, "http://a.b:8080/", "http://a.b:8080 Some(8080) / None";
        default_port_written, "http://a.b:0080/", "http://a.b:80 Some(80) / None";
        empty_port, "http://a.b:/", "http://a.b:80 None / None";
        user, "ftp://u:p@x@a.b/", "ftp://a.b:21 None / None";
        upper_case, "HTTPS://A.B/X", "https://a.b:443 None /X None";
        ipv6, "http://[2001:DB8:0::1]:81/", "http://[2001:db8::1]:81 Some(81) / None";
        ipv6_without_port, "http://[::1]", "http://[::1]:80 None / None";
        many_slashes, "https:////a.b//x", "https://a.b:443 None //x None";
        one_slash, "http:/a.b/x", "http://a.b:80 None /x None";
        angle_brackets, " <http://a.b/x>\r\n", "http://a.b:80 None /x None";
        blank_inside, "http://a.b/x?a b", "http://a.b:80 None /x Some(\"a b\")";
        invalid_utf8, b"http://a.b/\xff", "http://a.b:80 None /\u{fffd} None";
        other_scheme, "gopher://a.b/x", "gopher://a.b None /x None";
        other_scheme_port, "gopher://a.b:70", "gopher://a.b:70 Some(70) / None";
    }

    macro_rules! fails {
        ($($name:ident, $uri:expr, $error:ident;)+) => {
            $(
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
            )+
        };
    }

    fails! {
        empty, "", Empty;
        only_blanks, " <\t> ", Empty;
        no_scheme, "a.example/robots.txt", SchemeMissing;
        scheme_with_a_digit_first, "1http://a.example/", SchemeMissing;
        only_a_colon, ":", SchemeMissing;
        dns, "dns:a.example", HostMissing;
        no_host, "http:///?x", HostMissing;
        only_a_port, "http://:80/", HostMissing;
        only_dots, "http://../", HostMissing;
        one_slash_in_another_scheme, "file:/x", HostMissing;
        blank_in_host, "http://a b/", HostInvalid;
        host_in_latin1, b"http://m\xfcller.eu/", HostInvalid;
        open_bracket, "http://[::1/", HostInvalid;
        port_too_big, "http://a.example:65536/", PortInvalid;
        port_with_a_sign, "http://a.example:+80/", PortInvalid;
        port_word, "http://a.example:x/", PortInvalid;
    }

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
            assert_ne!(location.host_kind, HostKind::Name);
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
}
