//! The result of a comparison: the causes found, each with its smallest case, and the totals.
//!
//! Plain values, from which the tables, the summary, the list of accepted causes and the page are
//! made.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use serde::Serialize;

use super::{example::Example, external::ParserFaultKind, side::CellAnswer};
use crate::{named::named, robots::dialect::Verdict};

/// The file in the folder of a comparison in which it states its sides and totals, of which the
/// rows of its tables are a part.
pub const COMPARISON_FILE: &str = "_comparison.json";

named! {
    ALL
    /// How a verdict differs between the sides: that of the baseline, then that of the candidate.
    ///
    /// The order is that in which flips are reported: a crawler that begins to fetch what a site
    /// forbids comes first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Direction {
        /// The baseline forbids what the candidate allows.
        DisallowToAllow = "disallow_to_allow",
        /// The baseline allows what the candidate forbids.
        AllowToDisallow = "allow_to_disallow",
        /// The baseline forbids what the candidate leaves undefined.
        DisallowToUndefined = "disallow_to_undefined",
        /// The baseline leaves undefined what the candidate allows.
        UndefinedToAllow = "undefined_to_allow",
        /// The baseline allows what the candidate leaves undefined.
        AllowToUndefined = "allow_to_undefined",
        /// The baseline leaves undefined what the candidate forbids.
        UndefinedToDisallow = "undefined_to_disallow",
    }
}

impl Direction {
    /// Returns the direction of a flip; `None` where the verdicts are equal or one is
    /// missing.
    pub fn between([baseline, candidate]: &[CellAnswer; 2]) -> Option<Direction> {
        use Verdict::{Allow, Disallow, Undefined};
        match (baseline.verdict?, candidate.verdict?) {
            (Disallow, Allow) => Some(Direction::DisallowToAllow),
            (Allow, Disallow) => Some(Direction::AllowToDisallow),
            (Disallow, Undefined) => Some(Direction::DisallowToUndefined),
            (Undefined, Allow) => Some(Direction::UndefinedToAllow),
            (Allow, Undefined) => Some(Direction::AllowToUndefined),
            (Undefined, Disallow) => Some(Direction::UndefinedToDisallow),
            (Allow, Allow) | (Disallow, Disallow) | (Undefined, Undefined) => None,
        }
    }
}

impl fmt::Display for Direction {
    /// Writes the direction for people: `disallow to allow`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.as_str().replace('_', " "))
    }
}

named! {
    ALL
    /// How the verdicts of a flip stand to that of the reference.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Stance {
        /// The candidate gives the verdict of the reference.
        TowardsReference = "towards_reference",
        /// The baseline gives it.
        AwayFromReference = "away_from_reference",
        /// Neither gives it, since a verdict can be undefined too.
        BetweenOtherVerdicts = "between_other_verdicts",
        /// The reference reports an error, is at fault, or changed its answer.
        NoReferenceVerdict = "no_reference_verdict",
    }
}

impl fmt::Display for Stance {
    /// Writes the stance for people: `towards reference`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.as_str().replace('_', " "))
    }
}

/// One cause of flips.
#[derive(Clone, Debug, Default)]
pub struct FoundCause {
    /// Names the cause in tables and files: derived from `key`, equal in every run that finds the
    /// cause, and usable as the name of a file.
    pub id: String,
    /// What identifies the cause in lists: the changes joined by spaces
    /// (`group_end=blank-line percent=normalized`), or `unexplained:` and the fingerprint of the
    /// smallest example.
    pub key: String,
    /// The answers of the baseline that change, as `choice=answer` in the order of
    /// `robocensus dialects`; empty for what is unexplained.
    pub changes: Vec<String>,
    /// The fingerprints of its smallest examples, one of each direction, where a side is an
    /// external parser; by these the cause is known in another comparison that names it
    /// differently.
    pub fingerprints: BTreeSet<String>,
    /// The flips (cells) in each direction; directions without flips are absent.
    pub directions: BTreeMap<Direction, u64>,
    /// The flips of each stance to the reference; stances without flips are absent.
    pub stances: BTreeMap<Stance, u64>,
    /// The captures with a flip of this cause.
    pub captures: u64,
    /// The distinct bodies with one.
    pub files: u64,
    /// The distinct hosts with one.
    pub hosts: u64,
    /// The flips: one for each capture, agent and URL.
    pub cells: u64,
    /// The sum of the weights of these flips; equal to `cells` where no weights are given.
    pub weight: f64,
    /// The smallest example found.
    pub example: Example,
    /// What baseline and candidate answer to it.
    pub answers: [CellAnswer; 2],
    /// Whether no line and no byte of it can be removed; false where the limit of steps ended the
    /// search.
    pub is_minimal: bool,
}

/// The faults of one kind that external parsers have about one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundFault {
    /// The kind.
    pub kind: ParserFaultKind,
    /// The SHA-1 of the body as in captures; `None` for what no file is at fault for, and for all
    /// files of this kind beyond those that are told apart.
    pub content_digest: Option<String>,
    /// How many there are, of both sides.
    pub faults: u64,
    /// The first of them: the side, a host of the file, and what was expected.
    pub sentence: String,
}

impl FoundFault {
    /// Returns what identifies the fault in lists: `fault:` and the kind, and with a file another
    /// colon and its digest.
    pub fn key(&self) -> String {
        fault_key(self.kind, self.content_digest.as_deref())
    }
}

/// Returns what [`FoundFault::key`] does.
pub(super) fn fault_key(kind: ParserFaultKind, content_digest: Option<&str>) -> String {
    let kind = kind.as_str();
    match content_digest {
        Some(digest) => format!("fault:{kind}:{digest}"),
        None => format!("fault:{kind}"),
    }
}

/// The totals of a comparison.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Totals {
    /// The distinct bodies about which both sides were asked.
    pub files: u64,
    /// The captures with these bodies.
    pub captures: u64,
    /// The distinct hosts of these captures.
    pub hosts: u64,
    /// The cells compared: one for each capture, agent and URL that both sides answered.
    pub cells: u64,
    /// The sum of the weights of these cells.
    pub weight: f64,
    /// The queries sent to each side: cells of which captures with identical bodies count once.
    pub queries: u64,
    /// The distinct bodies that the limit of derived queries left without some of theirs.
    pub cut_files: u64,
    /// The rules of the distinct bodies from whose patterns queries are derived.
    pub rules: u64,
    /// Those of them for which not even a URL that their pattern matches was asked.
    pub rules_left_out: u64,
    /// The flips (cells) in each direction; directions without flips are absent.
    pub directions: BTreeMap<Direction, u64>,
    /// The flips of each stance to the reference; stances without flips are absent.
    pub stances: BTreeMap<Stance, u64>,
    /// The distinct bodies with a flip.
    pub flipping_files: u64,
    /// The captures with a flip.
    pub flipping_captures: u64,
    /// The distinct hosts with a flip.
    pub flipping_hosts: u64,
    /// The sum of the weights of the flips.
    pub flipping_weight: f64,
    /// The flips whose cause is unexplained.
    pub unexplained: u64,
    /// The kinds of unexplained flips of which no example was made smaller, since there are too
    /// many; their flips have one cause, `unexplained:other`.
    pub kinds_not_reduced: u64,
    /// The cells that differed first and of which an external side changed its answer when it was
    /// asked again; they are not flips. Each file with any is a fault of that parser.
    pub unstable: u64,
    /// The cells about which an external side reports an error; they are not compared.
    pub unanswered: u64,
    /// The queries about which one side alone reports an error, about distinct bodies.
    pub answered_by_one: u64,
    /// The faults of external parsers.
    pub parser_faults: u64,
    /// The distinct bodies that were not asked about, since the time of a budget was over.
    pub not_asked: u64,
    /// The distinct bodies that flip and about which external parsers were not asked again, nor one
    /// that is the reference, since the time of a budget was nearly over.
    pub not_asked_again: u64,
    /// What a sample tells about all files; `None` where all files were asked, and all other
    /// figures are of the sample.
    pub sample: Option<SampleTotals>,
}

/// Estimates of what a comparison of all files would give.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SampleTotals {
    /// The distinct bodies of which the sample was taken.
    pub files: u64,
    /// The distinct bodies with a flip.
    pub flipping_files: Estimate,
    /// The captures with a flip.
    pub flipping_captures: Estimate,
    /// The flips.
    pub flips: Estimate,
}

/// An estimated number with its confidence interval of 95 %.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(into = "[f64; 3]")]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// The lower bound; never below what the sample has.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl From<Estimate> for [f64; 3] {
    fn from(Estimate { value, low, high }: Estimate) -> [f64; 3] {
        [value, low, high]
    }
}

impl Totals {
    /// Returns the number of flips.
    pub fn flips(&self) -> u64 {
        self.directions.values().sum()
    }
}
