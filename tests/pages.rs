//! `robocensus check --page`: what a person sees, and programs read. What a page states is in the
//! cases of `testdata/pages.toml`, which unit tests and `run --pages` answer.

use serde_json::{Value, json};

use crate::util::{Dir, TestCommand, assert_says, lines};

const PAGE: &str = "<!doctype html>\n<title>t</title>\n  <meta name=\"robots\" content=\"noarchive, max-snippet:x\">\n\
    <p><a href=/ rel=nofollow>\u{e9}</a> <a href=/b>b</a>\n";

fn check_page(words: &[&str]) -> String {
    let dir = Dir::new();
    let page = dir.write("page.html", PAGE);
    let fields = "HTTP/1.1 200 OK\r\nX-Robots-Tag: GoogleBot: noindex\r\n";
    let headers = dir.write("headers.txt", fields);
    let command = TestCommand::line("check --agent Googlebot --page");
    let command = command.words(&[&page, "--headers", &headers]);
    command.words(words).succeed().stdout
}

#[test]
fn json_has_the_same_statements_and_policies() {
    let text = check_page(&["--dialect", "google", "--json"]);
    let answer: Value = serde_json::from_str(&text).unwrap();
    let statements = answer["statements"].as_array().unwrap();
    let columns = "source place agent_token directive parse_ok";
    let wanted = [
        "header header googlebot noindex true",
        "meta head * noarchive true",
        "meta head * max-snippet false",
        "link body * nofollow true",
    ];
    assert_eq!(lines(statements, columns), wanted);
    assert_eq!(statements[2]["value"], "x");
    assert_eq!(statements[2]["finding"], "value_invalid");
    let policy = &answer["policies"][0];
    for (name, value, statement) in [
        ("may_index", json!(false), json!(1)),
        ("may_follow", json!(true), Value::Null),
        ("may_archive", json!(false), json!(2)),
    ] {
        let found = (&policy[name]["value"], &policy[name]["statement"]);
        assert_eq!(found, (&value, &statement), "{name}");
    }
}

#[test]
fn a_person_sees_each_statement_with_its_line_and_what_decided() {
    let text = check_page(&["--dialect", "google"]);
    for part in [
        "agent     Googlebot\nencoding  windows-1252 (default)\nlinks     2: nofollow 1, ",
        "\nStatements: 4\n",
        "1  field               header  header  googlebot  noindex\n",
        "2  line 3, column 3    meta    head    *          noarchive\n",
        "3  line 3, column 3    meta    head    *          max-snippet:x  states nothing: value_invalid\n",
        "4  line 4, column 4    link    body    *          nofollow\n",
        "\nPolicy under google:\n  may_index          no   statement 1\n  may_follow         yes  nothing stated\n",
        "  may_archive        no   statement 2\n",
        "  max_snippet        -    nothing stated\n",
    ] {
        let squeezed = |text: &str| text.split_inclusive('\n').map(squeeze).collect::<String>();
        assert_says(&squeezed(&text), &squeezed(part));
    }
}

/// Returns a line with one blank for each run of blanks.
fn squeeze(line: &str) -> String {
    let end = if line.ends_with('\n') { "\n" } else { "" };
    line.split_whitespace().collect::<Vec<_>>().join(" ") + end
}

#[test]
fn all_dialects_are_shown_side_by_side() {
    let text = check_page(&["--dialect", "all"]);
    assert_says(&text, "Policy under google:");
    assert_says(&text, "Policy under baidu:");
}

#[test]
fn a_page_cannot_move_the_cursor() {
    let command = TestCommand::line("check --agent a --page -");
    let page = b"<meta name=robots content='\x1b[31m,\x07'>".to_vec();
    let text = command.stdin(page).succeed().stdout;
    assert_says(&text, "\\u{1b}[31m");
    assert!(!text.contains('\u{1b}'), "{text}");
}

#[test]
fn a_header_that_is_cut_is_a_finding() {
    let dir = Dir::new();
    let page = dir.write("page.html", "<!doctype html><p>");
    let long = format!("X-Long: {}\nX-Robots-Tag: noindex\n", "x".repeat(65_600));
    let headers = dir.write("headers.txt", long);
    let check = || {
        let command = TestCommand::line("check --agent a --page");
        command.words(&[&*page, "--headers", &headers])
    };
    let text = check().succeed().stdout;
    assert_says(&text, "\nfinding   http_head_too_long\n");
    let json: Value = check().words(&["--json"]).json();
    assert_eq!(json["findings"], json!(["http_head_too_long"]));
    let help = TestCommand::line("help limits").succeed().stdout;
    assert_says(&help, "Response head  64 KiB;");
}

#[test]
fn an_attribute_that_is_cut_is_a_finding() {
    let long = "x".repeat(9_000);
    let page = format!("<!doctype html><a href=/ rel='{long} nofollow'>").into_bytes();
    let command = TestCommand::line("check --agent a --page -").stdin(page);
    let text = command.succeed().stdout;
    assert_says(&text, "\nfinding   attribute_too_long\n");
}
