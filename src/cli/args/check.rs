//! The flags of `check`.

use std::path::PathBuf;

use clap::Args;

use super::{
    super::{
        color::ColorWhen,
        values::{capture_id, status, url},
    },
    heading::{BATCHES, DATASETS, EVALUATION, OUTPUT, PAGES},
};

/// The flags of `check`.
#[derive(Debug, Args)]
#[command(
    override_usage = "robocensus check [OPTIONS] <ROBOTS> --agent <TOKENS> --url <URL>\n       \
                      robocensus check [OPTIONS] <ROBOTS> --agents <LIST> --url <URL>...\n       \
                      robocensus check [OPTIONS] <URL> --agent <TOKENS>\n       \
                      robocensus check [OPTIONS] --cases <FILE.jsonl>\n       \
                      robocensus check [OPTIONS] --data <DIR> --host <HOST>\n       \
                      robocensus check [OPTIONS] --page <FILE> --agent <TOKENS>"
)]
pub struct CheckArgs {
    /// The robots.txt file; - for standard input; or the URL of a live site
    ///
    /// Of a site its /robots.txt is fetched, with one request for it and for each redirect, as far
    /// as the dialect follows them. Without --url the decision is on the URL itself.
    #[arg(
        required_unless_present_any = ["cases", "data", "page"],
        conflicts_with_all = ["cases", "data", "page"]
    )]
    pub robots: Option<PathBuf>,

    #[command(flatten, next_help_heading = EVALUATION)]
    pub evaluation: EvaluationArgs,

    /// Evaluate a robots.txt of this dataset
    ///
    /// It is read from its archive, among --archives, or from the table bodies if there are none.
    /// Redirects are followed as far as the dialect does. Where the fetch itself decides, such as
    /// a 404, no archive is read.
    #[arg(
        long,
        value_name = "DIR",
        requires = "stored",
        conflicts_with = "cases",
        help_heading = DATASETS
    )]
    pub data: Option<PathBuf>,

    /// Where the archives are: a file, folder, pattern or @list; may be repeated
    #[arg(
        long,
        value_name = "INPUT",
        requires = "data",
        conflicts_with_all = ["robots", "cases", "page"],
        help_heading = DATASETS
    )]
    pub archives: Vec<String>,

    /// The host, or an origin such as https://example.com:8443
    ///
    /// Of several fetches the one that counts in the view hosts is taken: the latest that is an
    /// answer; of several origins, one with a file, then https, then the usual port.
    #[arg(
        long,
        requires = "data",
        conflicts_with_all = ["robots", "cases", "page"],
        group = "stored",
        help_heading = DATASETS
    )]
    pub host: Option<String>,

    /// The capture with this capture_id
    #[arg(
        long,
        value_name = "ID",
        value_parser = capture_id,
        requires = "data",
        conflicts_with_all = ["robots", "cases", "page"],
        group = "stored",
        help_heading = DATASETS
    )]
    pub capture: Option<i64>,

    /// Explain what an HTML page states about itself; - for standard input
    ///
    /// Lists its robots elements, fields and links with their lines, and what holds for the crawler
    /// and why. The dialect is google, baidu or all.
    #[arg(long, conflicts_with_all = ["cases", "data"], value_name = "FILE", help_heading = PAGES)]
    pub page: Option<PathBuf>,

    /// Header fields with which the page was fetched, one a line, as "Name: value"
    #[arg(
        long,
        requires = "page",
        conflicts_with_all = ["robots", "cases"],
        value_name = "FILE",
        help_heading = PAGES
    )]
    pub headers: Option<PathBuf>,

    /// Evaluate a file of cases, one JSON object a line; - for standard input
    ///
    /// "robocensus help formats" describes the objects. Exits with 1 if an expectation does not
    /// hold, and with 2 if a line is invalid or a parser fails.
    #[arg(long, value_name = "FILE.jsonl", help_heading = BATCHES)]
    pub cases: Option<PathBuf>,

    /// Print only answers whose expectation does not hold, and a total
    #[arg(
        long,
        requires = "cases",
        conflicts_with_all = ["robots", "data"],
        help_heading = BATCHES
    )]
    pub only_failures: bool,

    /// Exit with 1 unless the verdict is allow
    ///
    /// With --dialect all, unless every dialect allows. An undefined verdict is no permission.
    #[arg(long, conflicts_with_all = ["cases", "page"], help_heading = OUTPUT)]
    pub exit_code: bool,

    /// Print one JSON object
    #[arg(long, conflicts_with = "cases", help_heading = OUTPUT)]
    pub json: bool,

    /// Print the robots.txt of the dataset, unchanged, and nothing else
    #[arg(
        long,
        requires = "data",
        conflicts_with_all = ["robots", "cases", "json", "exit_code", "agent", "url"],
        help_heading = OUTPUT
    )]
    pub body: bool,

    /// When to color verdicts
    ///
    /// With auto, on a terminal unless TERM is dumb, and anywhere where CLICOLOR_FORCE=1 is set;
    /// where NO_COLOR is set, nowhere.
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = OUTPUT)]
    pub color: ColorWhen,
}

/// Who asks for what, and how the file was fetched.
#[derive(Debug, Args)]
pub struct EvaluationArgs {
    /// The crawler's product token, or its User-Agent header
    ///
    /// Of a header the product token counts, and a note says which. Several tokens of one crawler
    /// are separated by commas, the most specific first. With --data it may be left out: then *,
    /// the rules for crawlers that no group names.
    #[arg(
        long,
        required_unless_present_any = ["agents", "cases", "data"],
        conflicts_with = "cases",
        value_name = "TOKENS"
    )]
    pub agent: Option<String>,

    /// Crawlers, of which a table is printed: tokens, categories or a file
    ///
    /// Tokens and categories are separated by commas. A category is one of the built-in agents
    /// (run --print-matrix lists them), such as ai-training, or its beginning, such as ai; all
    /// means every built-in agent. A file is a list as of run --agents.
    #[arg(long, conflicts_with_all = ["agent", "cases", "page", "body"], value_name = "LIST")]
    pub agents: Option<String>,

    /// The URL, or its path alone; of several a table is printed
    ///
    /// With --data a path is one of the host, and / if it is left out.
    #[arg(long, conflicts_with_all = ["cases", "page"], value_parser = url)]
    pub url: Vec<String>,

    /// The dialect: a name, a TOML file, or all
    ///
    /// With --cases, the dialect of lines that name none, or a parser that answers them, as
    /// exec:COMMAND or shell:COMMAND ("robocensus help comparing-parsers").
    #[arg(long, value_name = "NAME", default_value = robocensus::robots::dialect::REFERENCE)]
    pub dialect: String,

    /// Status code with which the robots.txt was fetched [default: none; the file decides]
    #[arg(
        long,
        conflicts_with_all = ["cases", "data", "page"],
        value_name = "CODE",
        value_parser = status
    )]
    pub status: Option<u16>,

    /// URL of the robots.txt, which applies to its own scheme, host and port only
    #[arg(long, conflicts_with_all = ["cases", "data", "page"], value_name = "URL")]
    pub robots_url: Option<String>,
}
