//! What the reference dialect and the agents of a dataset make of a robots.txt.

use std::{iter, ops::Range};

use crate::robots::{
    dialect::{Decision, Dialect, PreparedPath, RuleSet},
    lines::{RobotsTxt, parse},
    matrix::{
        Matrix, MatrixAgent, Urls,
        evaluate::{Cells, Evaluator},
    },
};

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
