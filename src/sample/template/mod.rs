//! The robots.txt of each kind of site, written into a [`BodyWriter`] with the truth about it.
//!
//! Each template imitates one kind of file on the web: its size, its fields, its mistakes. The
//! words are our own; no line was copied from a file of a real host, beyond names of fields,
//! crawlers and well-known paths. Many templates leave nothing to chance, so that their files are
//! the same on every site, as the defaults of real publishing systems are.
//!
//! A new template is a paragraph of `files.txt.j2`: `= name weight` begins it, and words behind
//! these two are a description. The lines of the file follow, as [`text`] reads them, in the syntax
//! of Jinja: `{{ base }}` is the origin of the site, `chance(600)` is true with a probability of
//! 600 in a thousand, `pick(list)` is one of a list, and `below(12)` a number below 12.
//!
//! `page.txt.j2` is what servers send instead of a robots.txt. It is parsed like any text, so a
//! line of a page may well be a directive to the dialect: one with a colon, or of just two words.

mod text;

use std::{cell::RefCell, sync::LazyLock};

use minijinja::{Environment, UndefinedBehavior, Value, context};

use crate::sample::{
    body::{BodyWriter, LineBreak},
    catalog::{Entry, entries},
    random::Random,
};

/// The index in [`CATALOG`] of a small file of several lines with nothing unusual.
pub(super) const PLAIN: usize = 0;

/// All templates of a robots.txt.
pub(super) static CATALOG: LazyLock<Vec<Entry>> =
    LazyLock::new(|| entries(include_str!("files.txt.j2")));

/// They and the page, by name.
static TEMPLATES: LazyLock<Environment> = LazyLock::new(|| {
    let mut templates = Environment::new();
    templates.set_trim_blocks(true);
    templates.set_lstrip_blocks(true);
    templates.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    templates.add_function("chance", |parts: usize| {
        SOURCE.with_borrow_mut(|random| random.per_mille(parts))
    });
    templates.add_function("below", |bound: usize| {
        SOURCE.with_borrow_mut(|random| random.below(bound))
    });
    templates.add_function("pick", |items: Value| {
        let length = items.len().unwrap_or_default();
        items.get_item_by_index(SOURCE.with_borrow_mut(|random| random.below(length)))
    });
    let files = CATALOG.iter().map(|file| (file.name, file.text));
    for (name, text) in files.chain([("page", include_str!("page.txt.j2"))]) {
        templates.add_template(name, text).expect(OWN);
    }
    templates
});

/// Why a template does not fail.
const OWN: &str = "the templates are part of this program";

thread_local! {
    /// The source of what the file that this thread writes leaves to chance.
    static SOURCE: RefCell<Random> = RefCell::new(Random::new(0));
}

fn render(name: &str, facts: Value, body: &mut BodyWriter) {
    let template = TEMPLATES.get_template(name).expect(OWN);
    text::write(&template.render(facts).expect(OWN), body);
}

/// Writes the file of the template with this index for a site with this origin, such as
/// `https://host.example`. It leaves to `random` what differs between sites.
pub(super) fn write(template: usize, base: &str, random: Random, body: &mut BodyWriter) {
    SOURCE.set(random);
    render(CATALOG[template].name, context! { base }, body);
}

/// Returns the index in [`CATALOG`] of a template chosen by weight.
pub(super) fn choose(random: &mut Random) -> usize {
    random.weighted(CATALOG.iter().map(|template| template.weight))
}

/// Writes a home page, to which a robots.txt was redirected.
pub(super) fn home_page(body: &mut BodyWriter) {
    body.clear(LineBreak::Lf);
    render("page", context! { title => "Home", paragraphs => 12 }, body);
}

/// Writes the page of a parking service.
pub(super) fn parking_page(body: &mut BodyWriter) {
    body.clear(LineBreak::CrLf);
    let title = "This name may be for sale";
    render("page", context! { title }, body);
}

/// Writes the body of a redirect.
pub(super) fn redirect_page(body: &mut BodyWriter, target: &str) {
    body.clear(LineBreak::CrLf);
    render("page", context! { title => "Moved", target }, body);
}

/// Writes the page of an error with this status.
pub(super) fn error_page(body: &mut BodyWriter, status: u16, paragraphs: usize) {
    body.clear(LineBreak::Lf);
    let title = match status {
        401 | 403 => "You may not see this page",
        400..=499 => "There is no such page",
        _ => "The server is busy or out of order",
    };
    render("page", context! { title, paragraphs }, body);
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
