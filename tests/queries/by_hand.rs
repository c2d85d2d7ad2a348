//! Two handwritten crawls, a year apart, for which the result of every query can be read off.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use serde::Deserialize;

use super::{Query, pages};
use crate::util::{Dir, files_below, gzip, lasting, package, record, run, run_into};

/// One dataset of both crawls, one of each crawl, and one of those sites of both that a list has.
pub struct ByHand {
    folder: PathBuf,
    /// The lists that queries need, as values of `--set`.
    ranks: String,
    pages: String,
}

/// A response of a crawl.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fetch {
    pub time: String,
    pub url: String,
    pub status: u16,
    /// Where a redirect leads.
    #[serde(default)]
    pub location: String,
    #[serde(default)]
    pub body: String,
}

/// Returns the fetches of a file of `testdata/queries/`, one in a line.
pub fn fetches(name: &str) -> Vec<Fetch> {
    let path = package().join("tests/testdata/queries").join(name);
    let text = fs::read_to_string(path).unwrap();
    let read = |line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}"));
    text.lines().map(read).collect()
}

/// Returns the datasets, made once for a process.
pub fn by_hand() -> &'static ByHand {
    static ONCE: OnceLock<ByHand> = OnceLock::new();
    ONCE.get_or_init(|| {
        let folder = lasting("by-hand");
        let crawls = ["CC-MAIN-2025-05", "CC-MAIN-2026-05"];
        let archives = archives(&folder, crawls, &fetches("by-hand.jsonl"));
        for path in files_below(&package().join("tests/testdata/queries/by-hand")) {
            fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
        }
        let list = |name: &str| format!("{name}={}/{name}.csv", folder.display());
        let (ranks, pages) = (list("ranks"), list("pages"));
        let hands = ByHand {
            folder,
            ranks,
            pages,
        };
        for (name, archives) in [
            ("both", &archives[..]),
            ("cohort", &archives[..]),
            ("before", &archives[..1]),
            ("after", &archives[1..]),
        ] {
            let (urls, cohort) = (hands.path("urls.txt"), hands.path("cohort.csv"));
            let of_cohort = ["--cohort", &cohort];
            let of_cohort = if name == "cohort" {
                &of_cohort[..]
            } else {
                &[]
            };
            run(archives)
                .words(of_cohort)
                .words(&[
                    "--out",
                    &hands.path(name),
                    "--urls",
                    &urls,
                    "--dialects",
                    "google,rfc9309",
                ])
                .succeed();
        }
        hands
    })
}

/// Makes a dataset of the later crawl, which a test may damage, with further words of the command
/// line.
pub fn census(dir: &Dir, words: &[&str]) -> PathBuf {
    let archive =
        by_hand().path("crawl-data/CC-MAIN-2026-05/segments/1.2/robotstxt/by-hand.warc.gz");
    run_into(dir.path("census"), &[&[&*archive], words].concat())
}

impl ByHand {
    /// Returns the dataset of both crawls.
    pub fn both(&self) -> PathBuf {
        self.folder.join("both")
    }

    /// Returns the dataset that has what a query needs: both crawls, with a cohort if it is of
    /// one, or pages.
    pub fn of(&self, query: &Query) -> PathBuf {
        match query.name.as_str() {
            "compare-restriction-by-attribute" => self.folder.join("cohort"),
            _ if query.is_of_pages() => pages::census().to_owned(),
            _ => self.both(),
        }
    }

    /// Returns a file or folder next to the datasets, as an argument of the command line.
    pub fn path(&self, name: &str) -> String {
        self.folder.join(name).to_str().unwrap().to_owned()
    }

    /// Returns the arguments that a query needs besides its dataset.
    pub fn words(&self, query: &str) -> Vec<&str> {
        let value = match query {
            "compare-rank-strata"
            | "compare-rank-strata-across-crawls"
            | "compare-top-ranked-domains" => &self.ranks,
            "count-pages-shut-out" => &self.pages,
            "rank-top-level-domains-by-blocking" | "compare-agents-by-top-level-domain" => {
                "least=2"
            }
            _ => return Vec::new(),
        };
        vec!["--set", value]
    }
}

/// Writes the fetches as an archive of each crawl, those of one time in one, and returns the paths.
pub fn archives<const N: usize>(
    folder: &Path,
    crawls: [&str; N],
    fetches: &[Fetch],
) -> [String; N] {
    let times: BTreeSet<_> = fetches.iter().map(|fetch| &fetch.time).collect();
    let mut times = times.into_iter();
    let archives = crawls.map(|crawl| {
        let folder = folder.join(format!("crawl-data/{crawl}/segments/1.2/robotstxt"));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("by-hand.warc.gz");
        let time = times.next().expect("each crawl has fetches");
        let fetches = fetches.iter().filter(|fetch| fetch.time == *time);
        let bytes: Vec<u8> = fetches.flat_map(|fetch| gzip(&fetch.record())).collect();
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    });
    assert_eq!(times.next(), None);
    archives
}

impl Fetch {
    fn record(&self) -> Vec<u8> {
        let Fetch { status, body, .. } = self;
        let to = match &*self.location {
            "" => String::new(),
            to => format!("Location: {to}\r\n"),
        };
        let http = format!("HTTP/1.1 {status} \r\nContent-Type: text/plain\r\n{to}\r\n{body}");
        record(&self.url, &format!("WARC-Date: {}\r\n", self.time), http)
    }
}
