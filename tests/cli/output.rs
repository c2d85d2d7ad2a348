//! Where results go: whose folder may be written to, and what stands in it.

use std::{collections::BTreeSet, fs};

use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use robocensus::dataset::table::{PART_TABLES, TABLES};
use serde_json::Value;

use super::good;
use crate::util::{CRAWL, Dir, TestCommand, assert_says, generated, read_json, run};

#[test]
fn an_output_that_cannot_be_is_known_before_an_archive_is_read() {
    let dir = Dir::new();
    let file = dir.write("file", "not a folder");
    let archive = dir.write("a.warc.gz", good());
    run(&[&archive, "--out", &file]).refuse(&[&file]);
    run(&[&archive, "--out", &format!("{file}/census")]).refuse(&[&file]);
    let json = format!("{file}/summary.json");
    run(&[&archive, "--out", &dir.word("census")])
        .words(&["--summary-json", &json])
        .refuse(&[&json, "cannot write"]);
    assert!(!dir.path("census").exists());
    assert_eq!(fs::read(file).unwrap(), b"not a folder");
}

#[test]
fn the_folder_holds_the_tables_and_what_says_that_they_are_whole() {
    let census = &generated().census;
    let files = census.files();
    let named = |begin: &str| files.keys().find_map(|name| name.strip_prefix(begin));
    let part = named("_manifest/").unwrap().strip_suffix(".json").unwrap();
    let of_crawl = |name: &str, part: &str| format!("{name}/crawl={CRAWL}/part-{part}.parquet");
    let parts = PART_TABLES.iter().map(|table| of_crawl(table.name, part));
    let whole = ["cohort", "dialects", "matrix_agents"];
    let of_hosts = ["hosts", "redirects"];
    let mut wanted = BTreeSet::from(["_dataset.json", "_lists.json"].map(str::to_owned));
    wanted.extend(parts);
    wanted.extend(whole.map(|name| format!("{name}/part-{name}.parquet")));
    wanted.extend(of_hosts.map(|name| of_crawl(name, name)));
    let tables = whole.iter().chain(&of_hosts);
    wanted.extend(tables.map(|name| format!("_tables/{name}.json")));
    wanted.insert(format!("_manifest/{part}.json"));
    wanted.insert(format!("_inputs/{}", named("_inputs/").unwrap()));
    assert_eq!(files.into_keys().collect::<BTreeSet<_>>(), wanted);
}

#[test]
fn the_files_say_what_made_them() {
    let census = &generated().census;
    for table in TABLES {
        let file = fs::File::open(census.only_file(table.name)).unwrap();
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
        let metadata = reader.metadata().file_metadata();
        let pairs = metadata.key_value_metadata().unwrap();
        let says = |key: &str| pairs.iter().find(|pair| pair.key == key)?.value.as_deref();
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(says("robocensus.tool_version"), Some(version));
        assert_eq!(says("robocensus.reference_dialect"), Some("google"));
        assert!(says("robocensus.options_digest").is_some());
        let has_parts = says("robocensus.parts").is_some_and(|parts| parts.starts_with("1, sha1 "));
        assert!(has_parts || table.name != "redirects");
    }
}

#[test]
fn a_sample_is_the_same_for_the_same_seed_and_is_not_replaced_unasked() {
    let dir = Dir::new();
    let sample = |name: &str, seed: &str| {
        let words = ["sample", "--captures", "30", "--seed", seed, "--out"];
        TestCommand::new(words).words(&[dir.word(name)])
    };
    let said = sample("a.warc.gz", "1").succeed().stdout;
    assert_says(&said, "30 captures");
    assert_says(&said, "a.truth.json");
    sample("b.warc.gz", "1").succeed();
    sample("c.warc.gz", "2").succeed();
    let bytes = |name: &str| fs::read(dir.path(name)).unwrap();
    assert_eq!(bytes("a.warc.gz"), bytes("b.warc.gz"));
    assert_ne!(bytes("a.warc.gz"), bytes("c.warc.gz"));
    let truth: Value = read_json(dir.path("a.truth.json"));
    assert_eq!(truth["file_bytes"], bytes("a.warc.gz").len());
    sample("a.warc.gz", "2").refuse(&["a.warc.gz", "--overwrite"]);
    assert_eq!(bytes("a.warc.gz"), bytes("b.warc.gz"));
    sample("a.warc.gz", "2").words(&["--overwrite"]).succeed();
    assert_eq!(bytes("a.warc.gz"), bytes("c.warc.gz"));
    sample("no/such/folder.warc.gz", "1").refuse(&["cannot write"]);
}

#[test]
fn a_sample_of_pages_begins_like_the_one_without_them() {
    let dir = Dir::new();
    let sample = |name: &str, words: &[&str]| {
        let command = TestCommand::new(["sample", "--captures", "30", "--seed", "1"]);
        let said = command.words(words).words(&["--out", &dir.word(name)]);
        (said.succeed().stdout, fs::read(dir.path(name)).unwrap())
    };
    let (_, without) = sample("a.warc.gz", &[]);
    let (_, with_none) = sample("b.warc.gz", &["--pages", "0"]);
    assert_eq!(without, with_none);
    let (said, with_pages) = sample("c.warc.gz", &["--pages", "80"]);
    assert!(said.contains("captures and 80 pages"), "{said}");
    assert!(with_pages.starts_with(&without));
    let truth: Value = read_json(dir.path("c.truth.json"));
    assert_eq!(truth["pages"]["traits"].as_object().unwrap().len(), 35);
    assert_eq!(truth["file_bytes"], with_pages.len());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_named() {
    for words in ["dialects", "help", "--help", "run -h", "--version"] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full");
        let program = std::process::Command::new(env!("CARGO_BIN_EXE_robocensus"))
            .args(words.split(' '))
            .stdout(full.unwrap())
            .output()
            .unwrap();
        let message = String::from_utf8(program.stderr).unwrap();
        assert_eq!(program.status.code(), Some(2), "{words}: {message}");
        assert_says(&message, "standard output: No space left");
    }
}
