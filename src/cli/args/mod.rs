//! The flags, exactly as typed; `config` decides what they mean together.
#![allow(
    rustdoc::bare_urls,
    reason = "comments of flags are help, which is no Markdown"
)]

mod asof;
mod check;
mod compare;
mod corpus;
mod reduce;
mod run;

use std::{num::NonZeroUsize, path::PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum};
use robocensus::report::chart::WIDTH;

use self::heading::{BUILT_IN, MESSAGES};
pub use self::{
    asof::AsOfArgs,
    check::CheckArgs,
    compare::{CompareArgs, ProbeKind},
    corpus::CorpusArgs,
    reduce::ReduceArgs,
    run::RunArgs,
};
use super::{
    place::place,
    values::{chart_width, from_1, not_blank, variable, whole},
};

/// Above which flags stand in the help of their command.
mod heading {
    pub const BATCHES: &str = "Batches";
    pub const BUILT_IN: &str = "Built-in queries";
    pub const CHOICE: &str = "Choice of archives";
    pub const DATASETS: &str = "Datasets";
    pub const EVALUATION: &str = "Evaluation";
    pub const EXISTING: &str = "Existing datasets";
    pub const INTEGRATION: &str = "Continuous integration";
    pub const LIMITS: &str = "Limits";
    pub const MESSAGES: &str = "Messages";
    pub const OUTPUT: &str = "Output";
    pub const PAGES: &str = "Pages";
    pub const PERFORMANCE: &str = "Performance";
    pub const QUERIES: &str = "Queries";
    pub const REDIRECTS: &str = "Redirects";
    pub const SIDES: &str = "Sides";
}

/// Turn robots.txt archives into Parquet tables, and query them
#[derive(Debug, Parser)]
#[command(version, disable_help_subcommand = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Parse archives, evaluate every agent against every URL, write Parquet tables
    Run(RunArgs),
    /// Make the tables of a dataset that depend on all of its parts
    ///
    /// Where a redirect leads, which fetch of a host counts, and what robots.txt states about a
    /// page, is known only from the whole dataset. A run makes these tables, redirects, hosts and
    /// page_robots, at its end; after several that share a dataset, this command makes them once.
    Finish(FinishArgs),
    /// Check the files of a dataset against its manifests
    Verify(VerifyArgs),
    /// Evaluate one robots.txt for one agent and URL, and show the evidence
    Check(CheckArgs),
    /// Answer for each page what the robots.txt in force when it was fetched says
    Asof(AsOfArgs),
    /// Compare two parsers over archives: what flips, in which direction, and why
    Compare(CompareArgs),
    /// Choose a few files of a dataset over which compare finds what all of them show
    Corpus(CorpusArgs),
    /// Reduce a robots.txt on which two parsers differ to the smallest one
    Reduce(ReduceArgs),
    /// List the dialects side by side, or print one as TOML to edit
    Dialects(DialectsArgs),
    /// List the codes of the tables errors and response_errors, with examples
    Errors(ErrorsArgs),
    /// Describe the tables of a dataset, their columns, and the views of SQL
    Tables(TablesArgs),
    /// Run a built-in query or SQL on a dataset, with your DuckDB
    Query(QueryArgs),
    /// Write an HTML report on a dataset, with your DuckDB
    Report(ReportArgs),
    /// Describe a dataset to others: data card, Croissant, citation, digests, with your DuckDB
    ///
    /// The files README.md, croissant.json, CITATION.cff, datacite.json and SHA256SUMS are written
    /// into the folder of the dataset, which the Hub of Hugging Face and any web server serve as it
    /// is. All figures are those of the dataset.
    Publish(PublishArgs),
    /// Generate a test archive whose contents are known
    Sample(SampleArgs),
    /// Print the completions of a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write the manual pages
    Man {
        /// Folder of the pages, robocensus.1 and one for each command; existing ones are replaced
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// Explain a command or a topic
    Help {
        /// A command or a topic
        topic: Option<String>,
    },
}

/// How commands that read archives show their progress.
#[derive(Args, Debug)]
pub struct ProgressArgs {
    /// Form of the progress on standard error
    #[arg(
        long = "progress",
        value_name = "FORM",
        default_value = "auto",
        conflicts_with = "quiet",
        help_heading = MESSAGES
    )]
    pub form: ProgressForm,
}

/// The forms in which progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProgressForm {
    /// A bar on a terminal, else a line every 5 seconds
    Auto,
    /// For programs: lines of {"progress": {...}}, at most one every 100 ms and one at the end.
    /// While archives are read, with bytes, total_bytes (null if unknown), archives,
    /// total_archives and captures; in the steps that follow, with step, done and total. Any other
    /// line is a message. The run ends as by Ctrl-C if standard error is closed
    Json,
}

/// The flags of `finish`.
#[derive(Debug, Args)]
pub struct FinishArgs {
    /// Folder of the dataset, or s3://BUCKET/PREFIX
    #[arg(value_name = "DIR", value_parser = place())]
    pub dataset: PathBuf,

    /// Delete this crawl of the dataset first, such as CC-MAIN-2025-05
    ///
    /// The files of other crawls stay as they are.
    #[arg(long, value_name = "NAME")]
    pub drop_crawl: Option<String>,

    /// Print nothing
    #[arg(long, short)]
    pub quiet: bool,
}

/// The flags of `verify`.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// Folder of the dataset, or s3://BUCKET/PREFIX
    #[arg(value_name = "DIR", value_parser = place())]
    pub dataset: PathBuf,

    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// The flags of `publish`.
#[derive(Debug, Args)]
pub struct PublishArgs {
    /// Folder of the dataset, or s3://BUCKET/PREFIX
    #[arg(value_name = "DIR", value_parser = place())]
    pub dataset: PathBuf,

    /// Your words about the dataset: name, purpose, license, contact, creators
    ///
    /// "robocensus help publishing" has its keys.
    #[arg(long, value_name = "FILE.toml")]
    pub card: Option<PathBuf>,

    /// Publish a copy in this folder, and leave the dataset as it is
    ///
    /// Files of tables are links where the file system has them.
    #[arg(long, short, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Leave these tables out of the copy, such as comments
    #[arg(long, value_name = "TABLES", value_delimiter = ',', requires = "out")]
    pub without: Vec<String>,

    /// Add a page on which anyone can look a host up in a browser
    ///
    /// It reads the files of the publication from any web server that answers range requests.
    #[arg(long)]
    pub site: bool,

    /// Folder with DuckDB-WASM, with which SQL can be changed and run on the page
    ///
    /// That of the npm package @duckdb/duckdb-wasm; its files become part of the page.
    #[arg(long, value_name = "FOLDER", requires = "site")]
    pub engine: Option<PathBuf>,
}

/// The flags of `dialects`.
#[derive(Debug, Args)]
pub struct DialectsArgs {
    /// Print this dialect as TOML, with the source of each value
    pub name: Option<String>,

    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// The flags of `errors`.
#[derive(Debug, Args)]
pub struct ErrorsArgs {
    /// Explain this code only
    pub code: Option<String>,

    /// Print one JSON array
    #[arg(long)]
    pub json: bool,
}

/// The flags of `tables`.
#[derive(Debug, Args)]
pub struct TablesArgs {
    /// Describe this table or view only
    pub name: Option<String>,

    /// Print a JSON array
    #[arg(long)]
    pub json: bool,

    /// Print a Markdown table of tables and column names
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
}

/// The flags of `query`.
#[derive(Debug, Args)]
pub struct QueryArgs {
    /// A built-in query, a file that ends with .sql, or SQL
    #[arg(value_name = "NAME|FILE|SQL", required_unless_present = "list")]
    pub query: Option<String>,

    /// Folder of the dataset, or s3://BUCKET/PREFIX; several are asked as one
    ///
    /// Datasets of the same options, of which each has crawls that no other one has, give the
    /// figures of one dataset with all crawls.
    #[arg(
        long,
        value_name = "DIR",
        value_parser = place(),
        required_unless_present_any = ["list", "print"]
    )]
    pub data: Vec<PathBuf>,

    /// Folder of an earlier dataset, or s3://BUCKET/PREFIX, for queries that compare two
    #[arg(long, value_name = "DIR", value_parser = place())]
    pub before: Option<PathBuf>,

    /// Set a variable of the query, such as agent=CCBot
    ///
    /// The comment at the top of a query (--print) names its variables.
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable)]
    pub set: Vec<(String, String)>,

    /// Format of the rows
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: RowFormat,

    /// Draw the rows in place of printing them: an SVG or PNG file
    ///
    /// An existing file is replaced when the new one is complete. "--list" says which built-in
    /// queries have a chart. Of other SQL one column is names, which give bars, or dates or a
    /// column year, which give lines; the others are numbers of one unit, up to 8. Columns named
    /// share or share_.. are shares from 0 to 1, and X_low and X_high the interval of X. The
    /// comment at the beginning of the SQL is the title.
    #[arg(long, value_name = "FILE.svg|FILE.pdf|FILE.png", conflicts_with_all = ["format", "list", "print"])]
    pub chart: Option<PathBuf>,

    /// Width of the chart, such as 3.2in, or pixels, of which 96 are an inch
    ///
    /// In a column of a paper labels are above their bars, and text stays as large as it is. What
    /// is wider than 1000 pixels is enlarged.
    #[arg(
        long,
        value_name = "WIDTH",
        default_value_t = WIDTH as u16,
        value_parser = chart_width,
        requires = "chart"
    )]
    pub chart_width: u16,

    /// List the built-in queries, and exit
    #[arg(long, conflicts_with_all = ["query", "print"], help_heading = BUILT_IN)]
    pub list: bool,

    /// Print the SQL of the query, or of the views, and exit
    ///
    /// The comment at its top states what is counted and what is not. "--print views" prints the
    /// views that every query reads.
    #[arg(long, help_heading = BUILT_IN)]
    pub print: bool,
}

/// The flags of `report`.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Folder of the dataset, or s3://BUCKET/PREFIX; several are asked as one, as by query
    ///
    /// Several comparisons that differ in the candidate alone give one page of all candidates.
    #[arg(long, value_name = "DIR", value_parser = place(), required = true)]
    pub data: Vec<PathBuf>,

    /// HTML file to write; an existing one is replaced when the new one is complete
    #[arg(long, short, value_name = "FILE.html")]
    pub out: PathBuf,

    /// Title of the report [default: "What robots.txt files say", or the sides of a comparison]
    ///
    /// It is also in the line by which the report is cited.
    #[arg(long, value_name = "TEXT", value_parser = not_blank)]
    pub title: Option<String>,
}

/// The formats in which rows are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RowFormat {
    /// Columns with lines between them; control characters are escaped
    Table,
    /// Comma-separated values, unchanged; NULL is empty. To a spreadsheet a cell that begins with
    /// =, +, - or @ is a formula, so import all columns as text. Control characters are escaped on
    /// a terminal only
    Csv,
    /// An array of objects
    Json,
    /// A Markdown table; control characters are escaped
    Markdown,
    /// A table of LaTeX with the lines of the package booktabs; numbers are on the right
    Latex,
    /// A Parquet file, not for a terminal: redirect it with > rows.parquet
    Parquet,
    /// The chart of the rows as a specification of Vega-Lite 5, for notebooks and pages
    VegaLite,
}

/// The flags of `sample`.
#[derive(Debug, Args)]
pub struct SampleArgs {
    /// Captures (response records) to write, including hops of redirects
    #[arg(
        long,
        value_name = "N",
        default_value_t = robocensus::sample::DEFAULT_CAPTURES,
        value_parser = whole::<u64>
    )]
    pub captures: u64,

    /// Pages of HTML to write behind them, of sites with a robots.txt of their own
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u64>)]
    pub pages: u64,

    /// Crawls of the same hosts over time to write, instead of one archive
    #[arg(long, value_name = "N", value_parser = from_1, conflicts_with_all = ["captures", "pages"])]
    pub crawls: Option<NonZeroUsize>,

    /// Hosts of the crawls
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = whole::<u64>, requires = "crawls")]
    pub hosts: u64,

    /// Seed of the generator; equal captures, pages and seed (or crawls, hosts and seed) give equal
    /// bytes
    #[arg(
        long,
        value_name = "S",
        default_value_t = robocensus::sample::DEFAULT_SEED,
        value_parser = whole::<u64>
    )]
    pub seed: u64,

    /// Archive to write, with its truth in a file .truth.json next to it; with --crawls a folder,
    /// with one archive for each crawl and truth.json
    #[arg(long, short, value_name = "FILE.warc.gz|DIR")]
    pub out: PathBuf,

    /// Replace existing files
    #[arg(long)]
    pub overwrite: bool,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_flags_do_not_contradict_each_other() {
        Cli::command().debug_assert();
    }
}
