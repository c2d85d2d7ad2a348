//! The two forms of answers: a row for each cell, or each distinct vector of answers once. They
//! must say the same.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use robocensus::{
    Config, Progress, Summary,
    dataset::run::VerdictForm,
    robots::{dialect::builtin, matrix::read_urls},
    sample,
};

use crate::util::{Census, Dir, Held, answer, files_below, gzip, response, run};

const MIB: u64 = 1 << 20;
/// Two paths for every host, and absolute URLs that only two of them are asked.
const URLS: &str =
    "/\n/wp-admin/x\nhttps://own.example/a\nhttps://own.example/b\nhttp://other.example/a\n";

/// Capture, host, dialect, agent, URL, verdict, basis, group and line.
type Row = (i64, String, [String; 5], Option<i64>, Option<i64>);

/// Returns two parts of three tasks each, by what their sources say of their sizes: tasks hold 16
/// MiB.
fn archives() -> Vec<Held> {
    let of_urls = [
        "https://own.example",
        "http://other.example",
        "https://a.example",
    ]
    .map(|origin| {
        response(
            &format!("{origin}/robots.txt"),
            "User-agent: *\nDisallow: /a\n",
        )
    });
    let mut archives = vec![Held::new("0.warc.gz", gzip(&of_urls.concat()))];
    for seed in 1..6 {
        let mut bytes = Vec::new();
        let options = sample::Options {
            captures: 120,
            seed,
        };
        sample::write(&options, &mut bytes).unwrap();
        archives.push(Held::new(&format!("{seed}.warc.gz"), bytes));
    }
    for archive in &mut archives {
        archive.size = Some(10 * MIB);
    }
    archives
}

fn run_in(form: VerdictForm, threads: usize, out: &Path) -> Summary {
    let mut config = Config::new(out);
    config.threads = NonZeroUsize::new(threads).unwrap();
    config.part_bytes = 32 * MIB;
    config.verdicts = form;
    config.dialects = ["google", "python"]
        .map(|name| builtin(name).unwrap())
        .into();
    config.matrix.urls = read_urls(URLS).unwrap();
    let archives: Vec<_> = archives().into_iter().map(Held::source).collect();
    robocensus::run(&config, &archives, &Progress::default()).unwrap()
}

/// Returns both forms of the same run.
fn both(dir: &Dir) -> [(PathBuf, Summary); 2] {
    [(VerdictForm::Rows, "rows"), (VerdictForm::Sets, "sets")].map(|(form, name)| {
        let out = dir.path(name);
        let summary = run_in(form, 2, &out);
        (out, summary)
    })
}

/// Returns the rows of `verdicts` or `verdict_sets`, each behind its key.
fn cells(census: &Census, table: &str, key: &str) -> Vec<(i64, [String; 5], [Option<i64>; 2])> {
    let rows = census.table(table);
    let texts = ["dialect", "agent", "url", "verdict", "basis"].map(|name| rows.all_texts(name));
    let numbers = ["group_index", "rule_line"].map(|name| rows.ints(name));
    let keys = rows.all_ints(key).into_iter().enumerate();
    keys.map(|(row, key)| {
        let texts = texts.each_ref().map(|column| column[row].clone());
        (key, texts, numbers.each_ref().map(|column| column[row]))
    })
    .collect()
}

#[test]
fn both_forms_have_the_same_answers_in_the_same_order() {
    let dir = Dir::new();
    let [(rows, of_rows), (sets, of_sets)] = both(&dir);
    let (rows, sets) = (Census(rows), Census(sets));
    let verdicts = rows.table("verdicts");
    let hosts = verdicts.all_texts("url_host_name");
    let wanted: Vec<Row> = cells(&rows, "verdicts", "capture_id")
        .into_iter()
        .zip(hosts)
        .map(|((id, texts, [group, line]), host)| (id, host, texts, group, line))
        .collect();
    assert!(wanted.iter().any(|row| row.2[2] == "https://own.example/b"));

    let mut by_set: BTreeMap<i64, Vec<_>> = BTreeMap::new();
    for (id, texts, numbers) in cells(&sets, "verdict_sets", "verdict_set_id") {
        by_set.entry(id).or_default().push((texts, numbers));
    }
    let captures = sets.table("captures");
    let keys = captures.all_ints("capture_id").into_iter();
    let keys = keys.zip(captures.all_texts("url_host_name"));
    let mut found: Vec<Row> = Vec::new();
    for ((id, host), set) in keys.zip(captures.all_ints("verdict_set_id")) {
        for (texts, [group, line]) in &by_set[&set] {
            found.push((id, host.clone(), texts.clone(), *group, *line));
        }
    }
    assert!(found == wanted);
    assert_eq!(of_rows.counts.verdicts, wanted.len() as u64);
    assert_eq!(of_sets.counts.verdicts, wanted.len() as u64);
}

#[test]
fn each_form_leaves_the_table_of_the_other_empty() {
    let dir = Dir::new();
    let [rows, sets] = both(&dir).map(|(out, _)| Census(out));
    assert_eq!(rows.table("verdict_sets").n_rows(), 0);
    assert_eq!(sets.table("verdicts").n_rows(), 0);
    let ids = rows.table("captures").ints("verdict_set_id");
    assert!(!ids.is_empty() && ids.iter().all(Option::is_none));
}

#[test]
fn a_vector_stands_once_in_a_part_and_parts_share_no_identifier() {
    let dir = Dir::new();
    run_in(VerdictForm::Sets, 3, &dir.path("sets"));
    let files = files_below(&dir.path("sets/verdict_sets"));
    assert_eq!(files.len(), 2);
    let mut ids_of_all = BTreeSet::new();
    let mut vectors_of_all = BTreeSet::new();
    let mut n_vectors = 0;
    for (number, file) in files.into_iter().enumerate() {
        let alone = dir.path(&format!("alone-{number}"));
        fs::create_dir_all(alone.join("verdict_sets")).unwrap();
        fs::copy(file, alone.join("verdict_sets/part.parquet")).unwrap();
        let mut by_set: BTreeMap<i64, Vec<_>> = BTreeMap::new();
        for (id, texts, numbers) in cells(&Census(alone), "verdict_sets", "verdict_set_id") {
            by_set.entry(id).or_default().push((texts, numbers));
        }
        for id in by_set.keys() {
            assert!(ids_of_all.insert(*id), "{id} is in both parts");
        }
        let distinct: BTreeSet<_> = by_set.values().cloned().collect();
        assert_eq!(distinct.len(), by_set.len());
        n_vectors += distinct.len();
        vectors_of_all.extend(distinct);
    }
    // The parts do have vectors in common, or the identifiers would be apart anyway.
    assert!(vectors_of_all.len() < n_vectors);
}

#[test]
fn the_bytes_of_sets_do_not_depend_on_threads() {
    let dir = Dir::new();
    let [one, three] = [1, 3].map(|threads| {
        let out = dir.path(&threads.to_string());
        run_in(VerdictForm::Sets, threads, &out);
        Census(out).files()
    });
    assert!(one == three);
}

#[test]
fn the_view_of_verdicts_is_the_same_for_both_forms() {
    let dir = Dir::new();
    let sql = "SELECT COLUMNS(* EXCLUDE (capture_id)), count(*) AS n, sum(capture_id)::VARCHAR AS captures FROM verdicts GROUP BY ALL ORDER BY ALL";
    let [rows, sets] = both(&dir).map(|(out, _)| answer(&out, sql, &[]));
    assert_eq!(rows.is_some(), sets.is_some());
    assert!(rows.as_ref().is_none_or(|rows| rows.len() > 1_000));
    assert!(rows == sets);
}

#[test]
fn a_dataset_of_one_form_is_not_continued_in_the_other() {
    let dir = Dir::new();
    let archive = archives().swap_remove(1);
    let archive = dir.write(&archive.name, archive.bytes);
    let with = |form: &str, more: &[&str]| {
        run(&[
            &archive,
            "--out",
            &dir.word("census"),
            "--quiet",
            "--verdicts",
            form,
        ])
        .words(more)
    };
    with("sets", &[]).succeed();
    let before = Census(dir.path("census")).files();
    for mode in ["--resume", "--join"] {
        with("rows", &[mode]).refuse(&["verdicts", "sets", "rows"]);
    }
    with("sets", &["--resume"]).succeed();
    assert!(before == Census(dir.path("census")).files());
}
