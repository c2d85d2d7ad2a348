//! The flags of `corpus`.

use std::{num::NonZeroUsize, path::PathBuf};

use clap::Args;

use super::super::{place::place, values::from_1};

const DEFAULT_FILES: NonZeroUsize =
    NonZeroUsize::new(robocensus::compare::DEFAULT_FILES).expect("some files are chosen");

/// The flags of `corpus`.
#[derive(Debug, Args)]
pub struct CorpusArgs {
    /// Folder of a dataset with the table bodies, or s3://BUCKET/PREFIX
    ///
    /// "robocensus run --tables +bodies" writes one.
    #[arg(long, value_name = "DIR", value_parser = place())]
    pub data: PathBuf,

    /// Files to choose, at most
    ///
    /// Up to half of them are examples of traits: each finding, form of a line, size and answer on
    /// which dialects differ, those of most captures first. The others are a sample in which a file
    /// of N captures has N times the chance.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_FILES, value_parser = from_1)]
    pub files: NonZeroUsize,

    /// The file to write; an existing one is replaced when the new one is complete
    ///
    /// "robocensus tables corpus" describes the columns. Equal datasets give equal bytes.
    #[arg(long, short, value_name = "FILE.parquet")]
    pub out: PathBuf,
}
