//! What pages state about themselves, and how, as `traits.txt` has it.
//!
//! - `= name weight` begins a trait. About so many of a thousand pages have it.
//! - `head`, `body` and `field` are followed by a line of HTML or of the header; `repeat 80` is a
//!   line of the body so many times.
//! - A line behind two blanks is a statement of the line before, of an element or a field; `at`
//!   says in which other place the statements that follow are. `!` stands in front of one that
//!   states nothing.
//! - `count links 2` counts links, or those with a value of `rel`, or elements with
//!   `data-nosnippet`; `finding` is what is unusual about the page.
//! - `closed`, `cut`, `pdf` and `charset` change the page.
//!
//! A few leave something to chance, or are too large to be written down: see [`write()`].

use std::sync::LazyLock;

use super::{charset::Charset, writer::PageWriter};
use crate::sample::catalog::{Entry, entries, number};

/// All traits.
pub(super) static TRAITS: LazyLock<Vec<Entry>> =
    LazyLock::new(|| entries(include_str!("traits.txt")));

/// Writes what a page of this kind has besides the usual.
pub(super) fn write(shown: &Entry, page: &mut PageWriter<'_>) {
    let mut place = "";
    for line in shown.text.lines() {
        if let Some(statement) = line.strip_prefix("  ") {
            page.state(place, statement);
            continue;
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "head" => (page.head, place) = (format!("{}{rest}\n", page.head), "meta head"),
            "body" => (page.body, place) = (format!("{}{rest}\n", page.body), "meta body"),
            "field" => {
                (page.fields, place) = (format!("{}{rest}\r\n", page.fields), "header header");
            }
            "at" => place = rest,
            "repeat" => {
                let (times, html) = rest.split_once(' ').expect("a line follows");
                page.body += &format!("{html}\n").repeat(number(times));
            }
            "count" => {
                let (counted, n) = rest.split_once(' ').expect("a number follows");
                page.count(counted, number(n) as u64);
            }
            "finding" => page.stated.findings.push(rest),
            "closed" => page.is_closed = true,
            "cut" => page.is_cut = true,
            "pdf" => page.is_pdf = true,
            "charset" => page.charset = Charset::from_name(rest),
            _ => unreachable!("{line:?} is no line of a trait"),
        }
    }
    match shown.name {
        "nofollow_links" => nofollow_links(page),
        "huge_attribute" => huge_attribute(page),
        "deep_nesting" => deep_nesting(page),
        _ => {}
    }
}

fn nofollow_links(page: &mut PageWriter<'_>) {
    for _ in 0..3 + page.random.below(10) {
        let word = page.word();
        page.body += &format!(
            "<p><a href=\"https://{word}.example/\" target=\"_blank\" rel=\"noopener nofollow\">{word}</a></p>\n"
        );
        page.count_links(1, &["nofollow"]);
    }
}

fn huge_attribute(page: &mut PageWriter<'_>) {
    let blanks = " ".repeat(9_000);
    page.head += &format!("<meta name=\"robots\" content=\"noindex{blanks}, noarchive\">\n");
    page.state("meta head", "!* noindex value_too_long");
    page.stated.findings.push("attribute_too_long");
    let state = page.words(4_000);
    page.body += &format!("<div class=\"app\" data-state='{{\"text\":\"{state}\"}}'></div>\n");
}

fn deep_nesting(page: &mut PageWriter<'_>) {
    const DEPTH: usize = 700;
    page.body += &"<div class=\"row\">".repeat(DEPTH);
    page.body += "<meta name=\"robots\" content=\"noarchive\">";
    page.body += &"</div>".repeat(DEPTH);
    page.state("meta body", "* noarchive");
    page.stated.findings.push("nested_too_deep");
}
