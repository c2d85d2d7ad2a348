//! The rows of a list: text in, cells out.

use std::mem::take;

use super::NAME_COLUMNS;

/// The rows of a list.
#[derive(Clone, Debug)]
pub struct Rows {
    /// The names of the columns.
    pub header: Vec<String>,
    /// The cells, with the number of the line or row.
    pub rows: Vec<(u64, Vec<String>)>,
    /// What is numbered: line or row.
    pub kind: &'static str,
}

impl Rows {
    /// Reads a text: CSV if its first line names columns, with commas or tabs between cells and a
    /// header (RFC 4180); else a name on each line, without comments that begin with `#`. Empty
    /// lines are skipped.
    ///
    /// # Errors
    ///
    /// A cell without its closing quotation mark.
    pub fn of_text(text: &str) -> Result<Self, String> {
        let is_name = |line: &&str| !line.is_empty() && !line.starts_with('#');
        let first = text.lines().map(str::trim).find(is_name);
        let first = first.unwrap_or_default();
        let is_csv = first.contains([',', '\t']) || NAME_COLUMNS.contains(&first);
        let (header, rows) = if is_csv {
            let separator = if first.contains('\t') { '\t' } else { ',' };
            let mut rows = split(text, separator)?.into_iter();
            let header = rows.next().map(|(_, cells)| cells).unwrap_or_default();
            let header = header.iter().map(|cell| cell.trim().to_owned());
            (header.collect(), rows.collect())
        } else {
            let lines = (1..).zip(text.lines().map(str::trim));
            let names = lines.filter(|(_, line)| is_name(line));
            let rows = names.map(|(number, line)| (number, vec![line.to_owned()]));
            (vec![NAME_COLUMNS[1].to_owned()], rows.collect())
        };
        Ok(Self {
            header,
            rows,
            kind: "line",
        })
    }

    /// Refuses a row that has not a cell for each column.
    pub(in crate::archive) fn expect_cells(&self) -> Result<(), String> {
        let n = self.header.len();
        let mut rows = self.rows.iter();
        match rows.find(|(_, cells)| cells.len() != n) {
            None => Ok(()),
            Some((number, cells)) => Err(format!(
                "{} {number}: expected {n} cells as in the header, but found {}",
                self.kind,
                cells.len()
            )),
        }
    }
}

/// Splits CSV into rows, each with the number of its first line.
fn split(text: &str, separator: char) -> Result<Vec<(u64, Vec<String>)>, String> {
    let (mut rows, mut cells, mut cell) = (Vec::new(), Vec::new(), String::new());
    let (mut line, mut first_line, mut is_quoted) = (1, 1, false);
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        if char == '\n' {
            line += 1;
        }
        match char {
            '"' if is_quoted && chars.next_if_eq(&'"').is_some() => cell.push('"'),
            '"' if is_quoted => is_quoted = false,
            _ if is_quoted => cell.push(char),
            '"' if cell.is_empty() => is_quoted = true,
            '\r' if chars.peek() == Some(&'\n') => {}
            '\n' => {
                cells.push(take(&mut cell));
                rows.push((first_line, take(&mut cells)));
                first_line = line;
            }
            _ if char == separator => cells.push(take(&mut cell)),
            _ => cell.push(char),
        }
    }
    if is_quoted {
        return Err(format!(
            "line {first_line}: expected the closing \" of a cell, but found the end of the list"
        ));
    }
    cells.push(cell);
    rows.push((first_line, cells));
    let is_empty = |cells: &[String]| matches!(cells, [cell] if cell.trim().is_empty());
    rows.retain(|(_, cells)| !is_empty(cells));
    Ok(rows)
}

/// Returns cells as a line of CSV.
pub(super) fn line<'a>(cells: impl Iterator<Item = &'a str>) -> String {
    let cells: Vec<String> = cells
        .map(|cell| {
            if cell.contains(['"', ',', '\t', '\n', '\r']) {
                format!("\"{}\"", cell.replace('"', "\"\""))
            } else {
                cell.to_owned()
            }
        })
        .collect();
    format!("{}\n", cells.join(","))
}
