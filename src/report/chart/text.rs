//! Widths of text, by which labels are cut and wrapped before a program draws them.
//!
//! The font of a reader is not known. Widths are those of DejaVu Sans, which is wider than
//! Helvetica, Arial and Liberation Sans, so that text of these fits too.

use serde_json::Value;

use crate::report::words;

/// Advance widths of the characters from U+0020 to U+007E in DejaVu Sans, in hundredths of the
/// font size.
const WIDTHS: [u8; 95] = [
    32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75,
    79, 60, 79, 69, 63, 61, 73, 68, 99, 69, 61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35,
    63, 63, 28, 28, 58, 28, 97, 63, 61, 63, 63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84,
];
/// How much wider bold text is than regular text.
const BOLD: f64 = 1.15;

/// Returns the width of text in pixels.
pub fn width(text: &str, size: f64) -> f64 {
    text.chars().map(|c| of_char(c, size)).sum()
}

/// Returns the width of the widest of some texts in pixels; 0 where there is none.
pub fn widest<T: AsRef<str>>(texts: impl IntoIterator<Item = T>, size: f64) -> f64 {
    let widths = texts.into_iter().map(|text| width(text.as_ref(), size));
    widths.fold(0.0, f64::max)
}

fn of_char(c: char, size: f64) -> f64 {
    let hundredths = match c {
        ' '..='~' => WIDTHS[c as usize - 0x20],
        '\u{a0}' => 32,
        // Letters of Latin, Greek, Cyrillic, Hebrew and Arabic; beyond them, ideographs and signs.
        '\u{a1}'..='\u{7ff}' => 70,
        _ => 100,
    };
    f64::from(hundredths) * size / 100.0
}

/// Returns text without characters that XML forbids, change its direction or control a terminal.
pub fn clean(text: &str) -> String {
    words::plain(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

/// Returns text cut to a width, with an ellipsis for the rest.
pub fn cut(text: &str, size: f64, most: f64) -> String {
    if width(text, size) <= most {
        return text.to_owned();
    }
    let most = most - of_char('\u{2026}', size);
    let mut so_far = 0.0;
    let fits = |c: &char| {
        so_far += of_char(*c, size);
        so_far <= most
    };
    let begin: String = text.chars().take_while(fits).collect();
    format!("{}\u{2026}", begin.trim_end())
}

/// Returns text in lines of a width, of which there are at most `most_lines`; what is left ends in
/// an ellipsis. A word that is longer than a line is broken.
pub fn wrap(text: &str, size: f64, is_bold: bool, most: f64, most_lines: usize) -> Vec<String> {
    let most = if is_bold { most / BOLD } else { most };
    let mut lines = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let mut so_far = 0.0;
        let too_long = rest.char_indices().find(|&(_, c)| {
            so_far += of_char(c, size);
            so_far > most
        });
        if lines.len() + 1 == most_lines {
            lines.push(cut(rest, size, most));
            break;
        }
        let end = match too_long {
            None => rest.len(),
            // At least one character, so that it ends.
            Some((0, c)) => c.len_utf8(),
            Some((at, c)) => rest[..at + c.len_utf8()].rfind(' ').unwrap_or(at),
        };
        lines.push(rest[..end].trim_end().to_owned());
        rest = rest[end..].trim_start();
    }
    lines
}

/// Returns a value as text; NULL is `None`.
pub fn shown(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) if text.is_empty() => Some("(empty)".to_owned()),
        Value::String(text) if text == "*" => Some("any other agent (*)".to_owned()),
        Value::String(text) => Some(clean(text)),
        value => Some(clean(&value.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_to_its_width() {
        assert_eq!(cut("short", 10.0, 100.0), "short");
        let long = cut(&"m".repeat(50), 10.0, 100.0);
        assert_eq!(long, format!("{}\u{2026}", "m".repeat(9)));
        assert!(width(&long, 10.0) <= 100.0);
    }

    #[test]
    fn text_is_wrapped_and_its_end_is_marked() {
        let lines = wrap("one two three four five", 10.0, false, 50.0, 2);
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0], "one two");
        assert!(lines[1].ends_with('\u{2026}'), "{lines:?}");
        assert!(lines.iter().all(|line| width(line, 10.0) <= 50.0));
        assert_eq!(wrap("one two", 10.0, false, 500.0, 2), ["one two"]);
        assert!(wrap(" ", 10.0, false, 500.0, 2).is_empty());
    }

    #[test]
    fn nothing_that_xml_forbids_is_left() {
        assert_eq!(
            clean("a\u{0}\u{fffe}\u{ffff}\u{202e}"),
            "a\u{fffd}\u{fffd}\u{fffd}\u{fffd}"
        );
    }
}
