//! Results for crawls of every shape that queries once miscounted.

use std::collections::BTreeSet;

use serde_json::Value;

use super::crawls_of_shapes::folder;
use crate::util::{TestCommand, answer, assert_begins, assert_says, lines, or_skip};

#[test]
fn pages_of_html_that_are_asked_for_have_a_note() {
    let census = folder().join("census");
    let census = census.to_str().unwrap();
    let ask = |html: &str| {
        TestCommand::new(["query", "list-provenance", "--data", census, "--set", html])
    };
    if let Some(ran) = ask("html=included").end_in_duckdb() {
        let note = "note: html=included: every answer with 2xx counts as a robots.txt";
        assert!(ran.stderr.contains(note), "{}", ran.stderr);
        let ran = ask("html=all").end();
        assert_eq!(ran.code, 2);
        let refusal = "--set html=all: expected included";
        assert!(ran.stderr.contains(refusal), "{}", ran.stderr);
    }
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
        TestCommand::new(["query"]).words(&words)
    };
    let ran = or_skip!(ask(&["count-hosts-by-status"]).end_in_duckdb());
    assert_begins(
        &ran.stderr,
        "robocensus: note: the hosts are those of the crawl CC-MAIN-2026-05, the latest of 2; ",
    );
    assert_eq!((ran.code, ran.stderr.lines().count()), (0, 1));
    for words in [
        &["count-hosts-by-status", "--set", "crawl=CC-MAIN-2026-05"][..],
        &["compare-hosts-by-crawl"],
        &["compare-restriction-across-crawls"],
        &["count-captures-by-status"],
    ] {
        assert_eq!(ask(words).end().stderr, "", "{words:?}");
    }
    let words = ["compare-hosts-by-crawl", "--set", "crawl=CC-MAIN-2026-05"];
    let left = "this leaves one of 2; without it all are read";
    assert_says(&ask(&words).end().stderr, left);
}

#[test]
fn sql_of_a_user_has_the_notes_of_the_dataset() {
    let census = folder().join("census");
    let said = |sql: &str| {
        let words = ["query", sql, "--data", census.to_str().unwrap()];
        let stderr = TestCommand::new(words).end_in_duckdb()?.stderr;
        let notes = stderr.lines().filter(|line| !line.contains("fetches span"));
        Some(notes.map(str::to_owned).collect::<Vec<_>>().join("\n"))
    };
    // What such SQL selects is not known, so that each note is there wherever it may apply.
    for sql in [
        "SELECT count(*) FROM host_policies WHERE agent = 'GPTBot'",
        "SELECT count(*) FROM policies",
        "SELECT dialect, count(*) FROM \"verdicts\" GROUP BY ALL",
    ] {
        let notes = or_skip!(said(sql));
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
        let notes = said(&sql).unwrap();
        assert!(notes.contains("crawl_hosts compares them"), "{notes}");
    }
    for sql in [
        "SELECT 1 AS one",
        "list-hosts-blocked-by-status",
        "compare-bias-by-agent",
    ] {
        let notes = said(sql).unwrap();
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
        TestCommand::new(["query", query, "--data", census.to_str().unwrap()])
            .words(&["--format", "json"])
            .words(&[
                "--set",
                "agent=MJ12bot",
                "--set",
                "crawl=CC-MAIN-2026-05",
                "--set",
            ])
            .words(&[format!("dialect={dialect}")])
            .end_in_duckdb()
    };
    let ran = or_skip!(ask("count-hosts-blocking-gptbot", "google"));
    let note = "robocensus: note: no user-agent line can name MJ12bot in the dialect google";
    assert!(ran.stderr.starts_with(note), "{}", ran.stderr);
    assert_says(&ran.stderr, "it can be named in rfc9309");
    let columns = "can_be_named hosts_naming blocked_by_rules";
    let rows = |stdout: &str| {
        lines(
            &serde_json::from_str::<Vec<Value>>(stdout).unwrap(),
            columns,
        )
    };
    assert_eq!(rows(&ran.stdout), ["false 0 0"]);
    let ran = ask("count-hosts-blocking-gptbot", "rfc9309").unwrap();
    assert_eq!(ran.stderr, "");
    assert_eq!(rows(&ran.stdout), ["true 1 1"]);
}

/// Names of the host index have their labels in reverse, without www.
#[test]
fn annotations_have_a_row_for_each_host_of_the_host_index() {
    let census = folder().join("census");
    let asked = "SELECT DISTINCT url_host_name FROM captures \
        WHERE crawl = (SELECT max(crawl) FROM captures) AND url_path = '/robots.txt' AND url_query IS NULL \
        AND is_usual_port(url_protocol, url_port)";
    let asked = or_skip!(answer(&census, asked, &[]));
    let hosts = lines(&asked, "url_host_name");
    let name = |host: &String| {
        let labels = host.trim_start_matches("www.").rsplit('.');
        labels.collect::<Vec<_>>().join(",")
    };
    let names: BTreeSet<_> = hosts.iter().map(name).collect();
    assert!(names.len() > 15, "{}", names.len());
    let query = "list-host-annotations";
    let annotated = answer(&census, query, &[]).unwrap();
    assert!(lines(&annotated, "surt_host_name").iter().eq(&names));
    let columns =
        "surt_host_name robots_protocol robots_is_www robots_origins robots_origins_agree";
    let of_three = "com,both-example https true 3 false".to_owned();
    assert!(lines(&annotated, columns).contains(&of_three));
}
