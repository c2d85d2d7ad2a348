//! Pages of HTML that servers send instead of a robots.txt.
//!
//! They are parsed like any text, so a line of a page may well be a directive to the dialect: one
//! with a colon, or of just two words. Each line states which it is.

use crate::sample::body::{BodyWriter, LineBreak, Statement};

/// What stands in pages, in turns.
const PARAGRAPHS: [&str; 5] = [
    "  <p>The page you asked for is made of words that say little and take some room.</p>",
    "  <p>Whoever reads this far may as well go on to the next paragraph, which is shorter.</p>",
    "  <p>It really is.</p>",
    "  <p>Links to other pages would stand here, with pictures beside them and a form below.</p>",
    "  <p>Thank you for your visit, and for your patience with machines.</p>",
];

/// Writes a home page, to which a robots.txt was redirected.
pub(in crate::sample) fn home_page(body: &mut BodyWriter) {
    body.clear(LineBreak::Lf);
    write_page(body, "Home", 12);
}

/// Writes the page of a parking service.
pub(in crate::sample) fn parking_page(body: &mut BodyWriter) {
    body.clear(LineBreak::CrLf);
    open_page(body, "This name may be for sale");
    ignored(
        body,
        "<p>Ask the owner of the name, who parks it with us.</p>",
    );
    other(
        body,
        "<a href=\"https://parking.example/offers\">See offers</a>",
    );
    close_page(body);
}

/// Writes the body of a redirect.
pub(in crate::sample) fn redirect_page(body: &mut BodyWriter, target: &str) {
    body.clear(LineBreak::CrLf);
    open_page(body, "Moved");
    ignored(body, "<h1>The document has moved</h1>");
    let statement = if target.contains(':') {
        Statement::Other
    } else {
        Statement::Ignored
    };
    let line = format!("<p>It is now <a href=\"{target}\">over there</a>.</p>");
    body.line(statement, line);
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

/// Writes a page with so many paragraphs.
pub(super) fn write_page(body: &mut BodyWriter, title: &str, paragraphs: usize) {
    open_page(body, title);
    ignored(body, "<style>");
    other(
        body,
        "  body { margin: 2em auto; max-width: 40em; font-family: sans-serif }",
    );
    other(body, "  a { color: #246 }");
    ignored(body, "</style>");
    other(body, "<div class=\"page\">");
    ignored(body, &format!("<h1>{title}</h1>"));
    for paragraph in PARAGRAPHS.iter().cycle().take(paragraphs) {
        ignored(body, paragraph);
    }
    ignored(body, "</div>");
    close_page(body);
}

fn open_page(body: &mut BodyWriter, title: &str) {
    body.is_page();
    other(body, "<!DOCTYPE html>");
    other(body, "<html lang=\"en\">");
    other(body, "<head><meta charset=\"utf-8\">");
    ignored(body, &format!("<title>Page - {title}</title></head>"));
    ignored(body, "<body>");
}

fn close_page(body: &mut BodyWriter) {
    ignored(body, "</body>");
    ignored(body, "</html>");
}

fn other(body: &mut BodyWriter, line: &str) {
    body.line(Statement::Other, line);
}

fn ignored(body: &mut BodyWriter, line: &str) {
    body.line(Statement::Ignored, line);
}
