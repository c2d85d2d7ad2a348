//! The files of `data-sample/` agree with its EXPECTED.toml and README.md.

use std::fs;

use robocensus::{
    robots::{
        dialect::{Dialect, RuleSet},
        lines::{RobotsTxt, parse},
    },
    sample,
};

use serde_json::json;

use crate::{
    truth::line_counts,
    util::{Dir, below, committed, files_below, package, read},
};

#[test]
fn each_robots_txt_has_the_counts_worked_out_by_hand() {
    let folder = package().join("data-sample");
    let expected: toml::Table = fs::read_to_string(folder.join("EXPECTED.toml"))
        .unwrap()
        .parse()
        .unwrap();
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
    for path in files_below(&folder.join("robots")) {
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(readme.contains(&format!("| `{name}` |")), "{name}");
    }
    for path in [
        files_below(&folder.join("archives")),
        files_below(&folder.join("damaged")),
    ]
    .concat()
    {
        let name = below(&folder, &path);
        assert!(
            name.ends_with(".truth.json") || readme.contains(&format!("| `{name}` |")),
            "{name}"
        );
    }
}

#[test]
fn all_samples_are_small() {
    let files = files_below(&package().join("data-sample"));
    let bytes: u64 = files
        .iter()
        .map(|path| fs::metadata(path).unwrap().len())
        .sum();
    assert!(bytes <= 2 << 20, "{bytes} bytes");
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
    assert!(
        read(path.as_ref()) == read(&package().join("data-sample/archives/sample-2026.warc.gz"))
    );
    // The compressed bytes depend on the release of the compression library, the records do not.
    let committed = &committed().truth;
    truth.file_bytes = committed["file_bytes"].as_u64().unwrap();
    truth.file_sha1 = committed["file_sha1"].as_str().unwrap().to_owned();
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&truth.to_json()).unwrap(),
        *committed
    );
}
