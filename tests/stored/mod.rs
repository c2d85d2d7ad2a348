//! `robocensus check --data`: captures found by host and identifier, and what their fetches mean.

mod archives;

use std::{fs, path::Path};

use robocensus::{
    Dialect, Progress,
    archive::input,
    compare::{CompareConfig, CompareInput, SideConfig, compare},
    dataset::lookup::{CaptureSelector, CaptureStore, FoundCapture},
    robots::dialect::{Access, NAMES},
};
use serde_json::Value;

use crate::{
    redirects::web::Web,
    util::{
        Census, Dir, TestCommand, answer, assert_begins, assert_says, committed, generated, gzip,
        or_skip, response, run,
    },
};

const BODY: &str = "User-agent: GPTBot\nDisallow: /private\n\nUser-agent: *\nDisallow: /x\n";

/// A dataset made of archives in a folder `crawl`.
struct Crawl(Dir);

impl Crawl {
    fn of(archives: &[(&str, &[u8])]) -> Crawl {
        Crawl::with(archives, &[])
    }

    fn with(archives: &[(&str, &[u8])], words: &[&str]) -> Crawl {
        let dir = Dir::new();
        for (name, bytes) in archives {
            dir.write(&format!("crawl/{name}"), bytes);
        }
        run(&[&dir.word("crawl"), "--out", &dir.word("census"), "--quiet"])
            .words(words)
            .end();
        Crawl(dir)
    }

    /// Returns `check` on the dataset and the folder of its archives.
    fn check(&self, words: &str) -> TestCommand {
        self.check_in("crawl", words)
    }

    /// Returns what it prints.
    fn said(&self, words: &str) -> String {
        self.check(words).succeed().stdout
    }

    fn check_in(&self, archives: &str, words: &str) -> TestCommand {
        check(&self.0, "census", archives, words)
    }

    /// Asserts that it prints texts, the first of them at its beginning.
    #[track_caller]
    fn assert_said(&self, words: &str, begin: &str, parts: &[&str]) {
        let text = self.said(words);
        assert_begins(&text, begin);
        for part in parts {
            assert_says(&text, part);
        }
    }

    fn rewrite(&self, archive: &str, change: impl FnOnce(&mut Vec<u8>)) {
        let path = self.0.path(&format!("crawl/{archive}"));
        let mut bytes = fs::read(&path).unwrap();
        change(&mut bytes);
        fs::write(path, bytes).unwrap();
    }
}

/// Returns `check` on a dataset of a folder and on archives of it.
fn check(dir: &Dir, data: &str, archives: &str, words: &str) -> TestCommand {
    let words: Vec<_> = words.split(' ').filter(|word| !word.is_empty()).collect();
    let (data, archives) = (dir.word(data), dir.word(archives));
    TestCommand::new(["check", "--data", &data, "--archives", &archives]).words(&words)
}

fn found(data: &Path, id: i64) -> FoundCapture {
    let store = CaptureStore::open(data).unwrap();
    store.find(&CaptureSelector::Id(id), &[]).unwrap()
}

#[test]
fn a_host_is_answered_with_where_that_comes_from() {
    let archive = gzip(&response("https://a.example/robots.txt", BODY));
    let crawl = Crawl::of(&[("b/1.warc.gz", &archive)]);
    let text = crawl.said("--host A.Example --agent GPTBot --url /private/1");
    for part in [
        "verdict   disallow\n",
        "agent     GPTBot\n",
        "url       https://a.example/private/1\n",
        ": https://a.example/robots.txt, fetched 2026-01-02T03:04:05Z, status 200\n",
        &format!("1.warc.gz, offset 0, {} bytes\n", archive.len()),
        "access    status 200: conditional\n",
        "group     lines 1-2, names the agent\n",
        "       2 | Disallow: /private\n",
    ] {
        assert_says(&text, part);
    }
    assert!(!text.contains("scope  "), "{text}");
    let said: Value = crawl.check("--host a.example --json").json();
    assert_eq!(said["agents"][0], "*");
    assert_eq!(said["url"], "https://a.example/");
    assert_eq!(said["answers"][0]["verdict"], "allow");
    assert_eq!(said["capture"]["warc_filename"], "b/1.warc.gz");
    assert_eq!(said["capture"]["fetch_time"], "2026-01-02T03:04:05Z");
    assert_eq!(said["capture"]["body"]["bytes"], BODY.len());
    let id = said["capture"]["capture_id"].to_string();
    let by_id: Value = crawl.check(&format!("--capture {id} --json")).json();
    assert_eq!(by_id, said);
    assert_eq!(crawl.said("--host a.example --body"), BODY);
    let text = crawl.said("--host a.example --url https://b.example/x");
    assert_says(&text, "basis     out_of_scope");
}

#[test]
fn of_several_origins_and_fetches_the_one_that_counts_is_taken() {
    let web = Web::of(
        "\
1 http://a.example /http
2 https://a.example /old
3 https://a.example /new
4 https://a.example 503
5 https://a.example:8443 /port
1 https://b.example 404
1 http://b.example /http",
    );
    let crawl = Crawl::of(&[("robotstxt/a.warc", &web.records)]);
    for (host, path) in [
        ("a.example", "/new"),
        ("http://a.example", "/http"),
        ("https://a.example:8443", "/port"),
        ("b.example", "/http"),
    ] {
        let ran = crawl.check(&format!("--host {host} --url {path} --exit-code"));
        assert_begins(&ran.end_with(1).stdout, "verdict   disallow\n");
    }
    let text = crawl.said("--host a.example");
    let (_, others) = text.split_once("others    ").unwrap();
    let others = others.lines().next().unwrap();
    assert_begins(others, "https://a.example:8443 (capture ");
    assert_says(others, ", http://a.example:80 (capture ");
}

#[test]
fn the_fetch_decides_without_an_archive() {
    let web = Web::of(
        "\
1 https://gone.example 404
1 https://down.example 503
1 https://away.example > https://absent.example/robots.txt
1 https://loop.example > https://loop.example/robots.txt",
    );
    let crawl = Crawl::of(&[("robotstxt/a.warc", &web.records)]);
    fs::remove_dir_all(crawl.0.path("crawl")).unwrap();
    for (host, verdict, access) in [
        ("gone.example", "allow", "status 404: full_allow"),
        ("down.example", "disallow", "status 503: full_disallow"),
        ("away.example", "undefined", "status 301: redirect"),
        ("loop.example", "allow", "too many redirects: full_allow"),
    ] {
        let text = crawl.said(&format!("--host {host}"));
        assert_begins(&text, &format!("verdict   {verdict}\n"));
        assert_says(&text, &format!("access    {access}\n"));
        assert!(!text.contains("archive  "), "{text}");
    }
    let text = crawl.said("--host down.example --dialect all");
    assert!(text.contains("  access"), "{text}");
}

#[test]
fn redirects_are_followed_as_far_as_the_dialect_does() {
    let mut web = Web::of(
        "\
1 http://a.example > https://a.example/robots.txt
2 https://a.example > https://www.a.example/robots.txt
4 https://old.example > /moved",
    );
    web.file(3, "https://www.a.example/robots.txt", BODY);
    let crawl = Crawl::of(&[("robotstxt/a.warc", &web.records)]);
    let of_a = "--host http://a.example --url /x";
    let parts = [
        "url       http://a.example/x\n",
        "redirect  resolved, 2 hops to ",
        ": https://www.a.example/robots.txt, fetched",
    ];
    crawl.assert_said(of_a, "verdict   disallow\n", &parts);
    for (answer, access) in [
        ("max_hops = 1", "too many redirects: full_allow"),
        ("redirect = \"full_disallow\"", "status 301: full_disallow"),
    ] {
        let text = format!("base = \"google\"\n[access]\n{answer}\n");
        let dialect = crawl.0.write("own.toml", text);
        let text = crawl.said(&format!("{of_a} --dialect {dialect}"));
        assert_says(&text, &format!("access    {access}\n"));
    }
    let text = crawl.said("--host old.example");
    assert_says(&text, "redirect  not_in_corpus, ");
    assert_eq!(crawl.said("--host http://a.example --body"), BODY);
    fs::remove_file(crawl.0.path("census/_tables/redirects.json")).unwrap();
    let unknown = "redirect  unknown: the dataset has no table redirects";
    crawl.assert_said(of_a, "verdict   undefined\n", &[unknown]);
}

#[test]
fn words_that_name_no_capture_are_refused() {
    let archive = gzip(&response("https://a.example/robots.txt", BODY));
    let crawl = Crawl::of(&[("a.warc.gz", &archive)]);
    for refused in "\
--host b.example | no capture of the robots.txt of b.example
--host http://a.example | of http://a.example:80
--host a.example:8443 | expected a host such as example.com
--host a.example/robots.txt | found \"a.example/robots.txt\"
--host // | expected a host
--capture 7 | there is no capture 7
--capture -7 | there is no capture -7"
        .lines()
    {
        let (words, says) = refused.split_once(" | ").unwrap();
        crawl.check(words).refuse(&[says]);
    }
    for words in [
        "--capture x",
        "",
        "--host a.example --capture 7",
        "--host a.example --status 200",
        "--host a.example --cases -",
        "--host a.example --robots-url /",
        "--host a.example robots.txt",
        "--host a.example --body --json",
    ] {
        let ran = crawl.check(words).end_with(2);
        assert_eq!(ran.stdout, "", "{words}");
        assert_says(&ran.stderr, "error: ");
    }
    let no_data = check(&crawl.0, "crawl", "crawl", "--host a.example");
    no_data.refuse(&["expected the folder of a dataset"]);
    // What a later part has is not in the table hosts yet.
    let later = gzip(&response("https://b.example/robots.txt", BODY));
    let later = crawl.0.write("b.warc.gz", later);
    let census = crawl.0.word("census");
    run(&[&later, "--out", &census, "--join", "--no-finish"]).succeed();
    crawl
        .check("--host b.example")
        .refuse(&["robocensus finish rebuilds it"]);
    TestCommand::new(["finish", "--quiet", &census]).succeed();
    check(&crawl.0, "census", "b.warc.gz", "--host b.example").succeed();
}

#[test]
fn a_capture_of_a_comparison_is_found_by_host_and_identifier() {
    let flips = "User-agent: *\nDisallow: /*.pdf\n";
    let records = [
        response("https://same.example/robots.txt", ""),
        response("https://a.example/robots.txt", flips),
        response("https://b.example/robots.txt", format!("# 1\n{flips}")),
        response("https://b.example:8443/robots.txt", format!("# 2\n{flips}")),
    ];
    let dir = Dir::new();
    dir.write("crawl/1.warc.gz", gzip(&records.concat()));
    let sides = [Dialect::GOOGLE, Dialect::ORIGINAL_1994];
    let [baseline, candidate] = sides.map(|dialect| SideConfig::Dialect(Box::new(dialect)));
    let config = CompareConfig::new(dir.path("flips"), baseline, candidate);
    let archives = input::expand(&[dir.word("crawl")]).unwrap();
    let input = CompareInput::Archives(&archives);
    compare(&config, input, &Progress::default()).unwrap();
    let rows = Census(dir.path("flips")).table("flips");
    let rows: Vec<(i64, String)> = rows.rows("capture_id url_host_name");
    let check = |words: &str| check(&dir, "flips", "crawl", words);
    let text = check("--host a.example --url /x.pdf").succeed().stdout;
    assert_begins(&text, "verdict   disallow\n");
    assert_says(&text, ": https://a.example/robots.txt, fetched 2026-01-02");
    assert_eq!(check("--host a.example --body").succeed().stdout, flips);
    for (id, host) in &rows {
        let text = check(&format!("--capture {id}")).succeed().stdout;
        assert_says(&text, &format!("{id}: https://{host}"));
    }
    let last = rows.last().unwrap().0.to_string();
    check("--host b.example").refuse(&["has 2", &last]);
    check("--host same.example").refuse(&["same.example has none"]);
    check("--capture 5").refuse(&["there is no capture 5"]);
    dir.write("crawl/1.warc.gz", gzip(&records[..1].concat()));
    let says = "crawl/1.warc.gz: offset 0: expected a response of a.example";
    check("--host a.example").refuse(&[says]);
}

/// One row for each host: the capture that counts.
const PRIMARY: &str =
    "SELECT url_host_name, fetch_capture_id FROM hosts WHERE is_primary ORDER BY ALL";

#[test]
fn the_capture_of_a_host_is_that_of_the_view_hosts() {
    for (made, step) in [(generated(), 7), (committed(), 11)] {
        let data = &made.census.0;
        let rows = or_skip!(answer(data, PRIMARY, &[]));
        let store = CaptureStore::open(data).unwrap();
        for row in rows.iter().step_by(step) {
            let host = row["url_host_name"].as_str().unwrap().to_owned();
            let found = store.find(&CaptureSelector::Host(host), &[]).unwrap();
            assert_eq!(row["fetch_capture_id"], found.capture.id, "{row}");
        }
    }
}

#[test]
fn a_redirect_ends_as_the_view_of_effective_captures_says() {
    let dir = Dir::new();
    let archive = generated().archive.to_str().unwrap();
    let data = dir.path("census");
    run(&[archive, "--out", &dir.word("census"), "--quiet"])
        .words(&["--dialects", &NAMES.join(",")])
        .end();
    let sql = "SELECT capture_id, dialect, redirect_access, effective_capture_id \
               FROM effective_captures WHERE redirect_outcome IS NOT NULL ORDER BY ALL";
    let rows = or_skip!(answer(&data, sql, &[]));
    let mut n_ends = 0;
    for row in rows.iter().step_by(3) {
        let dialect = &Dialect::named(row["dialect"].as_str().unwrap()).unwrap();
        let found = found(&data, row["capture_id"].as_i64().unwrap());
        let end = found.end(dialect);
        if row["redirect_access"].is_null() {
            assert_eq!(row["effective_capture_id"], end.capture.id);
            n_ends += 1;
        } else {
            let access = match dialect.access.decide(end.outcome) {
                Access::Redirect => "undefined",
                other => other.as_str(),
            };
            assert_eq!(row["redirect_access"], access, "{row}");
        }
    }
    assert!(n_ends > 20, "{n_ends}");
}
