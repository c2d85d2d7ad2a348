//! Rows of a Parquet file that a user gives as a list.

use bytes::Bytes;
use parquet::{
    errors::ParquetError,
    file::reader::{FileReader, SerializedFileReader},
    record::Field,
};

use super::caught::caught;
use crate::archive::cohort::Rows;

/// The bytes with which a Parquet file begins.
pub const PARQUET_MAGIC: &[u8] = b"PAR1";

/// Reads all columns of a Parquet file as text; what is NULL is empty.
///
/// # Errors
///
/// Why it cannot be read.
pub fn rows_of_parquet(bytes: Vec<u8>) -> Result<Rows, String> {
    let read = caught(|| read(bytes)).and_then(|rows| rows);
    read.map_err(|e| format!("cannot read this Parquet file: {e}"))
}

fn read(bytes: Vec<u8>) -> Result<Rows, ParquetError> {
    let reader = SerializedFileReader::new(Bytes::from(bytes))?;
    let schema = reader.metadata().file_metadata().schema();
    let columns = schema.get_fields().iter();
    let header = columns.map(|column| column.name().to_owned()).collect();
    let mut rows = Vec::new();
    for (number, row) in (1..).zip(reader.get_row_iter(None)?) {
        let row = row?;
        let cells = row.get_column_iter().map(|(_, field)| text(field));
        rows.push((number, cells.collect()));
    }
    Ok(Rows {
        header,
        rows,
        kind: "row",
    })
}

fn text(field: &Field) -> String {
    match field {
        Field::Null => String::new(),
        Field::Str(text) => text.clone(),
        // Without an annotation, text is bytes.
        Field::Bytes(bytes) => String::from_utf8_lossy(bytes.data()).into_owned(),
        other => other.to_string(),
    }
}
