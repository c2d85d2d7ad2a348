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
    let signals = census.table("signals");
    let (groups, lines) = (signals.ints("group_index"), signals.all_ints("line"));
    let (vocabularies, sound) = (
        signals.all_texts("vocabulary"),
        signals.all_bools("parse_ok"),
    );
    let texts = ["path", "key", "value"].map(|column| signals.texts(column));
    let rows: Vec<_> = (0..signals.n_rows())
        .map(|row| {
            let group = groups[row].map_or("-".to_owned(), |group| group.to_string());
            let mark = if sound[row] { "" } else { " !" };
            let [path, key, value] =
                [0, 1, 2].map(|column| texts[column][row].as_deref().unwrap_or("-"));
            format!(
                "{group} {} {} {path} {key} {value}{mark}",
                lines[row], vocabularies[row]
            )
        })
        .collect();
    let wanted = [
        "- 1 license - - https://rights.example/license.xml",
        "0 3 content-signal - search yes",
        "0 3 content-signal - ai-train no",
        "1 6 content-usage /blog train-ai n",
        "1 6 content-usage /blog search y",
        "1 7 content-usage - - train-ai= !",
        "1 8 disallow-ai-training /art - -",
        "1 9 noindex /drafts - -",
        "1 10 llm-policy - - /policy.txt !",
        "- 1 content-signal - search yes",
    ];
    assert_eq!(rows, wanted);
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
    let errors = census.table("errors");
    let lines = errors
        .ints("line")
        .into_iter()
        .zip(errors.all_texts("code"));
    let malformed: Vec<_> = lines
        .filter(|(_, code)| code == "malformed_value")
        .collect();
    let lines: Vec<_> = malformed.iter().map(|(line, _)| line.unwrap()).collect();
    assert_eq!(lines, [7, 10]);
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
