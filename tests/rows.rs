//! The rows of one dataset, recorded: a change of a row, a column or its type is seen in a review.
//!
//! `tests/rows.tsv` has a line for each column of each table that the program makes of
//! `data-sample/`: the number of rows and a digest of the values. Where a change of rows is meant,
//! `UPDATE_ROWS=1 cargo test --locked --test tests rows` rewrites it.

use std::{collections::BTreeSet, fmt::Write, fs};

use bytes::Bytes;
use robocensus::dataset::table::TABLES;
use sha1::{Digest, Sha1};

use crate::util::{Census, Dir, TestCommand, package};

#[test]
fn the_rows_of_the_sample_are_those_recorded() {
    let dir = Dir::new();
    let out = dir.word("census");
    // Relative paths, since tables state archives as they were named.
    let words = ["run", "data-sample/archives", "data-sample/damaged"];
    let dialects = "google,rfc9309,google-2019,python,original-1994,baidu";
    TestCommand::new(words)
        .words(&["--dialects", dialects, "--out", &out])
        .end_with(1);
    let found = digested_columns(&Census(dir.path("census")));
    let path = package().join("tests/rows.tsv");
    if std::env::var_os("UPDATE_ROWS").is_some() {
        fs::write(&path, &found).unwrap();
    }
    let recorded = fs::read_to_string(&path).unwrap();
    let [found, recorded]: [BTreeSet<&str>; 2] =
        [&found, &recorded].map(|text| text.lines().collect());
    let added: Vec<_> = found.difference(&recorded).collect();
    let removed: Vec<_> = recorded.difference(&found).collect();
    assert!(
        added.is_empty() && removed.is_empty(),
        "rows differ from tests/rows.tsv, now: {added:#?}, recorded: {removed:#?}\n\
         If that is meant: UPDATE_ROWS=1 cargo test --locked --test tests rows"
    );
    assert!(recorded.len() > 100, "{}", recorded.len());
}

/// Returns a line for each column: table, column, type, rows, SHA-1 of the values as text, one a
/// line.
fn digested_columns(census: &Census) -> String {
    let mut lines = String::new();
    let names = TABLES.iter().map(|table| table.name);
    for table in names.filter(|name| census.0.join(name).is_dir()) {
        let rows = census.table(table);
        // What identifies the options and the program, not what it found.
        let is_result = |name: &str| !["options_digest", "tool_version"].contains(&name);
        for field in rows.fields().iter().filter(|field| is_result(field.name())) {
            let mut sha1 = Sha1::new();
            for value in rows.shown(field.name()) {
                sha1.update(value.replace('\n', "\\n"));
                sha1.update("\n");
            }
            let digest = Bytes::copy_from_slice(&sha1.finalize()[..8]);
            let (name, of, n) = (field.name(), field.data_type(), rows.n_rows());
            writeln!(lines, "{table}\t{name}\t{of}\t{n}\t{digest:x}").unwrap();
        }
    }
    lines
}
