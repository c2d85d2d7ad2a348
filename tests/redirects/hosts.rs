//! The hosts of the summary, which are those of the view `hosts`.

use std::path::Path;

use robocensus::{
    Config, Summary,
    dataset::{sink::OpenMode, summary::Hosts},
};
use serde_json::{Value, json};

use super::web::{Web, run_over};
use crate::util::{Census, Dir, Generated, Held, answer, committed, generated};

const SHUT: &str = "User-agent: *\nDisallow: /\n";
const OPEN: &str = "User-agent: *\nDisallow:\n";

/// Adds hosts of every kind that is told apart.
pub fn all_kinds(web: &mut Web) {
    // Rules at one of two origins: https counts, then the usual port, then the smaller text.
    for (first, second) in [("http", "https"), ("https", "http")] {
        let host = format!("{first}-shut.example/robots.txt");
        web.file(1, &format!("{first}://{host}"), SHUT);
        web.file(2, &format!("{second}://{host}"), OPEN);
    }
    web.file(1, "https://ports.example:8443/robots.txt", SHUT);
    web.file(1, "https://ports.example/robots.txt", OPEN);
    web.file(1, "https://other-ports.example:8443/robots.txt", OPEN);
    web.file(1, "https://other-ports.example:10443/robots.txt", SHUT);
    web.file(1, "https://said-port.example:443/robots.txt", SHUT);
    web.file(2, "https://said-port.example:1/robots.txt", OPEN);
    // A file at http counts before none at https.
    web.fetch(1, "https://http-only.example/robots.txt", 404, "");
    web.file(1, "http://http-only.example/robots.txt", SHUT);
    // The latest answer counts: 304, 429 and 5xx are none, 404 is one.
    for (status, host) in [(304, "kept"), (429, "busy"), (503, "down"), (404, "gone")] {
        let url = format!("https://{host}.example/robots.txt");
        web.file(1, &url, SHUT).fetch(9, &url, status, "");
    }
    web.file(1, "https://newer.example/robots.txt", SHUT);
    web.file(9, "https://newer.example/robots.txt", OPEN);
    web.fetch(1, "https://never.example/robots.txt", 503, "");
    // Redirects: to a file, to a file of another host, into a loop, to nothing, too many.
    web.redirect(
        1,
        "http://moved.example/robots.txt",
        "https://moved.example/robots.txt",
    );
    web.file(1, "https://moved.example/robots.txt", SHUT);
    web.redirect(
        1,
        "https://www.moved.example/robots.txt",
        "https://moved.example/robots.txt",
    );
    web.redirect(
        1,
        "https://aside.example/robots.txt",
        "/elsewhere/robots.txt",
    );
    web.file(1, "https://aside.example/elsewhere/robots.txt", SHUT);
    web.redirect(1, "https://loop.example/robots.txt", "/robots.txt");
    web.redirect(
        1,
        "https://lost.example/robots.txt",
        "https://nowhere.example/robots.txt",
    );
    // The file was there before it was lost.
    web.file(1, "https://was.example/robots.txt", SHUT);
    web.redirect(
        9,
        "https://was.example/robots.txt",
        "https://nowhere.example/robots.txt",
    );
    for n in 0..6 {
        let at = |n: u32| match n {
            0 => "robots.txt".to_owned(),
            n => n.to_string(),
        };
        web.redirect(
            n,
            &format!("https://far.example/{}", at(n)),
            &format!("/{}", at(n + 1)),
        );
    }
    web.file(7, "https://far.example/6", SHUT);
    // What no robots.txt is.
    web.file(1, "https://query.example/robots.txt?x", SHUT);
    web.file(1, "https://path.example/de/robots.txt", SHUT);
    // An unknown time stands before all others.
    web.file(5, "https://timeless.example/robots.txt", OPEN);
    web.fetch_at("unknown", "https://timeless.example/robots.txt", 404, "");
}

/// Returns hosts and hosts read by the view, and by category those that shut out any agent, and
/// every agent.
fn by_query(data: &Path) -> Option<(Value, Vec<Value>)> {
    let hosts = "SELECT count(*) AS hosts, count(*) FILTER (has_robots_txt) AS hosts_read, \
                 count(*) FILTER (has_robots_txt AND is_primary_of_domain) AS domains_read FROM hosts WHERE is_primary";
    let hosts = answer(data, hosts, &[])?.remove(0);
    let shut_out = "WITH cells AS (SELECT url_host_name, is_primary_of_domain, agent_category AS category, bool_or(verdict = 'disallow' AND basis = 'rule') AS any_agent, \
                    bool_and(verdict = 'disallow' AND basis = 'rule') AS every_agent FROM host_verdicts \
                    JOIN matrix_agents USING (dialect, agent) WHERE dialect = reference_dialect() AND url = '/' \
                    AND has_robots_txt AND agent_category IS NOT NULL GROUP BY ALL) \
                    SELECT category, count(*) FILTER (any_agent) AS any_agent, count(*) FILTER (every_agent) AS every_agent, \
                    count(*) FILTER (any_agent AND is_primary_of_domain) AS any_agent_domains, \
                    count(*) FILTER (every_agent AND is_primary_of_domain) AS every_agent_domains \
                    FROM cells GROUP BY category ORDER BY category";
    Some((hosts, answer(data, shut_out, &[])?))
}

/// Compares the summary with the queries.
fn compare(summary: &Value, data: &Path) -> Option<Value> {
    let (hosts, categories) = by_query(data)?;
    assert_eq!(summary["hosts"]["count"], hosts["hosts"]);
    assert_eq!(summary["hosts_read"]["count"], hosts["hosts_read"]);
    assert_eq!(summary["domains_read"]["count"], hosts["domains_read"]);
    let said = summary["root_disallowed_by_category"].as_object().unwrap();
    assert_eq!(said.len(), categories.len());
    for row in categories {
        let said = &said[row["category"].as_str().unwrap()];
        for kind in ["any_agent", "every_agent"] {
            for (name, counted, whole) in [
                ("hosts", kind.to_owned(), "hosts_read"),
                ("domains", format!("{kind}_domains"), "domains_read"),
            ] {
                assert_eq!(said[kind][name], row[&counted], "{row}");
                let share = row[&counted].as_f64().unwrap() / hosts[whole].as_f64().unwrap();
                let found = said[kind][&format!("share_of_{whole}")].as_f64().unwrap();
                assert!((found - share).abs() < 1e-9, "{row}");
            }
        }
    }
    Some(hosts)
}

#[test]
fn the_summary_counts_the_hosts_that_the_queries_count() {
    for Generated {
        summary, census, ..
    } in [generated(), committed()]
    {
        compare(summary, &census.0);
    }
}

#[test]
fn the_summary_counts_hosts_of_every_kind_as_the_queries_do_over_two_crawls() {
    let dir = Dir::new();
    let mut web = Web::default();
    all_kinds(&mut web);
    let mut earlier = web.archive("a");
    earlier.name = "crawl-data/CC-MAIN-2025-05/segments/1.2/robotstxt/a.warc".to_owned();
    let mut later = Web::default();
    // What another crawl found a little later.
    later.file(20, "https://kept.example/robots.txt", OPEN);
    later.fetch(20, "https://http-shut.example/robots.txt", 503, "");
    later.redirect(
        20,
        "https://ports.example/robots.txt",
        "https://ports.example:8443/robots.txt",
    );
    let mut later = later.archive("b");
    later.name = "crawl-data/CC-MAIN-2025-08/segments/1.2/robotstxt/b.warc".to_owned();
    for dialect in ["google", "python", "baidu", "original-1994"] {
        let out = dir.path(dialect);
        let summary = run_over(&out, vec![earlier.clone(), later.clone()], |config| {
            config.dialects = vec![robocensus::robots::dialect::builtin(dialect).unwrap()];
        });
        let hosts = compare(&summary.to_json(), &out);
        // Those of the later crawl alone.
        assert_eq!(summary.to_json()["hosts_crawl"], "CC-MAIN-2025-08");
        if let (Some(hosts), "google") = (hosts, dialect) {
            assert_eq!(
                (&hosts["hosts"], &hosts["hosts_read"]),
                (&json!(3), &json!(1))
            );
        }
    }
}

/// Runs over archives of a robots.txt each.
fn run_files(out: &Path, names: &[&str], change: impl Fn(&mut Config)) -> Summary {
    let archives = names.iter().map(|name| {
        let mut web = Web::default();
        web.file(1, &format!("https://{name}.example/robots.txt"), SHUT);
        web.archive(name)
    });
    run_over(out, archives.collect::<Vec<Held>>(), change)
}

#[test]
fn hosts_are_of_the_whole_dataset_or_not_said_at_all() {
    let dir = Dir::new();
    let out = dir.path("census");
    let summary = run_files(&out, &["a", "b"], |config| config.finish = false);
    let said = summary.to_json();
    for key in ["hosts", "hosts_read", "root_disallowed_by_category"] {
        assert_eq!(said[key], Value::Null, "{key}");
    }
    assert_eq!(
        said["host_names_with_a_file"],
        json!({"count": 2, "is_exact": true})
    );
    let any = &said["host_names_root_disallowed_by_category"]["seo"]["any_agent"];
    assert_eq!(any["hosts"], 2);
    // What a worker that joins has not read itself it cannot tell of the rules; which hosts there
    // are it can.
    let joined = run_files(&out, &["c"], |config| config.mode = OpenMode::Join);
    let found = joined.redirects.unwrap().hosts.unwrap();
    let wanted = Hosts {
        crawl: None,
        origins: 3,
        domains: 3,
        asked: 3,
        read: 3,
        domains_read: 3,
        categories: None,
        domain_categories: None,
    };
    assert_eq!(found, wanted);
    assert_eq!(Census(out.clone()).table("captures").n_rows(), 3);
    let made = robocensus::finish(&out, &robocensus::Progress::default()).unwrap();
    assert_eq!(made.redirects.unwrap().hosts, Some(wanted));
}

#[test]
fn hosts_join_policies_by_capture_id_and_count_redirected_hosts_as_host_policies_does() {
    let data = &generated().census.0;
    let counted = "count(*) AS hosts, count(*) FILTER (restriction = 'full') AS shut_out, \
                   count(*) FILTER (fetch_capture_id <> capture_id) AS redirected";
    let of_agent = "dialect = reference_dialect() AND agent = 'GPTBot' AND access = 'conditional'";
    let joined = format!(
        "SELECT {counted} FROM hosts JOIN policies USING (capture_id) WHERE is_primary AND {of_agent}"
    );
    let Some(joined) = answer(data, &joined, &[]) else {
        return;
    };
    let of_view = format!("SELECT {counted} FROM host_policies WHERE {of_agent}");
    assert_eq!(joined, answer(data, &of_view, &[]).unwrap());
    assert!(joined[0]["redirected"].as_u64().unwrap() > 0, "{joined:?}");
    assert!(joined[0]["shut_out"].as_u64().unwrap() > 0, "{joined:?}");
    // A redirect without an end stands for itself, so that no host is lost.
    let read = "SELECT count(*) AS hosts FROM hosts JOIN policies USING (capture_id) \
                WHERE is_primary AND dialect = reference_dialect() AND agent = 'GPTBot'";
    let all = "SELECT count(*) AS hosts FROM hosts WHERE is_primary";
    assert_eq!(answer(data, read, &[]), answer(data, all, &[]));
}
