//! The charts of a dataset with pages.

use super::{page, section};
use crate::{
    page_runs::Pages,
    util::{Dir, run},
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
    let out = dir.path("census");
    run(&[
        &archive,
        "--pages",
        "--quiet",
        "--out",
        out.to_str().unwrap(),
    ])
    .succeed();
    let Some((_, with)) = page(&dir, &out) else {
        return;
    };
    for (id, says) in SECTIONS.into_iter().zip([
        "The most frequent is nofollow (body), on 100",
        "n = 40 pages with a statement on the page as a whole",
        "n = 40 links of 40 hosts",
    ]) {
        let section = section(&with, id);
        assert!(section.contains(says), "{id}: {section}");
        assert!(section.contains("<figure"), "{id}");
        assert!(with.contains(&format!("<a href=\"#{id}\">")), "{id}");
    }
    let compared = section(&with, "robots-and-pages");
    assert!(compared.contains("75.0\u{a0}% \u{b7} 30"), "{compared}");
    // Another run, of the same archive without pages.
    let without = dir.path("without");
    run(&[&archive, "--quiet", "--out", without.to_str().unwrap()]).succeed();
    let (_, without) = page(&dir, &without).unwrap();
    for id in SECTIONS {
        assert!(!without.contains(id), "{id}");
    }
}
