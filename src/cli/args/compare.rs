//! The flags of `compare`.

use std::{num::NonZeroUsize, path::PathBuf, time::Duration};

use clap::{Args, ValueEnum};
use robocensus::compare::{DEFAULT_MAX_PROBES, DEFAULT_REDUCE_STEPS, DEFAULT_REPEAT};

use super::{
    super::{
        place::{local_place, place},
        values::{bytes, duration, from_1, percent, whole},
    },
    ProgressArgs,
    heading::{INTEGRATION, MESSAGES, OUTPUT, PERFORMANCE, QUERIES, SIDES},
};

/// The flags of `compare`.
#[derive(Debug, Args)]
#[command(
    override_usage = "robocensus compare [OPTIONS] --baseline <SIDE> --candidate <SIDE>\n       \
                      --out <DIR> <INPUT>...\n       \
                      robocensus compare [OPTIONS] --baseline <SIDE> --candidate <SIDE>\n       \
                      --out <DIR> --data <DIR>"
)]
pub struct CompareArgs {
    /// Archives: files, folders, patterns, @lists of paths, or - for standard input; or a corpus
    ///
    /// A corpus is one file that ends with .parquet; "robocensus corpus" writes it.
    #[arg(required_unless_present = "data", value_name = "INPUT")]
    pub inputs: Vec<String>,

    /// A dataset with the table bodies in place of archives, or s3://BUCKET/PREFIX
    ///
    /// "robocensus run --tables +bodies" writes one. The figures are those of the archives that it
    /// was made of, which need not exist any more.
    #[arg(
        long,
        value_name = "DIR",
        value_parser = place(),
        conflicts_with_all = ["inputs", "max_body"]
    )]
    pub data: Option<PathBuf>,

    #[command(flatten, next_help_heading = SIDES)]
    pub sides: SideArgs,

    /// Folder of the result; created if it does not exist
    #[arg(long, short, value_name = "DIR", value_parser = local_place(), help_heading = OUTPUT)]
    pub out: PathBuf,

    /// Replace the result in the output folder
    #[arg(long, help_heading = OUTPUT)]
    pub overwrite: bool,

    /// Write the dialect that behaves as the candidate does
    ///
    /// The first lines tell what share of the cells it reproduces.
    #[arg(long, value_name = "FILE.toml", help_heading = OUTPUT)]
    pub fit: Option<PathBuf>,

    /// Write the causes in Markdown, as a comment on a pull request
    ///
    /// It has at most 60,000 characters, the causes of most hosts first, and says what it leaves
    /// out.
    #[arg(long, value_name = "FILE.md", help_heading = OUTPUT)]
    pub markdown: Option<PathBuf>,

    /// Write the causes as tests in JUnit XML: those that are accepted pass, others fail
    #[arg(long, value_name = "FILE.xml", help_heading = OUTPUT)]
    pub junit: Option<PathBuf>,

    /// Write the causes as results in SARIF 2.1.0, at the lines of their smallest examples
    #[arg(long, value_name = "FILE.sarif", help_heading = OUTPUT)]
    pub sarif: Option<PathBuf>,

    #[command(flatten, next_help_heading = QUERIES)]
    pub queries: CompareQueryArgs,

    /// List of accepted causes and faults; any other, or one beyond its limits, is exit code 1
    #[arg(long, value_name = "FILE.toml", help_heading = INTEGRATION)]
    pub expect: Option<PathBuf>,

    /// Write the list of the causes and faults found, to be reviewed and given as --expect
    #[arg(long, value_name = "FILE.toml", help_heading = INTEGRATION)]
    pub write_expect: Option<PathBuf>,

    /// Examples tried to make the one of a cause small, at most
    #[arg(
        long,
        value_name = "N",
        default_value_t = DEFAULT_REDUCE_STEPS,
        value_parser = whole::<usize>,
        help_heading = PERFORMANCE
    )]
    pub reduce_steps: usize,

    /// Threads that evaluate dialects [default: one for each processor]
    ///
    /// The result is the same whatever their number.
    #[arg(long, short, value_name = "N", value_parser = from_1, help_heading = PERFORMANCE)]
    pub threads: Option<NonZeroUsize>,

    /// Longest robots.txt that is parsed; longer ones are cut [default: 8M]
    #[arg(long, value_name = "BYTES", value_parser = bytes, help_heading = PERFORMANCE)]
    pub max_body: Option<u64>,

    /// Print neither progress nor summary; causes that are not accepted are still reported
    #[arg(long, short, help_heading = MESSAGES)]
    pub quiet: bool,

    #[command(flatten)]
    pub progress: ProgressArgs,
}

/// The parsers that are compared.
#[derive(Debug, Args)]
pub struct SideArgs {
    /// The parser that is accepted: a dialect, a TOML file, exec:COMMAND or shell:COMMAND
    ///
    /// exec: runs a program without a shell. "robocensus help comparing-parsers" describes what it
    /// is asked and how it answers.
    #[arg(long, value_name = "SIDE")]
    pub baseline: String,

    /// The parser that is to replace it, in the same form; given again, others are compared too
    ///
    /// With several, the result of each is in the folder of the output that has its name, and is
    /// that of the candidate alone. "robocensus report" makes one page of them.
    #[arg(long, value_name = "SIDE", required = true)]
    pub candidate: Vec<String>,

    /// A third one that is asked about what flips: towards its verdict or away from it?
    ///
    /// Flips of each kind are counted by cause. It does not change what flips.
    #[arg(long, value_name = "SIDE")]
    pub reference: Option<String>,

    /// Processes of each external parser
    #[arg(long, value_name = "N", default_value = "2", value_parser = from_1)]
    pub workers: NonZeroUsize,

    /// Files that a process is asked about at a time
    #[arg(long, value_name = "N", default_value = "16", value_parser = from_1)]
    pub in_flight: NonZeroUsize,

    /// Longest time of an external parser for one file, such as 60s
    ///
    /// A file that takes longer is a row of parser_faults, and the process is started again.
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = duration)]
    pub timeout: Duration,
}

/// What is asked, about which files.
#[derive(Debug, Args)]
pub struct CompareQueryArgs {
    /// What is asked about each file
    #[arg(long, value_name = "KIND", default_value = "derived")]
    pub probes: ProbeKind,

    /// Derived queries about a file, at most
    ///
    /// Of a file with more rules, some from every part of it are asked about. The summary counts
    /// the files and the rules that this leaves out.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MAX_PROBES, value_parser = from_1)]
    pub max_probes: NonZeroUsize,

    /// Agents to ask about besides those that a file names [default: 24 built in]
    ///
    /// As for run, with a weight in a third column or in one named weight.
    #[arg(long, value_name = "FILE")]
    pub agents: Option<PathBuf>,

    /// URLs to ask about, with --probes matrix [default: 6 paths]
    ///
    /// As for run, with a weight in a second column or in one named weight.
    #[arg(long, value_name = "FILE")]
    pub urls: Option<PathBuf>,

    /// Ranks of hosts, by which flips are weighed: lines such as 1,example.com
    ///
    /// A host weighs the reciprocal of its rank, or of that of its domain.
    #[arg(long, value_name = "FILE")]
    pub ranks: Option<PathBuf>,

    /// Ask about this share of the files, such as 1%
    ///
    /// Files are chosen by their content; one of N captures has N times this chance, so that one of
    /// 100 captures is always chosen at 1%. The summary has estimates with confidence intervals.
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    pub sample: Option<f64>,

    /// Longest time of the comparison, such as 3m: as many files are asked as it allows
    ///
    /// Files are asked in random order, as --sample chooses them, so those for which there is time
    /// are a sample: the summary counts the others and has estimates. Rows depend on the time. All
    /// of the input is read first, however long that takes.
    #[arg(long, value_name = "DURATION", value_parser = duration, conflicts_with = "sample")]
    pub budget: Option<Duration>,

    /// Seed of --sample and --budget: another one chooses other files
    #[arg(long, value_name = "S", default_value = "1", value_parser = whole::<u64>)]
    pub seed: u64,

    /// How often external parsers are asked about what flips
    ///
    /// Where an answer differs from the first, it is counted as unstable and is no flip. With 1
    /// none is asked again.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_REPEAT, value_parser = from_1)]
    pub repeat: NonZeroUsize,

    /// Ask only about files that flip in the result of an earlier comparison
    #[arg(long, value_name = "DIR")]
    pub only: Option<PathBuf>,
}

/// What is asked about each file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProbeKind {
    /// URLs made from the file's own patterns, by the agents that it names
    Derived,
    /// Every agent and URL of the matrix, as in run
    Matrix,
}
