//! What the program shows, for a person and for a program: its figures are those of the tables.

use std::{
    collections::BTreeSet,
    fs, thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::{good, hosts};
use crate::util::{
    Dir, Generated, TestCommand, assert_begins, assert_says, committed, ended, generated, run,
    tally,
};

/// What else the summary counts is counted again in `recount/count_summary.py`.
#[test]
fn the_summary_in_json_is_what_the_tables_hold() {
    for Generated {
        summary, census, ..
    } in [generated(), committed()]
    {
        for table in ["errors", "response_errors"] {
            let codes = tally(census.table(table).all_texts("code"));
            assert_eq!(summary[format!("{table}_by_code")], json!(codes));
        }
        assert_eq!(summary["run_id"].as_str().unwrap().len(), 16);
        let files = census.files().into_iter();
        let parquet = files.filter(|(name, _)| name.ends_with(".parquet"));
        let bytes: usize = parquet.map(|(_, bytes)| bytes.len()).sum();
        assert_eq!(summary["bytes_out"], bytes);
    }
}

#[test]
fn the_summary_counts_hosts_whose_rules_shut_out_agents_of_a_category() {
    let Generated {
        summary, census, ..
    } = generated();
    let verdicts = census.table("verdicts");
    let rows: Vec<(i64, String, String, String, String)> =
        verdicts.rows("capture_id agent url verdict basis");
    let seo = ["AhrefsBot", "SemrushBot", "MJ12bot"];
    let shut_out = rows.iter().filter(|(_, agent, url, verdict, basis)| {
        seo.contains(&&**agent) && url == "/" && verdict == "disallow" && basis == "rule"
    });
    let shut_out = BTreeSet::from_iter(shut_out.map(|(id, ..)| id));
    let hosts: Vec<(i64, bool, bool)> =
        (census.table("hosts")).rows("capture_id is_primary has_robots_txt");
    let counted = hosts.iter().filter(|(id, is_primary, has_robots_txt)| {
        *is_primary && *has_robots_txt && shut_out.contains(&id)
    });
    let counted = counted.count();
    let any = &summary["root_disallowed_by_category"]["seo"]["any_agent"];
    assert_eq!(any["hosts"], counted);
    let share = counted as f64 / summary["hosts_read"]["count"].as_f64().unwrap();
    assert!((any["share_of_hosts_read"].as_f64().unwrap() - share).abs() < 1e-9);
}

#[test]
fn the_json_summary_may_be_all_of_standard_output() {
    let dir = Dir::new();
    let archive = dir.write("a.warc.gz", good());
    let out = format!("--out={}", dir.word("census"));
    let words = [&archive, "--summary-json=-", "--overwrite", &out];
    let ran = run(&words).succeed();
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(json["captures"], 1);
    assert_begins(&ran.stderr, "Archives\n");
    let ran = run(&words).words(&["--quiet"]).succeed();
    let quiet: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&quiet["captures"], &*ran.stderr), (&json["captures"], ""));
    assert!(!dir.path("-").exists());
}

#[test]
fn a_run_that_is_killed_leaves_no_temporary_file_of_its_json_summary() {
    let dir = Dir::new();
    let json = dir.word("out/summary.json");
    fs::create_dir(dir.path("out")).unwrap();
    let census = dir.word("census");
    let mut child = run(&["-", "--out", &census, "--summary-json", &json]).start();
    // Standard input stays open, so the run lasts until it is killed.
    let begun = Instant::now();
    while !dir.path("census/_dataset.json").exists() {
        let has_time = begun.elapsed() < Duration::from_secs(60);
        assert!(has_time, "it does not begin");
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let left: Vec<_> = fs::read_dir(dir.path("out")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn verbose_reports_inputs_plan_and_parts_on_standard_error() {
    let dir = Dir::new();
    for name in ["a", "b"] {
        dir.write(&format!("crawl/{name}.warc.gz"), good());
    }
    let urls = dir.write("urls.txt", "/\n/a\nhttps://good.example/x\n");
    let (crawl, out) = (dir.word("crawl"), dir.word("census"));
    let files = [&crawl, "--out", &out, "--urls", &urls];
    let options = "--dialects=google,rfc9309 --threads=1 --part-size=100 --verbose";
    let words: Vec<_> = files.into_iter().chain(options.split(' ')).collect();
    let said = run(&words).succeed().stderr;
    let bytes = 2 * good().len();
    let lines: Vec<_> = said.lines().collect();
    assert_begins(lines[0], "inputs: 2 archives, ");
    assert_says(lines[0], &bytes.to_string());
    assert_eq!(lines[1], format!("output: {out}"), "{said}");
    let wanted = [
        "parts: 2, 100 B of archives for each at most",
        "threads: 1 at most",
        "dialects: google, rfc9309 (reference: google)",
        "matrix: 24 agents x 2 paths x 2 dialects = 96 verdicts for each capture, besides 1 absolute URL for their own origins",
    ];
    assert_eq!(lines[2..6], wanted, "{said}");
    assert_begins(lines[6], "tables: ");
    assert_begins(lines[7], "not computed: ");
    assert_eq!(lines[8], "plan: 2 parts, 2 tasks, 1 thread", "{said}");
    for (line, (number, name)) in lines[9..].iter().zip([(1, "a"), (2, "b")]) {
        assert_begins(line, &format!("published: part {number} of 2, {name}-"));
        assert_says(line, ": 1 archive, 1 capture, ");
    }
    assert_eq!(lines.len(), 11, "{said}");
    let said = run(&words).words(&["--resume"]).succeed().stderr;
    let plan = "plan: 0 parts, 0 tasks, 1 thread; 2 parts already published\n";
    assert_says(&said, plan);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let dir = Dir::new();
    let archive = dir.write("a.warc.gz", good());
    let census = dir.word("census");
    let urls = (0..50_000).map(|number| format!("/{number}\n"));
    let urls = dir.write("urls.txt", urls.collect::<String>());
    for words in [
        &["run", &archive, "--out", &census][..],
        &["run", "--print-matrix", "--urls", &urls],
    ] {
        let mut child = TestCommand::new(words.iter().copied()).start();
        drop(child.stdout.take());
        let ran = ended(child);
        assert_eq!((ran.code, &*ran.stderr), (0, ""));
    }
    assert_eq!(hosts(&dir), ["good.example"]);
}
