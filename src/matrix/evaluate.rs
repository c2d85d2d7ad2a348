//! One capture against the matrix: prepared agents and paths in, cells out.
//!
//! Most agents of a matrix end in the same group, so each distinct selection of groups is asked
//! once and agents point at its answers. Where a matrix and a file make very many of them, only the
//! first are held, and the others are worked out again in blocks.

use super::{
    Matrix,
    answers::{Answers, Block, MOST_HELD},
};
use crate::dialect::{
    Access, Agent, Basis, Decision, DialectSpec, PreparedPath, RuleSet, Selection, SelectionKey,
    Verdict,
};

/// The matrix made ready for one dialect, once per run.
#[derive(Debug)]
pub struct Evaluator {
    spec: DialectSpec,
    agents: Vec<Agent>,
    paths: Vec<PreparedPath>,
    /// Where the path `/` stands among the paths.
    root: Option<usize>,
}

/// Cells that are appended to a table at a time.
const BLOCK: usize = 16 * 1024;

impl Evaluator {
    /// Prepares agents and paths under a dialect.
    pub fn new(spec: DialectSpec, matrix: &Matrix) -> Self {
        let agents = matrix
            .agents
            .iter()
            .map(|agent| Agent::new(&spec, &agent.chain))
            .collect();
        let paths = matrix
            .urls
            .paths()
            .iter()
            .map(|path| PreparedPath::from_url(&spec, path.as_bytes()))
            .collect();
        Self {
            spec,
            agents,
            paths,
            root: matrix.urls.paths().iter().position(|path| path == "/"),
        }
    }

    /// Returns the dialect.
    pub fn spec(&self) -> &DialectSpec {
        &self.spec
    }

    /// Fills `cells` with the answers of a file that is read: every agent for every path, then for
    /// every one of `urls`.
    pub fn evaluate<'u>(
        &self,
        rules: &RuleSet,
        urls: impl Iterator<Item = &'u str>,
        cells: &mut Cells,
    ) {
        cells.own.clear();
        cells
            .own
            .extend(urls.map(|url| PreparedPath::from_url(&self.spec, url.as_bytes())));
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
                let root = self.root.map(|root| &self.paths[root]);
                cells
                    .roots
                    .extend(root.map(|root| rules.decide(selection, root)));
            }
            cells.answers.row_of_agent.push(row);
        }
    }

    /// Fills `cells` with the one answer that the fetch itself gives; `n_urls` absolute URLs are
    /// asked beside the paths.
    pub(crate) fn answer_all(&self, access: Access, n_urls: usize, cells: &mut Cells) {
        // A redirect is no answer: the capture at its end has it.
        let decision = access.decision().unwrap_or(Decision {
            verdict: Verdict::Undefined,
            basis: Basis::Access,
            group_index: None,
            rule_line: None,
        });
        let n = self.paths.len() + n_urls;
        cells.begin(n);
        cells.answers.decisions.resize(n, decision);
        cells.answers.row_of_agent.resize(self.agents.len(), 0);
        cells.roots.extend(self.root.map(|_| decision));
    }

    /// Calls `each` with the answers to one agent after the other, at most 16,384 at a time.
    /// `cells` are those of the same file under `rules`, which are asked for what is not held.
    ///
    /// # Errors
    ///
    /// The first of `each`, which ends the walk.
    pub fn each_block<E>(
        &self,
        rules: &RuleSet,
        cells: &Cells,
        mut each: impl FnMut(Block<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let n_urls = cells.answers.n_urls;
        let mut decided = Vec::new();
        for (agent, &row) in cells.answers.row_of_agent.iter().enumerate() {
            let held = cells.of_agent(agent);
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

/// The answers of one capture under one dialect; reusable.
#[derive(Debug, Default)]
pub struct Cells {
    answers: Answers,
    /// For each row the key of its selection. They are few, and looking through them is faster than
    /// hashing; at the worst each agent is compared with all before it.
    rows: Vec<SelectionKey>,
    /// For each row the decision about `/`, if that is asked.
    roots: Vec<Decision>,
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
        self.roots.clear();
    }

    /// Returns the answers.
    pub(crate) fn answers(&self) -> &Answers {
        &self.answers
    }

    /// Returns the distinct selections of groups, none where the fetch itself has answered.
    pub fn selections(&self) -> &[Selection] {
        &self.selections[..self.rows.len()]
    }

    /// Returns which of [`Cells::selections`] is an agent's.
    pub(crate) fn selection_of_agent(&self, agent: usize) -> usize {
        self.answers.row_of_agent[agent]
    }

    /// Returns an agent's answers, as [`Answers::of_agent`] does.
    pub fn of_agent(&self, agent: usize) -> &[Decision] {
        self.answers.of_agent(agent)
    }

    /// Returns the answer to an agent about `/`, if that is asked.
    pub fn root(&self, agent: usize) -> Option<Decision> {
        self.roots.get(self.answers.row_of_agent[agent]).copied()
    }
}
