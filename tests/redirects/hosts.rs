//! The hosts of the summary, which are those of the view `hosts`.

use std::path::Path;

use robocensus::{
    Config, Summary,
    dataset::{
        sink::OpenMode,
        summary::{HostShare, Hosts},
    },
    robots::matrix::Matrix,
};
use serde_json::Value;

use super::web::{Web, run_over};
use crate::util::{Census, Dir, answer, generated, or_skip};

/// Runs over archives of a robots.txt each.
fn run_files(out: &Path, names: &[&str], change: impl Fn(&mut Config)) -> Summary {
    let archive = |name: &&str| Web::of(&format!("1 https://{name}.example shut")).archive(name);
    run_over(out, names.iter().map(archive).collect(), change)
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
    let joined = run_files(&out, &["c"], |config| config.mode = OpenMode::Join);
    let found = joined.redirects.unwrap().hosts.unwrap();
    let n_categories = Matrix::built_in().categories().len();
    let shares = Some(vec![HostShare { any: 3, all: 3 }; n_categories]);
    let wanted = Hosts {
        crawl: None,
        origins: 3,
        domains: 3,
        asked: 3,
        read: 3,
        domains_read: 3,
        categories: shares.clone(),
        domain_categories: shares,
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
