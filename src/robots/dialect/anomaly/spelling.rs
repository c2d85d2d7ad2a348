//! Keys that are nearly a field.
//!
//! No dialect accepts such a key because of this file; it finds the field that was probably meant.

use crate::robots::{
    dialect::spelling::n_edits,
    lines::{Field, is_blank_byte},
};

/// The longest key that can be a misspelling.
const MAX_LEN: usize = 20;

/// The fields whose misspellings are recognized: short names are too close to other words.
const FIELDS: [Field; 10] = [
    Field::UserAgent,
    Field::Disallow,
    Field::Allow,
    Field::Sitemap,
    Field::CrawlDelay,
    Field::RequestRate,
    Field::VisitTime,
    Field::CleanParam,
    Field::ContentSignal,
    Field::ContentUsage,
];

/// Returns the field that `key` misspells: at most one edit away from a short name, two from a long
/// one, where an edit is a byte too many, too few, wrong, or swapped with its neighbor.
pub(super) fn near_miss(key: &[u8]) -> Option<Field> {
    if key.len() < 4 || key.len() > MAX_LEN {
        return None;
    }
    let key = &key.to_ascii_lowercase()[..];
    let letters = letters_of(key);
    let close = FIELDS.into_iter().filter_map(|field| {
        let name = field.as_str().as_bytes();
        let most = if name.len() < 7 { 1 } else { 2 };
        // An edit changes the length by at most one and removes at most one letter, so most words
        // are excluded without counting edits.
        let is_lengthy = key.len().abs_diff(name.len()) > most;
        if is_lengthy || (letters_of(name) & !letters).count_ones() as usize > most {
            return None;
        }
        let distance = n_edits(key, name);
        (distance <= most).then_some((distance, field))
    });
    close
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, field)| field)
}

/// Returns the field with which a line without a colon begins. A misspelled one counts only where
/// something follows.
pub(super) fn leading_field(content: &[u8]) -> Option<Field> {
    let ends = |&byte: &u8| is_blank_byte(byte) || !byte.is_ascii() || byte == b'=';
    let end = content.iter().position(ends).unwrap_or(content.len());
    let word = &content[..end];
    match Field::from_key(word) {
        // These are also words of plain English.
        Field::Comment | Field::Host | Field::Domain | Field::License => None,
        Field::Unknown => near_miss(word).filter(|_| end < content.len()),
        field => Some(field),
    }
}

/// Returns a set of the letters of `text`, in any case; bytes that share their lowest five bits
/// with a letter count as it.
fn letters_of(text: &[u8]) -> u32 {
    text.iter().fold(0, |set, byte| set | 1 << (byte & 31))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspellings_are_recognized() {
        for (key, field) in [
            (&b"Disalow"[..], Field::Disallow),
            (b"dissallow", Field::Disallow),
            (b"DISALLW", Field::Disallow),
            (b"dsiallow", Field::Disallow),
            (b"alow", Field::Allow),
            (b"user agent", Field::UserAgent),
            (b"User_agent", Field::UserAgent),
            (b"er-agent", Field::UserAgent),
            (b"site map", Field::Sitemap),
            (b"crawldelay", Field::CrawlDelay),
        ] {
            assert_eq!(near_miss(key), Some(field), "{key:?}");
        }
    }

    #[test]
    fn other_words_are_not() {
        for key in [
            &b""[..],
            b"all",
            b"http",
            b"follow",
            b"noindex",
            b"index",
            b"<a href=\"http",
        ] {
            assert_eq!(near_miss(key), None, "{key:?}");
        }
    }

    #[test]
    fn a_line_without_colon_may_begin_with_a_field() {
        assert_eq!(leading_field(b"Disallow /x y"), Some(Field::Disallow));
        assert_eq!(leading_field(b"Disallow"), Some(Field::Disallow));
        assert_eq!(
            leading_field(b"user-agent\xef\xbc\x9a*"),
            Some(Field::UserAgent)
        );
        assert_eq!(leading_field(b"host names follow"), None);
        assert_eq!(leading_field(b"hello world"), None);
    }
}
