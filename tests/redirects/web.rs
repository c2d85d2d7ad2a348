//! Webs of captures made by hand, and the rows of `redirects` that runs make of them.

use std::{collections::BTreeMap, path::Path};

use jiff::{Timestamp, ToSpan};
use robocensus::{Config, Progress, Summary};

use crate::util::{Census, Dir, Held, record};

/// An archive in the making, of a subset in which every response is a capture.
#[derive(Default)]
pub struct Web {
    pub records: Vec<u8>,
}

impl Web {
    /// Returns the fetches of a text: the second of a day, or a date; the URL, which is that of a
    /// robots.txt unless it has a path; and `shut`, `open` or `page` for a file, a path for one
    /// that disallows it, `>` and where a redirect leads, or a status, which may stand before `>`.
    pub fn of(fetches: &str) -> Self {
        let mut web = Self::default();
        for line in fetches.lines().filter(|line| !line.starts_with('#')) {
            let words: Vec<_> = line.splitn(3, ' ').collect();
            let url = match words[1].matches('/').count() {
                2 => format!("{}/robots.txt", words[1]),
                _ => words[1].to_owned(),
            };
            let at = words[0].parse().map_or(words[0].to_owned(), date);
            let (status, location) = match words[2].split_once("> ") {
                None => (words[2], String::new()),
                Some(("", to)) => ("301", format!("Location: {to}\r\n")),
                Some((status, to)) => (status.trim_end(), format!("Location: {to}\r\n")),
            };
            match status {
                "shut" => web.add(&at, &url, 200, "", "User-agent: *\nDisallow: /\n"),
                "open" => web.add(&at, &url, 200, "", "User-agent: *\nDisallow:\n"),
                "page" => web.add(&at, &url, 200, "", "<!doctype html><p>"),
                path if path.starts_with('/') => {
                    let file = format!("User-agent: *\nDisallow: {path}\n");
                    web.add(&at, &url, 200, "", &file);
                }
                status => web.add(&at, &url, status.parse().unwrap(), &location, ""),
            }
        }
        web
    }

    fn add(&mut self, date: &str, url: &str, status: u16, field: &str, body: &str) {
        let head = format!("HTTP/1.1 {status} Said\r\n{field}Content-Type: text/plain");
        let http = format!("{head}\r\n\r\n{body}");
        let date = format!("WARC-Date: {date}\r\n");
        self.records.extend(record(url, &date, http));
    }

    /// Adds a file that was read at that second of a day.
    pub fn file(&mut self, second: i64, url: &str, body: &str) {
        self.add(&date(second), url, 200, "", body);
    }

    pub fn archive(&self, name: &str) -> Held {
        Held::new(&format!("robotstxt/{name}.warc"), self.records.clone())
    }

    /// Returns the same as one of the crawl of that name.
    pub fn archive_of(&self, crawl: &str) -> Held {
        let name = format!("crawl-data/{crawl}/segments/1.2/robotstxt/a.warc");
        Held::new(&name, self.records.clone())
    }

    /// Returns the rows of the table that a run over this web alone makes.
    pub fn rows(&self) -> Vec<Row> {
        self.rows_of(|_| {})
    }

    /// Returns the rows that a run of other options makes.
    pub fn rows_of(&self, change: impl Fn(&mut Config)) -> Vec<Row> {
        let dir = Dir::new();
        run_over(&dir.path("census"), vec![self.archive("a")], change);
        rows(&Census(dir.path("census")))
    }
}

/// Returns a second of a day as a date.
fn date(second: i64) -> String {
    let day: Timestamp = "2026-01-02T00:00:00Z".parse().unwrap();
    (day + second.seconds()).to_string()
}

pub fn run_over(out: &Path, archives: Vec<Held>, change: impl Fn(&mut Config)) -> Summary {
    let mut config = Config::new(out);
    config.part_bytes = 1;
    change(&mut config);
    let archives: Vec<_> = archives.into_iter().map(Held::source).collect();
    robocensus::run(&config, &archives, &Progress::default()).unwrap()
}

/// A row, with the URLs of captures instead of their identifiers.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub url: String,
    pub target: Option<String>,
    pub hops: i64,
    pub outcome: String,
    pub last: String,
    /// URL and status of the capture that counts.
    pub effective: Option<(String, i64)>,
    pub dialect: String,
    pub access: Option<String>,
    pub seconds_apart: Option<f64>,
    /// URL of the capture that the target answered with.
    pub next: Option<String>,
}

pub fn rows(census: &Census) -> Vec<Row> {
    let captures = census.table("captures").rows("capture_id url fetch_status");
    let said: BTreeMap<i64, (String, i64)> = captures
        .into_iter()
        .map(|(id, url, status)| (id, (url, status)))
        .collect();
    let table = census.table("redirects");
    let texts = |column| table.all_texts(column);
    let (hosts, outcomes) = (texts("url_host_name"), texts("outcome"));
    let (last, dialects) = (texts("final_url"), texts("dialect"));
    let (targets, accesses) = (table.texts("target_url"), table.texts("access"));
    let effective = table.ints("effective_capture_id");
    let next = table.ints("target_capture_id");
    let (hops, apart) = (table.all_ints("hops"), table.floats("seconds_apart"));
    let row = |(row, id): (usize, i64)| {
        let url = said[&id].0.clone();
        assert!(url.contains(&hosts[row]), "{url} at {}", hosts[row]);
        Row {
            url,
            target: targets[row].clone(),
            hops: hops[row],
            outcome: outcomes[row].clone(),
            last: last[row].clone(),
            effective: effective[row].map(|id| said[&id].clone()),
            dialect: dialects[row].clone(),
            access: accesses[row].clone(),
            seconds_apart: apart[row],
            next: next[row].map(|id| said[&id].0.clone()),
        }
    };
    let ids = table.all_ints("capture_id").into_iter();
    ids.enumerate().map(row).collect()
}
