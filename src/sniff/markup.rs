//! Pages of HTML and documents of XML, told by their first element.
//!
//! Enters: a body that has no signature. Leaves: whether it is a page or another document, and its
//! media type. The base is the table of the WHATWG MIME Sniffing Standard (7.1): white space, then
//! `<!doctype html`, one of sixteen elements or a comment, without regard to case.
//!
//! # Departures from WHATWG MIME Sniffing, 7.1
//! - In front of the first element, any number of UTF-8 byte order marks is skipped (5.2 knows
//!   one), and so is white space of any length: the 1,024 bytes that are looked at (5.2 reads
//!   1,445) begin behind it.
//! - Comments that end, and instructions such as `<?php ... ?>`, are skipped too, and what follows
//!   decides: files that are otherwise sound have headers of that form. A body of nothing but
//!   comments, and one whose comment never ends, is a page.
//! - The name of an element ends with any white space, with `>`, or with `/`, not only with a space
//!   or `>`.
//! - A doctype of any name is a page (`<!DOCTYPE>`), unless it names an XML vocabulary.
//! - More elements are known: those of [`FRAGMENT`] and [`DOCUMENT`] that 7.1 does not list.
//!   `<pre>` is not among them, as in 7.1: it shows a file as it is.
//! - Behind an element that needs no page around it (a [`FRAGMENT`]), a line of the field
//!   user-agent or disallow makes the body text: a robots.txt with an element, a script or a
//!   warning of PHP in front.
//! - Text in front of a whole page does not hide it: a doctype or `<html`, with an element of a
//!   page's head or body behind it, is a page unless a line in front is a directive or a comment of
//!   robots.txt.
//! - Markup in front of which `<?xml` stands is XHTML if the first vocabulary named is HTML.

use super::{BodyKind, is_binary_byte, is_json};

/// Bytes in which elements and directives are looked for, behind what is skipped.
const WINDOW: usize = 1024;

const HTML: &str = "text/html";
const XHTML: &str = "application/xhtml+xml";
const XML: &str = "application/xml";

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
const COMMENT: &[u8] = b"<!--";
const DOCTYPE: &[u8] = b"!doctype";

/// Elements that are a page, whatever follows.
const DOCUMENT: [&[u8]; 4] = [b"html", b"head", b"body", b"frameset"];

/// Elements that begin a page, or stand in front of a file.
const FRAGMENT: [&[u8]; 25] = [
    b"title",
    b"meta",
    b"link",
    b"script",
    b"noscript",
    b"style",
    b"iframe",
    b"h1",
    b"h2",
    b"h3",
    b"h4",
    b"h5",
    b"h6",
    b"p",
    b"a",
    b"b",
    b"br",
    b"div",
    b"span",
    b"table",
    b"center",
    b"font",
    b"form",
    b"img",
    b"hr",
];

/// Elements of which a whole page has one behind its doctype or `<html`.
const INSIDE: [&[u8]; 5] = [b"html", b"head", b"body", b"title", b"meta"];

/// The vocabularies of XML that are told by the first element.
const ROOTS: [(&[u8], &str); 6] = [
    (b"svg", "image/svg+xml"),
    (b"rss", "application/rss+xml"),
    (b"feed", "application/atom+xml"),
    (b"urlset", XML),
    (b"sitemapindex", XML),
    (b"error", XML),
];

/// Returns kind and media type of a body that is markup.
pub(super) fn recognize(body: &[u8]) -> Option<(BodyKind, &'static str)> {
    const PAGE: Option<(BodyKind, &str)> = Some((BodyKind::Html, HTML));
    let text = behind_blanks(body);
    let behind = behind_preamble(text);
    let is_comment = |text: &[u8]| text.starts_with(COMMENT);
    if is_comment(behind) || behind.is_empty() && is_comment(text) {
        return PAGE;
    }
    let head = &behind[..behind.len().min(WINDOW)];
    let Some(element) = head.strip_prefix(b"<") else {
        return PAGE.filter(|_| has_page_inside(body, text));
    };
    if opens(element, b"?xml") {
        return Some(xml(element));
    }
    let is_one_of = |names: &[&[u8]]| names.iter().any(|name| opens(element, name));
    if is_one_of(&DOCUMENT) {
        return PAGE;
    }
    if opens(element, DOCTYPE) {
        let name = element[DOCTYPE.len()..].trim_ascii_start();
        if let Some(mime) = root(name) {
            return Some((BodyKind::Xml, mime));
        }
        let is_page = opens(name, b"html") || !has_directive(head);
        return PAGE.filter(|_| is_page);
    }
    if is_one_of(&FRAGMENT) {
        return PAGE.filter(|_| !has_directive(head));
    }
    match root(element) {
        Some(mime) => Some((BodyKind::Xml, mime)),
        None => PAGE.filter(|_| has_page_inside(body, text)),
    }
}

/// Returns kind and media type of what begins with an XML declaration.
fn xml(element: &[u8]) -> (BodyKind, &'static str) {
    let first = elements(element).find_map(|(_, element)| {
        let is_page = opens(element, b"html")
            || opens(element, DOCTYPE)
                && opens(element[DOCTYPE.len()..].trim_ascii_start(), b"html");
        match is_page {
            true => Some((BodyKind::Html, XHTML)),
            false => root(element).map(|mime| (BodyKind::Xml, mime)),
        }
    });
    first.unwrap_or((BodyKind::Xml, XML))
}

/// Returns true if and only if text stands in front of a whole page.
fn has_page_inside(body: &[u8], text: &[u8]) -> bool {
    let head = &text[..text.len().min(WINDOW)];
    let begins_page = |element: &[u8]| opens(element, b"html") || opens(element, DOCTYPE);
    let Some((start, _)) = elements(head).find(|(_, element)| begins_page(element)) else {
        return false;
    };
    let front = &head[..start];
    let is_of_robots_txt = |line: &[u8]| {
        let line = line.trim_ascii_start();
        line.starts_with(b"#")
            || [&b"user-agent"[..], b"disallow", b"allow", b"sitemap"]
                .iter()
                .any(|key| has_key(line, key))
    };
    if front.iter().any(|&b| is_binary_byte(b)) || lines(front).any(is_of_robots_txt) {
        return false;
    }
    let page = &text[start + 1..];
    let page = &page[..page.len().min(WINDOW)];
    elements(page).any(|(_, element)| INSIDE.iter().any(|name| opens(element, name)))
        && !is_json(body)
}

/// Returns true if and only if a line is of the field user-agent or disallow.
fn has_directive(head: &[u8]) -> bool {
    lines(head).any(|line| {
        let line = line.trim_ascii_start();
        has_key(line, b"user-agent") || has_key(line, b"disallow")
    })
}

/// Returns the lines of a text; the empty ones between CR and LF do no harm.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|b| matches!(b, b'\r' | b'\n'))
}

/// Returns true if and only if a line is a key, without regard to ASCII case, and a colon.
fn has_key(line: &[u8], key: &[u8]) -> bool {
    starts_with_ignore_case(line, key) && line[key.len()..].trim_ascii_start().starts_with(b":")
}

/// Returns the text behind byte order marks and white space.
fn behind_blanks(body: &[u8]) -> &[u8] {
    let mut text = body.trim_ascii_start();
    while let Some(behind) = text.strip_prefix(BYTE_ORDER_MARK) {
        text = behind.trim_ascii_start();
    }
    text
}

/// Returns the text behind comments and instructions that end.
fn behind_preamble(mut text: &[u8]) -> &[u8] {
    loop {
        let end = if text.starts_with(COMMENT) {
            memchr::memmem::find(text, b"-->").map(|at| at + 3)
        } else if text.starts_with(b"<?") && !opens(&text[1..], b"?xml") {
            memchr::memmem::find(text, b"?>").map(|at| at + 2)
        } else {
            None
        };
        match end {
            Some(end) => text = behind_blanks(&text[end..]),
            None => return text,
        }
    }
}

/// Walks over what stands behind each `<`, with the offset of the `<`.
fn elements(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    memchr::memchr_iter(b'<', text).map(|at| (at, &text[at + 1..]))
}

/// Returns the media type of the XML vocabulary that a name begins.
fn root(name: &[u8]) -> Option<&'static str> {
    let known = ROOTS.iter().find(|(root, _)| opens(name, root));
    known.map(|(_, mime)| *mime)
}

/// Returns true if and only if `text` begins with `name`, without regard to ASCII case, and the
/// name ends there.
fn opens(text: &[u8], name: &[u8]) -> bool {
    let ends = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'>' | b'/');
    starts_with_ignore_case(text, name) && text.get(name.len()).is_none_or(ends)
}

fn starts_with_ignore_case(text: &[u8], prefix: &[u8]) -> bool {
    text.get(..prefix.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! recognizes {
        ($name:ident, $expected:expr, [$($body:expr),+ $(,)?]) => {
            #[test]
            fn $name() {
                $(
                    let made = $body;
                    let body: &[u8] = made.as_ref();
                    let shown = String::from_utf8_lossy(&body[..body.len().min(100)]);
                    let expected: Option<(BodyKind, &str)> = $expected;
                    assert_eq!(recognize(body), expected, "{shown:?}");
                )+
            }
        };
    }

    const PAGE: Option<(BodyKind, &str)> = Some((BodyKind::Html, HTML));

    recognizes!(
        first_elements_of_the_standard,
        PAGE,
        [
            "<html>",
            " \r\n\t<HTML lang=en>",
            "<!DOCTYPE html>\n<html></html>",
            "<!doctype HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\">",
            "<head>",
            "<script>",
            "<iframe src=x>",
            "<h1>404</h1>",
            "<div class=x>",
            "<font>",
            "<table\n>",
            "<a href=/>",
            "<style>",
            "<title>x",
            "<b>Warning</b>",
            "<body>",
            "<br />\n<b>Warning</b>",
            "<p>",
        ]
    );
    recognizes!(
        other_first_elements,
        PAGE,
        [
            "<br/>",
            "<h3>Not found</h3>",
            "<frameset rows=1>",
            "<noscript>",
            "<span><a>"
        ]
    );
    recognizes!(
        doctypes_of_any_name,
        PAGE,
        [
            "<!DOCTYPE>\n<html>",
            "<!DOCTYPE >",
            "<!DOCTYPE html!><br />",
            "<!DOCTYPE"
        ]
    );
    recognizes!(
        byte_order_marks_and_blanks_of_any_length,
        PAGE,
        [
            "\u{feff}<!doctype html>",
            "\u{feff}\u{feff}<!DOCTYPE html>",
            "\u{feff} \n\u{feff}\n<html>",
            [" \r\n".repeat(5_000), "<html>".to_owned()].concat(),
        ]
    );
    recognizes!(
        comments_alone,
        PAGE,
        [
            "<!-- x -->",
            "\n<!-- x -->\n<!-- y --> \n",
            "<!-- never closed",
            "<!-- x --><!-- never closed\nUser-agent: *\n",
            ["<!--", &"x".repeat(5_000), "-->"].concat(),
        ]
    );
    recognizes!(
        pages_behind_comments_and_instructions,
        PAGE,
        [
            "<!-- a --> <!-- b --><head>",
            "<?php echo 1; ?>\r\n\r\n<!DOCTYPE html>",
            "<? if (!x) exit; ?><!doctype html>",
            [
                ["<!--", &"x".repeat(5_000), "-->"].concat(),
                "<html>".to_owned()
            ]
            .concat(),
        ]
    );
    recognizes!(
        pages_behind_text,
        PAGE,
        [
            "c<html>\n\n<head>",
            "\u{ef}\u{bb}\u{bf}<html>\r\n <head>",
            "Not found\r\n\r\n<!DOCTYPE html>\r\n<html><head>",
            "\u{feff}<part name=x/>\n\n<!DOCTYPE HTML PUBLIC>\n<html>",
            ["visitor from 192.0.2.1 ", &" ".repeat(400), "<html><body>"].concat(),
        ]
    );
    recognizes!(
        files_with_markup_in_front,
        None,
        [
            "<!-- x -->\n<!-- $URL: https://a.example/robots.txt $ -->\n\nUser-agent: *\n",
            [
                ["<!--", &"x".repeat(5_000), "-->"].concat(),
                "\nUser-agent: *".to_owned()
            ]
            .concat(),
            "<pre>User-agent: *\nDisallow: /a\n</pre>",
            "<div class=x><pre> # all\r\nUser-Agent: *\r\nDisallow:\r\n",
            "<script src=x></script>User-agent: *\nDisallow: /a\n",
            "<!DOCTYPE html!><br />\n<b>Warning</b>: x\nUser-agent: *\nDisallow: /a\n",
            "<?php ?>\nUser-agent: *\n",
        ]
    );
    recognizes!(
        text_with_elements_inside,
        None,
        [
            "",
            " \n",
            "User-agent: *<br/>Sitemap: https://a.example/s.xml<br/>\nDisallow:",
            "User-agent: *\n<html><head>",
            "# <html><head>\nUser-agent: *\n",
            "Sitemap: x\n<!doctype html><html>",
            "allow : /\n<!doctype html><html>",
            "a <html> page",
            "<<<<<<< HEAD\nUser-agent: *\n",
            "<pizza>",
            "<",
            "\0<html><head>",
            "{\"page\": \"<html><head>\"}",
            ["x".repeat(WINDOW), "<html><head>".to_owned()].concat(),
        ]
    );
    recognizes!(
        a_page_with_directives_is_a_page,
        PAGE,
        [
            "<html><body><pre>\nUser-agent: *\nDisallow: /\n",
            "<!DOCTYPE html>\nUser-agent: *\n",
        ]
    );
    recognizes!(
        xhtml,
        Some((BodyKind::Html, XHTML)),
        [
            "<?xml version=\"1.0\"?><!DOCTYPE html><html xmlns=\"x\">",
            "<?xml version='1.0'?>\n<!-- x -->\n<html>",
            "<?xml version='1.0'?><!DOCTYPE html PUBLIC>",
        ]
    );
    recognizes!(
        other_documents,
        Some((BodyKind::Xml, XML)),
        [
            "<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>",
            "<?xml version='1.0'?><x>",
            "<urlset xmlns=\"x\">",
            "<Error><Code>AccessDenied</Code>",
        ]
    );
    recognizes!(
        feeds,
        Some((BodyKind::Xml, "application/rss+xml")),
        [
            "<?xml version='1.0'?>\n<rss version='2.0'><![CDATA[<html>]]>",
            "<rss><title>x</title>",
        ]
    );
    recognizes!(
        drawings,
        Some((BodyKind::Xml, "image/svg+xml")),
        [
            "<svg xmlns='x'/>",
            "<?xml version='1.0'?><svg/><html>",
            "<!DOCTYPE svg PUBLIC 'x'><svg>",
        ]
    );
}
