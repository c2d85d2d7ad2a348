//! The command line: words in, calls of the library, exit codes out. The library never sees any of this.

pub mod args;
mod cases;
pub mod check;
mod check_json;
mod check_text;
mod config;
pub mod dialects;
pub mod errors;
mod progress;
pub mod redirects;
mod report;
pub mod run;
pub mod sample;
pub mod tables;
