//! What the reference dialect and the agents of a dataset make of a robots.txt.

use std::{ops::Range, path::PathBuf};

use arrow_array::StringArray;

use crate::{
    archive::error::Error,
    dataset::{
        sink::{DATASET_FILE, Dataset, Names, StoredColumn, WholeTable, stored_columns},
        table::{dialects, matrix_agents},
    },
    robots::{
        dialect::{
            Agent, Decision, Dialect, PreparedPath, RuleSet, Selection, SelectionKey, read_toml,
        },
        lines::{RobotsTxt, parse},
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

/// Returns the reference dialect of a dataset and the tokens of each agent of its matrix, the most
/// specific first, from the tables `dialects` and `matrix_agents`.
pub(super) fn read_definitions(dataset: &Dataset) -> Result<(Dialect, Vec<Vec<String>>), Error> {
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
                agents.push(tokens.split(',').map(str::to_owned).collect());
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
    dialect: Dialect,
    agents: Vec<Agent>,
    robots: RobotsTxt,
    rules: RuleSet,
    selection: Selection,
    /// The distinct selections of groups, with their keys.
    selections: Vec<(SelectionKey, Selection)>,
    /// For each agent its selection.
    selection_of_agent: Vec<usize>,
    /// For each selection the decision about the last URL.
    decisions: Vec<Decision>,
    path: PreparedPath,
}

impl Decider {
    pub(super) fn new(dialect: Dialect, agents: &[Vec<String>]) -> Self {
        let agents = agents.iter().map(|chain| Agent::new(&dialect, chain));
        Self {
            agents: agents.collect(),
            robots: RobotsTxt::new(),
            rules: RuleSet::new(),
            selection: Selection::new(),
            selections: Vec::new(),
            selection_of_agent: Vec::new(),
            decisions: Vec::new(),
            path: PreparedPath::from_url(&dialect, b"/"),
            dialect,
        }
    }

    pub(super) fn n_agents(&self) -> usize {
        self.agents.len()
    }

    /// Reads a file, by which it decides from then on.
    pub(super) fn read(&mut self, body: &[u8]) {
        parse(body, &mut self.robots);
        self.rules.compile(&self.dialect, body, &self.robots);
        self.selections.clear();
        self.selection_of_agent.clear();
        for agent in &self.agents {
            self.rules.select(agent, &mut self.selection);
            let key = self.selection.key();
            let mut known = self.selections.iter();
            let index = known.position(|(other, _)| *other == key);
            let index = index.unwrap_or_else(|| {
                self.selections.push((key, self.selection.clone()));
                self.selections.len() - 1
            });
            self.selection_of_agent.push(index);
        }
    }

    /// Decides about a URL.
    pub(super) fn decide(&mut self, url: &str) {
        self.path.set_url(&self.dialect, url.as_bytes());
        let selections = self.selections.iter();
        let decide = |(_, selection): &(_, Selection)| self.rules.decide(selection, &self.path);
        self.decisions.clear();
        self.decisions.extend(selections.map(decide));
    }

    /// Returns the decision for an agent about the last URL, and the adjacent agents from this one
    /// on that have it too.
    pub(super) fn decision_of(&self, agent: usize) -> (Range<usize>, Decision) {
        let selection = self.selection_of_agent[agent];
        let rest = self.selection_of_agent[agent..].iter();
        let n = rest.take_while(|&&other| other == selection).count();
        (agent..agent + n, self.decisions[selection])
    }
}
