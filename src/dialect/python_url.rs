//! Python's `urllib.parse`, as far as `urllib.robotparser` uses it (CPython 3.11).
//!
//! Enters: a rule's value or a URL. Leaves: the quoted text that Python compares. Where Python
//! raises `ValueError`, so does this: a rule that does it ends the reading of the file.
//!
//! Ordinary paths are quoted byte by byte. Only what may come back changed from `unquote` and
//! `urlparse` is taken apart, in memory of its own.

use std::{borrow::Cow, net::Ipv6Addr};

use super::{
    percent::{escaped_octet, push_escape},
    python_text::decode,
};

/// Python's `ValueError`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ValueError;

/// Appends what `RuleLine` compares for a rule's `value`: `quote(urlunparse(urlparse(unquote(value))))`.
pub(super) fn pattern_of_value(value: &[u8], out: &mut Vec<u8>) -> Result<(), ValueError> {
    if is_ordinary(value) {
        quote(value, out);
        return Ok(());
    }
    let value = decode(value);
    let parts = Parts::parse(&unquote(&value))?;
    quote(parts.unparse(true).as_bytes(), out);
    Ok(())
}

/// Appends what `can_fetch` compares for a URL: path, parameters, query and fragment, quoted. A byte
/// that is not UTF-8 is a lone surrogate in Python's `str`, which `quote` refuses.
pub(super) fn path_of_url(url: &[u8], out: &mut Vec<u8>) -> Result<(), ValueError> {
    let url = str::from_utf8(url).map_err(|_| ValueError)?;
    let parts = Parts::parse(&unquote(url))?;
    quote(parts.unparse(false).as_bytes(), out);
    if out.is_empty() {
        out.push(b'/');
    }
    Ok(())
}

/// `urllib.parse.unquote`: escapes are decoded run by run of ASCII text, each run on its own.
pub(super) fn unquote(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let ascii = rest
            .find(|char: char| !char.is_ascii())
            .unwrap_or(rest.len());
        let (run, tail) = rest.split_at(ascii);
        let mut octets = Vec::with_capacity(run.len());
        let mut bytes = run.as_bytes();
        while let [byte, next @ ..] = bytes {
            match escaped_octet(bytes) {
                Some(octet) => {
                    octets.push(octet);
                    bytes = &bytes[3..];
                }
                None => {
                    octets.push(*byte);
                    bytes = next;
                }
            }
        }
        out.push_str(&String::from_utf8_lossy(&octets));
        let other = tail
            .find(|char: char| char.is_ascii())
            .unwrap_or(tail.len());
        out.push_str(&tail[..other]);
        rest = &tail[other..];
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
        if byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-' | b'~' | b'/') {
            out.push(byte);
        } else {
            push_escape(byte, out);
        }
    }
}

/// The result of `urlparse`.
#[derive(Debug, Default)]
struct Parts {
    scheme: String,
    netloc: String,
    path: String,
    params: String,
    query: String,
    fragment: String,
}

impl Parts {
    fn parse(url: &str) -> Result<Parts, ValueError> {
        let mut url = url
            .trim_start_matches(|char: char| char <= ' ')
            .replace(['\t', '\r', '\n'], "");
        let mut parts = Parts::default();
        if let Some(colon) = url.find(':')
            && url.starts_with(|char: char| char.is_ascii_alphabetic())
            && url[..colon]
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
        {
            parts.scheme = url[..colon].to_ascii_lowercase();
            url.drain(..=colon);
        }
        if let Some(rest) = url.strip_prefix("//") {
            let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
            parts.netloc = rest[..end].to_owned();
            url = rest[end..].to_owned();
            check_brackets(&parts.netloc)?;
        }
        if let Some((before, fragment)) = url.split_once('#') {
            parts.fragment = fragment.to_owned();
            url = before.to_owned();
        }
        if let Some((before, query)) = url.split_once('?') {
            parts.query = query.to_owned();
            url = before.to_owned();
        }
        check_compatibility(&parts.netloc)?;
        if USES_PARAMS.contains(&parts.scheme.as_str()) {
            let from = url.rfind('/').unwrap_or(0);
            if let Some(at) = url[from..].find(';') {
                parts.params = url[from + at + 1..].to_owned();
                url.truncate(from + at);
            }
        }
        parts.path = url;
        Ok(parts)
    }

    /// `urlunparse`, with scheme and host or without.
    fn unparse(&self, is_whole: bool) -> String {
        let (scheme, netloc) = match is_whole {
            true => (self.scheme.as_str(), self.netloc.as_str()),
            false => ("", ""),
        };
        let mut url = self.path.clone();
        if !self.params.is_empty() {
            url = format!("{url};{}", self.params);
        }
        let has_authority = !scheme.is_empty() && USES_NETLOC.contains(&scheme);
        if !netloc.is_empty() || (has_authority && !url.starts_with("//")) {
            let slash = match url.is_empty() || url.starts_with('/') {
                true => "",
                false => "/",
            };
            url = format!("//{netloc}{slash}{url}");
        }
        if !scheme.is_empty() {
            url = format!("{scheme}:{url}");
        }
        if !self.query.is_empty() {
            url = format!("{url}?{}", self.query);
        }
        if !self.fragment.is_empty() {
            url = format!("{url}#{}", self.fragment);
        }
        url
    }
}

const USES_PARAMS: [&str; 15] = [
    "", "ftp", "hdl", "prospero", "http", "imap", "https", "shttp", "rtsp", "rtsps", "sip", "sips",
    "mms", "sftp", "tel",
];

const USES_NETLOC: [&str; 26] = [
    "", "ftp", "http", "gopher", "nntp", "telnet", "imap", "wais", "file", "mms", "https", "shttp",
    "snews", "prospero", "rtsp", "rtsps", "rtspu", "rsync", "svn", "svn+ssh", "sftp", "nfs", "git",
    "git+ssh", "ws", "wss",
];

/// Python 3.11 rejects a bracket without its fellow, and in brackets anything but an IPv6 address
/// or an `IPvFuture` one.
fn check_brackets(netloc: &str) -> Result<(), ValueError> {
    match (netloc.contains('['), netloc.contains(']')) {
        (false, false) => return Ok(()),
        (true, true) => {}
        _ => return Err(ValueError),
    }
    let host = netloc.split_once('[').map_or("", |(_, rest)| rest);
    let host = host.split_once(']').map_or(host, |(host, _)| host);
    let is_valid = match host.strip_prefix('v') {
        Some(future) => future.split_once('.').is_some_and(|(version, rest)| {
            let is_hex = |byte: u8| byte.is_ascii_hexdigit();
            !version.is_empty() && version.bytes().all(is_hex) && !rest.is_empty()
        }),
        None => {
            let (address, zone) = host.split_once('%').map_or((host, "0"), |parts| parts);
            !zone.is_empty() && !zone.contains('%') && address.parse::<Ipv6Addr>().is_ok()
        }
    };
    if is_valid { Ok(()) } else { Err(ValueError) }
}

/// Rejects a host with a character that Unicode NFKC turns into one that would end it.
fn check_compatibility(netloc: &str) -> Result<(), ValueError> {
    let is_rejected = |char: char| {
        matches!(
            char,
            '\u{2047}'
                ..='\u{2049}'
                    | '\u{2100}'
                    | '\u{2101}'
                    | '\u{2105}'
                    | '\u{2106}'
                    | '\u{2a74}'
                    | '\u{fe13}'
                    | '\u{fe16}'
                    | '\u{fe55}'
                    | '\u{fe56}'
                    | '\u{fe5f}'
                    | '\u{fe6b}'
                    | '\u{ff03}'
                    | '\u{ff0f}'
                    | '\u{ff1a}'
                    | '\u{ff1f}'
                    | '\u{ff20}'
        )
    };
    match netloc.contains(is_rejected) {
        true => Err(ValueError),
        false => Ok(()),
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

    #[test]
    fn unquote_decodes_each_run_of_ascii_on_its_own() {
        assert_eq!(unquote("a%41b"), "aAb");
        assert_eq!(unquote("%C3%A9"), "\u{e9}");
        assert_eq!(unquote("%C3\u{e9}%A9"), "\u{fffd}\u{e9}\u{fffd}");
        assert_eq!(unquote("%"), "%");
    }
}
