//! The letters that a path-pattern and a URL, or a user-agent line and an agent, are written with:
//! what a reduction removes or replaces in both at once.
//!
//! A pattern `/shop` and a URL `/shop` differ as soon as a letter is removed from one of them, so
//! that neither becomes shorter alone. And what parsers disagree about is hardly ever the letter:
//! names are written in as few letters as the flip needs, so that one cause has one example,
//! whatever the file in which it was found.

use std::{collections::HashMap, iter, ops::Range};

use super::example::{Example, is_agent_line, line_end, lines, path_start};

/// The texts in which letters are removed or replaced together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// The agent, and the values of user-agent lines.
    Agent,
    /// The path of the URL, and the values of all other lines.
    Path,
}

/// How a letter is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    Plain,
    /// As percent escapes, with upper-case or without letters.
    Escaped,
    /// As percent escapes with lower-case letters.
    EscapedLower,
}

/// A character or, where text is not UTF-8, a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Letter {
    /// The code point, or [`BYTE`] and the byte.
    pub code: u32,
    pub form: Form,
}

/// What is added to a byte that is no UTF-8.
const BYTE: u32 = 0x11_0000;
/// The letters with which examples are written where that does not matter, in this order: most
/// need one, those of two names a second one, and those of letter case another one.
const USUAL: [char; 5] = ['a', 'b', 'c', 'A', 'B'];

impl Letter {
    pub(super) fn is(self, c: char) -> bool {
        self.code == u32::from(c)
    }

    /// Returns true if and only if it is the same character, however it is written.
    pub(super) fn is_same(self, other: Letter) -> bool {
        self.code == other.code
    }

    /// Returns it in the other case; `None` for what has no case.
    pub(super) fn in_other_case(self) -> Option<Letter> {
        let byte = u8::try_from(self.code).ok()?;
        let code = u32::from(byte ^ 0x20);
        byte.is_ascii_alphabetic()
            .then_some(Letter { code, ..self })
    }

    /// Returns `to`, written as it is itself, in place of `from`; any other letter as it is.
    pub(super) fn replaced(self, from: Letter, to: Letter) -> Letter {
        let code = if self.is_same(from) {
            to.code
        } else {
            self.code
        };
        Letter { code, ..self }
    }

    /// Returns the letters that are more usual, the most usual first: of `*`, which matches every
    /// path as `/` does, that one, and of an upper-case letter at last the lower-case one.
    pub(super) fn more_usual(self, scope: Scope) -> impl Iterator<Item = Letter> {
        let slash = self.is('*').then_some(u32::from('/'));
        let lower = self.in_other_case().filter(|lower| lower.code > self.code);
        let lower = lower.map(|lower| lower.code);
        let of_kind = self.of_kind(scope);
        let usual = USUAL.map(u32::from).into_iter().chain([of_kind]);
        let usual = slash.into_iter().chain(usual).chain(lower);
        let usual = usual.map(move |code| Letter { code, ..self });
        usual.take_while(move |usual| !usual.is_same(self))
    }

    /// Returns the usual one of its kind, by what RFC 3986, section 3.3, lets a path have, and RFC
    /// 9309, section 2.2.1, a name: one of another kind may be odd for another reason. Blanks and
    /// slashes, which end names for many parsers, are kinds of their own.
    fn of_kind(self, scope: Scope) -> u32 {
        match char::from_u32(self.code) {
            None => BYTE + 0xFF,
            Some('0'..='9') => '0'.into(),
            Some(' ' | '*' | '-' | '/' | '_') if scope == Scope::Agent => self.code,
            Some(c) if scope == Scope::Agent && c.is_ascii_punctuation() => '!'.into(),
            Some('!' | '$' | '&' | '\'' | '(' | ')' | '*' | '+' | ',' | ';' | '=' | ':' | '@') => {
                '!'.into()
            }
            Some('[' | ']') => '['.into(),
            Some(' ' | '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}') => '{'.into(),
            Some(c) if !c.is_ascii() => '\u{e9}'.into(),
            Some(_) => self.code,
        }
    }

    fn push(self, out: &mut Vec<u8>) {
        let mut buffer = [0; 4];
        let bytes = match char::from_u32(self.code) {
            Some(c) => c.encode_utf8(&mut buffer).as_bytes(),
            None => {
                buffer[0] = (self.code - BYTE) as u8;
                &buffer[..1]
            }
        };
        for byte in bytes {
            match self.form {
                Form::Plain => out.push(*byte),
                Form::Escaped => out.extend(format!("%{byte:02X}").bytes()),
                Form::EscapedLower => out.extend(format!("%{byte:02x}").bytes()),
            }
        }
    }
}

/// Returns the letters of a text.
fn letters(mut text: &[u8]) -> Vec<Letter> {
    let mut letters = Vec::new();
    while let Some((letter, length)) = first_letter(text) {
        letters.push(letter);
        text = &text[length..];
    }
    letters
}

/// Returns the first letter of a text, and the bytes that it takes.
fn first_letter(text: &[u8]) -> Option<(Letter, usize)> {
    let mut escaped = Vec::new();
    while escaped.len() < 4
        && let Some(byte) = escape(&text[3 * escaped.len()..])
    {
        escaped.push(byte);
    }
    if let Some((code, n_bytes)) = first_code(&escaped) {
        let length = 3 * n_bytes;
        let is_lower = text[..length].iter().any(u8::is_ascii_lowercase);
        let form = if is_lower {
            Form::EscapedLower
        } else {
            Form::Escaped
        };
        return Some((Letter { code, form }, length));
    }
    let (code, length) = first_code(&text[..text.len().min(4)])?;
    let form = Form::Plain;
    Some((Letter { code, form }, length))
}

/// Returns the code of the first character of some bytes, or of the first byte, and its length.
fn first_code(bytes: &[u8]) -> Option<(u32, usize)> {
    let first = *bytes.first()?;
    let valid = bytes.utf8_chunks().next()?.valid();
    Some(match valid.chars().next() {
        Some(c) => (c.into(), c.len_utf8()),
        None => (BYTE + u32::from(first), 1),
    })
}

/// Returns the byte of the escape that a text begins with.
fn escape(text: &[u8]) -> Option<u8> {
    let hex = text.strip_prefix(b"%")?.get(..2)?;
    let is_hex = hex.iter().all(u8::is_ascii_hexdigit);
    let hex = str::from_utf8(hex).ok().filter(|_| is_hex)?;
    u8::from_str_radix(hex, 16).ok()
}

/// Returns the agent or the path, and behind it the values of lines.
fn texts(example: &Example, scope: Scope) -> impl Iterator<Item = &[u8]> {
    let values = lines(&example.body).map(move |line| &line[value_of(line, scope)]);
    iter::once(asked(example, scope)).chain(values)
}

/// Returns the distinct letters of the agent or of the path, and behind them those of lines.
pub(super) fn letters_of(example: &Example, scope: Scope) -> Vec<Letter> {
    let mut distinct: Vec<Letter> = Vec::new();
    for letter in texts(example, scope).flat_map(letters) {
        if !distinct.contains(&letter) {
            distinct.push(letter);
        }
    }
    distinct
}

/// Returns how often a character is in the agent or in the path.
pub(super) fn n_asked(example: &Example, scope: Scope, letter: Letter) -> usize {
    n_in(asked(example, scope), letter)
}

/// Returns how often a character is in that text in which it is most often.
pub(super) fn n_most(example: &Example, scope: Scope, letter: Letter) -> usize {
    let counts = texts(example, scope).map(|text| n_in(text, letter));
    counts.max().unwrap_or_default()
}

fn n_in(text: &[u8], letter: Letter) -> usize {
    let letters = letters(text).into_iter();
    letters.filter(|other| other.is_same(letter)).count()
}

/// Returns an example with other letters: `change` gets each one with the number of the same
/// characters before it in its line or in what is asked, and returns what is to take its place.
/// `None` if that is no text.
pub(super) fn rewrite(
    example: &Example,
    scope: Scope,
    change: impl Fn(Letter, usize) -> Option<Letter>,
) -> Option<Example> {
    let changed = |text: &[u8]| {
        let mut out = Vec::with_capacity(text.len());
        let mut n_before: HashMap<u32, usize> = HashMap::new();
        for letter in letters(text) {
            let n_before = n_before.entry(letter.code).or_default();
            if let Some(letter) = change(letter, *n_before) {
                letter.push(&mut out);
            }
            *n_before += 1;
        }
        out
    };
    let mut body = Vec::with_capacity(example.body.len());
    for line in lines(&example.body) {
        let value = value_of(line, scope);
        body.extend_from_slice(&line[..value.start]);
        body.extend(changed(&line[value.clone()]));
        body.extend_from_slice(&line[value.end..]);
    }
    let asked = asked(example, scope);
    let text = String::from_utf8(changed(asked)).ok()?;
    let (agent, url) = match scope {
        Scope::Agent => (text, example.url.clone()),
        Scope::Path => {
            let origin = &example.url[..example.url.len() - asked.len()];
            (example.agent.clone(), format!("{origin}{text}"))
        }
    };
    Some(Example { body, agent, url })
}

/// Returns the agent, or the URL from the slash of its path on.
fn asked(example: &Example, scope: Scope) -> &[u8] {
    match scope {
        Scope::Agent => example.agent.as_bytes(),
        Scope::Path => {
            let url = example.url.as_bytes();
            let start = path_start(&example.url);
            let has_slash = url[..start].ends_with(b"/");
            &url[start - usize::from(has_slash)..]
        }
    }
}

/// Returns where the value of a line is, without the end of the line; nothing if it is not one of
/// these texts.
fn value_of(line: &[u8], scope: Scope) -> Range<usize> {
    let end = line_end(line);
    let colon = line[..end].iter().position(|&byte| byte == b':');
    let start = colon.map_or(0, |colon| colon + 1);
    let is_in = is_agent_line(&line[..start]) == (scope == Scope::Agent);
    if is_in { start..end } else { end..end }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_is_written_as_the_usual_one_of_its_kind() {
        let usual = |c: char, scope| {
            let (letter, _) = first_letter(c.encode_utf8(&mut [0; 4]).as_bytes()).unwrap();
            char::from_u32(letter.of_kind(scope)).unwrap()
        };
        for (c, of_agent, of_path) in [
            ('.', '!', '.'),
            ('[', '!', '['),
            ('&', '!', '!'),
            (' ', ' ', '{'),
            ('/', '/', '/'),
            ('_', '_', '_'),
            ('7', '0', '0'),
            ('\u{fc}', '\u{e9}', '\u{e9}'),
        ] {
            let both = [Scope::Agent, Scope::Path].map(|scope| usual(c, scope));
            assert_eq!(both, [of_agent, of_path], "{c}");
        }
    }
}
