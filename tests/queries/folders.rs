//! The location of a dataset: its path is a path and no pattern, and what `docs/sql.md` states on
//! reading its files holds.

use std::{fs, os::unix::fs::symlink, process::Command};

use crate::util::{
    Dir, Ran, answer, ended, lines, or_skip, package, piped, rows_of_duckdb, run_into,
};

/// Makes a dataset of these hosts and returns its folder.
fn dataset(dir: &Dir, name: &str, hosts: &[&str]) {
    let archive = dir.archive("a.warc.gz", &hosts.iter().map(file).collect::<Vec<_>>());
    run_into(dir.path(name), &[&archive, "--quiet"]);
}

/// Returns the file of a host.
fn file(host: &&str) -> (String, &'static str) {
    let url = format!("https://{host}/robots.txt");
    (url, "User-agent: *\nDisallow: /\n")
}

/// Runs the program in the folder, so that the words may be relative paths.
fn run_within(dir: &Dir, words: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_robocensus"));
    command.args(words).current_dir(dir.path("."));
    ended(piped(command.env("HOME", dir.path("home"))))
}

#[test]
fn the_path_of_a_dataset_is_no_pattern() {
    let dir = Dir::new();
    dataset(&dir, "census", &["one.example"]);
    // What the names below would match as patterns.
    for decoy in ["a", "stop", "qx", "x", "home/t", "{a"] {
        dataset(&dir, decoy, &["two.example", "three.example"]);
    }
    let sql = "SELECT url_host_name AS host FROM hosts ORDER BY ALL";
    let names = "[a]|st*|q?|**|[!a]|]|{a,b}|it's|new\nline|~t|~|s3:|a=b|ü|--x|/'; SELECT 1; --";
    for name in names.split('|') {
        let path = dir.path("census");
        let folder = format!("./{name}");
        let name = if name.starts_with(['-', '/']) {
            &folder
        } else {
            name
        };
        if let Some(parent) = dir.path(name).parent() {
            fs::create_dir_all(parent).unwrap();
        }
        fs::rename(&path, dir.path(name)).unwrap();
        let ran = run_within(&dir, &["query", sql, "--data", name, "--format", "csv"]);
        if ran.stderr.contains("no duckdb on the PATH") {
            return eprintln!("skipped: {}", ran.stderr.trim());
        }
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{name:?}");
        assert_eq!(ran.stdout, "host\none.example\n", "{name:?}");
        // The other commands that take a folder hand it over the same way.
        if name == "[a]" {
            let of_two = ["query", "count-changes", "--data", "a", "--before", name];
            let of_hosts_twice = ["query", "rank-misspelt-fields", "--data", name];
            let over_time = "FROM host_versions JOIN agent_events USING (origin)";
            let over_time = ["query", over_time, "--data", name];
            let report = ["report", "--data", name, "--out", "page.html"];
            for words in [&of_two[..], &of_hosts_twice, &over_time, &report] {
                let ran = run_within(&dir, words);
                assert_eq!(ran.code, 0, "{words:?}: {}", ran.stderr);
                assert!(!ran.stdout.contains("three.example"), "{words:?}");
            }
            let page = fs::read_to_string(dir.path("page.html")).unwrap();
            assert!(!page.contains("three.example"), "{name:?}");
        }
        fs::rename(dir.path(name), &path).unwrap();
    }
}

#[test]
fn a_path_that_duckdb_cannot_read_is_refused_and_a_link_helps() {
    let dir = Dir::new();
    dataset(&dir, "census", &["one.example"]);
    let path = dir.path(r"back\slash");
    fs::rename(dir.path("census"), &path).unwrap();
    let sql = "SELECT count(*) AS n FROM hosts";
    let ran = run_within(&dir, &["query", sql, "--data", r"back\slash"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("has a backslash"), "{}", ran.stderr);
    symlink(&path, dir.path("link")).unwrap();
    if let Some(rows) = answer(&dir.path("link"), sql, &[]) {
        assert_eq!(lines(&rows, "n"), ["1"]);
    }
}

/// Counts the rows of a table as the page on SQL does, with `folder` in place of its dataset.
fn count_as_the_page_does(folder: &str) -> Option<Vec<String>> {
    let page = fs::read_to_string(package().join("docs/sql.md")).unwrap();
    let call = page.split("FROM ").find_map(|text| {
        let call = text.split('\n').next()?;
        call.starts_with("read_parquet('census/").then_some(call)
    });
    let call = call.unwrap().replace("census", folder);
    let rows = rows_of_duckdb(&format!("SELECT count(*) AS n FROM {call}"))?;
    Some(lines(&rows, "n"))
}

#[test]
fn the_page_on_reading_files_is_right_where_only_some_archives_name_a_crawl() {
    let dir = Dir::new();
    let of_crawl = "crawl-data/CC-MAIN-2026-05/segments/1.2/robotstxt/b.warc.gz";
    let with = dir.archive(of_crawl, &[file(&"b.example")]);
    let without = dir.archive("a.warc.gz", &[file(&"a.example")]);
    for (name, inputs, wanted) in [
        ("mixed", &[&with, &without][..], "2"),
        ("named", &[&with], "1"),
        ("unnamed", &[&without], "1"),
    ] {
        run_into(dir.path(name), inputs);
        let out = dir.word(name);
        let count = or_skip!(count_as_the_page_does(&out));
        assert_eq!(count, [wanted], "{name}");
    }
    let files = dir.word("named/rules/**/*.parquet");
    let crawls = "SELECT DISTINCT crawl FROM read_parquet";
    let rows = rows_of_duckdb(&format!("{crawls}('{files}', hive_partitioning = true)"));
    assert_eq!(lines(&rows.unwrap(), "crawl"), ["CC-MAIN-2026-05"]);
}
