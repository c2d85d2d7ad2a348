//! The integration tests: the program and the library from outside, one module for each kind of rule.
//!
//! Enters: archives that the tests make, those of `data-sample/` and, where they lie beside the package, those of `../shared/`. Leaves: nothing;
//! every file is made in a folder of its own. A test whose input is absent says so on standard error and passes.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it stands"
)]

mod util;

mod truth;

mod accounting;

mod determinism;

#[cfg(unix)]
mod resume;

mod parts;

#[cfg(unix)]
mod verify;

#[cfg(unix)]
mod folders;

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

mod queries;

mod report;

mod data_sample;

mod tidy;

mod api;

mod features;

mod public_api;

mod suite;

mod dialects;

mod check;

mod python;

mod recount;

mod properties;
