//! A dataset as its files show it, read with the Parquet crate alone.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    path::{Path, PathBuf},
    sync::Arc,
};

use arrow_array::{
    ArrayRef, Int64Array, RecordBatch, StringArray,
    cast::AsArray,
    types::{Float64Type, Int32Type, Int64Type, TimestampMicrosecondType},
};
use arrow_schema::{DataType, FieldRef};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use robocensus::{dataset::summary::Counts, url::Location};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::{answer::shown, files_below};

/// The folder of a dataset.
pub struct Census(pub PathBuf);

/// All rows of one table, in the order of its files' paths.
pub struct Table(Vec<RecordBatch>);

impl Census {
    /// Reads a table, or the view `verdicts` or `policies`; one without a file fails the test.
    pub fn table(&self, name: &str) -> Table {
        match name {
            "verdicts" => return self.joined("verdict_sets", "verdict_set_id"),
            "policies" => return self.joined("policy_sets", "policy_set_id"),
            _ => {}
        }
        let files = files_below(&self.0.join(name));
        assert!(!files.is_empty(), "{name} has no file");
        Table(
            files
                .iter()
                .flat_map(|path| Table::of_file(path).0)
                .collect(),
        )
    }

    /// Checks that the counts of the only run into the dataset agree with each other, and with the
    /// rows of the tables that were written.
    pub fn assert_counts(&self, counts: &Counts) {
        let sum = |figures: &BTreeMap<&str, u64>| figures.values().sum::<u64>();
        let skipped = sum(&counts.skipped);
        assert_eq!(counts.records, counts.captures + skipped);
        assert_eq!(counts.bytes_in, counts.member_bytes + counts.bytes_skipped);
        assert_eq!(counts.captures, sum(&counts.status));
        assert_eq!(counts.captures, sum(&counts.access));
        for (table, counted) in [
            ("archives", counts.archives),
            ("captures", counts.captures),
            ("groups", counts.groups),
            ("agents", counts.agents),
            ("rules", counts.rules),
            ("directives", counts.directives),
            ("errors", counts.n_errors()),
            ("response_errors", counts.n_response_errors()),
            ("pages", counts.pages),
            ("page_directives", counts.page_statements),
        ] {
            if self.0.join(table).is_dir() {
                assert_eq!(self.table(table).n_rows() as u64, counted, "{table}");
            }
        }
    }

    /// Returns the names of the tables.
    pub fn tables(&self) -> BTreeSet<String> {
        let files = self.files().into_keys();
        let tables = files.filter_map(|path| Some(path.split_once('/')?.0.to_owned()));
        tables.filter(|table| !table.starts_with('_')).collect()
    }

    /// Returns how many records were skipped, by the name of their archive and the reason.
    pub fn skipped(&self) -> BTreeMap<(String, String), i64> {
        let skips = self.table("archive_skips");
        let rows = skips.rows("warc_filename reason records").into_iter();
        rows.map(|(name, reason, n)| ((name, reason), n)).collect()
    }

    /// Returns the rows of a table of vectors for each capture, in the order of captures.
    fn joined(&self, table: &str, key: &str) -> Table {
        let mut runs: BTreeMap<i64, Vec<RecordBatch>> = BTreeMap::new();
        for batch in &self.table(table).0 {
            let ids = batch.column_by_name(key).unwrap();
            let ids = ids.as_primitive::<Int64Type>().values();
            let mut start = 0;
            for run in ids.chunk_by(|one, other| one == other) {
                let rows = batch.slice(start, run.len());
                runs.entry(run[0]).or_default().push(rows);
                start += run.len();
            }
        }
        let captures = self.table("captures");
        let mut batches = Vec::new();
        let columns = format!("capture_id url_host_name {key}");
        for (capture, host, id) in captures.rows::<(i64, String, i64)>(&columns) {
            for rows in runs.get(&id).into_iter().flatten() {
                batches.push(of_capture(rows, key, capture, &host));
            }
        }
        Table(batches)
    }

    /// Returns every file below the folder by its path, with its bytes.
    pub fn files(&self) -> Files {
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

/// Returns how often each value occurs.
pub fn tally<T: Ord>(values: impl IntoIterator<Item = T>) -> BTreeMap<T, usize> {
    let mut tally = BTreeMap::new();
    for value in values {
        *tally.entry(value).or_default() += 1;
    }
    tally
}

/// Files with their bytes, by path.
pub type Files = BTreeMap<String, Vec<u8>>;

/// Returns the files of tables but `archives`: what is the same wherever the bytes came from.
pub fn of_tables(mut files: Files) -> Files {
    files.retain(|path, _| !path.starts_with('_') && !path.starts_with("archives/"));
    files
}

/// Asserts that two datasets have the same files with the same bytes.
#[track_caller]
pub fn assert_same_files(found: &Files, wanted: &Files) {
    let names = |files: &Files| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(found), names(wanted));
    for (name, bytes) in wanted {
        assert!(found[name] == *bytes, "{name} differs");
    }
}

/// Returns rows with the keys of a capture in place of that of their vector.
fn of_capture(rows: &RecordBatch, key: &str, capture: i64, host: &str) -> RecordBatch {
    let n = rows.num_rows();
    let ids: ArrayRef = Arc::new(Int64Array::from_value(capture, n));
    let hosts: ArrayRef = Arc::new(StringArray::from(vec![host; n]));
    let mut columns = vec![("capture_id", ids, false), ("url_host_name", hosts, false)];
    let schema = rows.schema();
    for (field, column) in schema.fields().iter().zip(rows.columns()) {
        if field.name() != key {
            columns.push((field.name(), column.clone(), field.is_nullable()));
        }
    }
    RecordBatch::try_from_iter_with_nullable(columns).unwrap()
}

impl Table {
    /// Reads one file.
    pub fn of_file(path: &Path) -> Self {
        let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap())
            .unwrap()
            .with_batch_size(65_536)
            .build()
            .unwrap();
        Self(reader.map(Result::unwrap).collect())
    }

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

    /// Returns the rows as text, without these columns.
    pub fn rows_without(&self, columns: &[&str]) -> Vec<String> {
        let mut rows = vec![String::new(); self.n_rows()];
        for name in self.names() {
            if !columns.contains(&&*name) {
                for (row, cell) in rows.iter_mut().zip(self.shown(&name)) {
                    row.push_str(&format!("{name}={cell}\t"));
                }
            }
        }
        rows
    }

    /// Asserts that another table has the same rows, whatever these columns have.
    #[track_caller]
    pub fn assert_same_without(&self, columns: &[&str], other: &Self) {
        let [ours, theirs] = [self, other].map(|table| table.rows_without(columns));
        assert_eq!(ours.len(), theirs.len(), "{:?}", self.names());
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert_eq!(ours, theirs);
        }
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

    /// Returns these columns, whose names have a blank between, as lines of cells with a blank
    /// between; NULL is a hyphen.
    pub fn lines(&self, columns: &str) -> Vec<String> {
        let rows = self.rows::<Vec<Value>>(columns).into_iter();
        let line = |row: Vec<Value>| {
            let cells = row.iter().map(|cell| shown(cell, "-"));
            cells.collect::<Vec<_>>().join(" ")
        };
        rows.map(line).collect()
    }

    /// Returns the values of these columns, whose names have a blank between, row by row.
    pub fn rows<R: DeserializeOwned>(&self, columns: &str) -> Vec<R> {
        let mut rows = vec![Vec::new(); self.n_rows()];
        for name in columns.split(' ') {
            for (row, cell) in rows.iter_mut().zip(self.values(name)) {
                row.push(cell);
            }
        }
        let read = |row| serde_json::from_value(Value::Array(row)).expect(columns);
        rows.into_iter().map(read).collect()
    }

    /// Returns a column of any type as JSON.
    fn values(&self, column: &str) -> Vec<Value> {
        fn values<T: Serialize>(values: Vec<Option<T>>) -> Vec<Value> {
            values.iter().map(|value| json!(value)).collect()
        }
        let fields = self.fields().into_iter();
        let mut types = fields.filter(|field| field.name() == column);
        match types.next().map(|field| field.data_type().clone()) {
            Some(DataType::Boolean) => values(self.bools(column)),
            Some(DataType::Float64) => values(self.floats(column)),
            Some(DataType::Utf8 | DataType::Dictionary(..)) => values(self.texts(column)),
            _ => values(self.ints(column)),
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

    pub fn floats(&self, column: &str) -> Vec<Option<f64>> {
        self.column(column, |array, values| {
            values.extend(array.as_primitive::<Float64Type>());
        })
    }

    pub fn bools(&self, column: &str) -> Vec<Option<bool>> {
        self.column(column, |array, values| values.extend(array.as_boolean()))
    }

    /// Returns a column of truth values that are never NULL.
    pub fn all_bools(&self, column: &str) -> Vec<bool> {
        not_null(column, self.bools(column))
    }

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

/// Returns the origin of a URL, `scheme://host:port`.
pub fn origin_of(url: &str) -> String {
    let mut location = Location::new();
    location.parse(url.as_bytes()).unwrap();
    location.origin().to_owned()
}

fn not_null<T>(column: &str, values: Vec<Option<T>>) -> Vec<T> {
    values
        .into_iter()
        .map(|value| value.unwrap_or_else(|| panic!("{column} is NULL")))
        .collect()
}

/// Returns the path of a file below a folder, with slashes.
pub fn below(root: &Path, path: &Path) -> String {
    let path = path.strip_prefix(root).unwrap();
    path.to_str().unwrap().replace('\\', "/")
}
