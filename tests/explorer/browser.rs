//! The page in headless Chromium.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::{census, node, publish, site};
use crate::util::{
    Dir, assert_says, assert_says_all, client, gzip, or_skip, package, query, record, response,
    run_into,
};

/// The host that the dataset has in two crawls, the crawler and the path.
const QUESTION: [&str; 3] = [
    "https://www.a-site.example.com/articles",
    "GPTBot",
    "/articles",
];

/// Opens a published folder in one browser for each of these, asks it, and returns what each sees;
/// `None` where there is no browser.
fn looks<const N: usize>(folder: &str, asked: [Value; N]) -> Option<[Value; N]> {
    let asked = json!(&asked[..]).to_string();
    let seen = node("browser.mjs", &["playwright-core"], &[folder, &asked])?;
    let all: [Value; N] = serde_json::from_value::<Vec<_>>(seen)
        .unwrap()
        .try_into()
        .unwrap();
    // Whatever is asked, nothing goes to another server, and nothing of a file is run.
    for seen in &all {
        assert_eq!(seen["others"], json!([]));
        assert_eq!(seen["pwned"], false);
    }
    Some(all)
}

fn look(folder: &str, asked: Value) -> Option<Value> {
    looks(folder, [asked]).map(|[seen]| seen)
}

fn text<'v>(seen: &'v Value, key: &str) -> &'v str {
    let text = seen[key].as_str();
    text.unwrap_or_else(|| panic!("{key}: {seen:#}"))
}

#[test]
fn a_stranger_finds_verdict_line_time_and_the_others() {
    let dir = Dir::new();
    let census = or_skip!(census(&dir, &["--tables", "+bodies"]));
    publish(&[&census, "--site"]).succeed();
    let windows = [(400, "light"), (1200, "dark")];
    let asked =
        windows.map(|(width, scheme)| json!({"keys": QUESTION, "width": width, "scheme": scheme}));
    let seen = or_skip!(looks(&census, asked));
    for ((width, _), seen) in windows.into_iter().zip(seen) {
        for says in [
            "GPTBot must not fetch /articles on https://www.a-site.example.com.",
            "Line 3, in the group of GPTBot, decides, under the dialect google (google/robotstxt,",
            "Disallow: /articles",
            "In CC-MAIN-2025-08, of 1 host with a robots.txt, 0 (0 %) forbid GPTBot the whole site, 1 (100 %) a part of it",
        ] {
            assert_says(text(&seen, "answer"), says);
        }
        // Cells are below each other in a narrow window.
        let dialects = text(&seen, "dialects").replace('\n', "\t");
        assert_says(&dialects, "urllib/robotparser.py\tdisallow\tline 3");
        let versions = "In CC-MAIN-2025-08 the verdict is “disallow”, first seen on 2026-01-02 (CC-MAIN-2025-08); the fetch before, of 2026-01-02 (CC-MAIN-2025-05), had another answer: “allow”.";
        for (id, says) in [
            ("versions", versions),
            // The markup of a file is text, and what turns text around is not shown.
            (
                "file",
                "# <script>pwned = 1</script> <img src=x onerror=pwned=1> \u{fffd}txt",
            ),
            ("file", "Allow: /<b>open</b>"),
            ("file", "error misspelt_field: "),
            ("groups", "GPTBot – 2 rules"),
            // A screen reader is told the answer, and the keyboard alone was used.
            ("state", "GPTBot must not fetch /articles"),
        ] {
            assert_says(text(&seen, id), says);
        }
        assert_eq!(seen["unlabeled"], json!([]));
        assert_eq!(seen["console"], json!([]));
        assert_eq!(seen["width"], json!(width), "wider than the window");
        let requests = seen["requests"].as_u64().unwrap();
        assert!((3..=20).contains(&requests), "{requests}");
        let bytes = seen["bytes"].as_u64().unwrap();
        assert!(bytes < 2_000_000, "{bytes}");
    }
}

#[test]
fn a_host_without_a_file_and_one_that_is_not_there() {
    let site = or_skip!(site());
    let absent = "c-site.com was not captured in CC-MAIN-2025-08.";
    let wanted = [
        ("b-site.com", ""),
        ("c-site.com", absent),
        ("<b>", "such as example.com, but found “<b>”"),
        ("a b", "such as example.com, but found “a b”"),
        ("", "but found nothing"),
    ];
    let asked = wanted.map(|(host, _)| json!({"keys": [host, "GPTBot", "/x"]}));
    let seen = or_skip!(looks(site, asked));
    let answer = text(&seen[0], "answer");
    assert_says(answer, "GPTBot may fetch /x on https://b-site.com.");
    assert_says(answer, "The answer of the server decides, not a file");
    let file = text(&seen[0], "file");
    assert_says(file, "the server answered 404, which allows everything");
    for ((_, says), seen) in wanted.into_iter().zip(&seen).skip(1) {
        assert_says(text(seen, "state"), says);
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
    run_into(dir.path("census"), &[dir.write("a.warc.gz", records)]);
    let out = dir.word("census");
    publish(&[&out, "--site"]).succeed();
    let asked = ["a-site.com", hosts[0], hosts[1], hosts[2], "192.0.2.8"];
    let asked = asked.map(|host| json!({"keys": [host, "GPTBot", "/"]}));
    let [of_loop, of_hosts @ .., of_none] = &or_skip!(looks(&out, asked));
    let verdicts =
        "documentation of robots.txt\tallow | robotparser.py\tdisallow | help page\tundefined";
    assert_says_all(text(of_loop, "dialects"), verdicts);
    let loops = "302: its redirects lead back to themselves.";
    assert_says(text(of_loop, "answer"), loops);
    for (host, seen) in hosts.into_iter().zip(of_hosts) {
        assert_says(text(seen, "file"), &format!("Disallow: /of-{host}"));
    }
    assert_says(text(of_none, "state"), "192.0.2.8 was not captured in");
}

/// Returns steps on the page, which are separated by semicolons, each a name with its words. Where
/// `go` has a host and a path, and maybe a crawl, it asks about GPTBot.
fn steps(text: &str) -> Value {
    let step = |step: &str| {
        let words: Vec<_> = step.split(' ').collect();
        match words[..] {
            ["go"] => json!(["go", {}]),
            ["go", host, path, ref crawl @ ..] => {
                let crawl = crawl.first().unwrap_or(&"");
                json!(["go", {"host": host, "agent": "GPTBot", "path": path, "crawl": crawl}])
            }
            _ => json!(words),
        }
    };
    text.split("; ").map(step).collect()
}

#[test]
fn an_overtaken_look_up_writes_nothing() {
    let site = or_skip!(site());
    let steps = steps(
        "go www.a-site.example.com /x; answered; go b-site.com /x; answered; settle; see answer versions file",
    );
    let seen = or_skip!(look(site, json!({"steps": steps, "delay": 150})));
    assert_says(text(&seen, "answer"), "on https://b-site.com.");
    assert_says(text(&seen, "file"), "the server answered 404");
    let versions = text(&seen, "versions");
    assert_says(versions, "on https://b-site.com, up to CC-MAIN-2025-08");
    // What has no file does not look like an answer of one.
    assert_says(versions, "allow\tno file: status 404");
}

#[test]
fn counts_and_versions_are_those_of_the_chosen_crawl() {
    let site = or_skip!(site());
    let asked = [
        "go www.a-site.example.com /articles CC-MAIN-2025-05; answered; settle; see answer versions",
        // Another crawl is asked for as soon as it is chosen.
        "go www.a-site.example.com / CC-MAIN-2025-05; answered; choose crawl CC-MAIN-2025-08; settle; see answer versions",
    ];
    let asked = asked.map(|text| json!({"steps": steps(text)}));
    let [seen, chosen] = &or_skip!(looks(site, asked));
    assert_says_all(
        text(seen, "answer"),
        "GPTBot may fetch /articles | In CC-MAIN-2025-05, of 1 host with a robots.txt, | \
         ; 0 (0 %) name it. | These counts are of whole sites",
    );
    assert_says(text(seen, "versions"), "The dataset has no earlier crawl: ");
    let answer = text(chosen, "answer");
    assert_says(answer, "In CC-MAIN-2025-08, of 1 host");
    assert_says(answer, "1 (100 %) name it.");
    let first = "In CC-MAIN-2025-08 the verdict is “allow”, first seen on 2026-01-02 (CC-MAIN-2025-05), the first fetch";
    assert_says(text(chosen, "versions"), first);
}

#[test]
fn the_origin_and_the_path_that_were_typed_are_asked_for() {
    let site = or_skip!(site());
    let see = json!(["see", "state", "answer", "host", "path", "agent"]);
    let origin = "https://www.a-site.example.com";
    let header = "Mozilla/5.0 (compatible; GPTBot/1.1; +https://openai.com/gptbot)";
    let asked = [
        ("https://www.a-site.example.com:8443/x?y=1", "GPTBot"),
        ("http://b-site.com", "GPTBot"),
        ("b-site.com:8080", "GPTBot"),
        ("https://www.a-site.example.com:443/articles?x=1", "GPTBot"),
        ("www.b-site.com", "GPTBot"),
        ("b-site.com", header),
        ("b-site.com", "GPT Bot"),
        ("b-site.com", ""),
    ];
    let asked = asked.map(|(host, agent)| {
        let fields = [("host", host), ("agent", agent), ("path", "/typed")];
        let mut steps: Vec<_> = fields.map(|(id, words)| json!(["type", id, words])).into();
        steps.extend([json!(["press", "host"]), json!(["answered"]), see.clone()]);
        json!({"steps": steps})
    });
    let [port, http, other_port, path, www, of_header, blank, none] = &or_skip!(looks(site, asked));
    assert_eq!(port["answer"], "");
    let absent = "was not captured in CC-MAIN-2025-08. Captured of its domain:";
    let state = text(port, "state");
    assert_says(state, &format!("{origin}:8443 {absent} {origin}"));
    for (seen, host) in [(http, "http://b-site.com"), (other_port, "b-site.com:8080")] {
        assert_says(text(seen, "state"), &format!("{host} was not captured"));
    }
    assert_says(text(path, "answer"), "must not fetch /articles?x=1 on");
    let fields = ["host", "path"].map(|id| text(path, id));
    assert_eq!(fields, [origin, "/articles?x=1"]);
    // The name with or without www is another one.
    let answer = text(www, "answer");
    assert_says(answer, "may fetch /typed on https://b-site.com.");
    assert_says(answer, "www.b-site.com itself was not captured");
    // A crawler is read as the program reads it.
    let answer = text(of_header, "answer");
    assert_says(answer, "GPTBot may fetch /typed on https://b-site.com.");
    assert_says(answer, "is reduced to its product token, GPTBot.");
    assert_eq!(text(of_header, "agent"), "GPTBot");
    for (seen, says) in [
        (blank, "\"GPT Bot\"; a token has no blanks."),
        (none, "nothing."),
    ] {
        let begin = "Expected a product token, such as GPTBot, but found";
        assert_says(text(seen, "state"), &format!("{begin} {says}"));
    }
}

#[test]
fn all_requests_are_counted_and_the_bare_address_asks_nothing() {
    let site = or_skip!(site());
    let asked = [
        "go www.a-site.example.com /articles; answered; settle; see answer traffic",
        "go www.a-site.example.com /articles; answered; settle; go; settle; see found state host",
    ];
    let asked = asked.map(|text| json!({"steps": steps(text)}));
    let [seen, bare] = &or_skip!(looks(site, asked));
    let traffic = text(seen, "traffic").replace(',', "");
    let [requests, bytes] = ["requests", "bytes"].map(|key| &seen["fetched"][key]);
    let sent = format!("sent {requests} requests and read {bytes} bytes");
    assert_says(&traffic, &sent);
    assert_says(text(seen, "answer"), "must not fetch");
    let shown = ["found", "state", "host"].map(|id| text(bare, id));
    assert_eq!(shown, [""; 3]);
}

#[test]
fn without_bodies_the_lines_are_those_of_the_tables() {
    let site = or_skip!(site());
    let seen = or_skip!(look(site, json!({"keys": QUESTION})));
    let (answer, file) = (text(&seen, "answer"), text(&seen, "file"));
    assert_says(answer, "must not fetch /articles");
    assert_says(answer, "Line 3, in the group of GPTBot, decides");
    assert_says(file, "was made without the files (table bodies)");
    assert_says(file, "Disallow: /articles");
    let requests = seen["requests"].as_u64().unwrap();
    assert!(requests <= 20, "{requests}");
}

#[test]
fn a_server_without_ranges_is_one_sentence() {
    let site = or_skip!(site());
    let seen = or_skip!(look(site, json!({"keys": QUESTION, "ranges": false})));
    let says = "this page needs one that answers range requests";
    assert_says(text(&seen, "state"), says);
}

/// Publishes a dataset with the engine of SQL; `None` where that is not here.
fn publish_with_engine(words: &[&str]) -> Option<()> {
    let engine = package().join("target/npm/node_modules/@duckdb/duckdb-wasm");
    if !engine.is_dir() {
        assert!(!crate::util::is_ci(), "no packages in target/npm");
        eprintln!("skipped: no packages in target/npm");
        return None;
    }
    let words = [words, &["--site", "--engine", engine.to_str().unwrap()]].concat();
    publish(&words).succeed();
    Some(())
}

/// Returns what the program answers, as the page shows it: its engine knows no time zones, so that
/// times are in UTC and say nothing of it.
fn rows_of_program(census: &str, sql: &str) -> Value {
    let asked = query(Path::new(census), &[sql, "--format", "json"]);
    let mut rows: Vec<Map<String, Value>> = asked.json();
    for value in rows.iter_mut().flat_map(Map::values_mut) {
        *value = match &*value {
            Value::Null => json!("NULL"),
            Value::String(text) => json!(text.trim_end_matches("+00")),
            other => json!(other.to_string()),
        };
    }
    json!(rows)
}

#[test]
fn every_chart_runs_as_in_the_program() {
    let dir = Dir::new();
    let words = "--tables +bodies --dialects google,rfc9309 --pages";
    let words: Vec<_> = words.split(' ').collect();
    let census = or_skip!(census(&dir, &words));
    or_skip!(publish_with_engine(&[&census]));
    let seen = or_skip!(look(&census, json!({"sql": []})));
    let ran = seen["ran"].as_object().unwrap();
    assert_eq!(ran.len(), 25);
    for (name, ran) in ran {
        let expected = rows_of_program(&census, name);
        let found = ran["rows"].to_string().replace("+00\"", "\"");
        assert_eq!(found, expected.to_string(), "{name}");
        assert_says(text(ran, "said"), "were read besides the engine");
    }
    assert_eq!(seen["console"], json!([]));
}

#[test]
fn a_chart_over_a_table_that_is_left_out_has_a_reason() {
    let dir = Dir::new();
    let census = or_skip!(census(&dir, &[]));
    let public = dir.word("public");
    let words = [
        &*census,
        "--out",
        &public,
        "--without",
        "comments,directives",
    ];
    or_skip!(publish_with_engine(&words));
    let name = "compare-restriction-by-agent";
    let seen = or_skip!(look(&public, json!({"sql": [[name, "FROM templates"]]})));
    let said = "The SQL reads templates, for which the dataset lacks: comments.";
    assert_eq!(seen["ran"][name]["said"], said);
    let warnings = seen["warnings"].to_string();
    assert_says(&warnings, "Which systems and services wrote the files?");
}

#[test]
fn a_chart_is_drawn_as_in_the_report() {
    let dir = Dir::new();
    let archives = package().join("data-sample/archives");
    run_into(dir.path("census"), &[archives.to_str().unwrap()]);
    let census = dir.word("census");
    or_skip!(publish_with_engine(&[&census]));
    // Bars, lines and a heat map.
    let names = [
        "count-hosts-by-status",
        "compare-hosts-by-crawl",
        "compare-agents-named-together",
    ];
    let seen = or_skip!(look(&census, json!({"sql": names.map(|name| [name])})));
    // But for the title and n, which the page around it says.
    let drawing = |svg: &str| svg.split_once("</desc>").expect("a drawing").1.to_owned();
    for name in names {
        let ran = &seen["ran"][name];
        let [drawn, of_report] = ["drawn", "ofReport"].map(|key| drawing(text(ran, key)));
        assert_eq!(drawn, of_report, "{name}");
    }
}

/// Charts, SQL for them that cannot be run or drawn, and what is said of it as it was written.
const NOT_DRAWN: &str = "\
count-hosts-stating-terms | SELECT count(*) AS n FROM captures | No chart: expected rows with one column of names
count-hosts-by-status |  | Expected a query, but found no SQL.
rank-directives-by-domains | DROP TABLE stored_captures | Expected one query, such as SELECT or FROM, but found another statement
rank-misspelt-fields | SET VARIABLE agent = 'x';\\n\\nSELECT missing FROM captures | Referenced column \"missing\" not found in FROM clause!
rank-errors-by-domains | FROM (VALUES ('a', 'inf'::DOUBLE)) rows(name, n) | No chart: expected finite numbers, but found inf.
rank-templates-by-domains | FROM (VALUES ('a', NULL::DOUBLE)) rows(name, n); -- one row | No chart: expected numbers to draw, but found none in n.";

#[test]
fn sql_of_a_chart_is_changed_and_run() {
    let dir = Dir::new();
    let census = or_skip!(census(&dir, &[]));
    or_skip!(publish_with_engine(&[&census]));
    // All columns of a view.
    let name = "compare-restriction-by-agent";
    let view = "SELECT * FROM crawl_hosts ORDER BY ALL";
    // Rows are drawn, whatever they say.
    let markup = "SELECT * FROM (VALUES ('<img src=x onerror=pwned=1>', 3), ('</svg><script>pwned = 1</script>\u{202e}', 4)) rows(name, n)";
    let said = NOT_DRAWN.lines().map(|line| {
        let parts = line.split(" | ").map(|part| part.replace("\\n", "\n"));
        parts.collect::<Vec<_>>()
    });
    let said: Vec<_> = said.collect();
    let (hostile, changed) = ("count-hosts-by-redirects", "compare-hosts-by-crawl");
    let mut asked = vec![json!([changed]), json!([hostile, markup])];
    asked.push(json!([name, view]));
    asked.extend(said.iter().map(|parts| json!(parts[..2])));
    let asked = json!({"sql": asked, "replaced": ["GPTBot", "CCBot"]});
    // A file of another server is not read, whatever the visitor writes.
    let other = "FROM read_csv('https://robocensus.invalid/a.csv')";
    let other = json!({"sql": [[name, other]]});
    let [seen, refused] = &or_skip!(looks(&census, [asked, other]));
    assert_eq!(seen["console"], json!([]));
    let ran = &seen["ran"];
    assert_eq!(ran[name]["rows"], rows_of_program(&census, view));
    for parts in said {
        let (ran, sql) = (&ran[&parts[0]], &parts[1]);
        assert_says(text(ran, "said"), &parts[2]);
        if sql.starts_with("SELECT count") {
            assert_eq!(ran["rows"], rows_of_program(&census, sql));
        }
    }
    assert_says(text(&ran["rank-misspelt-fields"], "said"), "(line 3)");
    assert_says_all(
        text(&ran[hostile], "drawn"),
        "&lt;img src=x onerror=pwned=1&gt; | &lt;/svg&gt;&lt;script&gt;pwned = 1 | \u{fffd} | >4<",
    );
    // What is shown decides, and begins with the variables that it reads.
    let ran = &ran[changed];
    assert_says(text(ran, "shown"), "SET VARIABLE agent = 'GPTBot';\n");
    assert_says(text(ran, "said"), "\tCCBot\t");
    let sent = json!(["https://robocensus.invalid/a.csv"]);
    assert_eq!(refused["refused"], sent);
    assert_says(text(&refused["ran"][name], "said"), "NetworkError");
}
