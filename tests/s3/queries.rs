//! SQL over a dataset in S3, by DuckDB's extension httpfs.

use std::{path::PathBuf, process::Command};

use super::{
    SECRET, archives, local,
    server::{KEY_ID, server},
};
use crate::util::{Dir, TestCommand, assert_says, needed, or_skip, package};

/// Returns DuckDB as `make` puts it beside its extension, of one version. It has the extension
/// installed below `home`.
fn duckdb(home: &Dir) -> Option<PathBuf> {
    let folder = package().join("target/duckdb-httpfs");
    let duckdb = folder.join("duckdb_cli/duckdb");
    let extensions = folder.join("duckdb_extension_httpfs/extensions");
    let versions = extensions.read_dir().ok().into_iter().flatten();
    let installed = versions.flatten().next().is_some_and(|version| {
        let file = version.path().join("httpfs.duckdb_extension");
        let install = format!("INSTALL '{}'", file.display());
        let ran = Command::new(&duckdb)
            .args(["-no-init", "-c", &install])
            .env("HOME", home.path(""))
            .output();
        ran.is_ok_and(|ran| ran.status.success())
    });
    needed(installed, "duckdb and httpfs in target/duckdb-httpfs")?;
    Some(duckdb)
}

#[test]
fn queries_and_reports_of_s3_are_those_of_the_folder() {
    let (dir, home) = (Dir::new(), Dir::new());
    let (Some(server), Some(duckdb)) = (server(), duckdb(&home)) else {
        return;
    };
    let bucket = server.bucket();
    let words = archives(&dir, 3);
    local(&dir, &words, 1);
    bucket.run(&words, "census").end_with(1);
    let places = [dir.word("local"), bucket.url("census")];
    let ask = |words: &[&str], home: &Dir| {
        let command = TestCommand::new(words.iter().copied())
            .env("ROBOCENSUS_DUCKDB", duckdb.to_str().unwrap())
            .env("HOME", &home.word(""));
        server.environment(command)
    };
    for query in [
        "count-captures-by-status",
        "count-hosts-by-kind-of-file",
        "count-redirects-by-outcome",
        "SELECT count(*) AS n FROM rules",
    ] {
        let answers = places.each_ref().map(|place| {
            let words = ["query", query, "--data", place, "--format", "json"];
            ask(&words, &home).succeed().stdout
        });
        assert_eq!(answers[0], answers[1], "{query}");
        assert!(answers[0].len() > 10, "{query}");
    }
    let pages = places.each_ref().map(|place| {
        let out = dir.word("report.html");
        ask(&["report", "--data", place, "--out", &out], &home).succeed();
        std::fs::read_to_string(out).unwrap()
    });
    assert!(pages[0] == pages[1], "the reports differ");
    let without = Dir::new();
    ask(&["query", "FROM captures", "--data", &places[1]], &without).refuse(&[
        "extension httpfs",
        "INSTALL httpfs",
        "robocensus help spark-and-s3",
    ]);
}

/// DuckDB gets them neither by its arguments nor in SQL, which messages may show.
#[cfg(unix)]
#[test]
fn credentials_of_a_profile_are_in_the_environment_of_duckdb_alone() {
    use std::{fs, os::unix::fs::PermissionsExt};
    let server = or_skip!(server());
    let (dir, bucket) = (Dir::new(), server.bucket());
    bucket.run(&archives(&dir, 1), "census").succeed();
    let seen = dir.word("seen");
    let script = format!(
        "#!/bin/sh\n[ \"$3\" = --version ] && exec echo v1.5.6\nenv > {seen}.env\necho \"$@\" > {seen}.sql\ncat >> {seen}.sql\n"
    );
    let duckdb = dir.write("duckdb", script);
    fs::set_permissions(&duckdb, fs::Permissions::from_mode(0o755)).unwrap();
    let profile = format!("[team]\naws_access_key_id={KEY_ID}\naws_secret_access_key={SECRET}\n");
    let [(endpoint, url), ..] = server.variables();
    let credentials = dir.write("credentials", profile);
    let ran = TestCommand::new(["query", "FROM archives", "--data", &bucket.url("census")])
        .env("ROBOCENSUS_DUCKDB", &duckdb)
        .env("AWS_SHARED_CREDENTIALS_FILE", &credentials)
        .env("AWS_PROFILE", "team")
        .env(endpoint, &url)
        .end();
    let read = |end: &str| fs::read_to_string(format!("{seen}.{end}")).unwrap();
    assert!(read("env").contains(&format!("AWS_SECRET_ACCESS_KEY={SECRET}\n")));
    let sql = read("sql");
    assert_says(&sql, "SECRET getenv('AWS_SECRET_ACCESS_KEY')");
    for text in [sql, ran.stderr, ran.stdout] {
        assert!(!text.contains(SECRET) && !text.contains(KEY_ID), "{text}");
    }
}
