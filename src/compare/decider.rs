//! Decisions of many dialects about one file.

use super::query::Query;
use crate::{
    dialect::{Agent, Decision, Dialect, PreparedPath, RuleSet, Selection, Verdict},
    robots::{self, RobotsTxt},
};

/// Answers many queries about one file under many dialects; reusable.
#[derive(Debug, Default)]
pub struct Decider {
    robots: RobotsTxt,
    rules: RuleSet,
    selection: Selection,
    traits: FileTraits,
}

/// What some choices need in a file to matter; see [`FileTraits::can_show`].
#[derive(Clone, Copy, Debug, Default)]
struct FileTraits {
    begins_like_mark: bool,
    n_bytes: usize,
    longest_line: usize,
    has_index_page: bool,
}

impl FileTraits {
    fn of(body: &[u8]) -> FileTraits {
        let lines = body.split(|byte| matches!(byte, b'\r' | b'\n'));
        FileTraits {
            begins_like_mark: body.starts_with(b"\xEF"),
            n_bytes: body.len(),
            longest_line: lines.map(<[u8]>::len).max().unwrap_or(0),
            has_index_page: memchr::memmem::find(body, b"/index.htm").is_some(),
        }
    }

    /// Returns false only if two dialects that differ in this choice alone agree about the file.
    fn can_show(&self, choice: &str, one: &Dialect, other: &Dialect) -> bool {
        let exceeds = |n: usize, limits: [Option<u32>; 2]| {
            limits.into_iter().flatten().any(|limit| n > limit as usize)
        };
        match choice {
            "byte_order_mark" => self.begins_like_mark,
            "byte_limit" => exceeds(self.n_bytes, [one.byte_limit, other.byte_limit]),
            "line_limit" => exceeds(self.longest_line, [one.line_limit, other.line_limit]),
            "index_page" => self.has_index_page,
            _ => true,
        }
    }
}

impl Decider {
    /// Parses a file; the other methods answer about it.
    pub fn parse(&mut self, body: &[u8]) {
        robots::parse(body, &mut self.robots);
        self.traits = FileTraits::of(body);
    }

    /// Returns the file's rules under a dialect.
    pub fn rules(&mut self, dialect: &Dialect, body: &[u8]) -> &RuleSet {
        self.rules.compile(dialect, body, &self.robots);
        &self.rules
    }

    /// Returns false only if two dialects that differ in the choice of this name alone give equal
    /// verdicts about the file, so that the second need not be asked.
    pub(super) fn can_show(&self, choice: &str, one: &Dialect, other: &Dialect) -> bool {
        self.traits.can_show(choice, one, other)
    }

    /// Returns the verdicts of a dialect, in the order of the queries.
    pub fn verdicts(&mut self, dialect: &Dialect, body: &[u8], queries: &[Query]) -> Vec<Verdict> {
        let decisions = self.decisions(dialect, body, queries);
        decisions
            .into_iter()
            .map(|decision| decision.verdict)
            .collect()
    }

    /// Returns the decisions of a dialect, in the order of the queries.
    pub fn decisions(
        &mut self,
        dialect: &Dialect,
        body: &[u8],
        queries: &[Query],
    ) -> Vec<Decision> {
        self.rules.compile(dialect, body, &self.robots);
        decide(&self.rules, &mut self.selection, dialect, queries)
    }
}

/// Returns the decisions about some queries, of which those of one agent should be together: each
/// change of agent selects its groups again.
pub(super) fn decide(
    rules: &RuleSet,
    selection: &mut Selection,
    dialect: &Dialect,
    queries: &[Query],
) -> Vec<Decision> {
    let mut selected: Option<&str> = None;
    let mut path = PreparedPath::from_url(dialect, b"/");
    let mut decisions = Vec::with_capacity(queries.len());
    for query in queries {
        if selected != Some(query.agent.as_str()) {
            let chain: Vec<_> = query.agent.split(',').collect();
            rules.select(&Agent::new(dialect, &chain), selection);
            selected = Some(&query.agent);
        }
        path.set_url(dialect, query.url.as_bytes());
        decisions.push(rules.decide(selection, &path));
    }
    decisions
}
