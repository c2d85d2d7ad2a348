//! How text is laid out: nouns with their number, short lists, near names, wrapped lines, columns,
//! and sections of a summary.

use std::iter;

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

/// Lays lines out in columns, two blanks apart: their cells are separated by tabs, and colors take
/// no columns.
pub fn columns(text: &str) -> String {
    let rows: Vec<Vec<_>> = text.lines().map(|row| row.split('\t').collect()).collect();
    let mut widths = Vec::new();
    for row in &rows {
        widths.resize(widths.len().max(row.len()), 0);
        for (widest, cell) in widths.iter_mut().zip(row) {
            *widest = (*widest).max(width(cell));
        }
    }
    let mut text = String::new();
    for row in rows {
        let cells = row.into_iter().zip(&widths);
        let line: String = cells
            .map(|(cell, widest)| format!("{cell}{:1$}  ", "", widest - width(cell)))
            .collect();
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Lays lines out in columns as [`columns`] does; the last cell of each is a text, which is broken
/// into lines of at most `width` characters.
pub fn definitions(text: &str, width: usize) -> String {
    let rows = text.lines().filter_map(|row| row.rsplit_once('\t'));
    let (names, texts): (Vec<_>, Vec<_>) = rows.unzip();
    let names = columns(&names.join("\n"));
    let longest = names.lines().map(|name| name.chars().count()).max();
    let longest = longest.unwrap_or_default();
    let rows = names.lines().zip(texts);
    rows.map(|(name, text)| wrapped(&format!("{name:longest$}  "), text, width))
        .collect()
}

/// Lays out sections, which are separated by blank lines: each has a title, and below it rows of a
/// name, a figure and a note, separated by tabs.
pub fn sections(text: &str) -> String {
    let blocks = text.split("\n\n").map(|block| block.trim_matches('\n'));
    let blocks = blocks.filter(|block| !block.is_empty());
    blocks.map(section).collect::<Vec<_>>().join("\n")
}

fn section(block: &str) -> String {
    let (title, rows) = block.split_once('\n').unwrap_or((block, ""));
    let rows: Vec<_> = rows.lines().map(cells).collect();
    let widest = |column: usize| rows.iter().map(|row| row[column].len()).max();
    let [names, figures] = [0, 1].map(|column| widest(column).unwrap_or_default());
    let mut text = format!("{title}\n");
    for [name, figure, note] in rows {
        let line = format!("  {name:names$}  {figure:>figures$}  {note}");
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn cells(row: &str) -> [&str; 3] {
    let mut cells = row.splitn(3, '\t');
    [(); 3].map(|()| cells.next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_section_are_aligned() {
        let text = "\n\nA\nb\t1\tx\nlong\t1,000\n\n\n\nno rows\n\nC\na note\n";
        let wanted = "A\n  b         1  x\n  long  1,000\n\nno rows\n\nC\n  a note\n";
        assert_eq!(sections(text), wanted);
    }

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
