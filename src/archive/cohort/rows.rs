//! The rows of a list: text in, cells out.

use super::NAME_COLUMNS;

/// The most rows of a list, and the most cells: each row takes up to some 500 bytes, so that a
/// list takes about 1 GB at most.
const MOST_ROWS: usize = 2_000_000;
const MOST_CELLS: usize = 4 * MOST_ROWS;

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
    /// A cell without its closing quotation mark, or too many rows or cells.
    pub fn of_text(text: &str) -> Result<Self, String> {
        let is_name = |line: &&str| !line.is_empty() && !line.starts_with('#');
        let first = text.lines().map(str::trim).find(is_name);
        let first = first.unwrap_or_default();
        let is_csv = first.contains([',', '\t']) || NAME_COLUMNS.contains(&first);
        let (header, rows) = if is_csv {
            let separator = if first.contains('\t') { b'\t' } else { b',' };
            let mut rows = split(text, separator)?.into_iter();
            let header = rows.next().map(|(_, cells)| cells).unwrap_or_default();
            let header = header.iter().map(|cell| cell.trim().to_owned());
            (header.collect(), rows.collect())
        } else {
            expect_few(text.lines().filter(is_name).count(), 0)?;
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

/// Refuses a list of more rows or cells than memory is meant for.
pub(crate) fn expect_few(n_rows: usize, n_cells: usize) -> Result<(), String> {
    for (n, most, what) in [(n_rows, MOST_ROWS, "rows"), (n_cells, MOST_CELLS, "cells")] {
        if n > most {
            return Err(format!(
                "expected at most {most} {what}, but found more; divide the list, or leave out columns"
            ));
        }
    }
    Ok(())
}

/// Splits CSV into rows, each with the number of its first line.
fn split(text: &str, separator: u8) -> Result<Vec<(u64, Vec<String>)>, String> {
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let (mut rows, mut n_cells, mut last) = (Vec::new(), 0, (1, 0));
    for record in reader.records() {
        let record = record.map_err(|e| e.to_string())?;
        last = record.position().map_or(last, |at| (at.line(), at.byte()));
        let cells: Vec<_> = record.iter().map(str::to_owned).collect();
        if !matches!(&cells[..], [cell] if cell.trim().is_empty()) {
            n_cells += cells.len();
            rows.push((last.0, cells));
            // The header is a row of the text and none of the list.
            expect_few(rows.len() - 1, n_cells)?;
        }
    }
    // The crate ends such a cell, and with it the rows behind it, at the end of the text.
    let (line, begin) = last;
    if text[begin as usize..].matches('"').count() % 2 == 1 {
        return Err(format!(
            "line {line}: expected the closing \" of a cell, but found the end of the list"
        ));
    }
    Ok(rows)
}

/// Returns rows as CSV.
pub(super) fn csv(rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).expect("rows have one length");
    }
    let text = writer.into_inner().expect("memory can be written to");
    String::from_utf8(text).expect("cells are text")
}
