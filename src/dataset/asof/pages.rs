//! The pages that are asked about: rows of a CSV, TSV or Parquet file.
//!
//! The columns are found by their names, in any case and order: `url`, `time` (or `fetch_time`, as
//! in the table `pages` and in cc-index) and, if there is one, `agent`.

use std::{
    cell::Cell,
    io::{self, BufRead, BufReader, Read},
    path::Path,
};

use arrow_array::{
    Array, ArrayRef, BinaryArray, PrimitiveArray, RecordBatch, StringArray,
    types::{
        ArrowTimestampType, TimestampMicrosecondType, TimestampMillisecondType,
        TimestampNanosecondType, TimestampSecondType,
    },
};
use jiff::{Timestamp, civil::DateTime};

use crate::{archive::error::Error, dataset::sink::read_lone_file};

/// The columns that are read.
const COLUMNS: [&str; 4] = ["url", "time", "fetch_time", "agent"];
/// The bytes of the longest row of CSV, so that a file without line ends does not fill the memory.
const MAX_ROW: u64 = 16 * 1024 * 1024;
pub(super) const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);
/// The length of a date and a time of day to the second.
const MIN_TIME: usize = "2026-01-02T03:04:05".len();

/// Where the pages are.
pub enum PageSource<'p> {
    /// A CSV file with a line of names, or one with tabs between cells.
    Csv(&'p mut dyn Read),
    /// A Parquet file.
    Parquet(&'p Path),
}

/// One page.
#[derive(Clone, Copy, Debug)]
pub(super) struct Page<'p> {
    pub(super) url: &'p [u8],
    /// Microseconds since 1970; `None` if there is no time that can be read.
    pub(super) time: Option<i64>,
    /// `None` if there is none, or an empty one.
    pub(super) agent: Option<&'p [u8]>,
}

impl PageSource<'_> {
    /// Passes all pages to `each`, in their order. `name` is that of the file in errors; without an
    /// agent for all pages, `needs_agents`, each must have its own.
    pub(super) fn read(
        self,
        name: &Path,
        needs_agents: bool,
        mut each: impl FnMut(Page<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        match self {
            Self::Csv(from) => read_csv(from, name, needs_agents, each),
            Self::Parquet(path) => read_lone_file(path, &COLUMNS, |batch| {
                let has = |column: &str| column_of(batch, column).is_some();
                check(name, needs_agents, has)?;
                each_row(name, batch, &mut each)
            }),
        }
    }
}

/// Refuses a file that has not the columns that are needed.
fn check(name: &Path, needs_agents: bool, has: impl Fn(&str) -> bool) -> Result<(), Error> {
    let missing = if !has("url") {
        "a column url"
    } else if !has("time") && !has("fetch_time") {
        "a column time or fetch_time"
    } else if needs_agents && !has("agent") {
        "a column agent, or an agent for all pages"
    } else {
        return Ok(());
    };
    let name = name.display();
    Err(Error::usage(format!(
        "{name}: expected {missing}, but found none of this name"
    )))
}

fn read_csv(
    from: &mut dyn Read,
    name: &Path,
    needs_agents: bool,
    mut each: impl FnMut(Page<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let unreadable = |error: csv::Error| {
        let name = name.display();
        Error::usage(format!("{name}: cannot read as CSV: {error}"))
    };
    let end = Cell::new(MAX_ROW);
    let mut from = BufReader::new(BoundedRows {
        from,
        n_read: 0,
        end: &end,
    });
    let mut first = Vec::new();
    let read = from.read_until(b'\n', &mut first);
    read.map_err(|error| unreadable(error.into()))?;
    let separator = if first.contains(&b'\t') { b'\t' } else { b',' };
    // A row of too few or too many cells is refused: a quotation mark may be missing before it.
    let mut reader = csv::ReaderBuilder::new();
    let mut reader = reader.delimiter(separator).from_reader(first.chain(from));
    let header = reader.byte_headers().map_err(unreadable)?.clone();
    let is = |field: &[u8], column: &str| field.eq_ignore_ascii_case(column.as_bytes());
    for column in COLUMNS {
        let same = header.iter().filter(|field| is(field, column));
        if same.count() > 1 {
            let name = name.display();
            return Err(Error::usage(format!(
                "{name}: expected one column {column}, but found several"
            )));
        }
    }
    let position = |column: &str| header.iter().position(|field| is(field, column));
    check(name, needs_agents, |column| position(column).is_some())?;
    let [url, time, fetch_time, agent] = COLUMNS.map(position);
    let time = time.or(fetch_time);
    let mut record = csv::ByteRecord::new();
    loop {
        end.set(reader.position().byte().saturating_add(MAX_ROW));
        if !reader.read_byte_record(&mut record).map_err(unreadable)? {
            return Ok(());
        }
        let field = |index: Option<usize>| index.and_then(|index| record.get(index));
        each(Page {
            url: field(url).unwrap_or_default(),
            time: field(time).and_then(parse_time),
            agent: field(agent).filter(|agent| !agent.is_empty()),
        })?;
    }
}

/// A file of which no row is read beyond its greatest length.
struct BoundedRows<'r> {
    from: &'r mut dyn Read,
    n_read: u64,
    /// Where the row must have ended.
    end: &'r Cell<u64>,
}

impl Read for BoundedRows<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.n_read > self.end.get() {
            let message =
                format!("expected rows of at most {MAX_ROW} bytes, but found a longer one");
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        let n = self.from.read(buffer)?;
        self.n_read += n as u64;
        Ok(n)
    }
}

/// Returns a column by its name, in any case.
fn column_of<'b>(batch: &'b RecordBatch, name: &str) -> Option<&'b ArrayRef> {
    let fields = batch.schema_ref().fields().iter();
    let mut fields = fields.zip(batch.columns());
    let found = fields.find(|(field, _)| field.name().eq_ignore_ascii_case(name));
    found.map(|(_, column)| column)
}

fn each_row(
    name: &Path,
    batch: &RecordBatch,
    each: &mut impl FnMut(Page<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let texts_of = |column: &str| match column_of(batch, column) {
        None => Ok(vec![None; batch.num_rows()]),
        Some(array) => texts(array).ok_or_else(|| wrong_type(name, column, array, "texts")),
    };
    let (urls, agents) = (texts_of("url")?, texts_of("agent")?);
    let mut of_times = ["time", "fetch_time"].into_iter();
    let of_times = of_times.find_map(|column| Some((column, column_of(batch, column)?)));
    let times = match of_times {
        Some((column, array)) => times(array)
            .ok_or_else(|| wrong_type(name, column, array, "timestamps, or times as texts"))?,
        None => Vec::new(),
    };
    for ((url, time), agent) in urls.into_iter().zip(times).zip(agents) {
        each(Page {
            url: url.unwrap_or_default(),
            time,
            agent: agent.filter(|agent| !agent.is_empty()),
        })?;
    }
    Ok(())
}

fn wrong_type(name: &Path, column: &str, array: &dyn Array, expected: &str) -> Error {
    Error::usage(format!(
        "{}: expected {expected} in the column {column}, but found {}",
        name.display(),
        array.data_type()
    ))
}

/// Returns the texts of a column, which not every program marks as texts; `None` of a column of
/// another type.
fn texts(array: &dyn Array) -> Option<Vec<Option<&[u8]>>> {
    if let Some(texts) = array.as_any().downcast_ref::<StringArray>() {
        return Some(texts.iter().map(|text| text.map(str::as_bytes)).collect());
    }
    let bytes: &BinaryArray = array.as_any().downcast_ref()?;
    Some(bytes.iter().collect())
}

/// Returns the times of a column in microseconds; `None` of a column of another type.
fn times(array: &dyn Array) -> Option<Vec<Option<i64>>> {
    if let Some(texts) = texts(array) {
        return Some(texts.into_iter().map(|text| parse_time(text?)).collect());
    }
    scaled::<TimestampMicrosecondType>(array, Some)
        .or_else(|| scaled::<TimestampMillisecondType>(array, |n| n.checked_mul(1_000)))
        .or_else(|| scaled::<TimestampNanosecondType>(array, |n| Some(n.div_euclid(1_000))))
        .or_else(|| scaled::<TimestampSecondType>(array, |n| n.checked_mul(1_000_000)))
}

fn scaled<T: ArrowTimestampType>(
    array: &dyn Array,
    scale: impl Fn(i64) -> Option<i64>,
) -> Option<Vec<Option<i64>>> {
    let array: &PrimitiveArray<T> = array.as_any().downcast_ref()?;
    Some(array.iter().map(|time| scale(time?)).collect())
}

/// Reads a time as RFC 3339 has it, or a date and a time of day in UTC, up to the end of the year
/// 9999; a date alone is none, since a file may have changed within the day.
fn parse_time(text: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(text).ok()?.trim();
    if text.len() < MIN_TIME {
        return None;
    }
    if let Ok(time) = text.parse::<Timestamp>() {
        return Some(time.as_microsecond());
    }
    // An instant in any time zone ends before that year does.
    let time: DateTime = text.strip_suffix(['Z', 'z']).unwrap_or(text).parse().ok()?;
    i64::try_from(time.duration_since(EPOCH).as_micros()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_instants_or_utc() {
        for (text, micros) in [
            ("1970-01-02T00:00:00Z", Some(86_400_000_000)),
            ("1970-01-02 00:00:00", Some(86_400_000_000)),
            (" 1970-01-02T00:00:00.5 ", Some(86_400_500_000)),
            ("1970-01-02T01:00:00+01:00", Some(86_400_000_000)),
            ("9999-12-31T23:59:59Z", Some(253_402_300_799_000_000)),
            ("9999-12-31 00:00:00", Some(253_402_214_400_000_000)),
            ("1970-01-02", None),
            ("1970-13-02T00:00:00Z", None),
            ("86400", None),
            ("", None),
        ] {
            assert_eq!(parse_time(text.as_bytes()), micros, "{text:?}");
        }
    }
}
