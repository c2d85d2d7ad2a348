//! Round trips: batches of every shape, encoded here and read back by the `parquet` crate.

use std::sync::Arc;

use arrow_array::{
    Array, ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int32Array, Int64Array,
    RecordBatch, StringArray, TimestampMicrosecondArray, cast::AsArray, types::Int32Type,
};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use bytes::Bytes;
use parquet::{
    arrow::arrow_reader::ParquetRecordBatchReaderBuilder,
    basic::Encoding,
    file::{
        metadata::{ParquetMetaData, ParquetMetaDataReader},
        properties::ReaderProperties,
        reader::FileReader,
        serialized_reader::{ReadOptionsBuilder, SerializedFileReader},
    },
};

use crate::{
    archive::error::Error,
    dataset::{
        sink::{Encoder, Format},
        table::{Column, ColumnType, Table},
    },
    sample::random::Random,
};

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
        column("n64_required", ColumnType::Int64),
        column("time_required", ColumnType::Time),
        column("flag_required", ColumnType::Bool),
        column("real_required", ColumnType::Float64),
        column("name_optional", ColumnType::Name).nullable(),
        column("text_optional", ColumnType::Text).nullable(),
        column("n32_optional", ColumnType::Int32).nullable(),
        column("n64_optional", ColumnType::Int64).nullable(),
        column("time_optional", ColumnType::Time).nullable(),
        column("flag_optional", ColumnType::Bool).nullable(),
        column("real_optional", ColumnType::Float64).nullable(),
        column("url_host_name", ColumnType::Name)
            .nullable()
            .bloom_filter(),
        column("content_digest", ColumnType::Text)
            .nullable()
            .bloom_filter(),
        column("warc_filename", ColumnType::Name)
            .nullable()
            .statistics(),
        column("line", ColumnType::Int32).nullable().delta(),
        column("byte_offset", ColumnType::Int64).nullable().delta(),
        column("rule_count", ColumnType::Int32)
            .nullable()
            .dictionary(),
        column("text", ColumnType::Text).nullable().dictionary(),
    ],
};

fn schema() -> SchemaRef {
    TABLE.schema()
}

/// Numbers of rows, of which some repeat the one before, and some have no value.
struct BatchShape {
    rows: usize,
    distinct: usize,
    longest_run: usize,
    nulls: usize,
}

fn numbers(random: &mut Random, shape: &BatchShape, nullable: bool) -> Vec<Option<usize>> {
    let mut numbers = Vec::new();
    while numbers.len() < shape.rows {
        let is_null = nullable && random.below(100) < shape.nulls;
        let number = (!is_null).then(|| random.below(shape.distinct));
        let n = 1 + random.below(shape.longest_run);
        numbers.extend(std::iter::repeat_n(number, n));
    }
    numbers.truncate(shape.rows);
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

fn batch(random: &mut Random, shape: &BatchShape) -> RecordBatch {
    let schema = schema();
    let columns = schema.fields().iter().map(|field| {
        let numbers = numbers(random, shape, field.is_nullable());
        array(field.data_type(), &numbers)
    });
    let columns = columns.collect();
    RecordBatch::try_new(schema, columns).unwrap()
}

/// Writes batches as a file; `ends` are the batches with which a row group ends.
fn write(batches: &[RecordBatch], ends: &[usize]) -> Bytes {
    write_table(&TABLE, batches, ends)
}

fn write_table(table: &Table, batches: &[RecordBatch], ends: &[usize]) -> Bytes {
    let format = Arc::new(Format::new(table, &[]).unwrap());
    let mut file = format.file_writer(Vec::new()).unwrap();
    let mut encoder = Encoder::new(format);
    for (index, batch) in batches.iter().enumerate() {
        encoder.write(batch.clone()).unwrap();
        if ends.contains(&index) || index + 1 == batches.len() {
            for group in encoder.finish().unwrap() {
                let mut writer = file.next_row_group().unwrap();
                for column in group.columns {
                    column.append_to(&mut writer).unwrap();
                }
                writer.close().unwrap();
            }
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

/// Checks that a file holds the rows of these batches and its schema.
fn check(file: &Bytes, batches: &[RecordBatch]) -> ParquetMetaData {
    let reader = ParquetRecordBatchReaderBuilder::try_new(file.clone()).unwrap();
    assert_eq!(*reader.schema(), batches[0].schema());
    let rows: usize = batches.iter().map(RecordBatch::num_rows).sum();
    let mut read = reader.with_batch_size(rows.max(1)).build().unwrap();
    if rows == 0 {
        assert!(read.next().is_none());
    }
    let mut at = 0;
    let mut whole = read.next().map(Result::unwrap);
    for expected in batches.iter().filter(|batch| batch.num_rows() > 0) {
        let whole = whole.as_ref().unwrap();
        for (index, field) in expected.schema().fields().iter().enumerate() {
            let found = whole.column(index).slice(at, expected.num_rows());
            assert_eq!(
                &plain(&found),
                &plain(expected.column(index)),
                "{}",
                field.name()
            );
        }
        at += expected.num_rows();
    }
    assert_eq!(whole.take().map_or(0, |whole| whole.num_rows()), rows);
    let reader = ParquetMetaDataReader::new();
    let reader = reader.with_page_index_policy(parquet::file::metadata::PageIndexPolicy::Required);
    reader.parse_and_finish(file).unwrap()
}

#[test]
fn batches_of_every_shape_come_back() {
    let mut random = Random::new(7);
    let shapes = [
        // Nothing repeats; few values, no runs; runs; long runs; one value; nulls alone; two rows.
        (3_000, 1_000_000, 1, 10),
        (5_000, 7, 1, 50),
        (5_000, 300, 20, 30),
        (21_000, 90, 400, 5),
        (1_000, 1, 1, 0),
        (900, 10, 3, 100),
        (2, 2, 1, 50),
    ];
    for rounds in 0..3 {
        let mut batches = Vec::new();
        for _ in 0..=rounds {
            for (rows, distinct, longest_run, nulls) in shapes {
                let shape = BatchShape {
                    rows,
                    distinct,
                    longest_run,
                    nulls,
                };
                batches.push(batch(&mut random, &shape));
            }
            let start = random.below(batches.len());
            batches.rotate_left(start);
        }
        let ends = [random.below(batches.len()), random.below(batches.len())];
        let file = write(&batches, &ends);
        let metadata = check(&file, &batches);
        assert!(metadata.num_row_groups() >= 1);
        assert_eq!(
            file,
            write(&batches, &ends),
            "the same rows give the same bytes"
        );
    }
}

#[test]
fn a_batch_that_was_cut_from_another_comes_back() {
    let mut random = Random::new(11);
    let shape = BatchShape {
        rows: 1_000,
        distinct: 20,
        longest_run: 9,
        nulls: 30,
    };
    let whole = batch(&mut random, &shape);
    for (start, rows) in [(3, 8), (13, 100), (64, 64), (1, 999), (999, 1)] {
        let cut = whole.slice(start, rows);
        check(
            &write(&[cut.clone(), whole.clone()], &[]),
            &[cut, whole.clone()],
        );
    }
}

#[test]
fn a_table_without_rows_is_a_file_without_row_groups() {
    let mut random = Random::new(1);
    let shape = BatchShape {
        rows: 0,
        distinct: 1,
        longest_run: 1,
        nulls: 0,
    };
    let empty = batch(&mut random, &shape);
    let metadata = check(&write(std::slice::from_ref(&empty), &[]), &[empty]);
    assert_eq!(metadata.num_row_groups(), 0);
}

#[test]
fn columns_have_the_encodings_of_their_layout() {
    let batches: Vec<_> = (0..10)
        .map(|round| {
            let schema = schema();
            // The first values repeat; then all differ, until a dictionary would be too large.
            let number = |row: usize| {
                if round == 0 {
                    row % 9
                } else {
                    round * 19_000 + row
                }
            };
            let numbers: Vec<_> = (0..19_000).map(number).map(Some).collect();
            let fields = schema.fields().iter();
            let columns = fields
                .map(|field| array(field.data_type(), &numbers))
                .collect();
            RecordBatch::try_new(schema, columns).unwrap()
        })
        .collect();
    let metadata = check(&write(&batches, &[]), &batches);
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
            "line" | "byte_offset" => [false, true, false],
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
    let shape = BatchShape {
        rows: 15_000,
        distinct: 5_000,
        longest_run: 3,
        nulls: 20,
    };
    let batch = batch(&mut random, &shape);
    let file = write(std::slice::from_ref(&batch), &[]);
    let metadata = check(&file, std::slice::from_ref(&batch));
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
    let file = write_table(&table, std::slice::from_ref(&batch), &[]);
    check(&file, &[batch]);
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
    let good = batch(Arc::new(names(vec![Some("a"), Some("b")])));
    const COLUMNS: &[Column] = &[column("name", ColumnType::Name)];
    let table = Table {
        columns: COLUMNS,
        ..TABLE
    };
    let format = Format::new(&table, &[]).unwrap();
    let mut encoder = Encoder::new(Arc::new(format));
    encoder.write(good).unwrap();
    let null = batch(Arc::new(names(vec![Some("a"), None])));
    let error = reason(encoder.write(null));
    assert!(error.contains("NULL"), "{error}");
    let number = batch(Arc::new(Int32Array::from(vec![1, 2])));
    let error = reason(encoder.write(number));
    assert!(error.contains("the columns of cases"), "{error}");
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
    let mut random = Random::new(3);
    for distinct in [40, 1_000_000] {
        let shape = BatchShape {
            rows: 4_000,
            distinct,
            longest_run: 1,
            nulls: 10,
        };
        let batch = batch(&mut random, &shape);
        let file = write(std::slice::from_ref(&batch), &[]);
        for name in ["url_host_name", "content_digest"] {
            let index = batch.schema().index_of(name).unwrap();
            let filter = bloom_filter(&file, index);
            let texts = plain(batch.column(index));
            let texts = texts.as_string::<i32>().iter().flatten();
            assert!(texts.into_iter().all(|text| filter.check(text)));
            let strangers = (0..1_000).filter(|n| filter.check(format!("stranger {n}").as_str()));
            assert!(strangers.count() < 50, "{name}");
        }
    }
}
