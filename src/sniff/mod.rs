//! The kind and media type of a body, by its first bytes.
//!
//! This is the only code that distinguishes an HTML page from a text file by its bytes, so that the
//! columns `is_html` and `content_mime_detected` of `captures`, the code `html_body`, the tables of
//! lines and the faults of archives agree. A body has no transfer or content codings any more.
//! Header fields are not considered, and no verdict depends on the result: an HTML page is parsed
//! line by line like any text.
//!
//! Media types are those of Apache Tika for what is met where a robots.txt was requested:
//! signatures first, then markup, then JSON, then text or not. `markup.rs` has the rules for markup
//! and their departures from the WHATWG MIME Sniffing Standard.

mod markup;

/// Bytes that are examined to distinguish text from binary data: 512, as in Tika.
const TEXT_WINDOW: usize = 512;

use crate::named::named;

named! {
    /// The kind of a body.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum BodyKind {
        /// Text, or anything that is not recognized.
        #[default]
        Text = "text",
        /// An HTML or XHTML page.
        Html = "html",
        /// XML that is not a page.
        Xml = "xml",
        /// A gzip stream (RFC 1952).
        Gzip = "gzip",
        /// A PNG, GIF, JPEG, WebP or icon image.
        Image = "image",
        /// A PDF document.
        Pdf = "pdf",
        /// Text in UTF-16, low byte first.
        Utf16Le = "utf-16le",
        /// Text in UTF-16, high byte first.
        Utf16Be = "utf-16be",
    }
}

impl BodyKind {
    /// Returns the kind that the first bytes of `body` show.
    pub fn sniff(body: &[u8]) -> BodyKind {
        recognized(body).map_or(BodyKind::Text, |(kind, _)| kind)
    }
}

/// The kind and the media type of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyType {
    /// The kind.
    pub kind: BodyKind,
    /// The media type without parameters.
    pub mime: &'static str,
}

/// Returns the type that the first bytes of a body show. An empty body is
/// `application/octet-stream`, as in Tika.
pub fn sniff(body: &[u8]) -> BodyType {
    if let Some((kind, mime)) = recognized(body) {
        return BodyType { kind, mime };
    }
    let start = &body[..body.len().min(TEXT_WINDOW)];
    let mime = if is_json(body) {
        "application/json"
    } else if start.is_empty() || start.iter().any(|&b| is_binary_byte(b)) {
        OCTETS
    } else {
        TEXT
    };
    let kind = BodyKind::Text;
    BodyType { kind, mime }
}

/// Returns true if and only if a body is neither text nor a document of a known type, as one with a
/// coding that could not be decoded.
///
/// A short compressed body may have no byte that is certainly binary. Its bytes are spread evenly
/// over all 256 values then, 98 of which are ASCII text, while a file in a legacy encoding has its
/// field names, paths and line ends in ASCII: the limit is one half.
pub(crate) fn is_opaque(body: &[u8]) -> bool {
    let BodyType { kind, mime } = sniff(body);
    if body.is_empty() || matches!(kind, BodyKind::Utf16Le | BodyKind::Utf16Be) {
        return false;
    }
    match mime {
        OCTETS | GZIP | ZSTD => true,
        TEXT => !is_mostly_ascii(body) && std::str::from_utf8(body).is_err(),
        _ => false,
    }
}

fn is_mostly_ascii(body: &[u8]) -> bool {
    body.iter().filter(|byte| byte.is_ascii()).count() * 2 >= body.len()
}

/// Returns true if and only if `byte` does not occur in text: the control characters without tab,
/// line ends, form feed and escape (WHATWG MIME Sniffing, 3: binary data byte).
pub(crate) fn is_binary_byte(byte: u8) -> bool {
    matches!(byte, 0..=0x08 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f)
}

/// The media type of text that is of no other type, in any encoding.
pub(crate) const TEXT: &str = "text/plain";
const OCTETS: &str = "application/octet-stream";
const GZIP: &str = "application/gzip";
const ZSTD: &str = "application/zstd";

const SIGNATURES: &[(&[u8], BodyKind, &str)] = &[
    (b"\x1f\x8b\x08", BodyKind::Gzip, GZIP),
    (b"\x89PNG\r\n\x1a\n", BodyKind::Image, "image/png"),
    (b"\xff\xd8\xff", BodyKind::Image, "image/jpeg"),
    (b"GIF87a", BodyKind::Image, "image/gif"),
    (b"GIF89a", BodyKind::Image, "image/gif"),
    (b"\0\0\x01\0", BodyKind::Image, "image/vnd.microsoft.icon"),
    (b"%PDF-", BodyKind::Pdf, "application/pdf"),
    (b"\xff\xfe", BodyKind::Utf16Le, "text/plain"),
    (b"\xfe\xff", BodyKind::Utf16Be, "text/plain"),
    (b"PK\x03\x04", BodyKind::Text, "application/zip"),
    (b"PK\x05\x06", BodyKind::Text, "application/zip"),
    (b"(\xb5/\xfd", BodyKind::Text, ZSTD),
    (b"\xfd7zXZ\0", BodyKind::Text, "application/x-xz"),
    (
        b"7z\xbc\xaf\x27\x1c",
        BodyKind::Text,
        "application/x-7z-compressed",
    ),
    (
        b"Rar!\x1a\x07",
        BodyKind::Text,
        "application/x-rar-compressed",
    ),
    (b"BZh91AY&SY", BodyKind::Text, "application/x-bzip2"),
    (b"%!PS", BodyKind::Text, "application/postscript"),
    (b"{\\rtf", BodyKind::Text, "application/rtf"),
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        BodyKind::Text,
        "application/x-tika-msoffice",
    ),
    (b"\x7fELF", BodyKind::Text, "application/x-executable"),
];

/// Returns the kind and media type of a body that has a signature or is markup.
fn recognized(body: &[u8]) -> Option<(BodyKind, &'static str)> {
    let of_signature = SIGNATURES
        .iter()
        .find(|(signature, ..)| body.starts_with(signature));
    if let Some(&(_, kind, mime)) = of_signature {
        return Some((kind, mime));
    }
    if body.starts_with(b"RIFF") && body.get(8..12) == Some(b"WEBP") {
        return Some((BodyKind::Image, "image/webp"));
    }
    if let Some(kind) = unmarked_utf16(body) {
        return Some((kind, OCTETS));
    }
    markup::recognize(body)
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

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! sniffs {
        ($name:ident, $kind:ident, $mime:expr, [$($body:expr),+ $(,)?]) => {
            #[test]
            fn $name() {
                $(
                    let body: &[u8] = $body.as_ref();
                    let shown = String::from_utf8_lossy(&body[..body.len().min(100)]);
                    let (kind, mime) = (BodyKind::$kind, $mime);
                    assert_eq!(sniff(body), BodyType { kind, mime }, "{shown:?}");
                    assert_eq!(BodyKind::sniff(body), kind);
                )+
            }
        };
    }

    sniffs!(
        text,
        Text,
        "text/plain",
        [
            " ",
            "\n",
            "User-agent: *\nDisallow: /\n",
            b"# caf\xe9\n",
            "\u{feff}User-agent: *",
            "# <html>",
            "# see <html><head>\nUser-agent: *\n",
            "{ not json",
            "[section]",
            "<",
            "<abc>",
            "<pizza>",
            "<brand>",
            "a <html> page",
            b"GIF8",
        ]
    );
    sniffs!(
        json,
        Text,
        "application/json",
        [
            "{\"error\": 404}",
            "{}",
            " [1, 2]\n",
            "[]",
            "[{\"a\":1}]",
            "{\"page\": \"<html><head></head></html>\"}",
        ]
    );
    sniffs!(marked_low, Utf16Le, "text/plain", [b"\xff\xfeU\0s\0"]);
    sniffs!(marked_high, Utf16Be, "text/plain", [b"\xfe\xff\0U"]);
    sniffs!(unmarked_low, Utf16Le, OCTETS, [b"U\0s\0e\0r\0-\0"]);
    sniffs!(unmarked_high, Utf16Be, OCTETS, [b"\0U\0s\0e\0r\0-"]);
    sniffs!(gzip, Gzip, GZIP, [b"\x1f\x8b\x08\0"]);
    sniffs!(zstd, Text, ZSTD, [b"(\xb5/\xfd\0"]);
    sniffs!(zip, Text, "application/zip", [b"PK\x03\x04rest"]);
    sniffs!(png, Image, "image/png", [b"\x89PNG\r\n\x1a\n\0"]);
    sniffs!(jpeg, Image, "image/jpeg", [b"\xff\xd8\xff\xe0"]);
    sniffs!(gif, Image, "image/gif", [b"GIF89a\x01"]);
    sniffs!(webp, Image, "image/webp", [b"RIFF\x01\x02\x03\x04WEBPVP8"]);
    sniffs!(pdf, Pdf, "application/pdf", [b"%PDF-1.7\n"]);
    sniffs!(
        octets,
        Text,
        OCTETS,
        [&b""[..], b"a\0b", b"\x01\x02", b"U\0s\0"]
    );

    #[test]
    fn every_short_body_has_a_type() {
        for first in 0..=255u8 {
            for second in [0, b'<', b'"', 0xff] {
                assert!(sniff(&[first, second]).mime.contains('/'));
            }
        }
    }

    #[test]
    fn undecoded_bytes_are_opaque_and_documents_are_not() {
        for body in [
            &b"\x1f\x8b\x08\xff"[..],
            b"(\xb5/\xfd\0",
            b"\x8b\x02\x80ab\x03",
            b"\x8b\xc2\x80ab\xd3\x9e\xfc",
        ] {
            assert!(is_opaque(body), "{body:?}");
        }
        for body in [
            &b""[..],
            b"User-agent: *\n",
            b"\xff\xfeU\0",
            b"U\0s\0e\0r\0-\0",
            b"\x89PNG\r\n\x1a\n\0",
            b"<html>\0",
            "# \u{444}\u{430}\u{439}\u{43b}".as_bytes(),
            b"# caf\xe9\nDisallow: /\n",
        ] {
            assert!(!is_opaque(body), "{body:?}");
        }
    }
}
