//! The files of `data-sample/` agree with its EXPECTED.toml and README.md.

use std::fs;

use robocensus::{
    robots::{
        dialect::{Dialect, RuleSet},
        lines::{RobotsTxt, parse},
    },
    sample,
};

use serde_json::{Value, json};

use crate::{
    truth::line_counts,
    util::{Dir, below, committed, files_below, package, read},
};

#[test]
fn each_robots_txt_has_the_counts_worked_out_by_hand() {
    let folder = package().join("data-sample");
    let expected = fs::read_to_string(folder.join("EXPECTED.toml")).unwrap();
    let expected: toml::Table = expected.parse().unwrap();
    let google = Dialect::GOOGLE;
    let (mut robots, mut rules) = (RobotsTxt::new(), RuleSet::new());
    let mut n_files = 0;
    for path in files_below(&folder.join("robots")) {
        let name = path.file_name().unwrap().to_str().unwrap();
        let body = fs::read(&path).unwrap();
        parse(&body, &mut robots);
        rules.compile(&google, &body, &robots);
        let mut found = json!(line_counts(&body, &robots, &rules));
        found["line_ending"] = robots.line_ending().as_str().into();
        // It is the sum of two others.
        found.as_object_mut().unwrap().remove("rules");
        assert_eq!(json!(expected[name]), found, "{name}");
        n_files += 1;
    }
    assert_eq!(expected.len(), n_files, "expectations without a file");
}

#[test]
fn every_file_has_its_row_in_the_readme() {
    let folder = package().join("data-sample");
    let readme = fs::read_to_string(folder.join("README.md")).unwrap();
    for (part, names_are_below) in [("robots", "robots"), ("archives", ""), ("damaged", "")] {
        for path in files_below(&folder.join(part)) {
            let name = below(&folder.join(names_are_below), &path);
            let is_named = readme.contains(&format!("| `{name}` |"));
            assert!(is_named || name.ends_with(".truth.json"), "{name}");
        }
    }
}

#[test]
fn samples_and_recorded_verdicts_are_small() {
    for folder in ["data-sample", "tests/conformance"] {
        let files = files_below(&package().join(folder)).into_iter();
        let bytes: u64 = files.map(|path| fs::metadata(path).unwrap().len()).sum();
        assert!(bytes <= 2 << 20, "{folder}: {bytes} bytes");
    }
}

#[test]
fn the_committed_archive_has_the_records_that_the_generator_writes() {
    let options = sample::Options {
        captures: 600,
        seed: 2026,
    };
    let dir = Dir::new();
    let mut archive = Vec::new();
    let mut truth = sample::write(&options, &mut archive).unwrap();
    let path = dir.write("again.warc.gz", archive);
    let sample = package().join("data-sample/archives/sample-2026.warc.gz");
    assert!(read(path.as_ref()) == read(&sample));
    // The compressed bytes depend on the release of the compression library, the records do not.
    let committed = &committed().truth;
    truth.file_bytes = committed["file_bytes"].as_u64().unwrap();
    truth.file_sha1 = committed["file_sha1"].as_str().unwrap().to_owned();
    let truth: Value = serde_json::from_str(&truth.to_json()).unwrap();
    assert_eq!(truth, *committed);
}
