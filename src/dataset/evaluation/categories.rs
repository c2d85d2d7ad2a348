//! The categories of agents that a file shuts out of `/`.

use crate::robots::{
    dialect::{Basis, Decision, Verdict},
    matrix::{Matrix, evaluate::Cells},
};

/// The agents of the matrix by category.
#[derive(Debug)]
pub(crate) struct Categories {
    /// Whether the matrix asks for the path `/`.
    pub(crate) has_root: bool,
    /// Positions of agents in the matrix, by category.
    agents: Vec<Vec<usize>>,
}

/// Whether the rules of a file forbid `/` to the agents of one category.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RootBlocked {
    /// To at least one of them.
    pub(crate) any: bool,
    /// To every one.
    pub(crate) all: bool,
}

impl Categories {
    /// Sorts the agents of a matrix by category.
    pub(crate) fn new(matrix: &Matrix) -> Self {
        let agents = matrix.categories().into_iter().map(|category| {
            let is_of = |&agent: &usize| matrix.agents[agent].category.as_deref() == Some(category);
            (0..matrix.agents.len()).filter(is_of).collect()
        });
        Self {
            has_root: matrix.urls.paths().iter().any(|path| path == "/"),
            agents: agents.collect(),
        }
    }

    /// Returns the number of categories.
    pub(crate) fn len(&self) -> usize {
        self.agents.len()
    }

    /// Replaces the content of `blocked` by what `cells` mean for each category; nothing if `/` is
    /// not asked.
    pub(super) fn find_blocked(&self, cells: &Cells, blocked: &mut Vec<RootBlocked>) {
        blocked.clear();
        if !self.has_root {
            return;
        }
        // What the fetch alone forbids is no opinion on these agents.
        let is_blocked = |&agent: &usize| {
            let is_by_rule = |decision: Decision| {
                decision.verdict == Verdict::Disallow && decision.basis == Basis::Rule
            };
            cells.root(agent).is_some_and(is_by_rule)
        };
        blocked.extend(self.agents.iter().map(|agents| RootBlocked {
            any: agents.iter().any(is_blocked),
            all: agents.iter().all(is_blocked),
        }));
    }
}
