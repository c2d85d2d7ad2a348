//! The options of a run.

use std::{num::NonZeroUsize, path::PathBuf, sync::Arc, time::Duration};

use super::{
    shard::Shard,
    written::{PAGES_OPTION, TABLES_OPTION, WrittenTables},
};
use crate::{
    archive::{
        cohort::{Cohort, Rows},
        error::Error,
        warc::Limits,
    },
    dataset::sink::{DATASET_FILE, Dataset, DatasetIdentity, LISTS_FILE, OpenMode, OptionLists},
    digest::{hex, sha1},
    robots::{
        dialect::Dialect,
        matrix::{Matrix, read_agents, read_urls},
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
    /// The hosts and registered domains whose captures are read; all if `None`. Captures of others
    /// are skipped unless a redirect of a member led to them before in the same archive, and the
    /// table `hosts` has the members' hosts alone.
    pub cohort: Option<Arc<Cohort>>,
    /// Whether the archives are the records of an index, so that each lacks those that it does not
    /// name.
    pub by_index: bool,
    /// Whether HTML pages are read too, and what responses of other types state about themselves in
    /// their headers ([`PAGE_TABLES`](crate::dataset::table::PAGE_TABLES)).
    pub pages: bool,
}

/// The default of [`Config::redirect_window`]: the time that a crawl takes.
pub const DEFAULT_REDIRECT_WINDOW: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// The option of a dataset whose archives were chosen among more.
pub(super) const CHOICE_OPTION: &str = "choice";

/// The option of a dataset that holds [`Config::redirect_window`], as seconds such as `86400 s`.
pub(super) const WINDOW_OPTION: &str = "redirect_window";
const WINDOW_UNIT: &str = " s";

/// The option of a dataset that has of its archives what an index names; others do not have it.
const INDEX_OPTION: (&str, &str) = ("records", "of an index");

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
            dialects: vec![Dialect::GOOGLE],
            limits: Limits::default(),
            part_bytes: DEFAULT_PART_BYTES,
            tables: WrittenTables::default(),
            finish: true,
            redirect_window: DEFAULT_REDIRECT_WINDOW,
            cohort: None,
            by_index: false,
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

    /// Returns the options of the dataset in an output folder, for a run that continues it or adds
    /// to it: what only costs time or memory is the default. `None` if there is no dataset, or one
    /// without the lists of its options.
    ///
    /// # Errors
    ///
    /// Files that cannot be read, or are not as a run writes them.
    pub fn from_dataset(out: impl Into<PathBuf>) -> Result<Option<Self>, Error> {
        let mut config = Self::new(out);
        let Some(stored) = Dataset::read_options(&config.out)? else {
            return Ok(None);
        };
        for (name, text) in &stored.values {
            let Some(option) = DATASET_OPTIONS.iter().find(|known| known.name == name) else {
                continue;
            };
            if (option.read)(&mut config, text, &stored.lists).is_none() {
                let message = format!("expected a value of the option {name}, but found {text:?}");
                return Err(Error::corrupt(config.out.join(DATASET_FILE), message));
            }
        }
        // Of built-in dialects the definitions are no list.
        let of_dialects = (!stored.lists.dialects.is_empty()).then_some("dialect_answers");
        let of_lists: Vec<_> = ["agents", "urls", "cohort"]
            .into_iter()
            .chain(of_dialects)
            .collect();
        for option in DATASET_OPTIONS
            .iter()
            .filter(|known| of_lists.contains(&known.name))
        {
            if (option.text)(&config).as_ref() != stored.values.get(option.name) {
                let message = format!(
                    "expected the lists of which {DATASET_FILE} has the digests, but that of {} is another; restore this file as the run wrote it, or delete it and state all options again",
                    option.name
                );
                return Err(Error::corrupt(config.out.join(LISTS_FILE), message));
            }
        }
        Ok(Some(config))
    }

    /// Returns [`Config::redirect_window`] in microseconds.
    pub(super) fn redirect_window_micros(&self) -> u64 {
        u64::try_from(self.redirect_window.as_micros()).unwrap_or(u64::MAX)
    }

    /// Returns what all parts of the dataset must have in common: everything but the folder, the
    /// mode, the shard and what only costs time or memory. `choice` is that of its archives.
    pub(super) fn identity(&self, choice: Option<&str>) -> DatasetIdentity {
        let options = DATASET_OPTIONS.iter();
        let mut options: Vec<(String, String)> = options
            .filter_map(|option| Some((option.name.to_owned(), (option.text)(self)?)))
            .collect();
        if let Some(choice) = choice {
            options.push((CHOICE_OPTION.to_owned(), choice.to_owned()));
        }
        DatasetIdentity::new(options)
    }

    /// Returns the lists of which the identity has digests, since a dataset's description would be
    /// as long as they are.
    pub(super) fn lists(&self) -> OptionLists {
        let own = |dialect: &&Dialect| Dialect::named(&dialect.name).is_none();
        let named = |dialect: &Dialect| (dialect.name.to_string(), dialect.to_toml());
        OptionLists {
            // With a head, or an agent called "agent" would be taken for one.
            agents: format!("agent\tcategory\n{}", agents_text(self)),
            urls: urls_text(self),
            dialects: self.dialects.iter().filter(own).map(named).collect(),
            cohort: self.cohort.as_ref().map(|cohort| cohort.text()),
        }
    }
}

/// An option on which the rows of a dataset depend.
struct DatasetOption {
    name: &'static str,
    /// Returns its value as the description of the dataset states it; `None` if it does not.
    text: fn(&Config) -> Option<String>,
    /// Takes a value that was written by `text`, or its list, and returns `None` for any other.
    read: fn(&mut Config, &str, &OptionLists) -> Option<()>,
}

/// Declares the option of a field that is a number.
macro_rules! number {
    ($name:literal, $($field:ident).+) => {
        DatasetOption {
            name: $name,
            text: |config| Some(config.$($field).+.to_string()),
            read: |config, text, _| text.parse().ok().map(|n| config.$($field).+ = n),
        }
    };
}

/// The options of a dataset. Those that follow from others are not read.
const DATASET_OPTIONS: &[DatasetOption] = &[
    DatasetOption {
        name: "agents",
        text: |config| Some(counted(config.matrix.agents.len(), &agents_text(config))),
        read: |config, _, lists| {
            let agents = read_agents(&lists.agents, &mut |_| ());
            agents.ok().map(|agents| config.matrix.agents = agents)
        },
    },
    DatasetOption {
        name: "urls",
        text: |config| {
            let urls = &config.matrix.urls;
            let n_urls = urls.paths().len() + urls.n_absolute();
            Some(counted(n_urls, &urls_text(config)))
        },
        read: |config, _, lists| {
            let urls = read_urls(&lists.urls);
            urls.ok().map(|urls| config.matrix.urls = urls)
        },
    },
    DatasetOption {
        name: "dialects",
        text: |config| Some(config.dialect_names().join(",")),
        read: |config, names, lists| {
            let own = |name: &str| Dialect::from_toml(lists.dialects.get(name)?).ok();
            let dialects = names
                .split(',')
                .map(|name| Dialect::named(name).or_else(|| own(name)));
            config.dialects = dialects.collect::<Option<_>>()?;
            Some(())
        },
    },
    DatasetOption {
        name: "dialect_answers",
        text: |config| Some(digest_of_answers(&config.dialects)),
        read: |_, _, _| Some(()),
    },
    number!("max_body", limits.body),
    number!("max_header", limits.header),
    number!("max_block", limits.block),
    number!("whole_member", limits.whole_member),
    number!("max_member", limits.member),
    number!("part_bytes", part_bytes),
    DatasetOption {
        name: "redirects",
        text: |config| Some(describe_followers(&config.dialects)),
        read: |_, _, _| Some(()),
    },
    DatasetOption {
        name: WINDOW_OPTION,
        text: |config| {
            let seconds = config.redirect_window.as_secs_f64();
            Some(format!("{seconds}{WINDOW_UNIT}"))
        },
        read: |config, text, _| read_window(text).map(|window| config.redirect_window = window),
    },
    DatasetOption {
        name: "cohort",
        text: |config| {
            let cohort = config.cohort.as_ref()?;
            Some(counted(cohort.len(), &cohort.text()))
        },
        read: |config, _, lists| {
            let rows = Rows::of_text(lists.cohort.as_deref()?).ok()?;
            let cohort = Cohort::new(rows, &mut |_| ()).ok()?;
            config.cohort = Some(Arc::new(cohort));
            Some(())
        },
    },
    DatasetOption {
        name: INDEX_OPTION.0,
        text: |config| config.by_index.then(|| INDEX_OPTION.1.to_owned()),
        read: |config, text, _| (text == INDEX_OPTION.1).then(|| config.by_index = true),
    },
    DatasetOption {
        name: PAGES_OPTION.0,
        text: |config| config.pages.then(|| PAGES_OPTION.1.to_owned()),
        read: |config, text, _| (text == PAGES_OPTION.1).then(|| config.pages = true),
    },
    DatasetOption {
        name: TABLES_OPTION,
        text: |config| config.tables.names(),
        read: |config, names, _| {
            let tables = WrittenTables::of_names(names.split(','));
            tables.ok().map(|tables| config.tables = tables)
        },
    },
];

/// Reads the value of [`WINDOW_OPTION`]; `None` for any other text.
pub(super) fn read_window(text: &str) -> Option<Duration> {
    let seconds: f64 = text.strip_suffix(WINDOW_UNIT)?.parse().ok()?;
    // A window longer than 2^64 microseconds, which the conversion saturates at, holds all times.
    Some(Duration::from_micros((seconds * 1e6).round() as u64))
}

/// Returns what the table `redirects` depends on in dialects.
fn describe_followers(dialects: &[Dialect]) -> String {
    let described = dialects.iter().map(|dialect| {
        let access = &dialect.access;
        let limit = access.max_hops.map(|limit| limit.to_string());
        format!(
            "{} {} {} {}",
            dialect.name,
            access.redirect.as_str(),
            limit.as_deref().unwrap_or("none"),
            access.too_many_hops.as_str()
        )
    });
    described.collect::<Vec<_>>().join(", ")
}

/// Returns the length of a list with the digest of its text.
fn counted(length: usize, text: &str) -> String {
    format!("{length}, sha1 {}", hex(&sha1(text.as_bytes())))
}

/// Returns the agents as [`read_agents`] reads them.
fn agents_text(config: &Config) -> String {
    let mut text = String::new();
    for agent in &config.matrix.agents {
        let category = agent.category.as_deref().unwrap_or_default();
        text.push_str(&format!("{}\t{category}\n", agent.chain.join(",")));
    }
    text
}

/// Returns the URLs as [`read_urls`] reads them: paths, then absolute URLs.
fn urls_text(config: &Config) -> String {
    let paths = config.matrix.urls.paths().iter().map(String::as_str);
    let mut text = String::new();
    for url in paths.chain(config.matrix.urls.absolute()) {
        text.push_str(url);
        text.push('\n');
    }
    text
}

/// Returns the digest of all answers of the dialects, which are compared as the text that users
/// write and not by names in the source.
fn digest_of_answers(dialects: &[Dialect]) -> String {
    let definitions: String = dialects.iter().map(Dialect::to_toml).collect();
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
        let google = Dialect::GOOGLE;
        let (digest, _) = answers(vec![google.clone()]);
        let text = google.to_toml();
        assert_eq!(digest, hex(&sha1(text.as_bytes())));
        assert!(text.starts_with("base = \"google\"\ntext = \"to-nul\"\n"));
    }

    #[test]
    fn another_answer_is_another_identity() {
        let google = Dialect::GOOGLE;
        let mut other = google.clone();
        other.access.max_hops = Some(4);
        let python = Dialect::PYTHON;
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
    fn windows_are_read_as_they_are_stated() {
        let option = DATASET_OPTIONS
            .iter()
            .find(|known| known.name == WINDOW_OPTION);
        let option = option.unwrap();
        for (window, stated) in [
            (Duration::ZERO, "0 s"),
            (Duration::from_secs(7 * 86_400), "604800 s"),
            (Duration::from_millis(1_500), "1.5 s"),
        ] {
            let config = Config {
                redirect_window: window,
                ..Config::new("out")
            };
            assert_eq!((option.text)(&config).as_deref(), Some(stated));
            assert_eq!(read_window(stated), Some(window));
        }
        for broken in ["", "7", "7 d", "s", "none"] {
            assert_eq!(read_window(broken), None, "{broken}");
        }
    }

    #[test]
    fn dialects_are_described_by_how_they_follow() {
        let mut unlimited = Dialect::GOOGLE.clone();
        unlimited.access.max_hops = None;
        assert_eq!(
            describe_followers(&[Dialect::GOOGLE.clone(), unlimited]),
            "google redirect 5 full_allow, google redirect none full_allow"
        );
    }

    #[test]
    fn chosen_tables_are_in_the_identity_and_all_tables_are_not() {
        let of = |names: Option<&str>| {
            let names = names.map(|names| WrittenTables::of_names(names.split(',')));
            let config = Config {
                tables: names.map_or_else(WrittenTables::default, Result::unwrap),
                ..Config::new("out")
            };
            config.identity(None)
        };
        let has = |identity: &DatasetIdentity, name: &str, value: &str| {
            let mut options = identity.options.iter();
            options.any(|option| *option == (name.to_owned(), value.to_owned()))
        };
        let all = of(None);
        assert!(all.options.iter().all(|(name, _)| name != "tables"));
        let some = of(Some("rules,groups"));
        assert!(has(&some, "tables", "captures,groups,rules"));
        assert_ne!(some.options_digest, all.options_digest);
        assert_eq!(some, of(Some("captures,groups,rules")));
    }
}
