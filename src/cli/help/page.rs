//! A page of `docs/` as text for a terminal.
//!
//! The pages use a part of Markdown: headings, paragraphs, lists, tables, blocks of code, links and
//! comments. A table becomes a list of its rows, named by their first cells.

use std::fmt::Write as _;

use super::super::layout::wrapped;

/// Blanks before everything but headings.
const INDENT: usize = 2;
/// Widest column of names; a text next to a longer name begins in the next line.
const NAMES: usize = 22;

/// Returns a page in lines of at most `width` columns, except for code and long words.
pub fn for_terminal(page: &str, width: usize) -> String {
    let mut writer = Writer {
        text: String::new(),
        width,
    };
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        if line.is_empty() {
            continue;
        }
        let mut block = vec![line];
        if line.starts_with("```") {
            block.extend(lines.by_ref().take_while(|line| *line != "```"));
            writer.code(&block[1..]);
            continue;
        }
        // A blank line within indented code does not end it.
        while let Some(next) = lines.next_if(|next| !next.is_empty() && !next.starts_with("```")) {
            block.push(next);
        }
        writer.block(&block);
    }
    writer.text
}

struct Writer {
    text: String,
    width: usize,
}

impl Writer {
    fn block(&mut self, lines: &[&str]) {
        let first = lines[0];
        if first.starts_with("<!--") && !lines.iter().any(|line| line.starts_with('|')) {
            return;
        }
        if let Some(code) = lines
            .iter()
            .map(|line| line.strip_prefix("    "))
            .collect::<Option<Vec<_>>>()
        {
            return self.code(&code);
        }
        self.separate();
        if first.starts_with('#') {
            self.line(0, first.trim_start_matches('#').trim_start());
        } else if lines.iter().any(|line| line.starts_with('|')) {
            let rows = lines.iter().filter(|line| line.starts_with('|'));
            self.table(&rows.map(|line| cells(line)).collect::<Vec<_>>());
        } else if is_item(first) {
            self.list(lines);
        } else {
            self.wrapped(INDENT, "", &plain(&lines.join(" ")));
        }
    }

    fn code(&mut self, lines: &[&str]) {
        self.separate();
        for line in lines {
            self.line(2 * INDENT, line);
        }
    }

    fn list(&mut self, lines: &[&str]) {
        let mut items: Vec<String> = Vec::new();
        for line in lines {
            match items.last_mut() {
                Some(item) if !is_item(line) => {
                    let _ = write!(item, " {}", line.trim_start());
                }
                _ => items.push((*line).to_owned()),
            }
        }
        for item in items {
            let (mark, text) = item.split_once(' ').unwrap_or(("", &item));
            self.wrapped(INDENT, &format!("{mark} "), &plain(text));
        }
    }

    /// Writes the rows below the head and the line under it.
    fn table(&mut self, rows: &[Vec<String>]) {
        let (Some(head), Some(body)) = (rows.first(), rows.get(2..)) else {
            return;
        };
        let longest = body.iter().map(|row| row[0].chars().count()).max();
        let names = longest.unwrap_or_default().min(NAMES);
        for row in body {
            let others = row.iter().zip(head).skip(1);
            let others = others.filter(|(cell, _)| !cell.is_empty());
            let text = if head.len() == 2 {
                row[1].clone()
            } else {
                let texts = others.map(|(cell, name)| format!("{name}: {cell}"));
                texts.collect::<Vec<_>>().join("; ")
            };
            let name = &row[0];
            if name.chars().count() > names {
                self.wrapped(INDENT, "", name);
                self.wrapped(INDENT + names + 2, "", &text);
            } else {
                self.wrapped(INDENT, &format!("{name:names$}  "), &text);
            }
        }
    }

    /// Writes a text behind `mark`, its further lines below the first.
    fn wrapped(&mut self, indent: usize, mark: &str, text: &str) {
        let mark = format!("{:indent$}{mark}", "");
        self.text.push_str(&wrapped(&mark, text, self.width));
    }

    fn line(&mut self, indent: usize, line: &str) {
        let line = format!("{:indent$}{line}", "");
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    fn separate(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }
}

fn is_item(line: &str) -> bool {
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with("- ") || number.len() < line.len() && number.starts_with(". ")
}

/// Returns the cells of a row of a table, without marks.
fn cells(row: &str) -> Vec<String> {
    let row = row.strip_prefix('|').unwrap_or(row);
    let row = row.strip_suffix('|').unwrap_or(row);
    row.split(" | ").map(|cell| plain(cell.trim())).collect()
}

/// Returns a text without the marks of code, links and emphasis. Code of several words is quoted,
/// and a link to another page names its topic, alone in parentheses.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['`', '[', '*']) {
        plain.push_str(&rest[..at]);
        let marked = &rest[at + 1..];
        rest = if rest[at..].starts_with("**") {
            &marked[1..]
        } else if rest[at..].starts_with('`') {
            let (code, after) = marked.split_once('`').unwrap_or((marked, ""));
            let is_quoted = code.contains(' ') && !code.contains('"');
            let quote = if is_quoted { "\"" } else { "" };
            let _ = write!(plain, "{quote}{code}{quote}");
            after
        } else if let Some((label, target, after)) = link(&rest[at..]) {
            let page = target.split_once(".md").map(|(name, _)| name);
            match page.filter(|name| !name.contains('/')) {
                Some(topic) if plain.ends_with('(') => {
                    let _ = write!(plain, "robocensus help {topic}");
                }
                Some(topic) => {
                    let _ = write!(plain, "{label} (robocensus help {topic})");
                }
                None => plain.push_str(label),
            }
            after
        } else {
            plain.push_str(&rest[at..=at]);
            marked
        };
    }
    plain.push_str(rest);
    plain
}

/// Splits a text that begins with a link into its label, its target and what follows.
fn link(text: &str) -> Option<(&str, &str, &str)> {
    let (label, rest) = text.strip_prefix('[')?.split_once(']')?;
    let (target, after) = rest.strip_prefix('(')?.split_once(')')?;
    Some((label, target, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_becomes_text() {
        let page = "# Title\n\n<!-- made -->\nText with `--flag`, `two words`, **bold** and a\n\
                    [page](other.md#part) of * and [...] ([x](y.md)).\n\n## Part\n\n1. One\n   continues.\n2. Two\n\n\
                    ```sh\nls\n\ncd [x](y)\n```\n\n    more `code`\n\n| a | b |\n|---|---|\n\
                    | `x` | first |\n| yy | second |\n\n| a | b | c |\n|---|---|---|\n| z | 1 | |\n";
        let text = "Title\n\n  Text with --flag, \"two words\", bold and a page (robocensus help other)\n  \
                    of * and [...] (robocensus help y).\n\nPart\n\n  1. One continues.\n  2. Two\n\n    ls\n\n    cd [x](y)\n\n    \
                    more `code`\n\n  x   first\n  yy  second\n\n  z  b: 1\n";
        let page = page.replace("<!-- made -->\n", "<!-- made -->\n\n");
        assert_eq!(for_terminal(&page, 72), text);
    }

    #[test]
    fn long_names_and_texts_are_wrapped() {
        let page = "| a | b |\n|---|---|\n| a name of many words indeed | one two three four |\n";
        assert_eq!(
            for_terminal(page, 40),
            "  a name of many words indeed\n                          one two three\n                          four\n"
        );
    }
}
