//! The files that publishing systems write by default, and those that owners write by hand.

use crate::sample::{
    body::{BodyWriter, LineBreak},
    reach::{Effect, Reach},
    template::SiteContext,
};

pub(super) fn open(body: &mut BodyWriter, _: &mut SiteContext) {
    body.agent("*");
    body.disallow("");
}

pub(super) fn open_by_allow(body: &mut BodyWriter, site: &mut SiteContext) {
    body.agent("*");
    body.allow_root("/");
    if site.random.per_mille(600) {
        body.blank();
        body.sitemap(&[site.base, "/sitemap.xml"]);
    }
}

pub(super) fn closed(body: &mut BodyWriter, site: &mut SiteContext) {
    if site.random.per_mille(200) {
        body.comment("Not meant for machines.");
    }
    body.agent("*");
    body.disallow_root("/");
}

pub(super) fn empty(body: &mut BodyWriter, _: &mut SiteContext) {
    body.clear(LineBreak::Lf);
}

pub(super) fn blog(body: &mut BodyWriter, site: &mut SiteContext) {
    body.comment("The usual rules of this blog");
    body.agent("*");
    body.disallow("/wp-admin/");
    body.allow("/wp-admin/admin-ajax.php");
    body.blank();
    body.sitemap(&[site.base, "/wp-sitemap.xml"]);
}

pub(super) fn blog_with_plugin(body: &mut BodyWriter, site: &mut SiteContext) {
    body.comment("BEGIN rules kept by the search plugin");
    body.comment("------------------------------------");
    body.agent("*");
    if site.random.per_mille(400) {
        body.disallow_each("/wp-json/ /?rest_route= /wp-login.php */feed/$");
    } else {
        body.disallow("");
    }
    body.blank();
    body.sitemap(&[site.base, "/sitemap_index.xml"]);
    body.comment("------------------------------------");
    body.comment("END rules kept by the search plugin");
}

pub(super) fn blog_hardened(body: &mut BodyWriter, site: &mut SiteContext) {
    body.agent("*");
    body.disallow_each(
        "\
        /wp-admin/ /wp-includes/ /wp-content/cache/ /wp-content/plugins/ /wp-content/themes/ \
        /trackback/ /comments/ /author/ /tag/ /search/ /xmlrpc.php /readme.html /*?s= /*&s= \
        /*?replytocom= /*/attachment/ /cgi-bin/",
    );
    for pattern in [
        "/wp-admin/admin-ajax.php",
        "/wp-content/uploads/",
        "/*.css$",
        "/*.js$",
    ] {
        body.allow(pattern);
    }
    body.blank();
    body.sitemap(&[site.base, "/post-sitemap.xml"]);
    body.sitemap(&[site.base, "/page-sitemap.xml"]);
}

/// A hosted shop: long, nearly the same everywhere, with groups for a few crawlers.
pub(super) fn shop(body: &mut BodyWriter, site: &mut SiteContext) {
    const STEPS: &str = "\
        /admin /cart /carts /checkout /checkouts/ /orders /account /account/ /basket/add \
        /wishlist /compare /policies/ /search /apps/tracking /collections/*sort_by* \
        /*/collections/*sort_by* /collections/*+* /*/collections/*+* \
        /collections/*filter*&*filter* /blogs/*+* /*/blogs/*+* /*?*preview_theme=* \
        /*?*section_id=* /recommendations/products";
    body.comment("Our shop runs on a hosted platform. Please read its terms before you crawl.");
    body.comment("Buying by machine without a person who confirms the order is not welcome here.");
    body.blank();
    body.agent("*");
    body.disallow_each(STEPS);
    body.sitemap(&[site.base, "/sitemap.xml"]);
    body.blank();
    body.comment("Advertising may look at everything but the checkout");
    body.agent("adsbot-google");
    body.disallow_each("/cart /carts /checkout /checkouts/ /orders /account");
    body.blank();
    body.agent("Nutch");
    body.disallow_root("/");
    for agent in ["AhrefsBot", "AhrefsSiteAudit", "MJ12bot"] {
        body.blank();
        body.agent(agent);
        body.other("Crawl-delay", "10");
        body.disallow_each(STEPS);
        body.sitemap(&[site.base, "/sitemap.xml"]);
    }
    body.blank();
    body.agent("Pinterest");
    body.other("Crawl-delay", "1");
}

/// A self-hosted shop system with a rule for each of its folders.
pub(super) fn catalog_shop(body: &mut BodyWriter, site: &mut SiteContext) {
    body.comment("robots.txt of a catalog shop");
    body.agent("*");
    for (section, patterns) in [
        (
            "Folders",
            "/app/ /downloader/ /errors/ /includes/ /lib/ /pkginfo/ /shell/ /var/",
        ),
        (
            "Paths with clean addresses",
            "/index.php/ /catalog/product_compare/ /catalog/category/view/ \
                /catalog/product/gallery/ /catalogsearch/ /checkout/ /control/ /contacts/ \
                /customer/ /customize/ /newsletter/ /poll/ /review/ /sendfriend/ /tag/ \
                /wishlist/",
        ),
        (
            "Files",
            "/cron.php /cron.sh /error_log /install.php /LICENSE.html /STATUS.txt",
        ),
        (
            "Paths without clean addresses",
            "/*.php$ /*?p=*& /*?SID= /*?dir= /*?limit= /*?mode=",
        ),
    ] {
        body.blank();
        body.comment(section);
        body.disallow_each(patterns);
    }
    body.blank();
    body.sitemap(&[site.base, "/media/sitemap.xml"]);
}

/// A content management system with clean and unclean addresses, and long explanations.
pub(super) fn portal(body: &mut BodyWriter, _: &mut SiteContext) {
    body.comment("robots.txt");
    body.comment("");
    body.comment("This file tells crawlers which parts of the site cost much and give little.");
    body.comment("It works only in the root of the host:");
    body.comment("used:    https://host.example/robots.txt");
    body.comment("ignored: https://host.example/site/robots.txt");
    body.blank();
    body.agent("*");
    body.comment("What pages need to be drawn");
    for kind in "css css? js js? gif jpg jpeg png svg".split(' ') {
        let end = if kind.ends_with('?') { "" } else { "$" };
        for folder in ["/core/*.", "/profiles/*."] {
            body.rule_as(Effect::Allow, 0, &["Allow: ", folder, kind, end]);
        }
    }
    body.comment("Folders");
    body.disallow_each("/core/ /profiles/");
    body.comment("Files");
    body.disallow_each(
        "/README.md /composer/Metapackage/README.txt /composer/Plugin/README.txt /web.config",
    );
    body.comment("Paths with clean addresses");
    const PATHS: &str = "\
        admin/ comment/reply/ filter/tips node/add/ search/ user/register user/password \
        user/login user/logout";
    for path in PATHS.split(' ') {
        body.rule_as(Effect::Disallow, 0, &["Disallow: /", path]);
    }
    body.comment("Paths without clean addresses");
    for path in PATHS.split(' ') {
        body.rule_as(Effect::Disallow, 0, &["Disallow: /index.php/", path]);
    }
}

pub(super) fn portal_classic(body: &mut BodyWriter, _: &mut SiteContext) {
    body.comment("If the site stands in a folder, such as www.host.example/portal/,");
    body.comment("move this file to the root and put the folder before every path,");
    body.comment("so that the administrator folder becomes /portal/administrator/.");
    body.blank();
    body.agent("*");
    body.disallow_each(
        "\
        /administrator/ /api/ /bin/ /cache/ /cli/ /components/ /includes/ /installation/ \
        /language/ /layouts/ /libraries/ /logs/ /modules/ /plugins/ /tmp/",
    );
}

pub(super) fn site_builder(body: &mut BodyWriter, site: &mut SiteContext) {
    body.agent("*");
    body.allow_root("/");
    body.disallow("*?lightbox=");
    body.blank();
    body.comment("Images for advertisements");
    body.agents("AdsBot-Google-Mobile AdsBot-Google");
    body.disallow_each("/_api/* /_partials* /pro-gallery-webapp/v1/galleries/*");
    body.blank();
    body.comment("Slowly, please");
    for agent in ["PetalBot", "dotbot", "AhrefsBot"] {
        body.agent(agent);
        body.other("Crawl-delay", "10");
        body.disallow("*?lightbox=");
    }
    body.blank();
    body.sitemap(&[site.base, "/sitemap.xml"]);
}

/// A page builder that offers its customers one switch for all AI crawlers.
pub(super) fn page_builder(body: &mut BodyWriter, site: &mut SiteContext) {
    body.comment("Made by the page builder; changes here are lost");
    if site.random.per_mille(450) {
        body.agents(
            "Amazonbot anthropic-ai Applebot-Extended Bytespider CCBot ClaudeBot cohere-ai \
            FacebookBot Google-Extended GPTBot Meta-ExternalAgent PerplexityBot",
        );
        body.disallow_root("/");
        body.blank();
    }
    body.agent("*");
    body.disallow_each(
        "\
        /config /search /account$ /account/ /commerce/digital-download/ /api/ /*?author=* \
        /*&author=* /*?tag=* /*&tag=* /*?month=* /*&month=* /*?view=* /*&view=* /*?format=json \
        /*?format=page-context /*?format=main-content /*?format=ical /*?format=feed",
    );
    body.allow("/api/ui-extensions/");
    body.blank();
    body.sitemap(&[site.base, "/sitemap.xml"]);
}

pub(super) fn wiki(body: &mut BodyWriter, _: &mut SiteContext) {
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
    body.disallow_each("/w/ /wiki/Special: /wiki/Special%3A /wiki/Talk:Archive /trap/");
}

pub(super) fn forum(body: &mut BodyWriter, site: &mut SiteContext) {
    body.agent("*");
    body.disallow_each(
        "\
        /ucp.php /mcp.php /memberlist.php /posting.php /report.php /search.php /faq.php \
        /viewonline.php /*?sid= /*&sid= /*&view=print /adm/ /cache/ /store/",
    );
    body.other("Crawl-delay", site.random.pick(&["5", "10", "20", "60"]));
}

/// A file written by hand: a few rules, some of them about this site only.
pub(super) fn own_work(body: &mut BodyWriter, site: &mut SiteContext) {
    const FOLDERS: &str = "\
        /private/ /tmp/ /cgi-bin/ /test/ /old/ /backup/ /stats/ /members/ /intern/ /drafts/ \
        /print/ /pdf/ /api/v2/ /download.php /search? /login /cart /images/raw/ /staging/ \
        /calendar/print";
    let folders: Vec<&str> = FOLDERS.split(' ').collect();
    if site.random.per_mille(300) {
        body.comment("written by hand, please keep in order");
    }
    body.agent("*");
    let n_rules = 1 + site.random.below(12);
    let rules: Vec<(&str, bool)> = (0..n_rules)
        .map(|_| (site.random.pick(&folders), site.random.per_mille(120)))
        .collect();
    for &(folder, is_allow) in &rules {
        if is_allow {
            body.allow(folder);
        } else if rules.contains(&(folder, true)) {
            body.rule(Effect::Disallow, Reach::Nothing, &["Disallow: ", folder]);
        } else {
            body.disallow(folder);
        }
    }
    if site.random.per_mille(250) {
        body.blank();
        let agents = [
            "Googlebot",
            "bingbot",
            "Slurp",
            "Googlebot-Image",
            "msnbot",
            "Baiduspider",
        ];
        body.agent(site.random.pick(&agents));
        body.disallow(site.random.pick(&folders));
    }
    if site.random.per_mille(500) {
        body.blank();
        body.sitemap(&[site.base, "/sitemap.xml"]);
    }
}

pub(super) fn sitemap_only(body: &mut BodyWriter, site: &mut SiteContext) {
    body.sitemap(&[site.base, "/sitemap.xml"]);
}

/// Sitemaps before, between and after groups, some of them without a host.
pub(super) fn many_sitemaps(body: &mut BodyWriter, site: &mut SiteContext) {
    for part in "news video images products-1 products-2 products-3".split(' ') {
        body.sitemap(&[site.base, "/sitemaps/", part, ".xml.gz"]);
    }
    body.agent("Googlebot");
    body.sitemap(&["/sitemap-relative.xml"]);
    body.agent("*");
    body.disallow("/internal/");
    body.sitemap(&["sitemap.xml"]);
    body.sitemap(&["https://files.static-example.net/sitemap-of-another-host.xml"]);
}
