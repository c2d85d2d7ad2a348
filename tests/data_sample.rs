//! The files of `data-sample/` agree with its EXPECTED.toml and README.md.

use std::fs;

use robocensus::{
    robots::{
        dialect::{RuleKind, RuleSet, builtin},
        lines::{Field, RobotsTxt, parse},
    },
    sample,
};

use crate::util::{Census, Dir, committed, files_below, package, read, run};

#[test]
fn each_robots_txt_has_the_counts_worked_out_by_hand() {
    let folder = package().join("data-sample");
    let expected: toml::Table = fs::read_to_string(folder.join("EXPECTED.toml"))
        .unwrap()
        .parse()
        .unwrap();
    let google = builtin("google").unwrap();
    let (mut robots, mut rules) = (RobotsTxt::new(), RuleSet::new());
    let mut n_files = 0;
    for path in files_below(&folder.join("robots")) {
        let name = path.file_name().unwrap().to_str().unwrap();
        let body = fs::read(&path).unwrap();
        parse(&body, &mut robots);
        rules.compile(&google, &body, &robots);
        let allow = rules
            .rules()
            .iter()
            .filter(|rule| rule.kind == RuleKind::Allow)
            .count();
        let before_group = rules
            .rules()
            .iter()
            .filter(|rule| rule.group_index.is_none());
        let sitemaps = rules
            .records()
            .iter()
            .filter(|record| record.field == Field::Sitemap);
        // google takes these two fields for rules, since their keys begin like one; they are listed
        // twice.
        let also_rules = rules.records().iter().filter(|record| {
            matches!(
                record.field,
                Field::AllowAiTraining | Field::DisallowAiTraining
            )
        });
        let comments = robots
            .lines()
            .iter()
            .filter(|line| line.content().is_empty() && line.comment().is_some());
        let sitemaps = sitemaps.count();
        let counts = [
            ("groups", rules.groups().len()),
            ("agent_lines", rules.agents().len()),
            ("allow", allow),
            ("disallow", rules.rules().len() - allow),
            ("rules_before_group", before_group.count()),
            ("sitemaps", sitemaps),
            (
                "other_directives",
                rules.records().len() - sitemaps - also_rules.count(),
            ),
            ("comment_lines", comments.count()),
        ];
        let mut found = toml::Table::new();
        for (key, count) in counts {
            found.insert(key.to_owned(), i64::try_from(count).unwrap().into());
        }
        found.insert(
            "line_ending".to_owned(),
            robots.line_ending().as_str().into(),
        );
        assert_eq!(expected[name], toml::Value::Table(found), "{name}");
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
        let name = path
            .strip_prefix(&folder)
            .unwrap()
            .to_str()
            .unwrap()
            .replace('\\', "/");
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

/// Offset, length, host and rules of each capture.
type CaptureRow = (i64, i64, String, i64);

struct Outcome {
    captures: Vec<CaptureRow>,
    /// Code, offset and bytes skipped of each fault.
    faults: Vec<(String, i64, i64)>,
}

fn outcome(sample: &str, code: i32) -> Outcome {
    let dir = Dir::new();
    let archive = package().join("data-sample").join(sample);
    run(&[archive.to_str().unwrap()])
        .words(&["--out", &dir.word("census"), "--quiet"])
        .end_with(code);
    let census = Census(dir.path("census"));
    let captures = census.table("captures");
    let [offsets, lengths, rules] = ["warc_record_offset", "warc_record_length", "rule_count"]
        .map(|column| captures.all_ints(column));
    let hosts = captures.all_texts("url_host_name");
    let faults = census.table("archive_errors");
    let [at, skipped] = ["byte_offset", "bytes_skipped"].map(|column| faults.all_ints(column));
    let codes = faults.all_texts("code");
    Outcome {
        captures: (0..hosts.len())
            .map(|row| (offsets[row], lengths[row], hosts[row].clone(), rules[row]))
            .collect(),
        faults: (0..codes.len())
            .map(|row| (codes[row].clone(), at[row], skipped[row]))
            .collect(),
    }
}

fn hosts(outcome: &Outcome) -> Vec<&str> {
    outcome
        .captures
        .iter()
        .map(|capture| capture.2.as_str())
        .collect()
}

fn lengths(outcome: &Outcome) -> Vec<i64> {
    outcome.captures.iter().map(|capture| capture.1).collect()
}

const THREE: [&str; 3] = ["alpha.example", "beta.example", "gamma.example"];

#[test]
fn a_plain_archive_gives_its_three_records() {
    let plain = outcome("archives/plain.warc", 0);
    assert_eq!(hosts(&plain), THREE);
    assert_eq!(lengths(&plain), [471, 502, 519]);
    assert_eq!(plain.faults.len(), 0);
}

#[test]
fn a_single_member_gives_also_the_records_that_do_not_begin_it() {
    let whole = outcome("archives/whole-file-member.warc.gz", 0);
    let plain = outcome("archives/plain.warc", 0);
    assert_eq!(hosts(&whole), THREE);
    assert_eq!(lengths(&whole), [533, 533, 533], "all are in one member");
    let rules = |outcome: &Outcome| {
        outcome
            .captures
            .iter()
            .map(|capture| capture.3)
            .collect::<Vec<_>>()
    };
    assert_eq!(rules(&whole), rules(&plain));
    assert_eq!(whole.faults.len(), 0);
}

#[test]
fn a_truncated_member_costs_only_itself() {
    let cut = outcome("damaged/truncated-member.warc.gz", 1);
    assert_eq!(hosts(&cut), THREE[..2]);
    assert_eq!(lengths(&cut), [332, 339]);
    assert_eq!(cut.faults, [("member_truncated".to_owned(), 671, 173)]);
}

#[test]
fn a_member_that_does_not_inflate_costs_only_itself() {
    let corrupt = outcome("damaged/corrupt-member.warc.gz", 1);
    assert_eq!(hosts(&corrupt), [THREE[0], THREE[2]]);
    assert_eq!(corrupt.captures[1].0, 671);
    assert_eq!(lengths(&corrupt), [332, 346]);
    assert_eq!(corrupt.faults, [("member_corrupt".to_owned(), 332, 339)]);
}
