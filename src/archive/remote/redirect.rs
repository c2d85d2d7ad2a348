//! Redirects: where a server may send a request, and what of it goes there.
//!
//! Only the method, the range and the version that is wanted are sent to another host: no
//! credentials, and not the URL before (`Referer`), whose query may be a signature. A server
//! outside this network cannot send a request to an address inside, where other programs answer
//! whoever reaches them.

use std::{
    collections::HashSet,
    fmt,
    io::ErrorKind::{Other, PermissionDenied},
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    sync::{LazyLock, Mutex, MutexGuard, PoisonError},
};

use reqwest::{
    Response, Url,
    dns::{Addrs, Name, Resolve, Resolving},
    header::LOCATION,
};
use tokio::net::lookup_host;

use super::{object::causes, status::Trouble};

/// How many redirects of a request are followed.
pub(super) const MOST: usize = 10;
/// Characters of a foreign host or scheme that a message shows.
const MOST_SHOWN: usize = 100;

/// Returns where an answer to a request for a URL redirects to, and whether a server outside this
/// network does so; `None` if it does not redirect.
///
/// # Errors
///
/// That a request cannot go there.
pub(super) async fn next(
    of: &Url,
    response: &Response,
    allows_private: bool,
) -> Result<Option<(Url, bool)>, Trouble> {
    let Some(to) = target(of, response)? else {
        return Ok(None);
    };
    let is_from_outside = !allows_private && !is_of_inside(response).await;
    if is_from_outside {
        refuse_inside(&to)?;
    }
    Ok(Some((to, is_from_outside)))
}

fn target(of: &Url, response: &Response) -> Result<Option<Url>, Trouble> {
    let is_redirect = matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308);
    let location = response.headers().get(LOCATION).filter(|_| is_redirect);
    let Some(location) = location else {
        return Ok(None);
    };
    let Ok(mut to) = of.join(&String::from_utf8_lossy(location.as_bytes())) else {
        return Err(refused(Other, "to what is no URL"));
    };
    if !matches!(to.scheme(), "http" | "https") {
        let scheme = cut(to.scheme());
        let message = format!("to a URL of {scheme}://, expected https:// or http://");
        return Err(refused(Other, &message));
    }
    let credentials = (of.origin() == to.origin()).then(|| (of.username(), of.password()));
    let (user, password) = credentials.unwrap_or_default();
    // A URL of these schemes has a host, and so may have a user.
    let _ = to.set_username(user);
    let _ = to.set_password(password);
    to.set_fragment(None);
    Ok(Some(to))
}

/// Returns true if and only if the server that answered is inside this network.
///
/// Its address may be that of a proxy, and its name may lead to another address by now, so both
/// must be inside.
async fn is_of_inside(response: &Response) -> bool {
    let connected = response.remote_addr().map(|address| address.ip());
    if !connected.is_some_and(is_inside) {
        return false;
    }
    let url = response.url();
    if let Some(address) = literal(url) {
        return is_inside(address);
    }
    let found = lookup_host((url.host_str().unwrap_or_default(), 0)).await;
    found.is_ok_and(|mut found| found.any(|address| is_inside(address.ip())))
}

/// Refuses a URL of an address inside this network. From now on [`OutsideOnly`] refuses those to
/// which the name of its host leads.
fn refuse_inside(url: &Url) -> Result<(), Trouble> {
    match literal(url) {
        Some(address) if is_inside(address) => Err(refused_inside(url)),
        Some(_) => Ok(()),
        None if is_name_inside(url.host_str().unwrap_or_default()) => Err(refused_inside(url)),
        None => {
            guarded_hosts().insert(url.host_str().unwrap_or_default().to_owned());
            Ok(())
        }
    }
}

/// What is refused about a target.
const INSIDE: &str = "an address inside this network";

/// Returns the failure of a request that was sent to a URL inside this network.
pub(super) fn refused_inside(url: &Url) -> Trouble {
    let host = cut(url.host_str().unwrap_or_default());
    let message = format!("to {host}, {INSIDE}");
    refused(PermissionDenied, &message)
}

/// Says what permits a redirect inside, where there is an option for it.
pub(super) fn naming_option(trouble: Trouble) -> Trouble {
    match trouble {
        Trouble::Lasting(mut failure) if failure.message.ends_with(INSIDE) => {
            failure.message += ", which only the option allow-private permits";
            Trouble::Lasting(failure)
        }
        other => other,
    }
}

fn refused(kind: std::io::ErrorKind, to: &str) -> Trouble {
    Trouble::lasting(kind, format!("the server redirects {to}"))
}

fn cut(text: &str) -> String {
    text.chars().take(MOST_SHOWN).collect()
}

/// Returns the host of a URL if it is an address.
fn literal(url: &Url) -> Option<IpAddr> {
    let host = url.host_str()?;
    host.trim_matches(['[', ']']).parse().ok()
}

/// Returns true if and only if a name never leads to a host of the public Internet (RFC 6761; ICANN
/// reserved `internal`). Behind a proxy, which looks names up itself, nothing else is known of one.
fn is_name_inside(host: &str) -> bool {
    let last = host.trim_end_matches('.').rsplit('.').next();
    matches!(last, Some("localhost" | "internal"))
}

/// Resolves names, but those of hosts to which servers outside redirect only to addresses outside.
/// What the look-up finds is what is connected to, so that no second look-up can find another one.
pub(super) struct OutsideOnly;

/// The error of a name that leads inside.
#[derive(Debug)]
pub(super) struct LeadsInside;

impl fmt::Display for LeadsInside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name leads to an address inside this network")
    }
}

impl std::error::Error for LeadsInside {}

impl LeadsInside {
    /// Returns true if and only if this is why a request failed.
    pub(super) fn caused(error: &reqwest::Error) -> bool {
        causes(error).any(<dyn std::error::Error>::is::<Self>)
    }
}

impl Resolve for OutsideOnly {
    fn resolve(&self, name: Name) -> Resolving {
        // A proxy, which the user names, may be inside.
        let is_guarded = guarded_hosts().contains(name.as_str());
        Box::pin(async move {
            let found = lookup_host((name.as_str(), 0)).await?;
            let found: Vec<SocketAddr> = found.collect();
            if is_guarded && found.iter().any(|address| is_inside(address.ip())) {
                return Err(LeadsInside.into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

/// The names of hosts to which servers outside redirect.
fn guarded_hosts() -> MutexGuard<'static, HashSet<String>> {
    static HOSTS: LazyLock<Mutex<HashSet<String>>> = LazyLock::new(Mutex::default);
    HOSTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns true if and only if an address is not one of the public Internet, but of this machine,
/// its network or its provider's (RFC 6890), also where it is written as one of IPv6.
fn is_inside(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_inside_v4(address),
        IpAddr::V6(address) => is_inside_v6(address),
    }
}

fn is_inside_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        // "This network", shared address space of providers, protocol assignments, benchmarks.
        || a == 0
        || a == 100 && b & 0xc0 == 64
        || [a, b, c] == [192, 0, 0]
        || a == 198 && b & 0xfe == 18
        // Multicast and what is reserved.
        || a >= 224
}

fn is_inside_v6(address: Ipv6Addr) -> bool {
    let [a, b, c, d, e, f, g, h] = address.segments();
    let v4 = |high: u16, low: u16| is_inside_v4((u32::from(high) << 16 | u32::from(low)).into());
    match [a, b, c, d, e, f] {
        // Addresses of IPv4, mapped or compatible; the latter has :: and ::1.
        [0, 0, 0, 0, 0, 0xffff | 0] => v4(g, h),
        // Translated to IPv4.
        [0x64, 0xff9b, 0, 0, 0, 0] => v4(g, h),
        [0x64, 0xff9b, 1, ..] => true,
        [0x2002, ..] => v4(b, c),
        // Unique local, link-local, site-local, multicast.
        _ => a & 0xfe00 == 0xfc00 || a & 0xff80 == 0xfe80 || a & 0xff00 == 0xff00,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_inside_are_refused_before_a_proxy_looks_them_up() {
        for (host, is_refused) in [
            ("localhost", true),
            ("LOCALHOST.", true),
            ("a.localhost", true),
            ("metadata.google.internal", true),
            ("localhost.example", false),
            ("internal.example.com", false),
        ] {
            let url = Url::parse(&format!("http://{host}:8080/x")).unwrap();
            assert_eq!(refuse_inside(&url).is_err(), is_refused, "{host}");
        }
    }

    #[test]
    fn addresses_inside_are_told_from_those_of_the_internet() {
        for inside in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "100.127.255.255",
            "0.0.0.0",
            "192.0.0.8",
            "198.19.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:a9fe:a9fe",
            "::10.0.0.1",
            "64:ff9b::10.0.0.1",
            "64:ff9b:1::1",
            "2002:a00:1::",
            "fc00::1",
            "fdff::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(is_inside(inside.parse().unwrap()), "{inside}");
        }
        for outside in [
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.0.1",
            "100.128.0.1",
            "172.15.0.1",
            "172.32.0.1",
            "169.253.0.1",
            "192.0.2.1",
            "198.20.0.1",
            "223.255.255.255",
            "2606:4700::1",
            "::ffff:1.1.1.1",
            "64:ff9b::1.1.1.1",
            "2002:101:101::",
        ] {
            assert!(!is_inside(outside.parse().unwrap()), "{outside}");
        }
    }
}
