//! The charts of a dataset with pages.

use super::{page, page_with, section};
use crate::{
    page_runs::Pages,
    util::{Dir, assert_says, or_skip, query, run_into},
};

const SECTIONS: [&str; 3] = ["page-directives", "robots-and-pages", "links"];

#[test]
fn a_dataset_with_pages_has_charts_of_them() {
    let dir = Dir::new();
    let mut pages = Pages::default();
    for host in 0..40 {
        let origin = format!("http://h{host}.example");
        let rules = ["Disallow: /", "Allow: /"][usize::from(host >= 10)];
        pages
            .robots(0, &origin, format!("User-agent: *\n{rules}\n"))
            .page(1, &format!("{origin}/"));
    }
    let archive = pages.write(&dir, "pages.warc");
    let out = run_into(dir.path("census"), &[&archive, "--pages"]);
    let (_, with) = or_skip!(page(&dir, &out));
    for (id, says) in SECTIONS.into_iter().zip([
        "The most frequent is noindex (meta, head), on 100",
        "n = 40 pages whose policy and robots.txt are known",
        "n = 40 links",
    ]) {
        let section = section(&with, id);
        assert_says(section, says);
        assert_says(section, "<figure");
        assert_says(&with, &format!("<a href=\"#{id}\">"));
    }
    // A link with rel=nofollow says nothing about its page.
    assert!(!section(&with, "page-directives").contains("nofollow ("));
    let coverage = section(&with, "coverage");
    for row in [
        "<td>responses read as pages</td><td class=\"number\">40</td>",
        "<td>of other paths, counted as skipped: not robots path</td><td class=\"number\">40</td>",
        "robocensus query list-coverage-of-pages ",
    ] {
        assert_says(coverage, row);
    }
    assert_says(section(&with, "robots-and-pages"), "75.0\u{a0}% (30)");
    // Another run, of the same archive without pages.
    let without = run_into(dir.path("without"), &[&archive]);
    let (_, without) = page(&dir, &without).unwrap();
    for id in SECTIONS {
        assert!(!without.contains(id), "{id}");
    }
    assert!(!without.contains("list-coverage-of-pages"));
}

#[test]
fn many_pages_of_one_host_are_too_few_for_a_chart() {
    let dir = Dir::new();
    let mut pages = Pages::default();
    pages.robots(0, "http://a.example", "User-agent: *\nAllow: /\n");
    for number in 0..40 {
        pages.page(1, &format!("http://a.example/{number}"));
    }
    let archive = pages.write(&dir, "pages.warc");
    let out = run_into(dir.path("census"), &[&archive, "--pages"]);
    let (_, page) = or_skip!(page(&dir, &out));
    for id in SECTIONS {
        let section = section(&page, id);
        assert_says(section, "which needs 30 and has 1:");
        assert!(!section.contains("<figure"), "{id}");
    }
}

#[test]
fn a_dataset_of_pages_alone_has_figures_of_pages() {
    let dir = Dir::new();
    let mut pages = Pages::default();
    for host in 0..40 {
        pages.page(1, &format!("http://h{host}.example/"));
    }
    let archive = pages.write(&dir, "pages.warc");
    let out = run_into(dir.path("census"), &[&archive, "--pages"]);
    let (_, page, stderr) = or_skip!(page_with(&dir, &out, &[]));
    let note = "so all figures of the report but those of pages are 0\n";
    assert!(stderr.ends_with(note), "{stderr}");
    assert!(page.contains("so every figure on this page but those of pages is one of 0 hosts."));
    assert!(section(&page, "page-directives").contains("<figure"));
    // Nor are the figures of a query of pages those of 0 hosts.
    let said = |name: &str| query(&out, &[name]).succeed().stderr;
    assert_eq!(said("list-coverage-of-pages"), "");
    assert_says(&said("list-coverage"), "the figures are of 0 hosts");
}
