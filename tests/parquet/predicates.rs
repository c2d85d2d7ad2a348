//! Predicates over tables: made at random from values that are there or nearly so, evaluated here,
//! and written for engines.

use std::{cmp::Ordering, path::Path};

use robocensus::{
    dataset::table::{ColumnType, TABLES},
    sample::random::Random,
};
use serde_json::{Value, json};

use super::columns::{Cell, cells};
use crate::util::{Census, files_below};

/// A table with all its values.
pub struct Rows {
    pub name: &'static str,
    pub files: Vec<String>,
    columns: Vec<(&'static str, ColumnType, Vec<Option<Cell>>)>,
    n_rows: usize,
}

/// Tables with more rows are left to the check of footers.
const MOST_ROWS: usize = 200_000;

/// Reads the tables of a dataset that have rows, and not too many.
pub fn tables(folder: &Path) -> Vec<Rows> {
    let tables = TABLES.iter().filter_map(|table| {
        let files = files_below(&folder.join(table.name));
        let read = (!files.is_empty()).then(|| Census(folder.to_owned()).table(table.name))?;
        let files = files.iter().map(|path| path.to_str().unwrap().to_owned());
        let columns = table.columns.iter();
        let columns = columns.map(|own| (own.name, own.column_type, cells(&read, own.name)));
        let is_asked = (1..=MOST_ROWS).contains(&read.n_rows());
        is_asked.then(|| Rows {
            name: table.name,
            files: files.collect(),
            columns: columns.collect(),
            n_rows: read.n_rows(),
        })
    });
    tables.collect()
}

/// An operator of SQL, and the orders of two values for which it is true.
type Operator = (&'static str, fn(Ordering) -> bool);

const OPERATORS: [Operator; 6] = [
    ("=", Ordering::is_eq),
    ("<>", Ordering::is_ne),
    ("<", Ordering::is_lt),
    ("<=", Ordering::is_le),
    (">", Ordering::is_gt),
    (">=", Ordering::is_ge),
];

/// What is asked of each row.
#[derive(Debug)]
pub enum Predicate {
    Compare(usize, usize, Cell),
    IsNull(usize, bool),
    Between(usize, Cell, Cell),
    In(usize, Vec<Cell>),
    /// AND where the first is true, else OR.
    Joined(bool, Box<Self>, Box<Self>),
}

impl Predicate {
    pub fn random(rows: &Rows, random: &mut Random) -> Self {
        match random.below(8) {
            kind @ (0 | 1) => {
                let mut one = || Box::new(Self::simple(rows, random));
                Self::Joined(kind == 0, one(), one())
            }
            _ => Self::simple(rows, random),
        }
    }

    fn simple(rows: &Rows, random: &mut Random) -> Self {
        let column = random.below(rows.columns.len());
        let value = |random: &mut Random| rows.value(column, random);
        match random.below(10) {
            0 => Self::IsNull(column, random.below(2) == 0),
            1 => Self::Between(column, value(random), value(random)),
            2 => Self::In(column, (0..3).map(|_| value(random)).collect()),
            _ => Self::Compare(column, random.below(OPERATORS.len()), value(random)),
        }
    }

    /// Returns the number of rows of which it is true.
    pub fn count(&self, rows: &Rows) -> usize {
        (0..rows.n_rows)
            .filter(|row| self.is_true(rows, *row) == Some(true))
            .count()
    }

    /// Returns whether it is true of a row; NULL makes it neither true nor false.
    fn is_true(&self, rows: &Rows, row: usize) -> Option<bool> {
        let cell = |column: usize| rows.columns[column].2[row].as_ref();
        let compare = |cell: &Cell, value: &Cell, is: fn(Ordering) -> bool| {
            cell.compare(value).is_some_and(is)
        };
        match self {
            Self::Compare(column, operator, value) => {
                cell(*column).map(|cell| compare(cell, value, OPERATORS[*operator].1))
            }
            Self::IsNull(column, is_null) => Some(cell(*column).is_none() == *is_null),
            Self::Between(column, low, high) => cell(*column).map(|cell| {
                compare(cell, low, Ordering::is_ge) && compare(cell, high, Ordering::is_le)
            }),
            Self::In(column, values) => cell(*column).map(|cell| {
                let mut values = values.iter();
                values.any(|value| compare(cell, value, Ordering::is_eq))
            }),
            Self::Joined(is_and, a, b) => {
                let [a, b] = [a, b].map(|one| one.is_true(rows, row));
                // One that is false decides AND, one that is true decides OR.
                let decides = Some(!is_and);
                if [a, b].contains(&decides) {
                    decides
                } else {
                    a.and(b)
                }
            }
        }
    }

    /// Returns it in SQL of DuckDB.
    pub fn sql(&self, rows: &Rows) -> String {
        let name = |column: &usize| rows.columns[*column].0;
        let value = |column: &usize, cell: &Cell| literal(rows.columns[*column].1, cell);
        match self {
            Self::Compare(column, operator, cell) => {
                let operator = OPERATORS[*operator].0;
                format!("{} {operator} {}", name(column), value(column, cell))
            }
            Self::IsNull(column, true) => format!("{} IS NULL", name(column)),
            Self::IsNull(column, false) => format!("{} IS NOT NULL", name(column)),
            Self::Between(column, low, high) => {
                let [low, high] = [low, high].map(|cell| value(column, cell));
                format!("{} BETWEEN {low} AND {high}", name(column))
            }
            Self::In(column, cells) => {
                let values: Vec<_> = cells.iter().map(|cell| value(column, cell)).collect();
                format!("{} IN ({})", name(column), values.join(", "))
            }
            Self::Joined(is_and, a, b) => {
                let operator = if *is_and { "AND" } else { "OR" };
                format!("({}) {operator} ({})", a.sql(rows), b.sql(rows))
            }
        }
    }

    /// Returns it as the program for pyarrow reads it.
    pub fn json(&self, rows: &Rows) -> Value {
        let name = |column: &usize| rows.columns[*column].0;
        let value = |column: &usize, cell: &Cell| match (rows.columns[*column].1, cell) {
            (ColumnType::Time, Cell::Int(at)) => json!({"at": at}),
            (_, Cell::Int(n)) => json!({"is": n}),
            (_, Cell::Bool(is)) => json!({"is": is}),
            (_, Cell::Double(n)) => json!({"double": n.to_string()}),
            (_, Cell::Text(text)) => json!({"is": String::from_utf8_lossy(text)}),
        };
        match self {
            Self::Compare(column, operator, cell) => {
                json!([OPERATORS[*operator].0, name(column), value(column, cell)])
            }
            Self::IsNull(column, is_null) => json!(["null", name(column), is_null]),
            Self::Between(column, low, high) => {
                let [low, high] = [low, high].map(|cell| value(column, cell));
                json!(["between", name(column), low, high])
            }
            Self::In(column, cells) => {
                let values: Vec<_> = cells.iter().map(|cell| value(column, cell)).collect();
                json!(["in", name(column), values])
            }
            Self::Joined(is_and, a, b) => {
                let operator = if *is_and { "and" } else { "or" };
                json!([operator, a.json(rows), b.json(rows)])
            }
        }
    }
}

impl Rows {
    /// Returns a value of a column, or one that is nearly one.
    fn value(&self, column: usize, random: &mut Random) -> Cell {
        let (_, kind, cells) = &self.columns[column];
        let some = cells[random.below(cells.len())].clone();
        let some = some.unwrap_or_else(|| match kind {
            ColumnType::Bool => Cell::Bool(true),
            ColumnType::Float64 => Cell::Double(0.5),
            ColumnType::Text | ColumnType::Name => Cell::Text(b"a".to_vec()),
            ColumnType::Int32 | ColumnType::Int64 | ColumnType::Time => Cell::Int(7),
        });
        match (some, random.below(5)) {
            (Cell::Int(n), 0) => {
                let near = n.saturating_add([-1, 1][random.below(2)]);
                let most = match kind {
                    ColumnType::Int32 => i64::from(i32::MAX),
                    _ => i64::MAX,
                };
                Cell::Int(near.clamp(-most, most))
            }
            (Cell::Double(n), 0) => Cell::Double(n.next_up()),
            (Cell::Text(text), 0) => Cell::Text([text, b"\0".to_vec()].concat()),
            (Cell::Text(text), 1) => {
                let text = String::from_utf8(text).unwrap();
                let end = text.char_indices().nth(random.below(80));
                Cell::Text(text[..end.map_or(text.len(), |(at, _)| at)].into())
            }
            (Cell::Text(text), 2) => Cell::Text([text, "\u{10ffff}".into()].concat()),
            (cell, _) => cell,
        }
    }
}

/// Returns a value in SQL of DuckDB, of the type of its column.
fn literal(kind: ColumnType, cell: &Cell) -> String {
    match cell {
        Cell::Bool(is) => is.to_string(),
        Cell::Int(at) if kind == ColumnType::Time => format!("make_timestamptz({at})"),
        Cell::Int(n) => format!("CAST('{n}' AS {})", kind.sql_name()),
        Cell::Double(n) => format!("CAST('{n}' AS DOUBLE)"),
        Cell::Text(text) => {
            let hex: String = text.iter().map(|byte| format!("{byte:02X}")).collect();
            format!("decode(from_hex('{hex}'))")
        }
    }
}
