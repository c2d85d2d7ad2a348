//! Files with one mistake or rarity on which parsers disagree.
//!
//! What the dialect `google` makes of a line is stated where the line is written, from the
//! functions of robots.cc.

use crate::sample::{
    body::{BodyWriter, LineBreak, PARSING_LIMIT},
    reach::{Effect, Reach},
    template::SiteContext,
};

pub(super) fn comment_only(body: &mut BodyWriter, site: &mut SiteContext) {
    body.comment("Nothing here is forbidden.");
    if site.random.per_mille(500) {
        body.comment("User-agent: *");
        body.comment("Disallow: /");
    }
}

pub(super) fn utf16_little_endian(body: &mut BodyWriter, site: &mut SiteContext) {
    utf16(body, site, false);
}

pub(super) fn utf16_big_endian(body: &mut BodyWriter, site: &mut SiteContext) {
    utf16(body, site, true);
}

fn utf16(body: &mut BodyWriter, site: &mut SiteContext, is_big_endian: bool) {
    body.clear(LineBreak::Lf);
    body.agent("*");
    body.disallow("/saved-with-a-text-editor/");
    body.sitemap(&[site.base, "/sitemap.xml"]);
    body.encode_as_utf16(is_big_endian);
}

pub(super) fn nul_bytes(body: &mut BodyWriter, _: &mut SiteContext) {
    body.agent("*");
    body.disallow("/before\0after/");
    body.agent_as("GPTBot", &["User-agent: GPTBot\0, CCBot"]);
    body.disallow("/x/");
    body.ignored("\0Disallow: /");
    body.ignored("Disallow\0: /");
}

/// A comment and two paths in a one-byte character set.
pub(super) fn invalid_utf8(body: &mut BodyWriter, _: &mut SiteContext) {
    body.write_bytes(b"# Stra\xDFe, caf\xE9");
    body.comment("");
    body.agent("*");
    body.write_bytes(b"Disallow: /caf\xE9/");
    body.rule_as(Effect::Disallow, 0, &[]);
    body.write_bytes(b"Disallow: /\xFF\xFE\x80/");
    body.rule_as(Effect::Disallow, 0, &["menu"]);
}

/// Misspelt fields, all of which the dialect accepts.
pub(super) fn misspelt_fields(body: &mut BodyWriter, site: &mut SiteContext) {
    body.agent_as("*", &["Useragent: *"]);
    for line in [
        "Disalow: /a/",
        "Dissallow: /b/",
        "Dissalow: /c/",
        "Diasllow: /d/",
        "Disallaw: /e/",
        "DISALLOW : /f/",
    ] {
        body.rule_as(Effect::Disallow, 0, &[line]);
    }
    body.agent_as("GPTBot", &["User agent: GPTBot"]);
    body.rule_as(Effect::Disallow, 1, &["disalow:/"]);
    body.agent_as("ClaudeBot", &["User-agents: ClaudeBot"]);
    body.rule_as(Effect::Allow, 0, &["Allowed: /g/"]);
    body.write("Site-map: ");
    body.sitemap_as(&[site.base, "/map.xml"]);
}

/// Misspelt fields that no parser accepts.
pub(super) fn unknown_spellings(body: &mut BodyWriter, _: &mut SiteContext) {
    body.other("User_agent", "CCBot");
    body.other("Usre-agent", "*");
    body.rule_as(Effect::Disallow, 1, &["Disallow: /"]);
    body.agent("*");
    body.other("Dissalllow", "/a/");
    body.other("Alow", "/b/");
    body.other("Dis allow", "/c/");
    body.other("-Disallow", "/d/");
    body.ignored(": /e/");
}

pub(super) fn missing_colon(body: &mut BodyWriter, _: &mut SiteContext) {
    body.agent_as("*", &["User-agent *"]);
    body.rule_as(Effect::Disallow, 0, &["Disallow /private/"]);
    body.rule_as(Effect::Disallow, 0, &["Disallow\t \t/tabs/"]);
    body.ignored("Disallow /two words/");
    body.ignored("Disallow");
    body.other_as(&["Keep out"]);
    body.ignored("Please keep out of here");
}

pub(super) fn rule_before_group(body: &mut BodyWriter, site: &mut SiteContext) {
    body.rule_as(Effect::Disallow, 1, &["Disallow: /"]);
    body.allow("/public/");
    body.blank();
    if site.random.per_mille(400) {
        body.agent("*");
        body.disallow("/later/");
    }
}

pub(super) fn wildcards(body: &mut BodyWriter, site: &mut SiteContext) {
    body.agent("*");
    body.disallow_each(
        "/*.pdf$ /*?* */print* /a/*/b/*/c /shop***** /price$list /*$$ /tail*$ *.php /*/*/*/*/",
    );
    body.allow("/*.pdf$x");
    body.allow("/$path");
    if site.random.per_mille(200) {
        body.disallow_root("/***");
    }
}

/// Patterns that begin with a star and not with a slash.
pub(super) fn leading_stars(body: &mut BodyWriter, site: &mut SiteContext) {
    body.agent("*");
    if site.random.per_mille(300) {
        body.disallow_root("/");
        for pattern in ["*.css", "*.js$", "*/banner.svg"] {
            body.allow(pattern);
        }
        return;
    }
    let count = 1 + site.random.below(5);
    for pattern in &["*.pdf", "*.docx$", "*/print/", "*?replytocom=", "*&page="][..count] {
        body.disallow(pattern);
    }
    if site.random.per_mille(300) {
        body.agent("GPTBot");
        body.disallow("");
    }
}

/// Patterns that begin with neither a slash nor a star: as written they match no path.
pub(super) fn no_leading_slash(body: &mut BodyWriter, site: &mut SiteContext) {
    body.agent("*");
    for value in [
        "private/",
        "search.php",
        ".js$",
        "?sort=",
        ";version=",
        "&page=",
        "~",
        "$",
        "%2Fhidden%2F",
        "\"drafts\"",
        "['doc', 'pdf'],",
        "https://shop.example/basket",
        "größe/",
    ] {
        body.rule(Effect::Disallow, Reach::Nothing, &["Disallow: ", value]);
    }
    if site.random.per_mille(500) {
        body.agent("CCBot");
        body.disallow_root("/");
        body.rule(Effect::Allow, Reach::Nothing, &["Allow: feed.xml"]);
    }
}

/// Patterns that begin with a slash and have rare characters.
pub(super) fn pattern_shapes(body: &mut BodyWriter, site: &mut SiteContext) {
    #[rustfmt::skip]
    const SHAPES: [&str; 36] = [
        "//", "//cdn/", "/tag//*", "/?", "/?s=$", "/*?", "/*?*sort=*&*page=", "/*;session=",
        "/;v=1", "/*,*", "/*=*", "/*&", "/*%*", "/%", "/a%2525b", "/a%3fb%23c", "/$id$/edit",
        "/list$$", "/^.*$", "/(old|new)/", "/[a-z]+/", "/{id}", "/Documents and Settings/",
        "/\"quoted\"/", "/it's/", "/@me/", "/wiki/Special:Search", "/https://shop.example/", "/./",
        "/../", "/.git", "/a/*", "/a/**", "/design/*************", "/*/*/*/*-*-*/", "/back\\slash",
    ];
    body.agent("*");
    let first = site.random.below(SHAPES.len() / 2);
    for pattern in &SHAPES[first..first + SHAPES.len() / 2] {
        body.disallow(pattern);
    }
    body.allow(SHAPES[first]);
    body.agent("GPTBot");
    body.disallow(SHAPES[first]);
}

pub(super) fn percent_and_non_ascii(body: &mut BodyWriter, site: &mut SiteContext) {
    body.comment("Größe, 大小, ขนาด");
    body.agent("*");
    body.disallow_each("/größe/ /%c3%a9t%c3%a9/ /%7Euser/ /100%/ /%zz/ /大小.html /a%2Fb /%2A%24");
    body.allow("/été/");
    body.sitemap(&[site.base, "/karte-größe.xml"]);
}

/// Lines around the line limit of the dialect: what follows byte 16,663 is dropped.
pub(super) fn long_line(body: &mut BodyWriter, _: &mut SiteContext) {
    const LONGEST_LINE: usize = 16_663;
    body.agent("*");
    body.disallow("/short/");
    body.write("Disallow: /long/");
    body.rule_as(Effect::Disallow, 0, &[&"x".repeat(20_000)]);
    let blanks = " ".repeat(LONGEST_LINE);
    body.ignored(&[&blanks, "Disallow: /"].concat());
    body.comment(&"long comment ".repeat(2_000));
    body.agent("GPTBot");
    body.disallow_root("/");
}

pub(super) fn duplicate_groups(body: &mut BodyWriter, _: &mut SiteContext) {
    body.agent("*");
    body.disallow("/one/");
    body.agent("Googlebot");
    body.disallow("/two/");
    body.disallow("/two/");
    body.blank();
    body.agent("*");
    body.disallow("/three/");
    body.agents("googlebot bingbot");
    body.disallow_root("/");
    body.agent("Googlebot");
    body.allow("/four/");
}

/// Each line ends in its own way, and LF CR makes two ends.
pub(super) fn changing_line_ends(body: &mut BodyWriter, _: &mut SiteContext) {
    body.end_lines_with(LineBreak::CrLf);
    body.agent("*");
    body.end_lines_with(LineBreak::Cr);
    body.disallow("/carriage/");
    body.disallow("/return/");
    body.end_lines_with(LineBreak::Lf);
    body.disallow("/feed/");
    body.end_lines_with(LineBreak::Cr);
    body.blank();
    body.agent("CCBot");
    body.disallow_root("/");
}

/// White space that is not ASCII is no white space, and a wide colon is no colon.
pub(super) fn strange_blanks(body: &mut BodyWriter, _: &mut SiteContext) {
    body.agent_as("*", &["\t User-agent :\u{B}*\u{C}"]);
    body.rule(
        Effect::Disallow,
        Reach::Nothing,
        &["Disallow:\u{A0}/no-break/"],
    );
    body.other_as(&["\u{200B}Disallow: /zero-width/"]);
    body.ignored("Disallow：/wide-colon/");
    body.rule_as(Effect::Disallow, 0, &["Disallow:/no-blank/"]);
    body.rule_as(
        Effect::Disallow,
        0,
        &["   Disallow:   /many blanks/   # and a remark"],
    );
}

/// A second mark is no mark: the first line is an unknown field.
pub(super) fn second_byte_order_mark(body: &mut BodyWriter, _: &mut SiteContext) {
    body.clear(LineBreak::Lf);
    body.begin_with_bom();
    body.other_as(&["\u{FEFF}User-agent: *"]);
    body.rule_as(Effect::Disallow, 1, &["Disallow: /"]);
    body.agent("CCBot");
    body.disallow("/x/");
    body.other_as(&["\u{FEFF}Disallow: /in-the-middle/"]);
}

/// An allow for the index page opens its folder as well: `/index.html` counts as `/$`.
pub(super) fn index_page(body: &mut BodyWriter, _: &mut SiteContext) {
    body.agent("*");
    body.disallow_root("/");
    body.rule(Effect::Allow, Reach::Root(2), &["Allow: /index.html"]);
    body.allow("/help/index.htm");
    body.allow("/help/INDEX.html");
}

pub(super) fn json_instead(body: &mut BodyWriter, _: &mut SiteContext) {
    body.serve_as("application/json");
    body.ignored("{");
    body.other_as(&["  \"error\": \"no such route\","]);
    body.other_as(&["  \"code\": 0"]);
    body.ignored("}");
}

/// Longer than the parsing limit; the rules after it are ignored.
pub(super) fn huge(body: &mut BodyWriter, site: &mut SiteContext) {
    body.clear(LineBreak::Lf);
    body.agent("*");
    let mut nth = site.random.below(1_000_000);
    while body.bytes().len() + 200 < PARSING_LIMIT {
        nth += 1;
        let number = nth.to_string();
        body.rule_as(
            Effect::Disallow,
            0,
            &[
                "Disallow: /catalog/discontinued/products/by-number/of-the-last-century/",
                &number,
                "/details.html",
            ],
        );
    }
    body.pad_to_parsing_limit();
    for agent in ["GPTBot", "*"] {
        body.ignored(&["User-agent: ", agent].concat());
        body.ignored("Disallow: /");
    }
}
