//! The flags, exactly as typed; what they mean together is decided in `config`.

use std::{num::NonZeroUsize, path::PathBuf, time::Duration};

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Turns archives of robots.txt files into Parquet tables for SQL.
#[derive(Debug, Parser)]
#[command(
    version,
    about,
    after_help = "Exit codes: 0 complete; 1 finished, but archives were damaged or given up (they are named at the end); 2 stopped, or wrong usage."
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Read archives, ask the matrix, write a dataset
    Run(RunArgs),
    /// Make the table redirects of a dataset anew, of all its parts
    Redirects(RedirectsArgs),
    /// Check that the files of a dataset are as they were published and that its numbers add up
    Verify(VerifyArgs),
    /// Ask one question of one robots.txt and see the evidence, or answer a file of cases
    Check(CheckArgs),
    /// Print what the dialects answer, or one of them as TOML, ready to be edited
    Dialects(DialectsArgs),
    /// Print the codes of the table errors, each with a sentence and an example
    Errors(ErrorsArgs),
    /// Print the tables of a dataset: what a row is, and of each column its type, meaning, unit and
    /// source
    Tables(TablesArgs),
    /// Answer a question about a dataset by SQL, in the DuckDB of this machine
    Query(QueryArgs),
    /// Write what a dataset contains as one HTML page of charts, using the DuckDB of this machine
    Report(ReportArgs),
    /// Write an archive of made-up captures with known truth
    Sample(SampleArgs),
}

/// The flags of `run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// Files, folders, patterns, @lists of paths (plain or gzip), - for standard input
    #[arg(required_unless_present = "print_matrix", value_name = "INPUT")]
    pub inputs: Vec<String>,

    /// Name of standard input in the tables, such as the path of the archive that is piped in; with
    /// --join each stream needs one of its own, and one whose part is published is not read again
    /// [default: stdin]
    #[arg(long, value_name = "NAME")]
    pub stdin_name: Option<String>,

    /// Folder of the dataset; created if it is not there
    #[arg(
        long,
        short,
        value_name = "DIR",
        required_unless_present = "print_matrix"
    )]
    pub out: Option<PathBuf>,

    /// Replace the dataset in the output folder
    #[arg(long, conflicts_with_all = ["join", "resume"])]
    pub overwrite: bool,

    /// Go on where a run of the same options and inputs ended, or begin where there is none; parts
    /// that are complete are not made again, but for those of which a file is missing or has
    /// another size
    #[arg(long, conflicts_with = "join")]
    pub resume: bool,

    /// Add to a dataset of the same options beside other workers; archives that are in a complete
    /// part are not read again
    #[arg(long)]
    pub join: bool,

    /// Agents to ask for: one a line, a chain of tokens separated by commas, a tab and a category
    /// [default: 24 built in]
    #[arg(long, value_name = "FILE")]
    pub agents: Option<PathBuf>,

    /// URLs to ask for, one a line: paths (asked of every host) and absolute URLs (asked of their
    /// origin) [default: 6 paths]
    #[arg(long, value_name = "FILE")]
    pub urls: Option<PathBuf>,

    /// Dialects to answer, separated by commas: names, and files such as my.toml; the first is the
    /// reference dialect of the tables of lines
    #[arg(long, value_name = "NAMES", default_value = robocensus::dialect::REFERENCE, value_delimiter = ',')]
    pub dialects: Vec<String>,

    /// How answers are written; the view verdicts of queries/views.sql is the same for both
    #[arg(long, value_name = "FORM", default_value = "rows")]
    pub verdicts: VerdictForm,

    /// Show the agents, URLs and dialects that would be asked, and end
    #[arg(long)]
    pub print_matrix: bool,

    /// Worker threads; the rows do not depend on it [default: one for each processor]
    #[arg(long, short, value_name = "N")]
    pub threads: Option<NonZeroUsize>,

    /// Archives that go into one Parquet file of each table, such as 64M or 1G; larger files scan
    /// faster, smaller ones are done sooner [default: 256M]
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    pub part_size: Option<u64>,

    /// Longest body that is decoded and parsed, such as 512K; the rest of a longer one is left out
    /// and flagged [default: 8M]
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    pub max_body: Option<u64>,

    /// Longest header of an archive's record; a record with a longer one is skipped and counted
    /// [default: 128K]
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    pub max_header: Option<u64>,

    /// Leave the table redirects to `robocensus redirects`, to be run once when all workers that
    /// join have ended
    #[arg(long)]
    pub no_redirects: bool,

    /// Longest time between a redirect and the capture it leads to, and between the first redirect
    /// of a chain and its end: a number and s, m, h, d or w (seconds to weeks), such as 36h; a
    /// chain that goes further is too_far_in_time, and so is one of an unknown time [default: any]
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub redirect_window: Option<Duration>,

    /// What a gzip member or zstd frame may inflate to without the end of a record, such as 4G; one
    /// that inflates to more is given up and named [default: 1G]
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    pub max_member: Option<u64>,

    /// Write the figures of the summary to this file, as JSON
    #[arg(long, value_name = "FILE")]
    pub summary_json: Option<PathBuf>,

    /// Show neither progress nor summary; faults are still named
    #[arg(long, short)]
    pub quiet: bool,
}

/// The forms of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum VerdictForm {
    /// A row of verdicts for each cell of each capture
    Rows,
    /// Each distinct vector of answers once, in verdict_sets, and its key in captures: for crawls
    Sets,
}

impl From<VerdictForm> for robocensus::pipeline::VerdictForm {
    fn from(form: VerdictForm) -> Self {
        match form {
            VerdictForm::Rows => Self::Rows,
            VerdictForm::Sets => Self::Sets,
        }
    }
}

/// The flags of `redirects`.
#[derive(Debug, Args)]
pub struct RedirectsArgs {
    /// Folder of the dataset
    #[arg(value_name = "DIR")]
    pub dataset: PathBuf,

    /// Show nothing
    #[arg(long, short)]
    pub quiet: bool,
}

/// The flags of `verify`.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 the dataset is sound; 1 something is not, one line for each finding; 2 stopped, or wrong usage."
)]
pub struct VerifyArgs {
    /// Folder of the dataset
    #[arg(value_name = "DIR")]
    pub dataset: PathBuf,

    /// Write one JSON object
    #[arg(long)]
    pub json: bool,
}

/// The flags of `check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The robots.txt; - for standard input
    #[arg(
        required_unless_present = "cases",
        conflicts_with = "cases",
        value_name = "ROBOTS"
    )]
    pub robots: Option<PathBuf>,

    /// The crawler: a product token, or a chain of tokens separated by commas, the most specific
    /// first
    #[arg(
        long,
        required_unless_present = "cases",
        conflicts_with = "cases",
        value_name = "TOKENS",
        value_delimiter = ','
    )]
    pub agent: Vec<String>,

    /// The URL, or only its path
    #[arg(
        long,
        required_unless_present = "cases",
        conflicts_with = "cases",
        value_name = "URL"
    )]
    pub url: Option<String>,

    /// The dialect: a name, a file such as my.toml, or all; beside --cases, that of lines that name
    /// none
    #[arg(long, value_name = "NAME", default_value = robocensus::dialect::REFERENCE)]
    pub dialect: String,

    /// The status code with which the robots.txt was fetched [default: only its lines count]
    #[arg(long, conflicts_with = "cases", value_name = "CODE")]
    pub status: Option<u16>,

    /// Where the robots.txt was fetched; it speaks for its own scheme, host and port
    /// [default: its place does not count]
    #[arg(long, conflicts_with = "cases", value_name = "URL")]
    pub robots_url: Option<String>,

    /// Write one JSON object
    #[arg(long, conflicts_with = "cases")]
    pub json: bool,

    /// Answer a file of cases, a JSON object a line, plain or gzip; - for standard input. Exit code
    /// 1 if an expectation does not hold, 2 if a line cannot be read
    #[arg(long, value_name = "FILE.jsonl")]
    pub cases: Option<PathBuf>,
}

/// The flags of `dialects`.
#[derive(Debug, Args)]
pub struct DialectsArgs {
    /// Print this dialect as TOML, with the source of each answer
    #[arg(value_name = "NAME")]
    pub name: Option<String>,

    /// Write one JSON object
    #[arg(long)]
    pub json: bool,
}

/// The flags of `errors`.
#[derive(Debug, Args)]
pub struct ErrorsArgs {
    /// Write one JSON array
    #[arg(long)]
    pub json: bool,
}

/// The flags of `tables`.
#[derive(Debug, Args)]
pub struct TablesArgs {
    /// Only this table
    #[arg(value_name = "NAME")]
    pub name: Option<String>,

    /// Write a JSON array
    #[arg(long)]
    pub json: bool,

    /// Write the section of the README
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
}

/// The flags of `query`.
#[derive(Debug, Args)]
pub struct QueryArgs {
    /// A query by its name (see --list), a file that ends with .sql, or SQL over the views of a
    /// dataset
    #[arg(value_name = "NAME|FILE|SQL", required_unless_present = "list")]
    pub question: Option<String>,

    /// Folder of the dataset
    #[arg(long, value_name = "DIR", required_unless_present_any = ["list", "print"])]
    pub data: Option<PathBuf>,

    /// Folder of an earlier dataset, for queries about what changed
    #[arg(long, value_name = "DIR")]
    pub before: Option<PathBuf>,

    /// Set a variable that the query reads, such as agent=CCBot; the head of the query (--print)
    /// says which
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_variable)]
    pub set: Vec<(String, String)>,

    /// How the rows are written
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: RowFormat,

    /// Show the queries, and end
    #[arg(long, conflicts_with_all = ["question", "print"])]
    pub list: bool,

    /// Show the SQL of the query with what it counts and what it does not, and end
    #[arg(long)]
    pub print: bool,
}

/// The flags of `report`.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Folder of the dataset
    #[arg(long, value_name = "DIR")]
    pub data: PathBuf,

    /// Page to write; one that is there is replaced, and only by a whole one
    #[arg(long, short, value_name = "FILE.html")]
    pub out: PathBuf,

    /// Title of the page, and of the line by which it is cited
    #[arg(long, value_name = "TEXT", default_value = robocensus::report::TITLE)]
    pub title: String,
}

/// How the rows of an answer are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RowFormat {
    /// Columns with lines between them; control characters are escaped
    Table,
    /// Comma-separated values; NULL is empty. Cells are written as they are, so that no program
    /// reads other values than the dataset has: to a spreadsheet, one that begins with =, +, - or @
    /// is a formula, so import all columns as text. On a terminal control characters are escaped
    Csv,
    /// An array of objects
    Json,
    /// A table of a page of Markdown; control characters are escaped
    Markdown,
}

/// The flags of `sample`.
#[derive(Debug, Args)]
pub struct SampleArgs {
    /// Captures (response records) to write, hops of redirects included
    #[arg(long, value_name = "N", default_value_t = robocensus::sample::DEFAULT_CAPTURES)]
    pub captures: u64,

    /// Seed: the same captures and seed give the same bytes
    #[arg(long, value_name = "S", default_value_t = robocensus::sample::DEFAULT_SEED)]
    pub seed: u64,

    /// Archive to write; what is true of it is written beside it as .truth.json
    #[arg(long, short, value_name = "FILE.warc.gz")]
    pub out: PathBuf,

    /// Replace the archive if it is there already
    #[arg(long)]
    pub overwrite: bool,
}

/// Reads a number of bytes: digits, and K, M or G for powers of 1024.
fn parse_bytes(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.to_ascii_uppercase().chars().last() {
        Some('K') => (&text[..text.len() - 1], 1 << 10),
        Some('M') => (&text[..text.len() - 1], 1 << 20),
        Some('G') => (&text[..text.len() - 1], 1 << 30),
        _ => (text, 1),
    };
    digits
        .parse::<u64>()
        .ok()
        .and_then(|n| n.checked_mul(unit))
        .filter(|&n| n > 0)
        .ok_or_else(|| "expected a number of bytes such as 65536, 64K, 8M or 1G".to_owned())
}

/// Reads a time: digits, and s, m, h, d or w.
fn parse_duration(text: &str) -> Result<Duration, String> {
    const UNITS: [(char, u64); 5] = [
        ('s', 1),
        ('m', 60),
        ('h', 60 * 60),
        ('d', 24 * 60 * 60),
        ('w', 7 * 24 * 60 * 60),
    ];
    let read = |(unit, seconds): (char, u64)| {
        let number = text.strip_suffix(unit)?.parse::<u64>().ok()?;
        // In microseconds it is compared with the times of fetches.
        let seconds = number.checked_mul(seconds)?;
        seconds.checked_mul(1_000_000)?;
        Some(Duration::from_secs(seconds))
    };
    UNITS
        .into_iter()
        .find_map(read)
        .ok_or_else(|| "expected a number and a unit, such as 90s, 30m, 36h, 7d or 2w".to_owned())
}

/// Reads a variable of SQL and its value.
fn parse_variable(text: &str) -> Result<(String, String), String> {
    let is_name = |name: &&str| {
        !name.is_empty()
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    text.split_once('=')
        .filter(|(name, _)| is_name(name))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .ok_or_else(|| {
            "expected a name of letters, digits and _, and a value, such as agent=CCBot".to_owned()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flags_do_not_contradict_each_other() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn durations_have_a_unit() {
        for (text, seconds) in [
            ("0s", 0),
            ("90s", 90),
            ("2m", 120),
            ("36h", 129_600),
            ("7d", 604_800),
            ("2w", 1_209_600),
        ] {
            assert_eq!(parse_duration(text), Ok(Duration::from_secs(seconds)));
        }
        for wrong in [
            "",
            "7",
            "d",
            "1.5h",
            "-1d",
            "7D",
            "7 d",
            "99999999999999999999w",
            "18446744073710s",
        ] {
            assert!(parse_duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_are_powers_of_1024() {
        assert_eq!(parse_bytes("64k"), Ok(65536));
        assert_eq!(parse_bytes("8M"), Ok(8 << 20));
        assert_eq!(parse_bytes("1G"), Ok(1 << 30));
        assert_eq!(parse_bytes("17"), Ok(17));
        for wrong in ["", "0", "M", "-1", "1.5M", "99999999999G", "ü"] {
            assert!(parse_bytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_variable_has_a_name_and_may_have_any_value() {
        let variable = |text| parse_variable(text).map(|(name, value)| [name, value]);
        let pair = |name: &str, value: &str| Ok([name.to_owned(), value.to_owned()]);
        assert_eq!(variable("agent=CCBot"), pair("agent", "CCBot"));
        assert_eq!(variable("url=/a?b=c'd"), pair("url", "/a?b=c'd"));
        assert_eq!(variable("url="), pair("url", ""));
        for wrong in ["", "agent", "=x", "1a=x", "a b=x", "a'=x"] {
            assert!(variable(wrong).is_err(), "{wrong}");
        }
    }
}
