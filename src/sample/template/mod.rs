//! The robots.txt of each kind of site, written into a [`BodyWriter`] with the truth about it.
//!
//! Each template imitates one kind of file on the web: its size, its fields, its mistakes. The
//! words are our own; no line was copied from a file of a real host, beyond names of fields,
//! crawlers and well-known paths. Many templates leave nothing to chance, so that their files are
//! the same on every site, as the defaults of real publishing systems are.
//!
//! A new template is a paragraph of `files.txt`; see [`text`].

mod page;
mod special;
mod text;

use std::sync::LazyLock;

use crate::sample::{
    body::BodyWriter,
    catalog::{Entry, entries},
    random::Random,
};

pub(super) use self::{
    page::{error_page, home_page, parking_page, redirect_page},
    text::SiteContext,
};

/// The index in [`CATALOG`] of a small file of several lines with nothing unusual.
pub(super) const PLAIN: usize = 0;

/// All templates; one that a function writes has no lines.
pub(super) static CATALOG: LazyLock<Vec<Entry>> =
    LazyLock::new(|| entries(include_str!("files.txt")));

/// Writes the file of the template with this index.
pub(super) fn write(template: usize, body: &mut BodyWriter, site: &mut SiteContext) {
    let template = &CATALOG[template];
    if let Some(write) = special::named(template.name) {
        write(body, site);
    } else {
        text::write(template.text, body, site);
    }
}

/// Returns the index in [`CATALOG`] of a template chosen by weight.
pub(super) fn choose(random: &mut Random) -> usize {
    random.weighted(CATALOG.iter().map(|template| template.weight))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{
        body::{AGENTS, LineBreak},
        recount,
        site::Site,
    };

    fn assert_statements_hold(body: &BodyWriter, what: &str) {
        let (counts, named, closed) = recount::body(&body.bytes);
        let names = |set: u16| {
            let mut names: Vec<_> = AGENTS
                .iter()
                .enumerate()
                .filter(|(n, _)| set >> n & 1 == 1)
                .map(|(_, &name)| name)
                .collect();
            names.sort_unstable();
            names
        };
        let text = String::from_utf8_lossy(&body.bytes[..body.bytes.len().min(2_000)]);
        assert_eq!(body.counts, counts, "{what}: {text}");
        assert_eq!(names(body.named), named, "{what}: {text}");
        assert_eq!(names(body.root_disallowed()), closed, "{what}: {text}");
    }

    #[test]
    fn every_template_states_what_it_writes() {
        let mut body = BodyWriter::default();
        let mut site = Site::new(0, 1_000);
        for (template, entry) in CATALOG.iter().enumerate() {
            let is_big = ["huge", "long_line"].contains(&entry.name);
            for line_break in [
                LineBreak::Lf,
                LineBreak::CrLf,
                LineBreak::Cr,
                LineBreak::Mixed,
            ] {
                for file_seed in 0..if is_big { 1 } else { 12 } {
                    site.template = template;
                    site.line_break = line_break;
                    site.has_bom = file_seed % 3 == 0;
                    site.lacks_last_line_break = file_seed % 2 == 0;
                    site.file_seed = file_seed;
                    site.write_robots_txt("https://a-example.org", &mut body);
                    assert_statements_hold(&body, entry.name);
                }
            }
        }
    }

    #[test]
    fn every_page_states_what_it_writes() {
        let mut body = BodyWriter::default();
        home_page(&mut body);
        assert_statements_hold(&body, "home page");
        parking_page(&mut body);
        assert_statements_hold(&body, "parking page");
        for target in ["https://a-example.org/robots.txt", "/en/robots.txt"] {
            redirect_page(&mut body, target);
            assert_statements_hold(&body, target);
        }
        for status in [403, 404, 503] {
            error_page(&mut body, status, 7);
            assert_statements_hold(&body, "error page");
            assert!(body.is_html);
        }
    }

    #[test]
    fn names_are_distinct_and_the_plain_template_has_lines() {
        let names: std::collections::HashSet<_> =
            CATALOG.iter().map(|template| template.name).collect();
        assert_eq!(names.len(), CATALOG.len());
        assert_eq!(CATALOG[PLAIN].name, "open");
        let mut random = Random::new(1);
        assert!(
            (0..10_000)
                .map(|_| choose(&mut random))
                .any(|index| index == CATALOG.len() - 1)
        );
    }
}
