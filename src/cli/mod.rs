//! The command line: words in, calls of the library, exit codes out. The library uses nothing of
//! it.

pub mod allocator;
pub mod args;
pub mod check;
mod color;
pub mod compare;
mod config;
mod dataset_notes;
pub mod dialects;
mod duckdb;
pub mod errors;
pub mod escape;
mod examples;
pub mod help;
pub mod hints;
mod output_file;
pub mod pages;
mod progress;
pub mod query;
pub mod redirects;
pub mod reduce;
pub mod report_page;
pub mod run;
pub mod sample;
mod side_argument;
mod summary_text;
pub mod tables;
mod values;
pub mod verify;
mod wrap;
