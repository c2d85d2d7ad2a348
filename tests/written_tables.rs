//! `run --tables`: a run writes what was chosen, as a run that writes all tables would, and
//! everything that reads a dataset knows which tables it was written with.

use std::{fs, path::Path};

use robocensus::dataset::table::{PAGE_PART_TABLES, PART_TABLES, TABLES};
use serde_json::Value;

use crate::util::{
    Census, Dir, Files, TestCommand, answer, assert_begins, assert_says, committed, files_below,
    or_skip, read_json, response, run,
};

/// Tables that every run writes.
const ALWAYS: [&str; 7] = [
    "archives",
    "archive_errors",
    "archive_skips",
    "captures",
    "dialects",
    "matrix_agents",
    "cohort",
];

/// Runs the program over the committed archive into a new folder, and returns the dataset.
pub fn census(dir: &Dir, name: &str, words: &[&str]) -> Census {
    let out = dir.word(name);
    let archive = committed().archive.to_str().unwrap();
    let common = [archive, "--out", &out, "--quiet"];
    run(&common).words(words).succeed();
    Census(dir.path(name))
}

fn summary(dir: &Dir, words: &[&str]) -> Value {
    let path = dir.word("summary.json");
    let words = [words, &["--summary-json", &path, "--overwrite"]].concat();
    census(dir, "summed", &words);
    read_json(path)
}

/// Returns the Parquet files by path, each without its footer, which states the options of the run.
fn rows(census: &Census) -> Files {
    let mut files = census.files();
    files.retain(|path, _| path.ends_with(".parquet"));
    for bytes in files.values_mut() {
        let tail = bytes.len() - 8;
        let footer = u32::from_le_bytes(bytes[tail..tail + 4].try_into().unwrap());
        bytes.truncate(tail - footer as usize);
    }
    files
}

fn table_of(path: &str) -> &str {
    path.split('/').next().unwrap()
}

#[test]
fn chosen_tables_have_the_rows_of_a_run_that_writes_all() {
    let dir = Dir::new();
    let dialects = ["--dialects", "google,rfc9309"];
    let all = rows(&census(&dir, "all", &dialects));
    for tables in [
        "captures,verdict_sets,policy_sets",
        "groups,rules,signals,errors,policy_sets",
        "agents,directives,comments,response_errors",
        "redirects",
        "hosts",
        "captures",
    ] {
        let words = [&dialects[..], &["--tables", tables, "--overwrite"]].concat();
        let chosen = census(&dir, "chosen", &words);
        let names: Vec<_> = tables.split(',').chain(ALWAYS).collect();
        let found = rows(&chosen);
        let is_chosen = |path: &&String| names.contains(&table_of(path));
        let wanted: Vec<_> = all.keys().filter(is_chosen).collect();
        assert_eq!(found.keys().collect::<Vec<_>>(), wanted, "{tables}");
        for (path, bytes) in &found {
            // Archives have the digest of the options, captures and hosts no key of a table that is
            // not written.
            let differs = ["archives", "captures", "hosts"].contains(&table_of(path));
            assert!(differs || all[path] == *bytes, "{tables}: {path}");
        }
        assert_says(&verify(&chosen.0), "verified: parts 1, ");
    }
}

fn verify(folder: &Path) -> String {
    let folder = folder.to_str().unwrap();
    TestCommand::new(["verify", folder]).succeed().stdout
}

#[test]
fn verify_states_the_choice_and_misses_no_table_that_was_not_chosen() {
    let dir = Dir::new();
    let chosen = census(&dir, "chosen", &["--tables", "rules,hosts", "--no-finish"]);
    let said = verify(&chosen.0);
    let wanted = "; without hosts, which robocensus finish builds; written with --tables captures,rules,hosts\n";
    assert!(said.ends_with(wanted), "{said}");
    let file = &files_below(&chosen.0.join("rules"))[0];
    fs::remove_file(file).unwrap();
    let said = TestCommand::new(["verify", chosen.0.to_str().unwrap()]).end_with(1);
    assert_begins(&said.stdout, "rules/");
    assert_eq!(said.stdout.lines().count(), 1, "{}", said.stdout);
}

#[test]
fn the_summary_counts_what_was_found_and_no_verdict_that_was_not_asked_for() {
    let dir = Dir::new();
    let all = summary(&dir, &["--no-finish"]);
    let some = summary(&dir, &["--tables", "captures"]);
    let counted = "captures groups agent_lines rules directives errors_by_code \
                   response_errors_by_code";
    for name in counted.split(' ') {
        assert_eq!(some[name], all[name], "{name}");
    }
    assert!(all["verdicts"].as_u64().unwrap() > 0);
    assert_eq!(some["verdicts"], 0);
    for name in "hosts redirects_by_outcome root_disallowed_by_category".split(' ') {
        assert_eq!(some[name], Value::Null, "{name}");
    }
    let resolved = summary(&dir, &[]);
    let hosts = summary(&dir, &["--tables", "hosts"]);
    for name in "hosts hosts_read domains".split(' ') {
        assert_eq!(hosts[name], resolved[name], "{name}");
    }
    let name = "root_disallowed_by_category";
    assert_eq!(hosts[name], Value::Null);
    let hosts = summary(&dir, &["--tables", "hosts,verdict_sets"]);
    assert_eq!(hosts[name], resolved[name]);
    assert_eq!(hosts["redirects_by_outcome"], Value::Null);
    let redirects = summary(&dir, &["--tables", "redirects"]);
    let name = "redirects_by_outcome";
    assert_eq!(redirects[name], resolved[name]);
    assert_eq!(redirects["hosts"], Value::Null);
}

#[test]
fn a_choice_that_contradicts_itself_or_other_options_is_refused_with_what_to_write() {
    let dir = Dir::new();
    let out = dir.word("census");
    let archive = committed().archive.to_str().unwrap();
    let says = "robocensus: --tables: no table is called \"rule\"; expected ";
    run(&[archive, "--out", &out, "--tables", "captures,rule"]).refuse(&[says]);
    let words = ["--tables", "page_robots", "--pages"];
    let says = "made of the tables pages and bodies";
    run(&[archive, "--out", &out]).words(&words).refuse(&[says]);
    assert!(!dir.path("census").exists());
}

#[test]
fn redirects_builds_what_was_chosen_and_refuses_to_build_what_was_not() {
    let dir = Dir::new();
    let of_one_run = census(&dir, "whole", &["--tables", "hosts"]).files();
    let archive = committed().archive.to_str().unwrap();
    let shard = |out: &str, tables: &str| {
        let ran = run(&[archive, "--out", out, "--shard", "1/1", "--tables", tables]);
        ran.succeed().stderr.contains("robocensus finish ")
    };
    let out = dir.word("shards");
    assert!(shard(&out, "hosts"));
    let said = TestCommand::new(["finish", &out]).succeed().stdout;
    assert_begins(&said, "Hosts of the crawl ");
    assert!(Census(dir.path("shards")).files() == of_one_run);

    let out = dir.word("lines");
    assert!(!shard(&out, "rules"));
    let says = "but it was written with captures,rules; run again with redirects or hosts among the tables";
    TestCommand::new(["finish", &out]).refuse(&[&out, says]);
}

#[test]
fn a_query_of_a_table_that_was_not_chosen_says_so_and_others_are_answered() {
    let dir = Dir::new();
    let chosen = census(&dir, "it's", &["--tables", "verdict_sets,redirects,hosts"]);
    let all = &committed().census;
    let data = chosen.0.to_str().unwrap();
    let sql = "SELECT verdict, count(*) AS n FROM host_verdicts GROUP BY ALL ORDER BY ALL";
    let rows = or_skip!(answer(&chosen.0, sql, &[]));
    assert!(rows.len() > 1);
    assert_eq!(Some(rows), answer(&all.0, sql, &[]));
    for query in ["count-captures-by-status", "count-hosts-by-status"] {
        assert_eq!(answer(&chosen.0, query, &[]), answer(&all.0, query, &[]));
    }
    let cells = "SELECT count(*) AS n FROM policies WHERE agent = 'GPTBot' AND dialect = 'google'";
    let written = ["captures", "verdict_sets", "redirects", "hosts"];
    for (query, missing) in [
        ("rank-paths-by-domains", "agents and rules"),
        ("count-dead-rules", "rules"),
        ("compare-restriction-by-agent", "policy_sets"),
        // Of these the optimizer of DuckDB knows that no row is needed.
        (cells, "policy_sets"),
        ("FROM rules WHERE pattern = '/' AND capture_id = 1", "rules"),
        ("FROM comments WHERE false", "comments"),
        ("list-hosts-naming-gptbot-but-not-claudebot", "policy_sets"),
        ("compare-agents-by-crawl", "agents"),
    ] {
        let missing: Vec<_> = missing.split(" and ").collect();
        let again = TABLES.iter().map(|table| table.name);
        let again = again.filter(|name| written.contains(name) || missing.contains(name));
        let again = again.collect::<Vec<_>>().join(",");
        let (table, it) = [("table", "it"), ("tables", "them")][missing.len() - 1];
        let says = format!(
            "expected the {table} {}, but {data} was written without {it}, with --tables {}; run again with --tables {again}\n",
            missing.join(" and "),
            written.join(",")
        );
        let ran = TestCommand::new(["query", query, "--data", data]).end_with(2);
        assert!(ran.stderr.ends_with(&says), "{query}: {}", ran.stderr);
        // SQL of a user is refused by DuckDB, which names a view.
        let is_of_user = query.contains(' ');
        assert_eq!(ran.stderr.contains("DuckDB: Catalog Error: "), is_of_user);
        assert_eq!(ran.stdout, "", "{query}");
    }
    let all = all.0.to_str().unwrap();
    let changes = ["query", "count-changes", "--data", all, "--before", data];
    TestCommand::new(changes).refuse(&["expected the table policy_sets, but ", data]);
    let chart = format!("query compare-agents-by-crawl --data {data} --format vega-lite");
    TestCommand::line(&chart).refuse(&["expected the table agents, but ", data]);
}

#[test]
fn the_report_leaves_out_charts_of_tables_that_were_not_chosen() {
    let dir = Dir::new();
    let chosen = census(&dir, "chosen", &["--tables", "redirects,policy_sets,hosts"]);
    or_skip!(answer(&chosen.0, "SELECT 1 AS n", &[]));
    let (data, out) = (chosen.0.to_str().unwrap(), dir.word("report.html"));
    let report = |data: &str| TestCommand::new(["report", "--data", data, "--out", &out]);
    report(data).succeed();
    let page = fs::read_to_string(dir.path("report.html")).unwrap();
    assert!(page.contains("id=\"domains\"") && page.contains("id=\"status\""));
    assert!(!page.contains("id=\"errors\"") && !page.contains("id=\"templates\""));
    let note = "The dataset was written without the tables or columns of other charts, which are left out: ";
    assert!(page.contains(note), "{page}");
    let without = census(&dir, "without", &["--tables", "rules"]);
    report(without.0.to_str().unwrap()).refuse(&["expected the table hosts, but "]);
}

#[test]
fn pages_are_chosen_with_their_robots_txt_or_without() {
    let dir = Dir::new();
    let page = "<!doctype html><meta name=robots content=noindex>";
    let robots = "User-agent: *\nDisallow: /x\n";
    let records = [("robots.txt", robots), ("x", page)]
        .map(|(name, body)| response(&format!("https://a.example/{name}"), body));
    let archive = dir.write("a.warc", records.concat());
    let make = |name: &str, words: &[&str]| {
        let common = [&archive, "--pages", "--out", &dir.word(name), "--quiet"];
        run(&common).words(words).succeed();
        Census(dir.path(name))
    };
    let all = rows(&make("all", &[]));
    for tables in [
        "pages,page_robots,bodies",
        "page_directives",
        "pages,page_policies",
    ] {
        let chosen = make("chosen", &["--tables", tables, "--overwrite"]);
        for (path, bytes) in rows(&chosen) {
            let differs = ["archives", "captures"].contains(&table_of(&path));
            assert!(differs || all[&path] == bytes, "{path}");
        }
        for table in tables.split(',') {
            assert!(chosen.0.join(table).is_dir(), "{table}");
        }
        let parts = PART_TABLES.iter().chain(PAGE_PART_TABLES);
        let found = parts.filter(|table| chosen.0.join(table.name).is_dir());
        let n_resolved = usize::from(tables.contains("page_robots"));
        assert_eq!(found.count() + n_resolved, 4 + tables.split(',').count());
        verify(&chosen.0);
        let resolve = TestCommand::new(["finish", chosen.0.to_str().unwrap()]);
        if n_resolved == 1 {
            resolve.succeed();
        } else {
            let says = "expected a dataset with the table redirects or hosts or page_robots";
            resolve.refuse(&[says]);
        }
    }
}

#[test]
fn the_plan_states_what_is_written_and_what_is_not_computed() {
    let dir = Dir::new();
    let archive = dir.write("a.warc", response("https://a.example/robots.txt", ""));
    let plan = |words: &[&str]| {
        let words = [&[&*archive, "--print-plan", "--threads", "2"], words].concat();
        let ran = run(&words).succeed();
        assert_eq!(ran.stderr, "");
        ran.stdout
    };
    let wanted = "\
inputs: 1 archive, 297 B
parts: 1, 256.00 MiB of archives for each at most
threads: 2 at most
dialects: google (reference: google)
matrix: 24 agents x 6 paths x 1 dialect = 144 verdicts for each capture
tables: archives, archive_errors, archive_skips, captures, verdict_sets, dialects, matrix_agents, cohort
not written: groups, agents, rules, directives, signals, comments, errors, response_errors, policy_sets, redirects, hosts
not computed: policies; where redirects end, and which fetch counts of a host
";
    assert_eq!(plan(&["--tables", "captures,verdict_sets"]), wanted);
    let census = dir.word("census");
    let all = plan(&["--out", &census, "--pages"]);
    assert_says(&all, &format!("\noutput: {census}\n"));
    let end = ", page_robots\nnot computed: nothing that a table has\n";
    assert!(all.ends_with(end), "{all}");
    let tables = all.lines().find_map(|line| line.strip_prefix("tables: "));
    let again = plan(&["--pages", "--tables", tables.expect("a line of tables")]);
    assert_says(&again, &format!("\ntables: {}\n", tables.unwrap()));
    let later = plan(&["--shard", "1/2", "--tables", "hosts"]);
    let line = "\nwritten later, by robocensus finish: hosts\nnot written: ";
    assert_says(&later, line);
    assert!(!later.contains(", hosts\n"), "{later}");
    assert!(!dir.path("census").exists());
    let lines = plan(&["--tables", "pages,rules", "--pages", "--quiet"]);
    let end = "\nnot computed: verdicts; policies; where redirects end, and which fetch counts of a host; what pages state for each agent; what robots.txt states about pages\n";
    assert_says(&lines, " x 1 dialect\ntables: ");
    assert!(lines.ends_with(end), "{lines}");
    let refused = run(&[&archive, "--print-plan", "--list-inputs"]).end_with(2);
    assert_says(&refused.stderr, "cannot be used with '--list-inputs'");
}
