//! Escapes text of archives, files and file names for a terminal.
//!
//! No character of the result moves the cursor, colors, renames the window or reorders its
//! neighbors: C0, DEL, C1 and the characters that override the direction of text (Unicode TR36,
//! 3.6.2) are escaped.

use std::{
    borrow::Cow,
    io::{self, BufRead, Write},
};

use serde::Serialize;

/// Which characters are escaped, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EscapeStyle {
    /// Lines of text: `\u{1b}`, and `\xff` for a byte that is no UTF-8. Line ends and tabs stay.
    Text,
    /// One line of text: line ends and tabs are escaped too.
    Line,
    /// Text in which every byte that is not printable is escaped, also blanks other than spaces and
    /// characters without a width, so that texts that differ also look different.
    Evidence,
    /// JSON, where an escape stands for the same character: `\u001b`. Line ends stay, since they
    /// are never part of a string.
    Json,
}

impl EscapeStyle {
    fn escapes(self, char: char) -> bool {
        match (self, char) {
            (Self::Text, '\n' | '\t') | (Self::Json, '\n') => false,
            (Self::Evidence, char) => is_unsafe(char) || is_invisible(char),
            (_, char) => is_unsafe(char),
        }
    }

    fn append(self, text: &mut String, bytes: &[u8]) {
        for chunk in bytes.utf8_chunks() {
            for char in chunk.valid().chars() {
                if !self.escapes(char) {
                    text.push(char);
                } else if self == Self::Json {
                    // All of these characters are below U+10000.
                    text.push_str(&format!("\\u{:04x}", u32::from(char)));
                } else {
                    text.extend(char.escape_default());
                }
            }
            // JSON is given as UTF-8, which has none of these bytes.
            text.push_str(&chunk.invalid().escape_ascii().to_string());
        }
    }

    fn escaped(self, text: &str) -> Cow<'_, str> {
        if !text.contains(|char| self.escapes(char)) {
            return Cow::Borrowed(text);
        }
        let mut escaped = String::with_capacity(text.len() + text.len() / 8);
        self.append(&mut escaped, text.as_bytes());
        Cow::Owned(escaped)
    }
}

/// Returns whether a terminal may obey a character, or reorder text by it.
fn is_unsafe(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns a text of lines without characters that a terminal may obey.
pub fn lines(text: &str) -> Cow<'_, str> {
    EscapeStyle::Text.escaped(text)
}

/// Returns a text as one line without characters that a terminal may obey.
pub fn line(text: &str) -> Cow<'_, str> {
    EscapeStyle::Line.escaped(text)
}

/// Returns JSON with the same meaning and without characters that a terminal may obey.
pub fn json(text: &str) -> Cow<'_, str> {
    EscapeStyle::Json.escaped(text)
}

/// Returns text in which every byte that is not printable, or not UTF-8, is escaped.
pub fn evidence(bytes: &[u8]) -> String {
    let mut text = String::new();
    EscapeStyle::Evidence.append(&mut text, bytes);
    text
}

/// Returns the beginning of a text that is longer than `most` characters.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}..", &text[..at]),
        None => text.to_owned(),
    }
}

fn is_invisible(char: char) -> bool {
    char.is_whitespace() && char != ' '
        || matches!(
            char,
            '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202f}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// Writes a value to standard output as JSON of several lines, without characters that a terminal
/// may obey. What the value makes while it is written is not held.
pub fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    let mut out = JsonWriter(io::BufWriter::with_capacity(1 << 16, io::stdout().lock()));
    serde_json::to_writer_pretty(&mut out, value).map_err(io::Error::from)?;
    out.write_all(b"\n")?;
    Ok(out.flush()?)
}

/// Writes JSON, of which it gets whole characters at a time, as [`json`] returns it.
struct JsonWriter<W>(W);

impl<W: Write> Write for JsonWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = str::from_utf8(bytes).map_err(io::Error::other)?;
        self.0.write_all(json(text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Writes a text to standard output.
pub fn print(text: &str) -> io::Result<()> {
    io::stdout().write_all(text.as_bytes())
}

/// Writes a message to standard error, as one line.
pub fn print_message(message: &str) {
    // Whoever closed standard error wants no messages; eprintln! would panic.
    let _ = writeln!(io::stderr(), "robocensus: {}", line(message));
}

/// Writes the first of some messages to standard error, each behind `before`, and how many more
/// there are, which `others` names.
pub fn print_first(before: &str, messages: &[String], most: usize, others: &str) {
    for message in messages.iter().take(most) {
        print_message(&format!("{before}: {message}"));
    }
    if messages.len() > most {
        let more = messages.len() - most;
        print_message(&format!("{before}: and {more} more {others}"));
    }
}

/// Writes a text of several lines to standard error.
pub fn print_lines(text: &str) {
    let _ = io::stderr().write_all(lines(text).as_bytes());
}

/// Copies text to standard output without characters that a terminal may obey.
pub fn print_from(text: &mut impl BufRead) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let mut line = Vec::new();
    let mut escaped = String::new();
    // No character has a line end in it, so that none is split.
    while text.read_until(b'\n', &mut line)? > 0 {
        EscapeStyle::Text.append(&mut escaped, &line);
        out.write_all(escaped.as_bytes())?;
        line.clear();
        escaped.clear();
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One character of each kind that a terminal may obey.
    const UNSAFE: [char; 12] = [
        '\0', '\u{7}', '\r', '\u{1b}', '\u{7f}', '\u{80}', '\u{9b}', '\u{9f}', '\u{200e}',
        '\u{202a}', '\u{202e}', '\u{2069}',
    ];
    const SAFE: &str = "a é ü \u{a0} 漢字 👩\u{200d}💻 \\ \" \u{2070} \u{2029}";

    #[test]
    fn what_a_terminal_obeys_is_escaped_and_nothing_else() {
        for char in UNSAFE {
            let text = format!("a{char}b");
            let wanted = format!("a{}b", char.escape_default());
            assert_eq!(lines(&text), wanted);
            assert_eq!(line(&text), wanted);
            assert_eq!(evidence(text.as_bytes()), wanted);
        }
        assert!(matches!(lines(SAFE), Cow::Borrowed(SAFE)));
        assert!(matches!(line(SAFE), Cow::Borrowed(SAFE)));
        assert_eq!(lines("a\tb\nc"), "a\tb\nc");
        assert_eq!(line("a\tb\nc"), "a\\tb\\nc");
        assert_eq!(evidence("a\u{a0}\u{200d}".as_bytes()), "a\\u{a0}\\u{200d}");
    }

    #[test]
    fn escaped_json_means_the_same() {
        let text: String = UNSAFE.iter().collect::<String>() + SAFE;
        let written = serde_json::to_string(&text).expect("a text is JSON");
        let escaped = json(&written);
        assert!(!escaped.contains(is_unsafe), "{escaped}");
        let read: String = serde_json::from_str(&escaped).expect("it is still JSON");
        assert_eq!(read, text);
    }

    #[test]
    fn bytes_that_are_no_text_are_escaped_one_by_one() {
        let mut escaped = String::new();
        let bytes = b"\x1b[31m\xff\xc3(\xe2\x82 \xc2\x9b \xe2\x80\xae\xf0\x9f";
        EscapeStyle::Text.append(&mut escaped, bytes);
        let wanted = r"\u{1b}[31m\xff\xc3(\xe2\x82 \u{9b} \u{202e}\xf0\x9f";
        assert_eq!(escaped, wanted);
    }
}
