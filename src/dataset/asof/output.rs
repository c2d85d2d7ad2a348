//! The answers as rows of a file: Parquet, or CSV.

use std::{io::Write, sync::Arc};

use jiff::SignedDuration;

use super::pages::EPOCH;
use crate::{
    archive::error::Error,
    dataset::{
        sink::{Format, LoneFile},
        table::asof::{self, AsOfBuilder, AsOfRow},
        table_rows::{BATCH_ROWS, TableRows},
    },
    robots::dialect::Verdict,
};

/// Where the answers go.
pub struct AsOfOutput<'o>(Kind<'o>);

enum Kind<'o> {
    Csv(Box<CsvFile<'o>>),
    Parquet(Box<ParquetFile<'o>>),
}

struct CsvFile<'o> {
    writer: csv::Writer<&'o mut (dyn Write + Send)>,
    /// Whether the names of the columns are written: not before something is answered, so that an
    /// error leaves nothing on standard output.
    has_names: bool,
}

struct ParquetFile<'o> {
    file: LoneFile<&'o mut (dyn Write + Send)>,
    table: TableRows<AsOfBuilder>,
}

impl<'o> AsOfOutput<'o> {
    /// Begins a CSV file.
    pub fn csv(out: &'o mut (dyn Write + Send)) -> Self {
        Self(Kind::Csv(Box::new(CsvFile {
            writer: csv::Writer::from_writer(out),
            has_names: false,
        })))
    }

    /// Begins a Parquet file.
    ///
    /// # Errors
    ///
    /// An output that cannot be written to.
    pub fn parquet(out: &'o mut (dyn Write + Send)) -> Result<Self, Error> {
        let format = Arc::new(Format::new(&asof::TABLE, &[])?);
        let file = LoneFile::new(&format, out)?;
        let table = TableRows::new(AsOfBuilder::default(), BATCH_ROWS, Some(format));
        Ok(Self(Kind::Parquet(Box::new(ParquetFile { file, table }))))
    }

    pub(super) fn append(&mut self, dialect: &str, row: &AsOfRow<'_>) -> Result<(), Error> {
        match &mut self.0 {
            Kind::Csv(csv) => csv.append(dialect, row),
            Kind::Parquet(parquet) => {
                parquet.table.rows.append(dialect, row);
                let row_groups = parquet.table.complete_row_groups()?;
                parquet.file.append(row_groups)
            }
        }
    }

    /// Ends the file.
    ///
    /// # Errors
    ///
    /// An output that cannot be written to.
    pub fn finish(self) -> Result<(), Error> {
        match self.0 {
            Kind::Csv(mut csv) => {
                csv.begin()?;
                let flushed = csv.writer.flush();
                flushed.map_err(|error| unwritable(error.into()))
            }
            Kind::Parquet(mut parquet) => {
                let row_groups = parquet.table.finish()?;
                parquet.file.append(row_groups)?;
                parquet.file.finish()
            }
        }
    }
}

impl CsvFile<'_> {
    /// Writes the names of the columns, once.
    fn begin(&mut self) -> Result<(), Error> {
        if !self.has_names {
            let names = asof::TABLE.columns.iter().map(|column| column.name);
            self.writer.write_record(names).map_err(unwritable)?;
            self.has_names = true;
        }
        Ok(())
    }

    fn append(&mut self, dialect: &str, row: &AsOfRow<'_>) -> Result<(), Error> {
        self.begin()?;
        let answer = row.answer;
        let number = |n: Option<i64>| n.map(|n| n.to_string()).unwrap_or_default();
        let record = [
            row.url,
            &time_text(row.time),
            row.agent.unwrap_or_default(),
            dialect,
            answer.verdict.map(Verdict::as_str).unwrap_or_default(),
            answer.reason.as_str(),
            &number(answer.rule_line.map(i64::from)),
            &time_text(answer.fetch_time),
            &number(answer.age_seconds(row.time)),
            &number(answer.capture_id),
            &number(answer.effective_capture_id),
        ];
        self.writer.write_record(record).map_err(unwritable)
    }
}

/// Returns a time in microseconds since 1970 as RFC 3339 has it; empty where there is none.
fn time_text(micros: Option<i64>) -> String {
    let since = micros.map(SignedDuration::from_micros);
    let time = since.and_then(|since| EPOCH.checked_add(since).ok());
    time.map_or_else(String::new, |time| format!("{time}Z"))
}

fn unwritable(error: csv::Error) -> Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => Error::io("cannot write", "the output")(error),
        kind => Error::usage(format!("the output: cannot write: {kind:?}")),
    }
}
