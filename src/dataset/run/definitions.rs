//! The tables `dialects`, `matrix_agents` and `cohort`, which state options of a run.

use std::sync::Arc;

use arrow_array::RecordBatch;

use super::{config::Config, tables::BATCH_ROWS};
use crate::{
    archive::error::Error,
    dataset::{
        finish::whole_writer::WholeWriter,
        sink::{Dataset, Encoder, Format},
        table::{Table, cohort, dialects, matrix_agents},
    },
};

/// Writes the tables in place of older ones, and returns the bytes of their files.
///
/// They depend only on what all workers of a dataset have in common, so all of them write the same
/// bytes.
pub(super) fn write_definitions(dataset: &Dataset, config: &Config) -> Result<u64, Error> {
    let dialects = dialects::rows(&config.dialects);
    let agents = matrix_agents::rows(&config.dialects, &config.matrix);
    let cohort = cohort::batches(config.cohort.as_deref(), BATCH_ROWS);
    Ok(write(dataset, config, dialects::TABLE, [dialects])?
        + write(dataset, config, matrix_agents::TABLE, [agents])?
        + write(dataset, config, cohort::TABLE, cohort)?)
}

fn write(
    dataset: &Dataset,
    config: &Config,
    table: Table,
    batches: impl IntoIterator<Item = RecordBatch>,
) -> Result<u64, Error> {
    let reference = ("reference_dialect", config.dialects[0].name.to_string());
    let metadata = dataset.identity().metadata([reference]);
    let format = Arc::new(Format::new(&table, &metadata)?);
    let mut encoder = Encoder::new(format.clone());
    for rows in batches {
        encoder.write(rows)?;
    }
    let mut writer = WholeWriter::new(dataset, table.name);
    writer.begin(&format)?;
    writer.append(encoder.finish()?)?;
    writer.end(None)?;
    writer.publish(&[])
}
