//! Lists of hosts of the two crawls written by hand.

use super::by_hand::{Fetch, archives};
use super::{assert_rows, assert_rows_among, by_hand};
use crate::util::{Dir, TestCommand, answer, lines, or_skip, run};

#[test]
fn changes_are_bounded_by_the_two_fetches() {
    let columns = "url_host_name change previous_restriction restriction";
    let wanted = [
        "form.example form partial partial",
        "gone.example gone full none",
        "inviting.example meaning full none",
        "new.example appeared none full",
        "stricter.example meaning none full",
    ];
    assert_rows("list-hosts-that-changed", columns, &wanted);
    assert_rows_among(
        "list-hosts-that-changed",
        "previous_fetch_time fetch_time previous_crawl crawl",
        &["2025-01-10 12:00:00+00 2026-01-10 12:00:00+00 CC-MAIN-2025-05 CC-MAIN-2026-05"],
    );
    // The same of two datasets.
    let hands = by_hand();
    let words = ["--before", &hands.path("before")];
    if let Some(rows) = answer(&hands.after(), "list-hosts-that-changed", &words) {
        assert_eq!(lines(&rows, columns), wanted);
    }
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
    let fetch = |(time, host, status, body): (&str, &str, u16, &str)| Fetch {
        time: time.to_owned(),
        url: format!("https://{host}/robots.txt"),
        status,
        location: String::new(),
        body: body.to_owned(),
    };
    let fetches = [
        (first, "one.example", 200, NO_GPTBOT),
        (first, "two.example", 200, OPEN),
        (first, "three.example", 200, OPEN),
        (second, "one.example", 200, NO_GPTBOT),
        (second, "two.example", 200, NO_GPTBOT),
        (second, "three.example", 404, ""),
        (second, "a.new-example.com", 200, NO_GPTBOT),
        (third, "one.example", 200, OPEN),
        (third, "three.example", 200, OPEN),
    ];
    let fetches = fetches.map(fetch);
    let dir = Dir::new();
    let archives = archives(&dir.path("."), CRAWLS, &fetches);
    let of = |n_crawls: usize, words: &[&str]| {
        let census = dir.path(&format!("census-{n_crawls}"));
        if !census.exists() {
            let words: Vec<_> = archives[..n_crawls].iter().map(String::as_str).collect();
            run(&words)
                .words(&["--out", census.to_str().unwrap()])
                .succeed();
        }
        let columns =
            "crawl members missing hosts full_by_rules tighter looser share_of_domains_full";
        let rows = answer(&census, "compare-restriction-across-crawls", words)?;
        Some(lines(&rows, columns))
    };
    let of_two = or_skip!(of(2, &[]));
    let wanted = [
        "CC-MAIN-2025-05 3 0 3 1 - - 0.333333",
        "CC-MAIN-2026-05 3 1 2 2 1 0 1.0",
    ];
    assert_eq!(of_two, wanted);
    // A host that was missing in between is neither tighter nor looser.
    let of_three = of(3, &[]).unwrap();
    assert_eq!(of_three[..2], of_two);
    assert_eq!(of_three[2], "CC-MAIN-2026-20 3 1 2 0 0 1 0.0");
    let later = of(2, &["--set", "cohort_crawl=CC-MAIN-2026-05"]).unwrap();
    let wanted = [
        "CC-MAIN-2025-05 3 1 2 1 - - 0.5",
        "CC-MAIN-2026-05 3 0 3 3 1 0 1.0",
    ];
    assert_eq!(later, wanted);
    let list = dir.write(
        "cohort.txt",
        "ONE.example\r\nnew-example.com\n\nabsent.example\n",
    );
    let listed = of(2, &["--set", &format!("cohort={list}")]).unwrap();
    let wanted = [
        "CC-MAIN-2025-05 3 2 1 1 - - 1.0",
        "CC-MAIN-2026-05 3 1 2 2 0 0 1.0",
    ];
    assert_eq!(listed, wanted);
    // A crawl that both datasets have is one point.
    let before = dir.path("census-2");
    let twice = of(3, &["--before", before.to_str().unwrap()]).unwrap();
    assert_eq!(twice, of_three);
    let census = dir.path("census-2");
    TestCommand::line("query compare-restriction-across-crawls --set cohort_crawl=no --data")
        .words(&[census.to_str().unwrap()])
        .refuse(&["expected the variable cohort_crawl to name a crawl"]);
}
