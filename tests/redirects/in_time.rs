//! Redirects and the time of their targets: 304, distances, and a window.

use std::time::Duration;

use super::{
    ends,
    web::{Web, rows, run_over},
};
use crate::util::{Census, Dir, TestCommand, answer, lines};

const A: &str = "http://a.example/robots.txt";
const B: &str = "http://b.example/robots.txt";

#[test]
fn a_304_is_no_target_where_another_capture_of_the_url_stands() {
    let mut web = Web::default();
    web.redirect(100, A, B).page(10, B).fetch(101, B, 304, "");
    let rows = web.rows();
    assert_eq!(ends(&rows), [("resolved", 1, B), ("not_modified", 0, B)]);
    assert_eq!(rows[0].effective, Some((B.to_owned(), 200)));
    assert_eq!(rows[0].seconds_apart, Some(90.0));
    assert_eq!(rows[1].access.as_deref(), Some("undefined"));
}

#[test]
fn a_target_of_nothing_but_304_is_as_one_without_a_capture() {
    let mut web = Web::default();
    web.redirect(100, A, B)
        .fetch(101, B, 304, "Location: /x\r\n");
    let rows = web.rows();
    assert_eq!(
        ends(&rows),
        [("not_in_corpus", 1, B), ("not_modified", 0, B)]
    );
    assert_eq!((&rows[0].next, rows[0].seconds_apart), (&None, None));
    assert_eq!(rows[0].access.as_deref(), Some("undefined"));
}

#[test]
fn a_304_after_a_200_does_not_replace_the_file() {
    let dir = Dir::new();
    let mut web = Web::default();
    let shut = "User-agent: *\nDisallow: /\n";
    web.file(10, A, shut).fetch(20, A, 304, "");
    web.file(10, B, shut)
        .fetch(20, B, 304, "")
        .file(30, B, "User-agent: *\nDisallow:\n");
    web.fetch(10, "http://only.example/robots.txt", 304, "");
    run_over(&dir.path("census"), vec![web.archive("a")], |_| {});
    let sql = "SELECT url_host_name AS host, access, fetch_status, is_answer FROM hosts WHERE is_primary ORDER BY host";
    let Some(hosts) = answer(&dir.path("census"), sql, &[]) else {
        return;
    };
    assert_eq!(
        lines(&hosts, &["host", "access", "fetch_status", "is_answer"]),
        [
            "a.example conditional 200 true",
            "b.example conditional 200 true",
            // Whoever asked whether the file had changed knows it; the dataset does not.
            "only.example undefined 304 false",
        ]
    );
    let sql = "SELECT url_host_name AS host, change FROM changes ORDER BY host";
    let changes = answer(&dir.path("census"), sql, &[]).unwrap();
    assert_eq!(lines(&changes, &["host", "change"]), ["b.example meaning"]);
}

#[test]
fn a_window_leaves_out_targets_that_were_fetched_too_long_before_or_after() {
    let mut web = Web::default();
    web.redirect(1_000, A, B).page(1_060, B);
    let within = |seconds: Option<u64>| {
        let rows = web.rows_of(|config| config.redirect_window = seconds.map(Duration::from_secs));
        let row = &rows[0];
        let found = (row.outcome.clone(), row.hops, row.seconds_apart);
        (found, row.next.is_some(), row.access.clone())
    };
    let resolved = (("resolved".to_owned(), 1, Some(60.0)), true, None);
    assert_eq!(within(None), resolved);
    assert_eq!(within(Some(60)), resolved);
    let undefined = Some("undefined".to_owned());
    let too_far = (("too_far_in_time".to_owned(), 1, None), false, undefined);
    assert_eq!(within(Some(59)), too_far);
    assert_eq!(within(Some(0)), too_far);
}

#[test]
fn a_window_holds_for_each_hop_and_for_the_whole_chain() {
    let url = |n: u32| format!("http://a.example/{n}");
    let mut web = Web::default();
    for n in 0..3 {
        web.redirect(40 * n, &url(n), &url(n + 1));
    }
    web.page(120, &url(3));
    let rows = web.rows_of(|config| config.redirect_window = Some(Duration::from_secs(80)));
    let last = url(3);
    let last = last.as_str();
    assert_eq!(
        ends(&rows),
        [
            ("too_far_in_time", 3, last),
            ("resolved", 2, last),
            ("resolved", 1, last),
        ]
    );
    // A time that is not known may be any.
    let mut web = Web::default();
    web.fetch_at("unknown", A, 301, &format!("Location: {B}\r\n"));
    web.page(0, B);
    assert_eq!(web.rows()[0].outcome, "resolved");
    assert_eq!(web.rows()[0].seconds_apart, None);
    let rows = web.rows_of(|config| config.redirect_window = Some(Duration::from_secs(1 << 40)));
    assert_eq!(rows[0].outcome, "too_far_in_time");
}

#[test]
fn the_window_of_a_dataset_is_remembered() {
    let dir = Dir::new();
    let mut web = Web::default();
    web.redirect(0, A, B).page(3_601, B);
    let archive = dir.write("robotstxt/a.warc", &web.records);
    let out = dir.word("census");
    let ran =
        TestCommand::new(["run", &archive, "--out", &out, "--redirect-window", "1h"]).succeed();
    assert!(ran.stdout.contains("too_far_in_time"), "{}", ran.stdout);
    let census = Census(dir.path("census"));
    let before = census.files();
    assert_eq!(ends(&rows(&census)), [("too_far_in_time", 1, B)]);
    TestCommand::new(["redirects", &out]).succeed();
    assert!(before == census.files());
    // Parts of another window would not fit.
    TestCommand::new([
        "run",
        &archive,
        "--out",
        &out,
        "--join",
        "--redirect-window",
        "2h",
    ])
    .refuse(&["redirect_window is \"3600 s\" there and \"7200 s\" here"]);
    TestCommand::new(["run", &archive, "--out", &out, "--redirect-window", "60"]).refuse(&[
        "--redirect-window",
        "expected a number and a unit, such as 90s",
    ]);
}
