//! `compare --data`: a dataset in place of its archives.

use std::collections::BTreeMap;

use super::{
    command::{adapter, archive, compare},
    files::{record, totals},
};
use crate::util::{Census, Dir, gzip, package, run};

/// Makes a dataset with the files themselves.
pub fn dataset(dir: &Dir, name: &str, words: &[&str]) -> String {
    let out = dir.word(name);
    run(words)
        .words(&["--out", &out, "--quiet", "--tables", "+bodies"])
        .end();
    out
}

/// Returns what a comparison found, but for the order of captures.
fn found(dir: &Dir, out: &str) -> (serde_json::Value, Vec<String>, BTreeMap<String, Vec<u8>>) {
    let census = Census(dir.path(out));
    let columns = "url_host_name content_digest warc_filename agent url direction cause_id \
                   capture_id warc_record_offset host_rank weight";
    let mut flips = census.table("flips").lines(columns);
    flips.sort();
    let mut files = census.files();
    files.retain(|path, _| path.starts_with("cases/") || path.starts_with("causes/"));
    (totals(dir, out), flips, files)
}

#[test]
fn a_dataset_gives_what_its_archives_give() {
    let dir = Dir::new();
    let sample = package().join("data-sample/archives");
    let sample = sample.to_str().unwrap();
    // The same files on more hosts, and another archive that states digests wrongly.
    let copies = ["a.example", "b.example", "a.example"]
        .map(|host| gzip(&record(host, b"User-agent: *\nAllow: /\nDisallow: /a\n")));
    let copies = dir.write("copies.warc.gz", copies.concat());
    let archives = [sample, &copies, &archive(&dir)];
    let data = dataset(&dir, "data", &[&archives[..], &["--part-size=1"]].concat());
    let few = dataset(&dir, "few", &archives[1..2]);
    let (all, few) = ((&archives[..], &data), (&archives[1..2], &few));
    let urls = dir.write("urls.txt", "/a\t10\n/\nhttps://a.example/own\n");
    let ranks = dir.write("ranks.csv", "1,a.example\n");
    let matrix = ["--probes", "matrix", "--urls", &urls, "--ranks", &ranks];
    let parser = adapter("parsers/python/urllib_robotparser.py");
    for (number, ((archives, data), sides, more)) in [
        (all, ["google", "rfc9309"], &[][..]),
        (all, ["google", "python"], &matrix),
        (all, ["baidu", "python"], &["--sample", "40%"]),
        (few, ["google", &parser], &["--timeout", "20s"]),
    ]
    .into_iter()
    .enumerate()
    {
        let outs = [format!("archives-{number}"), format!("data-{number}")];
        let [one, other] = [archives, &["--data", data]];
        for (input, out) in [(one, &outs[0]), (other, &outs[1])] {
            let out = dir.word(out);
            let words = [input, &["--out", &out, "--reduce-steps", "100"], more].concat();
            compare(sides[0], sides[1], &words).end_with(1);
        }
        let [from_archives, from_data] = outs.map(|out| found(&dir, &out));
        assert!(from_archives.1.len() > 5, "{sides:?}");
        assert_eq!(from_data.0, from_archives.0, "{sides:?}");
        assert!(from_data.1 == from_archives.1, "{sides:?}");
        assert!(from_data.2 == from_archives.2, "{sides:?}");
    }
}

#[test]
fn archives_and_datasets_are_not_taken_for_each_other() {
    let dir = Dir::new();
    let archive = archive(&dir);
    let data = dataset(&dir, "data", &[&archive]);
    let bare = dir.word("bare");
    run(&[&archive, "--out", &bare, "--quiet"]).end();
    let out = dir.word("out");
    for (words, says) in [
        (&[&*data][..], "expected archives, but this is a dataset"),
        (
            &["--data", &dir.word("")],
            "expected the folder of a dataset",
        ),
        (&["--data", &bare], "among the tables (+bodies)"),
        (&["--data", &data, &archive], "--data"),
        (&["--data", &data, "--max-body", "1K"], "--max-body"),
    ] {
        let ran = compare("google", "python", &[words, &["--out", &out]].concat()).end_with(2);
        assert!(ran.stderr.contains(says), "{}", ran.stderr);
        assert!(!dir.path("out").exists(), "{words:?}");
    }
    let words = ["--data", &data, "--out", &data, "--overwrite"];
    compare("google", "python", &words).end_with(2);
    assert!(Census(dir.path("data")).table("bodies").n_rows() > 10);
}
