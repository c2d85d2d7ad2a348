//! Questions to a dataset, answered by the program in a real DuckDB.

use std::{
    env,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::Value;

use super::{TestCommand, needed, package};

/// Returns a query to a dataset as a command.
pub fn query(data: &Path, words: &[&str]) -> TestCommand {
    TestCommand::new(["query", "--data", data.to_str().unwrap()]).words(words)
}

/// Returns the rows of an answer, or nothing where there is no DuckDB; the test is then skipped,
/// and says so.
///
/// `query` is a name, a file or SQL; `words` are further words of the command line.
pub fn answer(data: &Path, query: &str, words: &[&str]) -> Option<Vec<Value>> {
    let asked = self::query(data, &[query, "--format", "json"]);
    let ran = asked.words(words).end_in_duckdb()?;
    // Messages on standard error have tests of their own.
    let is_note = |line: &str| line.starts_with("robocensus: note: ");
    assert!(
        ran.code == 0 && ran.stderr.lines().all(is_note),
        "{query}: {}",
        ran.stderr
    );
    let rows = serde_json::from_str(&ran.stdout);
    Some(rows.unwrap_or_else(|e| panic!("{query}: {e}: {}", ran.stdout)))
}

/// Returns one column of an answer as text; NULL is empty.
pub fn column(rows: &[Value], name: &str) -> Vec<String> {
    let cells = rows.iter().map(|row| {
        row.get(name)
            .unwrap_or_else(|| panic!("no column {name} in {row}"))
    });
    cells.map(shown).collect()
}

/// Returns these columns of an answer, whose names have a blank between, as lines of cells with a
/// blank between; NULL is a hyphen.
pub fn lines(rows: &[Value], columns: &str) -> Vec<String> {
    let line = |row: &Value| {
        let cells = columns.split(' ').map(|name| {
            let cell = row
                .get(name)
                .unwrap_or_else(|| panic!("no column {name} in {row}"));
            match cell {
                Value::Null => "-".to_owned(),
                cell => shown(cell),
            }
        });
        cells.collect::<Vec<_>>().join(" ")
    };
    rows.iter().map(line).collect()
}

fn shown(cell: &Value) -> String {
    match cell {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Returns the DuckDB client that the environment names, that the path has, or that `make` has put
/// into the build tree.
pub fn client() -> Option<PathBuf> {
    let named = env::var_os("ROBOCENSUS_DUCKDB").map(PathBuf::from);
    let path = env::var_os("PATH").unwrap_or_default();
    let of_path: Vec<_> = env::split_paths(&path)
        .map(|folder| folder.join("duckdb"))
        .collect();
    let of_tree = package().join("target/duckdb/duckdb_cli/duckdb");
    let found = named
        .into_iter()
        .chain(of_path)
        .chain([of_tree])
        .find(|path: &PathBuf| Path::is_file(path));
    if found.is_none() {
        eprintln!(
            "skipped: no duckdb on the PATH or in target/duckdb, and ROBOCENSUS_DUCKDB is not set"
        );
    }
    found
}

/// Looks for the DuckDB of the program, without which a test is skipped, but fails with `CI=true`.
pub fn duckdb() -> Option<()> {
    let named = env::var_os("ROBOCENSUS_DUCKDB").unwrap_or_else(|| "duckdb".into());
    let ran = Command::new(named).arg("--version").output();
    let is_here = ran.is_ok_and(|ran| ran.status.success());
    needed(
        is_here,
        "duckdb on the PATH, and ROBOCENSUS_DUCKDB is not set",
    )
}

/// Returns the rows of SQL in DuckDB itself, which reads any file, or nothing where there is none.
pub fn rows_of_duckdb(sql: &str) -> Option<Vec<Value>> {
    let mut child = Command::new(client()?)
        .args(["-init", "/dev/null", "-batch", "-bail", "-json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(format!("{sql};\n").as_bytes()).unwrap();
    drop(input);
    let ran = child.wait_with_output().unwrap();
    Some(serde_json::from_slice(&ran.stdout).unwrap_or_else(|e| panic!("{sql}: {e}: {ran:?}")))
}
