//! Escapes text of archives, files and file names for a terminal.
//!
//! No character of the result moves the cursor, colors, renames the window or reorders its
//! neighbors: C0, DEL, C1 and the characters that override the direction of text (Unicode TR36,
//! 3.6.2) are escaped.

use std::{
    borrow::Cow,
    io::{self, Write},
};

/// Which characters are escaped, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EscapeStyle {
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
            if self != Self::Json {
                text.push_str(&chunk.invalid().escape_ascii().to_string());
            } else if !chunk.invalid().is_empty() {
                text.push(char::REPLACEMENT_CHARACTER);
            }
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

/// Writes a message to standard error, as one line.
pub fn print_message(message: &str) {
    // Whoever closed standard error wants no messages; eprintln! would panic.
    let _ = writeln!(io::stderr(), "robocensus: {}", line(message));
}

/// Writes a text of several lines to standard error.
pub fn print_lines(text: &str) {
    let _ = io::stderr().write_all(lines(text).as_bytes());
}

/// A writer that escapes what is written to it.
pub struct EscapingWriter<W> {
    inner: W,
    style: EscapeStyle,
    /// The first bytes of an incomplete character.
    cut: Vec<u8>,
}

impl<W: Write> EscapingWriter<W> {
    /// Returns a writer to `inner`.
    pub fn new(inner: W, style: EscapeStyle) -> Self {
        Self {
            inner,
            style,
            cut: Vec::new(),
        }
    }

    /// Writes an incomplete character at the end, and flushes.
    ///
    /// # Errors
    ///
    /// Those of the inner writer.
    pub fn finish(mut self) -> io::Result<()> {
        let cut = std::mem::take(&mut self.cut);
        self.pass(&cut)?;
        self.inner.flush()
    }

    fn pass(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Ok(text) = std::str::from_utf8(bytes) {
            return self.inner.write_all(self.style.escaped(text).as_bytes());
        }
        let mut text = String::with_capacity(bytes.len());
        self.style.append(&mut text, bytes);
        self.inner.write_all(text.as_bytes())
    }
}

impl<W: Write> Write for EscapingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut held = std::mem::take(&mut self.cut);
        held.extend_from_slice(bytes);
        self.cut = held.split_off(held.len() - cut_at_end(&held));
        self.pass(&held)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Returns how many bytes at the end are the beginning of a character.
fn cut_at_end(bytes: &[u8]) -> usize {
    let is_cut = |&n: &usize| {
        let end = &bytes[bytes.len() - n..];
        matches!(std::str::from_utf8(end), Err(e) if e.valid_up_to() == 0 && e.error_len().is_none())
    };
    (1..=bytes.len().min(3)).find(is_cut).unwrap_or(0)
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
    fn a_stream_is_escaped_alike_wherever_it_is_split() {
        let text = [
            SAFE.as_bytes(),
            b"\x1b[31m\xff\xc3(\xe2\x82 \xc2\x9b \xe2\x80\xae\xf0\x9f",
        ]
        .concat();
        let mut whole = String::new();
        EscapeStyle::Text.append(&mut whole, &text);
        assert!(
            whole.ends_with(r"\u{1b}[31m\xff\xc3(\xe2\x82 \u{9b} \u{202e}\xf0\x9f"),
            "{whole}"
        );
        for size in 1..=text.len() {
            let mut written = Vec::new();
            let mut escaped = EscapingWriter::new(&mut written, EscapeStyle::Text);
            for part in text.chunks(size) {
                escaped.write_all(part).expect("a vector takes all");
            }
            escaped.finish().expect("a vector takes all");
            assert_eq!(
                String::from_utf8(written).as_deref(),
                Ok(whole.as_str()),
                "{size}"
            );
        }
    }
}
