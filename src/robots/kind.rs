//! What a body is, by its first bytes.
//!
//! Enters: a body. Leaves: text, or the thing that a server sent in its place. Headers are not
//! asked, and no verdict depends on the answer: an HTML page is parsed line by line like any text.

/// The first bytes in which the elements of a page are looked for.
const HEAD_LEN: usize = 1024;

/// What a body looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BodyKind {
    /// Text, or anything that is not recognized.
    #[default]
    Text,
    /// A page.
    Html,
    /// XML that is no page.
    Xml,
    /// A gzip stream (RFC 1952).
    Gzip,
    /// A PNG, GIF, JPEG, WebP or icon image.
    Image,
    /// A PDF document.
    Pdf,
    /// Text in UTF-16, low byte first.
    Utf16Le,
    /// Text in UTF-16, high byte first.
    Utf16Be,
}

impl BodyKind {
    /// Returns the kind that the first bytes of `body` show.
    pub fn sniff(body: &[u8]) -> BodyKind {
        const MAGIC: [(&[u8], BodyKind); 8] = [
            (b"\x1f\x8b\x08", BodyKind::Gzip),
            (b"\x89PNG\r\n\x1a\n", BodyKind::Image),
            (b"GIF8", BodyKind::Image),
            (b"\xff\xd8\xff", BodyKind::Image),
            (b"\0\0\x01\0", BodyKind::Image),
            (b"%PDF-", BodyKind::Pdf),
            (b"\xff\xfe", BodyKind::Utf16Le),
            (b"\xfe\xff", BodyKind::Utf16Be),
        ];
        if let Some(&(_, kind)) = MAGIC.iter().find(|(magic, _)| body.starts_with(magic)) {
            return kind;
        }
        if body.starts_with(b"RIFF") && body.get(8..12) == Some(b"WEBP") {
            return BodyKind::Image;
        }
        unmarked_utf16(body).unwrap_or_else(|| markup(body))
    }

    /// Returns the name used in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            BodyKind::Text => "text",
            BodyKind::Html => "html",
            BodyKind::Xml => "xml",
            BodyKind::Gzip => "gzip",
            BodyKind::Image => "image",
            BodyKind::Pdf => "pdf",
            BodyKind::Utf16Le => "utf-16le",
            BodyKind::Utf16Be => "utf-16be",
        }
    }
}

/// Recognizes ASCII text in UTF-16 without a byte order mark: every second byte is NUL.
fn unmarked_utf16(body: &[u8]) -> Option<BodyKind> {
    let head = &body[..body.len().min(16) & !1];
    if head.len() < 8 {
        return None;
    }
    let all = |low: usize| {
        head.chunks_exact(2)
            .all(|unit| unit[low] != 0 && unit[1 - low] == 0)
    };
    if all(0) {
        Some(BodyKind::Utf16Le)
    } else if all(1) {
        Some(BodyKind::Utf16Be)
    } else {
        None
    }
}

/// Tells a page from XML and from text by the element in front, as browsers do (WHATWG MIME
/// Sniffing section 7.1), and XHTML from XML by the elements behind the declaration.
///
/// A browser takes a comment for the sign of a page. Here what follows it is asked, since files
/// that are otherwise sound have headers of that form.
fn markup(body: &[u8]) -> BodyKind {
    const PAGE: [&[u8]; 21] = [
        b"!doctype html",
        b"html",
        b"head",
        b"body",
        b"title",
        b"meta",
        b"script",
        b"iframe",
        b"style",
        b"link",
        b"div",
        b"table",
        b"center",
        b"font",
        b"form",
        b"h1",
        b"h2",
        b"p",
        b"a",
        b"br",
        b"b",
    ];
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    let start = super::trim_start(body);
    let behind = behind_comments(start);
    if behind.is_empty() && !start.is_empty() {
        return BodyKind::Html;
    }
    let Some(head) = behind.strip_prefix(b"<") else {
        return BodyKind::Text;
    };
    let head = &head[..head.len().min(HEAD_LEN)];
    let opens = |head: &[u8], name: &[u8]| {
        let starts = head
            .get(..name.len())
            .is_some_and(|prefix| prefix.eq_ignore_ascii_case(name));
        let ends = head
            .get(name.len())
            .is_none_or(|&byte| super::is_blank_byte(byte) || matches!(byte, b'>' | b'/'));
        starts && ends
    };
    if head.starts_with(b"!--") || PAGE.iter().any(|name| opens(head, name)) {
        return BodyKind::Html;
    }
    if opens(head, b"?xml") {
        let has_page = memchr::memchr_iter(b'<', head)
            .any(|at| opens(&head[at + 1..], b"html") || opens(&head[at + 1..], b"!doctype html"));
        return if has_page {
            BodyKind::Html
        } else {
            BodyKind::Xml
        };
    }
    if [&b"rss"[..], b"feed", b"urlset", b"svg", b"error"]
        .iter()
        .any(|name| opens(head, name))
    {
        return BodyKind::Xml;
    }
    BodyKind::Text
}

/// Returns what stands behind comments that end within [`HEAD_LEN`] bytes each, and white space.
fn behind_comments(mut text: &[u8]) -> &[u8] {
    while let Some(comment) = text.strip_prefix(b"<!--") {
        let head = &comment[..comment.len().min(HEAD_LEN)];
        let Some(end) = memchr::memmem::find(head, b"-->") else {
            break;
        };
        text = super::trim_start(&comment[end + 3..]);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! kind {
        ($name:ident, $kind:ident, $($body:expr),+ $(,)?) => {
            #[test]
            fn $name() {
                $(assert_eq!(BodyKind::sniff($body), BodyKind::$kind, "{:?}", $body);)+
            }
        };
    }

    kind!(
        pages,
        Html,
        b"<html>",
        b" \n<!DOCTYPE HTML PUBLIC",
        b"\xef\xbb\xbf<!doctype html>",
        b"<?xml version=\"1.0\"?><!DOCTYPE html><html>",
        b"<p>x",
        b"<!-- x -->",
        b"<!-- x",
        b"<!-- x -->\n<!-- y -->\n<html>",
        b"<br/>"
    );
    kind!(
        documents,
        Xml,
        b"<?xml version=\"1.0\"?><rss>",
        b"<urlset xmlns=\"x\">"
    );
    kind!(
        text,
        Text,
        b"",
        b" ",
        b"user-agent: *\n",
        b"# <html>",
        b"<!-- x -->\n<!-- y -->\nuser-agent: *\n",
        b"<pizza>",
        b"<",
        b"U\0s\0"
    );
    kind!(streams, Gzip, b"\x1f\x8b\x08\0");
    kind!(
        images,
        Image,
        b"GIF89a",
        b"\xff\xd8\xff\xe0",
        b"RIFF\x01\0\0\0WEBPVP8 "
    );
    kind!(documents_for_print, Pdf, b"%PDF-1.4");
    kind!(low_byte_first, Utf16Le, b"\xff\xfeU\0", b"U\0s\0e\0r\0-\0");
    kind!(high_byte_first, Utf16Be, b"\xfe\xff\0U", b"\0U\0s\0e\0r\0-");
}
