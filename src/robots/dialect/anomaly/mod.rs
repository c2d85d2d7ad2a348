//! Findings: what is unusual about a file.
//!
//! A body, its line model and its rules under the reference dialect give a list of [`Anomaly`],
//! each with its position and the dialects that accept the text. No verdict depends on
//! them.

mod code;
mod finder;
mod finding;
mod group;
mod line;
mod spelling;
mod value;

pub use self::{
    code::AnomalyCode,
    finder::{AnomalyFinder, MAX_PER_CODE},
    finding::Anomaly,
};
pub use crate::named::Severity;
