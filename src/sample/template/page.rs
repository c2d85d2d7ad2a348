//! Pages of HTML that servers send instead of a robots.txt.
//!
//! They are parsed like any text, so a line of a page may well be a directive to the dialect: one
//! with a colon, or of just two words. Each line states which it is, as those of `files.txt` do:
//! `other` or `ignored`, and `|` before the line.

use super::text::statement;
use crate::sample::body::{BodyWriter, LineBreak};

/// What all pages have.
const PAGE: &str = include_str!("page.txt");
/// The content of a page of paragraphs, and what they say, in turns.
const ARTICLE: &str = include_str!("article.txt");
const PARAGRAPHS: &str = include_str!("paragraphs.txt");
/// The content of the page of a parking service.
const PARKED: &str = "\
ignored|<p>Ask the owner of the name, who parks it with us.</p>
other|<a href=\"https://parking.example/offers\">See offers</a>
";

/// Writes a home page, to which a robots.txt was redirected.
pub(in crate::sample) fn home_page(body: &mut BodyWriter) {
    body.clear(LineBreak::Lf);
    write_article(body, "Home", 12);
}

/// Writes the page of a parking service.
pub(in crate::sample) fn parking_page(body: &mut BodyWriter) {
    body.clear(LineBreak::CrLf);
    write_page(body, "This name may be for sale", PARKED);
}

/// Writes the body of a redirect.
pub(in crate::sample) fn redirect_page(body: &mut BodyWriter, target: &str) {
    body.clear(LineBreak::CrLf);
    let is = if target.contains(':') {
        "other"
    } else {
        "ignored"
    };
    let link = format!("{is}|<p>It is now <a href=\"{target}\">over there</a>.</p>\n");
    let title = "ignored|<h1>The document has moved</h1>\n";
    write_page(body, "Moved", &[title, &link].concat());
}

/// Writes the page of an error with this status.
pub(in crate::sample) fn error_page(body: &mut BodyWriter, status: u16, paragraphs: usize) {
    body.clear(LineBreak::Lf);
    let title = match status {
        401 | 403 => "You may not see this page",
        400..=499 => "There is no such page",
        _ => "The server is busy or out of order",
    };
    write_article(body, title, paragraphs);
}

/// Writes a page with so many paragraphs.
pub(super) fn write_article(body: &mut BodyWriter, title: &str, paragraphs: usize) {
    let lines = PARAGRAPHS.split_inclusive('\n').cycle();
    let paragraphs: String = lines.take(paragraphs).collect();
    write_page(body, title, &ARTICLE.replace("{paragraphs}\n", &paragraphs));
}

fn write_page(body: &mut BodyWriter, title: &str, content: &str) {
    body.is_page();
    let page = PAGE.replace("{content}\n", content);
    for line in page.replace("{title}", title).lines() {
        let (words, line) = line.split_once('|').expect("a line states what it is");
        body.line(statement(words), line);
    }
}
