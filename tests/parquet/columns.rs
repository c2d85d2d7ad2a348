//! Values of columns, read without any use of statistics.

use std::{cmp::Ordering, fs::File, path::Path};

use parquet::{
    column::reader::{ColumnReader, ColumnReaderImpl},
    data_type::DataType,
    file::{
        properties::ReaderProperties,
        reader::FileReader,
        serialized_reader::{ReadOptionsBuilder, SerializedFileReader},
    },
};

/// One value.
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

/// Opens a file with all that it says of itself.
pub fn open(path: &Path) -> SerializedFileReader<File> {
    let properties = ReaderProperties::builder().set_read_bloom_filter(true);
    let options = ReadOptionsBuilder::new()
        .with_page_index()
        .with_reader_properties(properties.build());
    SerializedFileReader::new_with_options(File::open(path).unwrap(), options.build()).unwrap()
}

/// Returns the values of a column in a row group.
pub fn cells(file: &SerializedFileReader<File>, group: usize, column: usize) -> Vec<Option<Cell>> {
    let group = file.get_row_group(group).unwrap();
    let n_rows = usize::try_from(group.metadata().num_rows()).unwrap();
    let description = file
        .metadata()
        .file_metadata()
        .schema_descr()
        .column(column);
    let is_optional = description.max_def_level() > 0;
    match group.get_column_reader(column).unwrap() {
        ColumnReader::BoolColumnReader(reader) => {
            all(reader, n_rows, is_optional, |value| Cell::Bool(*value))
        }
        ColumnReader::Int32ColumnReader(reader) => all(reader, n_rows, is_optional, |value| {
            Cell::Int((*value).into())
        }),
        ColumnReader::Int64ColumnReader(reader) => {
            all(reader, n_rows, is_optional, |value| Cell::Int(*value))
        }
        ColumnReader::DoubleColumnReader(reader) => {
            all(reader, n_rows, is_optional, |value| Cell::Double(*value))
        }
        ColumnReader::ByteArrayColumnReader(reader) => all(reader, n_rows, is_optional, |value| {
            Cell::Text(value.data().to_vec())
        }),
        _ => panic!("{}: no table has such a type", description.path()),
    }
}

fn all<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    n_rows: usize,
    is_optional: bool,
    cell: impl Fn(&T::T) -> Cell,
) -> Vec<Option<Cell>> {
    let (mut levels, mut values) = (Vec::new(), Vec::new());
    let mut n_read = 0;
    while n_read < n_rows {
        let of_nulls = is_optional.then_some(&mut levels);
        let (records, ..) = reader
            .read_records(n_rows - n_read, of_nulls, None, &mut values)
            .unwrap();
        assert!(records > 0, "{n_read} of {n_rows} rows");
        n_read += records;
    }
    let mut values = values.iter().map(cell);
    let cells: Vec<_> = if !is_optional {
        values.by_ref().map(Some).collect()
    } else {
        levels
            .iter()
            .map(|level| (*level > 0).then(|| values.next().unwrap()))
            .collect()
    };
    assert!(values.next().is_none() && cells.len() == n_rows);
    cells
}
