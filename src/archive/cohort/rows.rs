//! The rows of a list: text in, cells out.

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
            let separator = if first.contains('\t') { b'\t' } else { b',' };
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
fn split(text: &str, separator: u8) -> Result<Vec<(u64, Vec<String>)>, String> {
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let (mut rows, mut last) = (Vec::new(), (1, 0));
    for record in reader.records() {
        let record = record.map_err(|e| e.to_string())?;
        last = record.position().map_or(last, |at| (at.line(), at.byte()));
        let cells: Vec<_> = record.iter().map(str::to_owned).collect();
        if !matches!(&cells[..], [cell] if cell.trim().is_empty()) {
            rows.push((last.0, cells));
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
