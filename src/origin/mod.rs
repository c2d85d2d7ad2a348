//! Where a robots.txt speaks: target URIs, their parts, and origins.
//!
//! What enters is a target URI as an archive holds it, as bytes. What leaves is a [`Location`]: the
//! parts under the names of cc-index, the canonical origin, and the answer whether a robots.txt
//! there speaks for another URL (RFC 9309, section 2.3). This room refuses to know archives,
//! responses and rules; nothing in it panics, whatever the bytes are.
//!
//! # Departures from RFC 3986 and from cc-index
//! * White space and one pair of `<` and `>` around the URI are removed, as old archives write
//!   them.
//! * `http`, `https` and `ftp` take any number of slashes from one on, since crawls hold
//!   `https:////host/robots.txt`.
//! * One dot at the end of a host is removed, as cc-index does: `example.com.` is `example.com`.
//! * IPv4 addresses are read as the WHATWG URL Standard does (`0x7f.1`), and IPv6 addresses are
//!   written by RFC 5952.
//! * An ASCII host is only lower-cased; names that DNS or IDNA would refuse stay as they are,
//!   because they were fetched.
//! * [`Location::append_surtkey`] removes no session ids from queries, which the tool behind
//!   cc-index does.

#[cfg(feature = "dataset")]
mod domain;
mod host;
mod location;
mod relative;
mod surt;

pub use location::Location;

/// Returns true if and only if the robots.txt at `robots_url` speaks for `url` (RFC 9309, section
/// 2.3).
///
/// A URI that cannot be read speaks for nothing, and nothing speaks for it. Allocates; a loop
/// should keep two [`Location`]s.
pub fn speaks_for(robots_url: &[u8], url: &[u8]) -> bool {
    let mut robots = Location::new();
    let mut other = Location::new();
    robots.parse(robots_url).is_ok() && other.parse(url).is_ok() && robots.speaks_for(&other)
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! speaks {
        ($name:ident, $robots:expr, $url:expr, $want:expr) => {
            #[test]
            fn $name() {
                assert_eq!(speaks_for($robots.as_bytes(), $url.as_bytes()), $want);
            }
        };
    }

    speaks!(
        same_host,
        "http://a.example/robots.txt",
        "http://a.example/x?y#z",
        true
    );
    speaks!(
        case_of_scheme_and_host,
        "HTTP://A.example/robots.txt",
        "http://a.EXAMPLE/",
        true
    );
    speaks!(
        default_port,
        "https://a.example:443/robots.txt",
        "https://a.example/",
        true
    );
    speaks!(
        idn_in_escapes,
        "http://m%C3%BCller.eu/robots.txt",
        "http://xn--mller-kva.eu/",
        true
    );
    speaks!(
        idn_in_upper_case,
        "http://MÜLLER.eu/robots.txt",
        "http://XN--MLLER-KVA.eu/",
        true
    );
    speaks!(
        ipv6_in_two_forms,
        "http://[2001:DB8::0]/robots.txt",
        "http://[2001:db8::]/",
        true
    );
    speaks!(
        user_does_not_count,
        "http://u:p@a.example/robots.txt",
        "http://a.example/",
        true
    );
    speaks!(
        sub_domain,
        "http://a.example/robots.txt",
        "http://b.a.example/",
        false
    );
    speaks!(
        other_scheme,
        "http://a.example/robots.txt",
        "https://a.example/",
        false
    );
    speaks!(
        other_port,
        "http://a.example/robots.txt",
        "http://a.example:8080/",
        false
    );
    speaks!(
        upper_case_path,
        "http://a.example/Robots.txt",
        "http://a.example/",
        false
    );
    speaks!(
        query_behind_path,
        "http://a.example/robots.txt?x",
        "http://a.example/",
        false
    );
    speaks!(
        not_at_the_top,
        "http://a.example/a/robots.txt",
        "http://a.example/a/",
        false
    );
    speaks!(unreadable, "robots.txt", "robots.txt", false);
}
