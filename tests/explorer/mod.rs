//! `robocensus publish --site`: the files of the page, its parser against that of the program, and
//! the page itself in headless Chromium, with every request that it makes.

mod browser;

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::OnceLock,
};

use base64::{Engine, engine::general_purpose::STANDARD};
use robocensus::{Dialect, ProductTokens, Robots};
use serde_json::{Value, json};

use crate::{
    conformance::{cases, recording},
    util::{
        Dir, TestCommand, answer, answered, assert_says, client, files_with_end, gzip, or_skip,
        package, read_json, response, run_into,
    },
};

/// Requests whose verdicts are compared, each under every dialect.
const QUESTIONS: usize = 10_000;

/// A file whose comments and rules would run, or would turn the text around them, as HTML.
const HOSTILE: &str = "# <script>pwned = 1</script> <img src=x onerror=pwned=1> \u{202e}txt\n\
    User-agent: GPTBot\nDisallow: /articles\nAllow: /<b>open</b>\n\nUser-agent: *\nDisalow: /x\n";

fn explorer(name: &str) -> PathBuf {
    package().join("src/report/explorer").join(name)
}

/// Makes a dataset of two crawls of a host that shuts GPTBot out in the second, and another host
/// that answers 404; `None` where there is no DuckDB.
fn census(dir: &Dir, more: &[&str]) -> Option<String> {
    client()?;
    for (crawl, body) in [
        ("2025-05", "User-agent: *\nDisallow: /private\n"),
        ("2025-08", HOSTILE),
    ] {
        let file = response("https://www.a-site.example.com/robots.txt", body);
        let http = "HTTP/1.1 404 Not Found\r\n\r\nno";
        let missing = answered("https://b-site.com/robots.txt", http);
        let name = format!("crawl-data/CC-MAIN-{crawl}/segments/1.2/robotstxt/a.warc.gz");
        let archive = dir.write(&name, [gzip(&file), gzip(&missing)].concat());
        let words = if crawl == "2025-05" { more } else { &[] };
        run_into(dir.path("census"), &[&[&*archive], words].concat());
    }
    Some(dir.word("census"))
}

/// Returns the folder of that dataset, published with the page once for all tests, which only read
/// it.
fn site() -> Option<&'static str> {
    static ONCE: OnceLock<Option<(Dir, String)>> = OnceLock::new();
    let site = ONCE.get_or_init(|| {
        let dir = Dir::lasting("explorer");
        let census = census(&dir, &[])?;
        publish(&[&census, "--site"]).succeed();
        Some((dir, census))
    });
    Some(&site.as_ref()?.1)
}

fn publish(words: &[&str]) -> TestCommand {
    TestCommand::new(["publish"]).words(words)
}

/// Runs a script of this folder by Node.js; `None` where that, or a package that it needs, is not
/// here. The test is then skipped, and says so.
fn node(script: &str, needs: &[&str], words: &[&str]) -> Option<Value> {
    let packages = package().join("target/npm/node_modules");
    let missing = needs.iter().find(|name| !packages.join(name).is_dir());
    let ran = Command::new("node")
        .arg(package().join("tests/explorer").join(script))
        .args(words)
        .env("PACKAGES", &packages)
        .stdin(Stdio::null())
        .output();
    let ran = match (missing, ran) {
        (None, Ok(ran)) => ran,
        (missing, _) => {
            let what = missing.map_or("no node on the PATH", |_| "no packages in target/npm");
            eprintln!("skipped: {what}");
            return None;
        }
    };
    let stderr = String::from_utf8_lossy(&ran.stderr);
    if ran.status.code() == Some(3) {
        eprintln!("skipped: {}", stderr.trim());
        return None;
    }
    assert!(ran.status.success(), "{stderr}");
    Some(serde_json::from_slice(&ran.stdout).unwrap())
}

#[test]
fn the_page_is_part_of_the_publication() {
    let dir = Dir::new();
    let census = or_skip!(census(&dir, &[]));
    publish(&[&census, "--site"]).succeed();
    let has = |name: &str| Path::new(&census).join(name).is_file();
    assert!(has("index.html") && has("explorer/dataset.json") && has("explorer/report.html"));
    assert!(!has("explorer/duckdb-eh.wasm") && !has("explorer/tables.json"));
    let sums = || fs::read_to_string(Path::new(&census).join("SHA256SUMS")).unwrap();
    let before = sums();
    for line in before.lines() {
        let (_, path) = line.split_once("  ").unwrap();
        assert!(has(path), "{path}");
    }
    assert_says(&before, "  explorer/parser.wasm\n");
    assert_says(&before, "  index.html\n");
    publish(&[&census, "--site"]).succeed();
    assert_eq!(sums(), before);
    TestCommand::new(["verify", &census]).succeed();
    // Without it, the next publication has no page.
    publish(&[&census]).succeed();
    assert!(!has("index.html") && !has("explorer/dataset.json"));
    assert!(!sums().contains("explorer"));
}

#[test]
fn the_page_knows_where_captures_are() {
    let site = or_skip!(site());
    let read = |name: &str| -> Value { read_json(Path::new(site).join("explorer").join(name)) };
    let sql = "SELECT [min(capture_id)::VARCHAR, max(capture_id)::VARCHAR] AS ends, count(*) AS n FROM captures GROUP BY crawl ORDER BY ends";
    let rows = answer(Path::new(site), sql, &[]).unwrap();
    let dataset = read("dataset.json");
    let mut found = Vec::new();
    for part in dataset["parts"].as_array().unwrap() {
        let layout = &read(part["layout"].as_str().unwrap())["captures"];
        let group = &layout["groups"][0];
        found.push(json!({"ends": group["ends"], "n": group["rows"]}));
        assert_eq!(part["ends"], json!([group["ends"]]));
        for chunk in group["chunks"].as_array().unwrap() {
            let number = |at: usize| chunk[at].as_u64().unwrap();
            assert!(number(1) + number(2) <= layout["bytes"].as_u64().unwrap());
        }
    }
    found.sort_by_key(|row| row["ends"].to_string());
    assert_eq!(found, rows);
    assert_eq!(dataset["crawls"][1]["crawl"], "CC-MAIN-2025-08");
}

#[test]
fn a_page_of_someone_else_is_not_replaced() {
    let dir = Dir::new();
    let census = or_skip!(census(&dir, &[]));
    fs::write(Path::new(&census).join("index.html"), "mine").unwrap();
    publish(&[&census, "--site"]).refuse(&["index.html", "not as a publication wrote it"]);
}

#[test]
fn without_hosts_there_is_no_page() {
    let dir = Dir::new();
    let census = or_skip!(census(&dir, &[]));
    let public = dir.word("public");
    let words = ["--out", &public, "--without", "hosts", "--site"];
    publish(&[&census]).words(&words).refuse(&["hosts"]);
    assert!(!Path::new(&public).exists());
}

#[test]
fn a_missing_engine_is_one_sentence() {
    let dir = Dir::new();
    let census = or_skip!(census(&dir, &[]));
    let begin = "expected the npm package @duckdb/duckdb-wasm, version 1.32 or 1.33, as npm install @duckdb/duckdb-wasm leaves it in node_modules/@duckdb/duckdb-wasm, but";
    let engine = dir.word("engine");
    let publish = || publish(&[&census, "--site", "--engine", &engine]);
    publish().refuse(&[&format!("{engine}: {begin} found no duckdb-eh.wasm")]);
    dir.write("engine/dist/duckdb-eh.wasm", "");
    dir.write("engine/package.json", r#"{"version": "1.28.0"}"#);
    publish().refuse(&[&format!("{begin} found version \"1.28.0\"")]);
    assert!(!Path::new(&census).join("SHA256SUMS").exists());
}

/// A page that names no other server asks none; the policy in it forbids it as well.
#[test]
fn the_page_names_no_other_server() {
    let paths = ["html", "js", "css"].map(|end| files_with_end(&explorer(""), end));
    let paths = paths.concat();
    assert!(paths.len() >= 9, "{paths:?}");
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        for scheme in ["http://", "https://", "//cdn"] {
            let mut followed = text.split(scheme).skip(1);
            let is_named = followed.any(|rest| rest.starts_with(char::is_alphanumeric));
            assert!(!is_named, "{}", path.display());
        }
        for word in "innerHTML outerHTML insertAdjacentHTML eval( document.write".split(' ') {
            assert!(!text.contains(word), "{}: {word}", path.display());
        }
    }
    let page = fs::read_to_string(explorer("index.html")).unwrap();
    let policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'";
    assert_says(&page, policy);
    assert_says(&page, "connect-src 'self'");
}

#[test]
fn ten_thousand_verdicts_are_those_of_the_program() {
    let dir = Dir::new();
    let mut text = String::new();
    let mut n = 0;
    for (name, every) in [("google", 7), ("python", 5)] {
        let recorded = recording(name);
        let mut of_this = 0;
        for case in cases(&recorded).step_by(every) {
            let robots = Robots::parse(case.body.to_vec());
            for query in &case.queries {
                let utf8 = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
                let chain: Option<Vec<_>> = query.chain.iter().map(|token| utf8(token)).collect();
                let (Some(tokens), Some(url)) = (chain, utf8(&query.url)) else {
                    continue;
                };
                if of_this == QUESTIONS / 2 {
                    break;
                }
                of_this += 1;
                let answers = Dialect::BUILT_IN.map(|dialect| {
                    let decision = robots.decide(dialect, ProductTokens::new(&tokens), &url);
                    let verdict = decision.verdict.as_str();
                    let (basis, group) = (decision.basis.as_str(), decision.group_index);
                    json!([dialect.name, verdict, basis, group, decision.rule_line])
                });
                let robots = STANDARD.encode(&case.body);
                let line =
                    json!({"robots": robots, "tokens": tokens, "url": url, "answers": answers});
                writeln!(text, "{line}").unwrap();
            }
        }
        n += of_this;
    }
    assert_eq!(n, QUESTIONS);
    let file = dir.write("cases.jsonl", text);
    let wasm = explorer("parser.wasm");
    let found = or_skip!(node("verdicts.mjs", &[], &[wasm.to_str().unwrap(), &file]));
    assert_eq!(found["wrong"], json!([]));
    assert_eq!(found["compared"], n * Dialect::BUILT_IN.len());
    // One verdict that is not that of the program would be noticed.
    let text = fs::read_to_string(&file).unwrap();
    let line = text.lines().next().unwrap();
    let file = dir.write("wrong.jsonl", line.replacen("allow", "undefined", 1));
    let found = node("verdicts.mjs", &[], &[wasm.to_str().unwrap(), &file]).unwrap();
    assert_eq!(found["wrong"].as_array().map(Vec::len), Some(1));
}
