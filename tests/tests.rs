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
//! to `properties/`, which the fuzz targets share. What a query returns of handwritten crawls is a
//! case in `testdata/queries/*.toml`. A test of a table, a command or the source goes to the module
//! named after it. A test that needs private items is below the code, in the same file.

#![allow(clippy::unwrap_used, reason = "a failed assumption fails the test")]

mod naive;

mod util;

mod truth;

mod accounting;

mod damage;

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

mod remote;

#[cfg(unix)]
mod s3;

mod redirects;

mod cli;

mod matrix;

mod sets;

#[cfg(unix)]
mod crawl;

mod policies;

mod restriction;

mod run_options;

mod cohort;

mod records;

mod history;

mod written_tables;

mod signals;

mod reference;

mod queries;

mod report;

mod publish;

mod explorer;

mod data_sample;

mod tidy;

mod api;

mod features;

mod public_api;

mod conformance;

mod asof;
mod check;
mod check_crawlers;

#[cfg(unix)]
mod compare;

mod page_runs;

mod pages;

mod html_tree;

mod real_pages;

#[cfg(unix)]
mod reduce;

mod stored;

mod recount;

mod parquet;

mod properties;
