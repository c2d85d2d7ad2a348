//! Every file of `queries/` runs in a real DuckDB and answers what is known to be true.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    env, fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use robocensus::sample::AGENTS;
use serde_json::{Value, json};

use crate::util::{Generated, files_below, generated, package};

#[test]
fn every_query_says_what_it_answers_and_with_what() {
    for path in queries() {
        let text = fs::read_to_string(&path).unwrap();
        for (line, begin) in ["-- Question: ", "-- Tables:   ", "-- Caveats:  "]
            .iter()
            .enumerate()
        {
            let found = text
                .lines()
                .filter(|line| line.starts_with("-- "))
                .any(|line| line.starts_with(begin));
            assert!(
                found,
                "{}: expected a line {begin:?} ({line})",
                path.display()
            );
        }
        assert!(text.starts_with("-- Question: "), "{}", path.display());
        let tables = text
            .lines()
            .find_map(|line| line.strip_prefix("-- Tables:"))
            .unwrap();
        let read: BTreeSet<_> = robocensus::table::TABLES
            .iter()
            .map(|table| table.name)
            .filter(|name| text.contains(&format!("'/{name}/**/*.parquet'")))
            .collect();
        let said: BTreeSet<_> = tables.split(',').map(str::trim).collect();
        assert_eq!(said, read, "{}", path.display());
    }
}

#[test]
fn every_query_gives_rows_of_the_columns_it_promises() {
    let Some(duckdb) = duckdb() else { return };
    for path in queries() {
        let rows = ask(&duckdb, path.file_name().unwrap().to_str().unwrap());
        let text = fs::read_to_string(&path).unwrap();
        let shape = text.split("-- Shape:").nth(1).unwrap();
        let promised = shape
            .lines()
            .take_while(|line| !line.starts_with("SELECT"))
            .collect::<String>();
        let first = rows
            .first()
            .unwrap_or_else(|| panic!("{}: no row", path.display()));
        for column in first.as_object().unwrap().keys() {
            assert!(
                promised.contains(column.as_str()),
                "{}: {column}",
                path.display()
            );
        }
    }
}

#[test]
fn captures_by_status_are_those_that_were_sent() {
    let Some(duckdb) = duckdb() else { return };
    let mut status: BTreeMap<String, u64> = BTreeMap::new();
    let mut access: BTreeMap<String, u64> = BTreeMap::new();
    let mut share = 0.0;
    for row in ask(&duckdb, "count-captures-by-status.sql") {
        let captures = row["captures"].as_u64().unwrap();
        *status.entry(row["fetch_status"].to_string()).or_default() += captures;
        *access
            .entry(row["access"].as_str().unwrap().to_owned())
            .or_default() += captures;
        share += row["share_of_captures"].as_f64().unwrap();
    }
    assert_eq!(json!(status), generated().truth["status"]);
    assert_eq!(json!(access), generated().truth["access"]);
    assert!((share - 1.0).abs() < 0.01, "{share}");
}

#[test]
fn hosts_by_agent_are_those_of_the_table_of_agents() {
    let Some(duckdb) = duckdb() else { return };
    let Generated { census, .. } = generated();
    let agents = census.table("agents");
    let mut hosts: HashMap<String, BTreeSet<String>> = HashMap::new();
    let mut lines: HashMap<String, usize> = HashMap::new();
    for (token, host) in agents
        .all_texts("agent_token")
        .into_iter()
        .zip(agents.all_texts("url_host_name"))
    {
        *lines.entry(token.clone()).or_default() += 1;
        hosts.entry(token).or_default().insert(host);
    }
    let captures = census.table("captures");
    let read = captures
        .all_texts("url_host_name")
        .into_iter()
        .zip(captures.all_texts("access"));
    let read: BTreeSet<_> = read
        .filter(|(_, access)| access == "conditional")
        .map(|(host, _)| host)
        .collect();
    let rows = ask(&duckdb, "rank-agents-by-hosts.sql");
    assert_eq!(rows.len(), 25);
    for row in &rows {
        let token = row["agent_token"].as_str().unwrap();
        assert_eq!(row["hosts"], hosts[token].len(), "{token}");
        assert_eq!(row["lines"], lines[token], "{token}");
        let share = hosts[token].len() as f64 / read.len() as f64;
        assert!(
            (row["share_of_hosts"].as_f64().unwrap() - share).abs() < 1e-4,
            "{token}"
        );
    }
    let mut most: Vec<_> = hosts
        .iter()
        .map(|(token, hosts)| (std::cmp::Reverse(hosts.len()), token))
        .collect();
    most.sort();
    let found: Vec<_> = rows
        .iter()
        .map(|row| row["agent_token"].as_str().unwrap())
        .collect();
    let wanted: Vec<_> = most
        .iter()
        .take(25)
        .map(|(_, token)| token.as_str())
        .collect();
    assert_eq!(found, wanted);
    // The generator knows files, of which a host has several.
    for token in AGENTS {
        if let Some(row) = rows
            .iter()
            .find(|row| row["agent_token"] == token.to_ascii_lowercase())
        {
            let files = generated().truth["agents"][token]["named_successful"]
                .as_u64()
                .unwrap();
            assert!(
                (1..=files).contains(&row["hosts"].as_u64().unwrap()),
                "{token}"
            );
        }
    }
}

#[test]
fn hosts_that_shut_out_one_and_let_in_the_other_are_those_of_the_verdicts() {
    let Some(duckdb) = duckdb() else { return };
    let Generated { census, truth, .. } = generated();
    let verdicts = census.table("verdicts");
    let (agents, urls) = (verdicts.all_texts("agent"), verdicts.all_texts("url"));
    let (said, lines) = (verdicts.all_texts("verdict"), verdicts.ints("rule_line"));
    let (hosts, ids) = (
        verdicts.all_texts("url_host_name"),
        verdicts.all_ints("capture_id"),
    );
    let mut wanted = Vec::new();
    let let_in: BTreeSet<_> = (0..verdicts.n_rows())
        .filter(|&row| urls[row] == "/" && agents[row] == "Googlebot" && said[row] == "allow")
        .map(|row| ids[row])
        .collect();
    for row in 0..verdicts.n_rows() {
        if urls[row] == "/"
            && agents[row] == "GPTBot"
            && said[row] == "disallow"
            && let_in.contains(&ids[row])
        {
            wanted.push((hosts[row].clone(), ids[row], lines[row]));
        }
    }
    wanted.sort();
    let rows = ask(&duckdb, "list-hosts-blocking-gptbot-but-not-googlebot.sql");
    let found: Vec<_> = rows
        .iter()
        .map(|row| {
            (
                row["url_host_name"].as_str().unwrap().to_owned(),
                row["capture_id"].as_i64().unwrap(),
                row["rule_line"].as_i64(),
            )
        })
        .collect();
    assert_eq!(found, wanted);
    let shut_out = truth["agents"]["GPTBot"]["root_disallowed"]
        .as_u64()
        .unwrap();
    assert!(
        !found.is_empty() && found.len() as u64 <= shut_out,
        "{} of {shut_out}",
        found.len()
    );
    assert!(
        found.iter().all(|(_, _, line)| line.is_some()),
        "a rule shuts GPTBot out"
    );
}

fn queries() -> Vec<PathBuf> {
    let queries = files_below(&package().join("queries"));
    assert!(
        queries
            .iter()
            .any(|path| path.extension().is_some_and(|end| end == "sql"))
    );
    queries
}

/// Returns the DuckDB client that the environment names, that the path has, or that `make` has put into the build tree.
fn duckdb() -> Option<PathBuf> {
    let named = env::var_os("ROBOCENSUS_DUCKDB").map(PathBuf::from);
    if let Some(named) = named {
        assert!(
            named.exists(),
            "ROBOCENSUS_DUCKDB: {} is not there",
            named.display()
        );
        return Some(named);
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let of_path = env::split_paths(&path).map(|folder| folder.join("duckdb"));
    let found = of_path
        .chain([package().join("target/duckdb/duckdb_cli/duckdb")])
        .find(|path| path.is_file());
    if found.is_none() {
        eprintln!(
            "skipped: no duckdb on the path or in target/duckdb, and ROBOCENSUS_DUCKDB is not set"
        );
    }
    found
}

/// Runs a query over the dataset of the generated archive and returns its rows.
fn ask(duckdb: &Path, query: &str) -> Vec<Value> {
    let data = generated().census.0.to_str().unwrap().replace('\'', "''");
    let query = package().join("queries").join(query);
    let mut child = Command::new(duckdb)
        .args(["-json", "-bail"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let script = format!(
        "SET VARIABLE data = '{data}';\n.read '{}'\n",
        query.display()
    );
    child
        .stdin
        .take()
        .unwrap()
        .write_all(script.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && said.is_empty(),
        "{}: {said}",
        query.display()
    );
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{}: {e}", query.display()))
}
