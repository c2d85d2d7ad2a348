//! The media type that a response declares.

/// The parts of a declared `Content-Type` (RFC 9110, 8.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContentType<'b> {
    /// The media type without parameters, as written.
    pub mime: Option<&'b [u8]>,
    /// The `charset` parameter, as written but without quotes.
    pub charset: Option<&'b [u8]>,
}

impl<'b> ContentType<'b> {
    /// Parses the value of a field. Cannot fail: a missing part is `None`.
    pub fn parse(value: &'b [u8]) -> ContentType<'b> {
        let mut parts = value.split(|&b| b == b';');
        // A comma joins repeated fields; the first one counts.
        let first = parts.next().unwrap_or_default();
        let mime = before(b',', first);
        let charset = parts.find_map(|parameter| {
            let equals = memchr::memchr(b'=', parameter)?;
            let (name, value) = (parameter[..equals].trim_ascii(), &parameter[equals + 1..]);
            name.eq_ignore_ascii_case(b"charset")
                .then(|| unquoted(value))
                .filter(|value| !value.is_empty())
        });
        ContentType {
            mime: Some(mime).filter(|mime| !mime.is_empty()),
            charset,
        }
    }

    /// Returns true if and only if the declared type is that of HTML or XHTML.
    pub fn is_html(&self) -> bool {
        self.mime.is_some_and(|mime| {
            mime.eq_ignore_ascii_case(b"text/html")
                || mime.eq_ignore_ascii_case(b"application/xhtml+xml")
        })
    }

    /// Appends the media type in lower case to `out`, and returns false if none is declared. Each
    /// byte outside ASCII becomes U+FFFD.
    pub fn append_mime(&self, out: &mut String) -> bool {
        out.extend(self.mime.unwrap_or_default().iter().map(|&b| {
            if b.is_ascii() {
                b.to_ascii_lowercase() as char
            } else {
                char::REPLACEMENT_CHARACTER
            }
        }));
        self.mime.is_some()
    }
}

/// Returns the text before the first `end`, or all of it, without white space around it.
pub(super) fn before(end: u8, text: &[u8]) -> &[u8] {
    let mut parts = text.split(|&b| b == end);
    parts.next().unwrap_or_default().trim_ascii()
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

    macro_rules! declares {
        ($($name:ident, $value:expr, $mime:expr, $charset:expr;)+) => {
            $(
                #[test]
                fn $name() {
                    let declared = ContentType::parse($value);
                    let mut mime = String::new();
                    let has_mime = declared.append_mime(&mut mime);
                    assert_eq!(has_mime.then_some(mime.as_str()), $mime);
                    assert_eq!(declared.mime.is_some(), has_mime);
                    let want: Option<&[u8]> = $charset;
                    assert_eq!(declared.charset, want);
                }
            )+
        };
    }

    declares! {
        type_alone, b"text/plain", Some("text/plain"), None;
        type_and_charset, b"Text/Plain; Charset=UTF-8", Some("text/plain"), Some(b"UTF-8");
        charset_in_quotes, b"text/html;x=y;charset=\"iso-8859-1\"; z", Some("text/html"), Some(b"iso-8859-1");
        charset_with_one_quote, b"text/html;charset='utf-8", Some("text/html"), Some(b"utf-8");
        charset_without_type, b";charset=utf-8", None, Some(b"utf-8");
        empty_charset_is_none, b"text/plain; charset=", Some("text/plain"), None;
        empty_value, b"", None, None;
        doubled_type, b"text/plain, text/html", Some("text/plain"), None;
        bytes_outside_ascii, b"text/\xe9", Some("text/\u{fffd}"), None;
    }
}
