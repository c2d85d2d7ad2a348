//! Batches of every column type, written as files and read back.

use arrow_array::{
    Array, ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int32Array, Int64Array,
    StringArray, TimestampMicrosecondArray, cast::AsArray, types::Int32Type,
};
use arrow_schema::{DataType, Field, Schema};
use bytes::Bytes;
use parquet::{
    arrow::arrow_reader::ParquetRecordBatchReaderBuilder,
    file::{
        metadata::{PageIndexPolicy, ParquetMetaData, ParquetMetaDataReader},
        properties::ReaderProperties,
        reader::FileReader,
        serialized_reader::{ReadOptionsBuilder, SerializedFileReader},
    },
};

use super::*;
use crate::sample::random::Random;

const fn column(name: &'static str, column_type: ColumnType) -> Column {
    Column::of_type(column_type).named(name, "")
}

/// One column of every type, required and optional, and columns with each option.
const TABLE: Table = Table {
    name: "cases",
    about: "",
    columns: &[
        column("name_required", ColumnType::Name),
        column("text_required", ColumnType::Text),
        column("n32_required", ColumnType::Int32),
        column("time_required", ColumnType::Time),
        column("flag_required", ColumnType::Bool),
        column("real_required", ColumnType::Float64),
        column("name_optional", ColumnType::Name).nullable(),
        column("text_optional", ColumnType::Text).nullable(),
        column("n64_optional", ColumnType::Int64).nullable(),
        column("flag_optional", ColumnType::Bool).nullable(),
        column("url_host_name", ColumnType::Name)
            .nullable()
            .bloom_filter(),
        column("content_digest", ColumnType::Text)
            .nullable()
            .bloom_filter(),
        column("warc_filename", ColumnType::Name).statistics(),
        column("byte_offset", ColumnType::Int64).nullable().delta(),
        column("rule_count", ColumnType::Int32).dictionary(),
        column("text", ColumnType::Text).nullable().dictionary(),
    ],
};

/// Returns the numbers of the values of `rows` rows, some of them equal to the one before, and some
/// NULL where that may be.
fn numbers(random: &mut Random, rows: usize, nullable: bool) -> Vec<Option<usize>> {
    let mut numbers = Vec::new();
    while numbers.len() < rows {
        let is_null = nullable && random.below(100) < 20;
        let number = (!is_null).then(|| random.below(5_000));
        numbers.extend(std::iter::repeat_n(number, 1 + random.below(3)));
    }
    numbers.truncate(rows);
    numbers
}

fn text(number: usize) -> String {
    match number % 5 {
        0 if number == 0 => String::new(),
        1 => format!("/é{}/{number}", "x".repeat(number % 90)),
        _ => format!("{number}"),
    }
}

fn array(data_type: &DataType, numbers: &[Option<usize>]) -> ArrayRef {
    let of = |spread: i64| {
        numbers
            .iter()
            .map(move |n| n.map(|n| (n as i64).wrapping_mul(spread)))
    };
    let texts = || numbers.iter().map(|n| n.map(text));
    match data_type {
        DataType::Utf8 => Arc::new(texts().collect::<StringArray>()),
        DataType::Int32 => Arc::new(
            of(0x9E37_79B9)
                .map(|n| n.map(|n| n as i32))
                .collect::<Int32Array>(),
        ),
        DataType::Int64 => Arc::new(of(0x9E37_79B9_7F4A_7C15_u64 as i64).collect::<Int64Array>()),
        DataType::Timestamp(..) => Arc::new(
            of(1_000_003)
                .collect::<TimestampMicrosecondArray>()
                .with_timezone("UTC"),
        ),
        DataType::Boolean => Arc::new(
            numbers
                .iter()
                .map(|n| n.map(|n| n % 2 == 0))
                .collect::<BooleanArray>(),
        ),
        DataType::Float64 => Arc::new(
            of(1)
                .map(|n| n.map(|n| n as f64 / 4.0))
                .collect::<Float64Array>(),
        ),
        _ => {
            let texts: Vec<_> = texts().collect();
            Arc::new(
                texts
                    .iter()
                    .map(Option::as_deref)
                    .collect::<DictionaryArray<Int32Type>>(),
            )
        }
    }
}

fn batch(random: &mut Random, rows: usize) -> RecordBatch {
    let schema = TABLE.schema();
    let columns = schema.fields().iter().map(|field| {
        let numbers = numbers(random, rows, field.is_nullable());
        array(field.data_type(), &numbers)
    });
    let columns = columns.collect();
    RecordBatch::try_new(schema, columns).unwrap()
}

/// Writes batches as a file, each as a row group.
fn write(batches: &[RecordBatch]) -> Bytes {
    write_table(&TABLE, batches)
}

fn write_table(table: &Table, batches: &[RecordBatch]) -> Bytes {
    let format = Arc::new(Format::new(table, &[]).unwrap());
    let mut file = format.file_writer(Vec::new()).unwrap();
    let mut encoder = Encoder::new(format);
    for batch in batches {
        encoder.write(batch.clone()).unwrap();
        for group in encoder.finish().unwrap() {
            group.append_to(&mut file).unwrap();
        }
    }
    file.into_inner().unwrap().into()
}

/// A column's values without their representation: names as texts.
fn plain(array: &ArrayRef) -> ArrayRef {
    let Some(names) = array.as_dictionary_opt::<Int32Type>() else {
        return array.clone();
    };
    let texts = names.downcast_dict::<StringArray>().unwrap();
    Arc::new(texts.into_iter().collect::<StringArray>())
}

/// Checks that a file holds the rows of a batch and its schema.
fn check(file: &Bytes, batch: &RecordBatch) -> ParquetMetaData {
    let reader = ParquetRecordBatchReaderBuilder::try_new(file.clone()).unwrap();
    assert_eq!(*reader.schema(), batch.schema());
    let mut read = reader.with_batch_size(batch.num_rows()).build().unwrap();
    let found = read.next().unwrap().unwrap();
    assert!(read.next().is_none());
    for (found, expected) in found.columns().iter().zip(batch.columns()) {
        assert_eq!(&plain(found), &plain(expected));
    }
    let reader = ParquetMetaDataReader::new();
    let reader = reader.with_page_index_policy(PageIndexPolicy::Required);
    reader.parse_and_finish(file).unwrap()
}

#[test]
fn rows_come_back_and_the_same_rows_give_the_same_bytes() {
    let batch = batch(&mut Random::new(7), 30_000);
    let batches = [(0, 0), (0, 9), (9, 29_991)].map(|(start, rows)| batch.slice(start, rows));
    let file = write(&batches);
    assert_eq!(check(&file, &batch).num_row_groups(), 2);
    assert_eq!(file, write(&batches));
}

#[test]
fn columns_have_the_encodings_of_their_layout() {
    let schema = TABLE.schema();
    // The first values repeat; then all differ, until a dictionary would be too large.
    let number = |row: usize| if row < 19_000 { row % 9 } else { row };
    let numbers: Vec<_> = (0..190_000).map(number).map(Some).collect();
    let fields = schema.fields().iter();
    let columns = fields
        .map(|field| array(field.data_type(), &numbers))
        .collect();
    let batch = RecordBatch::try_new(schema, columns).unwrap();
    let metadata = check(&write(std::slice::from_ref(&batch)), &batch);
    for column in metadata.row_group(0).columns() {
        let name = column.column_path().string();
        let pages = column.page_encoding_stats_mask().unwrap();
        let encodings = [
            Encoding::PLAIN,
            Encoding::DELTA_BINARY_PACKED,
            Encoding::RLE_DICTIONARY,
        ]
        .map(|encoding| pages.is_set(encoding));
        let expected = match name.as_str() {
            "byte_offset" => [false, true, false],
            // 171,000 integers of four bytes are less than the 1 MiB that a dictionary may have.
            "rule_count" => [false, false, true],
            "name_required" | "name_optional" | "text" | "url_host_name" | "warc_filename" => {
                [true, false, true]
            }
            _ => [true, false, false],
        };
        assert_eq!(encodings, expected, "{name}: {pages:?}");
    }
}

#[test]
fn all_columns_but_names_have_statistics_and_a_column_index() {
    let mut random = Random::new(5);
    let batch = batch(&mut random, 15_000);
    let file = write(std::slice::from_ref(&batch));
    let metadata = check(&file, &batch);
    for (index, column) in metadata.row_group(0).columns().iter().enumerate() {
        let name = column.column_path().string();
        let is_name = name.starts_with("name") || name == "url_host_name";
        let page_index = metadata.page_index().unwrap();
        assert_eq!(column.statistics().is_none(), is_name, "{name}");
        let bounds = page_index.column_index(0, index);
        let has_bounds = bounds.is_some();
        assert_eq!(has_bounds, !is_name, "{name}");
        assert!(page_index.offset_index(0, index).is_some(), "{name}");
    }
}

#[test]
fn texts_that_no_row_uses_are_not_written() {
    const COLUMNS: &[Column] = &[column("url_host_name", ColumnType::Name)
        .nullable()
        .bloom_filter()];
    let table = Table {
        columns: COLUMNS,
        ..TABLE
    };
    let keys = Int32Array::from(vec![Some(2), None, Some(0), Some(3)]);
    let texts = StringArray::from(vec![Some("used"), Some("unused"), Some("too"), None]);
    let names = DictionaryArray::<Int32Type>::new(keys, Arc::new(texts));
    let batch = RecordBatch::try_new(table.schema(), vec![Arc::new(names)]).unwrap();
    let file = write_table(&table, std::slice::from_ref(&batch));
    check(&file, &batch);
    let filter = bloom_filter(&file, 0);
    assert!(filter.check("used") && filter.check("too") && !filter.check("unused"));
}

#[test]
fn what_does_not_fit_the_layout_is_refused() {
    let reason = |written: Result<(), Error>| {
        let error = written.unwrap_err();
        std::error::Error::source(&error).unwrap().to_string()
    };
    let names = |texts: Vec<Option<&str>>| {
        let keys = Int32Array::from(vec![0, 1]);
        DictionaryArray::<Int32Type>::new(keys, Arc::new(StringArray::from(texts)))
    };
    let batch = |array: ArrayRef| {
        let field = Field::new("name", array.data_type().clone(), false);
        RecordBatch::try_new(Arc::new(Schema::new(vec![field])), vec![array]).unwrap()
    };
    let good = [
        batch(Arc::new(names(vec![Some("a"), Some("b")]))),
        batch(Arc::new(StringArray::from(vec!["a", "c"]))),
    ];
    const COLUMNS: &[Column] = &[column("name", ColumnType::Name)];
    let table = Table {
        columns: COLUMNS,
        ..TABLE
    };
    let format = Format::new(&table, &[]).unwrap();
    let mut encoder = Encoder::new(Arc::new(format));
    for good in good {
        encoder.write(good).unwrap();
    }
    let null = batch(Arc::new(names(vec![Some("a"), None])));
    let error = reason(encoder.write(null));
    assert!(error.contains("null at index 1"), "{error}");
    let number = batch(Arc::new(Int32Array::from(vec![1, 2])));
    let error = reason(encoder.write(number));
    assert!(error.contains("Incompatible type"), "{error}");
}

fn bloom_filter(file: &Bytes, column: usize) -> parquet::bloom_filter::Sbbf {
    let properties = ReaderProperties::builder()
        .set_read_bloom_filter(true)
        .build();
    let options = ReadOptionsBuilder::new()
        .with_reader_properties(properties)
        .build();
    let reader = SerializedFileReader::new_with_options(file.clone(), options).unwrap();
    let group = reader.get_row_group(0).unwrap();
    group.get_column_bloom_filter(column).unwrap().clone()
}

#[test]
fn a_bloom_filter_knows_every_value_of_its_chunk() {
    let batch = batch(&mut Random::new(3), 4_000);
    let file = write(std::slice::from_ref(&batch));
    for name in ["url_host_name", "content_digest"] {
        let index = batch.schema().index_of(name).unwrap();
        let filter = bloom_filter(&file, index);
        let texts = plain(batch.column(index));
        let mut texts = texts.as_string::<i32>().iter().flatten();
        assert!(texts.all(|text| filter.check(text)));
        let strangers = (0..1_000).filter(|n| filter.check(format!("stranger {n}").as_str()));
        assert!(strangers.count() < 50, "{name}");
    }
}
