//! Compares parsers over archives, over the files that a dataset has stored, or over a few that are
//! chosen among them ([`write_corpus`]): which cells flip, in which direction, and why.
//!
//! Two sides, each a dialect or an external parser ([`external`]), are asked about every distinct
//! robots.txt of the archives. Where their verdicts differ, the cell *flips*. Flips are explained
//! by changes of single answers of a dialect ([`cause`]), and for each cause the smallest example
//! is searched ([`reduce`]).
//!
//! A comparison makes three passes, of which only the first reads archives or the dataset:
//!
//! 1. `read` sorts captures into chunks of distinct bodies; `ask` derives queries ([`probe`]), asks
//!    both sides, and puts files that flip aside.
//! 2. `settle` asks external parsers once more about what flips, and a third side, the *reference*,
//!    what it answers there. It explains each flip (`explain`), for external parsers by a dialect
//!    that is fitted to a sample ([`fit`]) and refined by all files that flip (`refine`).
//!    `examples` names the causes and reduces their examples.
//! 3. `fan_out` writes a row for each flip of each capture, and counts.

mod ask;
#[cfg(test)]
#[path = "../../tests/compare/bodies.rs"]
mod bodies;
pub mod cause;
mod collect;
mod combination;
mod config;
mod corpus;
pub mod decider;
mod example;
mod examples;
pub mod expect;
mod explain;
pub mod external;
mod fan_out;
pub mod fit;
#[cfg(feature = "cli")]
pub mod formats;
pub mod found;
mod gate;
mod input;
mod letters;
mod list_file;
mod observe;
mod output;
mod prepare;
pub mod probe;
pub mod query;
mod read;
pub mod reason;
mod record;
pub mod reduce;
mod refine;
mod run;
mod sampling;
mod settle;
mod shape;
pub mod side;
mod spread;
#[cfg(test)]
#[path = "../../tests/compare/testing.rs"]
mod testing;
mod variant;
mod weights;

pub use self::{
    config::{
        CompareConfig, Comparison, DEFAULT_MAX_PROBES, DEFAULT_REDUCE_STEPS, DEFAULT_REPEAT,
        FittedDialect, Probes,
    },
    corpus::{CorpusCounts, DEFAULT_FILES, write_corpus},
    found::COMPARISON_FILE,
    gate::Gate,
    input::CompareInput,
    run::compare,
    sampling::{Budget, Sampling},
    side::SideConfig,
    weights::{Ranks, read_weights},
};
