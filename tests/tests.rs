//! The integration tests: the program and the library from outside, one module for each kind of
//! rule.
//!
//! Inputs are archives that the tests write, those of `data-sample/` and, where they exist next to
//! the package, those of `../shared/`; every file is written to a folder of its own. A test whose
//! input is absent prints a line that says so and passes; with `CI=true` one that needs
//! `../shared/` fails.
//!
//! # Where a new test goes
//!
//! What a dialect answers belongs to `conformance/`: a case that every dialect answers into
//! `testdata/*.toml`, a file of which an original can be asked into `conformance/quirks.py`. A
//! damaged archive belongs to `quirks`, a whole record with a damaged response to `responses`, a
//! body that costs too much to `hostile`, and what must hold of any bytes to `properties/`. What a
//! table, a command, a query or the source itself must be belongs to the module named after it. A
//! test that needs private items stands below the code, in the same file.

#![allow(clippy::unwrap_used, reason = "a failed assumption fails the test")]

mod util;

mod truth;

mod accounting;

mod determinism;

mod rows;

#[cfg(unix)]
mod resume;

mod parts;

#[cfg(unix)]
mod verify;

#[cfg(unix)]
mod folders;

#[cfg(unix)]
mod interrupt;

#[cfg(unix)]
mod torture;

mod redirects;

mod quirks;

mod hostile;

mod responses;

mod cli;

mod matrix;

mod sets;

mod policies;

mod restriction;

mod asked;

mod signals;

mod reference;

mod recompressed;

mod queries;

mod report;

mod data_sample;

mod tidy;

mod api;

mod features;

mod public_api;

mod conformance;

mod check;

#[cfg(unix)]
mod compare;

mod recount;

mod parquet;

mod properties;
