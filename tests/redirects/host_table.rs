//! The table `hosts`: its rows are those of a choice over all fetches in SQL.

use std::{fs, path::Path};

use robocensus::{
    Config, Progress, Summary,
    dataset::verify::{ViolationKind, verify},
    robots::{dialect::Dialect, matrix::read_agents},
    sample::random::Random,
};
use serde_json::Value;

use super::web::{Web, run_over};
use crate::util::{
    Census, Dir, TestCommand, answer, assert_begins, committed, duckdb, generated, or_skip,
    origin_of, read_json, shared, tally,
};

/// The rows that are missing and those that are wrong, by the definition of the table.
const DIFFERENCES: &str = include_str!("choice.sql");

/// Asserts that the table has the rows of its definition, those of a crawl by domain, host and
/// origin.
fn assert_is_the_choice(data: &Path) {
    or_skip!(duckdb());
    let differences = or_skip!(answer(data, DIFFERENCES, &[]));
    assert!(differences.is_empty(), "{data:?}: {differences:#?}");
    type Row = (Option<String>, Option<String>, String, String, Option<u16>);
    let columns = "crawl url_host_registered_domain url_host_name url_protocol url_port";
    let rows: Vec<Row> = Census(data.to_owned()).table("hosts").rows(columns);
    for of_crawl in rows.chunk_by(|(one, ..), (other, ..)| one == other) {
        let is_sorted = of_crawl.is_sorted_by_key(|(_, domain, host, protocol, port)| {
            let port = port.map_or(String::new(), |port| format!(":{port}"));
            let origin = origin_of(&format!("{protocol}://{host}{port}/"));
            (domain.as_ref().unwrap_or(host), host, origin)
        });
        assert!(is_sorted);
    }
}

#[test]
fn the_table_is_the_choice_over_made_up_crawls() {
    for made in [generated(), committed()] {
        let summary = &made.summary;
        assert_is_the_choice(&made.census.0);
        let table = made.census.table("hosts");
        let count = |name| tally(table.all_bools(name))[&true];
        assert_eq!(summary["origins"]["count"], table.n_rows());
        assert_eq!(summary["hosts"]["count"], count("is_primary"));
        assert_eq!(summary["domains"]["count"], count("is_primary_of_domain"));
    }
}

/// Hosts of every kind that is told apart.
const KINDS: &str = include_str!("kinds.txt");
/// What [`KINDS`] lacks: hosts without a registered domain, odd ports and schemes, several hosts of
/// a domain.
const MORE_KINDS: &str = include_str!("more-kinds.txt");

/// Runs over two crawls of all kinds of hosts, in parts of one archive each.
fn run_over_all_kinds(out: &Path, change: impl Fn(&mut Config)) -> Summary {
    let [earlier, later] = [KINDS, MORE_KINDS].map(Web::of);
    let archives = vec![
        earlier.archive_of("CC-MAIN-2025-05"),
        later.archive_of("CC-MAIN-2025-08"),
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
            config.dialects = dialects.map(|name| Dialect::named(name).unwrap()).into();
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
    assert!(tally(found.texts("url_host_registered_domain"))[&None] >= 4);
}

#[test]
fn the_table_is_the_choice_over_webs_at_random() {
    let dir = Dir::new();
    for seed in 0..8 {
        let mut random = Random::new(seed);
        let archives = ["a", "b", "c"].map(|name| {
            let fetches = (0..60).map(|_| {
                let url = at_random(&mut random);
                let second = random.below(20);
                match random.below(6) {
                    0..2 => format!("{second} {url} > {}\n", at_random(&mut random)),
                    2 => format!("{second} {url} shut\n"),
                    3 => format!("unknown {url} 200\n"),
                    _ => {
                        let status = [200, 304, 403, 404, 429, 500, 999][random.below(7)];
                        format!("{second} {url} {status}\n")
                    }
                }
            });
            Web::of(&fetches.collect::<String>()).archive(name)
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
    let end = ["", "", "", "?x", "/x"][random.below(5)];
    format!("{scheme}://{host}{port}/robots.txt{end}")
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
    assert_is_the_choice(&dir.path("census"));
    assert!(Census(dir.path("census")).table("hosts").n_rows() > 10_000);
}

#[test]
fn a_table_with_other_rows_than_origins_is_found() {
    let dir = Dir::new();
    let [whole, part] = ["whole", "part"].map(|name| dir.path(name));
    let web = |fetches| vec![Web::of(fetches).archive("a")];
    let both = "1 https://a.example open\n1 https://b.example open";
    run_over(&whole, web(both), |_| {});
    run_over(&part, web("1 https://a.example open"), |_| {});
    // The table of another dataset, with its list: each file is as the list says.
    let file = "hosts/part-hosts.parquet";
    fs::copy(part.join(file), whole.join(file)).unwrap();
    let list = |out: &Path| -> Value { read_json(out.join("_tables/hosts.json")) };
    let mut other = list(&part);
    other["parts"] = list(&whole)["parts"].clone();
    fs::write(whole.join("_tables/hosts.json"), other.to_string()).unwrap();
    let found = verify(&whole, &Progress::default()).unwrap().violations;
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].path, "_tables/hosts.json");
    assert_eq!(found[0].kind, ViolationKind::Accounting);
    let says = "expected 2 rows of hosts, one for each crawl and origin";
    assert_begins(&found[0].message, says);
}
