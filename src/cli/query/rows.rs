//! The rows of a query on standard output: all of them, or none and an error.

use std::{
    borrow::Cow,
    io::{self, BufRead, BufReader, IsTerminal, Seek, SeekFrom, Write},
};

use anyhow::{Context, anyhow, bail};
use serde_json::Value;
use terminal_size::{Width, terminal_size_of};
use unicode_width::UnicodeWidthStr;

use super::{
    super::{
        args::RowFormat,
        duckdb::{self, Held, Output, ROWS},
        escape::{EscapeStyle, EscapingWriter, line, print_message},
        report_page::MARK,
    },
    statements::{Kind, Statements},
    variables,
};

/// Rows of a table on a terminal; a file gets all.
const MOST_ROWS_OF_TERMINAL: u64 = 100;
/// Columns of text that a narrow column keeps on a terminal.
const LEAST_WIDTH: usize = 12;
/// What DuckDB writes for numbers that JSON does not have.
const NOT_IN_JSON: [&str; 10] = [
    "-NaN",
    "NaN",
    "-nan",
    "nan",
    "-Infinity",
    "Infinity",
    "-inf",
    "inf",
    "-1e999",
    "1e999",
];

/// Runs SQL and prints the rows of its last statement; `script` comes before it.
pub fn print(script: &str, statements: &Statements<'_>, format: RowFormat) -> anyhow::Result<()> {
    let Statements { before, last, kind } = *statements;
    let script = format!("{script}{before}\n");
    // Not every statement can be written as a table, but all can be read as one.
    let rows = match kind {
        Kind::Rows => last.to_owned(),
        Kind::Description => format!("FROM (\n{last}\n)"),
        Kind::Plan => {
            let mut plan = duckdb::held(&format!("{script}{last}\n;\n"), Output::Drawn)?;
            return copy(plan.rewound()?, EscapeStyle::Text);
        }
        Kind::Definition => {
            duckdb::held(&format!("{script}{last}\n;\n"), Output::Json)?;
            return Ok(());
        }
    };
    if matches!(format, RowFormat::Parquet | RowFormat::Csv) {
        let (rows, options) = match format {
            RowFormat::Csv => (rows, "FORMAT csv, HEADER"),
            _ => (
                without_hugeint(&script, &rows)?,
                "FORMAT parquet, COMPRESSION zstd",
            ),
        };
        let copy_rows = format!(
            "{script}COPY (\n{rows}\n) TO '{}' ({options});\n",
            duckdb::STANDARD_OUTPUT
        );
        let mut written = duckdb::held(&copy_rows, Output::Json)?;
        let mut output = io::stdout().lock();
        if format == RowFormat::Csv && output.is_terminal() {
            return copy(written.rewound()?, EscapeStyle::Text);
        }
        // Other programs get the file unchanged.
        io::copy(written.rewound()?, &mut output)?;
        return Ok(output.flush()?);
    }
    let is_shown = format == RowFormat::Table && io::stdout().is_terminal();
    let columns = match format {
        RowFormat::Table | RowFormat::Markdown => "COLUMNS(*)::VARCHAR",
        _ => "*",
    };
    let limit = match is_shown {
        true => format!(" LIMIT {MOST_ROWS_OF_TERMINAL}"),
        false => String::new(),
    };
    let script = format!(
        "{script}CREATE OR REPLACE TEMP TABLE {ROWS} AS\n{rows}\n;\n\
         .print '{MARK}'\nSELECT count(*)::VARCHAR AS n FROM {ROWS};\n\
         .print '{MARK}'\nSELECT column_name FROM (DESCRIBE {ROWS});\n\
         .print '{MARK}'\nSELECT {columns} FROM {ROWS}{limit};\n"
    );
    let mut answer = Answer::read(duckdb::held(&script, Output::Json)?)?;
    match format {
        RowFormat::Json => answer.copy_json(),
        RowFormat::Markdown => answer.draw(Style::Markdown, false),
        _ => answer.draw(Style::Table, is_shown),
    }
}

/// What DuckDB wrote: the number of rows, the names of columns, and the rows.
struct Answer {
    held: Held,
    n_rows: u64,
    names: Vec<String>,
    /// Where the rows begin.
    begin: u64,
}

impl Answer {
    fn read(mut held: Held) -> anyhow::Result<Self> {
        let mut results: Vec<String> = Vec::new();
        let mut begin = 0;
        let mut read = BufReader::new(held.rewound()?);
        let mut line = String::new();
        while results.len() < 3 {
            line.clear();
            let n = read.read_line(&mut line)?;
            if n == 0 {
                return Err(unexpected());
            }
            begin += n as u64;
            match results.last_mut() {
                _ if line.trim_end() == MARK => results.push(String::new()),
                Some(result) => result.push_str(&line),
                None => {}
            }
        }
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let names = variables::rows(&results[1])?;
        let names = names.iter().filter_map(|row| text(&row["column_name"]));
        let count = variables::rows(&results[0])?;
        let count = count.first().and_then(|row| text(&row["n"]));
        Ok(Self {
            names: names.collect(),
            n_rows: count
                .and_then(|count| count.parse().ok())
                .ok_or_else(unexpected)?,
            held,
            begin,
        })
    }

    fn rows(&mut self) -> anyhow::Result<impl BufRead> {
        let begin = SeekFrom::Start(self.begin);
        let file = self.held.rewound()?;
        file.seek(begin).context("cannot read the rows")?;
        Ok(BufReader::new(file))
    }

    /// Refuses rows that are not all there.
    fn check(&self, found: u64) -> anyhow::Result<()> {
        if found != self.n_rows {
            bail!(
                "DuckDB wrote {found} of {} rows, so the others are missing and none is printed; is the disk full?",
                self.n_rows
            );
        }
        Ok(())
    }

    fn copy_json(&mut self) -> anyhow::Result<()> {
        let mut n = 0;
        self.each_line(|line| {
            n += u64::from(object(line).is_some());
            Ok(())
        })?;
        self.check(n)?;
        let mut output = EscapingWriter::new(io::stdout().lock(), EscapeStyle::Json);
        if self.n_rows == 0 {
            output.write_all(b"[]\n")?;
        } else {
            self.each_line(|line| Ok(output.write_all(finite(line).as_bytes())?))?;
        }
        Ok(output.finish()?)
    }

    fn each_line(
        &mut self,
        mut each: impl FnMut(&str) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let mut rows = self.rows()?;
        let mut line = String::new();
        while rows.read_line(&mut line)? > 0 {
            each(&line)?;
            line.clear();
        }
        Ok(())
    }

    /// Calls `each` with the cells of each row.
    fn each_row(
        &mut self,
        mut each: impl FnMut(Vec<Option<String>>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let names = self.names.clone();
        self.each_line(|line| {
            let Some(text) = object(line) else {
                return Ok(());
            };
            let mut row: Value = serde_json::from_str(text).context("DuckDB: expected a row")?;
            let cells = names.iter().map(|name| match row[name].take() {
                Value::String(text) => Some(text),
                _ => None,
            });
            each(cells.collect())
        })
    }

    /// Draws the rows: one pass finds the widths, and another one writes. `is_shown` is for a table
    /// on a terminal.
    fn draw(&mut self, style: Style, is_shown: bool) -> anyhow::Result<()> {
        let names = self.names.iter().map(|name| style.text(name));
        let names: Vec<_> = names.collect();
        let mut widths: Vec<_> = names.iter().map(|name| name.width()).collect();
        let mut n = 0;
        self.each_row(|cells| {
            n += 1;
            for (width, cell) in widths.iter_mut().zip(&cells) {
                *width = (*width).max(style.cell(cell.as_deref()).width());
            }
            Ok(())
        })?;
        if !is_shown || self.n_rows <= MOST_ROWS_OF_TERMINAL {
            self.check(n)?;
        }
        if is_shown && let Some((Width(width), _)) = terminal_size_of(io::stdout()) {
            fit(&mut widths, width.into());
        }
        let mut output = io::BufWriter::new(io::stdout().lock());
        output.write_all(style.head(&names, &widths).as_bytes())?;
        self.each_row(|cells| {
            let cells = cells.iter().map(|cell| style.cell(cell.as_deref()));
            let cells: Vec<_> = cells.collect();
            Ok(output.write_all(style.row(&cells, &widths, Align::Left).as_bytes())?)
        })?;
        if style == Style::Table {
            output.write_all(rule(&widths, ["└", "┴", "┘"]).as_bytes())?;
        }
        output.flush()?;
        drop(output);
        let mut shown = Vec::new();
        if n < self.n_rows {
            shown.push(format!("the first {n} of {} rows", self.n_rows));
        }
        if widths.len() < names.len() {
            let (n, all) = (widths.len(), names.len());
            shown.push(format!("the first {n} of {all} columns"));
        }
        if !shown.is_empty() {
            print_message(&format!(
                "note: the terminal shows {}; a file (> FILE) gets all",
                shown.join(" and ")
            ));
        }
        Ok(())
    }
}

/// How rows are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// Columns with lines between them.
    Table,
    Markdown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Align {
    Left,
    Center,
}

impl Style {
    /// Returns a text on one line, and in Markdown within its cell.
    fn text(self, text: &str) -> String {
        match self {
            Self::Table => line(text).into_owned(),
            Self::Markdown => {
                let lines = text.replace("\r\n", "\n").replace('\r', "\n");
                let lines: Vec<_> = lines.split('\n').map(line).collect();
                lines.join("<br>").replace('|', "\\|")
            }
        }
    }

    fn cell(self, cell: Option<&str>) -> String {
        cell.map_or_else(|| "NULL".to_owned(), |text| self.text(text))
    }

    fn head(self, names: &[String], widths: &[usize]) -> String {
        match self {
            Self::Table => {
                let names = self.row(names, widths, Align::Center);
                rule(widths, ["┌", "┬", "┐"]) + &names + &rule(widths, ["├", "┼", "┤"])
            }
            Self::Markdown => {
                let dashes = widths.iter().map(|width| "-".repeat(width + 2));
                let dashes: Vec<_> = dashes.collect();
                self.row(names, widths, Align::Left) + &format!("|{}|\n", dashes.join("|"))
            }
        }
    }

    fn row(self, cells: &[String], widths: &[usize], align: Align) -> String {
        let edge = match self {
            Self::Table => '│',
            Self::Markdown => '|',
        };
        let mut row = String::new();
        for (cell, &width) in cells.iter().zip(widths) {
            let cell = cut(cell, width);
            let left = match align {
                Align::Left => 0,
                Align::Center => (width - cell.width()) / 2,
            };
            let right = width - cell.width() - left;
            row.push_str(&format!("{edge} {:left$}{cell}{:right$} ", "", ""));
        }
        row.push(edge);
        row.push('\n');
        row
    }
}

fn rule(widths: &[usize], [left, cross, right]: [&str; 3]) -> String {
    let dashes = widths.iter().map(|width| "─".repeat(width + 2));
    let dashes: Vec<_> = dashes.collect();
    format!("{left}{}{right}\n", dashes.join(cross))
}

/// Makes columns fit a terminal: the widest are cut, and where that is not enough, the last ones
/// are left out.
fn fit(widths: &mut Vec<usize>, terminal: usize) {
    let taken = |widths: &[usize]| widths.iter().map(|width| width + 3).sum::<usize>() + 1;
    while widths.len() > 1 {
        let least = widths.iter().map(|width| *width.min(&LEAST_WIDTH));
        if taken(&least.collect::<Vec<_>>()) <= terminal {
            break;
        }
        widths.pop();
    }
    while taken(widths) > terminal {
        let widest = widths.iter_mut().max();
        match widest {
            Some(width) if *width > LEAST_WIDTH => *width -= 1,
            _ => break,
        }
    }
}

/// Returns what of a text fits a width, with a mark where it is cut.
fn cut(text: &str, width: usize) -> Cow<'_, str> {
    if text.width() <= width {
        return Cow::Borrowed(text);
    }
    let mut kept = String::new();
    for char in text.chars() {
        kept.push(char);
        if kept.width() >= width {
            kept.pop();
            break;
        }
    }
    Cow::Owned(kept + "…")
}

/// Returns the object of JSON on a line of an array of them.
fn object(line: &str) -> Option<&str> {
    let line = line.trim_end();
    let line = line.strip_prefix('[').unwrap_or(line);
    let end = line.rfind('}')?;
    line.starts_with('{').then_some(&line[..=end])
}

/// Returns a line of JSON with null in place of numbers that JSON does not have.
fn finite(line: &str) -> Cow<'_, str> {
    if !NOT_IN_JSON.iter().any(|number| line.contains(number)) {
        return Cow::Borrowed(line);
    }
    let mut written = String::with_capacity(line.len());
    let mut is_text = false;
    let mut rest = line;
    while let Some(char) = rest.chars().next() {
        let number = NOT_IN_JSON.iter().find(|number| rest.starts_with(**number));
        let len = match number {
            Some(number) if !is_text => {
                written.push_str("null");
                number.len()
            }
            _ => {
                is_text ^= char == '"';
                // What is escaped does not end the text.
                let escaped = rest.chars().nth(1).filter(|_| char == '\\');
                let len = char.len_utf8() + escaped.map_or(0, char::len_utf8);
                written.push_str(&rest[..len]);
                len
            }
        };
        rest = &rest[len..];
    }
    Cow::Owned(written)
}

/// Copies text to standard output, without characters that a terminal may obey.
fn copy(text: &mut impl io::Read, style: EscapeStyle) -> anyhow::Result<()> {
    let mut output = EscapingWriter::new(io::stdout().lock(), style);
    io::copy(text, &mut output)?;
    Ok(output.finish()?)
}

fn unexpected() -> anyhow::Error {
    anyhow!("DuckDB: expected the rows of the query, but it wrote something else")
}

/// Returns a statement for a Parquet file, which has no integers of 128 bits: DuckDB would write
/// sums of integers as floating-point numbers.
fn without_hugeint(script: &str, statement: &str) -> anyhow::Result<String> {
    let huge = duckdb::query_json(&format!(
        "{script}SELECT '\"' || replace(column_name, '\"', '\"\"') || '\"' AS name \
         FROM (DESCRIBE (\n{statement}\n)) WHERE column_type IN ('HUGEINT', 'UHUGEINT');\n"
    ))?;
    let casts = variables::rows(&huge)?;
    let casts = casts.iter().filter_map(|row| row["name"].as_str());
    let casts: Vec<_> = casts
        .map(|name| format!("CAST({name} AS BIGINT) AS {name}"))
        .collect();
    Ok(match casts.as_slice() {
        [] => statement.to_owned(),
        casts => format!(
            "SELECT * REPLACE ({}) FROM (\n{statement}\n)",
            casts.join(", ")
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_has_null_for_numbers_that_it_lacks() {
        for (line, wanted) in [
            (r#"[{"a":NaN,"b":-Infinity}]"#, r#"[{"a":null,"b":null}]"#),
            (
                r#"{"a":1e999,"b":[-1e999,1.5]}"#,
                r#"{"a":null,"b":[null,1.5]}"#,
            ),
            (
                r#"{"NaN":"inf \"nan\" \\","b":inf}"#,
                r#"{"NaN":"inf \"nan\" \\","b":null}"#,
            ),
        ] {
            assert_eq!(finite(line), wanted);
        }
    }

    #[test]
    fn a_terminal_gets_what_fits() {
        let fitted = |widths: &[usize], terminal| {
            let mut widths = widths.to_vec();
            fit(&mut widths, terminal);
            widths
        };
        assert_eq!(fitted(&[5, 30], 80), [5, 30]);
        assert_eq!(fitted(&[5, 90, 20], 80), [5, 45, 20]);
        assert_eq!(fitted(&[20; 10], 80), [13, 13, 13, 13, 12]);
        assert_eq!(fitted(&[90], 40), [36]);
        assert_eq!(cut("wide text", 5), "wide…");
        assert_eq!(cut("漢字漢字", 5), "漢字…");
        assert_eq!(cut("short", 5), "short");
    }

    #[test]
    fn a_cell_of_markdown_has_one_line() {
        assert_eq!(Style::Markdown.text("a\r\nb|c\rd"), "a<br>b\\|c<br>d");
        assert_eq!(Style::Table.text("a\nb"), "a\\nb");
    }
}
