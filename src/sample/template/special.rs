//! Templates that leave more to chance than which lines there are, or are too large to be written
//! down.

use crate::sample::{
    body::{BodyWriter, LineBreak, PARSING_LIMIT, Statement},
    reach::{Effect, Reach},
    template::{page::write_article, text::SiteContext},
};

/// Crawlers that gather text for language models.
const AI: &str = "\
    GPTBot CCBot ClaudeBot Google-Extended PerplexityBot anthropic-ai Bytespider Amazonbot \
    ChatGPT-User Claude-Web cohere-ai Diffbot FacebookBot ImagesiftBot Meta-ExternalAgent \
    Applebot-Extended omgili OAI-SearchBot YouBot Timpibot AI2Bot DuckAssistBot";

/// Crawlers of tools for search engine marketing.
const SEO: &str = "\
    AhrefsBot SemrushBot MJ12bot DotBot BLEXBot rogerbot SeekportBot DataForSeoBot serpstatbot \
    MegaIndex PetalBot ZoominfoBot SEOkicks linkdexbot spbot Barkrowler";

/// Returns the function that writes the template of this name; `None` where `files.txt` has its
/// lines.
pub(super) fn named(name: &str) -> Option<fn(&mut BodyWriter, &mut SiteContext)> {
    Some(match name {
        "own_work" => own_work,
        "ai_named" => ai_named,
        "ai_stacked" => ai_stacked,
        "seo_blocker" => seo_blocker,
        "hundreds_of_agents" => hundreds_of_agents,
        "leading_stars" => leading_stars,
        "pattern_shapes" => pattern_shapes,
        "long_line" => long_line,
        "page_instead" => page_instead,
        "huge" => huge,
        _ => return None,
    })
}

fn sitemap(body: &mut BodyWriter, site: &SiteContext) {
    let line = format!("Sitemap: {}/sitemap.xml", site.base);
    body.line(Statement::Sitemap, line);
}

/// A file written by hand: a few rules, some of them about this site only.
fn own_work(body: &mut BodyWriter, site: &mut SiteContext) {
    #[rustfmt::skip]
    const FOLDERS: [&str; 20] = [
        "/private/", "/tmp/", "/cgi-bin/", "/test/", "/old/", "/backup/", "/stats/", "/members/",
        "/intern/", "/drafts/", "/print/", "/pdf/", "/api/v2/", "/download.php", "/search?",
        "/login", "/cart", "/images/raw/", "/staging/", "/calendar/print",
    ];
    if site.random.per_mille(300) {
        body.comment("written by hand, please keep in order");
    }
    body.agents("*");
    let n_rules = 1 + site.random.below(12);
    let rules: Vec<(&str, bool)> = (0..n_rules)
        .map(|_| (site.random.pick(&FOLDERS), site.random.per_mille(120)))
        .collect();
    for &(folder, is_allow) in &rules {
        if is_allow {
            body.allow(folder);
        } else if rules.contains(&(folder, true)) {
            // The allow line takes it back.
            let statement = Statement::Rule(Effect::Disallow, Reach::Nothing);
            body.line(statement, format!("Disallow: {folder}"));
        } else {
            body.disallow(folder);
        }
    }
    if site.random.per_mille(250) {
        const ENGINES: [&str; 6] = [
            "Googlebot",
            "bingbot",
            "Slurp",
            "Googlebot-Image",
            "msnbot",
            "Baiduspider",
        ];
        body.blank();
        body.agents(site.random.pick(&ENGINES));
        body.disallow(site.random.pick(&FOLDERS));
    }
    if site.random.per_mille(500) {
        body.blank();
        sitemap(body, site);
    }
}

fn ai_named(body: &mut BodyWriter, site: &mut SiteContext) {
    body.agents("*");
    body.disallow("/search");
    body.blank();
    body.comment("No training on our work");
    let wanted = 250 + site.random.below(700);
    for agent in AI.split(' ') {
        if site.random.per_mille(wanted) {
            body.agents(agent);
            body.disallow("/");
            body.blank();
        }
    }
}

fn ai_stacked(body: &mut BodyWriter, site: &mut SiteContext) {
    let first = site.random.below(4);
    let count = 4 + site.random.below(14);
    for agent in AI.split(' ').skip(first).take(count) {
        if site.random.per_mille(100) {
            body.agents(&agent.to_ascii_lowercase());
        } else {
            body.agents(agent);
        }
    }
    body.disallow("/");
    body.blank();
    body.agents("*");
    body.disallow("");
    sitemap(body, site);
}

fn seo_blocker(body: &mut BodyWriter, site: &mut SiteContext) {
    if site.random.per_mille(600) {
        for agent in SEO.split(' ') {
            body.agents(agent);
            body.disallow("/");
        }
    } else {
        body.agents(SEO);
        body.disallow("/");
    }
    body.blank();
    body.agents("*");
    for pattern in ["/admin/", "/checkout/", "/*?sort="] {
        body.disallow(pattern);
    }
}

/// A list of collected crawler names, most of which have been inactive for years.
fn hundreds_of_agents(body: &mut BodyWriter, site: &mut SiteContext) {
    #[rustfmt::skip]
    const NAMES: [&[&str]; 3] = [
        &["Web", "Net", "Site", "Mail", "Link", "Page", "Image", "Offline"],
        &["Sucker", "Grabber", "Reaper", "Harvest", "Copier", "Snake", "Spider"],
        &["/1.0", "-x", "_pro", " 2"],
    ];
    let one_rule_each = site.random.per_mille(500);
    for nth in 0..300 {
        let n_parts = if nth % 3 == 0 { 3 } else { 2 };
        let parts = NAMES[..n_parts].iter().map(|names| site.random.pick(names));
        let name: String = parts.collect();
        body.line(Statement::Agent(&name), format!("User-agent: {name}"));
        if one_rule_each {
            body.disallow("/");
        }
    }
    body.agents("CCBot Bytespider AhrefsBot MJ12bot");
    body.disallow("/");
    body.agents("*");
    body.line(Statement::Other, "Crawl-delay: 10");
}

/// Patterns that begin with a star and not with a slash.
fn leading_stars(body: &mut BodyWriter, site: &mut SiteContext) {
    body.agents("*");
    if site.random.per_mille(300) {
        body.disallow("/");
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
        body.agents("GPTBot");
        body.disallow("");
    }
}

/// Patterns that begin with a slash and have rare characters.
fn pattern_shapes(body: &mut BodyWriter, site: &mut SiteContext) {
    #[rustfmt::skip]
    const SHAPES: [&str; 36] = [
        "//", "//cdn/", "/tag//*", "/?", "/?s=$", "/*?", "/*?*sort=*&*page=", "/*;session=",
        "/;v=1", "/*,*", "/*=*", "/*&", "/*%*", "/%", "/a%2525b", "/a%3fb%23c", "/$id$/edit",
        "/list$$", "/^.*$", "/(old|new)/", "/[a-z]+/", "/{id}", "/Documents and Settings/",
        "/\"quoted\"/", "/it's/", "/@me/", "/wiki/Special:Search", "/https://shop.example/", "/./",
        "/../", "/.git", "/a/*", "/a/**", "/design/*************", "/*/*/*/*-*-*/", "/back\\slash",
    ];
    body.agents("*");
    let first = site.random.below(SHAPES.len() / 2);
    for pattern in &SHAPES[first..first + SHAPES.len() / 2] {
        body.disallow(pattern);
    }
    body.allow(SHAPES[first]);
    body.agents("GPTBot");
    body.disallow(SHAPES[first]);
}

/// Lines around the line limit of the dialect: what follows byte 16,663 is dropped.
fn long_line(body: &mut BodyWriter, _: &mut SiteContext) {
    const LONGEST_LINE: usize = 16_663;
    body.agents("*");
    body.disallow("/short/");
    body.disallow(&["/long/", &"x".repeat(20_000)].concat());
    let blanks = " ".repeat(LONGEST_LINE);
    body.line(Statement::Ignored, blanks + "Disallow: /");
    body.comment(&"long comment ".repeat(2_000));
    body.agents("GPTBot");
    body.disallow("/");
}

/// The page of a site that answers every request with its home page.
fn page_instead(body: &mut BodyWriter, site: &mut SiteContext) {
    let paragraphs = 4 + site.random.below(160);
    write_article(
        body,
        "A site with a home page for every address",
        paragraphs,
    );
}

/// Longer than the parsing limit; the rules after it are ignored.
fn huge(body: &mut BodyWriter, site: &mut SiteContext) {
    body.clear(LineBreak::Lf);
    body.agents("*");
    let mut nth = site.random.below(1_000_000);
    while body.bytes.len() + 200 < PARSING_LIMIT {
        nth += 1;
        body.disallow(&format!(
            "/catalog/discontinued/products/by-number/of-the-last-century/{nth}/details.html"
        ));
    }
    body.pad_to_parsing_limit();
    for agent in ["GPTBot", "*"] {
        body.line(Statement::Ignored, format!("User-agent: {agent}"));
        body.line(Statement::Ignored, "Disallow: /");
    }
}
