//! Keys that are nearly a field.
//!
//! No dialect accepts such a key because of this file; it finds the field that was probably meant.

use crate::robots::lines::{Field, is_blank_byte};

/// The longest key that can be a misspelling.
const MAX_LEN: usize = 20;

/// The fields whose misspellings are recognized, with their letters: short names are too close to
/// other words.
const FIELDS: [(Field, u32); 10] = [
    with_letters(Field::UserAgent),
    with_letters(Field::Disallow),
    with_letters(Field::Allow),
    with_letters(Field::Sitemap),
    with_letters(Field::CrawlDelay),
    with_letters(Field::RequestRate),
    with_letters(Field::VisitTime),
    with_letters(Field::CleanParam),
    with_letters(Field::ContentSignal),
    with_letters(Field::ContentUsage),
];

/// Returns the field that `key` misspells: at most one edit away from a short name, two from a long
/// one, where an edit is a byte too many, too few, wrong, or swapped with its neighbor.
pub(super) fn near_miss(key: &[u8]) -> Option<Field> {
    if key.len() < 4 || key.len() > MAX_LEN {
        return None;
    }
    let letters = letters_of(key);
    let close = FIELDS.iter().filter_map(|&(field, needed)| {
        let name = field.as_str().as_bytes();
        let most = if name.len() < 7 { 1 } else { 2 };
        // An edit changes the length by at most one and removes at most one letter, so most words
        // are excluded without counting edits.
        let is_lengthy = key.len().abs_diff(name.len()) > most;
        if is_lengthy || (needed & !letters).count_ones() as usize > most {
            return None;
        }
        let distance = distance(key, name);
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
const fn letters_of(text: &[u8]) -> u32 {
    let mut set = 0;
    let mut at = 0;
    while at < text.len() {
        set |= 1 << (text[at] & 31);
        at += 1;
    }
    set
}

const fn with_letters(field: Field) -> (Field, u32) {
    (field, letters_of(field.as_str().as_bytes()))
}

/// The number of edits between `key`, in any letter case, and `name`: optimal string alignment, row
/// by row.
fn distance(key: &[u8], name: &[u8]) -> usize {
    const WIDTH: usize = MAX_LEN + 1;
    let mut before = [0u8; WIDTH];
    let mut last: [u8; WIDTH] = std::array::from_fn(|column| column as u8);
    for (row, byte) in key
        .iter()
        .map(u8::to_ascii_lowercase)
        .enumerate()
        .take(MAX_LEN)
    {
        let mut current = [row as u8 + 1; WIDTH];
        for (at, &other) in name.iter().enumerate().take(MAX_LEN) {
            let substituted = last[at] + u8::from(byte != other);
            let mut least = substituted.min(last[at + 1] + 1).min(current[at] + 1);
            let is_swap = row > 0
                && at > 0
                && key[row - 1].eq_ignore_ascii_case(&other)
                && name[at - 1] == byte;
            if is_swap {
                least = least.min(before[at - 1] + 1);
            }
            current[at + 1] = least;
        }
        before = last;
        last = current;
    }
    usize::from(last[name.len().min(MAX_LEN)])
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
