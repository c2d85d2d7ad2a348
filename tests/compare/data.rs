//! `compare --data`: a dataset in place of its archives.

use super::{
    command::{adapter, archive, compare},
    files::{archive_of_copies, totals},
};
use crate::util::{Census, Dir, Files, package, run};

/// Makes a dataset with the files themselves.
pub fn dataset(dir: &Dir, name: &str, words: &[&str]) -> String {
    let out = dir.word(name);
    run(words)
        .words(&["--out", &out, "--quiet", "--tables", "+bodies"])
        .end();
    out
}

/// Returns what a comparison found, but for the order of captures.
fn found(dir: &Dir, out: &str) -> (serde_json::Value, Vec<String>, Files) {
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
    let body = "User-agent: *\nAllow: /\nDisallow: /a\n";
    let copies = archive_of_copies(&["a.example", "b.example", "a.example"], body);
    let copies = dir.write("copies.warc.gz", copies);
    let archives = [sample, &copies, &archive(&dir)];
    let data = dataset(&dir, "data", &[&archives[..], &["--part-size=1"]].concat());
    let few = dataset(&dir, "few", &archives[1..2]);
    let (all, few) = ((&archives[..], &data), (&archives[1..2], &few));
    let urls = dir.write("urls.txt", "/a\t10\n/\nhttps://a.example/own\n");
    let ranks = dir.write("ranks.csv", "1,a.example\n");
    let matrix = ["--probes", "matrix", "--urls", &urls, "--ranks", &ranks];
    let parser = adapter("parsers/python/urllib_robotparser.py");
    for ((archives, data), sides, more) in [
        (all, ["google", "rfc9309"], &[][..]),
        (all, ["google", "python"], &matrix),
        (all, ["baidu", "python"], &["--sample", "40%"]),
        (few, ["google", &parser], &["--timeout", "20s"]),
    ] {
        let inputs = [
            ("from-archives", archives),
            ("from-data", &["--data", data]),
        ];
        let [from_archives, from_data] = inputs.map(|(out, input)| {
            let words = [
                "--out",
                &dir.word(out),
                "--overwrite",
                "--reduce-steps",
                "100",
            ];
            let words = [input, &words, more].concat();
            compare(sides[0], sides[1], &words).end_with(1);
            found(&dir, out)
        });
        assert!(from_archives.1.len() > 5, "{sides:?}");
        assert_eq!(from_data.0, from_archives.0, "{sides:?}");
        assert!(from_data == from_archives, "{sides:?}");
    }
}
