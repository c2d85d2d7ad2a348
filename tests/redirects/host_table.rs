//! The table `hosts`: its rows are those of the view of that name, and those of a naive choice over
//! all fetches in memory.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
    fs,
    path::{Path, PathBuf},
};

use robocensus::{
    Config, Progress, Summary,
    dataset::{
        sink::OpenMode,
        verify::{Violation, ViolationKind, verify},
    },
    finish,
    robots::{dialect, matrix::read_agents},
    sample::random::Random,
};
use serde_json::Value;

use super::{
    hosts::all_kinds,
    web::{Web, run_over},
};
use crate::util::{
    Census, Dir, Generated, Held, TestCommand, answer, committed, files_below, generated, package,
    shared,
};

/// Rows that the table or the view has and the other has not; `table_of` is a macro of the views.
const DIFFERENCES: &str = "\
WITH of_table AS (FROM table_of(getvariable('data'), 'hosts')), of_view AS (FROM hosts), \
more AS (FROM of_table EXCEPT ALL FROM of_view), fewer AS (FROM of_view EXCEPT ALL FROM of_table) \
SELECT 'table' AS only_in, * FROM more UNION ALL SELECT 'view', * FROM fewer";

/// Asserts that the table is the view, names and order of the columns included, and that both are
/// the naive choice. Without a DuckDB only the latter.
fn assert_is_the_view(data: &Path) {
    let census = Census(data.to_owned());
    let wanted = by_definition(&census);
    let found = rows(&census);
    assert_eq!(found.len(), wanted.len(), "{}", data.display());
    for (found, wanted) in found.iter().zip(&wanted) {
        assert_eq!(found, wanted, "{}", data.display());
    }
    let Some(differences) = answer(data, DIFFERENCES, &[]) else {
        return;
    };
    assert!(differences.is_empty(), "{differences:#?}");
    let columns = |sql: &str| {
        let rows = answer(data, sql, &[]).unwrap_or_default();
        let column = |row: Value| [&row["column_name"], &row["column_type"]].map(Value::to_string);
        rows.into_iter().map(column).collect::<Vec<_>>()
    };
    let of_view = columns("DESCRIBE FROM hosts");
    assert_eq!(of_view.len(), 25);
    assert_eq!(
        columns("DESCRIBE FROM table_of(getvariable('data'), 'hosts')"),
        of_view
    );
}

/// The rows of a table as texts, by column.
fn shown(census: &Census, table: &str) -> Vec<BTreeMap<String, String>> {
    if !census.0.join(table).is_dir() {
        return Vec::new();
    }
    let table = census.table(table);
    let mut rows = vec![BTreeMap::new(); table.n_rows()];
    for name in table.names() {
        for (row, value) in rows.iter_mut().zip(table.shown(&name)) {
            row.insert(name.clone(), value);
        }
    }
    rows
}

fn rows(census: &Census) -> Vec<BTreeMap<String, String>> {
    shown(census, "hosts")
}

/// Returns a text, or a number, of a value that is not NULL.
fn inner(value: &str) -> &str {
    let inner = value.strip_prefix("Some(").unwrap_or_default();
    inner.trim_end_matches(')').trim_matches('"')
}

fn number(value: &str) -> Option<i64> {
    inner(value).parse().ok()
}

/// Returns the rows that the table must have, in their order: every fetch with its end, the fetch
/// that counts for each origin, then the primary ones, each by sorting all of its kind.
fn by_definition(census: &Census) -> Vec<BTreeMap<String, String>> {
    const NULL: &str = "None";
    let captures = shown(census, "captures");
    let dialects = shown(census, "dialects");
    let is_reference = |row: &&BTreeMap<_, _>| row["dialect_index"] == "Some(0)";
    let reference = &dialects.iter().find(is_reference).unwrap()["dialect"];
    let redirects = shown(census, "redirects");
    let redirects: HashMap<_, _> = redirects
        .iter()
        .filter(|row| row["dialect"] == *reference)
        .map(|row| (&row["capture_id"], row))
        .collect();
    let by_id: HashMap<_, _> = captures
        .iter()
        .map(|row| (&row["capture_id"], row))
        .collect();
    let mut by_origin: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for capture in &captures {
        if inner(&capture["url_path"]) != "/robots.txt" || capture["url_query"] != NULL {
            continue;
        }
        let mut row: BTreeMap<String, String> = [
            "capture_id",
            "origin",
            "url_host_name",
            "url_host_tld",
            "url_host_registered_domain",
            "url_protocol",
            "url_port",
            "crawl",
            "fetch_time",
            "fetch_status",
        ]
        .map(|name| (name.to_owned(), capture[name].clone()))
        .into();
        let chain = redirects.get(&capture["capture_id"]);
        let of_chain = |name: &str| chain.map_or(NULL, |chain| chain[name].as_str());
        let outcome = inner(of_chain("outcome"));
        row.insert("fetch_capture_id".to_owned(), capture["capture_id"].clone());
        let end = match outcome {
            "" | "not_followed" => Some(capture),
            _ => by_id
                .get(&of_chain("effective_capture_id").to_owned())
                .copied(),
        };
        let of_end = |name: &str| end.map_or(NULL, |end| end[name].as_str());
        let status = number(of_end("fetch_status"));
        let (access, is_answer) = match of_chain("access") {
            NULL => (
                match inner(of_end("access")) {
                    "" | "redirect" => "Some(\"undefined\")",
                    _ => of_end("access"),
                },
                status.is_some_and(|status| matches!(status / 100, 2 | 4) && status != 429),
            ),
            access => (
                access,
                !["not_in_corpus", "not_modified"].contains(&outcome),
            ),
        };
        let domain = match capture["url_host_registered_domain"].as_str() {
            NULL => &capture["url_host_name"],
            registered => registered,
        };
        let is_html = match of_end("is_html") {
            NULL => "Some(false)",
            is_html => is_html,
        };
        let has_robots_txt = match of_end("is_robots_txt") {
            NULL => "Some(false)",
            is_robots_txt => is_robots_txt,
        };
        let applies = end.unwrap_or(capture);
        for (name, value) in [
            ("capture_id", applies["capture_id"].as_str()),
            ("redirect_outcome", of_chain("outcome")),
            ("redirect_hops", of_chain("hops")),
            ("end_status", of_end("fetch_status")),
            ("end_host_name", of_end("url_host_name")),
            ("end_content_digest", of_end("content_digest")),
            ("end_semantic_digest", of_end("semantic_digest")),
            ("end_is_html", is_html),
            ("has_robots_txt", has_robots_txt),
            ("redirect_seconds_apart", of_chain("seconds_apart")),
            ("access", access),
            ("is_answer", &format!("Some({is_answer})")),
            ("domain", domain),
        ] {
            row.insert(name.to_owned(), value.to_owned());
        }
        let counts = (
            is_answer,
            number(&row["fetch_time"]),
            number(&row["fetch_capture_id"]),
        );
        let origin = inner(&row["origin"]).to_owned();
        by_origin.entry(origin).or_default().push((counts, row));
    }
    let mut rows: Vec<_> = by_origin
        .into_values()
        .filter_map(|fetches| fetches.into_iter().max_by_key(|(counts, _)| *counts))
        .map(|(_, row)| row)
        .collect();
    rows.sort_by_key(|row| {
        ["domain", "url_host_name", "origin"].map(|name| inner(&row[name]).to_owned())
    });
    let has_file = |row: &BTreeMap<String, String>| row["has_robots_txt"] == "Some(true)";
    mark(&mut rows, "url_host_name", "is_primary", |_, row| {
        let protocol = inner(&row["url_protocol"]);
        let port = match (number(&row["url_port"]), protocol) {
            (None, _) | (Some(443), "https") | (Some(80), "http") => 0,
            (Some(_), "https" | "http") => 1,
            _ => 2,
        };
        let origin = inner(&row["origin"]).to_owned();
        (!has_file(row), protocol != "https", port, origin)
    });
    mark(
        &mut rows,
        "domain",
        "is_primary_of_domain",
        |domain, row| {
            let host = inner(&row["url_host_name"]);
            (
                Reverse(row["is_primary"] == "Some(true)"),
                !has_file(row),
                host != domain,
                host != format!("www.{domain}"),
                host.len(),
                host.to_owned(),
            )
        },
    );
    rows
}

/// Sets a column to true for the smallest of all rows with the same value in another.
fn mark<K: Ord>(
    rows: &mut [BTreeMap<String, String>],
    of: &str,
    column: &str,
    rank: impl Fn(&str, &BTreeMap<String, String>) -> K,
) {
    let mut first: BTreeMap<String, (K, usize)> = BTreeMap::new();
    for (index, row) in rows.iter().enumerate() {
        let name = inner(&row[of]).to_owned();
        let rank = rank(&name, row);
        match first.get(&name) {
            Some((best, _)) if *best <= rank => {}
            _ => drop(first.insert(name, (rank, index))),
        }
    }
    for (index, row) in rows.iter_mut().enumerate() {
        let is_first = first.values().any(|(_, first)| *first == index);
        row.insert(column.to_owned(), format!("Some({is_first})"));
    }
}

#[test]
fn the_table_is_the_view_over_made_up_crawls() {
    for Generated {
        census, summary, ..
    } in [generated(), committed()]
    {
        assert_is_the_view(&census.0);
        let table = census.table("hosts");
        let count = |name: &str| {
            let flags = table.all_bools(name).into_iter();
            flags.filter(|flag| *flag).count()
        };
        assert_eq!(summary["origins"]["count"], table.n_rows());
        assert_eq!(summary["hosts"]["count"], count("is_primary"));
        assert_eq!(summary["domains"]["count"], count("is_primary_of_domain"));
    }
}

/// Adds what [`all_kinds`] lacks: hosts without a registered domain, odd ports and schemes, several
/// hosts of a domain.
fn more_kinds(web: &mut Web) {
    let file = "User-agent: *\nDisallow: /\n";
    for (second, url) in [
        "http://192.0.2.1",
        "https://192.0.2.1:8443",
        "http://[2001:db8::1]",
        "http://co.uk",
        "http://localhost",
        "ftp://odd.example:2121",
        "ftp://odd.example",
        "http://odd.example:8080",
        "gopher://mixed.example:70",
        "http://mixed.example:8080",
        "https://a.shop.co.uk",
        "https://b.shop.co.uk",
        "https://bb.shop.co.uk",
        "https://long.name.owner.example",
        "https://www.owner.example",
        "https://b.pair.example",
        "https://a.pair.example",
    ]
    .into_iter()
    .enumerate()
    {
        web.file(second as u32, &format!("{url}/robots.txt"), file);
    }
    // The bare domain has no file, and www is fetched at two ports.
    web.fetch(1, "https://owner.example/robots.txt", 404, "");
    web.file(2, "https://www.owner.example:8443/robots.txt", file);
    // Of two fetches at the same time the one of the greater key counts.
    for status in [404, 200, 410] {
        web.fetch(7, "https://ties.example/robots.txt", status, "");
        web.fetch_at("never", "https://untimed.example/robots.txt", status, "");
    }
    // Statuses that are none, and files that look like pages.
    web.fetch(3, "https://odd-status.example/robots.txt", 999, "");
    web.file(3, "https://page.example/robots.txt", "<!doctype html><p>");
    web.redirect(
        4,
        "http://to-page.example/robots.txt",
        "https://page.example/robots.txt",
    );
    // The target is fetched long after the redirect.
    web.redirect(4, "http://early.example/robots.txt", "http://late.example/");
    web.file(40, "http://late.example/", file);
    // The end of the redirects is no robots.txt.
    web.redirect(
        5,
        "http://aside.example/robots.txt",
        "http://other.example/x?y",
    );
    web.file(6, "http://other.example/x?y", file);
}

/// Runs over two crawls of all kinds of hosts, in parts of one archive each.
fn run_over_all_kinds(out: &Path, change: impl Fn(&mut Config)) -> Summary {
    let [mut earlier, mut later] = [Web::default(), Web::default()];
    all_kinds(&mut earlier);
    more_kinds(&mut later);
    later.fetch(40, "https://ports.example/robots.txt", 503, "");
    later.redirect(41, "https://newer.example/robots.txt", "/moved");
    let named = |web: &Web, crawl: &str| {
        let mut archive = web.archive("a");
        archive.name = format!("crawl-data/{crawl}/segments/1.2/robotstxt/a.warc");
        archive
    };
    let archives = vec![
        named(&earlier, "CC-MAIN-2025-05"),
        named(&later, "CC-MAIN-2025-08"),
        later.archive("of-no-crawl"),
    ];
    run_over(out, archives, change)
}

#[test]
fn the_table_is_the_view_over_hosts_of_every_kind_under_every_dialect() {
    let dir = Dir::new();
    for dialect in ["google", "python", "baidu", "original-1994"] {
        let out = dir.path(dialect);
        let summary = run_over_all_kinds(&out, |config| {
            // The reference is not the only dialect, nor the last one by name.
            let dialects = [dialect, "rfc9309", "google-2019"];
            config.dialects = dialects.map(|name| dialect::builtin(name).unwrap()).into();
        });
        assert_eq!(summary.parts, 3);
        assert_is_the_view(&out);
    }
    let out = dir.path("window");
    run_over_all_kinds(&out, |config| {
        config.redirect_window = std::time::Duration::from_secs(2);
    });
    assert_is_the_view(&out);
    let found = Census(out).table("hosts");
    let outcomes = found.texts("redirect_outcome");
    for outcome in ["resolved", "loop", "not_in_corpus"] {
        assert!(outcomes.contains(&Some(outcome.to_owned())), "{outcome}");
    }
    let n_without_domain = found.texts("url_host_registered_domain");
    let n_without_domain = n_without_domain.iter().filter(|domain| domain.is_none());
    assert!(n_without_domain.count() >= 4);
}

#[test]
fn the_table_is_the_view_over_webs_at_random() {
    let dir = Dir::new();
    for seed in 0..8 {
        let mut random = Random::new(seed);
        let archives = ["a", "b", "c"].map(|name| {
            let mut web = Web::default();
            for _ in 0..60 {
                let url = at_random(&mut random);
                let second = random.below(20) as u32;
                match random.below(6) {
                    0..2 => web.redirect(second, &url, &at_random(&mut random)),
                    2 => web.file(second, &url, "User-agent: *\nDisallow: /\n"),
                    3 => web.fetch_at("unknown", &url, 200, ""),
                    _ => {
                        let status = [200, 304, 403, 404, 429, 500, 999][random.below(7)];
                        web.fetch(second, &url, status, "")
                    }
                };
            }
            web.archive(name)
        });
        let out = dir.path(&seed.to_string());
        run_over(&out, archives.into(), |config| {
            config.matrix.agents = read_agents("*\n", &mut |_| {}).unwrap();
        });
        assert_is_the_view(&out);
    }
}

/// Returns a URL of few domains, so that hosts have several origins and origins several fetches.
fn at_random(random: &mut Random) -> String {
    let scheme = ["http", "https", "https"][random.below(3)];
    let host = ["", "www.", "a.", "bb.", "b."][random.below(5)];
    let domain = ["a.example", "b.example", "c.co.uk", "192.0.2.7"][random.below(4)];
    let host = match domain {
        "192.0.2.7" => domain.to_owned(),
        _ => format!("{host}{domain}"),
    };
    let port = ["", "", ":80", ":443", ":8080"][random.below(5)];
    let path = [
        "robots.txt",
        "robots.txt",
        "robots.txt",
        "robots.txt?x",
        "x",
    ][random.below(5)];
    format!("{scheme}://{host}{port}/{path}")
}

#[test]
fn the_table_is_the_view_over_archives_of_every_form() {
    let mut archives: Vec<PathBuf> = ["archives", "damaged"]
        .iter()
        .flat_map(|name| files_below(&package().join("data-sample").join(name)))
        .collect();
    archives.extend(
        shared("quirks")
            .iter()
            .flat_map(|quirks| files_below(quirks)),
    );
    let is_archive = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap();
        let is_small = fs::metadata(path).unwrap().len() < 1 << 20;
        is_small && name.contains(".warc") && !name.ends_with(".json")
    };
    archives.retain(is_archive);
    assert!(archives.len() >= 5);
    let held = archives.iter().map(|path| {
        let name = path.file_name().unwrap().to_str().unwrap();
        Held::new(name, fs::read(path).unwrap())
    });
    let dir = Dir::new();
    let out = dir.path("census");
    run_over(&out, held.collect(), |config| {
        config.matrix.agents = read_agents("*\n", &mut |_| {}).unwrap();
        config.part_bytes = 100_000;
    });
    assert_is_the_view(&out);
}

#[test]
fn the_table_is_the_view_over_the_corpus() {
    let Some(corpus) = shared("corpus") else {
        return;
    };
    let dir = Dir::new();
    let out = dir.word("census");
    let agents = dir.write("agents.txt", "*\n");
    TestCommand::new(["run", corpus.to_str().unwrap(), "--out", &out])
        .words(&["--agents", &agents, "--quiet"])
        .end();
    if let Some(differences) = answer(&dir.path("census"), DIFFERENCES, &[]) {
        assert!(differences.is_empty(), "{differences:#?}");
    }
    assert!(Census(dir.path("census")).table("hosts").n_rows() > 10_000);
}

#[test]
fn the_table_is_built_with_the_redirects_and_is_stale_with_them() {
    let dir = Dir::new();
    let out = dir.path("census");
    let run_files = |names: &[&str], change: &dyn Fn(&mut Config)| {
        let archives = names.iter().map(|name| {
            let mut web = Web::default();
            web.page(1, &format!("https://{name}.example/robots.txt"));
            web.archive(name)
        });
        run_over(&out, archives.collect(), change)
    };
    let without: &dyn Fn(&mut Config) = &|config| config.finish = false;
    run_files(&["a", "b"], without);
    assert!(!out.join("hosts").exists());
    let said = TestCommand::new(["verify"])
        .words(&[dir.word("census")])
        .succeed();
    let missing = "; without redirects, hosts, which robocensus finish builds";
    assert!(said.stdout.trim_end().ends_with(missing), "{}", said.stdout);
    let made = TestCommand::new(["finish"])
        .words(&[dir.word("census")])
        .succeed();
    let wanted = "Hosts of the whole dataset\n  origins      2";
    assert!(made.stdout.contains(wanted), "{}", made.stdout);
    let hosts = || {
        Census(out.clone())
            .table("hosts")
            .all_texts("url_host_name")
    };
    assert_eq!(hosts(), ["a.example", "b.example"]);
    let joined = run_files(&["c"], &|config| {
        (config.mode, config.finish) = (OpenMode::Join, false);
    });
    assert_eq!(joined.dataset.parts_of_hosts, Some(2));
    assert_eq!(joined.to_json()["dataset"]["parts_of_hosts"], 2);
    let found = verify(&out, &Progress::default()).unwrap().violations;
    let is_stale = |finding: &&Violation| {
        finding.kind == ViolationKind::Stale
            && finding
                .message
                .contains("the table hosts was built from 2 of 3 parts")
    };
    assert_eq!(found.iter().filter(is_stale).count(), 1, "{found:?}");
    assert_eq!(hosts().len(), 2);
    let resolved = finish(&out, &Progress::default())
        .unwrap()
        .redirects
        .unwrap();
    let counted = resolved.hosts.unwrap();
    assert_eq!((counted.origins, counted.domains), (3, 3));
    assert_eq!(hosts(), ["a.example", "b.example", "c.example"]);
    assert_is_the_view(&out);
    let verified = verify(&out, &Progress::default()).unwrap();
    assert!(verified.has_hosts && verified.violations.is_empty());
}

#[test]
fn a_table_with_other_rows_than_origins_is_found() {
    let dir = Dir::new();
    let [whole, part] = ["whole", "part"].map(|name| dir.path(name));
    let web = |hosts: &[&str]| {
        let mut web = Web::default();
        for host in hosts {
            web.page(1, &format!("https://{host}.example/robots.txt"));
        }
        vec![web.archive("a")]
    };
    run_over(&whole, web(&["a", "b"]), |_| {});
    run_over(&part, web(&["a"]), |_| {});
    // The table of another dataset, with its list: each file is as the list says.
    let file = "hosts/part-hosts.parquet";
    fs::copy(part.join(file), whole.join(file)).unwrap();
    let list = |out: &Path| -> Value {
        let text = fs::read_to_string(out.join("_tables/hosts.json")).unwrap();
        serde_json::from_str(&text).unwrap()
    };
    let mut other = list(&part);
    other["parts"] = list(&whole)["parts"].clone();
    fs::write(whole.join("_tables/hosts.json"), other.to_string()).unwrap();
    let found = verify(&whole, &Progress::default()).unwrap().violations;
    let [finding] = found.as_slice() else {
        panic!("{found:?}");
    };
    assert_eq!(finding.path, "_tables/hosts.json");
    assert_eq!(finding.kind, ViolationKind::Accounting);
    let says = "expected 2 rows of hosts, one for each origin";
    assert!(finding.message.starts_with(says), "{}", finding.message);
}
