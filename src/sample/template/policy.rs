//! Files that distinguish crawlers or state terms of use.

use crate::sample::{body::BodyWriter, reach::Effect, template::SiteContext};

/// Crawlers that gather text for language models.
const AI: &str = "\
    GPTBot CCBot ClaudeBot Google-Extended PerplexityBot anthropic-ai Bytespider Amazonbot \
    ChatGPT-User Claude-Web cohere-ai Diffbot FacebookBot ImagesiftBot Meta-ExternalAgent \
    Applebot-Extended omgili OAI-SearchBot YouBot Timpibot AI2Bot DuckAssistBot";

/// Crawlers of tools for search engine marketing.
const SEO: &str = "\
    AhrefsBot SemrushBot MJ12bot DotBot BLEXBot rogerbot SeekportBot DataForSeoBot serpstatbot \
    MegaIndex PetalBot ZoominfoBot SEOkicks linkdexbot spbot Barkrowler";

/// A block written by a content delivery network in front of the owner's own rules.
pub(super) fn managed_signals(body: &mut BodyWriter, site: &mut SiteContext) {
    for line in [
        "Whoever reads this site by machine accepts what this file states about the use of its",
        "content. A signal set to yes permits a use, a signal set to no reserves it, and a signal",
        "that is not set does neither.",
        "",
        "search:   building an index and showing links and short excerpts",
        "ai-input: giving content to a model that answers at once",
        "ai-train: training or tuning a model",
    ] {
        body.comment(line);
    }
    body.blank();
    body.comment("BEGIN managed content");
    body.agent("*");
    let (value, n_signals) = site.random.pick(&[
        ("search=yes,ai-train=no", 2),
        ("search=yes, ai-input=no, ai-train=no", 3),
    ]);
    body.signal("Content-Signal", value, n_signals, 0);
    body.allow_root("/");
    body.blank();
    for agent in "Amazonbot Applebot-Extended Bytespider CCBot ClaudeBot Google-Extended GPTBot \
        meta-externalagent"
        .split(' ')
    {
        body.agent(agent);
        body.disallow_root("/");
        body.blank();
    }
    body.comment("END managed content");
    if site.random.per_mille(500) {
        body.blank();
        body.agent("*");
        body.disallow_each("/wp-admin/ /cart/");
    }
}

pub(super) fn ai_named(body: &mut BodyWriter, site: &mut SiteContext) {
    body.agent("*");
    body.disallow("/search");
    body.blank();
    body.comment("No training on our work");
    let wanted = 250 + site.random.below(700);
    for agent in AI.split(' ') {
        if site.random.per_mille(wanted) {
            body.agent(agent);
            body.disallow_root("/");
            body.blank();
        }
    }
}

pub(super) fn ai_stacked(body: &mut BodyWriter, site: &mut SiteContext) {
    let first = site.random.below(4);
    let count = 4 + site.random.below(14);
    for agent in AI.split(' ').skip(first).take(count) {
        if site.random.per_mille(100) {
            body.agent(&agent.to_ascii_lowercase());
        } else {
            body.agent(agent);
        }
    }
    body.disallow_root("/");
    body.blank();
    body.agent("*");
    body.disallow("");
    body.sitemap(&[site.base, "/sitemap.xml"]);
}

pub(super) fn ai_partial(body: &mut BodyWriter, site: &mut SiteContext) {
    body.agents("GPTBot ClaudeBot PerplexityBot");
    body.disallow_each("/articles/ /members/ /archive/*/full");
    body.allow("/articles/free/");
    body.blank();
    body.agent("CCBot");
    body.disallow_root("/");
    body.allow("/press/");
    body.allow("/about$");
    body.blank();
    body.agent("Google-Extended");
    if site.random.per_mille(500) {
        body.disallow_root("/*");
        body.allow_root("/$");
    } else {
        body.disallow_root("*");
        body.allow("/en/");
    }
    body.blank();
    body.agent("*");
    body.disallow("/members/");
}

/// Everything closed, by a pattern that some count as a partial restriction.
pub(super) fn ai_by_wildcard(body: &mut BodyWriter, _: &mut SiteContext) {
    body.agents("Bytespider Amazonbot anthropic-ai");
    body.disallow_root("/*");
    body.blank();
    body.agents("* bingbot");
    body.disallow_root("/");
    body.allow_root("/");
    body.disallow("/*/print/");
}

pub(super) fn allow_list(body: &mut BodyWriter, site: &mut SiteContext) {
    body.comment("Only those named here");
    for agent in "Googlebot bingbot Slurp DuckDuckBot Applebot archive.org_bot".split(' ') {
        body.agent(agent);
        if site.random.per_mille(500) {
            body.allow_root("/");
        } else {
            body.disallow("");
        }
        body.blank();
    }
    body.agent("*");
    body.disallow_root("/");
}

pub(super) fn seo_blocker(body: &mut BodyWriter, site: &mut SiteContext) {
    if site.random.per_mille(600) {
        for agent in SEO.split(' ') {
            body.agent(agent);
            body.disallow_root("/");
        }
    } else {
        body.agents(SEO);
        body.disallow_root("/");
    }
    body.blank();
    body.agent("*");
    body.disallow_each("/admin/ /checkout/ /*?sort=");
}

/// A list of collected crawler names, most of which have been inactive for years.
pub(super) fn hundreds_of_agents(body: &mut BodyWriter, site: &mut SiteContext) {
    let one_rule_each = site.random.per_mille(500);
    let mut name = String::new();
    for nth in 0..300 {
        name.clear();
        name.push_str(site.random.pick(&[
            "Web", "Net", "Site", "Mail", "Link", "Page", "Image", "Offline",
        ]));
        name.push_str(site.random.pick(&[
            "Sucker", "Grabber", "Reaper", "Harvest", "Copier", "Snake", "Spider",
        ]));
        if nth % 3 == 0 {
            name.push_str(site.random.pick(&["/1.0", "-x", "_pro", " 2"]));
        }
        body.agent(&name);
        if one_rule_each {
            body.disallow_root("/");
        }
    }
    body.agents("CCBot Bytespider AhrefsBot MJ12bot");
    body.disallow_root("/");
    body.agent("*");
    body.other("Crawl-delay", "10");
}

pub(super) fn content_usage(body: &mut BodyWriter, _: &mut SiteContext) {
    body.agent("*");
    body.signal("Content-Usage", "train-ai=n, search=y", 2, 0);
    body.signal("Content-Usage", "/open/ train-ai=y", 1, 0);
    body.signal("Content-Usage", "train-ai=(((", 0, 1);
    body.allow_root("/");
    body.agent("GPTBot");
    body.signal("Content-Usage", "/images/ train-ai=n", 1, 0);
    body.disallow("/images/");
}

pub(super) fn license(body: &mut BodyWriter, site: &mut SiteContext) {
    body.count_signals(1, 0);
    body.other_as(&["License: ", site.base, "/license.xml"]);
    body.blank();
    body.agent("*");
    body.allow_root("/");
    body.disallow("/paid/");
    body.signal("LLM-Policy", "/llms.txt", 0, 1);
}

/// Two fields that the dialect, which compares the beginnings of keys, takes for rules.
pub(super) fn ai_training_paths(body: &mut BodyWriter, _: &mut SiteContext) {
    body.agent("*");
    body.disallow("/account/");
    body.count_signals(2, 0);
    body.rule_as(Effect::Disallow, 1, &["DisallowAITraining: /"]);
    body.rule_as(Effect::Allow, 0, &["AllowAITraining: /open-data/"]);
    body.signal("Content-Signal", "ai-train=maybe", 0, 1);
}

pub(super) fn crawl_delay(body: &mut BodyWriter, site: &mut SiteContext) {
    body.agent("*");
    body.other(
        "Crawl-delay",
        site.random
            .pick(&["1", "2", "5", "10", "20", "30", "0.5", "86400"]),
    );
    body.disallow("/tmp/");
    body.agent("bingbot");
    body.other("crawl-delay", site.random.pick(&["1", "3", "10"]));
}

pub(super) fn unusual_crawl_delay(body: &mut BodyWriter, _: &mut SiteContext) {
    for (agent, delay) in [
        ("Yandex", "ten"),
        ("Slurp", "5s"),
        ("msnbot", "-1"),
        ("Baiduspider", "1,5"),
        ("Sogou", ""),
        ("*", "10 # seconds"),
    ] {
        body.agent(agent);
        body.other("Crawl-delay", delay);
        body.disallow("/slow/");
    }
}

pub(super) fn host_and_clean_param(body: &mut BodyWriter, site: &mut SiteContext) {
    body.agent("Yandex");
    body.disallow_each("/bitrix/ /*?print= /*utm_source= /auth/");
    body.other("Clean-param", "utm_source&utm_medium&utm_campaign");
    body.other("Clean-param", "ref /books/");
    body.other_as(&["Host: ", site.base]);
    body.blank();
    body.agent("*");
    body.disallow_each("/bitrix/ /*?print=");
    body.sitemap(&[site.base, "/sitemap.xml"]);
}

pub(super) fn old_fields(body: &mut BodyWriter, _: &mut SiteContext) {
    body.agent("*");
    body.disallow("/cgi-bin/");
    body.other("Request-rate", "1/10m 1300-1659");
    body.other("Visit-time", "0600-0845");
    body.signal("Noindex", "/thin/", 1, 0);
    body.other("Nofollow", "/out/");
    body.other("Noarchive", "/today/");
    body.other("Robot-version", "2.0");
    body.other("Comment", "you are welcome at night");
}

/// Values with a version after the token: the version is no part of the token.
pub(super) fn agent_versions(body: &mut BodyWriter, _: &mut SiteContext) {
    body.agent_as("GPTBot", &["User-agent: GPTBot/1.2"]);
    body.agent_as("Googlebot", &["User-agent: Googlebot/2.1"]);
    body.disallow_root("/");
    body.agent_as("*", &["User-agent: * # all others"]);
    body.disallow("/versions/");
    body.agent("Mozilla/5.0 (compatible; bingbot/2.0)");
    body.disallow("/not-for-bingbot/");
}
