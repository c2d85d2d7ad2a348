//! The table `signals`: every statement on use or licence of a file that is read, with its group.

use crate::util::{Census, Dir, Held, answer, lines, or_skip, response, run_alone};

const FILE: &str = "License: https://rights.example/license.xml
User-agent: *
Content-Signal: search=yes, ai-train=no
Disallow: /private
User-agent: GPTBot
Content-Usage: /blog train-ai=n, search=y
Content-Usage: train-ai=
DisallowAITraining: /art
Noindex: /drafts
LLM-Policy: /policy.txt
Disallow: /
";

fn census() -> (Census, Dir) {
    let dir = Dir::new();
    let records = [
        response("https://a.example/robots.txt", FILE),
        response(
            "https://b.example/robots.txt",
            "Content-Signal: search=yes\n",
        ),
    ];
    run_alone(Held::new("a.warc", records.concat()), &dir.path("census"));
    (Census(dir.path("census")), dir)
}

#[test]
fn every_statement_is_a_row_with_its_group_and_line() {
    let (census, _dir) = census();
    let columns = "group_index line vocabulary path key value parse_ok";
    let wanted = [
        "- 1 license - - https://rights.example/license.xml true",
        "0 3 content-signal - search yes true",
        "0 3 content-signal - ai-train no true",
        "1 6 content-usage /blog train-ai n true",
        "1 6 content-usage /blog search y true",
        "1 7 content-usage - - train-ai= false",
        "1 8 disallow-ai-training /art - - true",
        "1 9 noindex /drafts - - true",
        "1 10 llm-policy - - /policy.txt false",
        "- 1 content-signal - search yes true",
    ];
    assert_eq!(census.table("signals").lines(columns), wanted);
}

#[test]
fn one_query_compares_a_signal_with_the_rules_of_its_group_and_of_its_file() {
    let dir = Dir::new();
    let body = "User-agent: *\nContent-Signal: ai-train=yes\nAllow: /\nUser-agent: GPTBot\nDisallow: /\nUser-agent: CCBot\nContent-Signal: search=yes\nDisallow: /\n";
    let records = response("https://a.example/robots.txt", body);
    let data = dir.path("census");
    run_alone(Held::new("a.warc", records), &data);
    // A group's signal contradicts the rules of the agents that its group applies to; a file's
    // those of every agent.
    let sql = "
        SELECT key, agent, bool_or(list_contains(groups, signals.group_index)) AS of_group
        FROM signals
        JOIN policies USING (capture_id)
        LEFT JOIN (
            SELECT capture_id, lower(agent_token) AS token, list(group_index) AS groups
            FROM agents
            GROUP BY ALL
        ) AS agents ON agents.capture_id = policies.capture_id
            AND token = CASE group_kind WHEN 'named' THEN lower(agent) WHEN 'wildcard' THEN '*' END
        WHERE value = 'yes' AND restriction = 'full'
        GROUP BY ALL
        ORDER BY ALL";
    let rows = or_skip!(answer(&data, sql, &[]));
    assert_eq!(
        lines(&rows, "key agent of_group"),
        [
            "ai-train CCBot false",
            "ai-train GPTBot false",
            "search CCBot true",
            "search GPTBot false",
        ]
    );
}

#[test]
fn what_cannot_be_read_is_an_anomaly_too() {
    let (census, _dir) = census();
    let mut malformed = census.table("errors").lines("code line");
    malformed.retain(|line| line.starts_with("malformed_value "));
    assert_eq!(malformed, ["malformed_value 7", "malformed_value 10"]);
}

#[test]
fn numbers_of_directives_are_next_to_their_values() {
    let dir = Dir::new();
    let body = "User-agent: *\nCrawl-delay: 1.5\nRequest-rate: 10/1m 0800-1230\nVisit-time: 2200-0600\nRequest-rate: fast\nVisit-time: never\n";
    let records = response("https://a.example/robots.txt", body);
    run_alone(Held::new("a.warc", records), &dir.path("census"));
    let census = Census(dir.path("census"));
    let directives = census.table("directives");
    let numbers = [Some(1.5), Some(6.0), None, None, None];
    assert_eq!(directives.floats("value_number"), numbers);
    let codes = census.table("errors").all_texts("code");
    assert_eq!(codes, ["request_rate_unreadable", "visit_time_unreadable"]);
}

#[test]
fn a_file_that_is_not_read_states_nothing() {
    let dir = Dir::new();
    let record = String::from_utf8(response("https://a.example/robots.txt", FILE)).unwrap();
    let missing = record.replace("200 OK", "404 No");
    run_alone(
        Held::new("a.warc", missing.into_bytes()),
        &dir.path("census"),
    );
    let census = Census(dir.path("census"));
    assert_eq!(census.table("captures").all_ints("fetch_status"), [404]);
    assert_eq!(census.table("signals").n_rows(), 0);
}
