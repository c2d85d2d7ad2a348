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
            COMPARISON_TABLES, Table, TableBuilder, as_i32, as_i64, causes::CausesBuilder,
            flips::FlipsBuilder, parser_faults::ParserFaultsBuilder, timings::TimingsBuilder,
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
            part.append(B::TABLE.name, encoder.finish()?)?;
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
        part.append(B::TABLE.name, encoder.finish()?)
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
            parser_faults: TableRows::new(ParserFaultsBuilder::default(), &formats),
            timings: TableRows::new(TimingsBuilder::default(), &formats),
            dataset,
        })
    }

    /// Appends a flip by `append`.
    pub(super) fn append_flip(
        &mut self,
        append: impl FnOnce(&mut FlipsBuilder),
    ) -> Result<(), Error> {
        append(&mut self.flips.rows);
        self.flips.write_full(&mut self.part)
    }

    /// Appends a fault by `append`.
    pub(super) fn append_fault(
        &mut self,
        append: impl FnOnce(&mut ParserFaultsBuilder),
    ) -> Result<(), Error> {
        append(&mut self.parser_faults.rows);
        self.parser_faults.write_full(&mut self.part)
    }

    /// Returns the rows of the slowest files, to which others are appended.
    pub(super) fn timings(&mut self) -> &mut TimingsBuilder {
        &mut self.timings.rows
    }

    /// Writes the causes and publishes all tables, each of them complete.
    pub(super) fn publish(mut self, causes: &[FoundCause]) -> Result<Dataset, Error> {
        for cause in causes {
            append_cause(&mut self.causes.rows, cause);
        }
        self.flips.write_rest(&mut self.part)?;
        self.causes.write_rest(&mut self.part)?;
        self.parser_faults.write_rest(&mut self.part)?;
        self.timings.write_rest(&mut self.part)?;
        let (files, targets) = self.dataset.complete(None, &mut self.part)?;
        self.dataset.publish_files(&targets)?;
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

fn append_cause(rows: &mut CausesBuilder, cause: &FoundCause) {
    rows.cause_id.append(&cause.id);
    rows.changes.append(&cause.key);
    let [a, b, c, d, e, f] = counts(Direction::ALL, &cause.directions);
    rows.disallow_to_allow.append(a);
    rows.allow_to_disallow.append(b);
    rows.disallow_to_undefined.append(c);
    rows.undefined_to_allow.append(d);
    rows.allow_to_undefined.append(e);
    rows.undefined_to_disallow.append(f);
    // Without a reference there are none.
    let has_stances = !cause.stances.is_empty();
    let [a, b, c, d] = counts(Stance::ALL, &cause.stances).map(|n| has_stances.then_some(n));
    rows.towards_reference.append(a);
    rows.away_from_reference.append(b);
    rows.between_other_verdicts.append(c);
    rows.no_reference_verdict.append(d);
    rows.captures.append(as_i64(cause.captures));
    rows.files.append(as_i64(cause.files));
    rows.hosts.append(as_i64(cause.hosts));
    rows.cells.append(as_i64(cause.cells));
    rows.weight.append(cause.weight);
    let example = &cause.example;
    // What is not UTF-8 becomes U+FFFD.
    rows.example_robots_txt
        .append(&String::from_utf8_lossy(&example.body));
    rows.example_agent.append(&example.agent);
    rows.example_url.append(&example.url);
    let [before, after] = &cause.answers;
    rows.baseline_verdict.append(verdict_of(before));
    rows.baseline_line.append(before.line.map(as_i32));
    rows.candidate_verdict.append(verdict_of(after));
    rows.candidate_line.append(after.line.map(as_i32));
    rows.is_minimal.append(cause.is_minimal);
}

/// Returns the counts in the order of `keys`, which is that of their columns.
fn counts<K: Ord, const N: usize>(keys: [K; N], of: &BTreeMap<K, u64>) -> [i64; N] {
    keys.map(|key| as_i64(of.get(&key).copied().unwrap_or(0)))
}

/// Returns the verdict of an answer as tables have it.
pub(super) fn verdict_of(answer: &CellAnswer) -> Verdict {
    answer.verdict.unwrap_or(Verdict::Undefined)
}
