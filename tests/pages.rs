//! `robocensus check --page`: the cases of `testdata/pages.toml`, and what a person sees.

use serde_json::Value;

use crate::util::{Dir, TestCommand, assert_says};

const CASES: &str = include_str!("testdata/pages.toml");

/// Returns the answer of `check --page` to one case.
fn answer(dir: &Dir, case: &toml::Table) -> Value {
    let text = |name: &str, default: &str| {
        let value = case.get(name).and_then(toml::Value::as_str);
        value.unwrap_or(default).to_owned()
    };
    let page = dir.write("page.html", text("page", ""));
    let fields = case.get("fields").and_then(toml::Value::as_array);
    let fields: Vec<_> = fields
        .into_iter()
        .flatten()
        .filter_map(toml::Value::as_str)
        .collect();
    let headers = dir.write("headers.txt", fields.join("\r\n"));
    let command = TestCommand::new(["check", "--json", "--page"]).words(&[
        &page,
        "--headers",
        &headers,
        "--agent",
        &text("agent", "anybot"),
        "--dialect",
        &text("dialect", "google"),
    ]);
    serde_json::from_str(&command.succeed().stdout).unwrap()
}

fn shown(statement: &Value) -> String {
    let text = |name: &str| statement[name].as_str().unwrap_or_default();
    let mark = if statement["parse_ok"] == true {
        ""
    } else {
        "!"
    };
    let value = statement["value"].as_str().map(|value| format!("={value}"));
    let finding = statement["finding"]
        .as_str()
        .map(|finding| format!(" {finding}"));
    format!(
        "{mark}{} {} {} {}{}{}",
        text("source"),
        text("place"),
        text("agent_token"),
        text("directive"),
        value.unwrap_or_default(),
        finding.unwrap_or_default()
    )
}

fn texts(case: &toml::Table, name: &str) -> Vec<String> {
    let items = case[name].as_array().unwrap().iter();
    items
        .map(|item| item.as_str().unwrap().to_owned())
        .collect()
}

/// Returns the microseconds since 1970 of a time.
fn micros(text: &str) -> String {
    let time: jiff::Timestamp = text.parse().unwrap();
    time.as_microsecond().to_string()
}

#[test]
fn check_page_answers_every_case() {
    let suite: toml::Table = CASES.parse().unwrap();
    let dir = Dir::new();
    let cases = suite["case"].as_array().unwrap();
    for case in cases.iter().map(|case| case.as_table().unwrap()) {
        let answer = answer(&dir, case);
        let name = &case["name"];
        let statements: Vec<_> = answer["statements"]
            .as_array()
            .unwrap()
            .iter()
            .map(shown)
            .collect();
        assert_eq!(statements, texts(case, "statements"), "{name}");
        let policy = answer["policies"][0].as_object().unwrap();
        let mut decided: Vec<_> = policy
            .iter()
            .filter(|(_, answer)| answer["statement"].is_u64())
            .map(|(name, answer)| {
                let value = match &answer["value"] {
                    Value::String(text) if name == "unavailable_after" => micros(text),
                    Value::String(text) => text.clone(),
                    other => other.to_string(),
                };
                format!("{name}={value} {}", answer["statement"])
            })
            .collect();
        let mut expected = texts(case, "policy");
        decided.sort();
        expected.sort();
        assert_eq!(decided, expected, "{name}");
    }
    assert!(cases.len() > 40);
}

const PAGE: &str = "<!doctype html>\n<title>t</title>\n  <meta name=\"robots\" content=\"noarchive, max-snippet:x\">\n\
    <p><a href=/ rel=nofollow>\u{e9}</a> <a href=/b>b</a>\n";

fn page(dialect: &str) -> String {
    let dir = Dir::new();
    let page = dir.write("page.html", PAGE);
    let headers = dir.write(
        "headers.txt",
        "HTTP/1.1 200 OK\r\nX-Robots-Tag: GoogleBot: noindex\r\n",
    );
    let words = [&page[..], "--headers", &headers];
    let command = TestCommand::new(["check", "--agent", "Googlebot", "--dialect", dialect])
        .words(&["--page"]);
    command.words(&words).succeed().stdout
}

#[test]
fn a_person_sees_each_statement_with_its_line_and_what_decided() {
    let text = page("google");
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
        assert!(
            squeezed(&text).contains(&squeezed(part)),
            "{part:?} in\n{text}"
        );
    }
}

/// Returns a line with one blank for each run of blanks.
fn squeeze(line: &str) -> String {
    let end = if line.ends_with('\n') { "\n" } else { "" };
    line.split_whitespace().collect::<Vec<_>>().join(" ") + end
}

#[test]
fn all_dialects_are_shown_side_by_side() {
    let text = page("all");
    assert_says(&text, "Policy under google:");
    assert_says(&text, "Policy under baidu:");
}

#[test]
fn what_a_page_cannot_be_asked_is_refused() {
    for (words, code, message) in [
        ("check --page page.html", 2, "--agent"),
        (
            "check robots.txt --page page.html --agent a",
            2,
            "cannot be used with",
        ),
        (
            "check --page page.html --agent a --url /",
            2,
            "cannot be used with",
        ),
        (
            "check --page page.html --agent a --exit-code",
            2,
            "'--page <FILE>' cannot be used with '--exit-code'",
        ),
        (
            "check --page page.html --agent a --status 200",
            2,
            "\n       robocensus check [OPTIONS] --page <FILE> --agent <TOKENS>\n",
        ),
        (
            "check robots.txt --headers h --agent a --url /",
            2,
            "cannot be used with",
        ),
        (
            "check --page - --agent a --dialect python",
            2,
            "expected google, baidu or all",
        ),
        (
            "check --page no-such-page.html --agent a",
            2,
            "no-such-page.html: cannot read",
        ),
    ] {
        let ran = TestCommand::line(words).end_with(code);
        assert!(ran.stderr.contains(message), "{words}: {}", ran.stderr);
        assert!(
            !ran.stderr.contains(" [ROBOTS]\n"),
            "{words}: {}",
            ran.stderr
        );
    }
}

#[test]
fn a_page_cannot_move_the_cursor() {
    let command = TestCommand::line("check --agent a --page -");
    let page = b"<meta name=robots content='\x1b[31m,\x07'>".to_vec();
    let text = command.stdin(page).succeed().stdout;
    assert!(
        text.contains("\\u{1b}[31m") && !text.contains('\u{1b}'),
        "{text}"
    );
}

#[test]
fn a_header_that_is_cut_is_a_finding() {
    let dir = Dir::new();
    let page = dir.write("page.html", "<!doctype html><p>");
    let long = format!("X-Long: {}\nX-Robots-Tag: noindex\n", "x".repeat(65_600));
    let headers = dir.write("headers.txt", long);
    let words = [
        "check",
        "--page",
        &page,
        "--headers",
        &headers,
        "--agent",
        "a",
    ];
    let text = TestCommand::new(words).succeed().stdout;
    assert!(text.contains("\nfinding   http_head_too_long\n"), "{text}");
    let json = TestCommand::new(words).words(&["--json"]).succeed().stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["findings"], serde_json::json!(["http_head_too_long"]));
    let help = TestCommand::line("help limits").succeed().stdout;
    assert!(help.contains("Response head  64 KiB;"), "{help}");
}

#[test]
fn an_attribute_that_is_cut_is_a_finding() {
    let long = "x".repeat(9_000);
    let page = format!("<!doctype html><a href=/ rel='{long} nofollow'>").into_bytes();
    let command = TestCommand::line("check --agent a --page -").stdin(page);
    let text = command.succeed().stdout;
    assert!(text.contains("\nfinding   attribute_too_long\n"), "{text}");
}
