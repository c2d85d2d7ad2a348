//! Matching and normalizing by their definitions: as plain as can be, and apart from the library's
//! own code.
//!
//! Enters: patterns and paths. Leaves: what the library must say too. This file refuses to know
//! dialects beyond the words of their questions.

/// Returns true if and only if `pattern` matches a beginning of `path`, where `*` is any run of
/// bytes and a final `$` the end of the path.
///
/// Keeps the set of places in the path that the pattern read so far can have reached.
pub fn matches(pattern: &[u8], path: &[u8]) -> bool {
    let mut places = vec![false; path.len() + 1];
    places[0] = true;
    for (index, &byte) in pattern.iter().enumerate() {
        if byte == b'$' && index + 1 == pattern.len() {
            return places[path.len()];
        }
        if byte == b'*' {
            let mut is_reached = false;
            for place in &mut places {
                is_reached |= *place;
                *place = is_reached;
            }
            continue;
        }
        for at in (0..path.len()).rev() {
            places[at + 1] = places[at] && path[at] == byte;
        }
        places[0] = false;
    }
    places.contains(&true)
}

/// An octet of a pattern or a path, and how it was written.
#[derive(Clone, Copy)]
pub enum Octet {
    /// As itself.
    Bare(u8),
    /// As a percent sign and two hex digits.
    Escaped(u8),
}

/// Takes a text apart into octets. A percent sign without two hex digits behind it is itself.
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
