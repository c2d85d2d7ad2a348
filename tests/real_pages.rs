//! Real pages: what is read of them is what html5ever's tree has.
//!
//! Many servers answer a request for robots.txt with a page, so archives of these have thousands.

use robocensus::{
    archive::{
        capture::CaptureReader,
        warc::{Limits, Reader},
    },
    dataset::run::DEFAULT_MAX_BODY,
    page::{Directive, Page, PageFinding, PageReader, StatementSource},
};

use crate::{
    html_tree::each_element,
    util::{files_below, or_skip, shared},
};

/// Archives whose pages are compared.
const MOST_ARCHIVES: usize = 3;

/// What is compared of a page.
#[derive(Debug, Default, PartialEq)]
struct Found {
    /// The `meta` elements for all crawlers, by where they are.
    places: Vec<&'static str>,
    n_nosnippet: u64,
    n_links: u64,
    n_nofollow: u64,
}

fn ours(page: &Page) -> Found {
    let of_meta = page.statements().iter().filter(|statement| {
        let is_tdm = matches!(
            statement.directive,
            Some(Directive::TdmReservation | Directive::TdmPolicy)
        );
        statement.source == StatementSource::Meta
            && page.text(statement.agent_token) == "*"
            && !is_tdm
    });
    let mut of_meta: Vec<_> = of_meta.collect();
    of_meta.dedup_by_key(|statement| statement.byte_offset);
    let mut places: Vec<_> = of_meta
        .iter()
        .map(|statement| statement.place.as_str())
        .collect();
    places.sort_unstable();
    let counts = page.counts();
    Found {
        places,
        n_nosnippet: counts.nosnippets,
        n_links: counts.links,
        n_nofollow: counts.nofollow_links,
    }
}

fn theirs(body: &[u8]) -> Found {
    let mut found = Found::default();
    each_element(body, |element| {
        let value = |name: &str| element.value(name).map(str::to_lowercase);
        let rel = value("rel").unwrap_or_default();
        let has = |token: &str| rel.split_ascii_whitespace().any(|other| other == token);
        let is_stated = has("nofollow") || has("ugc") || has("sponsored");
        match element.name {
            "meta" => {
                let is_for_all = value("name").is_some_and(|name| name.trim_ascii() == "robots");
                found.places.extend(is_for_all.then_some(element.place));
            }
            "a" | "area" | "form" => {
                let is_link = element.name != "form" && value("href").is_some();
                found.n_links += u64::from(is_link || is_stated);
                found.n_nofollow += u64::from(has("nofollow"));
            }
            "span" | "div" | "section" => {
                found.n_nosnippet += u64::from(value("data-nosnippet").is_some());
            }
            _ => {}
        }
    });
    found.places.sort_unstable();
    found
}

#[test]
fn real_pages_have_the_elements_of_an_independent_parser() {
    let folder = or_skip!(shared("corpus"));
    let mut pages = PageReader::new();
    let mut page = Page::new();
    let (mut n_pages, mut n_copied, mut n_stating) = (0, 0, 0);
    for path in files_below(&folder).into_iter().take(MOST_ARCHIVES) {
        let archive = std::fs::read(&path).unwrap();
        let mut source = &archive[..];
        let mut reader = Reader::new(Limits::default());
        let mut captures = CaptureReader::new(DEFAULT_MAX_BODY);
        captures.begin(true);
        while let Some(record) = reader.read_record(&mut source) {
            let Ok(capture) = captures.read(&record) else {
                continue;
            };
            if !capture.is_html {
                continue;
            }
            pages.read(capture.payload, [], &mut page);
            // The tree is made of the bytes as UTF-8, and is as deep as they say.
            let is_ascii = ["UTF-8", "windows-1252"].contains(&page.encoding());
            if !is_ascii || page.findings().contains(PageFinding::NestedTooDeep) {
                continue;
            }
            let (mut ours, theirs) = (ours(&page), theirs(capture.payload));
            n_pages += 1;
            n_stating += usize::from(!ours.places.is_empty());
            // html5ever copies a link where it overlaps a block.
            if theirs.n_links > ours.n_links {
                n_copied += 1;
                ours.n_links = theirs.n_links;
                assert!(theirs.n_nofollow >= ours.n_nofollow);
                ours.n_nofollow = theirs.n_nofollow;
            }
            assert_eq!(ours, theirs, "page {n_pages} of {}", path.display());
        }
    }
    assert!(n_pages > 500 && n_stating > 50, "{n_stating} of {n_pages}");
    assert!(n_copied * 20 < n_pages, "{n_copied} of {n_pages}");
}
