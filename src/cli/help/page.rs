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
    let mut blocks = Vec::new();
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            // A blank line within it does not end it.
            blocks.push(code(lines.by_ref().take_while(|line| *line != "```")));
        } else if !line.is_empty() {
            let mut block = vec![line];
            let is_more = |next: &&str| !next.is_empty() && !next.starts_with("```");
            while let Some(next) = lines.next_if(is_more) {
                block.push(next);
            }
            blocks.extend(block_in_text(&block, width));
        }
    }
    blocks.join("\n")
}

/// Returns the text of some lines that belong together; `None` for a comment.
fn block_in_text(lines: &[&str], width: usize) -> Option<String> {
    let rows = lines.iter().filter(|line| line.starts_with('|'));
    let rows: Vec<_> = rows.map(|line| cells(line)).collect();
    let indented = lines.iter().map(|line| line.strip_prefix("    "));
    let first = lines[0];
    if first.starts_with("<!--") && rows.is_empty() {
        None
    } else if let Some(lines) = indented.collect::<Option<Vec<_>>>() {
        Some(code(lines.into_iter()))
    } else if first.starts_with('#') {
        let heading = first.trim_start_matches('#').trim();
        Some(format!("{heading}\n"))
    } else if !rows.is_empty() {
        Some(table(&rows, width))
    } else if is_item(first) {
        Some(list(lines, width))
    } else {
        Some(indented_by(INDENT, "", &plain(&lines.join(" ")), width))
    }
}

fn code<'l>(lines: impl Iterator<Item = &'l str>) -> String {
    let lines = lines.map(|line| format!("{:1$}{line}", "", 2 * INDENT));
    lines.map(|line| format!("{}\n", line.trim_end())).collect()
}

fn list(lines: &[&str], width: usize) -> String {
    let mut items: Vec<String> = Vec::new();
    for line in lines {
        match items.last_mut() {
            Some(item) if !is_item(line) => {
                let _ = write!(item, " {}", line.trim_start());
            }
            _ => items.push((*line).to_owned()),
        }
    }
    let items = items.iter().map(|item| {
        let (mark, text) = item.split_once(' ').unwrap_or(("", item));
        indented_by(INDENT, &format!("{mark} "), &plain(text), width)
    });
    items.collect()
}

/// Returns the rows below the head and the line under it.
fn table(rows: &[Vec<String>], width: usize) -> String {
    let (head, body) = (&rows[0], rows.get(2..).unwrap_or_default());
    let longest = body.iter().map(|row| row[0].chars().count()).max();
    let names = longest.unwrap_or_default().min(NAMES);
    let rows = body.iter().map(|row| {
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
            indented_by(INDENT, "", name, width)
                + &indented_by(INDENT + names + 2, "", &text, width)
        } else {
            indented_by(INDENT, &format!("{name:names$}  "), &text, width)
        }
    });
    rows.collect()
}

/// Returns a text behind `mark`, its further lines below the first.
fn indented_by(indent: usize, mark: &str, text: &str, width: usize) -> String {
    wrapped(&format!("{:indent$}{mark}", ""), text, width)
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
