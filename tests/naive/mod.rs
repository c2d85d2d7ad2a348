//! Matching and normalizing by their definitions, as plain as can be and independent of the code of
//! the library.
//!
//! The unit tests of the library and the fuzz targets compile this module too.

pub mod google;

/// Returns true if and only if `pattern` matches a beginning of `path`, where `*` is any run of
/// bytes and a final `$` the end of the path.
///
/// Tracks the set of positions in the path that the pattern read so far can have reached.
pub fn matches(pattern: &[u8], path: &[u8]) -> bool {
    let mut reached = vec![false; path.len() + 1];
    reached[0] = true;
    for (index, &byte) in pattern.iter().enumerate() {
        if byte == b'$' && index + 1 == pattern.len() {
            return reached[path.len()];
        }
        if byte == b'*' {
            let mut is_reached = false;
            for position in &mut reached {
                is_reached |= *position;
                *position = is_reached;
            }
            continue;
        }
        for at in (0..path.len()).rev() {
            reached[at + 1] = reached[at] && path[at] == byte;
        }
        reached[0] = false;
    }
    reached.contains(&true)
}

/// An octet of a pattern or a path, and how it was written.
#[derive(Clone, Copy)]
pub enum Octet {
    /// As itself.
    Bare(u8),
    /// As a percent sign and two hex digits.
    Escaped(u8),
}

/// Splits a text into octets. A percent sign without two hex digits after it is an octet itself.
pub fn octets(text: &[u8]) -> Vec<Octet> {
    let mut octets = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let digits = text.get(at + 1..at + 3).filter(|_| text[at] == b'%');
        let digits = digits.filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let value = digits
            .and_then(|digits| str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        octets.push(value.map_or(Octet::Bare(text[at]), Octet::Escaped));
        at += if value.is_some() { 3 } else { 1 };
    }
    octets
}

/// Returns the escape of an octet.
pub fn escape(octet: u8) -> Vec<u8> {
    format!("%{octet:02X}").into_bytes()
}
