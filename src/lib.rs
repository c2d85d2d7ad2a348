//! What robots.txt files say: to one crawler about one URL, or to all crawlers in whole archives.
//!
//! [`Robots`] answers for one file, under any of eight dialects ([`Dialect`]), and names the line
//! that decided:
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
//! [`run`] turns archives of robots.txt files (WARC) into Parquet tables for SQL, with the feature
//! `dataset`:
//!
#![cfg_attr(all(feature = "dataset", feature = "sample"), doc = "```")]
#![cfg_attr(not(all(feature = "dataset", feature = "sample")), doc = "```ignore")]
//! use robocensus::{Config, Progress, input, sample};
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
//! | none | the parser, the dialects and [`check`]: [`Robots`] and all that it returns |
//! | `dataset` | archives in, Parquet tables out: [`run`], [`pipeline`] |
//! | `report` | the HTML page of a dataset: [`report`] |
//! | `sample` | generated archives whose contents are known: [`sample`] |
//! | `cli` (default) | what the program needs, and the three above |
//!
//! Without default features neither Arrow, Parquet nor a compression library is compiled.
//!
//! # Architecture
//!
//! A record walks through the rooms of this crate once, in one direction, and never turns back:
//!
//! ```text
//! input -> warc -> http, origin -> capture -> robots, signal -> dialect -> matrix, policy -> table
//! -> sink -> summary paths records response, URL robots.txt lines, values rules decisions batches
//! parts report
//! ```
//!
//! A capture is inflated once into its worker's buffer; its HTTP head is read in place; its body is decoded once, or not at all where nothing is
//! encoded; its lines become offsets into that body ([`robots`]); each dialect reads those lines as groups and rules ([`dialect`]); each
//! distinct selection of groups is asked each URL once ([`matrix`]); each answer is appended to a column ([`table`]); the column is encoded by
//! the same worker ([`sink`]). Buffers are cleared, not freed. [`pipeline`] is the only room that knows all others.
//!
//! One table cannot be made of one record: where a redirect leads ([`redirect`]) is known when all archives are read. [`pipeline`] then reads the
//! captures of all parts back, a few columns of them.
//!
//! | room | enters | leaves |
//! |---|---|---|
//! | [`input`] | words of a command line | sorted [`ArchiveSource`]s |
//! | [`warc`] | bytes of a file | records with their place, faults |
//! | [`http`] | a record's block | head, decoded body, findings |
//! | [`origin`] | a URL | its parts, its origin |
//! | [`capture`] | a record | a capture, or the reason why it is none |
//! | [`robots`] | a body | lines as spans, dialect-free and lossless |
//! | [`signal`] | a field and its value | statements on use and licence |
//! | [`dialect`] | lines, and the answers that make a dialect | groups, rules, decisions, anomalies |
//! | [`api`] | a body; a dialect, an agent and a URL | a decision, groups, rules, findings |
//! | [`check`] | one question, or a line of cases | the decision with its evidence |
//! | [`matrix`] | agents and URLs | cells |
//! | [`policy`] | rules, and the groups of an agent | how much is forbidden, by several definitions |
//! | [`redirect`] | the captures of a dataset, as URLs and times | where each redirect ends |
//! | [`table`] | captures, lines, cells | Arrow record batches |
//! | [`sink`] | record batches | the Parquet files of a dataset |
//! | [`summary`] | counts | a summary |
//! | [`report`] | the description of a dataset, answers to queries | a page of HTML |
//! | [`sample`] | a seed | an archive with known truth, for tests and benchmarks |
//!
//! Invariants, each held by a test:
//!
//! 1. [`robots`], [`signal`], [`dialect`], [`api`], [`policy`] and [`check`] do no I/O, and no content makes them fail; it is never an [`Error`].
//! 2. The line model knows no dialect and loses nothing: its lines, joined, give back the body, as far as it has no more than
//!    [`MAX_LINES`](robots::MAX_LINES), beyond which lines are counted and `errors` says so.
//! 3. Only [`dialect`] tolerates: what a misspelt or cut line means is an answer in a [`DialectSpec`](dialect::DialectSpec).
//! 4. Only [`sink`] writes files, and reads back what it wrote; only [`input`] opens others. (The command line writes the summary, the page and the
//!    sample archive it is asked for.)
//! 5. The bytes of a dataset depend on inputs and options, never on the number of threads or on the time of day.
//! 6. An archive is in one part of a dataset, whatever runs made it, and nothing is deleted that this program did not make ([`sink`]).
//!    [`pipeline::verify`] finds what holds no more.
//! 7. Memory is bounded by documented limits whatever the input: of records ([`Limits`](warc::Limits)), of lines, of findings
//!    ([`MAX_PER_CODE`](dialect::MAX_PER_CODE)) and of answers held ([`VerdictForm`](pipeline::VerdictForm)).
//! 8. Bytes of members read plus bytes skipped are the bytes of the file; records that became captures plus those skipped by name are all records.
//!
//! # Words
//!
//! - *Capture*: one record of a fetched URL. *Access*: what the fetch itself decides, before a line is read (RFC 9309, 2.3.1).
//! - *Agent*: a crawler of the matrix, known by its product tokens. *Probe*: a URL it asks for. *Cell*: one agent, one probe, one dialect.
//! - *Decision*: verdict, basis, group and line. *Basis*: what decided.
//! - *Dialect*: one reading of robots.txt, as data. The *reference dialect* is the first of a run; the tables of lines are read by it.
//! - *Anomaly*: something odd on a line, a row of `errors`. *Fault*: something wrong with an archive, a row of `archive_errors`. *Skip*: a record
//!   that is no capture, counted by reason.
//! - *Redirect*: a capture that answers with 3xx. *Hop*: from a redirect to the capture of its target nearest in time.
//! - *Part*: the files of some archives, published together; it is what its archives are. *Manifest*: the list of them, with sizes and digests. *Task*: the archives of a part that one worker takes.
//!   *Stretch*: of an archive that workers share, what one of them takes.

#[cfg(feature = "dataset")]
mod error;
#[cfg(feature = "dataset")]
pub mod input;
#[cfg(feature = "dataset")]
#[doc(hidden)]
pub mod warc;

#[cfg(feature = "dataset")]
#[doc(hidden)]
pub mod http;
#[doc(hidden)]
pub mod origin;

#[cfg(feature = "dataset")]
#[doc(hidden)]
pub mod capture;
#[cfg(feature = "dataset")]
mod digest;
#[cfg(feature = "dataset")]
mod growth;
#[cfg_attr(
    not(feature = "dataset"),
    allow(dead_code, reason = "only responses of archives need a MIME type")
)]
mod sniff;

#[doc(hidden)]
pub mod robots;

mod signal;

pub mod dialect;

mod api;

#[cfg(feature = "dataset")]
pub mod matrix;

#[cfg(feature = "dataset")]
#[doc(hidden)]
pub mod policy;

#[doc(hidden)]
pub mod check;

#[cfg(feature = "dataset")]
mod redirect;

#[cfg(feature = "dataset")]
pub mod table;

#[cfg(feature = "dataset")]
#[doc(hidden)]
pub mod sink;

#[cfg(feature = "dataset")]
pub mod summary;

#[cfg(feature = "dataset")]
pub mod pipeline;

#[cfg(feature = "report")]
pub mod report;

#[cfg(feature = "sample")]
pub mod sample;

#[doc(inline)]
pub use self::dialect::{
    Basis, Decision, DialectError, DialectSpec as Dialect, RuleKind, SelectionKind, Verdict,
};
pub use self::{
    api::{
        AgentLineRef, AgentRules, FindingRef, GroupRef, ProductTokens, RecordRef, Robots, RuleRef,
        SignalRef,
    },
    origin::applies_to,
    robots::{AnomalyCode, Field, Severity},
    signal::Vocabulary,
};
#[cfg(feature = "dataset")]
pub use self::{
    error::{Error, ErrorKind},
    input::ArchiveSource,
    pipeline::{Config, Progress, resolve_redirects, run},
    summary::Summary,
};
