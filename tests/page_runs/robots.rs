//! What robots.txt states about pages: `page_robots`, against what `check` finds in the archives.

use std::{collections::BTreeMap, fs};

use robocensus::dataset::verify::ViolationKind;
use serde_json::Value;

use super::{Pages, violations};
use crate::util::{
    Census, Dir, TestCommand, assert_begins, assert_says, below, files_below, read_json, run,
};

const AGENTS: [&str; 3] = ["*", "GPTBot", "Googlebot"];

/// Returns robots.txt files of many kinds and pages of their origins.
fn robots() -> (Pages, Pages) {
    let mut robots = Pages::of(include_str!("../testdata/page-robots.jsonl"));
    let no_text = b"User-agent: *\nDisallow: /caf\xe9\nDisallow: /%ff\n";
    robots.robots(100, "http://bytes.example", no_text);
    let mut pages = Pages::default();
    for line in include_str!("../testdata/page-robots-pages.txt").lines() {
        let (second, url) = line.split_once(' ').unwrap();
        pages.page(second.parse().unwrap(), url);
    }
    pages.record(
        "",
        "http://a.example/p/timeless",
        200,
        &[""; 0],
        super::NOINDEX,
    );
    (robots, pages)
}

/// What [`rows`] have behind the key of the page.
const COLUMNS: &str = "agent robots_verdict robots_basis robots_line seconds_apart \
                       robots_capture_id effective_capture_id";

/// Returns the rows of `page_robots`: the URL of the page with the second of the hour at which it
/// was fetched, and the cells of [`COLUMNS`].
fn rows(census: &Census) -> Vec<Vec<String>> {
    let pages = census.table("pages");
    let pages: Vec<(i64, String, Option<i64>)> = pages.rows("page_id url fetch_time");
    let urls: BTreeMap<_, _> = pages
        .into_iter()
        .map(|(id, url, time)| {
            let second = |time: i64| format!(" @{}", time / 1_000_000 % 3600);
            (id, url + &time.map_or(String::new(), second))
        })
        .collect();
    let table = census.table("page_robots");
    let lines = table.lines(COLUMNS);
    let pages = table.all_ints("page_id").into_iter().zip(&lines);
    pages
        .map(|(page, line)| {
            let cells = line.split(' ').map(str::to_owned);
            [urls[&page].clone()].into_iter().chain(cells).collect()
        })
        .collect()
}

/// Writes the archives, and runs over them with these words.
fn run_with(dir: &Dir, words: &[&str]) -> Census {
    let (robots, pages) = robots();
    robots.write(dir, "crawl/robots.warc");
    pages.write(dir, "crawl/pages.warc");
    let agents = dir.write("agents.txt", AGENTS.join("\n"));
    run(&[&dir.word("crawl"), "--pages", "--agents", &agents])
        .words(&["--out", &dir.word("census")])
        .words(words)
        .succeed();
    Census(dir.path("census"))
}

#[test]
fn robots_txt_of_the_origin_nearest_in_time_decides() {
    let dir = Dir::new();
    let census = run_with(&dir, &[]);
    let rows = rows(&census);
    let found: Vec<_> = rows
        .iter()
        .filter(|row| row[1] == "GPTBot")
        .map(|row| {
            let end = if row[7] == "-" { " without end" } else { "" };
            format!("{} {}{end}", row[0], row[2..6].join(" "))
        })
        .collect();
    let mut sorted: Vec<_> = found.iter().map(String::as_str).collect();
    sorted.sort_unstable();
    let wanted = include_str!("../testdata/page-robots-rows.txt").lines();
    assert_eq!(sorted, Vec::from_iter(wanted));
    assert_eq!(rows.len(), sorted.len() * AGENTS.len());
}

#[test]
fn page_robots_says_what_check_says() {
    for dialect in ["google", "original-1994", "python"] {
        let dir = Dir::new();
        let census = run_with(&dir, &["--dialects", dialect]);
        let rows = rows(&census);
        assert_eq!(rows.len(), 57, "{dialect}");
        for row in rows {
            let [url, agent, verdict, _, line, _, capture, _] = &row[..] else {
                panic!("{row:?}");
            };
            let url = url.split(" @").next().unwrap();
            let (data, archives) = (dir.word("census"), dir.word("crawl"));
            let words = [
                format!("check --json --data {data} --archives {archives} --capture {capture}"),
                format!("--agent {agent} --dialect {dialect} --url {url}"),
            ];
            let said: Value = TestCommand::line(&words.join(" ")).json();
            let answer = &said["answers"][0];
            assert_eq!(answer["verdict"], **verdict, "{dialect} {row:?}");
            let decided = answer["rule_line"].as_i64().map(|line| line.to_string());
            let decided = decided.unwrap_or("-".to_owned());
            assert_eq!(decided, *line, "{dialect} {row:?}");
        }
    }
}

#[test]
fn a_window_leaves_out_what_is_too_far_in_time() {
    let dir = Dir::new();
    let census = run_with(&dir, &["--redirect-window", "30s"]);
    let rows = rows(&census);
    let has = |url: &str| rows.iter().any(|row| row[0].starts_with(url));
    assert!(has("http://a.example/p @120") && has("https://503.example/p"));
    assert!(!has("http://a.example/p/tie"));
}

#[test]
fn shards_are_resolved_by_the_command_pages() {
    let dir = Dir::new();
    let whole = rows(&run_with(&dir, &[]));
    let join = |archive: &str| {
        run(&[&dir.word(archive), "--pages", "--quiet"])
            .words(&["--agents", &dir.word("agents.txt")])
            .words(&["--join", "--no-finish", "--out", &dir.word("shards")])
            .succeed();
    };
    join("crawl/pages.warc");
    join("crawl/robots.warc");
    let shards = Census(dir.path("shards"));
    assert!(!shards.0.join("page_robots").exists());
    let said = TestCommand::new(["verify", &dir.word("shards")]).succeed();
    let says = "without redirects, hosts, page_robots, which robocensus finish builds";
    assert_says(&said.stdout, says);
    let said = TestCommand::new(["finish", &dir.word("shards")]).succeed();
    assert_says(&said.stdout, "of 23\n");
    let verdicts = |mut rows: Vec<Vec<String>>| {
        // The keys of captures depend on the parts.
        rows.iter_mut().for_each(|row| row.truncate(5));
        rows.sort();
        rows
    };
    let resolved = rows(&shards);
    assert_eq!(verdicts(resolved), verdicts(whole));
    let before = shards.files();
    TestCommand::new(["finish", &dir.word("shards"), "--quiet"]).succeed();
    assert!(shards.files() == before);
    assert_eq!(violations(&shards.0), []);
    // A part that comes later makes the table stale, until it is resolved again.
    let mut later = Pages::default();
    later.page(120, "http://a.example/later");
    later.write(&dir, "later.warc");
    join("later.warc");
    let found = violations(&shards.0);
    let messages: Vec<_> = found.iter().map(|one| one.message.as_str()).collect();
    let wanted = [
        "the table hosts was built from 2 of 3 parts; resolve the redirects again",
        "the table page_robots was built from 2 of 3 parts; resolve the pages again",
        "the table redirects was built from 2 of 3 parts; resolve the redirects again",
    ];
    assert_eq!(messages, wanted);
}

#[test]
fn rows_about_pages_that_do_not_add_up_are_found() {
    let dir = Dir::new();
    let whole = run_with(&dir, &[]).0;
    assert!(violations(&whole).is_empty());

    // The rows of another dataset, in which the matrix has fewer agents, as a list names them.
    let fewer = dir.write("agents.txt", AGENTS[1..].join("\n"));
    TestCommand::new(["run", &dir.word("crawl"), "--pages", "--agents", &fewer])
        .words(&["--quiet", "--out", &dir.word("fewer")])
        .succeed();
    let fewer = dir.path("fewer");
    assert!(violations(&fewer).is_empty());
    let list = "_tables/page_robots.json";
    for file in [list, "page_robots/part-page_robots.parquet"] {
        fs::copy(fewer.join(file), whole.join(file)).unwrap();
    }
    let [violation] = <[_; 1]>::try_from(violations(&whole)).unwrap();
    assert_eq!(
        (&*violation.path, violation.kind),
        (list, ViolationKind::Accounting)
    );
    let says = "expected 3 rows of page_robots for each page";
    assert_begins(&violation.message, says);
    assert!(violation.message.ends_with("resolve the pages again"));

    // A list that has lost the rows of a table, with their file.
    let manifests = files_below(&fewer.join("_manifest")).into_iter();
    let mut of_pages = manifests.filter(|path| below(&fewer, path).starts_with("_manifest/pages"));
    let manifest = of_pages.next().unwrap();
    let mut listed: Value = read_json(&manifest);
    listed["files"].as_array_mut().unwrap().retain(|file| {
        let is_lost = file["table"] == "page_policies";
        if is_lost {
            fs::remove_file(fewer.join(file["path"].as_str().unwrap())).unwrap();
        }
        !is_lost
    });
    fs::write(&manifest, listed.to_string()).unwrap();
    let [missing] = <[_; 1]>::try_from(violations(&fewer)).unwrap();
    assert_eq!(missing.kind, ViolationKind::Missing);
}
