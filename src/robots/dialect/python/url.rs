//! Python's `urllib.parse`, as far as `urllib.robotparser` uses it (CPython 3.11).
//!
//! Quotes the value of a rule or a URL as Python does before it compares them. Where Python raises
//! `ValueError`, so does this; a rule that does so ends the parsing of the file.
//!
//! Ordinary paths are quoted byte by byte. Only what `unquote` and `urlparse` may change is split
//! into its parts, in memory of its own.

use std::{borrow::Cow, net::Ipv6Addr};

use memchr::{memchr, memrchr};

use super::text::decode;
use crate::robots::dialect::percent::{Octets, is_unreserved, push};

/// Python's `ValueError`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueError;

/// Appends what `RuleLine` compares for a rule's `value`:
/// `quote(urlunparse(urlparse(unquote(value))))`.
pub fn pattern_of_value(value: &[u8], out: &mut Vec<u8>) -> Result<(), ValueError> {
    if is_ordinary(value) {
        quote(value, out);
        return Ok(());
    }
    let value = decode(value);
    let parts = Parts::parse(&unquote_octets(value.as_bytes()))?;
    quote(&parts.unparse(true), out);
    Ok(())
}

/// Appends what `can_fetch` compares for a URL: path, parameters, query and fragment, quoted.
///
/// A byte that is not UTF-8 is a lone surrogate in Python's `str`. In the authority, which is not
/// compared, it has no effect; anywhere else `quote` rejects it.
pub fn path_of_url(url: &[u8], out: &mut Vec<u8>) -> Result<(), ValueError> {
    let parts = Parts::parse(&unquote_octets(&with_surrogates(url)))?;
    let url = parts.unparse(false);
    if str::from_utf8(&url).is_err() {
        return Err(ValueError);
    }
    quote(&url, out);
    if out.is_empty() {
        out.push(b'/');
    }
    Ok(())
}

/// Writes each byte that is not UTF-8 as the three bytes of its lone surrogate in Python's `str`
/// (PEP 383), so that no two of them can form a character.
fn with_surrogates(text: &[u8]) -> Cow<'_, [u8]> {
    if str::from_utf8(text).is_ok() {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len() + 16);
    for chunk in text.utf8_chunks() {
        out.extend_from_slice(chunk.valid().as_bytes());
        for byte in chunk.invalid() {
            // U+DC80 to U+DCFF, written as UTF-8 would be.
            out.extend_from_slice(&[0xED, 0xB0 | byte >> 6, 0x80 | (byte & 0x3F)]);
        }
    }
    Cow::Owned(out)
}

/// `urllib.parse.unquote`: escapes are decoded separately for each sequence of ASCII characters.
pub fn unquote(text: &str) -> Cow<'_, str> {
    match unquote_octets(text.as_bytes()) {
        Cow::Borrowed(_) => Cow::Borrowed(text),
        Cow::Owned(octets) => Cow::Owned(String::from_utf8_lossy(&octets).into_owned()),
    }
}

/// As [`unquote`], with lone surrogates as [`with_surrogates`] writes them.
fn unquote_octets(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr(b'%', text).is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len());
    for run in text.chunk_by(|a, b| a.is_ascii() == b.is_ascii()) {
        if memchr(b'%', run).is_none() {
            out.extend_from_slice(run);
            continue;
        }
        let octets: Vec<u8> = Octets { rest: run }.map(|(octet, _)| octet).collect();
        out.extend_from_slice(String::from_utf8_lossy(&octets).as_bytes());
    }
    Cow::Owned(out)
}

/// Returns true if and only if a rule's value passes unchanged through `unquote`, `urlparse` and
/// `urlunparse`.
fn is_ordinary(value: &[u8]) -> bool {
    let is_path = value.starts_with(b"/") && !value.starts_with(b"//");
    let is_changed = |&byte: &u8| !byte.is_ascii_graphic() || matches!(byte, b'%' | b';' | b'#');
    is_path && !value.ends_with(b"?") && !value.iter().any(is_changed)
}

/// `urllib.parse.quote` with its default safe characters.
fn quote(text: &[u8], out: &mut Vec<u8>) {
    for &byte in text {
        push(byte, !is_unreserved(byte) && byte != b'/', out);
    }
}

/// The result of `urlparse`.
#[derive(Debug, Default)]
struct Parts {
    scheme: Vec<u8>,
    netloc: Vec<u8>,
    path: Vec<u8>,
    params: Vec<u8>,
    query: Vec<u8>,
    fragment: Vec<u8>,
}

impl Parts {
    fn parse(url: &[u8]) -> Result<Parts, ValueError> {
        let start = url.iter().position(|&byte| byte > b' ');
        let mut url = url[start.unwrap_or(url.len())..].to_vec();
        url.retain(|byte| !matches!(byte, b'\t' | b'\r' | b'\n'));
        let mut url = url.as_slice();
        let mut parts = Parts::default();
        if let Some((scheme, rest)) = split_once(url, b':')
            && scheme.first().is_some_and(u8::is_ascii_alphabetic)
            && scheme
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
        {
            parts.scheme = scheme.to_ascii_lowercase();
            url = rest;
        }
        if let Some(rest) = url.strip_prefix(b"//") {
            let ends = |byte: &u8| matches!(byte, b'/' | b'?' | b'#');
            let end = rest.iter().position(ends).unwrap_or(rest.len());
            parts.netloc = rest[..end].to_vec();
            url = &rest[end..];
            check_brackets(&parts.netloc)?;
        }
        if let Some((before, fragment)) = split_once(url, b'#') {
            parts.fragment = fragment.to_vec();
            url = before;
        }
        if let Some((before, query)) = split_once(url, b'?') {
            parts.query = query.to_vec();
            url = before;
        }
        check_compatibility(&parts.netloc)?;
        if uses_params(&parts.scheme) {
            let from = memrchr(b'/', url).unwrap_or(0);
            if let Some(at) = memchr(b';', &url[from..]) {
                parts.params = url[from + at + 1..].to_vec();
                url = &url[..from + at];
            }
        }
        parts.path = url.to_vec();
        Ok(parts)
    }

    /// `urlunparse`, with scheme and host or without.
    fn unparse(&self, is_whole: bool) -> Vec<u8> {
        let (scheme, netloc) = if is_whole {
            (self.scheme.as_slice(), self.netloc.as_slice())
        } else {
            (&b""[..], &b""[..])
        };
        let mut tail = self.path.clone();
        if !self.params.is_empty() {
            tail.push(b';');
            tail.extend_from_slice(&self.params);
        }
        let mut url = Vec::new();
        if !scheme.is_empty() {
            url.extend_from_slice(scheme);
            url.push(b':');
        }
        let has_authority = !scheme.is_empty() && uses_netloc(scheme);
        if !netloc.is_empty() || (has_authority && !tail.starts_with(b"//")) {
            url.extend_from_slice(b"//");
            url.extend_from_slice(netloc);
            if !tail.is_empty() && !tail.starts_with(b"/") {
                url.push(b'/');
            }
        }
        url.extend_from_slice(&tail);
        for (mark, part) in [(b'?', &self.query), (b'#', &self.fragment)] {
            if !part.is_empty() {
                url.push(mark);
                url.extend_from_slice(part);
            }
        }
        url
    }
}

fn split_once(text: &[u8], byte: u8) -> Option<(&[u8], &[u8])> {
    let at = memchr(byte, text)?;
    Some((&text[..at], &text[at + 1..]))
}

/// The schemes whose last path segment may have parameters (`urllib.parse.uses_params`).
fn uses_params(scheme: &[u8]) -> bool {
    const SCHEMES: &str =
        " ftp hdl prospero http imap https shttp rtsp rtsps rtspu sip sips mms sftp tel";
    SCHEMES.split(' ').any(|known| known.as_bytes() == scheme)
}

/// The schemes that are followed by an authority (`urllib.parse.uses_netloc`).
fn uses_netloc(scheme: &[u8]) -> bool {
    const SCHEMES: &str = " ftp http gopher nntp telnet imap wais file mms https shttp snews prospero \
        rtsp rtsps rtspu rsync svn svn+ssh sftp nfs git git+ssh ws wss";
    SCHEMES.split(' ').any(|known| known.as_bytes() == scheme)
}

/// Rejects a bracket without its counterpart, and in brackets anything but an IPv6 or `IPvFuture`
/// address, as Python 3.11 does.
fn check_brackets(netloc: &[u8]) -> Result<(), ValueError> {
    match (netloc.contains(&b'['), netloc.contains(&b']')) {
        (false, false) => return Ok(()),
        (true, true) => {}
        _ => return Err(ValueError),
    }
    let host = split_once(netloc, b'[').map_or(&b""[..], |(_, rest)| rest);
    let host = split_once(host, b']').map_or(host, |(host, _)| host);
    let is_valid = match host.strip_prefix(b"v") {
        Some(future) => split_once(future, b'.').is_some_and(|(version, rest)| {
            let is_hex = |byte: &u8| byte.is_ascii_hexdigit();
            !version.is_empty() && version.iter().all(is_hex) && !rest.is_empty()
        }),
        None => {
            let (address, zone) = split_once(host, b'%').unwrap_or((host, b"0"));
            let address = str::from_utf8(address).ok();
            let is_address = address.is_some_and(|address| address.parse::<Ipv6Addr>().is_ok());
            !zone.is_empty() && !zone.contains(&b'%') && is_address
        }
    };
    if is_valid { Ok(()) } else { Err(ValueError) }
}

/// Rejects a host with a character whose Unicode NFKC form would end it.
fn check_compatibility(netloc: &[u8]) -> Result<(), ValueError> {
    const REJECTED: &str = "\u{2047}\u{2048}\u{2049}\u{2100}\u{2101}\u{2105}\u{2106}\u{2a74}\
        \u{fe13}\u{fe16}\u{fe55}\u{fe56}\u{fe5f}\u{fe6b}\u{ff03}\u{ff0f}\u{ff1a}\u{ff1f}\u{ff20}";
    let mut chars = netloc.utf8_chunks().flat_map(|chunk| chunk.valid().chars());
    if chars.any(|char| !char.is_ascii() && REJECTED.contains(char)) {
        Err(ValueError)
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(value: &str) -> Option<String> {
        let mut out = Vec::new();
        pattern_of_value(value.as_bytes(), &mut out).ok()?;
        Some(String::from_utf8(out).expect("quoted text is ASCII"))
    }

    // The expected values are those of CPython 3.11.7.
    macro_rules! patterns {
        ($($value:literal => $pattern:expr;)+) => {
            #[test]
            fn values_are_quoted_as_python_does() {
                $(assert_eq!(pattern($value).as_deref(), $pattern, "{}", $value);)+
            }
        };
    }

    patterns! {
        "" => Some("");
        "/a/b.html" => Some("/a/b.html");
        "/*.gif$" => Some("/%2A.gif%24");
        "/a?b=c" => Some("/a%3Fb%3Dc");
        "?" => Some("");
        "/a?" => Some("/a");
        "/a%2fb%7E" => Some("/a/b~");
        "/%zz%4" => Some("/%25zz%254");
        "/%c3%a9" => Some("/%C3%A9");
        "/%ff" => Some("/%EF%BF%BD");
        "/%23x" => Some("/%23x");
        "/a;" => Some("/a");
        "/a;b/c;d" => Some("/a%3Bb/c%3Bd");
        "//a" => Some("//a");
        "http:a" => Some("http%3A///a");
        "HTTP://A/b" => Some("http%3A//A/b");
        "//[" => None;
        "//[::1]/x" => Some("//%5B%3A%3A1%5D/x");
        "//[1.2.3.4]/" => None;
        "//[v1.x]" => Some("//%5Bv1.x%5D");
        "//a\u{ff0f}b" => None;
    }

    // The expected values are those of CPython 3.11.7 for the URL decoded with `surrogateescape`.
    #[test]
    fn bytes_that_are_not_utf8_matter_only_where_they_are_compared() {
        for (url, expected) in [
            (&b"http://h\xff/a"[..], Some("/a")),
            (b"//\xe9:80/a;b?c#d", Some("/a%3Bb%3Fc%23d")),
            (b"http://h\xff", Some("/")),
            (b"%2f%2f\xc3%2fa", Some("/a")),
            (b"//[v1.\xff]/a", Some("/a")),
            (b"//[::1]\xff/a", Some("/a")),
            (b"//[\xff]/a", None),
            (b"//\xff\xef\xbc\x8f/a", None),
            (b"x\xff://h/a", None),
            (b"http://h/\xff", None),
            (b"/a\xc3\t\xa9", None),
            (b"http://h/?\xe9", None),
            (b"http://h/#\xe9", None),
            ("http://\u{e9}/\u{e9}".as_bytes(), Some("/%C3%A9")),
            (b"rtspu://h/a;", Some("/a")),
        ] {
            let mut out = Vec::new();
            let found = path_of_url(url, &mut out).ok().map(|()| out);
            assert_eq!(found.as_deref(), expected.map(str::as_bytes), "{url:?}");
        }
    }

    #[test]
    fn unquote_decodes_each_run_of_ascii_on_its_own() {
        assert_eq!(unquote("a%41b"), "aAb");
        assert_eq!(unquote("%C3%A9"), "\u{e9}");
        assert_eq!(unquote("%C3\u{e9}%A9"), "\u{fffd}\u{e9}\u{fffd}");
        assert_eq!(unquote("%"), "%");
    }
}
