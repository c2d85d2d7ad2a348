//! The table `hosts`: its rows are those of a naive choice over all fetches in memory.

use std::{fs, path::Path};

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
    definition::{by_definition, rows},
    hosts::all_kinds,
    web::{Web, run_over},
};
use crate::util::{
    Census, Dir, Generated, TestCommand, answer, committed, generated, or_skip, shared,
};

/// Rows of the table that are not among the fetches, as the view of that name has them.
const DIFFERENCES: &str = "\
SELECT capture_id, fetch_capture_id, origin, crawl, fetch_time, fetch_status, end_status, access, has_robots_txt FROM crawl_hosts \
EXCEPT ALL \
SELECT capture_id, fetch_capture_id, origin, crawl, fetch_time, fetch_status, end_status, access, has_robots_txt FROM fetches";

/// Asserts that the table is the naive choice, and with a DuckDB that its rows are fetches.
fn assert_is_the_choice(data: &Path) {
    let census = Census(data.to_owned());
    let mut wanted = by_definition(&census);
    let mut found = rows(&census);
    // The order of crawls is that of their files; within a crawl the rows have an order.
    for rows in [&mut wanted, &mut found] {
        rows.sort_by_key(|row| row["crawl"].clone());
    }
    assert_eq!(found.len(), wanted.len(), "{}", data.display());
    for (found, wanted) in found.iter().zip(&wanted) {
        assert_eq!(found, wanted, "{}", data.display());
    }
    if let Some(differences) = answer(data, DIFFERENCES, &[]) {
        assert!(differences.is_empty(), "{differences:#?}");
    }
}

#[test]
fn the_table_is_the_choice_over_made_up_crawls() {
    for Generated {
        census, summary, ..
    } in [generated(), committed()]
    {
        assert_is_the_choice(&census.0);
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
fn the_table_is_the_choice_over_hosts_of_every_kind_under_every_dialect() {
    let dir = Dir::new();
    for dialect in ["google", "python", "baidu", "original-1994"] {
        let out = dir.path(dialect);
        let summary = run_over_all_kinds(&out, |config| {
            // The reference is not the only dialect, nor the last one by name.
            let dialects = [dialect, "rfc9309", "google-2019"];
            config.dialects = dialects.map(|name| dialect::builtin(name).unwrap()).into();
        });
        assert_eq!(summary.parts, 3);
        assert_is_the_choice(&out);
    }
    let out = dir.path("window");
    run_over_all_kinds(&out, |config| {
        config.redirect_window = std::time::Duration::from_secs(2);
    });
    assert_is_the_choice(&out);
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
fn the_table_is_the_choice_over_webs_at_random() {
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
        assert_is_the_choice(&out);
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
fn the_table_is_the_choice_over_the_corpus() {
    let corpus = or_skip!(shared("corpus"));
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
    assert_is_the_choice(&out);
    let verified = verify(&out, &Progress::default()).unwrap();
    assert!(verified.has_hosts && verified.violations.is_empty());
}

#[test]
fn a_crawl_that_is_added_leaves_the_files_of_others_as_they_are() {
    let dir = Dir::new();
    let archives = ["CC-MAIN-2025-05", "CC-MAIN-2025-08"].map(|crawl| {
        let mut web = Web::default();
        all_kinds(&mut web);
        let mut archive = web.archive("a");
        archive.name = format!("crawl-data/{crawl}/segments/1.2/robotstxt/a.warc");
        archive
    });
    let whole = dir.path("whole");
    run_over(&whole, archives.to_vec(), |_| {});
    let out = dir.path("census");
    let [earlier, later] = archives;
    run_over(&out, vec![earlier], |_| {});
    let path = |root: &Path, table: &str, crawl: &str| {
        root.join(format!("{table}/crawl={crawl}/part-{table}.parquet"))
    };
    let written = || {
        ["redirects", "hosts"].map(|table| {
            let file = fs::metadata(path(&out, table, "CC-MAIN-2025-05")).unwrap();
            file.modified().unwrap()
        })
    };
    let before = written();
    let joined = run_over(&out, vec![later], |config| config.mode = OpenMode::Join);
    assert_eq!(written(), before);
    let hosts = joined.redirects.unwrap().hosts.unwrap();
    assert_eq!(hosts.crawl.as_deref(), Some("CC-MAIN-2025-08"));
    for table in ["redirects", "hosts"] {
        for crawl in ["CC-MAIN-2025-05", "CC-MAIN-2025-08"] {
            let [found, wanted] = [&out, &whole].map(|root| fs::read(path(root, table, crawl)));
            assert!(found.unwrap() == wanted.unwrap(), "{table} of {crawl}");
        }
    }
    // A file with other bytes is written again.
    let damaged = path(&out, "hosts", "CC-MAIN-2025-05");
    fs::write(&damaged, "no Parquet").unwrap();
    finish(&out, &Progress::default()).unwrap();
    let wanted = fs::read(path(&whole, "hosts", "CC-MAIN-2025-05")).unwrap();
    assert!(fs::read(&damaged).unwrap() == wanted);
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
    let says = "expected 2 rows of hosts, one for each crawl and origin";
    assert!(finding.message.starts_with(says), "{}", finding.message);
}
