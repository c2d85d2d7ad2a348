//! Decisions of many dialects about one file.

use super::query::Queries;
use crate::robots::{
    dialect::{
        Agent, Decision, Dialect, PreparedPath, RuleSet, Selection, SelectionKey, SelectionKind,
        Verdict,
    },
    lines::{self, RobotsTxt},
};

/// Answers many queries about one file under many dialects; reusable.
#[derive(Debug, Default)]
pub struct Decider {
    robots: RobotsTxt,
    rules: RuleSet,
    buffers: DecisionBuffers,
}

impl Decider {
    /// Parses a file; the other methods answer about it.
    pub fn parse(&mut self, body: &[u8]) {
        lines::parse(body, &mut self.robots);
    }

    /// Returns the verdicts of a dialect, in the order of the queries.
    pub fn verdicts(&mut self, dialect: &Dialect, body: &[u8], queries: &Queries) -> Vec<Verdict> {
        let decisions = self.decisions(dialect, body, queries).into_iter();
        decisions.map(|decision| decision.verdict).collect()
    }

    /// Returns the decisions of a dialect, in the order of the queries.
    pub fn decisions(
        &mut self,
        dialect: &Dialect,
        body: &[u8],
        queries: &Queries,
    ) -> Vec<Decision> {
        self.rules.compile(dialect, body, &self.robots);
        self.buffers.decide(&self.rules, dialect, queries)
    }
}

/// Decides about queries, and reuses its memory.
#[derive(Debug, Default)]
pub(super) struct DecisionBuffers {
    selection: Selection,
    /// By URL, its path if it is prepared.
    paths: Vec<(PreparedPath, bool)>,
    /// The decisions about agents that no group names, and about the last that one does.
    shared: [SharedDecisions; 2],
}

/// Decisions about the agents of one selection.
#[derive(Debug, Default)]
struct SharedDecisions {
    selection: Option<SelectionKey>,
    by_url: Vec<Option<Decision>>,
}

impl DecisionBuffers {
    /// Returns the decisions about some queries, of which those of one agent should be together:
    /// each change of agent selects its groups again.
    ///
    /// A path is prepared once, and agents with the same groups share their decisions: most files
    /// name few of the agents that they are asked about, and many name several for one group.
    pub fn decide(
        &mut self,
        rules: &RuleSet,
        dialect: &Dialect,
        queries: &Queries,
    ) -> Vec<Decision> {
        let n_urls = queries.n_urls();
        if self.paths.len() < n_urls {
            let empty = PreparedPath::from_url(dialect, b"/");
            self.paths.resize(n_urls, (empty, false));
        }
        for (_, is_prepared) in &mut self.paths[..n_urls] {
            *is_prepared = false;
        }
        for shared in &mut self.shared {
            shared.selection = None;
        }
        let mut selected = None;
        let mut decisions = Vec::with_capacity(queries.len());
        for &(agent, url) in queries.pairs.iter() {
            let is_other = selected.replace(agent) != Some(agent);
            if is_other {
                let chain: Vec<_> = queries.agent(agent).split(',').collect();
                rules.select(&Agent::new(dialect, &chain), &mut self.selection);
            }
            let is_named = self.selection.kind() == SelectionKind::Named;
            let shared = &mut self.shared[usize::from(is_named)];
            if is_other {
                shared.begin(self.selection.key(), n_urls);
            }
            let decision = shared.by_url[url as usize].get_or_insert_with(|| {
                let (path, is_prepared) = &mut self.paths[url as usize];
                if !std::mem::replace(is_prepared, true) {
                    path.set_url(dialect, queries.url(url).as_bytes());
                }
                rules.decide(&self.selection, path)
            });
            decisions.push(*decision);
        }
        decisions
    }
}

impl SharedDecisions {
    /// Drops the decisions of another selection.
    fn begin(&mut self, selection: SelectionKey, n_urls: usize) {
        if self.selection.replace(selection) != Some(selection) {
            self.by_url.clear();
            self.by_url.resize(n_urls, None);
        }
    }
}
