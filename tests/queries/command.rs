//! `robocensus query` from outside: its arguments, formats and errors.

use std::fs;
#[cfg(unix)]
use std::process::Command;

use serde_json::Value;

use super::{
    Query,
    by_hand::{ask, by_hand},
    queries,
};
#[cfg(unix)]
use crate::util::make_pipe;
use crate::util::{
    Dir, TestCommand, assert_says, column, duckdb, or_skip, package, query, read_json,
    rows_of_duckdb, run,
};

#[test]
fn all_queries_are_part_of_the_program() {
    let list = TestCommand::new(["query", "--list"]).succeed().stdout;
    let names: Vec<_> = list.lines().filter(|line| !line.starts_with(' ')).collect();
    let mut wanted = queries();
    wanted.sort_by(|one, other| one.name.cmp(&other.name));
    assert!(wanted.iter().map(|query| &*query.name).eq(names), "{list}");
    let printed = |name| {
        TestCommand::new(["query", "--print", name])
            .succeed()
            .stdout
    };
    for Query { name, text, .. } in &wanted {
        assert_eq!(printed(name).trim_end(), text.trim_end());
    }
    assert_eq!(printed("views"), include_str!("../../queries/views.sql"));
}

#[test]
fn a_table_of_latex_has_no_character_with_a_meaning_and_numbers_on_the_right() {
    or_skip!(duckdb());
    let sql = r"SELECT 2 AS n_a, '50 % & $x_1# {~^\}' || chr(10) || 'y' AS text, NULL::VARCHAR AS z UNION ALL SELECT 10, 'b', 'c'";
    let rows = ask(&[sql, "--format", "latex"]).succeed().stdout;
    assert_eq!(rows, include_str!("../testdata/queries/table.tex"));
    let sql = "SELECT '[a]<' || chr(27) || chr(1) || 'b|' AS \"*x\"";
    let rows = ask(&[sql, "--format", "latex"]).succeed().stdout;
    let wanted = [r"{}*x \\", r"{}[a]\textless{} b\textbar{} \\"];
    assert_eq!([3, 5].map(|line| rows.lines().nth(line).unwrap()), wanted);
}

#[test]
fn a_query_is_a_name_a_file_or_sql() {
    or_skip!(duckdb());
    let dir = Dir::new();
    // A file may begin with a byte order mark, and end with a comment.
    let sql = "\u{feff}SELECT count(*) AS fetches FROM fetches -- all of them";
    let file = dir.write("mine.sql", sql);
    let rows = ask(&[&file, "--format", "csv"]).succeed().stdout;
    assert_eq!(rows, "fetches\n33\n");
    let shipped = package().join("queries/list-inputs.sql");
    let by_file = ask(&[shipped.to_str().unwrap()]).succeed().stdout;
    assert_eq!(ask(&["list-inputs"]).succeed().stdout, by_file);
    assert_eq!(ask(&["list-inputs.sql"]).succeed().stdout, by_file);
    let nothing = dir.write("none.sql", "-- nothing\n");
    ask(&[&nothing]).refuse(&[&nothing, "found no statement"]);
}

/// Opening a pipe that nobody writes never ends.
#[test]
#[cfg(unix)]
fn a_file_of_sql_that_is_a_pipe_is_refused() {
    let dir = Dir::new();
    let pipe = dir.word("pipe.sql");
    make_pipe(&pipe);
    ask(&[&pipe]).refuse(&[&pipe, "expected a regular file of SQL"]);
}

#[test]
fn a_dataset_of_another_version_is_refused() {
    or_skip!(duckdb());
    let dir = Dir::new();
    let (archive, census) = (dir.write("a.warc", ""), dir.word("census"));
    run(&[&archive, "--out", &census]).end_with(1);
    let path = dir.path("census/_dataset.json");
    let mut description: Value = read_json(&path);
    description["schema_version"] = 99.into();
    fs::write(path, description.to_string()).unwrap();
    let says = "use the version of the program that made it";
    let page = dir.word("page.html");
    for words in [
        &["query", "list-inputs", "--data"][..],
        &["query", "FROM captures", "--data"],
        &["report", "--out", &page, "--data"],
    ] {
        let command = TestCommand::new(words.iter().copied()).words(&[&census]);
        command.refuse(&["with tables of version", says]);
    }
}

#[test]
fn what_is_no_dataset_is_named() {
    let dir = Dir::new();
    let list = || query(&dir.path("copy"), &["list-inputs"]);
    fs::create_dir(dir.path("copy")).unwrap();
    let copy = dir.word("copy");
    list().refuse(&[&copy, "expected the folder of a dataset"]);
    let description = by_hand().both().join("_dataset.json");
    fs::copy(description, dir.path("copy/_dataset.json")).unwrap();
    list().refuse(&[&copy, "the table archives is missing"]);
}

#[test]
#[cfg(unix)]
fn without_duckdb_one_sentence_states_how_to_get_it() {
    let dir = Dir::new();
    let data = by_hand().both();
    let alone = dir.path("robocensus");
    fs::copy(env!("CARGO_BIN_EXE_robocensus"), &alone).unwrap();
    let run = |variable: &str| {
        let output = Command::new(&alone)
            .args(["query", "list-inputs", "--data", data.to_str().unwrap()])
            .env("PATH", "")
            .env("ROBOCENSUS_DUCKDB", variable)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    let said = run("");
    assert_says(&said, "pip install duckdb-cli");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert_says(&run("absent"), "ROBOCENSUS_DUCKDB: absent: no such file");
}

#[test]
fn the_plain_client_reads_the_same_files() {
    let (package, data) = (package(), by_hand().both());
    let script = format!(
        "SET VARIABLE data = '{}';\n.read '{}'\n.read '{}'\n",
        data.display(),
        package.join("queries/views.sql").display(),
        package.join("queries/list-inputs.sql").display()
    );
    let rows = or_skip!(rows_of_duckdb(&script));
    assert_eq!(column(&rows, "warc_filename").len(), 2, "{rows:?}");
}
