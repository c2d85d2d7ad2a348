//! The flags, exactly as typed; `config` decides what they mean together.

use std::{num::NonZeroUsize, path::PathBuf, time::Duration};

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::{
    examples,
    values::{bytes, duration, not_blank, number, percent, status, url, variable},
};

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
    /// Rebuild the table redirects of a dataset from all its parts
    Redirects(RedirectsArgs),
    /// Check the files of a dataset against its manifests
    Verify(VerifyArgs),
    /// Evaluate one robots.txt for one agent and URL, and show the evidence
    Check(CheckArgs),
    /// Compare two parsers over archives: what flips, in which direction, and why
    Compare(CompareArgs),
    /// Reduce a robots.txt on which two parsers differ to the smallest one
    Reduce(ReduceArgs),
    /// List the dialects side by side, or print one as TOML to edit
    Dialects(DialectsArgs),
    /// List the codes of the tables errors and response_errors, with examples
    Errors(ErrorsArgs),
    /// Describe the tables of a dataset and their columns
    Tables(TablesArgs),
    /// Run a built-in query or SQL on a dataset, with your DuckDB
    Query(QueryArgs),
    /// Write an HTML report on a dataset, with your DuckDB
    Report(ReportArgs),
    /// Generate a test archive whose contents are known
    Sample(SampleArgs),
    /// Explain a command or a topic
    Help(HelpArgs),
}

/// The flags of `run`.
#[derive(Debug, Args)]
#[command(after_help = examples::RUN)]
pub struct RunArgs {
    /// Files, folders, patterns, @lists of paths, or - for standard input
    ///
    /// "robocensus help inputs" describes each.
    #[arg(required_unless_present = "print_matrix", value_name = "INPUT")]
    pub inputs: Vec<String>,

    /// Name of standard input in the tables [default: stdin]
    ///
    /// With --join each stream needs a name of its own, such as the path of the archive that is
    /// piped in. A stream whose part is published is not read again.
    #[arg(long, value_name = "NAME")]
    pub stdin_name: Option<String>,

    /// Folder of the dataset; created if it does not exist
    #[arg(
        long,
        short,
        value_name = "DIR",
        required_unless_present = "print_matrix"
    )]
    pub out: Option<PathBuf>,

    /// Replace the dataset in the output folder
    #[arg(long, conflicts_with_all = ["join", "resume"], help_heading = "Existing datasets")]
    pub overwrite: bool,

    /// Continue a run that was interrupted
    ///
    /// Options and inputs must be the same. Complete parts are not rebuilt, unless one of their
    /// files is missing or has another size. Starts a new dataset if there is none.
    #[arg(long, conflicts_with = "join", help_heading = "Existing datasets")]
    pub resume: bool,

    /// Add to a dataset, together with other workers
    ///
    /// Options must be the same. Archives that are in a complete part are not read again.
    #[arg(long, help_heading = "Existing datasets")]
    pub join: bool,

    /// Agents to evaluate [default: 24 built in]
    ///
    /// One a line: a product token, or several separated by commas, the most specific first; then
    /// optionally a tab and a category.
    #[arg(long, value_name = "FILE", help_heading = "Evaluation")]
    pub agents: Option<PathBuf>,

    /// URLs to evaluate, one a line [default: 6 paths]
    ///
    /// A path is evaluated for every host, an absolute URL for its own origin only.
    #[arg(long, value_name = "FILE", help_heading = "Evaluation")]
    pub urls: Option<PathBuf>,

    /// Dialects to evaluate, by name or TOML file, separated by commas
    ///
    /// The first is the reference dialect, by which the tables of lines are written. "robocensus
    /// help dialects" lists them.
    #[arg(
        long,
        value_name = "NAMES",
        default_value = robocensus::dialect::REFERENCE,
        value_delimiter = ',',
        help_heading = "Evaluation"
    )]
    pub dialects: Vec<String>,

    /// How verdicts are stored; "robocensus help verdicts" compares the forms
    #[arg(
        long,
        value_name = "FORM",
        default_value = "rows",
        help_heading = "Evaluation"
    )]
    pub verdicts: VerdictStorage,

    /// Print the agents, URLs and dialects to evaluate, and exit
    #[arg(long, help_heading = "Evaluation")]
    pub print_matrix: bool,

    /// Do not build the table redirects
    ///
    /// For several workers on one dataset: run "robocensus redirects" once when all have finished.
    #[arg(long, help_heading = "Redirects")]
    pub no_redirects: bool,

    /// Longest time between a redirect and its target, such as 36h [default: any]
    ///
    /// Also limits the time between the first redirect of a chain and its end. A number and s, m,
    /// h, d or w (seconds to weeks). A longer chain, or one whose times are unknown, has the
    /// outcome too_far_in_time.
    #[arg(long, value_name = "DURATION", value_parser = duration, allow_hyphen_values = true, help_heading = "Redirects")]
    pub redirect_window: Option<Duration>,

    /// Worker threads [default: one for each processor]
    ///
    /// The files are the same whatever their number.
    #[arg(
        long,
        short,
        value_name = "N",
        value_parser = number::<NonZeroUsize>("a whole number from 1"),
        allow_hyphen_values = true,
        help_heading = "Performance"
    )]
    pub threads: Option<NonZeroUsize>,

    /// Archive bytes that become one Parquet file of each table [default: 256M]
    ///
    /// Large files scan faster, small ones are published sooner. Takes K, M and G.
    #[arg(long, value_name = "BYTES", value_parser = bytes, allow_hyphen_values = true, help_heading = "Performance")]
    pub part_size: Option<u64>,

    /// Longest robots.txt that is parsed; longer ones are cut and flagged [default: 8M]
    #[arg(long, value_name = "BYTES", value_parser = bytes, allow_hyphen_values = true, help_heading = "Limits")]
    pub max_body: Option<u64>,

    /// Longest header of a WARC record; records with longer ones are skipped [default: 128K]
    #[arg(long, value_name = "BYTES", value_parser = bytes, allow_hyphen_values = true, help_heading = "Limits")]
    pub max_header: Option<u64>,

    /// Largest size of a gzip member or zstd frame, inflated [default: 1G]
    ///
    /// Counts from the end of the last record. A larger one is skipped and reported.
    #[arg(long, value_name = "BYTES", value_parser = bytes, allow_hyphen_values = true, help_heading = "Limits")]
    pub max_member: Option<u64>,

    /// Write the figures of the summary as JSON; - for standard output
    ///
    /// With - the summary for people goes to standard error, and standard output is one JSON
    /// object.
    #[arg(long, value_name = "FILE", help_heading = "Messages")]
    pub summary_json: Option<PathBuf>,

    /// Print neither progress nor summary; damaged archives are still reported
    #[arg(long, short, conflicts_with = "verbose", help_heading = "Messages")]
    pub quiet: bool,

    /// Report inputs, plan and each published part on standard error
    #[arg(long, short, help_heading = "Messages")]
    pub verbose: bool,
}

/// The forms in which verdicts are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum VerdictStorage {
    /// One row of verdicts for each capture, dialect, agent and URL
    Rows,
    /// Each distinct vector of verdicts once, in verdict_sets, with its key in captures
    Sets,
}

impl From<VerdictStorage> for robocensus::pipeline::VerdictForm {
    fn from(form: VerdictStorage) -> Self {
        match form {
            VerdictStorage::Rows => Self::Rows,
            VerdictStorage::Sets => Self::Sets,
        }
    }
}

/// The flags of `redirects`.
#[derive(Debug, Args)]
#[command(after_help = examples::REDIRECTS)]
pub struct RedirectsArgs {
    /// Folder of the dataset
    #[arg(value_name = "DIR")]
    pub dataset: PathBuf,

    /// Print nothing
    #[arg(long, short)]
    pub quiet: bool,
}

/// The flags of `verify`.
#[derive(Debug, Args)]
#[command(after_help = examples::VERIFY)]
pub struct VerifyArgs {
    /// Folder of the dataset
    #[arg(value_name = "DIR")]
    pub dataset: PathBuf,

    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// The flags of `check`.
#[derive(Debug, Args)]
#[command(after_help = examples::CHECK)]
pub struct CheckArgs {
    /// The robots.txt file; - for standard input
    #[arg(
        required_unless_present_any = ["cases", "data", "page"],
        conflicts_with_all = ["cases", "data", "page"],
        value_name = "ROBOTS"
    )]
    pub robots: Option<PathBuf>,

    /// The crawler's product tokens, separated by commas, the most specific first
    ///
    /// With --data it may be left out: then *, the rules for crawlers that no group names.
    #[arg(
        long,
        required_unless_present_any = ["cases", "data"],
        conflicts_with = "cases",
        value_name = "TOKENS",
        value_delimiter = ',',
        help_heading = "Evaluation"
    )]
    pub agent: Vec<String>,

    /// The URL, or its path alone
    ///
    /// With --data a path is one of the host, and / if it is left out.
    #[arg(
        long,
        required_unless_present_any = ["cases", "data", "page"],
        conflicts_with_all = ["cases", "page"],
        value_name = "URL",
        value_parser = url,
        help_heading = "Evaluation"
    )]
    pub url: Option<String>,

    /// The dialect: a name, a TOML file, or all
    ///
    /// With --cases, the dialect of lines that name none.
    #[arg(
        long,
        value_name = "NAME",
        default_value = robocensus::dialect::REFERENCE,
        help_heading = "Evaluation"
    )]
    pub dialect: String,

    /// Status code with which the robots.txt was fetched [default: none; the file decides]
    #[arg(
        long,
        conflicts_with_all = ["cases", "data", "page"],
        value_name = "CODE",
        value_parser = status,
        allow_hyphen_values = true,
        help_heading = "Evaluation"
    )]
    pub status: Option<u16>,

    /// URL of the robots.txt, which applies to its own scheme, host and port only
    #[arg(
        long,
        conflicts_with_all = ["cases", "data", "page"],
        value_name = "URL",
        help_heading = "Evaluation"
    )]
    pub robots_url: Option<String>,

    /// Evaluate a robots.txt of this dataset, read from its archive
    ///
    /// Redirects are followed as far as the dialect does. Where the fetch itself decides, such as
    /// a 404, no archive is read.
    #[arg(
        long,
        value_name = "DIR",
        requires_all = ["archives", "stored"],
        conflicts_with = "cases",
        help_heading = "Datasets"
    )]
    pub data: Option<PathBuf>,

    /// Where the archives are: a file, folder, pattern or @list; may be repeated
    #[arg(
        long,
        value_name = "INPUT",
        requires = "data",
        conflicts_with_all = ["robots", "cases", "page"],
        help_heading = "Datasets"
    )]
    pub archives: Vec<String>,

    /// The host, or an origin such as https://example.com:8443
    ///
    /// Of several fetches the one that counts in the view hosts is taken: the latest that is an
    /// answer; of several origins, one with a file, then https, then the usual port.
    #[arg(
        long,
        value_name = "HOST",
        requires = "data",
        conflicts_with_all = ["robots", "cases", "page"],
        group = "stored",
        help_heading = "Datasets"
    )]
    pub host: Option<String>,

    /// The capture with this capture_id
    #[arg(
        long,
        value_name = "ID",
        value_parser = number::<i64>("a capture_id, a whole number"),
        allow_negative_numbers = true,
        requires = "data",
        conflicts_with_all = ["robots", "cases", "page"],
        group = "stored",
        help_heading = "Datasets"
    )]
    pub capture: Option<i64>,

    /// Explain what an HTML page states about itself; - for standard input
    ///
    /// Lists its robots elements, fields and links with their lines, and what holds for the crawler
    /// and why. The dialect is google, baidu or all.
    #[arg(
        long,
        conflicts_with_all = ["cases", "data"],
        value_name = "FILE",
        help_heading = "Pages"
    )]
    pub page: Option<PathBuf>,

    /// Header fields with which the page was fetched, one a line, as "Name: value"
    #[arg(
        long,
        requires = "page",
        conflicts_with_all = ["robots", "cases"],
        value_name = "FILE",
        help_heading = "Pages"
    )]
    pub headers: Option<PathBuf>,

    /// Evaluate a file of cases, one JSON object a line; - for standard input
    ///
    /// "robocensus help formats" describes the objects. Exits with 1 if an expectation does not
    /// hold, and with 2 if a line is invalid.
    #[arg(long, value_name = "FILE.jsonl", help_heading = "Batches")]
    pub cases: Option<PathBuf>,

    /// Print only answers whose expectation does not hold, and a total
    #[arg(
        long,
        requires = "cases",
        conflicts_with_all = ["robots", "data"],
        help_heading = "Batches"
    )]
    pub only_failures: bool,

    /// Exit with 1 unless the verdict is allow
    ///
    /// With --dialect all, unless every dialect allows. An undefined verdict is no permission.
    #[arg(long, conflicts_with = "cases", help_heading = "Output")]
    pub exit_code: bool,

    /// Print one JSON object
    #[arg(long, conflicts_with = "cases", help_heading = "Output")]
    pub json: bool,

    /// Print the robots.txt of the dataset, unchanged, and nothing else
    #[arg(
        long,
        requires = "data",
        conflicts_with_all = ["robots", "cases", "json", "exit_code", "agent", "url"],
        help_heading = "Output"
    )]
    pub body: bool,

    /// When to color verdicts
    ///
    /// With auto, on a terminal unless TERM is dumb, and anywhere where CLICOLOR_FORCE=1 is set;
    /// where NO_COLOR is set, nowhere.
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Output"
    )]
    pub color: ColorWhen,
}

/// The flags of `reduce`.
#[derive(Debug, Args)]
#[command(after_help = examples::REDUCE)]
pub struct ReduceArgs {
    /// The robots.txt file; - for standard input
    #[arg(value_name = "ROBOTS")]
    pub robots: PathBuf,

    /// The crawler's product token, or several separated by commas
    #[arg(long, value_name = "TOKENS")]
    pub agent: String,

    /// The URL, or its path alone
    #[arg(long, value_name = "URL", value_parser = url)]
    pub url: String,

    /// The one parser: a dialect, a TOML file, exec:COMMAND or shell:COMMAND
    ///
    /// A command is a process that answers JSON lines, the same as of compare. With exec: it is
    /// split at blanks, as a shell does, and run without one.
    #[arg(long, value_name = "SIDE")]
    pub baseline: String,

    /// The other parser
    #[arg(long, value_name = "SIDE")]
    pub candidate: String,

    /// Smaller files, agents and URLs to try
    ///
    /// If they do not suffice, the result says that it may not be the smallest.
    #[arg(
        long,
        value_name = "N",
        default_value_t = robocensus::compare::DEFAULT_REDUCE_STEPS,
        value_parser = number::<usize>("a whole number"),
    )]
    pub reduce_steps: usize,

    /// How long a command may take for one file, such as 10s
    #[arg(long, value_name = "DURATION", default_value = "2s", value_parser = duration)]
    pub timeout: Duration,

    /// File to which the small robots.txt is written
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// When output is colored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorWhen {
    /// On a terminal
    Auto,
    /// Everywhere
    Always,
    /// Nowhere
    Never,
}

/// The flags of `compare`.
#[derive(Debug, Args)]
#[command(after_help = examples::COMPARE)]
pub struct CompareArgs {
    /// Archives: files, folders, patterns, @lists of paths, or - for standard input
    #[arg(required = true, value_name = "INPUT")]
    pub inputs: Vec<String>,

    /// The parser that is accepted: a dialect, a TOML file, exec:COMMAND or shell:COMMAND
    ///
    /// exec: runs a program without a shell. "robocensus help compare" describes what it is asked
    /// and how it answers.
    #[arg(long, value_name = "SIDE", help_heading = "Sides")]
    pub baseline: String,

    /// The parser that is to replace it, in the same form
    #[arg(long, value_name = "SIDE", help_heading = "Sides")]
    pub candidate: String,

    /// Processes of each external parser
    #[arg(
        long,
        value_name = "N",
        default_value = "2",
        value_parser = number::<NonZeroUsize>("a whole number from 1"),
        help_heading = "Sides"
    )]
    pub workers: NonZeroUsize,

    /// Files that a process is asked about at a time
    #[arg(
        long,
        value_name = "N",
        default_value = "16",
        value_parser = number::<NonZeroUsize>("a whole number from 1"),
        help_heading = "Sides"
    )]
    pub in_flight: NonZeroUsize,

    /// Longest time of an external parser for one file, such as 2s
    ///
    /// A file that takes longer is a row of parser_faults, and the process is started again.
    #[arg(long, value_name = "DURATION", default_value = "2s", value_parser = duration, help_heading = "Sides")]
    pub timeout: Duration,

    /// Folder of the result; created if it does not exist
    #[arg(long, short, value_name = "DIR", help_heading = "Output")]
    pub out: PathBuf,

    /// Replace the result in the output folder
    #[arg(long, help_heading = "Output")]
    pub overwrite: bool,

    /// Write the dialect that behaves as the candidate does
    ///
    /// The first lines tell what share of the cells it reproduces.
    #[arg(long, value_name = "FILE.toml", help_heading = "Output")]
    pub fit: Option<PathBuf>,

    /// Write the causes as a table in Markdown
    #[arg(long, value_name = "FILE.md", help_heading = "Output")]
    pub markdown: Option<PathBuf>,

    /// What is asked about each file
    #[arg(
        long,
        value_name = "KIND",
        default_value = "derived",
        help_heading = "Queries"
    )]
    pub probes: ProbeKind,

    /// Derived queries about a file, at most
    #[arg(
        long,
        value_name = "N",
        default_value_t = robocensus::compare::DEFAULT_MAX_PROBES,
        value_parser = number::<usize>("a whole number"),
        help_heading = "Queries"
    )]
    pub max_probes: usize,

    /// Agents to ask about besides those that a file names [default: 24 built in]
    ///
    /// As for run, with a weight in a third column or in one named weight.
    #[arg(long, value_name = "FILE", help_heading = "Queries")]
    pub agents: Option<PathBuf>,

    /// URLs to ask about, with --probes matrix [default: 6 paths]
    ///
    /// As for run, with a weight in a second column or in one named weight.
    #[arg(long, value_name = "FILE", help_heading = "Queries")]
    pub urls: Option<PathBuf>,

    /// Ranks of hosts, by which flips are weighed: lines such as 1,example.com
    ///
    /// A host weighs the reciprocal of its rank, or of that of its domain.
    #[arg(long, value_name = "FILE", help_heading = "Queries")]
    pub ranks: Option<PathBuf>,

    /// Ask about this share of the files, such as 1%
    ///
    /// Files are chosen by their content. The summary has estimates with confidence intervals.
    #[arg(long, value_name = "PERCENT", value_parser = percent, help_heading = "Queries")]
    pub sample: Option<f64>,

    /// Seed of --sample: another one chooses other files
    #[arg(
        long,
        value_name = "S",
        default_value = "1",
        value_parser = number::<u64>("a whole number"),
        help_heading = "Queries"
    )]
    pub seed: u64,

    /// Ask only about files that flip in the result of an earlier comparison
    #[arg(long, value_name = "DIR", help_heading = "Queries")]
    pub only: Option<PathBuf>,

    /// List of accepted causes; any other cause, or one beyond its limits, is exit code 1
    #[arg(
        long,
        value_name = "FILE.toml",
        help_heading = "Continuous integration"
    )]
    pub expect: Option<PathBuf>,

    /// Write the list of the causes found, to be reviewed and given as --expect
    #[arg(
        long,
        value_name = "FILE.toml",
        help_heading = "Continuous integration"
    )]
    pub write_expect: Option<PathBuf>,

    /// Examples tried to make the one of a cause small, at most
    #[arg(
        long,
        value_name = "N",
        default_value_t = robocensus::compare::DEFAULT_REDUCE_STEPS,
        value_parser = number::<usize>("a whole number"),
        help_heading = "Performance"
    )]
    pub reduce_steps: usize,

    /// Threads that evaluate dialects [default: one for each processor]
    ///
    /// The result is the same whatever their number.
    #[arg(
        long,
        short,
        value_name = "N",
        value_parser = number::<NonZeroUsize>("a whole number from 1"),
        help_heading = "Performance"
    )]
    pub threads: Option<NonZeroUsize>,

    /// Longest robots.txt that is parsed; longer ones are cut [default: 8M]
    #[arg(long, value_name = "BYTES", value_parser = bytes, help_heading = "Performance")]
    pub max_body: Option<u64>,

    /// Print neither progress nor summary; causes that are not accepted are still reported
    #[arg(long, short, help_heading = "Messages")]
    pub quiet: bool,
}

/// What is asked about each file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProbeKind {
    /// URLs made from the file's own patterns, by the agents that it names
    Derived,
    /// Every agent and URL of the matrix, as in run
    Matrix,
}

/// The flags of `dialects`.
#[derive(Debug, Args)]
#[command(after_help = examples::DIALECTS)]
pub struct DialectsArgs {
    /// Print this dialect as TOML, with the source of each value
    #[arg(value_name = "NAME")]
    pub name: Option<String>,

    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// The flags of `errors`.
#[derive(Debug, Args)]
#[command(after_help = examples::ERRORS)]
pub struct ErrorsArgs {
    /// Print one JSON array
    #[arg(long)]
    pub json: bool,
}

/// The flags of `tables`.
#[derive(Debug, Args)]
#[command(after_help = examples::TABLES)]
pub struct TablesArgs {
    /// Describe this table only
    #[arg(value_name = "NAME")]
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
#[command(after_help = examples::QUERY)]
pub struct QueryArgs {
    /// A built-in query, a file that ends with .sql, or SQL
    #[arg(value_name = "NAME|FILE|SQL", required_unless_present = "list")]
    pub query: Option<String>,

    /// Folder of the dataset
    #[arg(long, value_name = "DIR", required_unless_present_any = ["list", "print"])]
    pub data: Option<PathBuf>,

    /// Folder of an earlier dataset, for queries that compare two
    #[arg(long, value_name = "DIR")]
    pub before: Option<PathBuf>,

    /// Set a variable of the query, such as agent=CCBot
    ///
    /// The comment at the top of a query (--print) names its variables.
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable)]
    pub set: Vec<(String, String)>,

    /// Format of the rows
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: RowFormat,

    /// List the built-in queries, and exit
    #[arg(long, conflicts_with_all = ["query", "print"], help_heading = "Built-in queries")]
    pub list: bool,

    /// Print the SQL of the query, or of the views, and exit
    ///
    /// The comment at its top states what is counted and what is not. "--print views" prints the
    /// views that every query reads.
    #[arg(long, help_heading = "Built-in queries")]
    pub print: bool,
}

/// The flags of `report`.
#[derive(Debug, Args)]
#[command(after_help = examples::REPORT)]
pub struct ReportArgs {
    /// Folder of the dataset
    #[arg(long, value_name = "DIR")]
    pub data: PathBuf,

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
}

/// The flags of `sample`.
#[derive(Debug, Args)]
#[command(after_help = examples::SAMPLE)]
pub struct SampleArgs {
    /// Captures (response records) to write, including hops of redirects
    #[arg(
        long,
        value_name = "N",
        default_value_t = robocensus::sample::DEFAULT_CAPTURES,
        value_parser = number::<u64>("a whole number"),
        allow_hyphen_values = true,
    )]
    pub captures: u64,

    /// Seed of the generator; equal captures and seed give equal bytes
    #[arg(
        long,
        value_name = "S",
        default_value_t = robocensus::sample::DEFAULT_SEED,
        value_parser = number::<u64>("a whole number"),
        allow_hyphen_values = true,
    )]
    pub seed: u64,

    /// Archive to write; its contents are described in a file .truth.json next to it
    #[arg(long, short, value_name = "FILE.warc.gz")]
    pub out: PathBuf,

    /// Replace an existing archive
    #[arg(long)]
    pub overwrite: bool,
}

/// The words of `help`.
#[derive(Debug, Args)]
pub struct HelpArgs {
    /// A command or a topic
    pub topic: Option<String>,
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
