//! Questions to a dataset, answered by the program in a real DuckDB.

use std::{
    env,
    io::{Seek, Write},
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

use super::{TestCommand, needed};

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
    let cells = rows.iter().map(|row| shown(cell(row, name), ""));
    cells.collect()
}

/// Returns these columns of an answer, whose names have a blank between, as lines of cells with a
/// blank between; NULL is a hyphen.
pub fn lines(rows: &[Value], columns: &str) -> Vec<String> {
    let line = |row| {
        let cells = columns.split(' ').map(|name| shown(cell(row, name), "-"));
        cells.collect::<Vec<_>>().join(" ")
    };
    rows.iter().map(line).collect()
}

fn cell<'r>(row: &'r Value, name: &str) -> &'r Value {
    row.get(name)
        .unwrap_or_else(|| panic!("no column {name} in {row}"))
}

/// Returns a cell as text, with this text for NULL.
pub fn shown(cell: &Value, null: &str) -> String {
    match cell {
        Value::Null => null.to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Returns the DuckDB client that the environment names, that the path has, or that `make` has put
/// into the build tree. Without one a test is skipped, but fails with `CI=true`.
pub fn client() -> Option<PathBuf> {
    let named = env::var_os("ROBOCENSUS_DUCKDB").map(PathBuf::from);
    let path = env::var_os("PATH").unwrap_or_default();
    let of_path = env::split_paths(&path).map(|folder| folder.join("duckdb"));
    let program = Path::new(env!("CARGO_BIN_EXE_robocensus"));
    let of_tree = program.with_file_name("../duckdb/duckdb_cli/duckdb");
    let mut clients = named.into_iter().chain(of_path).chain([of_tree]);
    let found = clients.find(|path| path.is_file());
    let what = "duckdb on the PATH or in target/duckdb, and ROBOCENSUS_DUCKDB is not set";
    needed(found.is_some(), what)?;
    found
}

/// Looks for that client, which is that of the program.
pub fn duckdb() -> Option<()> {
    client().map(drop)
}

/// Returns the rows of SQL in DuckDB itself, which reads any file, or nothing where there is none.
pub fn rows_of_duckdb(sql: &str) -> Option<Vec<Value>> {
    let mut input = tempfile::tempfile().unwrap();
    writeln!(input, "{sql};").unwrap();
    input.rewind().unwrap();
    let ran = Command::new(client()?)
        .args(["-init", "/dev/null", "-batch", "-bail", "-json"])
        .stdin(input)
        .output()
        .unwrap();
    Some(serde_json::from_slice(&ran.stdout).unwrap_or_else(|e| panic!("{sql}: {e}: {ran:?}")))
}
