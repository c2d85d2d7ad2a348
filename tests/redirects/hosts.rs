//! The hosts of the summary, which are those of the view `hosts`.

use std::path::Path;

use robocensus::{
    Config, Summary,
    dataset::{sink::OpenMode, summary::Hosts},
};
use serde_json::{Value, json};

use super::web::{Web, run_over};
use crate::util::{Census, Dir, Held, answer, generated, or_skip};

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
