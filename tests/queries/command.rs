//! `robocensus query` from outside: its arguments, formats and errors.

use std::{
    fs,
    io::Write,
    process::{Command, Stdio},
};

use super::{by_hand, files, name};
#[cfg(unix)]
use crate::util::make_pipe;
use crate::util::{Dir, TestCommand, assert_says, client, duckdb, or_skip, package, run};

/// Returns a query of the two crawls as a command.
fn ask(words: &[&str]) -> TestCommand {
    let data = by_hand().both();
    TestCommand::new(["query", "--data", data.to_str().unwrap()]).words(words)
}

#[test]
fn all_queries_are_part_of_the_program() {
    let list = TestCommand::new(["query", "--list"]).succeed().stdout;
    let names: Vec<_> = list.lines().filter(|line| !line.starts_with(' ')).collect();
    let files = files();
    let mut wanted: Vec<_> = files.iter().map(|path| name(path)).collect();
    wanted.sort_unstable();
    assert_eq!(names, wanted);
    for path in &files {
        let shown = TestCommand::new(["query", "--print", name(path)])
            .succeed()
            .stdout;
        assert_eq!(
            shown.trim_end(),
            fs::read_to_string(path).unwrap().trim_end()
        );
    }
}

#[test]
fn a_table_of_latex_has_no_character_with_a_meaning_and_numbers_on_the_right() {
    or_skip!(duckdb());
    let sql = r"SELECT 2 AS n_a, '50 % & $x_1# {~^\}' || chr(10) || 'y' AS text, NULL::VARCHAR AS z UNION ALL SELECT 10, 'b', 'c'";
    let rows = ask(&[sql, "--format", "latex"]).succeed().stdout;
    let wanted = [
        r"% needs \usepackage{booktabs}",
        r"\begin{tabular}{rll}",
        r"\toprule",
        r"n\_a & text & z \\",
        r"\midrule",
        r"2 & 50 \% \& \$x\_1\# \{\textasciitilde{}\textasciicircum{}\textbackslash{}\} y &  \\",
        r"10 & b & c \\",
        r"\bottomrule",
        r"\end{tabular}",
    ];
    assert_eq!(rows.lines().collect::<Vec<_>>(), wanted);
    let sql = "SELECT '[a]<' || chr(27) || chr(1) || 'b|' AS \"*x\"";
    let rows = ask(&[sql, "--format", "latex"]).succeed().stdout;
    let wanted = [r"{}*x \\", r"{}[a]\textless{} b\textbar{} \\"];
    assert_eq!([3, 5].map(|line| rows.lines().nth(line).unwrap()), wanted);
}

#[test]
fn a_query_is_a_name_a_file_or_sql() {
    or_skip!(duckdb());
    let dir = Dir::new();
    let file = dir.write(
        "mine.sql",
        "SELECT count(*) AS fetches FROM fetches -- all of them",
    );
    assert_eq!(
        ask(&[&file, "--format", "csv"]).succeed().stdout,
        "fetches\n33\n"
    );
    let shipped = package().join("queries/list-inputs.sql");
    let by_file = ask(&[shipped.to_str().unwrap()]).succeed().stdout;
    assert_eq!(ask(&["list-inputs"]).succeed().stdout, by_file);
    assert_eq!(ask(&["list-inputs.sql"]).succeed().stdout, by_file);
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
fn a_message_of_duckdb_has_the_line_of_the_sql() {
    or_skip!(duckdb());
    ask(&["SELECT 1,\n  nothing\nFROM hosts"]).refuse(&["\"nothing\"", "; line 2: nothing"]);
    ask(&["SELECT 1 AS a;\nSELECT FROM FROM a"]).refuse(&["Parser Error", "in line 2"]);
    // Where definitions stand before it, DuckDB counts the lines of each statement.
    ask(&["SET VARIABLE x = 1;\nSELECT\nnothing"]).refuse(&["; near: nothing"]);
}

#[test]
fn a_list_that_is_no_file_is_refused_by_its_name() {
    let (dir, set) = (Dir::new(), "--set");
    let query = |list: &str| {
        ask(&["count-cohort-by-crawl"])
            .words(&[set, "stratum=1-10", set])
            .words(&[list])
    };
    query("ranks=absent.csv").refuse(&["--set ranks: absent.csv: no such file"]);
    query("cohort=absent.txt").refuse(&["--set cohort: absent.txt: no such file"]);
    query(&format!("cohort={}", dir.word("."))).refuse(&["--set cohort: ", ": no such file"]);
}

#[test]
fn a_dataset_of_another_version_is_refused() {
    or_skip!(duckdb());
    let dir = Dir::new();
    run(&[
        dir.write("a.warc", ""),
        "--out".to_owned(),
        dir.word("census"),
    ])
    .end_with(1);
    let path = dir.path("census/_dataset.json");
    let text = fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once("\"schema_version\": ").unwrap();
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    fs::write(path, format!("{before}\"schema_version\": 99{rest}")).unwrap();
    let says = "use the version of the program that made it";
    let page = dir.word("page.html");
    for words in [
        &["query", "list-inputs", "--data"][..],
        &["query", "FROM captures", "--data"],
        &["report", "--out", &page, "--data"],
    ] {
        let data = [dir.word("census")];
        TestCommand::new(words.iter().copied())
            .words(&data)
            .refuse(&["with tables of version", says]);
    }
}

#[test]
fn sql_of_a_file_may_begin_with_a_byte_order_mark() {
    let dir = Dir::new();
    let file = dir.write("x.sql", "\u{feff}SELECT 1 AS n");
    if let Some(ran) = ask(&[&file, "--format", "csv"]).end_in_duckdb() {
        assert_eq!(ran.stdout, "n\n1\n");
    }
}

#[test]
fn a_refusal_is_one_sentence() {
    let dir = Dir::new();
    let query = |words: &[&str]| TestCommand::new(["query"]).words(words);
    let empty = dir.word("empty");
    fs::create_dir(&empty).unwrap();
    query(&["list-inputs", "--data", &empty]).refuse(&[&empty, "expected the folder of a dataset"]);
    ask(&["nonsense"]).refuse(&["no query is called \"nonsense\"", "--list"]);
    ask(&["hosts"]).refuse(&["\"hosts\" is a view, not a query", "FROM hosts"]);
    ask(&["absent.sql"]).refuse(&["absent.sql: cannot read"]);
    if duckdb().is_some() {
        ask(&["SELECT nothing FROM hosts"]).refuse(&["DuckDB: Binder Error", "nothing"]);
        ask(&["compare-rank-strata"])
            .refuse(&["expected the variable ranks (--set ranks=FILE.csv)"]);
    }
    for (words, says) in [
        (&["list-inputs"][..], "--data"),
        (&["--data", "x"], "NAME|FILE|SQL"),
        (
            &["list-inputs", "--data", "x", "--set", "agent"],
            "such as agent=CCBot",
        ),
        (
            &["list-inputs", "--data", "x", "--format", "xml"],
            "markdown",
        ),
    ] {
        let ran = query(words).end_with(2);
        assert!(ran.stderr.contains(says), "{words:?}: {}", ran.stderr);
    }
}

#[test]
fn a_table_that_is_missing_is_named() {
    let dir = Dir::new();
    let copy = dir.path("copy");
    fs::create_dir(&copy).unwrap();
    fs::copy(
        by_hand().both().join("_dataset.json"),
        copy.join("_dataset.json"),
    )
    .unwrap();
    let copy = copy.to_str().unwrap();
    TestCommand::new(["query", "list-inputs", "--data", copy])
        .refuse(&[copy, "the table archives is missing"]);
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
    assert!(
        said.contains("pip install duckdb-cli") && said.lines().count() == 1,
        "{said}"
    );
    let said = run("absent");
    assert_says(&said, "ROBOCENSUS_DUCKDB: absent: no such file");
}

#[test]
fn the_plain_client_reads_the_same_files() {
    let duckdb = or_skip!(client());
    let package = package();
    let data = by_hand().both();
    let script = format!(
        "SET VARIABLE data = '{}';\n.read '{}'\n.read '{}'\n",
        data.display(),
        package.join("queries/views.sql").display(),
        package.join("queries/list-inputs.sql").display()
    );
    let mut child = Command::new(duckdb)
        .args(["-init", "/dev/null", "-csv", "-bail"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(script.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let count = |text: &str| text.lines().count();
    assert_eq!(count(&said), 3, "{said}");
    assert!(said.starts_with("warc_filename,"), "{said}");
}
