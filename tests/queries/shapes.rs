//! Results for crawls of every shape that queries once miscounted.

use serde_json::Value;

use super::crawls_of_shapes::folder;
use crate::util::{TestCommand, lines};

/// Asks the dataset and compares columns of the rows; a note on the years that it spans is not of
/// interest here.
fn assert_rows(query: &str, words: &[&str], columns: &[&str], wanted: &[&str]) {
    if let Some(rows) = rows(query, words) {
        assert_eq!(lines(&rows, columns), wanted, "{query}");
    }
}

/// The same of one row, by the beginning of its line.
fn says_of(query: &str, words: &[&str], columns: &[&str], wanted: &str) {
    if let Some(rows) = rows(query, words) {
        let lines = lines(&rows, columns);
        assert!(
            lines.iter().any(|line| line == wanted),
            "{query}: {wanted:?} is not in {lines:#?}"
        );
    }
}

fn rows(query: &str, words: &[&str]) -> Option<Vec<Value>> {
    let census = folder().join("census");
    let words: Vec<_> = words
        .iter()
        .map(|word| word.replace("FOLDER", folder().to_str().unwrap()))
        .collect();
    let ran = TestCommand::new([
        "query",
        query,
        "--data",
        census.to_str().unwrap(),
        "--format",
        "json",
    ])
    .words(&words)
    .end();
    if ran.stderr.contains("no duckdb on the PATH") {
        eprintln!("skipped: {}", ran.stderr.trim());
        return None;
    }
    assert_eq!(ran.code, 0, "{query}: {}", ran.stderr);
    Some(
        serde_json::from_str(&ran.stdout)
            .unwrap_or_else(|e| panic!("{query}: {e}: {}", ran.stdout)),
    )
}

#[test]
fn a_host_of_many_counts_once_as_a_registered_domain() {
    assert_rows(
        "count-hosts-blocking-gptbot",
        &[],
        &[
            "hosts_asked",
            "hosts_read",
            "hosts_naming",
            "blocked_by_rules",
            "share_of_read",
            "domains_read",
            "domains_blocked_by_rules",
            "share_of_domains_read",
        ],
        &["22 21 6 5 0.2381 17 2 0.1176"],
    );
    says_of(
        "compare-restriction-by-agent",
        &[],
        &[
            "agent",
            "share_full",
            "domains_read",
            "domains_full",
            "share_of_domains_full",
        ],
        "GPTBot 0.2381 17 2 0.1176",
    );
    assert_rows(
        "rank-domains-by-blocking-hosts",
        &[],
        &[
            "domain",
            "hosts_read",
            "hosts_full",
            "share_of_blocking",
            "cumulative_share",
            "is_domain_blocking",
        ],
        &[
            "many-example.com 4 3 0.6 0.6 false",
            "cohort.example 1 1 0.2 0.8 true",
            "signal.example 1 1 0.2 1.0 true",
        ],
    );
    assert_rows(
        "SELECT domain, url_host_name FROM domains WHERE domain IN ('many-example.com', 'both-example.com') ORDER BY 1",
        &[],
        &["domain", "url_host_name"],
        &[
            "both-example.com both-example.com",
            "many-example.com many-example.com",
        ],
    );
}

#[test]
fn a_page_of_html_is_no_robots_txt_unless_it_is_asked_for() {
    let counts = ["hosts_read", "hosts_html", "domains", "domains_read"];
    assert_rows("list-provenance", &[], &counts, &["21 1 18 17"]);
    let included = ["--set", "html=included"];
    assert_rows("list-provenance", &included, &counts, &["22 1 18 18"]);
    let shares = ["hosts_read", "domains_read", "share_of_domains_full"];
    let of_gptbot = ["--set", "agent=GPTBot", "--set", "least=1"];
    let query = "compare-agents-by-top-level-domain";
    assert_rows(query, &of_gptbot, &shares, &["15 15 0.1333", "6 2 0.0"]);
    let of_all = [&of_gptbot[..], &included].concat();
    assert_rows(query, &of_all, &shares, &["16 16 0.125", "6 2 0.0"]);
    let census = folder().join("census");
    let census = census.to_str().unwrap();
    let ask = |html: &str| {
        TestCommand::new(["query", "list-provenance", "--data", census, "--set", html]).end()
    };
    let ran = ask("html=included");
    if !ran.stderr.contains("no duckdb on the PATH") {
        let note = "note: html=included: every answer with 2xx counts as a robots.txt";
        assert!(ran.stderr.contains(note), "{}", ran.stderr);
        let ran = ask("html=all");
        assert_eq!(ran.code, 2);
        let refusal = "--set html=all: expected included";
        assert!(ran.stderr.contains(refusal), "{}", ran.stderr);
    }
    says_of(
        "list-coverage",
        &[],
        &["item", "n", "whole"],
        "without a robots.txt: a page of HTML 1 22",
    );
    // Its lines look like fields; they are none.
    assert_rows("count-sitemaps", &[], &["place"], &[]);
    assert_rows("rank-misspelt-fields", &[], &["written"], &[]);
    assert_rows(
        "rank-directives-by-hosts",
        &[],
        &["key", "hosts"],
        &["content-signal 1", "crawl-delay 1", "license 1"],
    );
}

#[test]
fn a_negative_delay_is_a_number() {
    assert_rows(
        "count-crawl-delays",
        &[],
        &["class", "hosts", "lines"],
        &["0 negative 1 1"],
    );
}

#[test]
fn a_statement_that_does_not_parse_states_nothing() {
    says_of(
        "count-hosts-stating-terms",
        &[],
        &[
            "vocabulary",
            "hosts",
            "statements",
            "not_parsed",
            "hosts_not_parsed",
            "example_value",
        ],
        "license 0 0 1 1 -",
    );
}

#[test]
fn an_invitation_leaves_nothing_out() {
    assert_rows(
        "list-hosts-inviting-ai-agents",
        &[],
        &["url_host_name", "agent", "line", "is_current"],
        &["open.example ClaudeBot 2 true"],
    );
}

#[test]
fn a_sensitive_word_is_a_whole_segment_and_every_one_counts() {
    assert_rows(
        "rank-sensitive-paths-by-hosts",
        &[],
        &["word", "hosts", "patterns"],
        &[".env 1 1", "admin 1 1", "cgi-bin 1 1", "private 1 1"],
    );
}

#[test]
fn a_template_names_a_meaning_if_most_of_its_hosts_show_it() {
    says_of(
        "rank-files-by-hosts",
        &[],
        &[
            "hosts",
            "domains",
            "different_bytes",
            "template",
            "hosts_of_template",
            "example",
        ],
        "3 3 2 - - same1.example",
    );
}

#[test]
fn dead_rules_are_counted_beyond_the_findings_of_a_file() {
    assert_rows(
        "count-dead-rules",
        &[],
        &["reason", "rules", "hosts"],
        &[
            "2 cannot match 1200 1",
            "3 empty 2 2",
            "4 said twice 1 1",
            "6 alive 23 20",
        ],
    );
}

#[test]
fn a_signal_of_another_group_is_not_contradicted() {
    assert_rows(
        "list-hosts-contradicting-their-signals",
        &[],
        &["url_host_name"],
        &[],
    );
}

#[test]
fn pages_after_a_redirect_are_answered_by_their_path_and_all_have_a_denominator() {
    let pages = ["--set", "pages=FOLDER/pages.csv"];
    assert_rows(
        "list-pages-excluded-when-fetched",
        &pages,
        &["url", "rule_line"],
        &[
            "https://many-example.com/m/1 2",
            "https://moved.example/p 2",
        ],
    );
    assert_rows(
        "count-pages-excluded-when-fetched",
        &pages,
        &[
            "agent",
            "pages",
            "pages_answered",
            "answered_later",
            "excluded",
            "share_excluded",
            "not_asked",
            "not_asked_of_target",
            "no_answer",
        ],
        &["CCBot 5 3 1 2 0.6667 1 1 0"],
    );
}

#[test]
fn any_of_several_agents_is_counted_by_name_and_by_inheritance() {
    assert_rows(
        "count-hosts-restricting-any-of",
        &["--set", "agents=GPTBot, Google-Extended"],
        &[
            "does",
            "agents",
            "hosts_read",
            "any_of",
            "all_of",
            "domains_any",
        ],
        &[
            "1 names GPTBot,Google-Extended 21 7 0 4",
            "2 restricts fully GPTBot,Google-Extended 21 6 0 3",
            "3 restricts fully by name GPTBot,Google-Extended 21 6 0 3",
            "4 restricts fully by inheritance GPTBot,Google-Extended 21 0 0 0",
            "5 restricts fully or partly GPTBot,Google-Extended 21 18 11 14",
        ],
    );
    says_of(
        "count-hosts-restricting-any-of",
        &["--set", "agents=MJ12bot,CCBot"],
        &["does", "agents_not_nameable", "any_of"],
        "1 names MJ12bot 0",
    );
}

#[test]
fn each_crawl_is_a_row() {
    assert_rows(
        "compare-hosts-by-crawl",
        &[],
        &[
            "period",
            "year",
            "hosts",
            "hosts_read",
            "named",
            "full_by_rules",
            "domains",
        ],
        &[
            "CC-MAIN-2015-48 2015 2 2 0 0 2",
            "CC-MAIN-2026-05 2026 22 21 6 5 18",
        ],
    );
}

#[test]
fn quantiles_are_values_of_files_that_are_text() {
    let columns = ["measure", "files", "least", "p50", "p95", "most"];
    says_of(
        "compare-quantiles-of-files",
        &[],
        &columns,
        "rules 21 1 1 3 1202",
    );
    says_of(
        "compare-quantiles-of-files",
        &[],
        &columns,
        "groups 21 1 1 1 2",
    );
}

#[test]
fn ranked_domains_without_a_fetch_are_counted() {
    assert_rows(
        "compare-top-ranked-domains",
        &["--set", "ranks=FOLDER/ranks.csv"],
        &[
            "top",
            "domains",
            "no_capture",
            "not_read",
            "domains_read",
            "share_no_capture",
        ],
        &["1000 2 1 0 1 0.5", "10000 3 1 0 2 0.3333"],
    );
}

#[test]
fn presence_is_counted_by_origin() {
    assert_rows(
        "count-domains-by-presence",
        &[],
        &[
            "http_bare",
            "https_bare",
            "http_www",
            "https_www",
            "domains",
            "same_meaning",
        ],
        &[
            "not fetched file not fetched not fetched 16 0",
            "file none not fetched file 1 1",
            "not fetched none not fetched not fetched 1 0",
        ],
    );
}

#[test]
fn agents_have_shares_by_top_level_domain() {
    assert_rows(
        "compare-agents-by-top-level-domain",
        &["--set", "least=1", "--set", "agent=GPTBot"],
        &[
            "url_host_tld",
            "hosts_read",
            "named",
            "full_by_rules",
            "domains_read",
            "domains_full",
        ],
        &["example 15 3 2 15 2", "com 6 3 3 2 0"],
    );
}

#[test]
fn tokens_of_use_are_compared_with_the_crawler_that_fetches() {
    assert_rows(
        "compare-tokens-with-crawlers",
        &[],
        &[
            "token",
            "crawler",
            "hosts_read",
            "naming_token",
            "only_token",
            "only_token_named",
            "both_shut_out",
            "neither",
        ],
        &[
            "Applebot-Extended Applebot 21 0 0 0 0 21",
            "Google-Extended Googlebot 21 1 1 1 0 20",
        ],
    );
}

#[test]
fn hosts_of_several_years_are_not_pooled_without_a_note() {
    let census = folder().join("census");
    let ask = |words: &[&str]| {
        let words = [
            words,
            &["--data", census.to_str().unwrap(), "--format", "csv"],
        ]
        .concat();
        TestCommand::new(["query"]).words(&words).end()
    };
    let ran = ask(&["count-hosts-by-status"]);
    if ran.stderr.contains("no duckdb on the PATH") {
        return;
    }
    assert!(
        ran.stderr.starts_with(
            "robocensus: note: the hosts are those of the crawl CC-MAIN-2026-05, the latest of 2; "
        ),
        "{}",
        ran.stderr
    );
    assert_eq!((ran.code, ran.stderr.lines().count()), (0, 1));
    for words in [
        &["count-hosts-by-status", "--set", "crawl=CC-MAIN-2026-05"][..],
        &["compare-hosts-by-crawl"],
        &["compare-restriction-across-crawls"],
        &["count-captures-by-status"],
    ] {
        assert_eq!(ask(words).stderr, "", "{words:?}");
    }
}

#[test]
fn sql_of_a_user_has_the_notes_of_the_dataset() {
    let census = folder().join("census");
    let said = |sql: &str| {
        let words = ["query", sql, "--data", census.to_str().unwrap()];
        let stderr = TestCommand::new(words).end().stderr;
        let notes = stderr.lines().filter(|line| !line.contains("fetches span"));
        notes.map(str::to_owned).collect::<Vec<_>>().join("\n")
    };
    // What such SQL selects is not known, so that each note is there wherever it may apply.
    for sql in [
        "SELECT count(*) FROM host_policies WHERE agent = 'GPTBot'",
        "SELECT count(*) FROM policies",
        "SELECT dialect, count(*) FROM \"verdicts\" GROUP BY ALL",
    ] {
        let notes = said(sql);
        if notes.contains("no duckdb on the PATH") {
            return;
        }
        for note in [
            "policies and verdicts have a row for each agent (",
            "WHERE agent = 'GPTBot' AND dialect = asked_dialect()",
            "crawl_hosts compares them",
        ] {
            assert_eq!(notes.matches(note).count(), 1, "{sql}: {notes}");
        }
    }
    for by_time in ["year(fetch_time)", "crawl"] {
        let sql = format!("SELECT {by_time}, count(*) FROM hosts GROUP BY ALL");
        let notes = said(&sql);
        assert!(notes.contains("crawl_hosts compares them"), "{notes}");
    }
    for sql in [
        "SELECT 1 AS one",
        "list-hosts-blocked-by-status",
        "compare-bias-by-agent",
    ] {
        let notes = said(sql);
        assert!(
            !notes.contains(" have ") && !notes.contains(" has "),
            "{sql}: {notes}"
        );
    }
}

#[test]
fn an_agent_that_cannot_be_named_is_noted_with_the_figure() {
    let census = folder().join("census");
    let ask = |query: &str, dialect: &str| {
        TestCommand::new([
            "query",
            query,
            "--data",
            census.to_str().unwrap(),
            "--format",
            "json",
        ])
        .words(&[
            "--set",
            "agent=MJ12bot",
            "--set",
            "crawl=CC-MAIN-2026-05",
            "--set",
        ])
        .words(&[format!("dialect={dialect}")])
        .end()
    };
    let ran = ask("count-hosts-blocking-gptbot", "google");
    if ran.stderr.contains("no duckdb on the PATH") {
        return;
    }
    let note = "robocensus: note: no user-agent line can name MJ12bot in the dialect google";
    assert!(ran.stderr.starts_with(note), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("it can be named in rfc9309"),
        "{}",
        ran.stderr
    );
    let columns = ["can_be_named", "hosts_naming", "blocked_by_rules"];
    let rows = |stdout: &str| {
        lines(
            &serde_json::from_str::<Vec<Value>>(stdout).unwrap(),
            &columns,
        )
    };
    assert_eq!(rows(&ran.stdout), ["false 0 0"]);
    let ran = ask("count-hosts-blocking-gptbot", "rfc9309");
    assert_eq!(ran.stderr, "");
    assert_eq!(rows(&ran.stdout), ["true 1 1"]);
}
