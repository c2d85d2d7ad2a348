//! How text is laid out: nouns with their number, short lists, near names, wrapped lines, columns,
//! and sections of a summary.

use std::{fmt, iter};

use indicatif::HumanCount;
use robocensus::robots::dialect::spelling::distance;

use super::color::width;

/// Returns a number with its noun, which takes an s unless the number is one.
pub fn counted(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", HumanCount(n), if n == 1 { "" } else { "s" })
}

/// Joins the first names of a list, and says how many there are besides.
pub fn listed(names: &[impl AsRef<str>], most: usize) -> String {
    let shown: Vec<_> = names.iter().take(most).map(AsRef::as_ref).collect();
    let more = match names.len().saturating_sub(most) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    shown.join(", ") + &more
}

/// Returns the known name that is nearest to a word, ignoring case, if at most a third of its
/// letters differ.
pub fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let word = word.to_lowercase();
    let apart = known
        .iter()
        .map(|name| (distance(&word, &name.to_lowercase()), *name));
    let (edits, name) = apart.min_by_key(|(edits, _)| *edits)?;
    (edits <= word.chars().count().max(3) / 3).then_some(name)
}

/// Breaks a text behind a mark into lines of at most `width` characters, except for longer words;
/// those below the first begin where its text does.
pub fn wrapped(mark: &str, text: &str, width: usize) -> String {
    let indent = " ".repeat(mark.chars().count());
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is a first line");
        if !line.is_empty() && indent.len() + line.len() + 1 + word.len() > width {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    let marks = iter::once(mark).chain(iter::repeat(&*indent));
    let lines = marks.zip(lines).map(|(mark, line)| format!("{mark}{line}"));
    lines.map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Lays rows out in columns, two blanks apart; colors take no columns.
pub fn columns(rows: &[Vec<String>]) -> String {
    let mut widths = Vec::new();
    for row in rows {
        widths.resize(widths.len().max(row.len()), 0);
        for (widest, cell) in widths.iter_mut().zip(row) {
            *widest = (*widest).max(width(cell));
        }
    }
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths);
        let line: String = cells
            .map(|(cell, widest)| format!("{cell}{:1$}  ", "", widest - width(cell)))
            .collect();
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// A section of a summary: a title, and rows in columns below it.
pub struct Section {
    title: String,
    rows: Vec<SummaryRow>,
}

/// A figure with its name, and what is to be known about it.
pub struct SummaryRow {
    name: String,
    value: String,
    note: String,
}

impl SummaryRow {
    /// Returns a row of a number.
    pub fn count(name: impl ToString, n: u64, note: impl ToString) -> Self {
        Self::new(name, HumanCount(n), note)
    }

    /// Returns a row.
    pub fn new(name: impl ToString, value: impl ToString, note: impl ToString) -> Self {
        Self {
            name: name.to_string(),
            value: value.to_string(),
            note: note.to_string(),
        }
    }
}

impl Section {
    /// Returns a section without rows.
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub fn row(self, name: impl ToString, value: impl ToString, note: impl ToString) -> Self {
        self.rows([SummaryRow::new(name, value, note)])
    }

    /// Adds a row of a number.
    pub fn count(self, name: impl ToString, n: u64, note: impl ToString) -> Self {
        self.rows([SummaryRow::count(name, n, note)])
    }

    /// Adds rows.
    pub fn rows(mut self, rows: impl IntoIterator<Item = SummaryRow>) -> Self {
        self.rows.extend(rows);
        self
    }

    /// Moves the row of this name to the front.
    pub fn with_first(mut self, name: &str) -> Self {
        self.rows.sort_by_key(|row| row.name != name);
        self
    }

    /// Appends the section to a text, behind a blank line; nothing if it has no rows.
    pub fn append_to(&self, text: &mut String) {
        if self.rows.is_empty() {
            return;
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&self.to_string());
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = &self.rows;
        let names = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
        let values = rows.iter().map(|row| row.value.len()).max().unwrap_or(0);
        writeln!(f, "{}", self.title)?;
        for SummaryRow { name, value, note } in rows {
            let line = format!("  {name:names$}  {value:>values$}  {note}");
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_a_third_apart_at_most() {
        let known = ["GPTBot", "CCBot", "ClaudeBot", "*"];
        for (word, near) in [
            ("ccbot", Some("CCBot")),
            ("GTPBot", Some("GPTBot")),
            ("Claude-Bot", Some("ClaudeBot")),
            ("nonsense", None),
            ("", Some("*")),
        ] {
            assert_eq!(nearest(word, &known), near, "{word}");
        }
        assert_eq!(nearest("agnet", &["agent", "dialect"]), Some("agent"));
        assert_eq!(nearest("x", &[]), None);
    }
}
