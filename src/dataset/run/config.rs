//! The options of a run.

use std::{num::NonZeroUsize, path::PathBuf, time::Duration};

use super::{form::VerdictForm, shard::Shard, written::WrittenTables};
use crate::{
    archive::{error::Error, warc::Limits},
    dataset::{
        finish::redirects::{FOLLOWERS_OPTION, WINDOW_OPTION, describe_followers, describe_window},
        sink::{DatasetIdentity, OpenMode},
        table::SCHEMA_VERSION,
    },
    digest::{hex, sha1},
    robots::{
        dialect::{Dialect, REFERENCE, builtin, definition},
        matrix::Matrix,
    },
};

/// Bytes of archives that go into one part: some hundred of Common Crawl's files, which make
/// Parquet files of tens to hundreds of MB.
pub const DEFAULT_PART_BYTES: u64 = 256 * 1024 * 1024;
/// Downloaded bytes that wait in memory: some hundred of Common Crawl's files of robots.txt, a
/// minute of work for a processor.
pub const DEFAULT_PREFETCH: u64 = 256 * 1024 * 1024;

/// The options of a run.
#[derive(Debug)]
pub struct Config {
    /// The dataset's folder, or its URL in S3, `s3://BUCKET/PREFIX`.
    pub out: PathBuf,
    /// What to do if the folder exists.
    pub mode: OpenMode,
    /// The share of the parts that this run makes; all if `None`. Runs of other shards join the
    /// dataset ([`OpenMode::Join`]).
    pub shard: Option<Shard>,
    /// How the archives were chosen among more ([`Inputs::choice`](crate::archive::input::Inputs)); `None`
    /// if they were not.
    pub choice: Option<String>,
    /// Worker threads.
    pub threads: NonZeroUsize,
    /// Archives that are downloaded at a time, if they are remote; two more than threads if `None`.
    pub downloads: Option<NonZeroUsize>,
    /// Downloaded bytes that wait in memory at most.
    pub prefetch: u64,
    /// Agents and URLs.
    pub matrix: Matrix,
    /// The dialects that decide; the first is the reference dialect of `captures`, `groups`,
    /// `agents`, `rules` and `directives`.
    ///
    /// # Panics
    ///
    /// A run panics if there is none.
    pub dialects: Vec<Dialect>,
    /// Limits of bodies, records and members.
    pub limits: Limits,
    /// Bytes of archives that go into one part.
    pub part_bytes: u64,
    /// How answers are written.
    pub verdicts: VerdictForm,
    /// The tables that are written, and their columns; what none of them needs is not computed.
    pub tables: WrittenTables,
    /// Whether redirects are resolved at the end, over all parts of the dataset. Processes that
    /// share a dataset may leave that to [`finish`](crate::finish), called
    /// once when all have ended.
    pub finish: bool,
    /// Longest time between the fetch of a redirect and that of the capture it leads to, and
    /// between the first redirect of a chain and its end, where archives name no crawl; otherwise
    /// redirects lead to captures of the same crawl.
    pub redirect_window: Duration,
    /// Whether HTML pages are read too, and what responses of other types state about themselves in
    /// their headers ([`PAGE_TABLES`](crate::dataset::table::PAGE_TABLES)).
    pub pages: bool,
}

/// The default of [`Config::redirect_window`]: the time that a crawl takes.
pub const DEFAULT_REDIRECT_WINDOW: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// The option of a dataset of a run that reads pages; others do not have it.
pub(in crate::dataset) const PAGES_OPTION: (&str, &str) = ("pages", "yes");

/// The option of a dataset whose archives were chosen among more.
pub(super) const CHOICE_OPTION: &str = "choice";

impl Config {
    /// Returns the defaults for an output folder: the built-in matrix under Google's dialect, on
    /// every processor.
    pub fn new(out: impl Into<PathBuf>) -> Self {
        Self {
            out: out.into(),
            mode: OpenMode::default(),
            shard: None,
            choice: None,
            threads: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            downloads: None,
            prefetch: DEFAULT_PREFETCH,
            matrix: Matrix::built_in(),
            dialects: vec![builtin(REFERENCE).expect("the reference dialect is built in")],
            limits: Limits::default(),
            part_bytes: DEFAULT_PART_BYTES,
            verdicts: VerdictForm::default(),
            tables: WrittenTables::default(),
            finish: true,
            redirect_window: DEFAULT_REDIRECT_WINDOW,
            pages: false,
        }
    }

    /// Returns the names of the dialects.
    pub fn dialect_names(&self) -> Vec<String> {
        self.dialects
            .iter()
            .map(|dialect| dialect.name.to_string())
            .collect()
    }

    /// Returns the form in which answers are written; `None` if their table is not.
    pub(crate) fn written_verdicts(&self) -> Option<VerdictForm> {
        let is_written = self.tables.contains(self.verdicts.table());
        is_written.then_some(self.verdicts)
    }

    /// Returns true if and only if answers are computed.
    pub(crate) fn needs_answers(&self) -> bool {
        self.tables.needs_answers(self.verdicts)
    }

    /// Refuses options that contradict the choice of tables.
    pub(crate) fn check_tables(&self) -> Result<(), Error> {
        self.tables.check(self.verdicts, self.pages)
    }

    /// Returns what all parts of the dataset must have in common: everything but the folder, the
    /// mode, the shard and what only costs time or memory. `choice` is that of its archives.
    pub(super) fn identity(&self, choice: Option<&str>) -> DatasetIdentity {
        // Lists are known by their digests: a dataset's description would be as long as they are.
        let mut agents = String::new();
        for agent in &self.matrix.agents {
            agents.push_str(&agent.chain.join(","));
            agents.push('\t');
            agents.push_str(agent.category.as_deref().unwrap_or_default());
            agents.push('\n');
        }
        let mut urls = String::new();
        let paths = self.matrix.urls.paths().iter().map(String::as_str);
        for url in paths.chain(self.matrix.urls.absolute()) {
            urls.push_str(url);
            urls.push('\n');
        }
        let counted = |n: usize, text: &str| format!("{n}, sha1 {}", hex(&sha1(text.as_bytes())));
        let n_urls = self.matrix.urls.paths().len() + self.matrix.urls.n_absolute();
        let mut options = vec![
            (
                "agents".to_owned(),
                counted(self.matrix.agents.len(), &agents),
            ),
            ("urls".to_owned(), counted(n_urls, &urls)),
            ("dialects".to_owned(), self.dialect_names().join(",")),
            (
                "dialect_answers".to_owned(),
                digest_of_answers(&self.dialects),
            ),
            ("max_body".to_owned(), self.limits.body.to_string()),
            ("max_header".to_owned(), self.limits.header.to_string()),
            ("max_block".to_owned(), self.limits.block.to_string()),
            (
                "whole_member".to_owned(),
                self.limits.whole_member.to_string(),
            ),
            ("max_member".to_owned(), self.limits.member.to_string()),
            ("part_bytes".to_owned(), self.part_bytes.to_string()),
            (
                "verdicts".to_owned(),
                self.written_verdicts()
                    .map_or("none", VerdictForm::as_str)
                    .to_owned(),
            ),
            (
                FOLLOWERS_OPTION.to_owned(),
                describe_followers(&self.dialects),
            ),
            (
                WINDOW_OPTION.to_owned(),
                describe_window(self.redirect_window),
            ),
        ];
        if self.pages {
            let (name, value) = PAGES_OPTION;
            options.push((name.to_owned(), value.to_owned()));
        }
        if let Some(choice) = choice {
            options.push((CHOICE_OPTION.to_owned(), choice.to_owned()));
        }
        options.extend(self.tables.option());
        DatasetIdentity::new(SCHEMA_VERSION, options)
    }
}

/// Returns the digest of all answers of the dialects, which are compared as the text that users
/// write and not by names in the source.
fn digest_of_answers(dialects: &[Dialect]) -> String {
    let definitions: String = dialects.iter().map(definition).collect();
    hex(&sha1(definitions.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(dialects: Vec<Dialect>) -> (String, String) {
        let config = Config {
            dialects,
            ..Config::new("out")
        };
        let identity = config.identity(None);
        let mut options = identity.options.into_iter();
        let answers = options.find(|(name, _)| name == "dialect_answers");
        (answers.unwrap().1, identity.options_digest)
    }

    #[test]
    fn the_identity_holds_the_answers_of_dialects_as_users_write_them() {
        let google = builtin("google").unwrap();
        let (digest, _) = answers(vec![google.clone()]);
        assert_eq!(digest, hex(&sha1(definition(&google).as_bytes())));
        assert!(definition(&google).starts_with("base = \"google\"\ntext = \"to-nul\"\n"));
    }

    #[test]
    fn another_answer_is_another_identity() {
        let google = builtin("google").unwrap();
        let mut other = google.clone();
        other.access.max_hops = Some(4);
        let python = builtin("python").unwrap();
        let identities = [
            answers(vec![google.clone()]),
            answers(vec![other]),
            answers(vec![google.clone(), python.clone()]),
            answers(vec![python, google]),
        ];
        for (index, identity) in identities.iter().enumerate() {
            for before in &identities[..index] {
                assert!(identity.0 != before.0 && identity.1 != before.1);
            }
        }
    }

    #[test]
    fn chosen_tables_are_in_the_identity_and_all_tables_are_not() {
        let of = |names: Option<&str>, verdicts| {
            let names = names.map(|names| WrittenTables::of_names(names.split(',')));
            let config = Config {
                verdicts,
                tables: names.map_or_else(WrittenTables::default, Result::unwrap),
                ..Config::new("out")
            };
            config.identity(None)
        };
        let (rows, sets) = (VerdictForm::Rows, VerdictForm::Sets);
        let has = |identity: &DatasetIdentity, name: &str, value: &str| {
            let mut options = identity.options.iter();
            options.any(|option| *option == (name.to_owned(), value.to_owned()))
        };
        let all = of(None, rows);
        assert!(all.options.iter().all(|(name, _)| name != "tables"));
        let some = of(Some("rules,groups"), rows);
        assert!(has(&some, "tables", "captures,groups,rules") && has(&some, "verdicts", "none"));
        assert_ne!(some.options_digest, all.options_digest);
        // Without a table of verdicts their form changes nothing.
        assert_eq!(some, of(Some("captures,groups,rules"), sets));
        assert!(has(&of(Some("verdict_sets"), sets), "verdicts", "sets"));
    }
}
