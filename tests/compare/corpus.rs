//! `corpus`: a few files of a dataset, over which `compare` finds what all of them show.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
};

use robocensus::Dialect;

use super::{
    command::{archive, compare},
    data::dataset,
    files::{archive_of_copies, record, totals},
};
use crate::util::{
    Census, Dir, TestCommand, assert_says, duckdb, gzip, or_skip, package, rows_of_duckdb, run,
    shared,
};

/// Hosts from which on a cause of all files must be found on the corpus.
const MANY_HOSTS: u64 = 10;

/// Chooses files for a corpus in a folder of its own; returns its path.
fn corpus(dir: &Dir, name: &str, data: &str, files: &str) -> String {
    fs::create_dir_all(dir.path(name).join("corpus")).unwrap();
    let out = dir.word(&format!("{name}/corpus/files.parquet"));
    let words = ["corpus", "--data", data, "--files", files, "--out", &out];
    TestCommand::new(words).succeed();
    out
}

/// Returns the keys of the causes of a comparison, and what it counts.
fn found(dir: &Dir, input: &[&str], out: &str) -> (BTreeSet<String>, serde_json::Value) {
    let folder = dir.word(out);
    let words = [input, &["--out", &folder]].concat();
    compare("google", "python", &words).end_with(1);
    let causes = Census(dir.path(out)).table("causes").all_texts("changes");
    (causes.into_iter().collect(), totals(dir, out))
}

#[test]
fn a_corpus_of_all_files_shows_what_the_dataset_does() {
    let dir = Dir::new();
    let body = "User-agent: *\nAllow: /\nDisallow: /a\n";
    let copies = archive_of_copies(&["a.example", "b.example", "a.example"], body);
    let copies = dir.write("copies.warc.gz", copies);
    let data = dataset(&dir, "data", &[&archive(&dir), &copies]);
    let path = corpus(&dir, "all", &data, "1000");
    let rows = Census(dir.path("all")).table("corpus");
    let n_bodies = Census(dir.path("data")).table("bodies").n_rows();
    assert_eq!(rows.n_rows(), n_bodies);
    let of_copies = format!("3 2 a.example {body}");
    let rows_of_files = rows.lines("captures hosts url_host_name body");
    assert!(rows_of_files.contains(&of_copies), "{rows_of_files:?}");
    let (of_data, data_totals) = found(&dir, &["--data", &data], "from-data");
    let (of_corpus, corpus_totals) = found(&dir, &[&path], "from-corpus");
    assert!(of_data.len() > 5 && of_corpus == of_data);
    // A file counts once, and weighs as much as its captures.
    assert_eq!(corpus_totals["captures"], rows.n_rows());
    for name in ["weight", "flipping_weight"] {
        assert_eq!(corpus_totals[name], data_totals[name], "{name}");
    }
    let flips = Census(dir.path("from-corpus")).table("flips");
    let names = BTreeSet::from_iter(flips.all_texts("warc_filename"));
    assert!(names.iter().eq([&path]), "{names:?}");
}

#[test]
fn half_of_a_corpus_are_examples_and_the_order_of_captures_does_not_matter() {
    let dir = Dir::new();
    // A file like most others on many hosts, and one on two hosts with a trait of its own.
    let usual = |n| {
        let body = format!("User-agent: *\nDisallow: /{n}\n");
        gzip(&record(&format!("host-{n}.example"), body))
    };
    let mut records: Vec<_> = (0..40).map(usual).collect();
    let odd = "User-agent: *\nDisalow: /odd*way\n";
    records.extend(["x.example", "y.example"].map(|host| gzip(&record(host, odd))));
    let forward = dir.write("forward.warc.gz", records.concat());
    records.reverse();
    let backward = dir.write("backward.warc.gz", records.concat());
    let [forward, backward] = [("forward", forward), ("backward", backward)].map(|(name, path)| {
        let data = dataset(&dir, &format!("{name}-data"), &[&path]);
        corpus(&dir, name, &data, "6");
        let rows = Census(dir.path(name)).table("corpus").rows("body reason");
        rows.into_iter().collect::<BTreeMap<String, String>>()
    });
    assert_eq!(forward, backward);
    let reasons: Vec<&str> = forward.values().map(String::as_str).collect();
    assert_eq!(reasons.len(), 6, "{forward:?}");
    let n_sampled = reasons.iter().filter(|reason| **reason == "sample").count();
    assert!((3..5).contains(&n_sampled), "{forward:?}");
    let of_odd = &forward[odd];
    assert!(of_odd != "sample" && of_odd.contains(": "), "{of_odd}");
}

#[test]
fn archives_datasets_and_corpora_are_not_taken_for_each_other() {
    let dir = Dir::new();
    let archive = archive(&dir);
    let data = dataset(&dir, "data", &[&archive]);
    let path = corpus(&dir, "all", &data, "10");
    let [out, bare, absent] = ["out", "bare", "absent.parquet"].map(|name| dir.word(name));
    run(&[&archive, "--out", &bare, "--quiet"]).end();
    let bodies = Census(dir.path("data")).only_file("bodies");
    for (words, says) in [
        (&[&*data][..], "expected archives, but this is a dataset"),
        (
            &["--data", &dir.word("")],
            "expected the folder of a dataset",
        ),
        (&["--data", &bare], "among the tables (+bodies)"),
        (&["--data", &data, &archive], "--data"),
        (&["--data", &data, "--max-body", "1K"], "--max-body"),
        (&["--data", &data, &path], "--data"),
        (&[&path, &archive], "expected no input beside a corpus"),
        (&[&path, "--max-body", "1K"], "--max-body"),
        (&[bodies.to_str().unwrap()], "expected the column captures"),
        (&[&absent], "absent.parquet: cannot open"),
    ] {
        let ran = compare("google", "python", &[words, &["--out", &out]].concat()).end_with(2);
        assert!(ran.stderr.contains(says), "{words:?}: {}", ran.stderr);
        assert!(!dir.path("out").exists(), "{words:?}");
    }
    let words = ["--data", &data, "--out", &data, "--overwrite"];
    compare("google", "python", &words).end_with(2);
    assert!(Census(dir.path("data")).table("bodies").n_rows() > 10);
    for (data, out, says) in [
        (&data, "corpus.warc", "ends with .parquet"),
        (&bare, "corpus.parquet", "among the tables (+bodies)"),
        (&data, "data/bodies/own.parquet", "a file of the dataset"),
    ] {
        let words = ["corpus", "--data", data, "--out", &dir.word(out)];
        TestCommand::new(words).refuse(&[says]);
        assert!(!dir.path(out).exists());
    }
}

#[test]
fn a_corpus_that_was_changed_is_refused() {
    or_skip!(duckdb());
    let dir = Dir::new();
    let data = dataset(&dir, "data", &[&archive(&dir)]);
    let path = corpus(&dir, "all", &data, "10");
    let changed = dir.word("changed.parquet");
    for (columns, says) in [
        ("'x' || body AS body", "expected the digest of the body"),
        ("NULL::VARCHAR AS url_host_name", "expected no NULL"),
        ("'' AS url_host_name", "expected a host"),
        ("-captures AS captures", "and at least one capture"),
        (
            "repeat('#', 17000000) AS body",
            "a body of at most 16 MiB of text",
        ),
        (
            "first_value(body) OVER () AS body, first_value(content_digest) OVER () AS content_digest",
            "row 2: expected a body that is in no row before",
        ),
    ] {
        let sql =
            format!("COPY (SELECT * REPLACE ({columns}) FROM '{path}') TO '{changed}'; SELECT 1");
        rows_of_duckdb(&sql);
        let words = [&*changed, "--out", &dir.word("out")];
        let ran = compare("google", "python", &words).end_with(2);
        assert_says(&ran.stderr, says);
        assert!(!dir.path("out").exists());
    }
}

#[test]
fn a_corpus_is_asked_about_absolute_urls_of_its_hosts() {
    let dir = Dir::new();
    let record = gzip(&record("a.example", "User-agent: *\nDisallow: /a\n"));
    let data = dataset(&dir, "data", &[&dir.write("a.warc.gz", record)]);
    let path = corpus(&dir, "all", &data, "10");
    let urls = dir.write("urls.txt", "https://a.example/a\n");
    let words = [&*path, "--probes", "matrix", "--urls", &urls];
    let command = compare("google", "python", &words);
    command.words(&["--out", &dir.word("out")]).end();
    assert!(totals(&dir, "out")["cells"].as_u64() > Some(0));
}

/// Returns the pairs of dialects that are compared: all if the variable `CORPUS` is `all`, which
/// takes minutes.
fn pairs(is_all: bool) -> Vec<[&'static str; 2]> {
    let names = Dialect::BUILT_IN.map(|dialect| &*dialect.name);
    let pairs = names.iter().enumerate().flat_map(|(number, one)| {
        let others = names[number + 1..].iter();
        others.map(move |other| [*one, *other])
    });
    let far = ["google", "baidu-table"];
    pairs.filter(|pair| is_all || *pair == far).collect()
}

#[test]
fn a_small_corpus_finds_the_causes_of_many_hosts() {
    let is_all = env::var("CORPUS").is_ok_and(|all| all == "all");
    let folder = or_skip!(shared("corpus"));
    let dir = Dir::new();
    let (archives, files) = if is_all {
        (folder, "5000")
    } else {
        (folder.join("robots-00000.warc.gz"), "700")
    };
    let data = dataset(&dir, "data", &[archives.to_str().unwrap()]);
    let path = corpus(&dir, "all", &data, files);
    let n_bytes = fs::metadata(&path).unwrap().len();
    assert!(n_bytes < 20_000_000, "{n_bytes}");
    let n_files = Census(dir.path("all")).table("corpus").n_rows();
    assert_eq!(n_files.to_string(), files);
    for [one, other] in pairs(is_all) {
        // What dialects differ in has a name, whatever the example.
        let out = ["--out", &dir.word("out"), "--overwrite", "--reduce-steps=0"];
        let hosts_by_cause = |input: &[&str]| {
            compare(one, other, &[input, &out].concat()).end();
            let causes = Census(dir.path("out")).table("causes");
            BTreeMap::from_iter(causes.rows::<(String, u64)>("changes hosts"))
        };
        let mut of_many = hosts_by_cause(&["--data", &data]);
        let few = hosts_by_cause(&[&path]);
        of_many.retain(|_, hosts| *hosts >= MANY_HOSTS);
        assert!(of_many.len() > 2 || is_all, "{of_many:?}");
        of_many.retain(|cause, _| !few.contains_key(cause));
        assert!(of_many.is_empty(), "{one} and {other}: {of_many:?}");
    }
}

#[test]
fn the_committed_corpus_shows_what_dialects_differ_in() {
    let dir = Dir::new();
    let path = package().join("data-sample/compare.parquet");
    let (of_corpus, totals) = found(&dir, &[path.to_str().unwrap()], "out");
    assert!(of_corpus.len() >= 40, "{of_corpus:?}");
    assert_eq!(totals["unexplained"], 0);
}
