//! The rows of a query on standard output: all of them, or none and an error.
//!
//! DuckDB makes a table of the answer first, since it may fail in the middle of rows that it writes
//! and end with exit code 0; what fails while a table is made says so. It draws the rows into a
//! file, and they are printed once as many are there as the table has.

use std::{
    borrow::Cow,
    fs::File,
    io::{self, BufRead, BufReader, IsTerminal, Seek, SeekFrom, Write},
};

use anyhow::{Context, bail};
use terminal_size::{Width, terminal_size_of};

use super::{
    super::{
        args::RowFormat,
        duckdb::{self, ROWS},
        escape::{self, print_from, print_message},
    },
    statements::Statements,
};

/// Columns of a terminal whose size is not known.
const USUAL_WIDTH: u16 = 80;
/// SQL that sets the variable `shown` to SQL of what a terminal of WIDTH columns can show: DuckDB
/// draws for a terminal only if it has one, and then asks it for its colors. The widest columns are
/// cut, down to 12 characters. Where that is not enough, each value of a few rows is on a line of
/// its own, behind the name of its column; of more rows, the last columns are left out.
const SHOWN: &str = include_str!("../sql/terminal.sql");
/// SQL that sets the same variable to SQL for a Parquet file, which has no integers of 128 bits:
/// DuckDB would write sums of integers as floating-point numbers.
const WITHOUT_HUGEINT: &str = include_str!("../sql/parquet.sql");
/// The rows as lines of a table of LaTeX, of which booktabs draws the rules.
const IN_LATEX: &str = include_str!("../sql/latex.sql");
/// A cell in which no character has a meaning of its own.
const LATEX_CELL: &str = include_str!("../sql/latex-macros.sql");
/// The rows that the variable selects.
const CHOSEN: &str = "FROM query(getvariable('shown'))";
/// What DuckDB writes for numbers that JSON does not have, also behind a minus sign.
const NOT_IN_JSON: [&str; 5] = ["NaN", "nan", "Infinity", "inf", "1e999"];

/// Runs SQL and prints the rows of its question; `script` comes before it.
pub fn print(script: &str, statements: &Statements<'_>, format: RowFormat) -> anyhow::Result<()> {
    let Statements {
        before,
        question,
        is_plan,
    } = *statements;
    if is_plan {
        let plan = duckdb::held(&format!("{script}.mode box\n{question}\n;\n"))?;
        return Ok(print_from(&mut BufReader::new(plan))?);
    }
    let is_terminal = io::stdout().is_terminal();
    let table = format!("{script}{before}\n{}", duckdb::table_of(question));
    let copied = |script: &str, rows: &str, options: &str| {
        let to = duckdb::STANDARD_OUTPUT;
        let copy = format!("{table}{script}COPY ({rows}) TO '{to}' ({options});\n");
        duckdb::held(&copy)
    };
    let all = format!("FROM {ROWS}");
    match format {
        RowFormat::Csv => {
            let mut rows = copied("", &all, "FORMAT csv, HEADER")?;
            if is_terminal {
                return Ok(print_from(&mut BufReader::new(rows))?);
            }
            write_unchanged(&mut rows)
        }
        RowFormat::Parquet => {
            let options = "FORMAT parquet, COMPRESSION zstd";
            write_unchanged(&mut copied(WITHOUT_HUGEINT, CHOSEN, options)?)
        }
        RowFormat::Json => Drawing::new(&table, "json", &all)?.print_json(),
        RowFormat::Markdown => {
            let pipe = if duckdb::escapes_pipes()? { "|" } else { "\\|" };
            let cell = format!(
                r#"regexp_replace(replace(COLUMNS(*)::VARCHAR, '|', '{pipe}'), '\r\n|\n|\r', '<br>', 'g') AS "\0""#
            );
            let rows = format!("SELECT {cell} FROM {ROWS}");
            Drawing::new(&table, "markdown", &rows)?.print(2)
        }
        RowFormat::Latex => {
            let table = format!("{table}{LATEX_CELL}");
            let mut drawing = Drawing::new(&table, "list", IN_LATEX)?;
            // All columns are in the one of its lines, some of which are rules.
            drawing.n_shown = drawing.n_columns;
            drawing.n_drawn = drawing.n_rows;
            drawing.print(7)
        }
        _ if is_terminal => {
            let width =
                terminal_size_of(io::stdout()).map_or(USUAL_WIDTH, |(Width(width), _)| width);
            let shown = SHOWN.replace("WIDTH", &width.to_string());
            Drawing::new(&format!("{table}{shown}"), "box", CHOSEN)?.print(4)
        }
        _ => {
            let rows = format!("SELECT COLUMNS(*)::VARCHAR FROM {ROWS}");
            Drawing::new(&table, "box", &rows)?.print(4)
        }
    }
}

/// What DuckDB drew, behind a line with the numbers of rows, columns, columns that are shown and
/// rows that are drawn.
struct Drawing {
    held: File,
    n_rows: u64,
    n_columns: u64,
    n_shown: u64,
    n_drawn: u64,
    /// Where the drawing begins.
    begin: u64,
}

impl Drawing {
    fn new(script: &str, mode: &str, rows: &str) -> anyhow::Result<Self> {
        let script = format!(
            "{script}.mode list\n.headers off\n\
             SELECT (SELECT count(*) FROM {ROWS}), (SELECT count(*) FROM duckdb_columns() WHERE table_name = '{ROWS}'), \
             (SELECT count(*) FROM (DESCRIBE ({rows}))), (SELECT count(*) FROM ({rows}));\n\
             .headers on\n.mode {mode}\n{rows};\n"
        );
        let mut held = duckdb::held(&script)?;
        let mut line = String::new();
        let begin = BufReader::new(&mut held).read_line(&mut line)?;
        let numbers = line.trim_end().split('|');
        let numbers: Vec<u64> = numbers.map_while(|number| number.parse().ok()).collect();
        let [n_rows, n_columns, n_shown, n_drawn] = numbers[..] else {
            bail!("DuckDB: expected the rows of the query, but it wrote something else");
        };
        Ok(Self {
            held,
            n_rows,
            n_columns,
            n_shown,
            n_drawn,
            begin: begin as u64,
        })
    }

    /// Returns the lines that were drawn.
    fn lines(&mut self) -> anyhow::Result<impl BufRead> {
        let begin = SeekFrom::Start(self.begin);
        self.held.seek(begin).context("cannot read the rows")?;
        Ok(BufReader::new(&mut self.held))
    }

    /// Refuses rows that are not all there.
    fn check(&self, found: u64, expected: u64) -> anyhow::Result<()> {
        if found != expected {
            bail!(
                "DuckDB wrote {found} of {expected} rows, so the others are missing and none is printed; is the disk full?"
            );
        }
        Ok(())
    }

    /// Prints what was drawn: rows, each on a line, and `n_others` lines.
    fn print(&mut self, n_others: u64) -> anyhow::Result<()> {
        let mut n_lines: u64 = 0;
        let mut lines = self.lines()?;
        while lines.skip_until(b'\n')? > 0 {
            n_lines += 1;
        }
        drop(lines);
        // DuckDB 1.4 draws nothing around no rows.
        if n_lines > 0 || self.n_drawn > 0 {
            self.check(n_lines.saturating_sub(n_others), self.n_drawn)?;
        }
        print_from(&mut self.lines()?)?;
        let mut shown = Vec::new();
        if self.n_drawn < self.n_rows {
            let (n, all) = (self.n_drawn, self.n_rows);
            shown.push(format!("the first {n} of {all} rows"));
        }
        // Of more lines than rows, each is one of the values.
        if self.n_shown < self.n_columns && self.n_drawn <= self.n_rows {
            let (n, all) = (self.n_shown, self.n_columns);
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

    fn print_json(&mut self) -> anyhow::Result<()> {
        let mut n = 0;
        for line in self.lines()?.lines() {
            n += u64::from(line?.contains('{'));
        }
        self.check(n, self.n_rows)?;
        let mut output = io::stdout().lock();
        if self.n_rows == 0 {
            output.write_all(b"[]\n")?;
        } else {
            for line in self.lines()?.lines() {
                writeln!(output, "{}", escape::json(&finite(&line?)))?;
            }
        }
        Ok(output.flush()?)
    }
}

/// Returns a line of JSON with null in place of numbers that JSON does not have.
fn finite(line: &str) -> Cow<'_, str> {
    if !NOT_IN_JSON.iter().any(|number| line.contains(number)) {
        return Cow::Borrowed(line);
    }
    let mut written = String::with_capacity(line.len());
    let mut is_text = false;
    for piece in line.split_inclusive('"') {
        if is_text {
            written.push_str(piece);
            let text = piece.trim_end_matches('"');
            let n_escapes = text.len() - text.trim_end_matches('\\').len();
            // A quote that is escaped does not end the text.
            is_text = n_escapes % 2 == 1;
        } else {
            let signed = NOT_IN_JSON.map(|number| format!("-{number}"));
            let numbers = signed.iter().map(String::as_str).chain(NOT_IN_JSON);
            written += &numbers.fold(piece.to_owned(), |piece, n| piece.replace(n, "null"));
            is_text = true;
        }
    }
    Cow::Owned(written)
}

/// Copies what other programs are to get as it is.
fn write_unchanged(held: &mut File) -> anyhow::Result<()> {
    let mut output = io::stdout().lock();
    io::copy(held, &mut output)?;
    Ok(output.flush()?)
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
}
