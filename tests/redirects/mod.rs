//! Where redirects lead: the table `redirects`, made by runs over archives whose every hop is
//! known, and rebuilt by the command alone.

mod by_dialect;
mod host_table;
mod hosts;
mod in_time;
pub mod web;

use std::{fs, thread};

use robocensus::{Config, ErrorKind, Progress, Summary, dataset::sink::OpenMode, finish};

use self::web::{Row, Web, rows, run_over};
use crate::util::{Census, Dir, Held, TestCommand, assert_begins, gzip, response};

/// Returns outcome, hops and last URL of each row.
fn ends(rows: &[Row]) -> Vec<(&str, i64, &str)> {
    rows.iter()
        .map(|row| (row.outcome.as_str(), row.hops, row.last.as_str()))
        .collect()
}

#[test]
fn a_location_leads_to_the_url_that_a_crawler_asks_for() {
    let at = "https://a.example/robots.txt";
    // Other forms are cases of `dataset::redirect::url` and `url::relative`.
    for (location, target) in [
        ("", at),
        ("/de/robots.txt", "https://a.example/de/robots.txt"),
        ("http://b.example", "http://b.example/"),
        ("HTTP://B.Example:80/x#y", "http://b.example/x"),
        ("https://müller.eu/ä", "https://xn--mller-kva.eu/%C3%A4"),
    ] {
        let rows = Web::of(&format!("0 {at} > {location}\n1 {target} open")).rows();
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].target.as_deref(), Some(target), "{location}");
        assert_eq!(rows[0].effective, Some((target.to_owned(), 200)));
        assert_eq!(ends(&rows), [("resolved", 1, target)]);
    }
}

#[test]
fn what_no_crawler_follows_ends_where_it_stands() {
    let at = "http://a.example/robots.txt";
    for said in [
        "301",
        "302 > javascript:void(0)",
        "307 > http://a b.example/",
        "300 > /x",
    ] {
        let rows = Web::of(&format!("0 {at} {said}\n1 http://a.example/x open")).rows();
        assert_eq!(ends(&rows), [("not_followable", 0, at)], "{said}");
        assert_eq!((&rows[0].target, &rows[0].effective), (&None, &None));
    }
    let target = "http://b.example/x";
    let rows = Web::of(&format!("0 {at} > {target}\n0 {target} 305")).rows();
    assert_eq!(rows[0].target.as_deref(), Some(target));
    let both = [("not_followable", 1, target), ("not_followable", 0, target)];
    assert_eq!(ends(&rows), both);
}

#[test]
fn targets_are_found_in_whatever_part_they_stand_and_when_it_is_added() {
    let b = "http://b.example/robots.txt";
    let from = Web::of("0 http://a.example > http://b.example/robots.txt");
    let to = Web::of("1 http://b.example open");
    let dir = Dir::new();
    let out = dir.path("census");
    let join = |config: &mut Config| config.mode = OpenMode::Join;
    let first = run_over(&out, vec![from.archive("a")], join);
    let count = |summary: &Summary, outcome| summary.redirects.as_ref().unwrap().outcomes[outcome];
    assert_eq!(count(&first, "not_in_corpus"), 1);
    let later = run_over(&out, vec![to.archive("b")], |config| {
        join(config);
        config.finish = false;
    });
    assert_eq!(later.redirects, None);
    let census = Census(out.clone());
    assert_eq!(ends(&rows(&census)), [("not_in_corpus", 1, b)]);
    let made = finish(&out, &Progress::default()).unwrap();
    let outcomes = made.redirects.unwrap().outcomes;
    assert_eq!((outcomes["resolved"], outcomes["loop"]), (1, 0));
    assert_eq!(ends(&rows(&census)), [("resolved", 1, b)]);

    let whole = dir.path("whole");
    run_over(&whole, vec![from.archive("a"), to.archive("b")], |_| {});
    let file = "redirects/part-redirects.parquet";
    assert_eq!(census.files()[file], Census(whole).files()[file]);
    assert!(!out.join("_tmp").exists());
}

#[test]
fn workers_that_end_at_the_same_time_leave_the_table_of_all_parts() {
    let redirect = |n| format!("0 http://{n}.example > http://{}.example/robots.txt", n + 1);
    let fetches = (0..6)
        .map(redirect)
        .chain(["1 http://6.example open".to_owned()]);
    let archives = fetches
        .enumerate()
        .map(|(n, fetch)| Web::of(&fetch).archive(&n.to_string()));
    let archives: Vec<_> = archives.collect();
    let dir = Dir::new();
    run_over(&dir.path("alone"), archives.clone(), |_| {});
    let file = "redirects/part-redirects.parquet";
    let alone = Census(dir.path("alone")).files().remove(file).unwrap();
    let join = |config: &mut Config| config.mode = OpenMode::Join;
    for round in 0..10 {
        let out = dir.path(&round.to_string());
        thread::scope(|scope| {
            for archive in &archives {
                scope.spawn(|| run_over(&out, vec![archive.clone()], join));
            }
        });
        assert!(Census(out).files()[file] == alone, "round {round}");
    }
}

#[test]
fn without_redirects_the_table_is_empty_and_says_so() {
    let dir = Dir::new();
    let web = Web::of("0 http://a.example open");
    let summary = run_over(&dir.path("census"), vec![web.archive("a")], |_| {});
    let outcomes = summary.redirects.unwrap().outcomes;
    assert_eq!(Vec::from_iter(outcomes.into_values()), [0; 7]);
    assert_eq!(Census(dir.path("census")).table("redirects").n_rows(), 0);
    let said = TestCommand::new(["finish", &dir.word("census")]).succeed();
    let (of_redirects, of_hosts) = said.stdout.split_once("\n\n").unwrap();
    assert_eq!(of_redirects, "No redirects in the dataset");
    assert_begins(of_hosts, "Hosts of the whole dataset\n");
}

#[test]
fn a_stopped_resolution_leaves_the_table_as_it_was() {
    let dir = Dir::new();
    let out = dir.path("census");
    let web = Web::of("0 http://a.example > /x");
    run_over(&out, vec![web.archive("a")], |config| config.finish = false);
    let census = Census(out.clone());
    let before = census.files();
    let progress = Progress::default();
    progress.stop();
    let error = finish(&out, &progress).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Interrupted));
    assert!(before == census.files());
}

#[test]
fn a_folder_that_is_no_dataset_of_this_version_is_refused() {
    let dir = Dir::new();
    let of = |name: &str| TestCommand::new(["finish"]).words(&[dir.word(name)]);
    dir.write("notes/thesis.txt", "x");
    of("notes").refuse(&["notes: expected the folder of a dataset", "_dataset.json"]);
    of("nowhere").refuse(&["nowhere: expected the folder of a dataset"]);
    let web = Web::of("0 http://a.example open");
    run_over(&dir.path("census"), vec![web.archive("a")], |_| {});
    let path = dir.path("census/_dataset.json");
    let said = fs::read_to_string(&path).unwrap();
    let older = said.replace("\"schema_version\": ", "\"schema_version\": 9");
    fs::write(&path, &older).unwrap();
    of("census").refuse(&["_dataset.json: expected a dataset of version", "found \""]);
    fs::write(&path, &said).unwrap();
    // Tables of the same parts are not made again.
    for table in ["redirects", "hosts"] {
        fs::remove_dir_all(dir.path("census").join(table)).unwrap();
    }
    let file = Census(dir.path("census")).only_file("captures");
    fs::write(&file, "no Parquet").unwrap();
    of("census").refuse(&["part-a", "cannot be read"]);
    fs::remove_file(&file).unwrap();
    of("census").refuse(&["part-a", "cannot open"]);
    let manifest = fs::read_dir(dir.path("census/_manifest")).unwrap().next();
    fs::write(manifest.unwrap().unwrap().path(), "{}").unwrap();
    of("census").refuse(&["_manifest/a-", "expected the manifest of a part"]);
}

#[test]
fn every_file_of_a_part_is_read() {
    let hop = |name: &str| {
        let web = format!("0 http://{name}.example > /moved\n0 http://{name}.example/moved open");
        gzip(&Web::of(&web).records)
    };
    // Nine times as much as fills a chunk: the part continues in a second file.
    let long = "a".repeat(7 << 20);
    let filler = gzip(&response("http://large.example/robots.txt", long));
    let bytes = [hop("first"), filler.repeat(9 * 3), hop("last")].concat();
    let archive = Held::new("robotstxt/large.warc.gz", bytes).of_mib(1024);
    let dir = Dir::new();
    let out = dir.path("census");
    let summary = run_over(&out, vec![archive], |_| {});
    let census = Census(out.clone());
    let files = census.files().into_keys();
    let of_captures: Vec<_> = files.filter(|file| file.starts_with("captures/")).collect();
    assert!(of_captures.len() > 1, "{of_captures:?}");
    let moved = ["http://first.example/moved", "http://last.example/moved"];
    let wanted = moved.map(|url| ("resolved", 1, url));
    assert_eq!(ends(&rows(&census)), wanted);
    assert_eq!(summary.redirects.unwrap().outcomes["resolved"], 2);
    finish(&out, &Progress::default()).unwrap();
    assert_eq!(ends(&rows(&census)), wanted);
}
