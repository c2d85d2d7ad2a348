//! The robots.txt of each kind of site, written into a [`BodyWriter`] with the truth about it.
//!
//! Each template imitates one kind of file on the web: its size, its fields, its mistakes. The
//! words are our own; no line was copied from a file of a real host, beyond names of fields,
//! crawlers and well-known paths. Many templates leave nothing to chance, so that their files are
//! the same on every site, as the defaults of real publishing systems are.
//!
//! A new template is a function in one of the modules below and a line of [`CATALOG`].

mod page;
mod platform;
mod policy;
mod quirk;

use crate::sample::{body::BodyWriter, random::Random, site::Site};

pub(super) use page::{error_page, home_page, parking_page, redirect_page};

/// One kind of robots.txt.
#[derive(Debug)]
pub(super) struct Template {
    /// The name of the kind.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "it names the kind to readers and in tests")
    )]
    pub(super) name: &'static str,
    weight: usize,
    write: fn(&mut BodyWriter, &mut SiteContext),
}

/// What a template may use of its site.
pub(super) struct SiteContext<'a> {
    /// Scheme, host and port of the site, such as `https://host.example`.
    pub(super) base: &'a str,
    /// The source of what the template leaves to chance, the same at each visit to a site.
    pub(super) random: Random,
}

/// The index in [`CATALOG`] of a small file of several lines with nothing unusual.
pub(super) const PLAIN: usize = 0;

macro_rules! catalog {
    ($($weight:literal $module:ident::$name:ident,)*) => {
        /// All templates.
        pub(super) static CATALOG: &[Template] = &[
            $(Template { name: stringify!($name), weight: $weight, write: $module::$name },)*
        ];
    };
}

// How often sites use a template, against the sum of all weights, and the function that writes it.
catalog! {
    60 platform::open,
    35 platform::open_by_allow,
    30 platform::closed,
    18 platform::empty,
    160 platform::blog,
    95 platform::blog_with_plugin,
    80 platform::blog_hardened,
    210 platform::shop,
    70 platform::catalog_shop,
    90 platform::portal,
    20 platform::portal_classic,
    50 platform::site_builder,
    110 platform::page_builder,
    8 platform::wiki,
    8 platform::forum,
    70 platform::own_work,
    12 platform::sitemap_only,
    8 platform::many_sitemaps,
    60 policy::managed_signals,
    45 policy::ai_named,
    20 policy::ai_stacked,
    10 policy::ai_partial,
    4 policy::ai_by_wildcard,
    8 policy::allow_list,
    45 policy::seo_blocker,
    36 policy::hundreds_of_agents,
    3 policy::content_usage,
    3 policy::license,
    2 policy::ai_training_paths,
    18 policy::crawl_delay,
    3 policy::unusual_crawl_delay,
    12 policy::host_and_clean_param,
    4 policy::old_fields,
    3 policy::agent_versions,
    6 quirk::comment_only,
    1 quirk::utf16_little_endian,
    1 quirk::utf16_big_endian,
    1 quirk::nul_bytes,
    3 quirk::invalid_utf8,
    5 quirk::misspelt_fields,
    3 quirk::unknown_spellings,
    4 quirk::missing_colon,
    6 quirk::rule_before_group,
    20 quirk::wildcards,
    16 quirk::leading_stars,
    5 quirk::no_leading_slash,
    8 quirk::pattern_shapes,
    8 quirk::percent_and_non_ascii,
    1 quirk::long_line,
    8 quirk::duplicate_groups,
    2 quirk::changing_line_ends,
    3 quirk::strange_blanks,
    2 quirk::second_byte_order_mark,
    3 quirk::index_page,
    2 quirk::json_instead,
    32 page::page_instead,
    2 page::page_with_directives,
    1 quirk::huge,
}

/// Returns the index in [`CATALOG`] of a template chosen by weight.
pub(super) fn choose(random: &mut Random) -> usize {
    let total = CATALOG.iter().map(|template| template.weight).sum();
    let mut drawn = random.below(total);
    let chosen = CATALOG.iter().position(|template| {
        let is_drawn = drawn < template.weight;
        drawn = drawn.saturating_sub(template.weight);
        is_drawn
    });
    chosen.unwrap_or(PLAIN)
}

/// Writes the robots.txt that a site serves under `base`.
pub(super) fn robots_txt(site: &Site, base: &str, body: &mut BodyWriter) {
    body.clear(site.line_break);
    if site.has_bom {
        body.begin_with_bom();
    }
    let mut context = SiteContext {
        base,
        random: Random::of_stream(site.file_seed, 0),
    };
    (CATALOG[site.template].write)(body, &mut context);
    if site.lacks_last_line_break && !body.is_utf16() {
        body.end_without_line_break();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{body::LineBreak, recount, truth::AGENTS};

    fn assert_statements_hold(body: &BodyWriter, what: &str) {
        let (counts, named, closed) = recount::body(body.bytes());
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
        let text = String::from_utf8_lossy(&body.bytes()[..body.bytes().len().min(2_000)]);
        assert_eq!(*body.counts(), counts, "{what}: {text}");
        assert_eq!(names(body.named()), named, "{what}: {text}");
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
                for file_seed in 0..if is_big { 1 } else { 50 } {
                    site.template = template;
                    site.line_break = line_break;
                    site.has_bom = file_seed % 3 == 0;
                    site.lacks_last_line_break = file_seed % 2 == 0;
                    site.file_seed = file_seed;
                    robots_txt(&site, "https://a-example.org", &mut body);
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
            assert!(body.is_html());
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
