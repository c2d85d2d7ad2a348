//! Enters: a status, a host, nothing at all. Leaves: a page of HTML where a robots.txt was asked
//! for.
//!
//! Pages are read like any text, so a line of a page may well be a directive to the dialect: one
//! with a colon, or of just two words. Each line says which it is. Refuses to know: which fetch is
//! answered.

use crate::sample::body::{Body, Terminator};
use crate::sample::template::Draft;

/// Writes the page of a site that answers every request with its home page.
pub(super) fn page_instead(body: &mut Body, draft: &mut Draft) {
    let paragraphs = 4 + draft.random.below(160);
    write_page(
        body,
        "A site with a home page for every address",
        paragraphs,
    );
}

/// Writes a page in which a robots.txt stands as text.
pub(super) fn page_with_directives(body: &mut Body, _: &mut Draft) {
    open_page(body, "Our rules for crawlers");
    body.nothing("<pre>");
    body.agent("CCBot");
    body.disallow("/old/");
    body.agent("*");
    body.disallow_root("/");
    body.nothing("</pre>");
    close_page(body);
}

/// Writes a home page, to which a robots.txt was redirected.
pub(in crate::sample) fn home_page(body: &mut Body) {
    body.clear(Terminator::Lf);
    write_page(body, "Home", 12);
}

/// Writes the page of a parking service.
pub(in crate::sample) fn parking_page(body: &mut Body) {
    body.clear(Terminator::CrLf);
    open_page(body, "This name may be for sale");
    body.nothing("<p>Ask the owner of the name, who parks it with us.</p>");
    body.other_as(&["<a href=\"https://parking.example/offers\">See offers</a>"]);
    close_page(body);
}

/// Writes what stands in the body of a redirect.
pub(in crate::sample) fn redirect_page(body: &mut Body, target: &str) {
    body.clear(Terminator::CrLf);
    open_page(body, "Moved");
    body.nothing("<h1>The document has moved</h1>");
    if target.contains(':') {
        body.other_as(&["<p>It is now <a href=\"", target, "\">over there</a>.</p>"]);
    } else {
        body.nothing(&["<p>It is now <a href=\"", target, "\">over there</a>.</p>"].concat());
    }
    close_page(body);
}

/// Writes the page of an error with this status.
pub(in crate::sample) fn error_page(body: &mut Body, status: u16, paragraphs: u32) {
    body.clear(Terminator::Lf);
    let title = match status {
        401 | 403 => "You may not see this page",
        400..=499 => "There is no such page",
        _ => "The server is busy or out of order",
    };
    write_page(body, title, paragraphs);
}

fn write_page(body: &mut Body, title: &str, paragraphs: u32) {
    open_page(body, title);
    body.nothing("<style>");
    body.other_as(&["  body { margin: 2em auto; max-width: 40em; font-family: sans-serif }"]);
    body.other_as(&["  a { color: #246 }"]);
    body.nothing("</style>");
    body.other_as(&["<div class=\"page\">"]);
    body.nothing(&["<h1>", title, "</h1>"].concat());
    for paragraph in 0..paragraphs {
        body.nothing(match paragraph % 5 {
            0 => "  <p>The page you asked for is made of words that say little and take some room.</p>",
            1 => "  <p>Whoever reads this far may as well go on to the next paragraph, which is shorter.</p>",
            2 => "  <p>It really is.</p>",
            3 => "  <p>Links to other pages would stand here, with pictures beside them and a form below.</p>",
            _ => "  <p>Thank you for your visit, and for your patience with machines.</p>",
        });
    }
    body.nothing("</div>");
    close_page(body);
}

fn open_page(body: &mut Body, title: &str) {
    body.is_page();
    body.other_as(&["<!DOCTYPE html>"]);
    body.other_as(&["<html lang=\"en\">"]);
    body.other_as(&["<head><meta charset=\"utf-8\">"]);
    body.nothing(&["<title>Page - ", title, "</title></head>"].concat());
    body.nothing("<body>");
}

fn close_page(body: &mut Body) {
    body.nothing("</body>");
    body.nothing("</html>");
}
