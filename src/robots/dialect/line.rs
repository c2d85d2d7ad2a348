//! A line as a dialect interprets it, with its tolerances of misspelled keys and missing colons.

use memchr::memchr2;

use super::definition::FieldNames;
use crate::robots::lines::{Field, Span, trim};

/// The interpretation of one line by a dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DialectLine {
    /// The number of the line, from 1.
    pub number: u32,
    /// The offset of the line in the body.
    pub offset: u32,
    pub role: Role,
    /// The field that the key names; for a rule whose key only begins with a rule's name it may be
    /// another known field.
    pub field: Field,
    pub key: Span,
    pub value: Span,
}

/// What a line is for the groups of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    UserAgent,
    Allow,
    Disallow,
    /// A directive with any other key.
    Other,
    /// A line of white space, or for Python an empty one.
    BlankLine,
}

impl Role {
    /// Returns the role of a line with exactly the name of `field` as its key.
    pub fn from_field(field: Field) -> Role {
        match field {
            Field::UserAgent => Role::UserAgent,
            Field::Allow => Role::Allow,
            Field::Disallow => Role::Disallow,
            _ => Role::Other,
        }
    }
}

/// Returns the role of a line with this key, and the field that the key names. `exact` is the field
/// whose whole name the key is.
pub(super) fn classify(names: FieldNames, key: &[u8], exact: Field) -> (Role, Field) {
    match (Role::from_field(exact), names) {
        (Role::Other, FieldNames::GooglePrefixes) => google_prefix(key, exact),
        (role, _) => (role, exact),
    }
}

/// Splits a line without a colon at its first sequence of spaces and tabs, if that is the only one.
pub(super) fn two_words(body: &[u8], content: Span) -> Option<(Span, Span)> {
    let is_separator = |&byte: &u8| byte == b' ' || byte == b'\t';
    let text = content.of(body);
    // A line of an HTML page may be as long as the body.
    let gap = memchr2(b' ', b'\t', text)?;
    let second = gap + text[gap..].iter().position(|byte| !is_separator(byte))?;
    if memchr2(b' ', b'\t', &text[second..]).is_some() {
        return None;
    }
    // The content is trimmed, so only the inner ends of the words can have other white space.
    let key_len = trim(&text[..gap]).len() as u32;
    let value_len = trim(&text[second..]).len() as u32;
    let key = Span::new(content.start, content.start + key_len);
    let value = Span::new(content.end - value_len, content.end);
    Some((key, value))
}

/// Finds the field whose name, or a misspelling of it that Google accepts, `key` begins with, in
/// the order of Google's parser (`GetKeyType` of robots.cc).
fn google_prefix(key: &[u8], exact: Field) -> (Role, Field) {
    const NAMES: [(&[u8], Role, Field); 12] = [
        (b"user-agent", Role::UserAgent, Field::UserAgent),
        (b"useragent", Role::UserAgent, Field::UserAgent),
        (b"user agent", Role::UserAgent, Field::UserAgent),
        (b"allow", Role::Allow, Field::Allow),
        (b"disallow", Role::Disallow, Field::Disallow),
        (b"dissallow", Role::Disallow, Field::Disallow),
        (b"dissalow", Role::Disallow, Field::Disallow),
        (b"disalow", Role::Disallow, Field::Disallow),
        (b"diasllow", Role::Disallow, Field::Disallow),
        (b"disallaw", Role::Disallow, Field::Disallow),
        (b"sitemap", Role::Other, Field::Sitemap),
        (b"site-map", Role::Other, Field::Sitemap),
    ];
    let starts_with = |name: &[u8]| {
        key.get(..name.len())
            .is_some_and(|prefix| prefix.eq_ignore_ascii_case(name))
    };
    // Most other words, above all those of an HTML page, begin with none of these letters.
    let may_start = matches!(
        key.first().map(u8::to_ascii_lowercase),
        Some(b'u' | b'a' | b'd' | b's')
    );
    let mut names = NAMES.iter().filter(|_| may_start);
    match names.find(|(name, ..)| starts_with(name)) {
        // A known field retains its name, so that the line differs from one with a misspelling.
        Some(&(_, role, _)) if exact.is_known() => (role, exact),
        Some(&(_, role, field)) => (role, field),
        None => (Role::Other, exact),
    }
}
