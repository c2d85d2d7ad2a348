//! The flags of `run`.

use std::{num::NonZeroUsize, path::PathBuf, time::Duration};

use clap::Args;
use robocensus::{
    archive::input::{DEFAULT_CRAWL_BASE, SUBSETS},
    dataset::run::Shard,
};

use super::{
    super::{
        place::place,
        values::{bytes, duration, from_1, percent, shard, whole},
    },
    ProgressArgs,
    heading::{CHOICE, EVALUATION, EXISTING, LIMITS, MESSAGES, PERFORMANCE, REDIRECTS},
};

/// The flags of `run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// Files, folders, patterns, URLs, @lists of paths, or - for standard input
    ///
    /// "robocensus help inputs" describes each.
    #[arg(required_unless_present_any = ["crawl", "records", "print_matrix"], value_name = "INPUT")]
    pub inputs: Vec<String>,

    /// Name of standard input in the tables [default: stdin]
    ///
    /// With --join each stream needs a name of its own, such as the path of the archive that is
    /// piped in. A stream whose part is published is not read again.
    #[arg(long, value_name = "NAME")]
    pub stdin_name: Option<String>,

    /// Folder of the dataset, or s3://BUCKET/PREFIX; created if it does not exist
    ///
    /// Crawls that a dataset does not have yet are added to it, with its options, which need not be
    /// given again.
    ///
    /// "robocensus help spark-and-s3" says what S3 needs.
    #[arg(
        long,
        short,
        value_name = "DIR",
        value_parser = place(),
        required_unless_present_any = ["list_inputs", "print_matrix", "print_plan"]
    )]
    pub out: Option<PathBuf>,

    /// Crawls of Common Crawl to read, such as CC-MAIN-2025-05, separated by commas
    ///
    /// Their archives are those of the list crawl-data/NAME/SUBSET.paths.gz below --crawl-base.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', group = "base", help_heading = CHOICE)]
    pub crawl: Vec<String>,

    /// Read the records that an index names, in place of whole archives
    ///
    /// CSV or Parquet with the columns warc_filename, warc_record_offset and warc_record_length, as
    /// in the columnar index of Common Crawl; others are ignored. The archives are below
    /// --crawl-base. Ranges less than 64 KiB apart are one request. "robocensus help history" has
    /// the SQL that selects the records of a cohort.
    #[arg(long, value_name = "FILE", group = "base", help_heading = CHOICE)]
    pub records: Option<PathBuf>,

    /// Which archives of the crawls
    #[arg(
        long,
        default_value = SUBSETS[0],
        value_parser = SUBSETS,
        requires = "crawl",
        help_heading = CHOICE
    )]
    pub subset: String,

    /// Where the folder crawl-data of the crawls is: a URL or a folder
    ///
    /// s3://commoncrawl/ has the same files, for requests that are signed.
    #[arg(
        long,
        value_name = "URL|DIR",
        default_value = DEFAULT_CRAWL_BASE,
        requires = "base",
        help_heading = CHOICE
    )]
    pub crawl_base: String,

    /// Read at most N archives, chosen by a hash of their names [default: all]
    ///
    /// The choice depends on names and seed alone, so that those of a smaller N are among those of
    /// a larger one. The dataset says how its archives were chosen.
    #[arg(long, value_name = "N", value_parser = from_1, help_heading = CHOICE)]
    pub limit: Option<NonZeroUsize>,

    /// Read this share of the archives, such as 1%, chosen by a hash of their names
    ///
    /// Of few archives it may be none, which is refused. With --limit at most N of the share are
    /// read.
    #[arg(long, value_name = "PERCENT", value_parser = percent, help_heading = CHOICE)]
    pub sample: Option<f64>,

    /// Seed of --limit and --sample: another one chooses other archives [default: 0]
    #[arg(long, value_name = "S", value_parser = whole::<u64>, help_heading = CHOICE)]
    pub seed: Option<u64>,

    /// Print the archives that would be read, and exit
    ///
    /// Needs no --out. Lines of four columns with tabs between them, in the order of reading, below
    /// a line with the names of the columns: part, bytes (empty if unknown), name, location (a path
    /// or URL). In name and location a backslash is \\, a tab \t, a line end \n, another control
    /// character like \u{7}. Their number, bytes and parts are on standard error. With --shard they
    /// are those of the shard.
    #[arg(long, help_heading = CHOICE)]
    pub list_inputs: bool,

    /// Replace the dataset in the output folder
    #[arg(long, conflicts_with_all = ["join", "resume"], help_heading = EXISTING)]
    pub overwrite: bool,

    /// Continue a run that was interrupted
    ///
    /// Inputs must be the same, or those of one crawl of several; options need not be given again.
    /// Complete parts are not rebuilt, unless one of their files is missing or has another size.
    /// Starts a new dataset if there is none.
    #[arg(long, conflicts_with = "join", help_heading = EXISTING)]
    pub resume: bool,

    /// Add to a dataset, together with other workers
    ///
    /// The options are those of the dataset and need not be given again. Archives that are in a
    /// complete part are not read again.
    #[arg(long, help_heading = EXISTING)]
    pub join: bool,

    /// Create the dataset, record its inputs, and exit
    ///
    /// Workers that join it then, each with whole parts of these inputs, write the same files as
    /// one run over all of them. With --list-inputs the inputs are printed too.
    #[arg(long, requires = "join", help_heading = EXISTING)]
    pub prepare: bool,

    /// Make the i-th of n shares of the dataset, such as 2/5
    ///
    /// For n processes that share nothing but the inputs and the folder: each gets the same inputs
    /// and options, and a number from 1 to n of its own. Shares are about equal in bytes, in whole
    /// parts; they follow from names and sizes alone. Implies --join and --no-finish. Run
    /// "robocensus finish" once when all have finished: the dataset is then that of one process,
    /// byte for byte. A shard that failed is run again.
    #[arg(
        long,
        value_name = "I/N",
        value_parser = shard,
        conflicts_with_all = ["overwrite", "resume"],
        help_heading = EXISTING
    )]
    pub shard: Option<Shard>,

    /// Hosts and registered domains to follow: captures of others are skipped [default: all]
    ///
    /// One name a line, or CSV or Parquet with a column domain, host, url_host_name or
    /// url_host_registered_domain, a rank if there is one, and columns of your own. A registered
    /// domain stands for all its hosts. Members are rows of the table cohort, captured or not, and
    /// redirects out of the cohort are resolved. "robocensus help history" shows how it is used.
    #[arg(long, value_name = "FILE", help_heading = CHOICE)]
    pub cohort: Option<PathBuf>,

    /// Agents to evaluate [default: 24 built in]
    ///
    /// One a line: a product token, or several separated by commas, the most specific first; then
    /// optionally a tab and a category.
    #[arg(long, value_name = "FILE", help_heading = EVALUATION)]
    pub agents: Option<PathBuf>,

    /// URLs to evaluate, one a line [default: 6 paths]
    ///
    /// A path is evaluated for every host, an absolute URL for its own origin only.
    #[arg(long, value_name = "FILE", help_heading = EVALUATION)]
    pub urls: Option<PathBuf>,

    /// Dialects to evaluate, by name or TOML file, separated by commas [default: google]
    ///
    /// The first is the reference dialect, by which the tables of lines are written. "robocensus
    /// help dialects" lists them.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = EVALUATION)]
    pub dialects: Vec<String>,

    /// Tables to write, separated by commas [default: all but bodies]
    ///
    /// With +bodies all tables, and bodies besides: the files themselves, from which asof answers
    /// and check reads without archives. A run with --pages writes it by default.
    ///
    /// "robocensus tables" describes them. archives, archive_errors, archive_skips, captures,
    /// dialects, matrix_agents and cohort are written in any case. What none of them needs is not
    /// computed, so that a run of "--tables captures,verdict_sets" takes two thirds of the time;
    /// --print-plan says what that is. Queries need the tables that they read, most of them
    /// redirects.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = EVALUATION)]
    pub tables: Vec<String>,

    /// Read HTML pages too: meta robots, X-Robots-Tag, rel=nofollow
    ///
    /// For archives of pages, with the robots.txt archives of the same crawl. Adds the tables
    /// pages, page_directives, page_policies, page_robots and bodies. "robocensus help
    /// meta-tags" explains the statements.
    #[arg(long, help_heading = EVALUATION)]
    pub pages: bool,

    /// Print the agents, URLs and dialects to evaluate, and exit
    #[arg(long, help_heading = EVALUATION)]
    pub print_matrix: bool,

    /// Print what the run would do, and exit
    ///
    /// Needs no --out, and reads no archive: inputs, parts, threads, dialects, verdicts for each
    /// capture, tables that are written and those that are not, and what is not computed.
    #[arg(
        long,
        conflicts_with_all = ["list_inputs", "prepare", "print_matrix"],
        help_heading = EVALUATION
    )]
    pub print_plan: bool,

    /// Do not build the tables redirects and hosts, nor page_robots
    ///
    /// For several workers on one dataset: run "robocensus finish" once when all have finished.
    #[arg(long, help_heading = REDIRECTS)]
    pub no_finish: bool,

    /// Longest time between a redirect and its target, such as 36h [default: 14d]
    ///
    /// Of archives that name a crawl, redirects lead to captures of that crawl alone, whenever it
    /// fetched them. The window is for the others, before and after, and holds for the first
    /// redirect of a chain and its end too. A number and s, m, h, d or w (seconds to weeks). A
    /// target outside has the outcome not_in_corpus.
    #[arg(long, value_name = "DURATION", value_parser = duration, help_heading = REDIRECTS)]
    pub redirect_window: Option<Duration>,

    /// Worker threads [default: one for each processor]
    ///
    /// The files are the same whatever their number.
    #[arg(long, short, value_name = "N", value_parser = from_1, help_heading = PERFORMANCE)]
    pub threads: Option<NonZeroUsize>,

    /// Archives downloaded at a time [default: two more than threads]
    #[arg(long, value_name = "N", value_parser = from_1, help_heading = PERFORMANCE)]
    pub downloads: Option<NonZeroUsize>,

    /// Downloaded bytes that wait in memory at most [default: 256M]
    ///
    /// With more of them a slow network delays the work less. Takes K, M and G.
    #[arg(long, value_name = "BYTES", value_parser = bytes, help_heading = PERFORMANCE)]
    pub prefetch: Option<u64>,

    /// Let servers outside this network redirect to addresses inside, such as 10.0.0.1
    #[arg(long, help_heading = CHOICE)]
    pub allow_private: bool,

    /// Archive bytes that become one Parquet file of each table [default: 256M]
    ///
    /// Large files scan faster, small ones are published sooner. Takes K, M and G.
    #[arg(long, value_name = "BYTES", value_parser = bytes, help_heading = PERFORMANCE)]
    pub part_size: Option<u64>,

    /// Longest robots.txt or page that is parsed; longer ones are cut and flagged [default: 8M]
    #[arg(long, value_name = "BYTES", value_parser = bytes, help_heading = LIMITS)]
    pub max_body: Option<u64>,

    /// Longest header of a WARC record; records with longer ones are skipped [default: 128K]
    #[arg(long, value_name = "BYTES", value_parser = bytes, help_heading = LIMITS)]
    pub max_header: Option<u64>,

    /// Largest size of a gzip member or zstd frame, inflated [default: 1G]
    ///
    /// Counts from the end of the last record. A larger one is skipped and reported.
    #[arg(long, value_name = "BYTES", value_parser = bytes, help_heading = LIMITS)]
    pub max_member: Option<u64>,

    /// Write the figures of the summary as JSON; - for standard output
    ///
    /// With - the summary for people goes to standard error, and standard output is one JSON
    /// object.
    #[arg(long, value_name = "FILE", help_heading = MESSAGES)]
    pub summary_json: Option<PathBuf>,

    /// Print neither progress nor summary; damaged archives are still reported
    #[arg(long, short, conflicts_with = "verbose", help_heading = MESSAGES)]
    pub quiet: bool,

    /// Report inputs, plan and each published part on standard error
    #[arg(long, short, help_heading = MESSAGES)]
    pub verbose: bool,

    #[command(flatten)]
    pub progress: ProgressArgs,
}
