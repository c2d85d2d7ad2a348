//! What footers say of row groups and pages, and Bloom filters, against every value.

use std::{
    cmp::Ordering,
    fs::File,
    panic::{self, AssertUnwindSafe},
    path::{Path, PathBuf},
};

use arrow_array::RecordBatch;
use parquet::{
    arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder, RowSelection},
    basic::{BoundaryOrder, Type},
    bloom_filter::Sbbf,
    file::{
        metadata::PageIndexPolicy,
        page_index::column_index::ColumnIndexMetaData,
        properties::ReaderProperties,
        reader::FileReader,
        serialized_reader::{ReadOptionsBuilder, SerializedFileReader},
        statistics::Statistics,
    },
};

use super::{
    columns::{Cell, Cells, cells},
    hostile::datasets,
};
use crate::util::{Table, files_with_end};

/// What was compared.
#[derive(Default)]
struct Figures {
    chunks_of_pages: usize,
    bounds: usize,
    cut_bounds: usize,
    filters: usize,
}

/// Texts that no file holds, asked of each Bloom filter, and the share of them that may be found
/// there.
const ABSENT: usize = 500;
const MOST_FOUND: usize = ABSENT / 5;

fn files() -> Vec<PathBuf> {
    let files = datasets().iter();
    files
        .flat_map(|folder| files_with_end(folder, "parquet"))
        .collect()
}

#[test]
fn footers_say_of_values_what_is_true() {
    let mut figures = Figures::default();
    for path in files() {
        check(&path, &mut figures);
    }
    assert!(figures.bounds > 1_000 && figures.filters > 50);
    assert!(figures.cut_bounds > 0 && figures.chunks_of_pages > 10);
}

/// Opens a file with all that it says of itself.
fn open(path: &Path) -> SerializedFileReader<File> {
    let properties = ReaderProperties::builder().set_read_bloom_filter(true);
    let options = ReadOptionsBuilder::new()
        .with_page_index()
        .with_reader_properties(properties.build());
    SerializedFileReader::new_with_options(File::open(path).unwrap(), options.build()).unwrap()
}

fn check(path: &Path, figures: &mut Figures) {
    let file = open(path);
    let metadata = file.metadata();
    let rows = Table::of_file(path);
    let columns = metadata.file_metadata().schema_descr().columns();
    for (column, description) in columns.iter().enumerate() {
        let of_column = format!("{}: {}", path.display(), description.name());
        let mut rest = &cells(&rows, description.name())[..];
        for (number, group) in metadata.row_groups().iter().enumerate() {
            let what = format!("{of_column}, row group {number}");
            let n_rows = usize::try_from(group.num_rows()).unwrap();
            let cells = rest.split_off(..n_rows).unwrap();
            let chunk = group.column(column);
            if let Some(statistics) = chunk.statistics() {
                check_statistics(&what, statistics, cells, figures);
            }
            let pages = metadata.page_index_for_row_group(number);
            let (index, offsets) = (pages.column_index(column), pages.offset_index(column));
            if let (Some(index), Some(offsets)) = (index, offsets) {
                let starts = offsets.page_locations().iter();
                let starts: Vec<_> = starts.map(|page| page.first_row_index as usize).collect();
                figures.chunks_of_pages += usize::from(starts.len() > 1);
                check_pages(&what, index, &starts, cells, figures);
            }
            let reader = file.get_row_group(number).unwrap();
            if let Some(filter) = reader.get_column_bloom_filter(column) {
                check_filter(&what, filter, chunk.column_type(), cells, figures);
            }
        }
        assert!(rest.is_empty(), "{of_column}: rows of no row group");
    }
}

/// Asserts that a bound holds for all values, and that one that says it is exact is a value.
fn check_bound(
    what: &str,
    bound: &Cell,
    beyond: Ordering,
    is_exact: bool,
    cells: &Cells,
    figures: &mut Figures,
) {
    figures.bounds += 1;
    let orders = || cells.iter().flatten().map(|cell| cell.compare(bound));
    let is_bound = !orders().any(|order| order == Some(beyond));
    assert!(is_bound, "{what}: a value is beyond the bound {bound:?}");
    let is_value = orders().any(|order| order == Some(Ordering::Equal));
    assert!(is_value || !is_exact, "{what}: {bound:?} is no value");
    figures.cut_bounds += usize::from(!is_value);
}

fn check_statistics(what: &str, statistics: &Statistics, cells: &Cells, figures: &mut Figures) {
    let n_nulls = cells.iter().filter(|cell| cell.is_none()).count() as u64;
    if let Some(said) = statistics.null_count_opt() {
        assert_eq!(said, n_nulls, "{what}: NULL");
    }
    let physical = statistics.physical_type();
    let min = (statistics.min_bytes_opt(), statistics.min_is_exact());
    let max = (statistics.max_bytes_opt(), statistics.max_is_exact());
    for ((bytes, is_exact), beyond) in [(min, Ordering::Less), (max, Ordering::Greater)] {
        let Some(bytes) = bytes else { continue };
        assert!(n_nulls < cells.len() as u64, "{what}: a bound of no value");
        let bound = decoded(physical, bytes);
        check_bound(what, &bound, beyond, is_exact, cells, figures);
    }
    // No writer counts them.
    assert_eq!(statistics.distinct_count_opt(), None, "{what}");
}

/// Returns the value of a bound as footers have it: in PLAIN encoding, texts as they are.
fn decoded(physical: Type, bytes: &[u8]) -> Cell {
    match physical {
        Type::BOOLEAN => Cell::Bool(bytes == [1]),
        Type::INT32 => Cell::Int(i32::from_le_bytes(bytes.try_into().unwrap()).into()),
        Type::INT64 => Cell::Int(i64::from_le_bytes(bytes.try_into().unwrap())),
        Type::DOUBLE => Cell::Double(f64::from_le_bytes(bytes.try_into().unwrap())),
        Type::BYTE_ARRAY => Cell::Text(bytes.to_vec()),
        other => panic!("no table has the type {other}"),
    }
}

fn page_bounds(index: &ColumnIndexMetaData, page: usize) -> [Option<Cell>; 2] {
    match index {
        ColumnIndexMetaData::BOOLEAN(index) => [index.min_value(page), index.max_value(page)]
            .map(|bound| bound.copied().map(Cell::Bool)),
        ColumnIndexMetaData::INT32(index) => [index.min_value(page), index.max_value(page)]
            .map(|bound| bound.map(|value| Cell::Int((*value).into()))),
        ColumnIndexMetaData::INT64(index) => [index.min_value(page), index.max_value(page)]
            .map(|bound| bound.copied().map(Cell::Int)),
        ColumnIndexMetaData::DOUBLE(index) => [index.min_value(page), index.max_value(page)]
            .map(|bound| bound.copied().map(Cell::Double)),
        ColumnIndexMetaData::BYTE_ARRAY(index) => [index.min_value(page), index.max_value(page)]
            .map(|bound| bound.map(|bytes| Cell::Text(bytes.to_vec()))),
        _ => panic!("no table has such a type"),
    }
}

fn check_pages(
    what: &str,
    index: &ColumnIndexMetaData,
    starts: &[usize],
    cells: &Cells,
    figures: &mut Figures,
) {
    assert_eq!(index.num_pages(), starts.len() as u64, "{what}: pages");
    let are_starts = starts.first() == Some(&0) && starts.is_sorted();
    assert!(are_starts, "{what}: {starts:?}");
    let ends = starts[1..].iter().copied().chain([cells.len()]);
    let mut all_bounds = Vec::new();
    for (page, (start, end)) in starts.iter().copied().zip(ends).enumerate() {
        let what = format!("{what}, page {page}");
        let cells = &cells[start..end];
        let n_nulls = cells.iter().filter(|cell| cell.is_none()).count();
        if let Some(said) = index.null_count(page) {
            assert_eq!(said, n_nulls as i64, "{what}: NULL");
        }
        let is_null = n_nulls == cells.len();
        assert_eq!(index.is_null_page(page), is_null, "{what}: all NULL");
        let [min, max] = page_bounds(index, page);
        if let (Some(min), Some(max)) = (min, max) {
            check_bound(&what, &min, Ordering::Less, false, cells, figures);
            check_bound(&what, &max, Ordering::Greater, false, cells, figures);
            all_bounds.push([min, max]);
        } else {
            assert!(is_null, "{what}: no bounds");
        }
    }
    let wrong = match index.get_boundary_order() {
        Some(BoundaryOrder::ASCENDING) => Ordering::Greater,
        Some(BoundaryOrder::DESCENDING) => Ordering::Less,
        _ => return,
    };
    for pair in all_bounds.windows(2) {
        for (a, b) in pair[0].iter().zip(&pair[1]) {
            assert_ne!(a.compare(b), Some(wrong), "{what}: the order of pages");
        }
    }
}

fn check_filter(what: &str, filter: &Sbbf, physical: Type, cells: &Cells, figures: &mut Figures) {
    figures.filters += 1;
    for cell in cells.iter().flatten() {
        let is_found = match (cell, physical) {
            (Cell::Text(bytes), _) => filter.check(bytes.as_slice()),
            (Cell::Int(value), Type::INT64) => filter.check(value),
            (Cell::Int(value), _) => filter.check(&i32::try_from(*value).unwrap()),
            (Cell::Double(value), _) => filter.check(value),
            (Cell::Bool(value), _) => filter.check(value),
        };
        assert!(is_found, "{what}: {cell:?} is not in the Bloom filter");
    }
    if physical == Type::BYTE_ARRAY {
        let absent = (0..ABSENT).map(|n| format!("absent-{n}.invalid"));
        let n_found = absent.filter(|text| filter.check(text.as_str())).count();
        assert!(n_found < MOST_FOUND, "{what}: {n_found} of {ABSENT} absent");
    }
}

#[test]
fn a_footer_that_is_wrong_is_found() {
    let cells = [Some(3), None, Some(5)].map(|cell| cell.map(Cell::Int));
    let is_right = |min, max, nulls| {
        let statistics = Statistics::int32(Some(min), Some(max), None, Some(nulls), false);
        let check = || check_statistics("numbers", &statistics, &cells, &mut Figures::default());
        panic::catch_unwind(AssertUnwindSafe(check)).is_ok()
    };
    assert!(is_right(3, 5, 1));
    for (min, max, nulls) in [(4, 5, 1), (3, 4, 1), (2, 5, 1), (3, 5, 0), (3, 5, 2)] {
        assert!(!is_right(min, max, nulls), "{min} {max} {nulls}");
    }
    let is_found = |values: [&str; 2]| {
        let mut filter = Sbbf::new_with_num_of_bytes(64);
        filter.insert(values[0]);
        let cells = [Some(Cell::Text(values[1].into()))];
        let physical = Type::BYTE_ARRAY;
        let check = || check_filter("a", &filter, physical, &cells, &mut Figures::default());
        panic::catch_unwind(AssertUnwindSafe(check)).is_ok()
    };
    assert!(is_found(["a.example", "a.example"]) && !is_found(["a.example", "b.example"]));
}

/// Rows between those that are taken one by one.
const STEP: usize = 97;

#[test]
fn rows_that_are_found_by_the_offsets_of_pages_are_those_of_a_whole_read() {
    let mut n_rows = 0;
    for path in files() {
        let read = |options, selection: Option<RowSelection>| -> Vec<RecordBatch> {
            let file = File::open(&path).unwrap();
            let builder = ParquetRecordBatchReaderBuilder::try_new_with_options(file, options);
            let mut builder = builder.unwrap();
            if let Some(selection) = selection {
                builder = builder.with_row_selection(selection);
            }
            builder.build().unwrap().map(Result::unwrap).collect()
        };
        let rows = |batch: RecordBatch| (0..batch.num_rows()).map(move |row| batch.slice(row, 1));
        let one_by_one =
            |batches: Vec<RecordBatch>| batches.into_iter().flat_map(rows).collect::<Vec<_>>();
        let options = ArrowReaderOptions::new;
        let whole = one_by_one(read(options(), None));
        let is_taken = |at: &usize| at % STEP == STEP - 1 || at + 1 == whole.len();
        let taken: Vec<_> = (0..whole.len()).filter(is_taken).collect();
        let ranges = taken.iter().map(|at| *at..at + 1);
        let selection = RowSelection::from_consecutive_ranges(ranges, whole.len());
        let with_offsets = options().with_page_index_policy(PageIndexPolicy::Required);
        let found = one_by_one(read(with_offsets, Some(selection)));
        assert_eq!(found.len(), taken.len(), "{}", path.display());
        for (found, at) in found.iter().zip(taken) {
            assert_eq!(*found, whole[at], "{}: row {at}", path.display());
            n_rows += 1;
        }
    }
    assert!(n_rows > 1_000, "{n_rows}");
}
