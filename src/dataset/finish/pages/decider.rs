//! What the reference dialect and the agents of a dataset make of a robots.txt.

use std::{iter, ops::Range, path::PathBuf};

use arrow_array::StringArray;

use crate::{
    archive::error::Error,
    dataset::{
        sink::{DATASET_FILE, Dataset, Names, StoredColumn, WholeTable, stored_columns},
        table::{dialects, matrix_agents},
    },
    robots::{
        dialect::{Decision, Dialect, PreparedPath, RuleSet, read_toml},
        lines::{RobotsTxt, parse},
        matrix::{
            Matrix, MatrixAgent, Urls,
            evaluate::{Cells, Evaluator},
        },
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

/// Returns the reference dialect of a dataset and the agents of its matrix, without categories,
/// from the tables `dialects` and `matrix_agents`.
pub(super) fn read_definitions(dataset: &Dataset) -> Result<(Dialect, Vec<MatrixAgent>), Error> {
    let mut found = None;
    for path in whole_files(dataset, dialects::TABLE.name)? {
        DialectColumns::each_row(&path, None, |rows, row| {
            if found.is_none() {
                let dialect = read_toml(rows.definition.value(row), UNNAMED);
                let dialect = dialect.map_err(|message| Error::corrupt(&path, message))?;
                let name = rows.dialect.get(row).unwrap_or_default().to_owned();
                found = Some((name, dialect));
            }
            Ok(())
        })?;
    }
    let Some((reference, dialect)) = found else {
        let message = "expected a reference dialect in the table dialects, but found none; resume the run to rebuild the table";
        return Err(Error::corrupt(dataset.root().join(DATASET_FILE), message));
    };
    let mut agents = Vec::new();
    for path in whole_files(dataset, matrix_agents::TABLE.name)? {
        AgentColumns::each_row(&path, None, |rows, row| {
            if rows.dialect.get(row) == Some(&*reference) {
                let tokens = rows.tokens.get(row).unwrap_or_default();
                agents.push(MatrixAgent {
                    chain: tokens.split(',').map(str::to_owned).collect(),
                    category: None,
                });
            }
            Ok(())
        })?;
    }
    Ok((dialect, agents))
}

/// A name that no dialect has.
const UNNAMED: &str = "reference";

/// Returns the files of a table that belongs to the whole dataset.
fn whole_files(dataset: &Dataset, table: &str) -> Result<Vec<PathBuf>, Error> {
    let table = WholeTable::read(dataset.root(), table)?;
    let files = table.iter().flat_map(|table| &table.files);
    Ok(files.map(|file| dataset.root().join(&file.path)).collect())
}

/// Decides for all agents, by one file after the other; its memory is reused.
pub(super) struct Decider {
    pub(super) n_agents: usize,
    evaluator: Evaluator,
    robots: RobotsTxt,
    rules: RuleSet,
    /// The distinct selections of groups, and that of each agent; without URLs.
    cells: Cells,
    /// For each selection the decision about the last URL.
    decisions: Vec<Decision>,
    path: PreparedPath,
}

impl Decider {
    pub(super) fn new(dialect: Dialect, agents: Vec<MatrixAgent>) -> Self {
        let matrix = Matrix {
            agents,
            urls: Urls::default(),
        };
        Self {
            n_agents: matrix.agents.len(),
            path: PreparedPath::from_url(&dialect, b"/"),
            evaluator: Evaluator::new(dialect, &matrix),
            robots: RobotsTxt::new(),
            rules: RuleSet::new(),
            cells: Cells::default(),
            decisions: Vec::new(),
        }
    }

    /// Reads a file, by which it decides from then on.
    pub(super) fn read(&mut self, body: &[u8]) {
        parse(body, &mut self.robots);
        let dialect = self.evaluator.dialect();
        self.rules.compile(dialect, body, &self.robots);
        self.evaluator
            .evaluate(&self.rules, iter::empty(), &mut self.cells);
    }

    /// Decides about a URL.
    pub(super) fn decide(&mut self, url: &str) {
        self.path.set_url(self.evaluator.dialect(), url.as_bytes());
        let selections = self.cells.selections().iter();
        let decide = |selection| self.rules.decide(selection, &self.path);
        self.decisions.clear();
        self.decisions.extend(selections.map(decide));
    }

    /// Returns the decision for an agent about the last URL, and the adjacent agents from this one
    /// on that have it too.
    pub(super) fn decision_of(&self, agent: usize) -> (Range<usize>, Decision) {
        let selections = &self.cells.selections_of_agents()[agent..];
        let same = selections.iter().take_while(|&&n| n == selections[0]);
        (agent..agent + same.count(), self.decisions[selections[0]])
    }
}
