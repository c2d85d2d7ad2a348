//! The canonical form of URLs, in which those of captures and those of redirects are equal, and its
//! 16-byte keys.

use std::{
    fmt::{self, Display, Formatter, Write},
    num::NonZeroU64,
};

use arrow_array::{
    Array, ArrayAccessor, Int32Array, StringArray, TypedDictionaryArray, types::Int32Type,
};

use crate::{
    digest::sha1,
    url::{Location, default_port},
};

/// A URL, known by the first 128 bits of a SHA-1 of its canonical text.
///
/// Among 100 million URLs the chance that any two share a key is below 1 in 10^22, so keys are
/// compared and texts are not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UrlKey {
    /// Never zero, so that an optional key takes no more memory.
    high: NonZeroU64,
    low: u64,
}

impl UrlKey {
    /// Returns the key of a canonical URL, as [`write_canonical`] makes it.
    pub fn new(canonical: &str) -> Self {
        let digest = sha1(canonical.as_bytes());
        let half = |at: usize| {
            let bytes = digest[at..at + 8].try_into();
            u64::from_be_bytes(bytes.expect("a SHA-1 has 20 bytes"))
        };
        Self {
            high: NonZeroU64::new(half(0)).unwrap_or(NonZeroU64::MIN),
            low: half(8),
        }
    }

    /// Returns the upper 64 bits, evenly spread.
    pub(super) fn high(self) -> u64 {
        self.high.get()
    }
}

/// What a robots.txt applies to (RFC 9309, 2.3), as the columns of a fetch have it. It is written
/// as [`Location::origin`] is: `scheme://host:port`, the default port too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin<'a> {
    /// The column `url_protocol`.
    pub protocol: &'a str,
    /// The column `url_host_name`.
    pub host: &'a str,
    /// The column `url_port`.
    pub port: Option<i32>,
}

impl<'a> Origin<'a> {
    /// Returns the origin of which the columns have these values.
    pub fn new(protocol: Option<&'a str>, host: &'a str, port: Option<i32>) -> Self {
        let protocol = protocol.unwrap_or_default();
        Self {
            protocol,
            host,
            port,
        }
    }

    /// Returns the origin of a row, given its columns of a protocol, a host name and a port.
    pub fn of_row(
        (protocol, host, port): (
            TypedDictionaryArray<'a, Int32Type, StringArray>,
            &'a StringArray,
            &Int32Array,
        ),
        row: usize,
    ) -> Self {
        let protocol = protocol.is_valid(row).then(|| protocol.value(row));
        let port = port.is_valid(row).then(|| port.value(row));
        Self::new(protocol, host.value(row), port)
    }

    /// Returns true if and only if the URL has no port or the default port of its scheme.
    pub fn has_default_port(self) -> bool {
        self.port.is_none() || self.port == default_port(self.protocol).map(i32::from)
    }
}

impl Display for Origin<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.protocol, self.host)?;
        let port = self.port.or(default_port(self.protocol).map(i32::from));
        port.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

/// Replaces `out` by the canonical URL of these parts: no user, no default port, no fragment, and
/// bytes that a URL cannot contain escaped.
///
/// What a server writes in `Location` and what a crawler then requests differ in just these points.
/// Escapes stay as they are.
pub fn write_canonical(origin: Origin<'_>, path: &str, query: Option<&str>, out: &mut String) {
    out.clear();
    out.extend([origin.protocol, "://", origin.host]);
    if let Some(port) = origin.port.filter(|_| !origin.has_default_port()) {
        // Writing to a string cannot fail.
        let _ = write!(out, ":{port}");
    }
    push_escaped(path, out);
    if let Some(query) = query {
        out.push('?');
        push_escaped(query, out);
    }
}

fn push_escaped(text: &str, out: &mut String) {
    let must_escape = |b: u8| b <= b' ' || b >= 0x7f || matches!(b, b'"' | b'<' | b'>');
    if !text.bytes().any(must_escape) {
        out.push_str(text);
        return;
    }
    for byte in text.bytes() {
        if must_escape(byte) {
            // Writing to a string cannot fail.
            let _ = write!(out, "%{byte:02X}");
        } else {
            out.push(char::from(byte));
        }
    }
}

/// Reads the targets of redirects with buffers that serve for all of them.
#[derive(Debug, Default)]
pub struct TargetReader {
    location: Location,
    url: String,
}

impl TargetReader {
    /// Returns the canonical URL to which a response of that status leads, if a crawler follows it;
    /// `location` is the column `fetch_redirect`, a URL that is resolved already, or the field as
    /// written where it is none.
    pub fn read(&mut self, status: i32, location: Option<&str>) -> Option<&str> {
        if !matches!(status, 301 | 302 | 303 | 307 | 308) {
            return None;
        }
        self.location.parse(location?.as_bytes()).ok()?;
        let Self { location, url } = self;
        if !matches!(location.protocol(), "http" | "https") {
            return None;
        }
        let port = location.port().map(i32::from);
        let origin = Origin::new(Some(location.protocol()), location.host_name(), port);
        write_canonical(origin, location.path(), location.query(), url);
        Some(url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! leads {
        ($name:ident, $location:expr, $want:expr) => {
            #[test]
            fn $name() {
                let mut reader = TargetReader::default();
                let found = reader.read(301, $location);
                assert_eq!(found, $want);
            }
        };
    }

    leads!(
        plain,
        Some("https://a.example/robots.txt"),
        Some("https://a.example/robots.txt")
    );
    leads!(
        case_of_scheme_and_host,
        Some("HTTPS://A.Example/Robots.txt"),
        Some("https://a.example/Robots.txt")
    );
    leads!(
        default_port_is_left_away,
        Some("http://a.example:80/x"),
        Some("http://a.example/x")
    );
    leads!(
        other_port_stays,
        Some("http://a.example:443/x"),
        Some("http://a.example:443/x")
    );
    leads!(
        user_is_left_away,
        Some("http://u:p@a.example/x"),
        Some("http://a.example/x")
    );
    leads!(
        fragment_is_left_away,
        Some("http://a.example/x?y#z"),
        Some("http://a.example/x?y")
    );
    leads!(
        empty_path_is_the_root,
        Some("http://a.example?y"),
        Some("http://a.example/?y")
    );
    leads!(
        host_in_unicode,
        Some("http://müller.eu/"),
        Some("http://xn--mller-kva.eu/")
    );
    leads!(
        foreign_bytes_are_escaped,
        Some("http://a.example/ä b?\"%c3"),
        Some("http://a.example/%C3%A4%20b?%22%c3")
    );
    leads!(
        ipv6,
        Some("http://[2001:DB8::0]:80/"),
        Some("http://[2001:db8::]/")
    );
    leads!(missing, None, None);
    leads!(empty, Some(""), None);
    leads!(relative_where_it_could_not_be_resolved, Some("x"), None);
    leads!(ftp, Some("ftp://a.example/robots.txt"), None);
    leads!(script, Some("javascript:alert(1)"), None);
    leads!(host_missing, Some("http://:80/robots.txt"), None);

    #[test]
    fn only_five_codes_are_followed() {
        let mut reader = TargetReader::default();
        let followed: Vec<_> = (300..400)
            .filter(|&status| reader.read(status, Some("http://a.example/")).is_some())
            .collect();
        assert_eq!(followed, [301, 302, 303, 307, 308]);
    }

    #[test]
    fn a_key_that_may_be_absent_takes_16_bytes() {
        assert_eq!(size_of::<Option<UrlKey>>(), 16);
        let key = UrlKey::new("http://a/");
        assert_eq!(key, UrlKey::new("http://a/"));
        assert_ne!(key, UrlKey::new("http://a/x"));
    }
}
