//! The two forms of verdicts, read by every query on verdicts: a vector of answers that
//! captures share must count for each of them.

use std::{fs, path::Path};

use super::{by_hand, files, name, views_read};
use crate::util::{Dir, answer, lines, package, run};

/// Returns whether SQL reads a view of verdicts, joined to captures or apart.
fn reads_verdicts(sql: &str) -> bool {
    views_read(sql).iter().any(|view| {
        view.ends_with("verdicts") || view.ends_with("_answers") || view == "answer_cells"
    })
}

/// Runs all queries that read verdicts on two datasets, compares the results, and returns how many
/// have rows.
fn compare(rows: &Path, sets: &Path) -> usize {
    let mut n_answered = 0;
    for path in files() {
        if !reads_verdicts(&fs::read_to_string(&path).unwrap()) {
            continue;
        }
        let query = name(&path);
        let words = by_hand().words(query);
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        let [of_rows, of_sets] = [rows, sets].map(|data| answer(data, query, &words));
        assert!(of_rows == of_sets, "{query}: {of_rows:?} {of_sets:?}");
        n_answered += usize::from(of_rows.is_some_and(|rows| !rows.is_empty()));
    }
    n_answered
}

/// Returns whether there is a DuckDB.
fn has_duckdb() -> bool {
    answer(&by_hand().both(), "list-inputs", &[]).is_some()
}

#[test]
fn both_forms_give_the_same_results_on_two_crawls() {
    let hands = by_hand();
    let n_answered = compare(&hands.both(), &hands.both_in_sets());
    assert!(
        !has_duckdb() || n_answered == 9,
        "{n_answered} were answered"
    );
}

#[test]
fn both_forms_give_the_same_results_on_the_sample() {
    let dir = Dir::new();
    let sample = package().join("data-sample/archives");
    let [rows, sets] = ["rows", "sets"].map(|form| {
        let out = dir.path(form);
        let words = ["--dialects", "google,rfc9309", "--verdicts", form, "--out"];
        run(&[sample.to_str().unwrap()])
            .words(&words)
            .words(&[out.to_str().unwrap()])
            .succeed();
        out
    });
    // The sample has no page that was requested by its URL.
    let n_answered = compare(&rows, &sets);
    assert!(
        !has_duckdb() || n_answered == 8,
        "{n_answered} were answered"
    );
}

#[test]
fn a_redirect_is_answered_by_its_target_for_paths_only_in_both_forms() {
    let dir = Dir::new();
    let urls = dir.write(
        "urls.txt",
        "/\nhttp://moved.example/z\nhttps://target.example/z\n",
    );
    let archive =
        by_hand().path("crawl-data/CC-MAIN-2026-05/segments/1.2/robotstxt/by-hand.warc.gz");
    let sql = "SELECT url_host_name AS host, url, verdict FROM effective_verdicts WHERE agent = 'GPTBot' \
               AND split_part(url_host_name, '.', 1) IN ('moved', 'target', 'lost', 'loop') ORDER BY ALL";
    for form in ["rows", "sets"] {
        let out = dir.path(form);
        run(&[&archive, "--urls", &urls, "--verdicts", form, "--out"])
            .words(&[out.to_str().unwrap()])
            .succeed();
        let Some(rows) = answer(&out, sql, &[]) else {
            return;
        };
        assert_eq!(
            lines(&rows, &["host", "url", "verdict"]),
            [
                // Of a loop there are two captures; it is as a 404.
                "loop.example / allow",
                "loop.example / allow",
                "lost.example / undefined",
                "moved.example / disallow",
                "moved.example http://moved.example/z undefined",
                "target.example / disallow",
                "target.example https://target.example/z disallow",
            ],
            "{form}"
        );
    }
}
