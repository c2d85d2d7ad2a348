//! The command line: words in, calls of the library, exit codes out. The library never sees any of
//! this.

pub mod args;
mod asked;
mod cases;
pub mod check;
mod check_json;
mod check_text;
mod config;
pub mod dialects;
mod duckdb;
pub mod errors;
pub mod escape;
mod extent;
pub mod hints;
pub mod memory;
mod outputs;
pub mod page;
mod progress;
pub mod query;
mod questions;
mod reads;
pub mod redirects;
mod report;
pub mod run;
pub mod sample;
pub mod tables;
pub mod verify;
