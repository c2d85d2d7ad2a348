//! Crawls that are written by hand, so that the result of every query can be read off.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use serde::Deserialize;

use super::{Query, pages};
use crate::util::{TestCommand, files_below, gzip, lasting, package, query, record, run, run_into};

/// Two crawls, a year apart: one dataset of both, one of each, and one of those sites of both that
/// a list has.
pub struct ByHand {
    folder: PathBuf,
    /// The lists that queries need, as values of `--set`.
    ranks: String,
    pages: String,
}

/// A response of a crawl.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fetch {
    time: String,
    url: String,
    status: u16,
    /// Where a redirect leads.
    #[serde(default)]
    location: String,
    #[serde(default)]
    body: String,
    /// How many rules that cannot match are behind the body.
    #[serde(default)]
    dead_rules: usize,
}

/// Returns the datasets, made once for a process.
pub fn by_hand() -> &'static ByHand {
    static ONCE: OnceLock<ByHand> = OnceLock::new();
    ONCE.get_or_init(|| {
        let folder = lasting("by-hand");
        let archives = archives(&folder, "by-hand", "2025-05 2026-05");
        let list = |name: &str| format!("{name}={}/{name}.csv", folder.display());
        let (ranks, pages) = (list("ranks"), list("pages"));
        let hands = ByHand {
            folder,
            ranks,
            pages,
        };
        let [urls, cohort] = ["urls.txt", "cohort.csv"].map(|name| hands.path(name));
        for (name, archives, more) in [
            ("both", &archives[..], &[][..]),
            ("cohort", &archives, &["--cohort", &cohort]),
            ("before", &archives[..1], &[]),
            ("after", &archives[1..], &[]),
        ] {
            run(archives)
                .words(&["--urls", &urls, "--dialects", "google,rfc9309"])
                .words(&["--out", &hands.path(name)])
                .words(more)
                .succeed();
        }
        hands
    })
}

/// Returns a query of both crawls as a command.
pub fn ask(words: &[&str]) -> TestCommand {
    query(&by_hand().both(), words)
}

/// Returns the dataset of two crawls of every shape that queries once miscounted, made once for a
/// process.
pub fn of_shapes() -> &'static Path {
    static ONCE: OnceLock<PathBuf> = OnceLock::new();
    ONCE.get_or_init(|| {
        let folder = lasting("shapes");
        // 23 host names of 19 registered domains, all of them with a file; one is a page of HTML.
        let archives = archives(&folder, "shapes", "2015-48 2026-05");
        let urls = folder.join("urls.txt");
        let words = ["--dialects=google,rfc9309", "--urls"].map(str::to_owned);
        let words = [&archives[..], &words, &[urls.to_str().unwrap().to_owned()]];
        run_into(folder.join("census"), &words.concat())
    })
}

/// Makes a dataset of the later crawl, which a test may damage, with further words of the command
/// line.
pub fn census<S: AsRef<str>>(out: PathBuf, words: &[S]) -> PathBuf {
    let archive =
        by_hand().path("crawl-data/CC-MAIN-2026-05/segments/1.2/robotstxt/by-hand.warc.gz");
    let words = words.iter().map(AsRef::as_ref);
    let words: Vec<_> = words.chain([&*archive]).collect();
    run_into(out, &words)
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

/// Writes into a folder the fetches of `testdata/queries/NAME.jsonl`, those of one time as the
/// archive of one crawl, and the lists of the folder `NAME`; returns the paths of the archives.
pub fn archives(folder: &Path, name: &str, crawls: &str) -> Vec<String> {
    let data = package().join("tests/testdata/queries");
    for path in files_below(&data.join(name)) {
        fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
    }
    let mut of_times = BTreeMap::<_, Vec<u8>>::new();
    let text = fs::read_to_string(data.join(format!("{name}.jsonl"))).unwrap();
    for line in text.lines() {
        let fetch: Fetch = serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}"));
        let members = of_times.entry(fetch.time.clone()).or_default();
        members.extend(gzip(&fetch.record()));
    }
    assert_eq!(crawls.split(' ').count(), of_times.len());
    let archives = crawls.split(' ').zip(of_times.values());
    let archives = archives.map(|(week, members)| {
        let of_crawl = folder.join(format!("crawl-data/CC-MAIN-{week}/segments/1.2/robotstxt"));
        fs::create_dir_all(&of_crawl).unwrap();
        let path = of_crawl.join("by-hand.warc.gz");
        fs::write(&path, members).unwrap();
        path.to_str().unwrap().to_owned()
    });
    archives.collect()
}

impl Fetch {
    fn record(&self) -> Vec<u8> {
        let Fetch { status, body, .. } = self;
        let to = match &*self.location {
            "" => String::new(),
            to => format!("Location: {to}\r\n"),
        };
        let mut http = format!("HTTP/1.1 {status} \r\nContent-Type: text/plain\r\n{to}\r\n{body}");
        http.extend((0..self.dead_rules).map(|n| format!("Disallow: no-slash-{n}\n")));
        record(&self.url, &format!("WARC-Date: {}\r\n", self.time), http)
    }
}
