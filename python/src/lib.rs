//! The extension module `robocensus._native` of the Python package `robocensus`.
//!
//! It has the parser ([`robots`], whose decisions share what is [`recent`]), decisions over Arrow
//! arrays ([`many`]), the captures of archives ([`archives`]) and the command line. Whatever is not
//! about speed is Python, in `python/robocensus/`, where users find the documentation too.
//!
//! - Content never raises: a body is bytes. Wrong types raise `TypeError`, wrong values
//!   `ValueError`, both with a sentence that names the argument.
//! - Work over arrays and archives runs detached from the interpreter; a panic becomes an
//!   exception, as PyO3 provides.
//! - Unsafe code is in [`capsule`] alone, which exchanges pointers with other Arrow libraries.
#![allow(
    clippy::doc_lazy_continuation,
    reason = "what Python shows is no Markdown"
)]

mod archives;
mod batch;
mod capsule;
mod column;
mod decision;
mod dialect;
mod many;
mod recent;
mod robots;
mod text;

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command line in this process and returns its exit code.
///
/// Args:
///     words: Those of the command line, the first of them the name of the program.
#[pyfunction]
fn main(py: Python<'_>, words: Vec<OsString>) -> u8 {
    py.detach(|| robocensus::cli::main(words))
}

#[pymodule(gil_used = false)]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::{
        archives::{CaptureReader, read},
        batch::{Batch, Values},
        decision::Decision,
        dialect::{PyDialect, applies_to, decide_access},
        main,
        many::{decide_many, decide_rows},
        robots::{AgentLine, Finding, Group, PyRobots, Record, Rule, Signal},
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("DIALECTS", robocensus::robots::dialect::NAMES.to_vec())
    }
}
