//! The shell of DuckDB that runs queries: what it must not do for SQL of a stranger, the versions
//! that are supported, and answers that are whole or none.

use std::{fs, path::Path};

use super::{
    by_hand::{ask, by_hand, census},
    charts::parquet,
};
use crate::util::{
    Dir, TestCommand, assert_says, client, duckdb, files_below, needed, on_a_terminal, or_skip,
    package, query,
};

/// Returns a query of the two crawls for the DuckDB of the tests and for the oldest that is
/// supported; none without DuckDB.
fn ask_each(words: &[&str]) -> Vec<TestCommand> {
    let ask = |client: String| ask(words).env("ROBOCENSUS_DUCKDB", &client);
    clients().into_iter().map(ask).collect()
}

/// SQL that tries to run a program, or to write FILE or read SECRET: a string of JSON on each line.
const ATTACKS: &str = include_str!("../testdata/queries/attacks.jsonl");

#[test]
fn sql_of_a_stranger_runs_no_program_and_opens_no_file_of_its_choice() {
    let dir = Dir::new();
    let secret = dir.write("secret.csv", "a,b\nhidden,1\n");
    let made = dir.word("made");
    for line in ATTACKS.lines() {
        let attack: String = serde_json::from_str(line).unwrap();
        let sql = attack.replace("FILE", &made).replace("SECRET", &secret);
        // As a file, since an argument has no NUL and a file any bytes.
        let file = dir.write("stranger.sql", &sql);
        for format in ["table", "csv", "parquet"] {
            for asked in ask_each(&[&file, "--format", format]) {
                let ran = asked.end_with(2);
                let said = ran.stdout + &ran.stderr;
                assert!(!said.contains("hidden"), "{attack}: {said}");
                assert!(!dir.path("made").exists(), "{attack}");
            }
        }
    }
    or_skip!(duckdb());
    // Values and names are texts, whatever lines they have.
    let value = format!("mine=it's\n.shell touch {made}\n");
    for words in [
        ["SELECT getvariable('mine') AS mine", "--set", &value],
        ["SELECT 1 AS mine, getvariable('mine')", "--set", &value],
    ] {
        assert_says(&ask(&words).succeed().stdout, "it's");
        assert!(!dir.path("made").exists());
    }
}

#[test]
fn a_query_reads_the_files_that_it_is_given() {
    let dir = Dir::new();
    let ranks = dir.write("a[1]*.csv", "domain,rank\na.example,7\n");
    let sql = "SELECT rank FROM read_csv(getvariable('mine'))";
    let words = [sql, "--set", &format!("mine={ranks}"), "--format", "csv"];
    or_skip!(duckdb());
    assert_eq!(ask(&words).succeed().stdout, "rank\n7\n");
}

#[test]
fn a_list_of_ranks_matches_with_a_header_www_capitals_and_either_order() {
    or_skip!(duckdb());
    let dir = Dir::new();
    let asked = |list: &str| {
        let ranks = format!("ranks={}", dir.write("ranks.csv", list));
        ask(&["compare-top-ranked-domains", "--set", &ranks])
    };
    let plain = "1,same.example\n500,twin-example.com\n2000,moved.example\n";
    let expected = asked(plain).succeed();
    for list in [
        "rank,domain\r\n1,www.Same.example\r\n500,TWIN-example.com.\r\n2000,WWW.moved.example\r\n",
        "GlobalRank,TldRank,Domain,TLD\n1,1,same.example,example\n500,2,\"twin-example.com\",com\n2000,2,moved.example,example\n",
        "domain\trank\nsame.example\t1\ntwin-example.com\t500\nmoved.example\t2000\n",
    ] {
        let said = asked(list).succeed();
        assert_eq!(said.stdout, expected.stdout, "{list}");
        assert!(!said.stderr.contains("--set ranks"), "{}", said.stderr);
    }
    let few = asked("1,no.example\n2,none.example\n3,same.example\n").succeed();
    assert_says(&few.stderr, "note: --set ranks: 2 of the list's 3 lines");
    asked("1,same.example\nother.example\n")
        .refuse(&["expected a rank and a domain on each line", "other.example"]);
}

#[test]
fn what_does_not_fit_into_memory_spills_into_a_temporary_folder_that_is_removed() {
    or_skip!(duckdb());
    let dir = Dir::new();
    let sql = "SELECT current_setting('temp_directory') AS folder";
    let asked = ask(&[sql, "--format", "csv"]).env("TMPDIR", &dir.word(""));
    let said = asked.succeed().stdout;
    let folder = Path::new(said.lines().nth(1).unwrap());
    assert!(folder.starts_with(dir.path("")), "{said}");
    assert!(fs::read_dir(dir.path("")).unwrap().next().is_none());
}

#[test]
fn no_start_up_file_is_read() {
    let dir = Dir::new();
    dir.write(".duckdbrc", ".print started\n");
    let home = dir.word("");
    for asked in ask_each(&["SELECT 1 AS one", "--format", "csv"]) {
        assert_eq!(asked.env("HOME", &home).succeed().stdout, "one\n1\n");
    }
}

/// DuckDB 1.5 ends with exit code 0 when it fails in the middle of rows in CSV or JSON.
#[test]
fn rows_are_whole_or_the_exit_code_is_2() {
    let sql = "SELECT i, CAST(if(i = 1500000, 'x', i::VARCHAR) AS INTEGER) AS n FROM range(2000000) AS t(i)";
    for format in ["csv", "json", "latex", "parquet", "markdown", "table"] {
        for asked in ask_each(&[sql, "--format", format]) {
            assert_eq!(asked.stop("'x'").stdout, "", "{format}");
        }
    }
    or_skip!(duckdb());
    let rows = ask(&["FROM range(300000)", "--format", "csv"]).succeed();
    assert_eq!(rows.stdout.lines().count(), 300_001);
}

/// Returns the DuckDB of the tests, and the oldest that is supported, where `make` has put it.
fn clients() -> Vec<String> {
    let oldest = package().join("target/duckdb-oldest/bin/duckdb");
    let is_here = needed(oldest.is_file(), "duckdb in target/duckdb-oldest");
    let clients = client().into_iter().chain(is_here.map(|()| oldest));
    let names = clients.map(|client| client.to_str().unwrap().to_owned());
    names.collect()
}

#[test]
fn the_oldest_and_the_newest_duckdb_give_the_same_rows() {
    let sql =
        "SELECT 1 AS n, NULL AS nothing, 'a|b' || chr(10) || 'c' AS text, 0.5::DOUBLE AS half";
    for (format, wanted) in [
        ("csv", "n,nothing,text,half\n1,,\"a|b\nc\",0.5\n"),
        (
            "json",
            "[{\"n\":1,\"nothing\":null,\"text\":\"a|b\\nc\",\"half\":0.5}]\n",
        ),
        ("markdown", include_str!("../testdata/queries/rows.md")),
        ("table", include_str!("../testdata/queries/rows.txt")),
    ] {
        for asked in ask_each(&[sql, "--format", format]) {
            assert_eq!(asked.succeed().stdout, wanted);
        }
    }
    let dir = Dir::new();
    let words = ["count-hosts-by-kind-of-file", "list-deciding-lines"];
    let answers = clients().into_iter().map(|client| {
        let answers = words.map(|query| {
            let asked = ask(&[query]).env("ROBOCENSUS_DUCKDB", &client);
            asked.succeed().stdout
        });
        let (data, page) = (by_hand().path("both"), dir.word("report.html"));
        TestCommand::new(["report", "--data", &data, "--out", &page])
            .env("ROBOCENSUS_DUCKDB", &client)
            .succeed();
        (answers, fs::read_to_string(&page).unwrap())
    });
    let answers: Vec<_> = answers.collect();
    assert!(answers.windows(2).all(|two| two[0] == two[1]));
}

#[test]
#[cfg(unix)]
fn another_version_of_duckdb_is_refused_by_name() {
    use std::os::unix::fs::PermissionsExt;
    let dir = Dir::new();
    for version in [
        "v1.3.2 (Ossivalis) 0b83e5d2f6",
        "v2.0.0 (Name) 1234567",
        "nonsense",
    ] {
        let client = dir.write("duckdb", format!("#!/bin/sh\necho '{version}'\n"));
        fs::set_permissions(&client, fs::Permissions::from_mode(0o755)).unwrap();
        ask(&["SELECT 1"])
            .env("ROBOCENSUS_DUCKDB", &client)
            .refuse(&["expected DuckDB 1.4.4 to 1.5", version, "ROBOCENSUS_DUCKDB"]);
    }
}

#[test]
fn a_file_that_no_manifest_names_adds_no_rows() {
    let dir = Dir::new();
    let data = census(dir.path("census"), &[] as &[&str]);
    let folder = data.join("captures");
    or_skip!(client());
    let count = |sql: &str| query(&data, &[sql]).succeed().stdout;
    let sql = "SELECT count(*) AS n FROM captures";
    let both = "SELECT count(*) AS n FROM both_of('captures')";
    let hosts = "count-hosts-by-kind-of-file";
    let before = [sql, both, hosts].map(count);
    fs::copy(&files_below(&folder)[0], folder.join("stray.parquet")).unwrap();
    fs::write(data.join("rules/no.parquet"), "no file of Parquet").unwrap();
    assert_eq!([sql, both, hosts].map(count), before);
    count("SELECT count(*) FROM rules");
}

#[test]
fn a_description_has_rows_in_every_format() {
    or_skip!(duckdb());
    for sql in "DESCRIBE captures|SUMMARIZE matrix_agents|SHOW TABLES".split('|') {
        for format in ["table", "csv", "json", "latex", "markdown"] {
            let said = ask(&[sql, "--format", format]).succeed().stdout;
            assert!(said.len() > 100, "{sql} in {format}: {said}");
        }
        parquet(&by_hand().both(), sql);
    }
}

#[test]
fn a_terminal_gets_what_it_can_show_and_a_file_gets_all() {
    or_skip!(duckdb());
    let columns: Vec<_> = (0..9).map(|n| format!("repeat('x', 30) AS c{n}")).collect();
    let sql = format!("SELECT {} FROM range(29000)", columns.join(", "));
    let file = ask(&[&sql]).succeed().stdout;
    assert_eq!(file.lines().count(), 29_004);
    assert!(!file.contains('…'));
    let data = by_hand().path("both");
    let text = or_skip!(on_a_terminal(&["query", &sql, "--data", &data], &[]));
    let is_of_table = |line: &&str| line.starts_with(['│', '┌', '├', '└']);
    let table = text.lines().filter(is_of_table);
    let widths: Vec<_> = table.map(|line| line.chars().count()).collect();
    assert_eq!(widths.len(), 104, "{text}");
    assert!(widths.iter().all(|width| *width <= 60), "{text}");
    let left_out = "the first 100 of 29000 rows and the first 3 of 9 columns";
    assert_says(&text, left_out);
}

#[test]
fn a_terminal_gets_each_value_of_a_few_wide_rows_on_a_line_of_its_own() {
    let columns = (0..9).map(|n| format!(", repeat('{n}', 9 * {n}) AS column_{n}"));
    let columns: String = columns.collect();
    let sql = format!("SELECT range, NULL AS nothing{columns} FROM range(2)");
    let data = by_hand().path("both");
    let text = or_skip!(on_a_terminal(&["query", &sql, "--data", &data], &[]));
    let cells = text.lines().filter(|line| line.starts_with('│'));
    let cells: Vec<_> = cells.map(|line| line.replace(' ', "")).collect();
    assert_eq!(cells.len(), 1 + 2 * 11, "{text}");
    let first = ["│column│value│", "│range│0│", "│nothing│NULL│"];
    assert_eq!(cells[..3], first);
    assert_eq!(cells[12], "│range│1│");
    assert!(cells[11].ends_with("8…│"), "{text}");
    let is_narrow = |line: &str| line.chars().count() <= 60;
    assert!(text.lines().all(is_narrow), "{text}");
    assert!(!text.contains("note: the terminal"), "{text}");
    // No control sequence requests a reply of a terminal that may not answer.
    assert!(!text.contains('\u{1b}'), "{text:?}");
}
