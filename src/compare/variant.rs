//! Paths at the edges of a pattern, and the forms in which the same path can be written.

use std::{borrow::Cow, fmt::Write};

/// A pattern of the file.
pub(super) struct ProbedPattern<'b> {
    text: Cow<'b, str>,
    /// The length without the `$` at the end.
    open_length: usize,
    has_star: bool,
    /// A path: the pattern without its special characters, and with a slash in front.
    plain: Cow<'b, str>,
}

impl<'b> ProbedPattern<'b> {
    pub(super) fn new(text: Cow<'b, str>) -> ProbedPattern<'b> {
        let open = text.strip_suffix('$').unwrap_or(&text);
        let open_length = open.len();
        let has_star = open.contains('*');
        let plain = match &text {
            Cow::Borrowed(whole) if !has_star && whole.starts_with('/') => {
                Cow::Borrowed(&whole[..open_length])
            }
            _ => {
                let mut plain = String::with_capacity(open_length + 1);
                push_filled(open, "", &mut plain);
                Cow::Owned(plain)
            }
        };
        ProbedPattern {
            text,
            open_length,
            has_star,
            plain,
        }
    }
}

/// The variants of a path.
pub(super) const N_VARIANTS: usize = 14;

/// Appends a path for a pattern; returns false where the variant does not apply to it.
///
/// 0 matches the pattern, with text for each `*`; the others are at its edges.
pub(super) fn push_variant(pattern: &ProbedPattern<'_>, number: usize, out: &mut String) -> bool {
    let ProbedPattern { text, plain, .. } = pattern;
    let open = &text[..pattern.open_length];
    let is_anchored = pattern.open_length < text.len();
    match number {
        0 => push_filled(open, "x", out),
        // Behind the end of the pattern: matched unless it is anchored or ends at a word's end.
        1 => {
            out.push_str(plain);
            out.push('x');
        }
        // One character short of it.
        2 if plain.len() > 1 => {
            let mut chars = plain.chars();
            chars.next_back();
            out.push_str(chars.as_str());
        }
        // With and without the slash at the end.
        3 => match plain.strip_suffix('/') {
            Some("") => return false,
            Some(path) => out.push_str(path),
            None => {
                out.push_str(plain);
                out.push('/');
            }
        },
        4 if pattern.has_star => out.push_str(plain),
        5 if pattern.has_star => push_filled(open, "/", out),
        // The special characters as bytes of the path.
        6 if pattern.has_star || is_anchored => {
            let slash = if text.starts_with('/') { "" } else { "/" };
            out.extend([slash, text]);
        }
        7 => return push_with_last_letter_escaped(plain, out),
        8 => return push_unescaped(plain, out),
        9 => return push_with_other_case(plain, out),
        10 => {
            push_filled(open, "x", out);
            out.push_str("?x=1");
        }
        11 => return push_with_other_case_of_escapes(plain, out),
        // The directory of an index page.
        12 => {
            let Some(slash) = plain.rfind('/') else {
                return false;
            };
            out.push_str(&plain[..=slash]);
            return plain[slash..].starts_with("/index");
        }
        13 if pattern.has_star => push_filled(open, "x/y?z", out),
        _ => return false,
    }
    true
}

/// Appends a path with a text for each `*`.
fn push_filled(open: &str, text: &str, out: &mut String) {
    let start = out.len();
    for (number, piece) in open.split('*').enumerate() {
        if number > 0 {
            out.push_str(text);
        }
        out.push_str(piece);
    }
    if !out[start..].starts_with('/') {
        out.insert(start, '/');
    }
}

/// Appends a path with its last letter as a percent escape.
fn push_with_last_letter_escaped(path: &str, out: &mut String) -> bool {
    let bytes = path.as_bytes();
    let is_escape = |at: Option<usize>| at.is_some_and(|at| bytes[at] == b'%');
    let is_free = |at: usize| !is_escape(at.checked_sub(1)) && !is_escape(at.checked_sub(2));
    let is_letter = |&at: &usize| bytes[at].is_ascii_alphabetic() && is_free(at);
    let Some(at) = (0..bytes.len()).rev().find(is_letter) else {
        return false;
    };
    out.push_str(&path[..at]);
    push_escape(bytes[at], out);
    out.push_str(&path[at + 1..]);
    true
}

/// Appends a path with the escapes of printable ASCII decoded; returns false where there are none.
fn push_unescaped(path: &str, out: &mut String) -> bool {
    push_with_escapes(path, out, |hex, out| {
        let value = u8::from_str_radix(hex, 16).ok();
        let printable = value.filter(u8::is_ascii_graphic).map(char::from);
        out.extend(printable);
        printable.is_some()
    })
}

/// Appends a path with what `write` appends in place of each escape, of which it gets the digits;
/// where it returns false the escape stays. Returns false where nothing changes.
fn push_with_escapes(
    path: &str,
    out: &mut String,
    write: impl Fn(&str, &mut String) -> bool,
) -> bool {
    let start = out.len();
    let mut rest = path;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let is_written = (rest.get(at + 1..at + 3)).is_some_and(|hex| write(hex, out));
        rest = &rest[at + if is_written { 3 } else { 1 }..];
        out.extend((!is_written).then_some('%'));
    }
    out.push_str(rest);
    out[start..] != *path
}

/// Appends a text with its letters in the other case; returns false where it has none.
fn push_with_other_case(text: &str, out: &mut String) -> bool {
    let other = |c: char| {
        if c.is_ascii_lowercase() {
            c.to_ascii_uppercase()
        } else {
            c.to_ascii_lowercase()
        }
    };
    out.extend(text.chars().map(other));
    text.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// Appends a path with the letters of its escapes in the other case; returns false where there are
/// none.
fn push_with_other_case_of_escapes(path: &str, out: &mut String) -> bool {
    push_with_escapes(path, out, |hex, out| {
        out.push('%');
        push_with_other_case(hex, out);
        true
    })
}

/// Appends a byte as a percent escape.
pub(super) fn push_escape(byte: u8, out: &mut String) {
    // Writing into a string cannot fail.
    let _ = write!(out, "%{byte:02X}");
}
