//! The integration tests: the program and the library from outside, one module for each subject.
//!
//! Inputs are archives that the tests write, those of `data-sample/` and, where they exist next to
//! the package, those of `../shared/`; every file is written to a temporary folder. A test whose
//! input is missing prints a line with its name and passes; with `CI=true` one that needs
//! `../shared/` fails.
//!
//! # Where a new test goes
//!
//! A test of a dialect goes to `conformance/`: a verdict that is defined for every dialect is a
//! case in `testdata/*.toml`, and a file for which an original can be run is a line of
//! `conformance/quirks.py`. What no verdict shows, such as the line that decides or a finding, is a
//! unit test in `src/robots/dialect/`. A damaged archive or response, and a body that costs too
//! much, go to `damage/`, whose `mod.rs` names the file for each. What must hold for any bytes goes
//! to `properties/`, which the fuzz targets share. What a query returns of handwritten crawls, or
//! says of them, is a case in `testdata/queries/*.toml`. A test of a table, a command or the source
//! goes to the module named after it. A test that needs private items is below the code, in the
//! same file.

#![allow(clippy::unwrap_used, reason = "a failed assumption fails the test")]

mod accounting;
mod api;
mod asof;
mod check;
mod check_crawlers;
mod cli;
mod cohort;
#[cfg(unix)]
mod compare;
mod conformance;
#[cfg(unix)]
mod crawl;
mod damage;
mod data_sample;
mod determinism;
mod explorer;
mod features;
#[cfg(unix)]
mod folders;
mod history;
mod html_tree;
#[cfg(unix)]
mod interrupt;
mod matrix;
mod naive;
mod page_runs;
mod pages;
mod parquet;
mod parts;
mod policies;
mod properties;
mod public_api;
mod publish;
mod queries;
mod real_pages;
mod records;
mod recount;
mod redirects;
#[cfg(unix)]
mod reduce;
mod reference;
mod remote;
mod report;
mod restriction;
#[cfg(unix)]
mod resume;
mod rows;
mod run_options;
#[cfg(unix)]
mod s3;
mod sets;
mod signals;
mod stored;
mod tidy;
#[cfg(unix)]
mod torture;
mod truth;
mod util;
#[cfg(unix)]
mod verify;
mod written_tables;
