//! The canonical form of a host: ASCII in lower case, as a name or an address.

use std::{
    borrow::Cow,
    fmt::Write,
    net::{Ipv4Addr, Ipv6Addr},
};

use idna::AsciiDenyList;

use super::LocationError;

/// The longest host that is passed to IDNA, in bytes. A DNS name has at most 253, in UTF-8 a few
/// times that; the limit bounds the time of normalization and Punycode.
const MAX_IDNA_BYTES: usize = 1024;

/// The kind of a host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HostKind {
    /// A name, which need not exist in DNS.
    #[default]
    Name,
    /// An IPv4 address.
    Ipv4,
    /// An IPv6 address in brackets.
    Ipv6,
}

/// Appends the canonical form of `host` to `out`.
///
/// A lower-case ASCII name is copied. Any other is percent-decoded, converted to lower case, and
/// mapped by IDNA if it is not ASCII (UTS 46, non-transitional, as in browsers). One dot at the end
/// is removed.
pub(super) fn append_host(host: &str, out: &mut String) -> Result<HostKind, LocationError> {
    let start = out.len();
    if let Some(inner) = host.strip_prefix('[') {
        let address: Ipv6Addr = inner
            .strip_suffix(']')
            .and_then(|address| address.parse().ok())
            .ok_or(LocationError::HostInvalid)?;
        // Writing to a string cannot fail.
        let _ = write!(out, "[{address}]");
        return Ok(HostKind::Ipv6);
    }
    if host.bytes().all(is_plain) {
        out.push_str(host);
    } else {
        append_decoded(host, out)?;
    }
    if out.ends_with('.') && out.len() > start {
        out.pop();
    }
    let name = &out[start..];
    if name.bytes().all(|b| b == b'.') {
        return Err(LocationError::HostMissing);
    }
    let Some(address) = ipv4(name) else {
        return Ok(HostKind::Name);
    };
    out.truncate(start);
    let _ = write!(out, "{address}");
    Ok(HostKind::Ipv4)
}

/// Returns true if and only if a byte of a host is canonical already.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' | b'_')
}

/// Appends a host with escapes, upper-case letters, or characters outside ASCII.
fn append_decoded(host: &str, out: &mut String) -> Result<(), LocationError> {
    let decoded = percent_decoded(host);
    if decoded.is_ascii() {
        let is_forbidden = |b: &u8| *b <= b' ' || *b == 0x7f || b"%#/:<>?@[\\]^|".contains(b);
        if decoded.iter().any(is_forbidden) {
            return Err(LocationError::HostInvalid);
        }
        out.extend(decoded.iter().map(|b| b.to_ascii_lowercase() as char));
        return Ok(());
    }
    if decoded.len() > MAX_IDNA_BYTES {
        return Err(LocationError::HostInvalid);
    }
    let ascii = idna::domain_to_ascii_from_cow(decoded, AsciiDenyList::URL)
        .map_err(|_| LocationError::HostInvalid)?;
    out.push_str(&ascii);
    Ok(())
}

/// Decodes the escapes of a host once; invalid ones remain, and make the host invalid.
fn percent_decoded(host: &str) -> Cow<'_, [u8]> {
    if !host.contains('%') {
        return Cow::Borrowed(host.as_bytes());
    }
    let bytes = host.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escape = bytes.get(at..at + 3).and_then(escaped_byte);
        decoded.push(escape.unwrap_or(bytes[at]));
        at += if escape.is_some() { 3 } else { 1 };
    }
    Cow::Owned(decoded)
}

/// Returns the byte that an escape of the form `%XX` encodes.
pub(super) fn escaped_byte(escape: &[u8]) -> Option<u8> {
    let &[b'%', high, low] = escape else {
        return None;
    };
    let digit = |b: u8| (b as char).to_digit(16);
    u8::try_from(digit(high)? << 4 | digit(low)?).ok()
}

/// Returns the IPv4 address of a host, in any form of the WHATWG URL Standard (4.1, "IPv4 parser").
///
/// `None` for a name, and for an impossible address such as `1.2.3.256`, which counts as a name.
fn ipv4(host: &str) -> Option<Ipv4Addr> {
    let last = host.rsplit('.').next()?;
    if !last.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let count = host.split('.').count();
    if count > 4 {
        return None;
    }
    let mut address = 0u32;
    for (index, part) in host.split('.').enumerate() {
        let value = ipv4_part(part)?;
        if index + 1 < count {
            address |= u32::from(u8::try_from(value).ok()?) << (24 - 8 * index);
        } else {
            // The last number fills all remaining bytes.
            let bits = 8 * (5 - count);
            if bits < 32 && value >> bits != 0 {
                return None;
            }
            address |= value;
        }
    }
    Some(Ipv4Addr::from(address))
}

/// Parses one number of an address: hexadecimal after `0x`, octal after `0`, else decimal.
fn ipv4_part(part: &str) -> Option<u32> {
    let (digits, radix) = match part.as_bytes() {
        [b'0', b'x', ..] => (&part[2..], 16),
        [b'0', _, ..] => (&part[1..], 8),
        _ => (part, 10),
    };
    if digits.is_empty() {
        return (radix == 16).then_some(0);
    }
    // `from_str_radix` would accept a sign too.
    if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    u32::from_str_radix(digits, radix).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! host {
        ($($name:ident, $host:expr, $kind:ident, $want:expr;)+) => {
            $(
                #[test]
                fn $name() {
                    let mut out = String::from("http://");
                    assert_eq!(append_host($host, &mut out), Ok(HostKind::$kind));
                    assert_eq!(&out["http://".len()..], $want);
                }
            )+
        };
    }

    host! {
        plain_name, "www.example.com", Name, "www.example.com";
        underscore, "foo_bar.example.com", Name, "foo_bar.example.com";
        upper_case, "WWW.Example.COM", Name, "www.example.com";
        dot_at_the_end, "example.com.", Name, "example.com";
        single_label, "localhost", Name, "localhost";
        punycode_stays, "xn--mller-kva.eu", Name, "xn--mller-kva.eu";
        punycode_in_upper_case, "XN--MLLER-KVA.EU", Name, "xn--mller-kva.eu";
        broken_punycode_stays, "xn--a-ecp.ru", Name, "xn--a-ecp.ru";
        unicode, "müller.eu", Name, "xn--mller-kva.eu";
        unicode_in_upper_case, "MÜLLER.EU", Name, "xn--mller-kva.eu";
        unicode_decomposed, "mu\u{308}ller.eu", Name, "xn--mller-kva.eu";
        unicode_in_escapes, "m%c3%bcller.eu", Name, "xn--mller-kva.eu";
        emoji, "%f0%9f%a7%a0.s.country", Name, "xn--qv9h.s.country";
        ideographic_full_stop, "例。com", Name, "xn--fsq.com";
        sharp_s, "straße.de", Name, "xn--strae-oqa.de";
        ascii_in_escapes, "%77ww.Example.com", Name, "www.example.com";
        empty_label, "a..b", Name, "a..b";
        ipv4_plain, "192.0.2.1", Ipv4, "192.0.2.1";
        ipv4_with_dot, "192.0.2.1.", Ipv4, "192.0.2.1";
        ipv4_hexadecimal, "0x7F.1", Ipv4, "127.0.0.1";
        ipv4_octal, "017.0.0.1", Ipv4, "15.0.0.1";
        ipv4_one_number, "3279880203", Ipv4, "195.127.0.11";
        ipv4_three_numbers, "10.0.258", Ipv4, "10.0.1.2";
        ipv4_in_escapes, "%31%32%37.0.0.1", Ipv4, "127.0.0.1";
        ipv4_fullwidth, "１２７.0.0.1", Ipv4, "127.0.0.1";
        too_big_a_byte_is_a_name, "1.2.3.256", Name, "1.2.3.256";
        too_many_numbers_are_a_name, "1.2.3.4.5", Name, "1.2.3.4.5";
        too_big_a_number_is_a_name, "4294967296", Name, "4294967296";
        digits_and_letters_are_a_name, "1.2.3.4a", Name, "1.2.3.4a";
        numbers_with_empty_label_are_a_name, "1..2", Name, "1..2";
        ipv6, "[2001:DB8:0:0::1]", Ipv6, "[2001:db8::1]";
        ipv6_mapped, "[::ffff:c000:201]", Ipv6, "[::ffff:192.0.2.1]";
    }

    macro_rules! no_host {
        ($($name:ident, $host:expr, $error:ident;)+) => {
            $(
                #[test]
                fn $name() {
                    assert_eq!(
                        append_host($host, &mut String::new()),
                        Err(LocationError::$error)
                    );
                }
            )+
        };
    }

    no_host! {
        empty, "", HostMissing;
        dot, ".", HostMissing;
        soft_hyphen_alone, "\u{ad}", HostMissing;
        blank, "a b", HostInvalid;
        blank_in_escapes, "a%20b", HostInvalid;
        slash_in_escapes, "a%2fb", HostInvalid;
        broken_escape, "a%zz", HostInvalid;
        cut_escape, "a%c", HostInvalid;
        latin1_in_escapes, "m%fcller.eu", HostInvalid;
        replacement_character, "m\u{fffd}ller.eu", HostInvalid;
        ipv6_zone, "[fe80::1%25eth0]", HostInvalid;
        ipv6_open, "[::1", HostInvalid;
        ipv6_empty, "[]", HostInvalid;
    }

    #[test]
    fn host_too_long_for_idna_is_invalid() {
        let host = "ü".repeat(MAX_IDNA_BYTES);
        assert_eq!(
            append_host(&host, &mut String::new()),
            Err(LocationError::HostInvalid)
        );
    }
}
