//! The result of an evaluation.

use super::AgentPolicies;
use crate::{
    digest::Sha1Digest,
    robots::{
        dialect::{Access, Anomaly, RuleSet},
        lines::{BodyKind, RobotsTxt},
        matrix::{Answers, evaluate::Cells},
    },
};

/// Cells of an evaluation, all dialects taken together, above which a matrix is large: its answers
/// are written in blocks, and told apart by the files they follow from.
const LARGE_MATRIX: usize = 1 << 18;

/// What is computed of a body besides its facts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EvaluationScope {
    /// The answers to the matrix. Without them the reference dialect alone reads the lines.
    pub(crate) answers: bool,
    /// [`Evaluation::answers_digest`]; needs answers.
    pub(crate) answers_digest: bool,
    /// The delays of groups.
    pub(crate) crawl_delays: bool,
    /// Policies and their digest; need answers and delays.
    pub(crate) policies: bool,
}

/// One body under the dialects of a run, or what its fetch decides without it; reusable.
#[derive(Debug, Default)]
pub(crate) struct Evaluation {
    /// What the fetch decides, by dialect.
    pub(crate) accesses: Vec<Access>,
    /// The lines, if any dialect reads them.
    pub(crate) robots: RobotsTxt,
    /// The groups and rules of the reference dialect, if it reads the lines.
    pub(crate) rules: RuleSet,
    /// The facts of a file that the reference dialect reads.
    pub(crate) facts: Option<FileFacts>,
    /// The findings on its lines; empty if the reference dialect does not read it.
    pub(crate) anomalies: Vec<Anomaly>,
    /// The delay of each group in seconds, by dialect; empty for one that reads no line, and out of
    /// scope.
    pub(crate) crawl_delays: Vec<Vec<Option<f64>>>,
    /// The policies of the agents, by dialect; none out of scope.
    pub(crate) policies: Vec<AgentPolicies>,
    /// Equal for equal policies, in scope.
    pub(crate) policies_digest: Sha1Digest,
    /// The answers, by dialect; none out of scope.
    pub(crate) cells: Vec<Cells>,
    /// Equal for equal answers, in scope.
    pub(crate) answers_digest: Sha1Digest,
}

/// What the reference dialect reads of a file. The fields are the columns of the same names.
#[derive(Clone, Copy, Debug)]
pub struct FileFacts {
    pub semantic_digest: Sha1Digest,
    pub line_count: u32,
    pub group_count: u32,
    pub allow_count: u32,
    pub disallow_count: u32,
    pub sitemap_count: u32,
    pub over_limit_bytes: u32,
    pub is_robots_txt: bool,
}

impl Evaluation {
    /// Returns what the fetch decides under the reference dialect.
    pub(crate) fn access(&self) -> Access {
        self.accesses[0]
    }

    /// Returns true if and only if the lines are those of a text file: the lines of an HTML page
    /// are full of colons, and none of them was meant as a directive.
    pub(crate) fn is_text(&self) -> bool {
        self.robots.kind() == BodyKind::Text
    }

    /// Returns the number of cells of all dialects.
    pub(crate) fn n_cells(&self) -> usize {
        self.answers().map(Answers::n_cells).sum()
    }

    /// Returns true if and only if there are too many cells to compare or to hold all answers.
    pub(crate) fn is_large(&self) -> bool {
        self.n_cells() > LARGE_MATRIX
    }

    /// Returns the answers, by dialect.
    pub(crate) fn answers(&self) -> impl Iterator<Item = &Answers> {
        self.cells.iter().map(|cells| &cells.answers)
    }
}
