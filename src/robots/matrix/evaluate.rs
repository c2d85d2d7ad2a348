//! The decisions of one capture about the matrix.
//!
//! Most agents of a matrix have the same groups, so each distinct selection of groups decides once
//! and agents share its row. Where a matrix and a file give very many rows, only the first are
//! stored, and the others are computed again in blocks.

use super::{
    Matrix,
    answers::{Answers, Block, MOST_HELD},
};
use crate::robots::dialect::{
    Access, Agent, Basis, Decision, Dialect, PreparedPath, RuleSet, Selection, SelectionKey,
    Verdict,
};

/// The matrix, prepared for one dialect once per run.
#[derive(Debug)]
pub struct Evaluator {
    dialect: Dialect,
    agents: Vec<Agent>,
    paths: Vec<PreparedPath>,
}

/// Cells that are appended to a table at a time.
const BLOCK: usize = 16 * 1024;

impl Evaluator {
    /// Prepares agents and paths under a dialect.
    pub fn new(dialect: Dialect, matrix: &Matrix) -> Self {
        let agents = matrix
            .agents
            .iter()
            .map(|agent| Agent::new(&dialect, &agent.chain))
            .collect();
        let paths = matrix
            .urls
            .paths()
            .iter()
            .map(|path| PreparedPath::from_url(&dialect, path.as_bytes()))
            .collect();
        Self {
            dialect,
            agents,
            paths,
        }
    }

    /// Returns the dialect.
    pub fn dialect(&self) -> &Dialect {
        &self.dialect
    }

    /// Fills `cells` with the decisions of a file: every agent for every path, then for every one
    /// of `urls`.
    pub fn evaluate<'u>(
        &self,
        rules: &RuleSet,
        urls: impl Iterator<Item = &'u str>,
        cells: &mut Cells,
    ) {
        cells.own.clear();
        cells
            .own
            .extend(urls.map(|url| PreparedPath::from_url(&self.dialect, url.as_bytes())));
        cells.begin(self.paths.len() + cells.own.len());
        for agent in &self.agents {
            rules.select(agent, &mut cells.selection);
            let key = cells.selection.key();
            let known = cells.rows.iter().position(|&row| row == key);
            let row = known.unwrap_or(cells.rows.len());
            if known.is_none() {
                cells.rows.push(key);
                let n_selections = cells.selections.len().max(row + 1);
                cells.selections.resize_with(n_selections, Selection::new);
                std::mem::swap(&mut cells.selection, &mut cells.selections[row]);
                let selection = &cells.selections[row];
                if (row + 1) * cells.answers.n_urls <= MOST_HELD {
                    let paths = self.paths.iter().chain(&cells.own);
                    cells
                        .answers
                        .decisions
                        .extend(paths.map(|path| rules.decide(selection, path)));
                }
            }
            cells.answers.row_of_agent.push(row);
        }
    }

    /// Fills `cells` with the one decision of the fetch itself, for the paths and `n_urls` absolute
    /// URLs.
    pub(crate) fn answer_all(&self, access: Access, n_urls: usize, cells: &mut Cells) {
        // A redirect decides nothing: the capture at its end does.
        let undefined = Decision::without_rule(Verdict::Undefined, Basis::Access, None);
        let decision = access.decision().unwrap_or(undefined);
        let n = self.paths.len() + n_urls;
        cells.begin(n);
        cells.answers.decisions.resize(n, decision);
        cells.answers.row_of_agent.resize(self.agents.len(), 0);
    }

    /// Calls `each` with the decisions about one agent after the other, at most 16,384 at a time.
    /// `cells` are those of the same file under `rules`, by which rows that are not stored are
    /// computed again.
    ///
    /// # Errors
    ///
    /// The first error of `each`, which ends the iteration.
    pub fn each_block<E>(
        &self,
        rules: &RuleSet,
        cells: &Cells,
        mut each: impl FnMut(Block<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let n_urls = cells.answers.n_urls;
        let mut decided = Vec::new();
        for (agent, &row) in cells.answers.row_of_agent.iter().enumerate() {
            let held = cells.answers.of_agent(agent);
            for first_url in (0..n_urls).step_by(BLOCK) {
                let n = BLOCK.min(n_urls - first_url);
                let decisions = if held.is_empty() {
                    let selection = &cells.selections[row];
                    let paths = self.paths.iter().chain(&cells.own);
                    let decide = |path| rules.decide(selection, path);
                    decided.clear();
                    decided.extend(paths.skip(first_url).take(n).map(decide));
                    &decided
                } else {
                    &held[first_url..first_url + n]
                };
                each(Block {
                    agent,
                    first_url,
                    decisions,
                })?;
            }
        }
        Ok(())
    }
}

/// The decisions of one capture under one dialect; reusable.
#[derive(Debug, Default)]
pub struct Cells {
    /// Its answers.
    pub answers: Answers,
    /// For each row the key of its selection. They are few, and looking through them is faster than
    /// hashing; at the worst each agent is compared with all before it.
    rows: Vec<SelectionKey>,
    selection: Selection,
    /// For each row its selection; more, left from before, may follow.
    selections: Vec<Selection>,
    own: Vec<PreparedPath>,
}

impl Cells {
    fn begin(&mut self, n_urls: usize) {
        self.answers.n_urls = n_urls;
        self.answers.decisions.clear();
        self.answers.row_of_agent.clear();
        self.rows.clear();
    }

    /// Returns the distinct selections of groups, none where the fetch itself has decided.
    pub fn selections(&self) -> &[Selection] {
        &self.selections[..self.rows.len()]
    }

    /// Returns which of [`Cells::selections`] is that of each agent.
    pub(crate) fn selections_of_agents(&self) -> &[usize] {
        &self.answers.row_of_agent
    }
}
