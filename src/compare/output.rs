//! The tables of a comparison, written while it runs and published together in the end.

use std::{path::Path, sync::Arc};

use super::{
    found::{Direction, FoundCause},
    side::CellAnswer,
};
use crate::{
    archive::error::Error,
    dataset::{
        sink::{
            Dataset, DatasetIdentity, Encoder, Format, Input, OpenMode, PartWriter, WholeTable,
            refuse_inside,
        },
        table::{
            COMPARISON_TABLES, CaptureKey, Columns, SCHEMA_VERSION, Table, TableBuilder,
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

/// Positions in [`COMPARISON_TABLES`].
const FLIPS: usize = 0;
const CAUSES: usize = 1;
const PARSER_FAULTS: usize = 2;
const TIMINGS: usize = 3;

/// The output folder and the tables that are being written.
pub(super) struct Output {
    dataset: Dataset,
    part: PartWriter,
    encoders: Vec<Encoder>,
    flips: FlipsBuilder,
    parser_faults: ParserFaultsBuilder,
}

impl Output {
    /// Opens the folder of a comparison with these options.
    pub(super) fn open(
        root: &Path,
        mode: OpenMode,
        options: Vec<(String, String)>,
        inputs: &[Input],
        archives: impl Iterator<Item = std::path::PathBuf>,
    ) -> Result<Output, Error> {
        let identity = DatasetIdentity::new(SCHEMA_VERSION, options);
        if mode == OpenMode::Overwrite {
            let archives: Vec<_> = archives.collect();
            refuse_inside(root, archives.iter().map(std::path::PathBuf::as_path))?;
        }
        let metadata = identity.metadata([]);
        let formats = COMPARISON_TABLES
            .iter()
            .map(|table| Ok(Arc::new(Format::new(table, &metadata)?)));
        let formats: Vec<Arc<Format>> = formats.collect::<Result<_, Error>>()?;
        let names = COMPARISON_TABLES.map(|table| table.name);
        let dataset = Dataset::open(root, mode, identity, &names, inputs)?;
        Ok(Output {
            part: dataset.begin_part("comparison", &formats)?,
            encoders: formats.iter().cloned().map(Encoder::new).collect(),
            flips: FlipsBuilder::new(Direction::ALL.map(Direction::as_str)),
            parser_faults: ParserFaultsBuilder::new(),
            dataset,
        })
    }

    /// Returns the folder.
    pub(super) fn dataset(&self) -> &Dataset {
        &self.dataset
    }

    /// Appends a flip.
    pub(super) fn append_flip(
        &mut self,
        capture: CaptureKey<'_>,
        row: &FlipRow<'_>,
    ) -> Result<(), Error> {
        self.flips.append(capture, row);
        if self.flips.len() >= BATCH_ROWS {
            self.encode_flips()?;
        }
        Ok(())
    }

    fn encode_flips(&mut self) -> Result<(), Error> {
        let encoder = &mut self.encoders[FLIPS];
        encoder.write(self.flips.finish())?;
        if encoder.memory_size() >= WRITE_BYTES {
            self.part.append(FLIPS, encoder.finish()?)?;
        }
        Ok(())
    }

    /// Appends a fault.
    pub(super) fn append_fault(&mut self, row: &ParserFaultRow<'_>) -> Result<(), Error> {
        self.parser_faults.append(row);
        if self.parser_faults.n_rows() >= BATCH_ROWS {
            let encoder = &mut self.encoders[PARSER_FAULTS];
            encoder.write(self.parser_faults.finish())?;
            self.part.append(PARSER_FAULTS, encoder.finish()?)?;
        }
        Ok(())
    }

    /// Writes the slowest files, the slowest first.
    pub(super) fn append_timings<'t>(
        &mut self,
        rows: impl Iterator<Item = (CaptureKey<'t>, TimingRow<'t>)>,
    ) -> Result<(), Error> {
        let mut timings = TimingsBuilder::new();
        rows.for_each(|(capture, row)| timings.append(capture, &row));
        self.encoders[TIMINGS].write(timings.finish())
    }

    /// Writes the causes and publishes all tables, each of them complete.
    pub(super) fn publish(mut self, causes: &[FoundCause]) -> Result<Dataset, Error> {
        let mut builder = CausesBuilder::new();
        for cause in causes {
            let n = |direction: Direction| cause.directions.get(&direction).copied().unwrap_or(0);
            let example = &cause.example;
            builder.append(&CauseRow {
                cause_id: &cause.id,
                changes: &cause.key,
                directions: Direction::ALL.map(n),
                captures: cause.captures,
                files: cause.files,
                hosts: cause.hosts,
                cells: cause.cells,
                weight: cause.weight,
                robots_txt: &example.body,
                agent: &example.agent,
                url: &example.url,
                baseline: side_answer(&example.baseline),
                candidate: side_answer(&example.candidate),
                is_minimal: example.is_minimal,
            });
        }
        self.encoders[CAUSES].write(builder.finish())?;
        self.encoders[PARSER_FAULTS].write(self.parser_faults.finish())?;
        self.encode_flips()?;
        for (table, encoder) in self.encoders.iter_mut().enumerate() {
            self.part.append(table, encoder.finish()?)?;
        }
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

/// Returns an answer that has a verdict as tables have it.
pub(super) fn side_answer(answer: &CellAnswer) -> SideAnswer {
    SideAnswer {
        verdict: answer.verdict.unwrap_or(Verdict::Undefined),
        basis: answer.basis,
        line: answer.line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_name_the_tables_they_say() {
        for (position, name) in [
            (FLIPS, "flips"),
            (CAUSES, "causes"),
            (PARSER_FAULTS, "parser_faults"),
            (TIMINGS, "timings"),
        ] {
            assert_eq!(COMPARISON_TABLES[position].name, name);
        }
        assert_eq!(COMPARISON_TABLES.len(), TIMINGS + 1);
    }
}
