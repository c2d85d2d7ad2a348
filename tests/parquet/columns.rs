//! Values of columns, read without any use of statistics.

use std::cmp::Ordering;

use arrow_schema::DataType;

use crate::util::Table;

#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    Bool(bool),
    /// An integer of any width, or a point in time in microseconds.
    Int(i64),
    Double(f64),
    /// UTF-8.
    Text(Vec<u8>),
}

impl Cell {
    /// Compares in the order that Parquet defines for the type; texts by their bytes. NaN has no
    /// order.
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Bool(a), Self::Bool(b)) => Some(a.cmp(b)),
            (Self::Int(a), Self::Int(b)) => Some(a.cmp(b)),
            (Self::Double(a), Self::Double(b)) => a.partial_cmp(b),
            (Self::Text(a), Self::Text(b)) => Some(a.cmp(b)),
            _ => panic!("{self:?} and {other:?} are of two types"),
        }
    }
}

/// Values of a column.
pub type Cells = [Option<Cell>];

pub fn cells(rows: &Table, column: &str) -> Vec<Option<Cell>> {
    fn cells<T>(values: Vec<Option<T>>, cell: impl Fn(T) -> Cell) -> Vec<Option<Cell>> {
        let values = values.into_iter();
        values.map(|value| value.map(&cell)).collect()
    }
    let fields = rows.fields();
    let field = fields.iter().find(|field| field.name() == column);
    match field.map(|field| field.data_type()) {
        Some(DataType::Boolean) => cells(rows.bools(column), Cell::Bool),
        Some(DataType::Float64) => cells(rows.floats(column), Cell::Double),
        Some(DataType::Utf8 | DataType::Dictionary(..)) => {
            cells(rows.texts(column), |text| Cell::Text(text.into_bytes()))
        }
        _ => cells(rows.ints(column), Cell::Int),
    }
}
