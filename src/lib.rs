//! Parses robots.txt files and decides what they allow: for one crawler and URL at a time, or for
//! all crawlers over whole archives.
//!
//! [`Robots`] evaluates one file under any dialect ([`Dialect`]), and names the line that decided:
//!
//! ```
//! use robocensus::{Dialect, Robots, Verdict};
//!
//! let robots = Robots::parse("User-agent: GPTBot\nDisallow: /private\n");
//! let decision = robots.decide(&Dialect::GOOGLE, "GPTBot", "https://example.com/private/a");
//! assert_eq!(decision.verdict, Verdict::Disallow);
//! assert_eq!(decision.rule_line, Some(2));
//! ```
//!
//! With the feature `dataset`, [`run`] turns archives of robots.txt files (WARC) into Parquet
//! tables for SQL:
//!
#![cfg_attr(all(feature = "dataset", feature = "sample"), doc = "```")]
#![cfg_attr(not(all(feature = "dataset", feature = "sample")), doc = "```ignore")]
//! use robocensus::{Config, Progress, archive::input, sample};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = tempfile::tempdir()?;
//! let archive = folder.path().join("made-up.warc.gz");
//! let options = sample::Options { captures: 50, seed: 1 };
//! let truth = sample::write(&options, &mut std::fs::File::create(&archive)?)?;
//!
//! let archives = input::expand(&[archive.to_string_lossy()])?;
//! let config = Config::new(folder.path().join("census"));
//! let summary = robocensus::run(&config, &archives, &Progress::default())?;
//! assert!(summary.counts.captures >= truth.robots_txt_urls);
//! assert!(folder.path().join("census/captures").is_dir());
//! # Ok(())
//! # }
//! ```
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | none | the parser, the dialects and [`check`](robots::check): [`Robots`] and all that it returns |
//! | `dataset` | archives in, Parquet tables out: [`run`], [`dataset`]; enables `pages` |
//! | `report` | the HTML page of a dataset: [`report`]; enables `dataset` and `charts` |
//! | `charts` | charts of rows, [`report::draw`] |
//! | `sample` | generated archives whose contents are known: [`sample`] |
//! | `remote` | archives behind HTTP(S) and in S3; enables `dataset` |
//! | `pages` | what HTML pages state about themselves: [`page`] |
//! | `cli` (default) | the command-line program; enables all above |
//!
//! Without default features neither Arrow, Parquet nor a compression library is compiled.
//!
//! # Architecture
//!
//! A record passes through the modules of this crate once, in one direction:
//!
//! ```text
//! archive  ->  robots  ->  dataset  ->  report
//! bytes to     lines to    rows to      pages,
//! captures     decisions   Parquet      charts
//! ```
//!
//! A capture is inflated once into the buffer of its worker. Its HTTP head is parsed in place; its
//! body is decoded once, or borrowed where it has no coding. Its lines are offsets into that body
//! ([`robots::lines`]). Each dialect interprets the lines as groups and rules ([`robots::dialect`]).
//! Each distinct set of selected groups is matched against each URL once ([`robots::matrix`]). Each
//! decision is appended to a column ([`dataset::table`]), and the same worker encodes the column
//! ([`dataset::sink`]). Buffers are cleared, not freed.
//!
//! With [`Config::pages`], HTML pages pass through [`archive::capture`], [`page`] and
//! [`dataset::table`] in the same way.
//!
//! Three tables cannot be computed from one record: where a redirect leads, which fetch of a host
//! counts, and what the robots.txt of its origin states about a page, are known only after all
//! archives have been read. [`dataset::finish`] then reads a few columns of the captures and pages
//! of all parts.
//!
//! # Code map
//!
//! | module | input | output |
//! |---|---|---|
//! | [`url`] | a URL | its components, its origin |
//! | `sniff` | first bytes | a media type |
//! | [`archive`] | arguments of a command line, bytes of archives | captures, pages, faults |
//! | [`archive::input`] | paths, globs, lists, crawls | sorted [`ArchiveSource`]s |
//! | `archive::remote` | the URL of an archive | its bytes, whatever its server does |
//! | [`archive::warc`] | bytes of a file | records with their offsets, faults |
//! | [`archive::http`] | a record's block | head, decoded body, findings |
//! | [`archive::index`] | rows of an index of records | the ranges of archives that are read |
//! | [`archive::cohort`] | a list of hosts and registered domains | the members whose captures are read |
//! | [`archive::capture`] | a record | a capture, a page, or the reason it is neither |
//! | [`robots`] | a body | decisions, with the line that decided |
//! | [`robots::lines`] | a body | lines as spans, dialect-free and lossless |
//! | `robots::signal` | a field and its value | statements on use and license |
//! | [`robots::dialect`] | lines, and the answers that define a dialect | groups, rules, decisions, findings |
//! | `robots::api` | a body; a dialect, an agent and a URL | a decision, groups, rules, findings |
//! | [`robots::check`] | one request, or a line of cases | the decision with its evidence |
//! | [`robots::policy`] | rules, and the groups of an agent | how much is forbidden, by several definitions |
//! | [`robots::matrix`] | agents and URLs | cells |
//! | [`page`] | an HTML page and its header fields | its statements, and what holds for a crawler |
//! | [`dataset`] | captures | Parquet files, and rows of them |
//! | `dataset::evaluation` | a capture, the dialects and the matrix | groups, findings, facts, policies and cells |
//! | [`dataset::table`] | captures, lines, cells | Arrow record batches |
//! | [`dataset::sink`] | record batches | the Parquet files of a dataset |
//! | [`dataset::run`](mod@dataset::run) | archives | a dataset and a [`Summary`] |
//! | [`dataset::finish`] | the parts of a dataset | redirects, hosts, robots.txt of pages |
//! | [`dataset::verify`](mod@dataset::verify) | a dataset | what is not as it was published |
//! | [`dataset::lookup`] | a host, or a row | captures and their bytes |
//! | [`dataset::asof`] | pages with times | what the robots.txt in force said about them |
//! | [`compare`] | archives, two dialects or external parsers | flips, their causes and smallest examples |
//! | [`report`] | the description of a dataset, results of queries | pages of HTML, charts |
//! | [`sample`] | a seed | archives with known truth, for tests and benchmarks |
//! | [`cli`] | the words of a command line | output, messages, an exit code |
//!
//! `CONTRIBUTING.md` shows where to change what.
//!
//! # Size
//!
//! A test counts the lines of each module. Those that are larger than their task suggests:
//!
//! | module | what makes it large |
//! |---|---|
//! | [`archive`] | a third are downloads: resumption, waits, S3, servers that change a file meanwhile |
//! | [`robots`] | what dialects may do otherwise: each parser that `compare` can name has its answers here |
//! | [`dataset`] | what becomes of a dataset after a run, over several crawls: killed runs taken up again, parts joined, publication, [`verify`](mod@dataset::verify), [`lookup`](dataset::lookup), [`asof`](dataset::asof) |
//! | [`compare`] | causes that have one name on any corpus, and parsers that hang, flood or lie |
//! | [`report`] | two thirds are the drawing of charts, for the report, for queries and in a browser |
//! | [`cli`] | half are `check` and `query`, whose forms of input and output are many |
//!
//! # Invariants
//!
//! A test enforces each.
//!
//! 1. [`robots`] and [`page`] do no I/O, and
//!    never fail on content: bad content is never an [`Error`].
//! 2. The line model is independent of dialects and lossless: its lines, joined, are the body, up to
//!    [`MAX_LINES`](robots::lines::MAX_LINES) lines; those beyond are counted, and `errors` reports them.
//! 3. Only [`robots::dialect`] decides how to treat mistakes: each [`Dialect`] states what a misspelled or
//!    truncated line means.
//! 4. Only [`dataset::sink`] writes files and reads them back; only [`archive::input`] opens any other file. (The command line
//!    writes the summary, the page and the sample archive that it is asked for; `archive::remote` reads the
//!    profiles of the AWS CLI, and `compare` what Linux says about processes.)
//! 5. The bytes of a dataset depend on inputs and options, never on the number of threads or on the
//!    time of day; of archives that are downloaded, `request_count` depends on their server too.
//! 6. An archive belongs to exactly one part, however many runs made the dataset, and nothing is
//!    deleted that this program did not write ([`dataset::sink`]). [`dataset::verify`](mod@dataset::verify) finds violations.
//! 7. Memory is bounded by documented limits: of records ([`Limits`](archive::warc::Limits)), of
//!    lines, of findings ([`MAX_PER_CODE`](robots::dialect::MAX_PER_CODE)) and of decisions held
//!    (`verdict_sets`). Each capture and each redirect of a dataset adds a few bytes.
//! 8. Bytes read in members plus bytes skipped equal the size of the file, with those that an index
//!    does not ask for. Records that became
//!    captures plus those skipped, by reason, equal the number of records. Pages are among those
//!    skipped for their path, or captures too.
//!
//! # Glossary
//!
//! Archives (ISO 28500, RFC 1952):
//!
//! - *Archive*: a WARC file. *Record*: a header and a *block*, of type `response`, `request`, ...
//!   *Member*: one gzip stream or zstd frame; it usually holds one record. *Framing*: how records are
//!   placed in members.
//! - *Capture*: one record of a fetched URL. *Revisit*: a capture without a body of its own.
//! - *Access*: what the fetch itself decides, before a line is read (RFC 9309, 2.3.1).
//! - *Fault*: damage of an archive, a row of `archive_errors`. *Skip*: a record that is not a
//!   capture, counted by reason. *Cohort*: the hosts and registered domains whose captures a run
//!   reads, its members. *Index*: a list of the records that a run reads, each a *range* of an archive.
//! - *Redirect*: a capture that answers with 3xx. *Hop*: the step from a redirect to the capture of
//!   its target nearest in time.
//!
//! robots.txt (RFC 9309):
//!
//! - *User-agent line*, *group*, *rule*, *pattern*: as in RFC 9309, 2.1 and 2.2. *Directive*: a line
//!   with another field.
//! - *Agent*: a crawler, identified by its product *tokens*, the most specific first.
//! - *Dialect*: one interpretation of robots.txt, stored as data: its answer to every question on which
//!   parsers differ. The *reference dialect* is the first of a run; the tables of lines (groups,
//!   rules, ...) are written by it.
//! - *Probe*: a URL of the matrix. *Cell*: one agent, one probe, one dialect.
//! - *Decision*: verdict, basis, group and line. *Verdict*: allow, disallow or undefined. *Basis*:
//!   what decided.
//! - *Finding*: something unusual about a line, a row of `errors`, or about a response, a row of
//!   `response_errors`. In code, a finding about a line is an `Anomaly`.
//!
//! Datasets (Parquet):
//!
//! - *Part*: the files of some archives, published together, one for each table. *Manifest*: the
//!   list of them, with sizes and digests. *Task*: those archives of a part that one worker
//!   processes. *Chunk*: what one worker processes of an archive that several share.
//! - *Batch*: rows in memory (Arrow). *Row group*, *column chunk*, *page*, *dictionary*: as in
//!   Parquet.
//! - *Shard*: the subset of the parts of a dataset that one process makes.

// The command line names the library as its other users do.
#[cfg(feature = "cli")]
extern crate self as robocensus;

mod in_order;
pub(crate) mod named;

#[doc(hidden)]
pub mod url;

#[cfg_attr(
    not(feature = "dataset"),
    allow(dead_code, reason = "others only compute digests")
)]
mod digest;

#[cfg_attr(
    not(feature = "dataset"),
    allow(dead_code, reason = "only responses of archives need a MIME type")
)]
mod sniff;

#[cfg(any(feature = "charts", feature = "dataset"))]
mod share;

#[cfg(feature = "dataset")]
pub mod archive;

pub mod robots;

#[cfg(feature = "pages")]
#[doc(hidden)]
pub mod page;

#[cfg(feature = "dataset")]
pub mod dataset;

#[cfg(feature = "dataset")]
#[doc(hidden)]
pub mod compare;

#[cfg(feature = "charts")]
#[cfg_attr(
    not(feature = "report"),
    allow(dead_code, reason = "only pages and files need all of it")
)]
pub mod report;

#[cfg(feature = "sample")]
pub mod sample;

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;

#[cfg(test)]
#[cfg_attr(
    not(feature = "sample"),
    allow(dead_code, reason = "only the tests of `sample` use all of it")
)]
#[path = "../tests/naive/mod.rs"]
mod naive;

#[doc(inline)]
pub use self::robots::dialect::{
    AnomalyCode, Basis, Decision, Dialect, DialectError, RuleKind, SelectionKind, Severity, Verdict,
};
#[cfg(feature = "dataset")]
pub use self::{
    archive::{
        error::{Error, ErrorKind, FolderConflict},
        input::ArchiveSource,
    },
    dataset::{
        finish::{Finished, finish},
        run::{Config, Progress, run},
        summary::Summary,
    },
};
pub use self::{
    robots::{
        api::{
            AgentLineRef, AgentRules, FindingRef, GroupRef, ProductTokens, RecordRef, Robots,
            RuleRef, SignalRef,
        },
        lines::Field,
        signal::Vocabulary,
    },
    url::applies_to,
};
