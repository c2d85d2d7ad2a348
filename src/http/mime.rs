//! What a body is: the type that was declared, and the type that the bytes show.
//!
//! What enters is the value of a `Content-Type` field or the first bytes of a body, what leaves is
//! a media type. This file refuses to know whether either of them is right.

/// Bytes of a body that are looked at: 1 KiB, as browsers do (WHATWG MIME Sniffing, 5.2, reads
/// 1,445).
const SNIFFED: usize = 1024;

/// Bytes that are looked at to tell text from binary: 512, as Tika does.
const SNIFFED_TEXT: usize = 512;

/// The parts of a declared `Content-Type` (RFC 9110, 8.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContentType<'b> {
    mime: &'b [u8],
    charset: Option<&'b [u8]>,
}

impl<'b> ContentType<'b> {
    /// Parses the value of a field. Cannot fail: what is missing is `None`.
    pub fn parse(value: &'b [u8]) -> ContentType<'b> {
        let mut parts = value.split(|&b| b == b';');
        // A comma joins doubled fields; the first one counts.
        let first = parts.next().unwrap_or_default();
        let mime = first
            .split(|&b| b == b',')
            .next()
            .unwrap_or_default()
            .trim_ascii();
        let charset = parts.find_map(|parameter| {
            let equals = memchr::memchr(b'=', parameter)?;
            let (name, value) = (parameter[..equals].trim_ascii(), &parameter[equals + 1..]);
            name.eq_ignore_ascii_case(b"charset")
                .then(|| unquoted(value))
                .filter(|value| !value.is_empty())
        });
        ContentType { mime, charset }
    }

    /// Returns the same parts, standing elsewhere.
    pub(crate) fn from_parts(mime: &'b [u8], charset: Option<&'b [u8]>) -> ContentType<'b> {
        ContentType { mime, charset }
    }

    /// Returns the media type without parameters, as written.
    pub fn mime(&self) -> Option<&'b [u8]> {
        (!self.mime.is_empty()).then_some(self.mime)
    }

    /// Returns the `charset` parameter, as written but without quotes.
    pub fn charset(&self) -> Option<&'b [u8]> {
        self.charset
    }

    /// Appends the media type in lower case to `out`, and returns false if none is declared.
    ///
    /// Bytes outside ASCII become U+FFFD, one for one.
    pub fn append_mime(&self, out: &mut String) -> bool {
        out.extend(self.mime.iter().map(|&b| {
            if b.is_ascii() {
                b.to_ascii_lowercase() as char
            } else {
                char::REPLACEMENT_CHARACTER
            }
        }));
        !self.mime.is_empty()
    }
}

/// Returns the media type that the first bytes of a body show.
///
/// Follows what Apache Tika says of the types that answer for a robots.txt: signatures first, then
/// markup, then JSON, then text or not. An empty body is `application/octet-stream`, as there.
pub fn detect_mime(body: &[u8]) -> &'static str {
    if let Some((_, mime)) = SIGNATURES
        .iter()
        .find(|(signature, _)| body.starts_with(signature))
    {
        return mime;
    }
    if body.starts_with(b"RIFF") && body.get(8..12) == Some(b"WEBP") {
        return "image/webp";
    }
    let start = &body[..body.len().min(SNIFFED)];
    if start.is_empty() {
        return OCTETS;
    }
    if start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") {
        return "text/plain";
    }
    if let Some(mime) = markup(start) {
        return mime;
    }
    if is_json(body) {
        return "application/json";
    }
    let has_binary = start.iter().take(SNIFFED_TEXT).any(|&b| is_binary_byte(b));
    if has_binary { OCTETS } else { "text/plain" }
}

/// Returns true if and only if a body is an HTML page by its first bytes.
///
/// The tags are those of the WHATWG MIME Sniffing Standard (7.1) and a few more that error pages
/// begin with; white space, a byte order mark and comments may stand in front. XHTML counts.
pub fn is_html(body: &[u8]) -> bool {
    let start = &body[..body.len().min(SNIFFED)];
    matches!(markup(start), Some(HTML | XHTML))
}

/// Returns true if and only if `byte` does not occur in text: the control characters without tab,
/// line ends, form feed, escape.
pub(super) fn is_binary_byte(byte: u8) -> bool {
    matches!(byte, 0..=0x08 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f)
}

const OCTETS: &str = "application/octet-stream";
const HTML: &str = "text/html";
const XHTML: &str = "application/xhtml+xml";

const SIGNATURES: &[(&[u8], &str)] = &[
    (b"\x1f\x8b", "application/gzip"),
    (b"PK\x03\x04", "application/zip"),
    (b"PK\x05\x06", "application/zip"),
    (b"%PDF-", "application/pdf"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"\0\0\x01\0", "image/vnd.microsoft.icon"),
    (b"(\xb5/\xfd", "application/zstd"),
    (b"\xfd7zXZ\0", "application/x-xz"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"Rar!\x1a\x07", "application/x-rar-compressed"),
    (b"BZh91AY&SY", "application/x-bzip2"),
    (b"%!PS", "application/postscript"),
    (b"{\\rtf", "application/rtf"),
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "application/x-tika-msoffice",
    ),
    (b"\x7fELF", "application/x-executable"),
];

const XML_ROOTS: &[(&[u8], &str)] = &[
    (b"<html", XHTML),
    (b"<svg", "image/svg+xml"),
    (b"<rss", "application/rss+xml"),
    (b"<feed", "application/atom+xml"),
];

const HTML_TAGS: &[&[u8]] = &[
    b"<!doctype html",
    b"<html",
    b"<head",
    b"<body",
    b"<title",
    b"<meta",
    b"<link",
    b"<script",
    b"<style",
    b"<iframe",
    b"<h1",
    b"<h2",
    b"<div",
    b"<center",
    b"<form",
    b"<font",
    b"<table",
    b"<span",
    b"<pre",
    b"<img",
    b"<a",
    b"<b",
    b"<br",
    b"<p",
];

/// Returns the type of a body that begins with markup.
fn markup(start: &[u8]) -> Option<&'static str> {
    let text = without_preamble(start);
    if text.first() != Some(&b'<') {
        return None;
    }
    // What is left of a comment has no end in sight.
    let has_tag = HTML_TAGS.iter().any(|tag| starts_with_tag(text, tag));
    if has_tag || text.starts_with(COMMENT) {
        return Some(HTML);
    }
    if starts_with_ignore_case(text, b"<?xml") {
        return Some(xml_root(text).unwrap_or("application/xml"));
    }
    starts_with_tag(text, b"<svg").then_some("image/svg+xml")
}

/// Returns the type of the first element that tells the kind of an XML document.
fn xml_root(text: &[u8]) -> Option<&'static str> {
    memchr::memchr_iter(b'<', text).find_map(|at| {
        let root = XML_ROOTS
            .iter()
            .find(|(tag, _)| starts_with_tag(&text[at..], tag))?;
        Some(root.1)
    })
}

const COMMENT: &[u8] = b"<!--";

/// Returns the text behind a byte order mark, white space and comments that end.
fn without_preamble(start: &[u8]) -> &[u8] {
    let mut text = start
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(start)
        .trim_ascii_start();
    while let Some(comment) = text.strip_prefix(COMMENT) {
        let Some(end) = memchr::memmem::find(comment, b"-->") else {
            break;
        };
        text = comment[end + 3..].trim_ascii_start();
    }
    text
}

fn starts_with_ignore_case(text: &[u8], prefix: &[u8]) -> bool {
    text.get(..prefix.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

/// Returns true if and only if `text` begins with `tag` and the name of the tag ends there.
fn starts_with_tag(text: &[u8], tag: &[u8]) -> bool {
    let ends_name = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'>' | b'/');
    starts_with_ignore_case(text, tag) && text.get(tag.len()).is_none_or(ends_name)
}

/// Returns true if and only if a body has the outer shape of a JSON object or array.
fn is_json(body: &[u8]) -> bool {
    let text = body
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(body)
        .trim_ascii();
    let (Some(first), Some(last)) = (text.first(), text.last()) else {
        return false;
    };
    let inner = text.get(1..).unwrap_or_default().trim_ascii_start().first();
    match (first, last) {
        (b'{', b'}') => matches!(inner, Some(b'"' | b'}')),
        (b'[', b']') => matches!(inner, Some(b'{' | b'[' | b'"' | b']' | b'0'..=b'9' | b'-')),
        _ => false,
    }
}

fn unquoted(value: &[u8]) -> &[u8] {
    let value = value.trim_ascii();
    let quote = |b: &u8| matches!(b, b'"' | b'\'');
    let start = value.iter().take_while(|b| quote(b)).count();
    let end = value[start..]
        .iter()
        .position(quote)
        .map_or(value.len(), |at| start + at);
    value[start..end].trim_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! detects {
        ($name:ident, $mime:expr, [$($body:expr),+ $(,)?]) => {
            #[test]
            fn $name() {
                $(
                    let body: &[u8] = $body.as_ref();
                    assert_eq!(detect_mime(body), $mime, "{:?}", String::from_utf8_lossy(body));
                    let is_page = matches!($mime, "text/html" | "application/xhtml+xml");
                    assert_eq!(is_html(body), is_page, "{:?}", String::from_utf8_lossy(body));
                )+
            }
        };
    }

    detects!(
        text,
        "text/plain",
        [
            "User-agent: *\nDisallow: /\n",
            b"# caf\xe9\n",
            "\u{feff}User-agent: *",
            "\n",
            b"\xff\xfeU\0s\0",
            "{ not json",
            "[section]",
            "<abc>",
            "<brand>",
            "a <html> page",
        ]
    );
    detects!(
        html,
        "text/html",
        [
            "<html>",
            "<!DOCTYPE html>\n<html></html>",
            "<!doctype HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\">",
            "\u{feff} \r\n\t<HTML lang=en>",
            "<!-- a --> <!-- b --><head>",
            "<br />\n<b>Warning</b>",
            "<a href=/>",
            "<p>",
            "<script>",
            "<!-- never closed",
        ]
    );
    detects!(
        xhtml,
        "application/xhtml+xml",
        ["<?xml version=\"1.0\"?><!DOCTYPE html><html xmlns=\"x\">"]
    );
    detects!(
        xml,
        "application/xml",
        ["<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>"]
    );
    detects!(
        rss,
        "application/rss+xml",
        ["<?xml version='1.0'?>\n<rss version='2.0'><![CDATA[<html>]]>"]
    );
    detects!(
        svg,
        "image/svg+xml",
        ["<svg xmlns='x'/>", "<?xml version='1.0'?><svg/>"]
    );
    detects!(
        json,
        "application/json",
        ["{\"error\": 404}", "{}", " [1, 2]\n", "[]", "[{\"a\":1}]"]
    );
    detects!(gzip, "application/gzip", [b"\x1f\x8b\x08\0"]);
    detects!(zip, "application/zip", [b"PK\x03\x04rest"]);
    detects!(png, "image/png", [b"\x89PNG\r\n\x1a\n\0"]);
    detects!(jpeg, "image/jpeg", [b"\xff\xd8\xff\xe0"]);
    detects!(gif, "image/gif", [b"GIF89a\x01"]);
    detects!(webp, "image/webp", [b"RIFF\x01\x02\x03\x04WEBPVP8"]);
    detects!(pdf, "application/pdf", [b"%PDF-1.7\n"]);
    detects!(
        octets,
        "application/octet-stream",
        [b"", b"a\0b", b"\x01\x02"]
    );

    #[test]
    fn every_short_body_has_a_type() {
        for first in 0..=255u8 {
            for second in [0, b'<', b'"', 0xff] {
                assert!(detect_mime(&[first, second]).contains('/'));
            }
        }
    }

    macro_rules! declares {
        ($name:ident, $value:expr, $mime:expr, $charset:expr) => {
            #[test]
            fn $name() {
                let declared = ContentType::parse($value);
                let mut mime = String::new();
                let has_mime = declared.append_mime(&mut mime);
                assert_eq!(has_mime.then_some(mime.as_str()), $mime);
                assert_eq!(declared.mime().is_some(), has_mime);
                let want: Option<&[u8]> = $charset;
                assert_eq!(declared.charset(), want);
            }
        };
    }

    declares!(type_alone, b"text/plain", Some("text/plain"), None);
    declares!(
        type_and_charset,
        b"Text/Plain; Charset=UTF-8",
        Some("text/plain"),
        Some(b"UTF-8")
    );
    declares!(
        charset_in_quotes,
        b"text/html;x=y;charset=\"iso-8859-1\"; z",
        Some("text/html"),
        Some(b"iso-8859-1")
    );
    declares!(
        charset_with_one_quote,
        b"text/html;charset='utf-8",
        Some("text/html"),
        Some(b"utf-8")
    );
    declares!(
        charset_without_type,
        b";charset=utf-8",
        None,
        Some(b"utf-8")
    );
    declares!(
        empty_charset_is_none,
        b"text/plain; charset=",
        Some("text/plain"),
        None
    );
    declares!(empty_value, b"", None, None);
    declares!(
        doubled_type,
        b"text/plain, text/html",
        Some("text/plain"),
        None
    );
    declares!(
        bytes_outside_ascii,
        b"text/\xe9",
        Some("text/\u{fffd}"),
        None
    );
}
