//! Redirects and the time of their targets: 304, distances, and a window.

use std::time::Duration;

use super::{
    ends,
    web::{Web, rows, run_over},
};
use crate::util::{Census, Dir, TestCommand, answer, assert_says, lines, or_skip};

const B: &str = "http://b.example/robots.txt";

#[test]
fn a_304_is_a_target_neither_alone_nor_beside_another_capture_of_the_url() {
    let redirect = "100 http://a.example > http://b.example/robots.txt\n101 http://b.example 304";
    let rows = Web::of(&format!("{redirect}\n10 http://b.example open")).rows();
    assert_eq!(ends(&rows), [("resolved", 1, B), ("not_modified", 0, B)]);
    assert_eq!(rows[0].effective, Some((B.to_owned(), 200)));
    assert_eq!(rows[0].seconds_apart, Some(90.0));
    assert_eq!(rows[1].access.as_deref(), Some("undefined"));
    let rows = Web::of(&format!("{redirect} > /x")).rows();
    let wanted = [("not_in_corpus", 1, B), ("not_modified", 0, B)];
    assert_eq!(ends(&rows), wanted);
    assert_eq!((&rows[0].next, rows[0].seconds_apart), (&None, None));
    assert_eq!(rows[0].access.as_deref(), Some("undefined"));
}

#[test]
fn a_304_after_a_200_does_not_replace_the_file() {
    let dir = Dir::new();
    let web = Web::of(
        "\
10 http://a.example shut
20 http://a.example 304
10 http://b.example shut
20 http://b.example 304
30 http://b.example open
10 http://only.example 304",
    );
    run_over(&dir.path("census"), vec![web.archive("a")], |_| {});
    let sql = "SELECT url_host_name AS host, access, fetch_status FROM hosts WHERE is_primary ORDER BY host";
    let hosts = or_skip!(answer(&dir.path("census"), sql, &[]));
    let wanted = [
        "a.example conditional 200",
        "b.example conditional 200",
        // Whoever asked whether the file had changed knows it; the dataset does not.
        "only.example undefined 304",
    ];
    assert_eq!(lines(&hosts, "host access fetch_status"), wanted);
    let sql = "SELECT url_host_name AS host, change FROM changes ORDER BY host";
    let changes = answer(&dir.path("census"), sql, &[]).unwrap();
    assert_eq!(lines(&changes, "host change"), ["b.example meaning"]);
}

#[test]
fn a_window_leaves_out_targets_that_were_fetched_too_long_before_or_after() {
    let redirect = "http://a.example > http://b.example/robots.txt";
    let web = Web::of(&format!("1000 {redirect}\n1060 http://b.example open"));
    let within = |seconds: u64| {
        let rows = web.rows_of(|config| config.redirect_window = Duration::from_secs(seconds));
        let row = &rows[0];
        let found = (row.outcome.clone(), row.hops, row.seconds_apart);
        (found, row.next.is_some(), row.access.clone())
    };
    let resolved = (("resolved".to_owned(), 1, Some(60.0)), true, None);
    assert_eq!(within(60), resolved);
    let undefined = Some("undefined".to_owned());
    let outside = (("not_in_corpus".to_owned(), 1, None), false, undefined);
    assert_eq!(within(59), outside);
    assert_eq!(within(0), outside);
    // A time that is not known is in no window.
    let web = Web::of(&format!("unknown {redirect}\n0 http://b.example open"));
    let rows = web.rows_of(|config| config.redirect_window = Duration::from_secs(1 << 40));
    assert_eq!(rows[0].outcome, "not_in_corpus");
}

#[test]
fn a_redirect_leads_to_captures_of_its_own_crawl_alone() {
    const C: &str = "http://c.example/robots.txt";
    // The target of the first was fetched by another crawl alone; that of the second by this one
    // too, long before: in a crawl the time does not matter.
    let earlier = "\
2023-01-02T00:00:00Z http://c.example shut
0 http://a.example > http://b.example/robots.txt
0 http://d.example > http://c.example/robots.txt";
    let later = "1 http://b.example shut\n1 http://c.example open";
    let dir = Dir::new();
    let out = dir.path("census");
    let archives = vec![
        Web::of(earlier).archive_of("CC-MAIN-2023-14"),
        Web::of(later).archive_of("CC-MAIN-2025-33"),
    ];
    let summary = run_over(&out, archives, |_| {});
    let wanted = [("not_in_corpus", 1, B), ("resolved", 1, C)];
    assert_eq!(ends(&rows(&Census(out.clone()))), wanted);
    assert_eq!(summary.dataset.redirect_window, None);
    let sql = "SELECT url_host_name AS host, crawl, access FROM crawl_hosts ORDER BY ALL";
    let hosts = or_skip!(answer(&out, sql, &[]));
    let wanted = [
        "a.example CC-MAIN-2023-14 undefined",
        "b.example CC-MAIN-2025-33 conditional",
        "c.example CC-MAIN-2023-14 conditional",
        "c.example CC-MAIN-2025-33 conditional",
        "d.example CC-MAIN-2023-14 conditional",
    ];
    assert_eq!(lines(&hosts, "host crawl access"), wanted);
    let sql = "SELECT restriction FROM host_policies WHERE agent = 'GPTBot' AND url_host_name = 'd.example'";
    let words = ["--set", "crawl=CC-MAIN-2023-14"];
    let policies = answer(&out, sql, &words).unwrap();
    assert_eq!(lines(&policies, "restriction"), ["full"]);
}

#[test]
fn without_a_crawl_a_target_counts_within_14_days_and_the_window_stands_beside_the_figures() {
    let dir = Dir::new();
    for (days, date, outcome) in [
        ("10", "2025-12-23T00:00:00Z", "resolved"),
        ("868", "2023-08-18T00:00:00Z", "not_in_corpus"),
    ] {
        let fetches = "0 http://a.example > http://b.example/robots.txt";
        let web = Web::of(&format!("{fetches}\n{date} http://b.example open"));
        let archive = dir.write(&format!("robotstxt/{days}.warc"), &web.records);
        let out = dir.word(days);
        let ran = TestCommand::new(["run", &archive, "--out", &out]).succeed();
        let census = Census(dir.path(days));
        assert_eq!(ends(&rows(&census)), [(outcome, 1, B)]);
        let note = "redirects of archives that name no crawl lead to captures within 14 days";
        assert_says(&ran.stdout, note);
        let hosts = "SELECT count(*) FROM hosts";
        if answer(&dir.path(days), hosts, &[]).is_none() {
            continue;
        }
        let asked = |sql| TestCommand::new(["query", sql, "--data", &out]).succeed();
        assert_says(&asked(hosts).stderr, note);
        let said = asked("SELECT count(*) FROM rules").stderr;
        assert!(!said.contains("redirects"), "{said}");
        let page = dir.word(&format!("{days}.html"));
        TestCommand::new(["report", "--data", &out, "--out", &page]).succeed();
        let page = std::fs::read_to_string(page).unwrap();
        assert_says(&page, "where archives name none, within 14 days.");
    }
}
