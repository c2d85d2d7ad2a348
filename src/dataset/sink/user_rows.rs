//! Rows of a Parquet file that a user gives as a list.

use std::{error::Error, sync::Arc};

use bytes::Bytes;
use parquet::{
    basic::ConvertedType,
    file::reader::{FileReader, SerializedFileReader},
    record::Field,
    schema::types::Type,
};

use super::caught;
use crate::archive::cohort::{Rows, expect_few};

/// The bytes with which a Parquet file begins.
pub const PARQUET_MAGIC: &[u8] = b"PAR1";

/// Reads columns of a Parquet file as text, all but intervals if none is named; what is NULL is
/// empty.
///
/// # Errors
///
/// Why it cannot be read.
pub fn rows_of_parquet(bytes: Vec<u8>, columns: &[&str]) -> Result<Rows, String> {
    let read = caught(|| read(bytes, columns));
    let read = read.map_err(Box::from).and_then(|rows| rows);
    read.map_err(|e| format!("cannot read this Parquet file: {e}"))
}

fn read(bytes: Vec<u8>, columns: &[&str]) -> Result<Rows, Box<dyn Error>> {
    let reader = SerializedFileReader::new(Bytes::from(bytes))?;
    let schema = reader.metadata().file_metadata().schema();
    // The crate cannot read intervals, which no list needs.
    let is_interval =
        |column: &Type| column.get_basic_info().converted_type() == ConvertedType::INTERVAL;
    let is_read = |column: &&Arc<Type>| match columns {
        [] => !is_interval(column),
        columns => columns.contains(&column.name()),
    };
    let read = schema.get_fields().iter().filter(is_read);
    let read: Vec<_> = read.cloned().collect();
    let header: Vec<_> = read.iter().map(|column| column.name().to_owned()).collect();
    let projection = Type::group_type_builder(schema.name()).with_fields(read);
    let mut rows = Vec::new();
    for (number, row) in (1..).zip(reader.get_row_iter(Some(projection.build()?))?) {
        let row = row?;
        let cells = row.get_column_iter().map(|(_, field)| text(field));
        rows.push((number, cells.collect()));
        expect_few(rows.len(), rows.len() * header.len())?;
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
