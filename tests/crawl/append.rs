//! Crawls that are added to a dataset one by one and dropped, and datasets that are asked as one.

use std::{
    collections::BTreeMap,
    fs, thread,
    time::{Duration, SystemTime},
};

use super::{archives, assert_is_sound, finish, run_crawl, write_crawl, write_list};
use crate::util::{Census, Dir, Files, TestCommand, answer, assert_says, gzip, or_skip, run};

const NAMES: [&str; 7] = [
    "CC-MAIN-2024-10",
    "CC-MAIN-2024-18",
    "CC-MAIN-2024-22",
    "CC-MAIN-2024-26",
    "CC-MAIN-2024-30",
    "CC-MAIN-2024-33",
    "CC-MAIN-2024-38",
];

/// Writes crawls of one archive each.
fn crawls(dir: &Dir, names: &[&str]) {
    for name in names {
        write_crawl(dir, name, "robotstxt", 1);
    }
}

fn add(dir: &Dir, crawls: &[&str], census: &str) -> TestCommand {
    let words = ["--quiet", "--out", &dir.word(census)];
    run_crawl(dir, &crawls.join(",")).words(&words)
}

fn drop_crawl(dir: &Dir, census: &str, crawl: &str) -> TestCommand {
    let words = ["finish", "--quiet", "--drop-crawl", crawl];
    TestCommand::new(words).words(&[dir.word(census)])
}

/// Returns the files of a dataset but its lists of inputs, of which each run writes one.
fn files(dir: &Dir, census: &str) -> Files {
    let mut files = Census(dir.path(census)).files();
    files.retain(|path, _| !path.starts_with("_inputs/"));
    files
}

/// Returns the times at which the files of crawls were written.
fn times(dir: &Dir, census: &str) -> BTreeMap<String, SystemTime> {
    let files = files(dir, census).into_keys();
    let of_crawls = files.filter(|path| path.contains("/crawl="));
    let time = |path: &String| fs::metadata(dir.path(census).join(path))?.modified();
    let times = of_crawls.map(|path| (path.clone(), time(&path).unwrap()));
    times.collect()
}

#[test]
fn a_crawl_more_is_read_alone_and_makes_the_dataset_of_all() {
    let dir = Dir::new();
    crawls(&dir, &NAMES);
    // The one that is added is not the latest, and its options need not be given again.
    let dialects = ["--dialects", "rfc9309,google"];
    add(&dir, &[&NAMES[..4], &NAMES[5..]].concat(), "census")
        .words(&dialects)
        .succeed();
    let before = times(&dir, "census");
    // What is not there cannot be read.
    let other = dir.path("base/crawl-data/CC-MAIN-2024-10");
    fs::rename(&other, dir.path("away")).unwrap();
    add(&dir, &NAMES[4..5], "census").succeed();
    let after = times(&dir, "census");
    for (path, time) in &before {
        assert_eq!(after[path], *time, "{path} was written again");
    }
    fs::rename(dir.path("away"), &other).unwrap();
    add(&dir, &NAMES, "all").words(&dialects).succeed();
    assert!(files(&dir, "census") == files(&dir, "all"));
    assert_is_sound(&dir, "census");
    // Files with other bytes are written again.
    for table in ["redirects", "hosts"] {
        let file = format!("census/{table}/crawl={}/part-{table}.parquet", NAMES[0]);
        fs::write(dir.path(&file), "no Parquet").unwrap();
    }
    finish(&dir, "census");
    assert!(files(&dir, "census") == files(&dir, "all"));
}

#[test]
fn a_crawl_that_is_there_is_refused_or_resumed_and_never_doubled() {
    let dir = Dir::new();
    crawls(&dir, &NAMES[..3]);
    let two = write_crawl(&dir, NAMES[3], "robotstxt", 2);
    let [second, third, fourth] = [1, 2, 3].map(|nth| &NAMES[nth..=nth]);
    add(&dir, &NAMES[..2], "census").succeed();
    let again = ["already holds a dataset of these archives", "--resume"];
    add(&dir, second, "census").refuse(&again);
    add(&dir, &NAMES[1..3], "census").refuse(&[NAMES[2], "is not among its archives", "--join"]);
    for (flag, value, says) in [
        ("--dialects", "python", "dialects is \"google\" there"),
        ("--part-size", "1", "part_bytes is"),
    ] {
        let command = add(&dir, third, "census").words(&[flag, value]);
        command.refuse(&["was made with other options", says]);
    }
    // One part of the crawl remains, as after a run that was killed.
    let part_size = ["--part-size", "1"];
    add(&dir, &NAMES[..2], "killed").words(&part_size).succeed();
    add(&dir, fourth, "killed").succeed();
    let whole = Census(dir.path("killed")).files();
    let mut files = whole.keys();
    let file = files.find(|path| path.starts_with("rules/crawl=CC-MAIN-2024-26/"));
    fs::remove_file(dir.path("killed").join(file.unwrap())).unwrap();
    add(&dir, fourth, "killed").refuse(&again);
    let resume = |crawl| add(&dir, crawl, "killed").words(&["--resume"]);
    resume(&NAMES[..1]).refuse(&["is damaged", "is missing"]);
    resume(fourth).succeed();
    assert!(Census(dir.path("killed")).files() == whole);
    // A crawl of which one archive of two was given is completed, not read again.
    let list = |names: &[String]| gzip(names.join("\n").as_bytes());
    write_list(&dir, NAMES[3], "robotstxt", list(&two[..1]));
    add(&dir, fourth, "census").succeed();
    write_list(&dir, NAMES[3], "robotstxt", list(&two));
    add(&dir, fourth, "census").refuse(&[&two[1], "is not among its archives", "--join"]);
    add(&dir, fourth, "census").words(&["--join"]).succeed();
    let found = archives(&dir, "census");
    assert_eq!((found.len(), &found[2..]), (4, &two[..]));
}

#[test]
fn a_crawl_is_dropped_whole_whenever_the_process_is_killed() {
    let dir = Dir::new();
    crawls(&dir, &NAMES[..3]);
    add(&dir, &NAMES[..3], "census").succeed();
    add(&dir, &[NAMES[0], NAMES[2]], "without").succeed();
    let whole = files(&dir, "census");
    drop_crawl(&dir, "census", NAMES[5]).refuse(&["no crawl \"CC-MAIN-2024-33\"", NAMES[2]]);
    drop_crawl(&dir, "census", NAMES[1]).succeed();
    assert!(Census(dir.path("census")).files() == Census(dir.path("without")).files());
    assert_is_sound(&dir, "census");
    for milliseconds in [0, 10, 20, 30, 40, 60] {
        add(&dir, &NAMES[1..2], "census").end();
        assert!(files(&dir, "census") == whole);
        let mut child = drop_crawl(&dir, "census", NAMES[1]).start();
        thread::sleep(Duration::from_millis(milliseconds));
        child.kill().unwrap();
        child.wait().unwrap();
        finish(&dir, "census");
        let found = files(&dir, "census");
        let is_whole = found == whole || found == files(&dir, "without");
        assert!(is_whole, "killed after {milliseconds} ms");
        assert_is_sound(&dir, "census");
    }
    // A process that forgot the crawl in the tables of the whole, and died before any file went.
    add(&dir, &NAMES[1..2], "census").end();
    for table in ["hosts", "redirects"] {
        let record = |census| dir.path(census).join(format!("_tables/{table}.json"));
        fs::copy(record("without"), record("census")).unwrap();
    }
    drop_crawl(&dir, "census", NAMES[1]).succeed();
    assert!(files(&dir, "census") == files(&dir, "without"));
    assert_is_sound(&dir, "census");
    drop_crawl(&dir, "without", NAMES[0]).succeed();
    drop_crawl(&dir, "without", NAMES[2]).refuse(&["no crawl but CC-MAIN-2024-22", "delete"]);
}

/// Returns a command over several datasets.
fn over(dir: &Dir, words: &[&str], datasets: &[&str]) -> TestCommand {
    let data = |name: &&str| format!("--data={}", dir.word(name));
    let datasets: Vec<_> = datasets.iter().map(data).collect();
    TestCommand::new(words.iter().copied()).words(&datasets)
}

/// Returns the page that `report` makes of datasets.
fn report(dir: &Dir, datasets: &[&str]) -> String {
    let page = dir.word("page.html");
    over(dir, &["report", "--out", &page], datasets).succeed();
    fs::read_to_string(page).unwrap()
}

#[test]
fn datasets_of_other_crawls_give_the_figures_of_one() {
    let dir = Dir::new();
    crawls(&dir, &NAMES[..4]);
    add(&dir, &NAMES[..4], "one").succeed();
    add(&dir, &[NAMES[0], NAMES[2]], "a").succeed();
    add(&dir, &[NAMES[3]], "b").succeed();
    add(&dir, &[NAMES[1]], "c").succeed();
    let both = ["b", "c"].map(|name| format!("--data={}", dir.word(name)));
    for query in [
        "list-provenance",
        "list-coverage",
        "count-hosts-by-status",
        "compare-changes-by-crawl",
        "compare-same-domains-across-crawls",
        "FROM host_versions ORDER BY ALL",
        "FROM agent_events ORDER BY ALL",
        "SELECT count(*), count(DISTINCT capture_id) FROM policies JOIN verdicts USING (capture_id, agent)",
    ] {
        let rows = or_skip!(answer(&dir.path("one"), query, &[]));
        assert!(!rows.is_empty(), "{query}");
        let of_all = answer(&dir.path("a"), query, &both.each_ref().map(|word| &**word));
        assert_eq!(of_all.unwrap(), rows, "{query}");
    }
    assert_eq!(report(&dir, &["c", "a", "b"]), report(&dir, &["one"]));
    let query = |datasets: [&str; 2]| over(&dir, &["query", "count-changes"], &datasets);
    query(["one", "b"]).refuse(&["has the crawl CC-MAIN-2024-26, and so has", "count twice"]);
    query(["a", "b"])
        .words(&["--before", &dir.word("a")])
        .refuse(&["is one of --data too"]);
    add(&dir, &[NAMES[1]], "other")
        .words(&["--dialects", "python"])
        .succeed();
    let says = "dialects is \"google\" there and \"python\" here";
    query(["a", "other"]).refuse(&["was made with other options", says]);
    let empty = dir.write("a.warc.gz", gzip(b""));
    let unnamed = ["--sample=100%", "--quiet", "--out", &dir.word("unnamed")];
    run(&unnamed).words(&[empty]).end();
    query(["unnamed", "unnamed"]).refuse(&["has archives that name no crawl, and so has"]);
}

#[test]
fn figures_over_a_crawl_without_all_of_its_archives_say_so() {
    let dir = Dir::new();
    crawls(&dir, &NAMES[..1]);
    let names = write_crawl(&dir, NAMES[1], "robotstxt", 3);
    fs::remove_file(dir.path(&format!("base/{}", names[2]))).unwrap();
    add(&dir, &NAMES[..2], "census").end_with(1);
    let query = over(&dir, &["query", "count-hosts-by-status"], &["census"]);
    let ran = or_skip!(query.end_in_duckdb());
    let says = "2 of 3 archives of CC-MAIN-2024-18 were read whole";
    assert_says(&ran.stderr, says);
    assert_says(&report(&dir, &["census"]), says);
}
