//! The dialects of a dataset and the agents of its matrix, from the tables `dialects` and
//! `matrix_agents`.

use std::path::PathBuf;

use arrow_array::StringArray;

use crate::{
    archive::error::Error,
    dataset::{
        sink::{DATASET_FILE, Dataset, Names, StoredColumn, WholeTable, stored_columns},
        table::{dialects, matrix_agents},
    },
    robots::{
        dialect::{Dialect, read_toml},
        matrix::MatrixAgent,
    },
};

stored_columns! {
    /// The columns of a dialect.
    struct DialectColumns<'b> {
        dialect: Names<'b>,
        definition: &'b StringArray,
    }
}

stored_columns! {
    /// The columns of an agent of the matrix.
    struct AgentColumns<'b> {
        dialect: Names<'b>,
        tokens: Names<'b>,
    }
}

/// The name of a dialect until it has that of its row, which a definition may not give itself if it
/// is built in.
const UNNAMED: &str = "reference";

/// Returns the dialects of a dataset, the reference dialect first.
pub(super) fn read_dialects(dataset: &Dataset) -> Result<Vec<Dialect>, Error> {
    let mut found = Vec::new();
    for path in whole_files(dataset, dialects::TABLE.name)? {
        DialectColumns::each_row(&path, None, |rows, row| {
            let dialect = read_toml(rows.definition.value(row), UNNAMED);
            let mut dialect = dialect.map_err(|message| Error::corrupt(&path, message))?;
            dialect.name = rows.dialect.get(row).unwrap_or_default().to_owned().into();
            found.push(dialect);
            Ok(())
        })?;
    }
    if found.is_empty() {
        let message = "expected a reference dialect in the table dialects, but found none; resume the run to rebuild the table";
        return Err(Error::corrupt(dataset.root().join(DATASET_FILE), message));
    }
    Ok(found)
}

/// Returns the agents of the matrix for a dialect, without categories.
pub(super) fn read_agents(dataset: &Dataset, dialect: &Dialect) -> Result<Vec<MatrixAgent>, Error> {
    let mut agents = Vec::new();
    for path in whole_files(dataset, matrix_agents::TABLE.name)? {
        AgentColumns::each_row(&path, None, |rows, row| {
            if rows.dialect.get(row) == Some(&*dialect.name) {
                let tokens = rows.tokens.get(row).unwrap_or_default();
                agents.push(MatrixAgent {
                    chain: tokens.split(',').map(str::to_owned).collect(),
                    category: None,
                });
            }
            Ok(())
        })?;
    }
    Ok(agents)
}

/// Returns the files of a table that belongs to the whole dataset.
fn whole_files(dataset: &Dataset, table: &str) -> Result<Vec<PathBuf>, Error> {
    let table = WholeTable::read(dataset.root(), table)?;
    let files = table.iter().flat_map(|table| &table.files);
    Ok(files.map(|file| dataset.root().join(&file.path)).collect())
}
