//! The flags of `asof`.

use std::{path::PathBuf, time::Duration};

use clap::Args;

use super::{
    super::{place::place, values::duration},
    heading::EVALUATION,
};

/// The flags of `asof`.
#[derive(Debug, Args)]
pub struct AsOfArgs {
    /// Folder of a dataset with the table bodies, or s3://BUCKET/PREFIX
    ///
    /// "robocensus run --tables +bodies" writes one.
    #[arg(long, value_name = "DIR", value_parser = place())]
    pub data: PathBuf,

    /// Pages with the columns url, time and, if wanted, agent: CSV or TSV, also gzip, or .parquet;
    /// - for standard input
    ///
    /// A column fetch_time counts where there is no time. Times are timestamps, or texts such as
    /// 2026-01-02T03:04:05Z or 2026-01-02 03:04:05 (UTC). Hosts in order are answered fastest.
    #[arg(long, value_name = "FILE")]
    pub pages: PathBuf,

    /// Where the answers go: CSV, or .parquet [default: CSV on standard output]
    ///
    /// A row for each page, in the order of the pages; "robocensus tables asof" describes the
    /// columns.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// How long a fetch is in force, such as 36h or 30d
    ///
    /// A page that was fetched later is answered with not_fetched_within. A number and s, m, h, d
    /// or w (seconds to weeks).
    #[arg(
        long,
        value_name = "DURATION",
        value_parser = duration,
        default_value = "30d",
        help_heading = EVALUATION
    )]
    pub within: Duration,

    /// The crawler of pages that name none: its product token, or its User-Agent header
    #[arg(long, value_name = "TOKENS", help_heading = EVALUATION)]
    pub agent: Option<String>,

    /// The dialect: a name, or a TOML file
    #[arg(
        long,
        value_name = "NAME",
        default_value = robocensus::robots::dialect::REFERENCE,
        help_heading = EVALUATION
    )]
    pub dialect: String,
}
