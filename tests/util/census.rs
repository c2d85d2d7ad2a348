//! A dataset as its files show it, read with the Parquet crate alone.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    path::{Path, PathBuf},
};

use arrow_array::{
    ArrayRef, RecordBatch, StringArray,
    cast::AsArray,
    types::{Float64Type, Int32Type, Int64Type, TimestampMicrosecondType},
};
use arrow_schema::{DataType, FieldRef};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::files_below;

/// The folder of a dataset.
pub struct Census(pub PathBuf);

/// All rows of one table, in the order of its files' paths.
pub struct Table(Vec<RecordBatch>);

impl Census {
    /// Reads a table; one without a file fails the test.
    pub fn table(&self, name: &str) -> Table {
        let files = files_below(&self.0.join(name));
        assert!(!files.is_empty(), "{name} has no file");
        let mut batches = Vec::new();
        for path in files {
            let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(&path).unwrap())
                .unwrap()
                .with_batch_size(65_536)
                .build()
                .unwrap();
            batches.extend(reader.map(Result::unwrap));
        }
        Table(batches)
    }

    /// Returns how many records were skipped, by the name of their archive and the reason.
    pub fn skipped(&self) -> BTreeMap<(String, String), i64> {
        let rows = self.table("archive_skips");
        let names = rows.all_texts("warc_filename").into_iter();
        let keys = names.zip(rows.all_texts("reason"));
        keys.zip(rows.all_ints("records")).collect()
    }

    /// Returns every file below the folder by its path, with its bytes.
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        files_below(&self.0)
            .into_iter()
            .map(|path| (below(&self.0, &path), fs::read(&path).unwrap()))
            .collect()
    }

    /// Returns the one Parquet file of a table.
    pub fn only_file(&self, table: &str) -> PathBuf {
        let mut files = files_below(&self.0.join(table));
        assert_eq!(files.len(), 1, "{files:?}");
        files.remove(0)
    }
}

impl Table {
    pub fn n_rows(&self) -> usize {
        self.0.iter().map(RecordBatch::num_rows).sum()
    }

    /// Returns the columns; none of a table without rows.
    pub fn fields(&self) -> Vec<FieldRef> {
        let schema = self.0.first().map(RecordBatch::schema);
        let fields = schema.iter().flat_map(|schema| schema.fields());
        fields.cloned().collect()
    }

    /// Returns the names of the columns; none of a table without rows.
    pub fn names(&self) -> Vec<String> {
        let fields = self.fields();
        fields.iter().map(|field| field.name().clone()).collect()
    }

    /// Returns a column of any type as text.
    pub fn shown(&self, column: &str) -> Vec<String> {
        fn texts<T: std::fmt::Debug>(values: Vec<Option<T>>) -> Vec<String> {
            values.iter().map(|value| format!("{value:?}")).collect()
        }
        let schema = self.0[0].schema();
        match schema.field_with_name(column).unwrap().data_type() {
            DataType::Boolean => texts(self.bools(column)),
            DataType::Float64 => texts(self.floats(column)),
            DataType::Utf8 | DataType::Dictionary(..) => texts(self.texts(column)),
            _ => texts(self.ints(column)),
        }
    }

    /// Returns a column of integers, or of points in time as microseconds since 1970.
    pub fn ints(&self, column: &str) -> Vec<Option<i64>> {
        self.column(column, |array, values| {
            if let Some(array) = array.as_primitive_opt::<Int64Type>() {
                values.extend(array);
            } else if let Some(array) = array.as_primitive_opt::<TimestampMicrosecondType>() {
                values.extend(array);
            } else {
                let array = array.as_primitive::<Int32Type>();
                values.extend(array.iter().map(|n| n.map(i64::from)));
            }
        })
    }

    /// Returns a column of integers that are never NULL.
    pub fn all_ints(&self, column: &str) -> Vec<i64> {
        not_null(column, self.ints(column))
    }

    /// Returns the sum of a column; NULL is nothing.
    pub fn sum(&self, column: &str) -> i64 {
        self.ints(column).into_iter().flatten().sum()
    }

    /// Returns a column of floating point numbers.
    pub fn floats(&self, column: &str) -> Vec<Option<f64>> {
        self.column(column, |array, values| {
            values.extend(array.as_primitive::<Float64Type>());
        })
    }

    /// Returns a column of truth values.
    pub fn bools(&self, column: &str) -> Vec<Option<bool>> {
        self.column(column, |array, values| values.extend(array.as_boolean()))
    }

    /// Returns a column of truth values that are never NULL.
    pub fn all_bools(&self, column: &str) -> Vec<bool> {
        not_null(column, self.bools(column))
    }

    /// Returns a column of text.
    pub fn texts(&self, column: &str) -> Vec<Option<String>> {
        self.column(column, |array, values| {
            let owned = |text: Option<&str>| text.map(str::to_owned);
            if let Some(array) = array.as_string_opt::<i32>() {
                values.extend(array.iter().map(owned));
            } else {
                let array = array.as_dictionary::<Int32Type>();
                let array = array.downcast_dict::<StringArray>().unwrap();
                values.extend(array.into_iter().map(owned));
            }
        })
    }

    /// Returns a column of text that is never NULL.
    pub fn all_texts(&self, column: &str) -> Vec<String> {
        not_null(column, self.texts(column))
    }

    fn column<T>(&self, name: &str, extend: impl Fn(&ArrayRef, &mut Vec<T>)) -> Vec<T> {
        let mut values = Vec::with_capacity(self.n_rows());
        for batch in &self.0 {
            let array = batch
                .column_by_name(name)
                .unwrap_or_else(|| panic!("no column {name}"));
            extend(array, &mut values);
        }
        values
    }
}

fn not_null<T>(column: &str, values: Vec<Option<T>>) -> Vec<T> {
    values
        .into_iter()
        .map(|value| value.unwrap_or_else(|| panic!("{column} is NULL")))
        .collect()
}

fn below(root: &Path, path: &Path) -> String {
    let path = path.strip_prefix(root).unwrap();
    path.to_str().unwrap().replace('\\', "/")
}
