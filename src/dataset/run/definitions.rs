//! The tables `dialects` and `matrix_agents`, which define the names that other tables use.

use std::sync::Arc;

use arrow_array::RecordBatch;

use super::config::Config;
use crate::{
    archive::error::Error,
    dataset::{
        sink::{Dataset, Encoder, Format, WholeTable},
        table::{Table, dialects, matrix_agents},
    },
};

/// Writes both tables in place of older ones, and returns the bytes of their files.
///
/// They depend only on what all workers of a dataset have in common, so all of them write the same
/// bytes.
pub(super) fn write_definitions(dataset: &Dataset, config: &Config) -> Result<u64, Error> {
    let dialects = write(
        dataset,
        config,
        dialects::TABLE,
        dialects::rows(&config.dialects),
    )?;
    let rows = matrix_agents::rows(&config.dialects, &config.matrix);
    Ok(dialects + write(dataset, config, matrix_agents::TABLE, rows)?)
}

fn write(
    dataset: &Dataset,
    config: &Config,
    table: Table,
    rows: RecordBatch,
) -> Result<u64, Error> {
    let reference = ("reference_dialect", config.dialects[0].name.to_string());
    let metadata = dataset.identity().metadata([reference]);
    let format = Arc::new(Format::new(&table, &metadata)?);
    let mut encoder = Encoder::new(format.clone());
    encoder.write(rows)?;
    let mut part = dataset.begin_part(table.name, std::slice::from_ref(&format))?;
    part.append(0, encoder.finish()?)?;
    let files = dataset.replace(None, part)?;
    let bytes = files.iter().map(|file| file.bytes).sum();
    dataset.record(&WholeTable {
        table: table.name.to_owned(),
        parts: Vec::new(),
        files,
    })?;
    Ok(bytes)
}
