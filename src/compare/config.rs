//! The options of a comparison, and its result.

use std::{collections::BTreeMap, num::NonZeroUsize, path::PathBuf};

use super::{
    expect::AcceptedCauses,
    external::Usage,
    found::{FoundCause, FoundFault, Totals},
    sampling::{Budget, Sampling},
    side::SideConfig,
    weights::Ranks,
};
use crate::{
    archive::warc::Limits,
    dataset::{run::DamagedArchive, sink::OpenMode},
    robots::{
        dialect::{Dialect, shortest_definition},
        matrix::Matrix,
    },
};

/// Queries about one file, at most: some ten for each of the patterns of a usual file.
pub const DEFAULT_MAX_PROBES: NonZeroUsize = NonZeroUsize::new(256).expect("it is not zero");
/// How often external parsers are asked about what flips: twice, so that one whose answers change
/// is told from one that has changed.
pub const DEFAULT_REPEAT: NonZeroUsize = NonZeroUsize::new(2).expect("it is not zero");
/// Examples that both sides are asked about, at most, to make that of one cause small.
pub const DEFAULT_REDUCE_STEPS: usize = 10_000;

/// The options of a comparison.
#[derive(Debug)]
pub struct CompareConfig {
    /// The folder of the result.
    pub out: PathBuf,
    /// What to do if the folder exists; a comparison is not resumed.
    pub mode: OpenMode,
    /// Threads that evaluate dialects.
    pub threads: NonZeroUsize,
    /// The side that is accepted.
    pub baseline: SideConfig,
    /// The side that is to replace it.
    pub candidate: SideConfig,
    /// The side that is asked about what flips, and about nothing else.
    pub reference: Option<SideConfig>,
    /// What is asked.
    pub probes: Probes,
    /// Agents, and for [`Probes::Matrix`] URLs.
    pub matrix: Matrix,
    /// Weights of agents, by their chains as text; those that are absent weigh 1.
    pub agent_weights: BTreeMap<String, f64>,
    /// Weights of URLs of the matrix; those that are absent weigh 1.
    pub url_weights: BTreeMap<String, f64>,
    /// Ranks of hosts.
    pub ranks: Ranks,
    /// How many files are taken; `None` for all.
    pub sampling: Option<Sampling>,
    /// How long it may take, in place of `sampling`; `None` for as long as it takes.
    pub budget: Option<Budget>,
    /// The folder of another comparison: only files that flip there are asked.
    pub only: Option<PathBuf>,
    /// The causes and faults that are accepted; `None` accepts nothing.
    pub accepted: Option<AcceptedCauses>,
    /// How often external parsers are asked about what flips; those that answer otherwise in
    /// between are unstable.
    pub repeat: NonZeroUsize,
    /// Examples tried to make that of one cause small.
    pub reduce_steps: usize,
    /// Limits of bodies, records and members.
    pub limits: Limits,
}

/// What is asked about each file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probes {
    /// Queries made from the file's own lines, at most so many.
    Derived(usize),
    /// Every agent of the matrix with every URL.
    Matrix,
}

impl CompareConfig {
    /// Returns the defaults: derived probes and the built-in agents, on every processor.
    pub fn new(
        out: impl Into<PathBuf>,
        baseline: SideConfig,
        candidate: SideConfig,
    ) -> CompareConfig {
        CompareConfig {
            out: out.into(),
            mode: OpenMode::New,
            threads: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            baseline,
            candidate,
            reference: None,
            probes: Probes::Derived(DEFAULT_MAX_PROBES.get()),
            matrix: Matrix::built_in(),
            agent_weights: BTreeMap::new(),
            url_weights: BTreeMap::new(),
            ranks: Ranks::default(),
            sampling: None,
            budget: None,
            only: None,
            accepted: None,
            repeat: DEFAULT_REPEAT,
            reduce_steps: DEFAULT_REDUCE_STEPS,
            limits: Limits::default(),
        }
    }
}

/// The result of a comparison.
#[derive(Debug)]
pub struct Comparison {
    /// The names of baseline and candidate; those of external parsers with their versions.
    pub sides: [String; 2],
    /// The name of the reference, if there is one.
    pub reference: Option<String>,
    /// The causes, the one of most hosts first.
    pub causes: Vec<FoundCause>,
    /// The totals.
    pub totals: Totals,
    /// The faults of external parsers by kind and file, or beyond 10,000 of them by kind.
    pub faults: Vec<FoundFault>,
    /// What the processes of each side took; `None` for a dialect, and where the system does not
    /// tell.
    pub usage: [Option<Usage>; 2],
    /// Archives of which captures may be missing.
    pub damaged: Vec<DamagedArchive>,
    /// The dialect that behaves as the candidate does.
    pub fitted: FittedDialect,
    /// How long it took.
    pub seconds: f64,
}

/// The dialect that behaves as a candidate does.
#[derive(Clone, Debug)]
pub struct FittedDialect {
    /// The dialect.
    pub dialect: Dialect,
    /// Queries on which it gives the candidate's verdict: counted where the sides differ, estimated
    /// from a sample where they agree.
    pub reproduced: u64,
    /// Queries that both sides answered.
    pub queries: u64,
}

impl FittedDialect {
    /// Returns the dialect as a file: the built-in dialect that is nearest, and the answers that
    /// differ from it, below lines that tell what it reproduces.
    pub fn to_toml(&self, sides: &[String; 2]) -> String {
        let share = 100.0 * self.reproduced as f64 / self.queries.max(1) as f64;
        let comment = |name: &str| name.replace(char::is_control, " ");
        let head = format!(
            "# Fitted by robocensus compare: {} as the candidate, {} as the baseline.\n\
             # It gives the candidate's verdict on {share:.4} % of {} queries, and another one on {}:\n\
             # counted where the sides differ, estimated from a sample of the files where they agree.\n\n",
            comment(&sides[1]),
            comment(&sides[0]),
            self.queries,
            self.queries - self.reproduced,
        );
        head + &shortest_definition(&self.dialect)
    }
}
