//! Enters: a site. Leaves: its robots.txt, written into a [`Body`] with the truth about it.
//!
//! Each template imitates one kind of file that stands on the web: its size, its fields, its
//! mistakes. The words are our own; no line was copied from a file of a real host, beyond names of
//! fields, crawlers and well-known paths. Many templates leave nothing to chance, so that their
//! files are the same on every site, as the defaults of real publishing systems are. This room
//! refuses to know under which status a file is served.

mod page;
mod platform;
mod policy;
mod quirk;

use crate::sample::body::Body;
use crate::sample::random::Random;
use crate::sample::site::Site;

pub(super) use page::{error_page, home_page, parking_page, redirect_page};

/// One kind of robots.txt.
#[derive(Debug)]
pub(super) struct Template {
    /// What the kind is called.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "it names the kind to readers and in tests")
    )]
    pub(super) name: &'static str,
    /// How often sites use it, against the sum of all weights.
    weight: u32,
    write: fn(&mut Body, &mut Draft),
}

/// What a template may use of its site.
pub(super) struct Draft<'a> {
    /// The scheme and host of the site, such as `https://host.example`.
    pub(super) base: &'a str,
    /// Whatever the template leaves to chance, the same at each visit to a site.
    pub(super) random: Random,
}

/// The place in [`CATALOG`] of a small file of several lines in which nothing is odd.
pub(super) const PLAIN: usize = 0;

/// All templates.
pub(super) static CATALOG: [Template; 58] = [
    Template {
        name: "open",
        weight: 60,
        write: platform::open,
    },
    Template {
        name: "open_by_allow",
        weight: 35,
        write: platform::open_by_allow,
    },
    Template {
        name: "closed",
        weight: 30,
        write: platform::closed,
    },
    Template {
        name: "empty",
        weight: 18,
        write: platform::empty,
    },
    Template {
        name: "blog",
        weight: 160,
        write: platform::blog,
    },
    Template {
        name: "blog_with_plugin",
        weight: 95,
        write: platform::blog_with_plugin,
    },
    Template {
        name: "blog_hardened",
        weight: 80,
        write: platform::blog_hardened,
    },
    Template {
        name: "shop",
        weight: 210,
        write: platform::shop,
    },
    Template {
        name: "catalog_shop",
        weight: 70,
        write: platform::catalog_shop,
    },
    Template {
        name: "portal",
        weight: 90,
        write: platform::portal,
    },
    Template {
        name: "portal_classic",
        weight: 20,
        write: platform::portal_classic,
    },
    Template {
        name: "site_builder",
        weight: 50,
        write: platform::site_builder,
    },
    Template {
        name: "page_builder",
        weight: 110,
        write: platform::page_builder,
    },
    Template {
        name: "wiki",
        weight: 8,
        write: platform::wiki,
    },
    Template {
        name: "forum",
        weight: 8,
        write: platform::forum,
    },
    Template {
        name: "own_work",
        weight: 70,
        write: platform::own_work,
    },
    Template {
        name: "sitemap_only",
        weight: 12,
        write: platform::sitemap_only,
    },
    Template {
        name: "many_sitemaps",
        weight: 8,
        write: platform::many_sitemaps,
    },
    Template {
        name: "managed_signals",
        weight: 60,
        write: policy::managed_signals,
    },
    Template {
        name: "ai_named",
        weight: 45,
        write: policy::ai_named,
    },
    Template {
        name: "ai_stacked",
        weight: 20,
        write: policy::ai_stacked,
    },
    Template {
        name: "ai_partial",
        weight: 10,
        write: policy::ai_partial,
    },
    Template {
        name: "ai_by_wildcard",
        weight: 4,
        write: policy::ai_by_wildcard,
    },
    Template {
        name: "allow_list",
        weight: 8,
        write: policy::allow_list,
    },
    Template {
        name: "seo_blocker",
        weight: 45,
        write: policy::seo_blocker,
    },
    Template {
        name: "hundreds_of_agents",
        weight: 36,
        write: policy::hundreds_of_agents,
    },
    Template {
        name: "content_usage",
        weight: 3,
        write: policy::content_usage,
    },
    Template {
        name: "license",
        weight: 3,
        write: policy::license,
    },
    Template {
        name: "ai_training_paths",
        weight: 2,
        write: policy::ai_training_paths,
    },
    Template {
        name: "crawl_delay",
        weight: 18,
        write: policy::crawl_delay,
    },
    Template {
        name: "odd_crawl_delay",
        weight: 3,
        write: policy::odd_crawl_delay,
    },
    Template {
        name: "host_and_clean_param",
        weight: 12,
        write: policy::host_and_clean_param,
    },
    Template {
        name: "old_fields",
        weight: 4,
        write: policy::old_fields,
    },
    Template {
        name: "agent_versions",
        weight: 3,
        write: policy::agent_versions,
    },
    Template {
        name: "comment_only",
        weight: 6,
        write: quirk::comment_only,
    },
    Template {
        name: "utf16_little_endian",
        weight: 1,
        write: quirk::utf16_little_endian,
    },
    Template {
        name: "utf16_big_endian",
        weight: 1,
        write: quirk::utf16_big_endian,
    },
    Template {
        name: "nul_bytes",
        weight: 1,
        write: quirk::nul_bytes,
    },
    Template {
        name: "invalid_utf8",
        weight: 3,
        write: quirk::invalid_utf8,
    },
    Template {
        name: "misspelt_fields",
        weight: 5,
        write: quirk::misspelt_fields,
    },
    Template {
        name: "unknown_spellings",
        weight: 3,
        write: quirk::unknown_spellings,
    },
    Template {
        name: "missing_colon",
        weight: 4,
        write: quirk::missing_colon,
    },
    Template {
        name: "rule_before_group",
        weight: 6,
        write: quirk::rule_before_group,
    },
    Template {
        name: "wildcards",
        weight: 20,
        write: quirk::wildcards,
    },
    Template {
        name: "leading_stars",
        weight: 16,
        write: quirk::leading_stars,
    },
    Template {
        name: "no_leading_slash",
        weight: 5,
        write: quirk::no_leading_slash,
    },
    Template {
        name: "pattern_shapes",
        weight: 8,
        write: quirk::pattern_shapes,
    },
    Template {
        name: "percent_and_non_ascii",
        weight: 8,
        write: quirk::percent_and_non_ascii,
    },
    Template {
        name: "long_line",
        weight: 1,
        write: quirk::long_line,
    },
    Template {
        name: "duplicate_groups",
        weight: 8,
        write: quirk::duplicate_groups,
    },
    Template {
        name: "changing_line_ends",
        weight: 2,
        write: quirk::changing_line_ends,
    },
    Template {
        name: "strange_blanks",
        weight: 3,
        write: quirk::strange_blanks,
    },
    Template {
        name: "second_byte_order_mark",
        weight: 2,
        write: quirk::second_byte_order_mark,
    },
    Template {
        name: "index_page",
        weight: 3,
        write: quirk::index_page,
    },
    Template {
        name: "json_instead",
        weight: 2,
        write: quirk::json_instead,
    },
    Template {
        name: "page_instead",
        weight: 32,
        write: page::page_instead,
    },
    Template {
        name: "page_with_directives",
        weight: 2,
        write: page::page_with_directives,
    },
    Template {
        name: "huge",
        weight: 1,
        write: quirk::huge,
    },
];

/// Returns the place in [`CATALOG`] of a template chosen by weight.
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

/// Writes the robots.txt of a site, which stands under `base`.
pub(super) fn robots_txt(site: &Site, base: &str, body: &mut Body) {
    body.clear(site.terminator);
    if site.has_bom {
        body.begin_with_bom();
    }
    let mut draft = Draft {
        base,
        random: Random::new(site.file_seed, 0),
    };
    (CATALOG[site.template].write)(body, &mut draft);
    if site.lacks_last_terminator && !body.is_utf16() {
        body.end_without_terminator();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::body::Terminator;
    use crate::sample::naive;
    use crate::sample::truth::AGENTS;

    fn assert_statements_hold(body: &Body, what: &str) {
        let (counts, named, closed) = naive::read(body.bytes());
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
        let mut body = Body::default();
        let mut site = Site::new(0, 1_000);
        for (template, entry) in CATALOG.iter().enumerate() {
            let is_big = ["huge", "long_line"].contains(&entry.name);
            for terminator in [
                Terminator::Lf,
                Terminator::CrLf,
                Terminator::Cr,
                Terminator::Mixed,
            ] {
                for file_seed in 0..if is_big { 1 } else { 50 } {
                    site.template = template;
                    site.terminator = terminator;
                    site.has_bom = file_seed % 3 == 0;
                    site.lacks_last_terminator = file_seed % 2 == 0;
                    site.file_seed = file_seed;
                    robots_txt(&site, "https://a-example.org", &mut body);
                    assert_statements_hold(&body, entry.name);
                }
            }
        }
    }

    #[test]
    fn every_page_states_what_it_writes() {
        let mut body = Body::default();
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
        let mut random = Random::new(1, 1);
        assert!(
            (0..10_000)
                .map(|_| choose(&mut random))
                .any(|place| place == CATALOG.len() - 1)
        );
    }
}
