//! Questions to a dataset, answered by the program in a real DuckDB.

use std::path::Path;

use serde_json::Value;

use super::TestCommand;

/// Returns the rows of an answer, or nothing where there is no DuckDB; the test is then skipped,
/// and says so.
///
/// `query` is a name, a file or SQL; `words` are further words of the command line.
pub fn answer(data: &Path, query: &str, words: &[&str]) -> Option<Vec<Value>> {
    let data = data.to_str().unwrap();
    let ran = TestCommand::new(["query", query, "--data", data, "--format", "json"])
        .words(words)
        .end();
    if ran.stderr.contains("no duckdb on the PATH") {
        eprintln!("skipped: {}", ran.stderr.trim());
        return None;
    }
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

/// Returns an answer as lines of cells with a blank between; NULL is a hyphen.
pub fn lines(rows: &[Value], names: &[&str]) -> Vec<String> {
    let line = |row: &Value| {
        let cells = names.iter().map(|name| {
            let cell = row
                .get(*name)
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
