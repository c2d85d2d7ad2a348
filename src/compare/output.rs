//! The tables of a comparison, written while it runs and published together in the end.

use std::{
    collections::BTreeMap,
    panic::resume_unwind,
    path::{Path, PathBuf},
    sync::Arc,
    thread::{self, JoinHandle},
};

use super::{
    found::{Direction, FoundCause, Stance},
    query::CellAnswer,
};
use crate::{
    archive::error::Error,
    dataset::{
        sink::{
            Dataset, DatasetIdentity, Encoder, Format, Input, OpenMode, PartWriter, WholeTable,
            refuse_inside,
        },
        table::{
            COMPARISON_TABLES, CaptureKey, Table, TableBuilder,
            causes::{CauseRow, CausesBuilder},
            flips::{FlipRow, FlipsBuilder, SideAnswer},
            parser_faults::{ParserFaultRow, ParserFaultsBuilder},
            timings::{TimingRow, TimingsBuilder},
        },
    },
    robots::dialect::Verdict,
};

/// Rows of a batch: as many as make a page of a file.
const BATCH_ROWS: usize = 20 * 1024;
/// Bytes of encoded rows at which they are written.
const WRITE_BYTES: usize = 16 * 1024 * 1024;

/// The output folder and the tables that are being written.
pub(super) struct Output {
    /// The folder.
    pub dataset: Dataset,
    part: PartWriter,
    flips: TableRows<FlipsBuilder>,
    causes: TableRows<CausesBuilder>,
    parser_faults: TableRows<ParserFaultsBuilder>,
    timings: TableRows<TimingsBuilder>,
}

/// The rows of one table that are not written yet.
struct TableRows<B> {
    /// The position of the table in [`COMPARISON_TABLES`].
    table: usize,
    rows: B,
    /// Encodes the last batch while the next one is filled, which takes about as long.
    encoding: Option<JoinHandle<Result<Encoder, Error>>>,
    format: Arc<Format>,
}

impl<B: TableBuilder> TableRows<B> {
    fn new(rows: B, formats: &[Arc<Format>]) -> Self {
        let mut tables = COMPARISON_TABLES.iter();
        let table = tables.position(|table| table.name == B::TABLE.name);
        let table = table.expect("it is a table of comparisons");
        Self {
            table,
            rows,
            encoding: None,
            format: formats[table].clone(),
        }
    }

    /// Encodes the batch if it is full, and writes what is encoded if it has become large.
    fn write_full(&mut self, part: &mut PartWriter) -> Result<(), Error> {
        if self.rows.n_rows() < BATCH_ROWS {
            return Ok(());
        }
        let mut encoder = self.encoder()?;
        if encoder.memory_size() >= WRITE_BYTES {
            part.append(self.table, encoder.finish()?)?;
        }
        let batch = self.rows.finish();
        self.encoding = Some(thread::spawn(move || {
            encoder.write(batch).map(|()| encoder)
        }));
        Ok(())
    }

    fn write_rest(&mut self, part: &mut PartWriter) -> Result<(), Error> {
        let mut encoder = self.encoder()?;
        encoder.write(self.rows.finish())?;
        part.append(self.table, encoder.finish()?)
    }

    /// Waits for the last batch.
    fn encoder(&mut self) -> Result<Encoder, Error> {
        match self.encoding.take() {
            Some(encoding) => encoding.join().unwrap_or_else(|panic| resume_unwind(panic)),
            None => Ok(Encoder::new(self.format.clone())),
        }
    }
}

impl Output {
    /// Opens the folder of a comparison with these options.
    pub(super) fn open(
        root: &Path,
        mode: OpenMode,
        options: Vec<(String, String)>,
        inputs: &[Input],
        archives: &[PathBuf],
    ) -> Result<Output, Error> {
        let identity = DatasetIdentity::new(options);
        if mode == OpenMode::Overwrite {
            refuse_inside(root, archives.iter().map(PathBuf::as_path))?;
        }
        let metadata = identity.metadata([]);
        let formats = COMPARISON_TABLES
            .iter()
            .map(|table| Ok(Arc::new(Format::new(table, &metadata)?)));
        let formats: Vec<Arc<Format>> = formats.collect::<Result<_, Error>>()?;
        let names = COMPARISON_TABLES.map(|table| table.name);
        let dataset = Dataset::open(root, mode, identity, &names, inputs)?;
        let directions = Direction::ALL.map(Direction::as_str);
        Ok(Output {
            part: dataset.begin_part("comparison", &formats)?,
            flips: TableRows::new(FlipsBuilder::new(directions), &formats),
            causes: TableRows::new(CausesBuilder::default(), &formats),
            parser_faults: TableRows::new(ParserFaultsBuilder::new(), &formats),
            timings: TableRows::new(TimingsBuilder::new(), &formats),
            dataset,
        })
    }

    /// Appends a flip.
    pub(super) fn append_flip(
        &mut self,
        capture: CaptureKey<'_>,
        row: &FlipRow<'_>,
    ) -> Result<(), Error> {
        self.flips.rows.append(capture, row);
        self.flips.write_full(&mut self.part)
    }

    /// Appends a fault.
    pub(super) fn append_fault(&mut self, row: &ParserFaultRow<'_>) -> Result<(), Error> {
        self.parser_faults.rows.append(row);
        self.parser_faults.write_full(&mut self.part)
    }

    /// Appends one of the slowest files.
    pub(super) fn append_timing(&mut self, capture: CaptureKey<'_>, row: &TimingRow<'_>) {
        self.timings.rows.append(capture, row);
    }

    /// Writes the causes and publishes all tables, each of them complete.
    pub(super) fn publish(mut self, causes: &[FoundCause]) -> Result<Dataset, Error> {
        for cause in causes {
            let example = &cause.example;
            self.causes.rows.append(&CauseRow {
                cause_id: &cause.id,
                changes: &cause.key,
                directions: counts(Direction::ALL, &cause.directions),
                stances: (!cause.stances.is_empty()).then(|| counts(Stance::ALL, &cause.stances)),
                captures: cause.captures,
                files: cause.files,
                hosts: cause.hosts,
                cells: cause.cells,
                weight: cause.weight,
                robots_txt: &example.body,
                agent: &example.agent,
                url: &example.url,
                baseline: side_answer(&cause.answers[0]),
                candidate: side_answer(&cause.answers[1]),
                is_minimal: cause.is_minimal,
            });
        }
        self.flips.write_rest(&mut self.part)?;
        self.causes.write_rest(&mut self.part)?;
        self.parser_faults.write_rest(&mut self.part)?;
        self.timings.write_rest(&mut self.part)?;
        let files = self.dataset.replace(None, self.part)?;
        for Table { name, .. } in COMPARISON_TABLES {
            let of_table = files.iter().filter(|file| file.table == name);
            self.dataset.record(&WholeTable {
                table: name.to_owned(),
                parts: Vec::new(),
                files: of_table.cloned().collect(),
            })?;
        }
        Ok(self.dataset)
    }
}

fn counts<K: Ord, const N: usize>(keys: [K; N], of: &BTreeMap<K, u64>) -> [u64; N] {
    keys.map(|key| of.get(&key).copied().unwrap_or(0))
}

/// Returns an answer that has a verdict as tables have it.
pub(super) fn side_answer(answer: &CellAnswer) -> SideAnswer {
    SideAnswer {
        verdict: answer.verdict.unwrap_or(Verdict::Undefined),
        basis: answer.basis,
        line: answer.line,
    }
}
