//! Counts and ranks of the two crawls written by hand, which a reader can count there, and of the
//! generated archive, of which the truth is known.

use std::path::Path;

use serde_json::json;

use super::{assert_rows, assert_rows_among, by_hand, rows_of};
use crate::util::{Dir, answer, column, generated, lines, run};

#[test]
fn captures_by_status_are_those_that_were_sent() {
    let made = generated();
    let Some(rows) = answer(&made.census.0, "count-captures-by-status", &[]) else {
        return;
    };
    let tally = |name: &str| {
        let mut tally = std::collections::BTreeMap::new();
        for row in &rows {
            let key = match &row[name] {
                serde_json::Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            *tally.entry(key).or_insert(0) += row["captures"].as_u64().unwrap();
        }
        json!(tally)
    };
    assert_eq!(tally("fetch_status"), made.truth["status"]);
    assert_eq!(tally("access"), made.truth["access"]);
}

#[test]
fn fetches_are_the_captures_of_a_robots_txt() {
    let made = generated();
    let count =
        "SELECT count(*) AS n, count(*) FILTER (end_host_name IS NULL) AS ended FROM fetches";
    let Some(rows) = answer(&made.census.0, count, &[]) else {
        return;
    };
    assert_eq!(rows[0]["n"], made.truth["robots_txt_urls"]);
    assert!(rows[0]["ended"].as_u64().unwrap() > 0);
}

#[test]
fn every_cell_has_one_effective_verdict_and_no_redirect_is_left_undefined() {
    let made = generated();
    let sql = "SELECT (SELECT count(*) FROM verdicts) AS cells, (SELECT count(*) FROM effective_verdicts) AS effective, \
               (SELECT count(*) FROM effective_verdicts JOIN redirects USING (capture_id, dialect) \
               WHERE verdict = 'undefined' AND outcome <> 'not_in_corpus') AS undefined";
    let Some(rows) = answer(&made.census.0, sql, &[]) else {
        return;
    };
    assert_eq!(rows[0]["cells"], rows[0]["effective"]);
    assert_eq!(rows[0]["undefined"], 0);
}

#[test]
fn a_host_counts_once_in_every_query() {
    for (query, name, hosts) in [
        ("count-hosts-by-status", "hosts_at_first", 24),
        ("count-hosts-by-status", "hosts_at_last", 24),
        ("count-hosts-by-kind-of-file", "hosts", 19),
        ("count-hosts-by-size-of-file", "hosts", 18),
        ("count-hosts-by-purpose-of-ai", "hosts", 18),
        ("rank-files-by-domains", "hosts", 18),
        ("compare-rank-strata", "hosts", 24),
    ] {
        let words = by_hand().words(query);
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        let Some(rows) = answer(&by_hand().both(), query, &words) else {
            return;
        };
        let cells = column(&rows, name);
        let sum: u64 = cells.iter().map(|cell| cell.parse::<u64>().unwrap()).sum();
        assert_eq!(sum, hosts, "{query}: {name}");
    }
}

#[test]
fn changes_are_of_meaning_of_form_or_none() {
    let columns = "change pairs hosts tighter looser";
    let wanted = [
        "meaning 2 2 1 1",
        "appeared 1 1 1 0",
        "form 1 1 0 0",
        "gone 1 1 0 1",
        "none 1 1 0 0",
    ];
    assert_rows("count-changes", columns, &wanted);
    // Two datasets of a crawl each are compared like one of both.
    let hands = by_hand();
    let words = ["--before", &hands.path("before")];
    if let Some(rows) = answer(&hands.after(), "count-changes", &words) {
        assert_eq!(lines(&rows, columns), wanted);
    }
}

#[test]
fn flips_are_counted_by_direction() {
    let columns = "agent cells to_disallow to_allow example_to_disallow";
    // Disalow is no rule to the standard, so it does not end the list of user-agents: * and GTPBot
    // share the rule below.
    let query = "count-flips-between-dialects";
    assert_rows_among(
        query,
        columns,
        &["GPTBot 52 1 0 typo.example", "* 52 1 0 typo.example"],
    );
    let turned = ["--set", "base=rfc9309", "--set", "candidate=google"];
    let found = rows_of(query, &turned, columns);
    assert!(found.is_none_or(|found| found.iter().all(|line| line.ends_with(" 52 0 1 -"))));
    assert_rows(
        "count-disagreements-of-dialects",
        "dialect base_verdict verdict base_basis basis cells hosts",
        &["rfc9309 allow disallow no_rule_matched rule 24 1"],
    );
}

#[test]
fn a_redirect_is_answered_by_its_target_for_paths_only() {
    let dir = Dir::new();
    let urls = dir.write(
        "urls.txt",
        "/\nhttp://moved.example/z\nhttps://target.example/z\n",
    );
    let archive =
        by_hand().path("crawl-data/CC-MAIN-2026-05/segments/1.2/robotstxt/by-hand.warc.gz");
    let sql = "SELECT url_host_name AS host, url, verdict FROM effective_verdicts WHERE agent = 'GPTBot' \
               AND split_part(url_host_name, '.', 1) IN ('moved', 'target', 'lost', 'loop') ORDER BY ALL";
    let out = dir.word("census");
    run(&[&archive, "--urls", &urls, "--out", &out]).succeed();
    if let Some(rows) = answer(Path::new(&out), sql, &[]) {
        assert_eq!(
            lines(&rows, "host url verdict"),
            [
                // Of a loop there are two captures; it is as a 404.
                "loop.example / allow",
                "loop.example / allow",
                "lost.example / undefined",
                "moved.example / disallow",
                "moved.example http://moved.example/z undefined",
                "target.example / disallow",
                "target.example https://target.example/z disallow",
            ]
        );
    }
}
