//! Target URIs, their parts, and origins: the scope of a robots.txt (RFC 9309, 2.3).
//!
//! A [`Location`] is parsed from the bytes of a target URI. It has the parts under the names of
//! cc-index and the canonical origin, and decides whether a robots.txt applies to another URL.
//! Nothing here panics, whatever the bytes are.
//!
//! # Departures from RFC 3986 and from cc-index
//! * White space and one pair of `<` and `>` around the URI, which old archives have, are removed.
//! * After `http`, `https` and `ftp` any number of slashes from one on is accepted, since crawls
//!   contain `https:////host/robots.txt`.
//! * One dot at the end of a host is removed, as in cc-index: `example.com.` is `example.com`.
//! * IPv4 addresses are parsed as in the WHATWG URL Standard (`0x7f.1`), and IPv6 addresses are
//!   formatted as in RFC 5952.
//! * An ASCII host is only converted to lower case; names that DNS or IDNA would reject remain,
//!   because they were fetched.

#[cfg(feature = "dataset")]
mod domain;
mod error;
mod host;
mod location;
mod reference;
mod relative;

use self::error::LocationError;
pub use self::location::Location;
#[cfg(feature = "dataset")]
pub(crate) use self::reference::default_port;

/// Returns true if and only if the robots.txt at `robots_url` applies to `url` (RFC 9309, 2.3).
///
/// False if either is not a URL with a host. Allocates; a loop should reuse two [`Location`]s.
pub fn applies_to(robots_url: &[u8], url: &[u8]) -> bool {
    let mut robots = Location::new();
    let mut other = Location::new();
    robots.parse(robots_url).is_ok() && other.parse(url).is_ok() && robots.applies_to(&other)
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! speaks {
        ($($name:ident, $robots:expr, $url:expr, $want:expr;)+) => {
            $(
                #[test]
                fn $name() {
                    assert_eq!(applies_to($robots.as_bytes(), $url.as_bytes()), $want);
                }
            )+
        };
    }

    speaks! {
        same_host, "http://a.example/robots.txt", "http://a.example/x?y#z", true;
        case_of_scheme_and_host, "HTTP://A.example/robots.txt", "http://a.EXAMPLE/", true;
        default_port, "https://a.example:443/robots.txt", "https://a.example/", true;
        idn_in_escapes, "http://m%C3%BCller.eu/robots.txt", "http://xn--mller-kva.eu/", true;
        idn_in_upper_case, "http://MÜLLER.eu/robots.txt", "http://XN--MLLER-KVA.eu/", true;
        ipv6_in_two_forms, "http://[2001:DB8::0]/robots.txt", "http://[2001:db8::]/", true;
        user_does_not_count, "http://u:p@a.example/robots.txt", "http://a.example/", true;
        sub_domain, "http://a.example/robots.txt", "http://b.a.example/", false;
        other_scheme, "http://a.example/robots.txt", "https://a.example/", false;
        other_port, "http://a.example/robots.txt", "http://a.example:8080/", false;
        upper_case_path, "http://a.example/Robots.txt", "http://a.example/", false;
        query_behind_path, "http://a.example/robots.txt?x", "http://a.example/", false;
        not_at_the_top, "http://a.example/a/robots.txt", "http://a.example/a/", false;
        unreadable, "robots.txt", "robots.txt", false;
    }
}
