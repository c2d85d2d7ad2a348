//! Counts and ranks of the two crawls written by hand, which a reader can count there, and of the
//! generated archive, of which the truth is known.

use std::path::Path;

use serde_json::json;

use super::{assert_rows, assert_rows_among, assert_rows_with, by_hand, rows_of};
use crate::util::{Dir, answer, column, generated, lines, run};

/// The sum of a column of counts.
fn sum(query: &str, name: &str) -> Option<u64> {
    let rows = answer(&by_hand().both(), query, &[])?;
    let cells = column(&rows, name);
    Some(cells.iter().map(|cell| cell.parse::<u64>().unwrap()).sum())
}

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
        ("rank-files-by-hosts", "hosts", 18),
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
    // The four definitions class each of the hosts.
    assert!(sum("compare-definitions-of-blocking", "hosts").is_none_or(|sum| sum == 4 * 18));
}

#[test]
fn status_is_counted_before_and_after_redirects() {
    assert_rows(
        "count-hosts-by-status",
        &[
            "status_class",
            "hosts_at_first",
            "share_at_first",
            "hosts_at_last",
            "share_at_last",
        ],
        &[
            "2xx 18 0.75 19 0.7917",
            "3xx 3 0.125 2 0.0833",
            "4xx 1 0.0417 1 0.0417",
            "5xx 2 0.0833 2 0.0833",
        ],
    );
}

#[test]
fn a_file_is_of_one_kind() {
    assert_rows(
        "count-hosts-by-kind-of-file",
        &["kind", "hosts"],
        &[
            "1 empty 1",
            "2 page of HTML 1",
            "4 rules 16",
            "7 comments or nothing readable 1",
        ],
    );
}

#[test]
fn strata_hold_the_hosts_of_their_domains() {
    assert_rows(
        "compare-rank-strata",
        &[
            "stratum",
            "hosts",
            "hosts_read",
            "share_named",
            "share_full",
        ],
        &[
            "1000 3 3 0.0 0.0",
            "10000 1 1 1.0 1.0",
            "- 20 14 0.3571 0.3571",
        ],
    );
}

#[test]
fn agents_are_counted_by_hosts_and_not_by_lines() {
    assert_rows_among(
        "rank-agents-by-hosts",
        &["agent_token", "hosts", "share_of_hosts", "lines"],
        &[
            "* 14 0.7778 15",
            "GPTBot 6 0.3333 6",
            "Googlebot 1 0.0556 1",
        ],
    );
}

#[test]
fn naming_is_compared_from_crawl_to_crawl() {
    assert_rows_among(
        "compare-agents-by-crawl",
        &[
            "dataset",
            "crawl",
            "agent_token",
            "hosts",
            "hosts_read",
            "share_of_hosts",
        ],
        &[
            "data CC-MAIN-2025-05 GPTBot 2 6 0.3333",
            "data CC-MAIN-2026-05 GPTBot 6 18 0.3333",
        ],
    );
}

#[test]
fn blocking_hosts_are_counted_by_reason_and_denominator() {
    let columns = [
        "hosts_asked",
        "hosts_read",
        "hosts_naming",
        "blocked_by_own_group",
        "blocked_by_everybodys_group",
        "blocked_by_rules",
        "share_of_read",
        "blocked_by_status",
        "share_of_asked",
    ];
    assert_rows(
        "count-hosts-blocking-gptbot",
        &columns,
        &["24 18 6 5 1 6 0.3333 2 0.3333"],
    );
    assert_rows_with(
        "count-hosts-blocking-gptbot",
        &["--set", "agent=CCBot"],
        &columns,
        &["24 18 0 0 2 2 0.1111 2 0.1667"],
    );
}

#[test]
fn restriction_is_counted_by_agent() {
    assert_rows_among(
        "compare-restriction-by-agent",
        &[
            "agent",
            "hosts_read",
            "named",
            "full_named",
            "full_everybody",
            "share_full",
        ],
        &[
            "GPTBot 18 6 5 1 0.3333",
            "ClaudeBot 18 1 1 1 0.1111",
            "Googlebot 18 1 0 1 0.0556",
        ],
    );
}

/// Two of the hosts, twin-example.com and that with www, are one domain.
#[test]
fn domains_shut_out_partly_are_counted_by_whom_the_group_names() {
    assert_rows_among(
        "compare-restriction-by-agent",
        &[
            "agent",
            "partial_named",
            "domains_partial_named",
            "partial_everybody",
            "domains_partial_everybody",
        ],
        &["GPTBot 0 0 7 6", "ClaudeBot 0 0 8 7"],
    );
}

#[test]
fn agents_let_in_are_those_of_hosts_that_shut_all_out() {
    assert_rows_among(
        "rank-agents-let-in-where-all-are-shut-out",
        &[
            "agent",
            "hosts_closed",
            "hosts_letting_in",
            "share_letting_in",
            "let_nobody_in",
        ],
        &["Googlebot 2 1 0.5 1", "GPTBot 2 0 0.0 1"],
    );
}

#[test]
fn purposes_of_ai_are_distinguished() {
    assert_rows(
        "count-hosts-by-purpose-of-ai",
        &["training", "search", "user_fetch", "hosts"],
        &["none none none 12", "some none none 4", "all all all 2"],
    );
}

#[test]
fn agents_named_together_leave_gaps() {
    assert_rows(
        "compare-agents-named-together",
        &[
            "agent",
            "other_agent",
            "naming_both",
            "naming_only_the_first",
            "share_without_the_other",
        ],
        &["GPTBot ClaudeBot 1 5 0.8333", "ClaudeBot GPTBot 1 0 0.0"],
    );
}

#[test]
fn changes_are_of_meaning_of_form_or_none() {
    let columns = ["change", "pairs", "hosts", "tighter", "looser"];
    let wanted = [
        "meaning 2 2 1 1",
        "appeared 1 1 1 0",
        "form 1 1 0 0",
        "gone 1 1 0 1",
        "none 1 1 0 0",
    ];
    assert_rows("count-changes", &columns, &wanted);
    // Two datasets of a crawl each are compared like one of both.
    let hands = by_hand();
    let words = ["--before", &hands.path("before")];
    if let Some(rows) = answer(&hands.after(), "count-changes", &words) {
        assert_eq!(lines(&rows, &columns), wanted);
    }
}

#[test]
fn domains_agree_or_not() {
    assert_rows(
        "count-domains-by-agreement",
        &["pair", "pairs", "same_bytes", "same_meaning", "different"],
        &["bare and www 1 0 1 0", "http and https 1 0 0 1"],
    );
}

#[test]
fn redirects_end_somewhere() {
    assert_rows_among(
        "count-redirects-by-outcome",
        &[
            "redirect_outcome",
            "end_status",
            "fetches",
            "to_another_host",
        ],
        &["loop - 2 0", "resolved 200 1 1", "not_in_corpus - 1 0"],
    );
}

#[test]
fn templates_are_known_by_their_signs() {
    assert_rows(
        "rank-templates-by-hosts",
        &["template", "hosts", "share_of_hosts", "different_meanings"],
        &[
            "- 16 0.8889 9",
            "Cloudflare managed 1 0.0556 1",
            "WordPress 1 0.0556 1",
            "Yoast 1 0.0556 1",
        ],
    );
}

#[test]
fn other_fields_are_counted_by_hosts_and_lines() {
    assert_rows_among(
        "rank-directives-by-hosts",
        &["key", "is_known", "hosts", "lines", "in_groups"],
        &[
            "sitemap true 1 3 0",
            "crawl-delay true 2 3 3",
            "content-signal true 2 2 2",
            "license true 1 1 0",
            "dissallllow false 1 1 1",
        ],
    );
}

#[test]
fn delays_are_classed_by_their_length() {
    assert_rows(
        "count-crawl-delays",
        &["class", "hosts", "share_of_hosts", "lines"],
        &[
            "0 not a number 1 0.5 1",
            "3 up to 10 s 1 0.5 1",
            "4 up to 1 min 1 0.5 1",
        ],
    );
    assert_rows(
        "rank-agents-by-crawl-delay",
        &[
            "agent_token",
            "hosts",
            "share_of_naming",
            "median_seconds",
            "longest_seconds",
        ],
        &[
            "* 1 0.0714 5.0 5.0",
            "ClaudeBot 1 1.0 20.0 20.0",
            "GPTBot 1 0.1667 20.0 20.0",
        ],
    );
}

#[test]
fn signals_are_counted_by_key_and_value() {
    assert_rows(
        "count-content-signals",
        &["key", "value", "hosts", "in_group", "before_any_group"],
        &[
            "ai-train no 1 1 0",
            "ai-train yes 1 1 0",
            "search yes 1 1 0",
        ],
    );
    assert_rows(
        "count-content-usage",
        &["parse_ok", "key", "value", "hosts", "statements"],
        &["true train-ai n 1 1", "false - ((( 1 1"],
    );
    assert_rows_among(
        "count-hosts-stating-terms",
        &["vocabulary", "hosts", "not_parsed"],
        &["content-signal 2 0", "content-usage 1 1", "license 1 0"],
    );
}

#[test]
fn misspellings_are_those_of_the_files() {
    assert_rows_among(
        "rank-misspelt-fields",
        &["written", "meant", "hosts", "lines"],
        &["disalow disallow 1 1", "disallow disallow 1 1"],
    );
    assert_rows(
        "rank-near-misses-of-agents",
        &["written", "meant", "edits", "hosts", "lines"],
        &["GTPBot GPTBot 1 1 1"],
    );
    assert_rows_among(
        "rank-errors-by-hosts",
        &["code", "hosts"],
        &["rule_before_user_agent 1", "path_without_slash 1"],
    );
}

#[test]
fn paths_are_counted_by_hosts() {
    assert_rows_among(
        "rank-paths-by-hosts",
        &["pattern", "hosts", "in_everybodys_group", "lines"],
        &["/ 7 2 8", "/b/ 3 3 3", "/wp-admin/ 1 1 1"],
    );
    assert_rows(
        "rank-sensitive-paths-by-hosts",
        &["word", "hosts", "patterns"],
        &["admin 1 1", "private 1 1", "wp-admin 1 1"],
    );
    assert_rows_among(
        "count-features-of-patterns",
        &["feature", "rules", "hosts"],
        &[
            "3 wildcard * 2 1",
            "5 anchor $ 2 1",
            "7 percent-escape as written 1 1",
            "9 begins with neither / nor * 1 1",
        ],
    );
}

#[test]
fn a_rule_is_dead_for_one_reason() {
    assert_rows_among(
        "count-dead-rules",
        &["reason", "rules", "hosts"],
        &[
            "1 before any group 1 1",
            "2 cannot match 1 1",
            "3 empty 4 4",
            "4 said twice 1 1",
        ],
    );
}

#[test]
fn sitemaps_are_counted_by_place() {
    assert_rows_among(
        "count-sitemaps",
        &["place", "hosts", "lines", "https", "http", "compressed"],
        &[
            "all 1 3 1 1 1",
            "another domain 1 1 0 1 1",
            "relative 1 1 0 0 0",
            "same host 1 1 1 0 0",
        ],
    );
}

#[test]
fn top_level_domains_have_shares_of_their_hosts() {
    assert_rows(
        "rank-top-level-domains-by-blocking",
        &[
            "url_host_tld",
            "hosts_read",
            "share_any_ai",
            "share_all_ai",
            "share_everybody",
        ],
        &["example 16 0.375 0.125 0.125", "com 2 0.0 0.0 0.0"],
    );
}

#[test]
fn pages_count_with_their_hosts() {
    assert_rows_among(
        "count-pages-shut-out",
        &[
            "agent",
            "pages",
            "pages_full",
            "pages_partial",
            "pages_none",
            "pages_unknown",
            "share_full_or_partial",
        ],
        &["GPTBot 100 50 40 5 5 0.9", "CCBot 100 0 40 55 5 0.4"],
    );
}

#[test]
fn flips_are_counted_by_direction() {
    let columns = [
        "agent",
        "cells",
        "to_disallow",
        "to_allow",
        "example_to_disallow",
    ];
    // Disalow is no rule to the standard, so it does not end the list of user-agents: * and GTPBot
    // share the rule below.
    let query = "count-flips-between-dialects";
    assert_rows_among(
        query,
        &columns,
        &["GPTBot 52 1 0 typo.example", "* 52 1 0 typo.example"],
    );
    let turned = ["--set", "base=rfc9309", "--set", "candidate=google"];
    let found = rows_of(query, &turned, &columns);
    assert!(found.is_none_or(|found| found.iter().all(|line| line.ends_with(" 52 0 1 -"))));
    assert_rows(
        "count-disagreements-of-dialects",
        &[
            "dialect",
            "base_verdict",
            "verdict",
            "base_basis",
            "basis",
            "cells",
            "hosts",
        ],
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
            ]
        );
    }
}
