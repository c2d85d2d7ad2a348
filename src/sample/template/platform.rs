//! Enters: a site. Leaves: the file that its publishing system would write, or a site owner by
//! hand.
//!
//! Refuses to know: crawlers singled out for a policy, and mistakes.

use crate::sample::body::{Body, Terminator};
use crate::sample::opinion::{Reach, Rule};
use crate::sample::template::Draft;

pub(super) fn open(body: &mut Body, _: &mut Draft) {
    body.agent("*");
    body.disallow("");
}

pub(super) fn open_by_allow(body: &mut Body, draft: &mut Draft) {
    body.agent("*");
    body.allow_root("/");
    if draft.random.per_mille(600) {
        body.blank();
        body.sitemap(&[draft.base, "/sitemap.xml"]);
    }
}

pub(super) fn closed(body: &mut Body, draft: &mut Draft) {
    if draft.random.per_mille(200) {
        body.comment("Not meant for machines.");
    }
    body.agent("*");
    body.disallow_root("/");
}

pub(super) fn empty(body: &mut Body, _: &mut Draft) {
    body.clear(Terminator::Lf);
}

pub(super) fn blog(body: &mut Body, draft: &mut Draft) {
    body.comment("The usual rules of this blog");
    body.agent("*");
    body.disallow("/wp-admin/");
    body.allow("/wp-admin/admin-ajax.php");
    body.blank();
    body.sitemap(&[draft.base, "/wp-sitemap.xml"]);
}

pub(super) fn blog_with_plugin(body: &mut Body, draft: &mut Draft) {
    body.comment("BEGIN rules kept by the search plugin");
    body.comment("------------------------------------");
    body.agent("*");
    if draft.random.per_mille(400) {
        body.disallow_each(&["/wp-json/", "/?rest_route=", "/wp-login.php", "*/feed/$"]);
    } else {
        body.disallow("");
    }
    body.blank();
    body.sitemap(&[draft.base, "/sitemap_index.xml"]);
    body.comment("------------------------------------");
    body.comment("END rules kept by the search plugin");
}

pub(super) fn blog_hardened(body: &mut Body, draft: &mut Draft) {
    body.agent("*");
    body.disallow_each(&[
        "/wp-admin/",
        "/wp-includes/",
        "/wp-content/cache/",
        "/wp-content/plugins/",
        "/wp-content/themes/",
        "/trackback/",
        "/comments/",
        "/author/",
        "/tag/",
        "/search/",
        "/xmlrpc.php",
        "/readme.html",
        "/*?s=",
        "/*&s=",
        "/*?replytocom=",
        "/*/attachment/",
        "/cgi-bin/",
    ]);
    body.allow("/wp-admin/admin-ajax.php");
    body.allow("/wp-content/uploads/");
    body.allow("/*.css$");
    body.allow("/*.js$");
    body.blank();
    body.sitemap(&[draft.base, "/post-sitemap.xml"]);
    body.sitemap(&[draft.base, "/page-sitemap.xml"]);
}

/// A hosted shop: long, nearly the same everywhere, with groups for a few crawlers.
pub(super) fn shop(body: &mut Body, draft: &mut Draft) {
    const STEPS: [&str; 24] = [
        "/admin",
        "/cart",
        "/carts",
        "/checkout",
        "/checkouts/",
        "/orders",
        "/account",
        "/account/",
        "/basket/add",
        "/wishlist",
        "/compare",
        "/policies/",
        "/search",
        "/apps/tracking",
        "/collections/*sort_by*",
        "/*/collections/*sort_by*",
        "/collections/*+*",
        "/*/collections/*+*",
        "/collections/*filter*&*filter*",
        "/blogs/*+*",
        "/*/blogs/*+*",
        "/*?*preview_theme=*",
        "/*?*section_id=*",
        "/recommendations/products",
    ];
    body.comment("Our shop runs on a hosted platform. Please read its terms before you crawl.");
    body.comment("Buying by machine without a person who confirms the order is not welcome here.");
    body.blank();
    body.agent("*");
    body.disallow_each(&STEPS);
    body.sitemap(&[draft.base, "/sitemap.xml"]);
    for (agent, delay) in [
        ("adsbot-google", ""),
        ("Nutch", ""),
        ("AhrefsBot", "10"),
        ("AhrefsSiteAudit", "10"),
        ("MJ12bot", "10"),
    ] {
        body.blank();
        if agent == "adsbot-google" {
            body.comment("Advertising may look at everything but the checkout");
        }
        body.agent(agent);
        if agent == "Nutch" {
            body.disallow_root("/");
            continue;
        }
        if delay.is_empty() {
            body.disallow_each(&STEPS[1..7]);
            continue;
        }
        body.other("Crawl-delay", delay);
        body.disallow_each(&STEPS);
        body.sitemap(&[draft.base, "/sitemap.xml"]);
    }
    body.blank();
    body.agent("Pinterest");
    body.other("Crawl-delay", "1");
}

/// A self-hosted shop system with a rule for each of its folders.
pub(super) fn catalog_shop(body: &mut Body, draft: &mut Draft) {
    body.comment("robots.txt of a catalog shop");
    body.agent("*");
    for section in [
        "Folders",
        "Paths with clean addresses",
        "Files",
        "Paths without clean addresses",
    ] {
        body.blank();
        body.comment(section);
        body.disallow_each(match section {
            "Folders" => &[
                "/app/",
                "/downloader/",
                "/errors/",
                "/includes/",
                "/lib/",
                "/pkginfo/",
                "/shell/",
                "/var/",
            ],
            "Files" => &[
                "/cron.php",
                "/cron.sh",
                "/error_log",
                "/install.php",
                "/LICENSE.html",
                "/STATUS.txt",
            ],
            "Paths without clean addresses" => &[
                "/*.php$",
                "/*?p=*&",
                "/*?SID=",
                "/*?dir=",
                "/*?limit=",
                "/*?mode=",
            ],
            _ => &[
                "/index.php/",
                "/catalog/product_compare/",
                "/catalog/category/view/",
                "/catalog/product/gallery/",
                "/catalogsearch/",
                "/checkout/",
                "/control/",
                "/contacts/",
                "/customer/",
                "/customize/",
                "/newsletter/",
                "/poll/",
                "/review/",
                "/sendfriend/",
                "/tag/",
                "/wishlist/",
            ],
        });
    }
    body.blank();
    body.sitemap(&[draft.base, "/media/sitemap.xml"]);
}

/// A content management system with clean and unclean addresses, and long explanations.
pub(super) fn portal(body: &mut Body, _: &mut Draft) {
    body.comment("robots.txt");
    body.comment("");
    body.comment("This file tells crawlers which parts of the site cost much and give little.");
    body.comment("It works only in the root of the host:");
    body.comment("used:    https://host.example/robots.txt");
    body.comment("ignored: https://host.example/site/robots.txt");
    body.blank();
    body.agent("*");
    body.comment("What pages need to be drawn");
    for kind in [
        "css", "css?", "js", "js?", "gif", "jpg", "jpeg", "png", "svg",
    ] {
        let end = if kind.ends_with('?') { "" } else { "$" };
        for folder in ["/core/*.", "/profiles/*."] {
            body.rule_as(Rule::Allow, 0, &["Allow: ", folder, kind, end]);
        }
    }
    body.comment("Folders");
    body.disallow_each(&["/core/", "/profiles/"]);
    body.comment("Files");
    body.disallow_each(&[
        "/README.md",
        "/composer/Metapackage/README.txt",
        "/composer/Plugin/README.txt",
        "/web.config",
    ]);
    body.comment("Paths with clean addresses");
    const PATHS: [&str; 9] = [
        "admin/",
        "comment/reply/",
        "filter/tips",
        "node/add/",
        "search/",
        "user/register",
        "user/password",
        "user/login",
        "user/logout",
    ];
    for path in PATHS {
        body.rule_as(Rule::Disallow, 0, &["Disallow: /", path]);
    }
    body.comment("Paths without clean addresses");
    for path in PATHS {
        body.rule_as(Rule::Disallow, 0, &["Disallow: /index.php/", path]);
    }
}

pub(super) fn portal_classic(body: &mut Body, _: &mut Draft) {
    body.comment("If the site stands in a folder, such as www.host.example/portal/,");
    body.comment("move this file to the root and put the folder before every path,");
    body.comment("so that the administrator folder becomes /portal/administrator/.");
    body.blank();
    body.agent("*");
    body.disallow_each(&[
        "/administrator/",
        "/api/",
        "/bin/",
        "/cache/",
        "/cli/",
        "/components/",
        "/includes/",
        "/installation/",
        "/language/",
        "/layouts/",
        "/libraries/",
        "/logs/",
        "/modules/",
        "/plugins/",
        "/tmp/",
    ]);
}

pub(super) fn site_builder(body: &mut Body, draft: &mut Draft) {
    body.agent("*");
    body.allow_root("/");
    body.disallow("*?lightbox=");
    body.blank();
    body.comment("Images for advertisements");
    body.agents(&["AdsBot-Google-Mobile", "AdsBot-Google"]);
    body.disallow_each(&[
        "/_api/*",
        "/_partials*",
        "/pro-gallery-webapp/v1/galleries/*",
    ]);
    body.blank();
    body.comment("Slowly, please");
    for agent in ["PetalBot", "dotbot", "AhrefsBot"] {
        body.agent(agent);
        body.other("Crawl-delay", "10");
        body.disallow("*?lightbox=");
    }
    body.blank();
    body.sitemap(&[draft.base, "/sitemap.xml"]);
}

/// A page builder that offers its customers one switch for all AI crawlers.
pub(super) fn page_builder(body: &mut Body, draft: &mut Draft) {
    body.comment("Made by the page builder; changes here are lost");
    if draft.random.per_mille(450) {
        for agent in [
            "Amazonbot",
            "anthropic-ai",
            "Applebot-Extended",
            "Bytespider",
            "CCBot",
            "ClaudeBot",
            "cohere-ai",
            "FacebookBot",
            "Google-Extended",
            "GPTBot",
            "Meta-ExternalAgent",
            "PerplexityBot",
        ] {
            body.agent(agent);
        }
        body.disallow_root("/");
        body.blank();
    }
    body.agent("*");
    body.disallow_each(&[
        "/config",
        "/search",
        "/account$",
        "/account/",
        "/commerce/digital-download/",
        "/api/",
        "/*?author=*",
        "/*&author=*",
        "/*?tag=*",
        "/*&tag=*",
        "/*?month=*",
        "/*&month=*",
        "/*?view=*",
        "/*&view=*",
        "/*?format=json",
        "/*?format=page-context",
        "/*?format=main-content",
        "/*?format=ical",
        "/*?format=feed",
    ]);
    body.allow("/api/ui-extensions/");
    body.blank();
    body.sitemap(&[draft.base, "/sitemap.xml"]);
}

pub(super) fn wiki(body: &mut Body, _: &mut Draft) {
    body.comment(
        "Friendly, slow crawlers may read articles; the machinery behind them is expensive.",
    );
    for agent in [
        "UbiCrawler",
        "Zealbot",
        "SiteSnagger",
        "WebStripper",
        "WebCopier",
        "Offline Explorer",
        "Teleport",
    ] {
        body.agent(agent);
        body.disallow_root("/");
        body.blank();
    }
    body.agent("*");
    body.allow("/w/api.php?action=mobileview&");
    body.allow("/w/load.php?");
    body.disallow_each(&[
        "/w/",
        "/wiki/Special:",
        "/wiki/Special%3A",
        "/wiki/Talk:Archive",
        "/trap/",
    ]);
}

pub(super) fn forum(body: &mut Body, draft: &mut Draft) {
    body.agent("*");
    body.disallow_each(&[
        "/ucp.php",
        "/mcp.php",
        "/memberlist.php",
        "/posting.php",
        "/report.php",
        "/search.php",
        "/faq.php",
        "/viewonline.php",
        "/*?sid=",
        "/*&sid=",
        "/*&view=print",
        "/adm/",
        "/cache/",
        "/store/",
    ]);
    body.other("Crawl-delay", draft.random.pick(&["5", "10", "20", "60"]));
}

/// A file written by hand: a few rules, some of them about this site only.
pub(super) fn own_work(body: &mut Body, draft: &mut Draft) {
    const FOLDERS: [&str; 20] = [
        "/private/",
        "/tmp/",
        "/cgi-bin/",
        "/test/",
        "/old/",
        "/backup/",
        "/stats/",
        "/members/",
        "/intern/",
        "/drafts/",
        "/print/",
        "/pdf/",
        "/api/v2/",
        "/download.php",
        "/search?",
        "/login",
        "/cart",
        "/images/raw/",
        "/staging/",
        "/calendar/print",
    ];
    if draft.random.per_mille(300) {
        body.comment("written by hand, please keep in order");
    }
    body.agent("*");
    let n_rules = 1 + draft.random.below(12);
    let rules: Vec<(&str, bool)> = (0..n_rules)
        .map(|_| (draft.random.pick(&FOLDERS), draft.random.per_mille(120)))
        .collect();
    for &(folder, is_allow) in &rules {
        if is_allow {
            body.allow(folder);
        } else if rules.contains(&(folder, true)) {
            body.rule(Rule::Disallow, Reach::Nothing, &["Disallow: ", folder]);
        } else {
            body.disallow(folder);
        }
    }
    if draft.random.per_mille(250) {
        body.blank();
        body.agent(draft.random.pick(&[
            "Googlebot",
            "bingbot",
            "Slurp",
            "Googlebot-Image",
            "msnbot",
            "Baiduspider",
        ]));
        body.disallow(draft.random.pick(&FOLDERS));
    }
    if draft.random.per_mille(500) {
        body.blank();
        body.sitemap(&[draft.base, "/sitemap.xml"]);
    }
}

pub(super) fn sitemap_only(body: &mut Body, draft: &mut Draft) {
    body.sitemap(&[draft.base, "/sitemap.xml"]);
}

/// Sitemaps above, between and below groups, some of them without a host.
pub(super) fn many_sitemaps(body: &mut Body, draft: &mut Draft) {
    for part in [
        "news",
        "video",
        "images",
        "products-1",
        "products-2",
        "products-3",
    ] {
        body.sitemap(&[draft.base, "/sitemaps/", part, ".xml.gz"]);
    }
    body.agent("Googlebot");
    body.sitemap(&["/sitemap-relative.xml"]);
    body.agent("*");
    body.disallow("/internal/");
    body.sitemap(&["sitemap.xml"]);
    body.sitemap(&["https://files.static-example.net/sitemap-of-another-host.xml"]);
}
