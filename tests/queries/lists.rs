//! Lists of hosts of the two crawls written by hand.

use super::by_hand::{Fetch, archive};
use super::{assert_rows, assert_rows_among, assert_rows_with, by_hand};
use crate::util::{Dir, TestCommand, answer, lines, run};

#[test]
fn hosts_are_those_of_the_latest_crawl() {
    assert_rows(
        "SELECT url_host_name, crawl[-7:] AS crawl, access FROM hosts WHERE is_primary AND url_host_name[:4] IN ('same', 'gone', 'down', 'dead', 'new.') ORDER BY 1",
        &["url_host_name", "crawl", "access"],
        &[
            "dead-rules.example 2026-05 conditional",
            "dead.example 2026-05 full_disallow",
            "down.example 2026-05 full_disallow",
            "gone.example 2026-05 full_allow",
            "new.example 2026-05 conditional",
            "same.example 2026-05 conditional",
        ],
    );
}

#[test]
fn one_crawl_of_several_can_be_selected() {
    assert_rows_with(
        "SELECT count(*) AS hosts, count(*) FILTER (access = 'conditional') AS read FROM hosts WHERE is_primary",
        &["--set", "crawl=CC-MAIN-2025-05"],
        &["hosts", "read"],
        &["7 6"],
    );
}

#[test]
fn one_origin_of_a_host_is_primary() {
    assert_rows(
        "SELECT origin, is_primary, coalesce(redirect_outcome <> 'resolved', false) AS is_lost, access FROM hosts WHERE url_host_name[:5] IN ('twin-', 'loop.', 'lost.', 'moved') ORDER BY 1",
        &["origin", "is_primary", "is_lost", "access"],
        &[
            "http://loop.example:80 false true full_allow",
            "http://moved.example:80 true false conditional",
            "http://twin-example.com:80 false false conditional",
            "https://loop.example:443 true true full_allow",
            "https://lost.example:443 true true undefined",
            "https://twin-example.com:443 true false conditional",
        ],
    );
}

#[test]
fn changes_are_bounded_by_the_two_fetches() {
    let columns = [
        "url_host_name",
        "change",
        "previous_restriction",
        "restriction",
    ];
    let wanted = [
        "form.example form partial partial",
        "gone.example gone full none",
        "inviting.example meaning full none",
        "new.example appeared none full",
        "stricter.example meaning none full",
    ];
    assert_rows("list-hosts-that-changed", &columns, &wanted);
    assert_rows_among(
        "list-hosts-that-changed",
        &[
            "previous_fetch_time",
            "fetch_time",
            "previous_crawl",
            "crawl",
        ],
        &["2025-01-10 12:00:00+00 2026-01-10 12:00:00+00 CC-MAIN-2025-05 CC-MAIN-2026-05"],
    );
    // The same of two datasets.
    let hands = by_hand();
    let words = ["--before", &hands.path("before")];
    if let Some(rows) = answer(&hands.after(), "list-hosts-that-changed", &words) {
        assert_eq!(lines(&rows, &columns), wanted);
    }
}

#[test]
fn an_invitation_is_dated() {
    assert_rows(
        "list-hosts-inviting-ai-agents",
        &[
            "url_host_name",
            "agent",
            "line",
            "first_seen",
            "last_seen_without",
        ],
        &["inviting.example GPTBot 3 2026-01-10 12:00:00+00 2025-01-10 12:00:00+00"],
    );
}

#[test]
fn who_blocks_one_and_not_the_other_is_listed_with_the_line() {
    assert_rows(
        "list-hosts-blocking-gptbot-but-not-googlebot",
        &["url_host_name", "rule_line"],
        &[
            "managed.example 7",
            "moved.example 2",
            "new.example 2",
            "stricter.example 2",
            "target.example 2",
        ],
    );
}

#[test]
fn who_names_one_and_not_the_other_is_listed() {
    assert_rows(
        "list-hosts-naming-gptbot-but-not-claudebot",
        &["url_host_name", "restriction", "other_restriction"],
        &[
            "inviting.example none none",
            "managed.example full partial",
            "moved.example full none",
            "stricter.example full none",
            "target.example full none",
        ],
    );
}

#[test]
fn the_deciding_line_is_shown_as_written() {
    assert_rows(
        "list-deciding-lines",
        &["url_host_name", "verdict", "rule_kind", "line"],
        &[
            "contrary.example disallow disallow 8",
            "dead-rules.example allow disallow 4",
            "inviting.example allow allow 3",
            "managed.example disallow disallow 7",
            "moved.example disallow disallow 2",
            "new.example disallow disallow 2",
            "rights.example allow disallow 3",
            "stricter.example disallow disallow 2",
            "target.example disallow disallow 2",
            "terms.example allow disallow 3",
        ],
    );
    assert_rows_with(
        "list-deciding-lines",
        &[
            "--set",
            "url=/a/",
            "--set",
            "agent=CCBot",
            "--set",
            "dialect=google",
        ],
        &["url_host_name", "verdict", "line", "pattern_raw"],
        &[
            "contrary.example disallow 3 /",
            "dead-rules.example allow 4 ",
            "managed.example allow 4 /",
            "moved.example allow 5 /",
            "new.example disallow 2 /",
            "rights.example allow 3 ",
            "target.example allow 5 /",
            "terms.example allow 3 ",
            "typo.example disallow 2 /a/",
        ],
    );
}

#[test]
fn hosts_closed_by_their_status_are_listed() {
    assert_rows(
        "list-hosts-blocked-by-status",
        &["url_host_name", "end_status"],
        &["dead.example 500", "down.example 503"],
    );
}

#[test]
fn domains_that_disagree_are_listed() {
    assert_rows(
        "list-domains-that-disagree",
        &["domain", "origins", "meanings", "http_www"],
        &["twin-example.com 3 2 -"],
    );
}

#[test]
fn managed_content_may_contradict_the_owner() {
    assert_rows(
        "list-hosts-with-cloudflare-managed-content",
        &[
            "url_host_name",
            "wildcard_groups",
            "is_contradicting",
            "content_signals",
        ],
        &["managed.example 2 true ai-train=no, search=yes"],
    );
}

#[test]
fn signals_may_contradict_the_rules() {
    assert_rows(
        "list-hosts-contradicting-their-signals",
        &["url_host_name", "key", "value", "line", "agents"],
        &["contrary.example ai-train yes 2 Bytespider, anthropic-ai, meta-externalagent"],
    );
}

#[test]
fn rights_are_reserved_in_comments() {
    assert_rows(
        "list-hosts-reserving-rights",
        &["url_host_name", "line", "text"],
        &["rights.example 1 All rights reserved, Article 4 of Directive (EU) 2019/790"],
    );
}

#[test]
fn pages_are_compared_with_the_robots_txt_of_their_time() {
    let columns = [
        "url",
        "fetch_time",
        "robots_fetch_time",
        "is_later",
        "rule_line",
    ];
    let of_same =
        "https://same.example/private/1 2025-06-01 00:00:00+00 2025-01-10 12:00:00+00 false 2";
    assert_rows("list-pages-excluded-when-fetched", &columns, &[of_same]);
    assert_rows_with(
        "list-pages-excluded-when-fetched",
        &["--set", "agent=GPTBot"],
        &columns,
        &[
            "https://gone.example/x 2025-06-01 00:00:00+00 2025-01-10 12:00:00+00 false 2",
            of_same,
        ],
    );
}

#[test]
fn disagreements_are_listed_with_both_lines() {
    assert_rows_among(
        "list-disagreements-of-dialects",
        &[
            "url_host_name",
            "agent",
            "url",
            "base_verdict",
            "verdict",
            "base_line",
            "line",
        ],
        &["typo.example GPTBot / allow disallow - 9"],
    );
}

#[test]
fn inputs_are_listed_by_archive() {
    assert_rows(
        "list-inputs",
        &["captures", "faults", "first_fault", "is_complete"],
        &["7 0 - true", "26 0 - true"],
    );
}

#[test]
fn a_cohort_is_fixed_by_one_crawl_or_a_list_and_later_crawls_change_no_point() {
    const TIMES: [&str; 3] = [
        "2025-01-20T12:00:00Z",
        "2026-01-10T12:00:00Z",
        "2026-05-10T12:00:00Z",
    ];
    const CRAWLS: [&str; 3] = ["CC-MAIN-2025-05", "CC-MAIN-2026-05", "CC-MAIN-2026-20"];
    const OPEN: &str = "User-agent: *\nDisallow:\n";
    const NO_GPTBOT: &str = "User-agent: GPTBot\nDisallow: /\n";
    let [first, second, third] = TIMES;
    let fetches: &[Fetch] = &[
        (first, "https://one.example/robots.txt", 200, "", NO_GPTBOT),
        (first, "https://two.example/robots.txt", 200, "", OPEN),
        (first, "https://three.example/robots.txt", 200, "", OPEN),
        (second, "https://one.example/robots.txt", 200, "", NO_GPTBOT),
        (second, "https://two.example/robots.txt", 200, "", NO_GPTBOT),
        (second, "https://three.example/robots.txt", 404, "", ""),
        (
            second,
            "https://a.new-example.com/robots.txt",
            200,
            "",
            NO_GPTBOT,
        ),
        (third, "https://one.example/robots.txt", 200, "", OPEN),
        (third, "https://three.example/robots.txt", 200, "", OPEN),
    ];
    let dir = Dir::new();
    let mut archives = Vec::new();
    for (crawl, time) in CRAWLS.iter().zip(TIMES) {
        archives.push(archive(&dir.path("."), crawl, time, fetches));
    }
    let of = |n_crawls: usize, words: &[&str]| {
        let census = dir.path(&format!("census-{n_crawls}"));
        if !census.exists() {
            let words: Vec<_> = archives[..n_crawls].iter().map(String::as_str).collect();
            run(&words)
                .words(&["--out", census.to_str().unwrap()])
                .succeed();
        }
        let columns = [
            "crawl",
            "members",
            "missing",
            "hosts",
            "full_by_rules",
            "tighter",
            "looser",
            "share_of_domains_full",
        ];
        let rows = answer(&census, "compare-restriction-across-crawls", words)?;
        Some(lines(&rows, &columns))
    };
    let Some(of_two) = of(2, &[]) else { return };
    assert_eq!(
        of_two,
        [
            "CC-MAIN-2025-05 3 0 3 1 - - 0.3333",
            "CC-MAIN-2026-05 3 1 2 2 1 0 1.0"
        ]
    );
    // A host that was missing in between is neither tighter nor looser.
    let of_three = of(3, &[]).unwrap();
    assert_eq!(of_three[..2], of_two);
    assert_eq!(of_three[2], "CC-MAIN-2026-20 3 1 2 0 0 1 0.0");
    let later = of(2, &["--set", "cohort_crawl=CC-MAIN-2026-05"]).unwrap();
    assert_eq!(
        later,
        [
            "CC-MAIN-2025-05 3 1 2 1 - - 0.5",
            "CC-MAIN-2026-05 3 0 3 3 1 0 1.0"
        ]
    );
    let list = dir.write(
        "cohort.txt",
        "ONE.example\r\nnew-example.com\n\nabsent.example\n",
    );
    let listed = of(2, &["--set", &format!("cohort={list}")]).unwrap();
    assert_eq!(
        listed,
        [
            "CC-MAIN-2025-05 3 2 1 1 - - 1.0",
            "CC-MAIN-2026-05 3 1 2 2 0 0 1.0"
        ]
    );
    // A crawl that both datasets have is one point.
    let before = dir.path("census-2");
    let twice = of(3, &["--before", before.to_str().unwrap()]).unwrap();
    assert_eq!(twice, of_three);
    let census = dir.path("census-2");
    TestCommand::line("query compare-restriction-across-crawls --set cohort_crawl=no --data")
        .words(&[census.to_str().unwrap()])
        .refuse(&["expected the variable cohort_crawl to name a crawl"]);
}
