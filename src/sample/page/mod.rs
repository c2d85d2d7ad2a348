//! Pages of HTML that state something about themselves, with what is true of each.
//!
//! A page has the size and the parts of one of a large crawl: metadata, a style sheet, scripts,
//! navigation, paragraphs, comments of readers. What it states is one of [`TRAITS`]; where the rest
//! has links, they are counted as they are written. No parser is involved.

mod charset;
mod traits;
mod truth;
mod writer;

use self::{traits::TRAITS, writer::PageWriter};
pub(super) use self::{
    truth::PagesTruth,
    writer::{CLOSED_PATH, Page},
};
use crate::sample::random::Random;

/// How often the first pages show every trait.
const SHOWCASES: u64 = 2;

impl Page {
    /// Returns the page with this number, which is unique in the archive.
    pub(super) fn new(number: u64, random: &mut Random) -> Page {
        let n_traits = TRAITS.len() as u64;
        let shown = if number < SHOWCASES * n_traits {
            &TRAITS[(number % n_traits) as usize]
        } else {
            &TRAITS[random.weighted(TRAITS.iter().map(|shown| shown.weight))]
        };
        let mut page = PageWriter::new(random, number, shown.name);
        traits::write(shown, &mut page);
        page.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(feature = "pages")]
    use crate::page::{Page as ReadPage, PageFinding, PageReader, testing};

    /// Returns what a reader finds, in the form of [`Stated::statements`].
    #[cfg(feature = "pages")]
    fn statements(page: &ReadPage) -> Vec<String> {
        let shown = (page.statements().iter()).map(|statement| testing::shown(page, statement));
        shown.collect()
    }

    fn pages(n: u64) -> impl Iterator<Item = Page> {
        (0..n).map(|number| Page::new(number, &mut Random::of_stream(5, number)))
    }

    #[cfg(feature = "pages")]
    #[test]
    fn every_page_states_what_a_reader_finds() {
        let mut reader = PageReader::new();
        let mut read = ReadPage::new();
        for page in pages(600) {
            let fields = page.fields.lines().filter_map(|line| line.split_once(": "));
            let fields = [("Content-Type", page.content_type)]
                .into_iter()
                .chain(fields);
            let fields = fields.map(|(name, value)| (name.as_bytes(), value.as_bytes()));
            if page.stated.is_html {
                reader.read(&page.body, fields, &mut read);
            } else {
                reader.read_fields(fields, &mut read);
            }
            let (mut found, mut stated) = (statements(&read), page.stated.statements);
            found.sort_unstable();
            stated.sort_unstable();
            let name = page.stated.trait_name;
            assert_eq!(found, stated, "{name}");
            let counts = read.counts();
            let counts = [
                counts.links,
                counts.nofollow_links,
                counts.ugc_links,
                counts.sponsored_links,
                counts.nosnippets,
            ];
            assert_eq!(counts, page.stated.counts, "{name}");
            let findings: Vec<_> = read.findings().iter().map(PageFinding::as_str).collect();
            assert_eq!(findings, page.stated.findings, "{name}");
            assert_eq!(read.encoding(), page.stated.encoding, "{name}");
        }
    }

    #[test]
    fn pages_have_the_size_of_those_of_a_crawl() {
        for page in pages(600).filter(|page| page.stated.is_html) {
            let text = page.body.len()
                / if page.stated.encoding == "UTF-16LE" {
                    2
                } else {
                    1
                };
            let most = match page.stated.trait_name {
                "huge_attribute" | "deep_nesting" => 75_000,
                _ => 41_000,
            };
            assert!(
                (29_000..most).contains(&text),
                "{} {text}",
                page.stated.trait_name
            );
        }
    }

    #[test]
    fn every_trait_is_shown_twice() {
        let mut times = std::collections::HashMap::new();
        for page in pages(SHOWCASES * TRAITS.len() as u64) {
            *times.entry(page.stated.trait_name).or_insert(0) += 1;
        }
        assert_eq!(times.len(), TRAITS.len());
        for shown in &*TRAITS {
            assert_eq!(times[shown.name], SHOWCASES, "{}", shown.name);
        }
    }
}
