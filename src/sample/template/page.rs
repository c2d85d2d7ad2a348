//! Pages of HTML that servers send instead of a robots.txt.
//!
//! They are parsed like any text, so a line of a page may well be a directive to the dialect: one
//! with a colon, or of just two words. Each line states which it is.

use crate::sample::{
    body::{BodyWriter, LineBreak},
    template::SiteContext,
};

/// Writes the page of a site that answers every request with its home page.
pub(super) fn page_instead(body: &mut BodyWriter, site: &mut SiteContext) {
    let paragraphs = 4 + site.random.below(160);
    write_page(
        body,
        "A site with a home page for every address",
        paragraphs,
    );
}

/// Writes a page that contains a robots.txt as text.
pub(super) fn page_with_directives(body: &mut BodyWriter, _: &mut SiteContext) {
    open_page(body, "Our rules for crawlers");
    body.ignored("<pre>");
    body.agent("CCBot");
    body.disallow("/old/");
    body.agent("*");
    body.disallow_root("/");
    body.ignored("</pre>");
    close_page(body);
}

/// Writes a home page, to which a robots.txt was redirected.
pub(in crate::sample) fn home_page(body: &mut BodyWriter) {
    body.clear(LineBreak::Lf);
    write_page(body, "Home", 12);
}

/// Writes the page of a parking service.
pub(in crate::sample) fn parking_page(body: &mut BodyWriter) {
    body.clear(LineBreak::CrLf);
    open_page(body, "This name may be for sale");
    body.ignored("<p>Ask the owner of the name, who parks it with us.</p>");
    body.other_as(&["<a href=\"https://parking.example/offers\">See offers</a>"]);
    close_page(body);
}

/// Writes the body of a redirect.
pub(in crate::sample) fn redirect_page(body: &mut BodyWriter, target: &str) {
    body.clear(LineBreak::CrLf);
    open_page(body, "Moved");
    body.ignored("<h1>The document has moved</h1>");
    if target.contains(':') {
        body.other_as(&["<p>It is now <a href=\"", target, "\">over there</a>.</p>"]);
    } else {
        body.ignored(&["<p>It is now <a href=\"", target, "\">over there</a>.</p>"].concat());
    }
    close_page(body);
}

/// Writes the page of an error with this status.
pub(in crate::sample) fn error_page(body: &mut BodyWriter, status: u16, paragraphs: usize) {
    body.clear(LineBreak::Lf);
    let title = match status {
        401 | 403 => "You may not see this page",
        400..=499 => "There is no such page",
        _ => "The server is busy or out of order",
    };
    write_page(body, title, paragraphs);
}

fn write_page(body: &mut BodyWriter, title: &str, paragraphs: usize) {
    open_page(body, title);
    body.ignored("<style>");
    body.other_as(&["  body { margin: 2em auto; max-width: 40em; font-family: sans-serif }"]);
    body.other_as(&["  a { color: #246 }"]);
    body.ignored("</style>");
    body.other_as(&["<div class=\"page\">"]);
    body.ignored(&["<h1>", title, "</h1>"].concat());
    for paragraph in 0..paragraphs {
        body.ignored(match paragraph % 5 {
            0 => "  <p>The page you asked for is made of words that say little and take some room.</p>",
            1 => "  <p>Whoever reads this far may as well go on to the next paragraph, which is shorter.</p>",
            2 => "  <p>It really is.</p>",
            3 => "  <p>Links to other pages would stand here, with pictures beside them and a form below.</p>",
            _ => "  <p>Thank you for your visit, and for your patience with machines.</p>",
        });
    }
    body.ignored("</div>");
    close_page(body);
}

fn open_page(body: &mut BodyWriter, title: &str) {
    body.is_page();
    body.other_as(&["<!DOCTYPE html>"]);
    body.other_as(&["<html lang=\"en\">"]);
    body.other_as(&["<head><meta charset=\"utf-8\">"]);
    body.ignored(&["<title>Page - ", title, "</title></head>"].concat());
    body.ignored("<body>");
}

fn close_page(body: &mut BodyWriter) {
    body.ignored("</body>");
    body.ignored("</html>");
}
