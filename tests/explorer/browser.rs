//! The page in headless Chromium.

use serde_json::{Value, json};

use super::{census, node, publish};
use crate::util::{
    Dir, TestCommand, assert_says, client, gzip, or_skip, package, record, response, run,
};

/// The host that the dataset has in two crawls, the crawler and the path.
const QUESTION: [&str; 3] = [
    "https://www.a-site.example.com/articles",
    "GPTBot",
    "/articles",
];

/// Opens a published folder in the browser and asks it; `None` where there is no browser.
fn look(folder: &str, asked: &Value) -> Option<Value> {
    let seen = node(
        "browser.mjs",
        &["playwright-core"],
        &[folder, &asked.to_string()],
    )?;
    // Whatever is asked, nothing goes to another server, and nothing of a file is run.
    assert_eq!(seen["others"], json!([]));
    assert_eq!(seen["pwned"], json!(false));
    Some(seen)
}

fn text<'v>(seen: &'v Value, key: &str) -> &'v str {
    seen[key]
        .as_str()
        .unwrap_or_else(|| panic!("{key}: {seen:#}"))
}

#[test]
fn a_stranger_finds_verdict_line_time_and_the_others() {
    let dir = Dir::new();
    let census = or_skip!(census(&dir, &["--tables", "+bodies"]));
    publish(&[&census, "--site"]).succeed();
    for (width, scheme) in [(400, "light"), (1200, "dark")] {
        let asked = json!({"keys": QUESTION, "width": width, "scheme": scheme});
        let seen = or_skip!(look(&census, &asked));
        let answer = text(&seen, "answer");
        assert_says(
            answer,
            "GPTBot must not fetch /articles on https://www.a-site.example.com.",
        );
        assert_says(
            answer,
            "Line 3, in the group of GPTBot, decides, as google reads it:",
        );
        assert_says(answer, "Disallow: /articles");
        assert_says(
            answer,
            "Of 1 host with a robots.txt, 0 (0 %) forbid GPTBot the whole site, 1 (100 %) a part of it",
        );
        assert_says(text(&seen, "dialects"), "python\tdisallow\tline 3");
        assert_says(
            text(&seen, "versions"),
            "“disallow” since CC-MAIN-2025-08, fetched 2026-01-02",
        );
        // The markup of a file is text, and what turns text around is not shown.
        assert_says(
            text(&seen, "file"),
            "# <script>pwned = 1</script> <img src=x onerror=pwned=1> \u{fffd}txt",
        );
        assert_says(text(&seen, "file"), "Allow: /<b>open</b>");
        assert_says(text(&seen, "file"), "error misspelt_field: ");
        assert_says(text(&seen, "groups"), "GPTBot – 2 rules");
        // A screen reader is told the answer, and the keyboard alone was used.
        assert_says(text(&seen, "state"), "GPTBot must not fetch /articles");
        assert_eq!(seen["unlabeled"], json!([]));
        assert_eq!(seen["console"], json!([]));
        assert_eq!(
            seen["width"],
            json!(width),
            "nothing is wider than the window"
        );
        let requests = seen["requests"].as_u64().unwrap();
        let bytes = seen["bytes"].as_u64().unwrap();
        assert!(
            (3..=20).contains(&requests) && bytes < 2_000_000,
            "{requests} {bytes}"
        );
    }
}

#[test]
fn a_host_without_a_file_and_one_that_is_not_there() {
    let dir = Dir::new();
    let census = or_skip!(census(&dir, &[]));
    publish(&[&census, "--site"]).succeed();
    let seen = or_skip!(look(
        &census,
        &json!({"keys": ["b-site.com", "GPTBot", "/x"]})
    ));
    assert_says(
        text(&seen, "answer"),
        "GPTBot may fetch /x on https://b-site.com.",
    );
    assert_says(
        text(&seen, "answer"),
        "The answer of the server decides, not a file",
    );
    assert_says(
        text(&seen, "file"),
        "the server answered 404, which allows everything",
    );
    for (host, says) in [
        (
            "c-site.com",
            "c-site.com is not in the dataset (CC-MAIN-2025-08)",
        ),
        ("<b>", "is no host: expected one such as example.com"),
    ] {
        let seen = look(&census, &json!({"keys": [host, "GPTBot", "/"]})).unwrap();
        assert_says(text(&seen, "state"), says);
        assert_eq!(seen["answer"], "");
    }
}

#[test]
fn hosts_without_a_domain_and_redirects_without_an_end() {
    let dir = Dir::new();
    or_skip!(client());
    let url = "https://a-site.com/robots.txt";
    let answer = format!("HTTP/1.1 302 Found\r\nLocation: {url}\r\n\r\n");
    let mut records = gzip(&record(url, "", &answer));
    let hosts = ["192.0.2.7", "co.uk", "intranet"];
    for host in hosts.into_iter().chain(["b-site.co.uk"]) {
        let body = format!("User-agent: *\nDisallow: /of-{host}\n");
        records.extend(gzip(&response(&format!("http://{host}/robots.txt"), &body)));
    }
    let archive = dir.write("a.warc.gz", records);
    let out = dir.word("census");
    run(&[&archive, "--out", &out, "--quiet"]).succeed();
    publish(&[&out, "--site"]).succeed();
    let ask = |host: &str| look(&out, &json!({"keys": [host, "GPTBot", "/"]}));
    let seen = or_skip!(ask("a-site.com"));
    for says in ["google\tallow", "python\tdisallow", "baidu\tundefined"] {
        assert_says(text(&seen, "dialects"), says);
    }
    for host in hosts {
        let seen = ask(host).unwrap();
        assert_says(text(&seen, "file"), &format!("Disallow: /of-{host}"));
    }
    let seen = ask("192.0.2.8").unwrap();
    assert_says(text(&seen, "state"), "192.0.2.8 is not in the dataset");
}

#[test]
fn without_bodies_the_lines_are_those_of_the_tables() {
    let dir = Dir::new();
    let census = or_skip!(census(&dir, &[]));
    publish(&[&census, "--site"]).succeed();
    let seen = or_skip!(look(&census, &json!({"keys": QUESTION})));
    assert_says(text(&seen, "answer"), "must not fetch /articles");
    assert_says(
        text(&seen, "answer"),
        "Line 3, in the group of GPTBot, decides",
    );
    assert_says(
        text(&seen, "file"),
        "The dataset was made without the files (table bodies)",
    );
    assert_says(text(&seen, "file"), "Disallow: /articles");
    let requests = seen["requests"].as_u64().unwrap();
    assert!(requests <= 20, "{requests}");
}

#[test]
fn a_server_without_ranges_is_one_sentence() {
    let dir = Dir::new();
    let census = or_skip!(census(&dir, &[]));
    publish(&[&census, "--site"]).succeed();
    let seen = or_skip!(look(&census, &json!({"keys": QUESTION, "ranges": false})));
    assert_says(
        text(&seen, "state"),
        "this page needs one that answers range requests",
    );
}

#[test]
fn sql_of_a_chart_is_changed_and_run() {
    let dir = Dir::new();
    let census = or_skip!(census(&dir, &[]));
    let engine = package().join("target/npm/node_modules/@duckdb/duckdb-wasm");
    if !engine.is_dir() {
        assert!(!crate::util::is_ci(), "no packages in target/npm");
        eprintln!("skipped: no packages in target/npm");
        return;
    }
    publish(&[&census, "--site", "--engine", engine.to_str().unwrap()]).succeed();
    let sql = "SELECT agent, full_named + partial_named AS named FROM (SELECT agent, count(*) FILTER (group_kind = 'named' AND restriction = 'full') AS full_named, \
               count(*) FILTER (group_kind = 'named' AND restriction = 'partial') AS partial_named FROM host_policies WHERE dialect = asked_dialect() AND has_robots_txt GROUP BY agent) ORDER BY named DESC, agent LIMIT 2";
    let seen = or_skip!(look(
        &census,
        &json!({"sql": ["compare-restriction-by-agent", sql]})
    ));
    let query = TestCommand::new(["query", sql, "--format", "csv", "--data", &census]).succeed();
    let expected: Vec<_> = query
        .stdout
        .lines()
        .map(|line| line.replace(',', "\t"))
        .collect();
    assert_says(text(&seen, "rows"), &expected.join("\n"));
    // A file of another server is not read, whatever the visitor writes.
    let sql = "FROM read_csv('https://robocensus.invalid/a.csv')";
    let asked = json!({"sql": ["compare-restriction-by-agent", sql]});
    let seen = look(&census, &asked).unwrap();
    let refused = json!(["https://robocensus.invalid/a.csv"]);
    assert_eq!(seen["refused"], refused);
    assert_says(text(&seen, "rows"), "NetworkError");
}
