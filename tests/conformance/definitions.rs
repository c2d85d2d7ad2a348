//! `robocensus dialects`, and dialects from TOML files.

use serde_json::Value;

use crate::util::{Census, Dir, TestCommand, answered, assert_says, check, response, run};
use robocensus::robots::dialect::{CHOICES, NAMES};

#[test]
fn the_table_has_a_row_for_each_choice_and_a_column_for_each_dialect() {
    let text = TestCommand::line("dialects").succeed().stdout;
    let rows = text.lines().take_while(|line| !line.is_empty());
    let rows: Vec<Vec<_>> = rows.map(|row| row.split_whitespace().collect()).collect();
    assert_eq!(rows[0][1..], NAMES);
    assert_eq!(rows.len(), CHOICES.len() + 1);
    assert!(rows.iter().all(|row| row.len() == NAMES.len() + 1));
}

#[test]
fn json_cites_the_source_of_every_answer() {
    let value: Value = TestCommand::line("dialects --json").json();
    assert_eq!(value["questions"].as_array().unwrap().len(), CHOICES.len());
    for dialect in value["dialects"].as_array().unwrap() {
        for choice in CHOICES {
            let answer = &dialect["answers"][choice.name];
            let is_cited = answer["source"].is_string() && !answer["answer"].is_null();
            assert!(is_cited, "{answer}");
        }
    }
}

#[test]
fn a_dialect_that_is_printed_can_be_edited_and_used() {
    let dir = Dir::new();
    let text = TestCommand::line("dialects google-2019").succeed().stdout;
    assert_eq!(text.matches("# Source: ").count(), CHOICES.len());
    let edited = text.replace("agent_case = \"sensitive\"", "agent_case = \"ignored\"");
    assert_ne!(edited, text);
    let path = dir.write("mine.toml", edited);
    let verdict = |dialect: &str| {
        let words = format!("--agent A --url / --dialect {dialect}");
        let text = check(&words, "user-agent: a\ndisallow: /\n");
        text.lines().next().unwrap().to_owned()
    };
    assert_eq!(verdict("google-2019"), "verdict   allow");
    assert_eq!(verdict(&path), "verdict   disallow");
}

#[test]
fn a_file_is_shown_as_a_dialect_and_named_once_in_a_run() {
    let dir = Dir::new();
    let access = "[access]\nserver_error = \"full_allow\"\n";
    let dialect = dir.write("lenient.toml", format!("base = \"google\"\n{access}"));
    let shown = TestCommand::new(["dialects", &dialect]).succeed().stdout;
    assert_says(&shown, "server_error = \"full_allow\"");
    assert_says(&shown, "name = \"lenient\"");
    let twice = format!("{dialect},{dialect}");
    run(&["-", "--out", &dir.word("census"), "--dialects", &twice])
        .refuse(&["lenient is named twice"]);
}

#[test]
fn a_dialect_may_interpret_files_that_the_reference_does_not() {
    let dir = Dir::new();
    let read = response(
        "https://a.example/robots.txt",
        "User-agent: *\nDisallow: /\n",
    );
    let http = "HTTP/1.1 404 NO\r\n\r\nUser-agent: *\nAllow: /\nDisallow: /about\n";
    let missing = answered("https://b.example/robots.txt", http);
    let archive = dir.write("a.warc", [read, missing].concat());
    let eager = "base = \"google\"\n[access]\nclient_error = \"conditional\"\n";
    let dialect = dir.write("eager.toml", eager);
    let out = dir.word("census");
    let dialects = format!("google,{dialect}");
    run(&[&archive, "--out", &out, "--dialects", &dialects, "--quiet"]).succeed();
    let verdicts = Census(dir.path("census")).table("verdicts");
    let mut of_missing = verdicts.lines("url_host_name agent url dialect rule_line");
    of_missing.retain(|row| row.starts_with("b.example * /about "));
    let wanted = ["google -", "eager 3"].map(|row| format!("b.example * /about {row}"));
    assert_eq!(of_missing, wanted);
}
