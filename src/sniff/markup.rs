//! Recognition of HTML pages and XML documents by their first element.
//!
//! The basis is the table of the WHATWG MIME Sniffing Standard (7.1): white space, then `<!doctype
//! html`, one of sixteen elements or a comment, without regard to case.
//!
//! # Departures from WHATWG MIME Sniffing, 7.1
//! - Before the first element, any number of UTF-8 byte order marks is skipped (5.2 has one), and
//!   so is white space of any length: the 1,024 bytes that are examined (5.2 reads 1,445) begin
//!   after it.
//! - Comments that end, and instructions such as `<?php ... ?>`, are skipped too, and what follows
//!   decides: otherwise valid files begin with such comments. A body of comments alone, and one
//!   whose comment never ends, is a page.
//! - The name of an element ends with any white space, with `>`, or with `/`, not only with a space
//!   or `>`.
//! - A doctype of any name is a page (`<!DOCTYPE>`), unless it names an XML vocabulary.
//! - More elements are known: those of [`FRAGMENT`] and [`DOCUMENT`] that 7.1 does not list.
//!   `<pre>` is not among them, as in 7.1: it shows a file verbatim.
//! - After an element that may appear without a page (a [`FRAGMENT`]), a line of the field
//!   user-agent or disallow makes the body text: a robots.txt after an element, a script or a
//!   warning of PHP.
//! - Text before a complete page does not hide it: a doctype or `<html`, followed by an element of
//!   a page's head or body, is a page unless a line before it is a directive or a comment of
//!   robots.txt.
//! - Markup after `<?xml` is XHTML if the first vocabulary named is HTML.

use super::{BodyKind, is_binary_byte, is_json};

/// Bytes in which elements and directives are searched for, after those that are skipped.
const WINDOW: usize = 1024;

const HTML: &str = "text/html";
const XHTML: &str = "application/xhtml+xml";
const XML: &str = "application/xml";

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
const COMMENT: &[u8] = b"<!--";
const DOCTYPE: &[u8] = b"!doctype";

/// Elements that make a page, whatever follows.
const DOCUMENT: [&[u8]; 4] = [b"html", b"head", b"body", b"frameset"];

/// Elements that begin a page, or precede a file.
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

/// Elements of which a complete page has one after its doctype or `<html`.
const INSIDE: [&[u8]; 5] = [b"html", b"head", b"body", b"title", b"meta"];

/// The XML vocabularies that are recognized by the first element.
const ROOTS: [(&[u8], &str); 6] = [
    (b"svg", "image/svg+xml"),
    (b"rss", "application/rss+xml"),
    (b"feed", "application/atom+xml"),
    (b"urlset", XML),
    (b"sitemapindex", XML),
    (b"error", XML),
];

/// Returns the kind and media type of a body that is markup.
pub(super) fn recognize(body: &[u8]) -> Option<(BodyKind, &'static str)> {
    const PAGE: Option<(BodyKind, &str)> = Some((BodyKind::Html, HTML));
    let text = skip_blanks(body);
    let rest = skip_preamble(text);
    let is_comment = |text: &[u8]| text.starts_with(COMMENT);
    if is_comment(rest) || rest.is_empty() && is_comment(text) {
        return PAGE;
    }
    let head = &rest[..rest.len().min(WINDOW)];
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

/// Returns the kind and media type of a document that begins with an XML declaration.
fn xml(element: &[u8]) -> (BodyKind, &'static str) {
    let first = elements(element).find_map(|(_, element)| {
        let is_page = opens(element, b"html")
            || opens(element, DOCTYPE)
                && opens(element[DOCTYPE.len()..].trim_ascii_start(), b"html");
        if is_page {
            Some((BodyKind::Html, XHTML))
        } else {
            root(element).map(|mime| (BodyKind::Xml, mime))
        }
    });
    first.unwrap_or((BodyKind::Xml, XML))
}

/// Returns true if and only if the body is text followed by a complete page.
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

/// Returns the lines of a text; CRLF yields an empty line, which matches nothing.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|b| matches!(b, b'\r' | b'\n'))
}

/// Returns true if and only if a line is a key, without regard to ASCII case, and a colon.
fn has_key(line: &[u8], key: &[u8]) -> bool {
    starts_with_ignore_case(line, key) && line[key.len()..].trim_ascii_start().starts_with(b":")
}

/// Returns the text after byte order marks and white space.
fn skip_blanks(body: &[u8]) -> &[u8] {
    let mut text = body.trim_ascii_start();
    while let Some(rest) = text.strip_prefix(BYTE_ORDER_MARK) {
        text = rest.trim_ascii_start();
    }
    text
}

/// Returns the text after comments and instructions that end.
fn skip_preamble(mut text: &[u8]) -> &[u8] {
    loop {
        let end = if text.starts_with(COMMENT) {
            memchr::memmem::find(text, b"-->").map(|at| at + 3)
        } else if text.starts_with(b"<?") && !opens(&text[1..], b"?xml") {
            memchr::memmem::find(text, b"?>").map(|at| at + 2)
        } else {
            None
        };
        match end {
            Some(end) => text = skip_blanks(&text[end..]),
            None => return text,
        }
    }
}

/// Returns the text after each `<`, with the offset of the `<`.
fn elements(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    memchr::memchr_iter(b'<', text).map(|at| (at, &text[at + 1..]))
}

/// Returns the media type of the XML vocabulary that the text names.
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
        pages_after_comments_and_instructions,
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
        pages_after_text,
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
        files_after_markup,
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
