//! The hosts of the summary, which are those of the view `hosts`.

use std::path::Path;

use robocensus::{
    Config, Summary,
    dataset::{sink::OpenMode, summary::Hosts},
};
use serde_json::{Value, json};

use super::web::{Web, run_over};
use crate::util::{Census, Dir, Held, answer, generated, or_skip};

/// Hosts of every kind that is told apart.
pub const KINDS: &str = "\
# Rules at one of two origins: https counts, then the usual port, then the smaller text.
1 http://http-shut.example shut
2 https://http-shut.example open
1 https://https-shut.example shut
2 http://https-shut.example open
1 https://ports.example:8443 shut
1 https://ports.example open
1 https://other-ports.example:8443 open
1 https://other-ports.example:10443 shut
1 https://said-port.example:443 shut
2 https://said-port.example:1 open
# A file at http counts before none at https.
1 https://http-only.example 404
1 http://http-only.example shut
# The latest answer counts: 304, 429 and 5xx are none, 404 is one.
1 https://kept.example shut
9 https://kept.example 304
1 https://busy.example shut
9 https://busy.example 429
1 https://down.example shut
9 https://down.example 503
1 https://gone.example shut
9 https://gone.example 404
1 https://newer.example shut
9 https://newer.example open
1 https://never.example 503
# Redirects: to a file, to a file of another host, into a loop, to nothing, too many.
1 http://moved.example > https://moved.example/robots.txt
1 https://moved.example shut
1 https://www.moved.example > https://moved.example/robots.txt
1 https://aside.example > /elsewhere/robots.txt
1 https://aside.example/elsewhere/robots.txt shut
1 https://loop.example > /robots.txt
1 https://lost.example > https://nowhere.example/robots.txt
# The file was there before it was lost.
1 https://was.example shut
9 https://was.example > https://nowhere.example/robots.txt
0 https://far.example > /1
1 https://far.example/1 > /2
2 https://far.example/2 > /3
3 https://far.example/3 > /4
4 https://far.example/4 > /5
5 https://far.example/5 > /6
7 https://far.example/6 shut
# What no robots.txt is.
1 https://query.example/robots.txt?x shut
1 https://path.example/de/robots.txt shut
# An unknown time stands before all others.
5 https://timeless.example open
unknown https://timeless.example 404";

/// Runs over archives of a robots.txt each.
fn run_files(out: &Path, names: &[&str], change: impl Fn(&mut Config)) -> Summary {
    let archives = names
        .iter()
        .map(|name| Web::of(&format!("1 https://{name}.example shut")).archive(name));
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
    let joined = or_skip!(answer(data, &joined, &[]));
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
