//! The character encoding of a page (HTML Standard, 13.2.3; Encoding Standard).
//!
//! A byte order mark decides, then the field Content-Type, then, in the first 1,024 bytes, a `meta`
//! element, then an XML declaration, and windows-1252 without any of these. A label that is unknown
//! counts as none.
//!
//! A page that begins with `<?x` in UTF-16 is in UTF-16. In any other XML declaration the label is
//! searched for up to the `>` alone, as WebKit, Blink and Gecko do.

use super::scan::{self, TagPart};
use crate::named::named;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

/// Bytes in which a `meta` element that names the encoding is searched for.
const PRESCAN_LIMIT: usize = 1024;

named! {
    /// What named the encoding of a page.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum EncodingSource {
        /// A byte order mark.
        Bom = "bom",
        /// The field Content-Type.
        Header = "header",
        /// A `meta` element.
        Meta = "meta",
        /// An XML declaration.
        Xml = "xml",
        /// Nothing: it is assumed.
        Default = "default",
    }
}

/// The encoding of a page.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageEncoding {
    pub encoding: &'static Encoding,
    pub source: EncodingSource,
    /// Bytes of the byte order mark.
    pub bom_len: usize,
    /// Whether a label was found that names no encoding.
    pub has_unknown_label: bool,
}

/// Determines the encoding of `body`, whose field Content-Type is `content_type`.
pub(super) fn detect(body: &[u8], content_type: Option<&[u8]>) -> PageEncoding {
    if let Some((encoding, bom_len)) = Encoding::for_bom(body) {
        return PageEncoding {
            encoding,
            source: EncodingSource::Bom,
            bom_len,
            has_unknown_label: false,
        };
    }
    let mut prescan = Prescan {
        bytes: &body[..body.len().min(PRESCAN_LIMIT)],
        at: 0,
        has_unknown_label: false,
    };
    let label = content_type.and_then(charset);
    let of_header = label.and_then(|label| prescan.encoding(label));
    let found = of_header
        .map(|encoding| (encoding, EncodingSource::Header))
        .or_else(|| prescan.run());
    let (encoding, source) = found.unwrap_or((WINDOWS_1252, EncodingSource::Default));
    PageEncoding {
        encoding,
        source,
        bom_len: 0,
        has_unknown_label: prescan.has_unknown_label,
    }
}

/// Returns the label behind `charset=` ("extracting a character encoding from a meta element").
fn charset(text: &[u8]) -> Option<&[u8]> {
    let mut rest = text;
    loop {
        let at = rest
            .windows(b"charset".len())
            .position(|word| word.eq_ignore_ascii_case(b"charset"))?;
        rest = rest[at + b"charset".len()..].trim_ascii_start();
        if let Some(value) = rest.strip_prefix(b"=") {
            return label(value.trim_ascii_start());
        }
    }
}

fn label(value: &[u8]) -> Option<&[u8]> {
    let (&first, rest) = value.split_first()?;
    if matches!(first, b'"' | b'\'') {
        let end = rest.iter().position(|&byte| byte == first)?;
        return Some(&rest[..end]);
    }
    let end = value
        .iter()
        .position(|&byte| byte.is_ascii_whitespace() || byte == b';');
    Some(&value[..end.unwrap_or(value.len())])
}

/// A search for a `meta` element or an XML declaration that names the encoding ("prescan a byte
/// stream to determine its encoding").
struct Prescan<'b> {
    bytes: &'b [u8],
    at: usize,
    /// Whether a label named no encoding, in the field Content-Type too.
    has_unknown_label: bool,
}

impl<'b> Prescan<'b> {
    fn run(&mut self) -> Option<(&'static Encoding, EncodingSource)> {
        const UTF_16LE_XML: &[u8] = b"<\0?\0x\0";
        const UTF_16BE_XML: &[u8] = b"\0<\0?\0x";
        if self.bytes.starts_with(UTF_16LE_XML) {
            return Some((UTF_16LE, EncodingSource::Xml));
        }
        if self.bytes.starts_with(UTF_16BE_XML) {
            return Some((UTF_16BE, EncodingSource::Xml));
        }
        let of_meta = self
            .elements()
            .map(|encoding| (encoding, EncodingSource::Meta));
        of_meta.or_else(|| {
            let label = xml_label(self.bytes)?;
            let encoding = utf_8_for_utf_16(self.encoding(label)?);
            Some((encoding, EncodingSource::Xml))
        })
    }

    fn elements(&mut self) -> Option<&'static Encoding> {
        while let Some(skipped) = memchr::memchr(b'<', &self.bytes[self.at..]) {
            self.at += skipped;
            let rest = &self.bytes[self.at..];
            if rest.starts_with(b"<!--") {
                // The two hyphens of the start may be those of the end.
                let end = memchr::memmem::find(&rest[2..], b"-->")?;
                self.at += end + 5;
            } else if scan::is_tag(&rest[1..], b"", b"meta") {
                self.at += 5;
                if let Some(encoding) = self.meta() {
                    return Some(encoding);
                }
            } else if is_tag(rest) {
                let ends_name = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'>';
                self.at += rest.iter().position(ends_name).unwrap_or(rest.len());
                while let Some(TagPart::Attribute { .. }) = self.tag_part() {}
            } else if matches!(rest.get(1), Some(b'!' | b'/' | b'?')) {
                self.at = scan::declaration_end(self.bytes, self.at);
            } else {
                self.at += 1;
            }
        }
        None
    }

    fn meta(&mut self) -> Option<&'static Encoding> {
        let mut is_content_type = false;
        let mut of_content = None;
        let mut of_charset = None;
        let mut seen = [false; 3];
        let bytes = self.bytes;
        // An element that is not examined to its end names nothing.
        while let TagPart::Attribute { name, value } = self.tag_part()? {
            let value = &bytes[value];
            let slot = match &bytes[name].to_ascii_lowercase()[..] {
                b"http-equiv" => 0,
                b"content" => 1,
                b"charset" => 2,
                _ => continue,
            };
            if std::mem::replace(&mut seen[slot], true) {
                continue;
            }
            match slot {
                0 => is_content_type = value.eq_ignore_ascii_case(b"content-type"),
                1 => of_content = charset(value).map(|label| self.encoding(label)),
                _ => of_charset = Some(self.encoding(value)),
            }
        }
        let encoding = match of_charset {
            Some(encoding) => encoding,
            None if is_content_type => of_content.flatten(),
            None => None,
        }?;
        if encoding == X_USER_DEFINED {
            Some(WINDOWS_1252)
        } else {
            Some(utf_8_for_utf_16(encoding))
        }
    }

    fn encoding(&mut self, label: &[u8]) -> Option<&'static Encoding> {
        let encoding = Encoding::for_label(label);
        self.has_unknown_label |= encoding.is_none();
        encoding
    }

    /// Takes the next part of a tag; `None`, and the search ends, where the tag is cut.
    fn tag_part(&mut self) -> Option<TagPart> {
        let part = scan::tag_part(self.bytes, &mut self.at);
        if part.is_none() {
            self.at = self.bytes.len();
        }
        part
    }
}

/// Returns UTF-8 for UTF-16, since a label that was read byte by byte is not in UTF-16.
fn utf_8_for_utf_16(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16LE || encoding == UTF_16BE {
        UTF_8
    } else {
        encoding
    }
}

/// Returns the label of an XML declaration at the start of a page ("get an XML encoding").
fn xml_label(bytes: &[u8]) -> Option<&[u8]> {
    const ENCODING: &[u8] = b"encoding";
    let is_blank = |byte: &&u8| **byte <= b' ';
    let behind_blanks = |text: &'_ [u8]| text.iter().take_while(is_blank).count();
    let declaration = bytes.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..memchr::memchr(b'>', declaration)?];
    let at = memchr::memmem::find(declaration, ENCODING)?;
    let rest = &declaration[at + ENCODING.len()..];
    let rest = rest[behind_blanks(rest)..].strip_prefix(b"=")?;
    let value = &rest[behind_blanks(rest)..];
    let (quote, value) = value.split_first()?;
    if !matches!(quote, b'"' | b'\'') {
        return None;
    }
    let label = &value[..memchr::memchr(*quote, value)?];
    (!label.iter().any(|byte| is_blank(&byte))).then_some(label)
}

fn is_tag(rest: &[u8]) -> bool {
    let name = match rest.get(1) {
        Some(b'/') => rest.get(2),
        other => other,
    };
    name.is_some_and(u8::is_ascii_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! detects {
        ($($name:ident: $body:expr, $content_type:expr => $encoding:literal $source:ident $unknown:literal;)+) => {
            $(
                #[test]
                fn $name() {
                    let body = $body;
                    let body: &[u8] = body.as_ref();
                    let content_type: Option<&str> = $content_type;
                    let found = detect(body, content_type.map(str::as_bytes));
                    assert_eq!(found.encoding.name(), $encoding);
                    assert_eq!(found.source, EncodingSource::$source);
                    assert_eq!(found.has_unknown_label, $unknown);
                }
            )+
        };
    }

    detects! {
        a_mark_decides_over_all_else:
            b"\xef\xbb\xbf<meta charset=gbk>", Some("text/html; charset=big5") => "UTF-8" Bom false;
        a_mark_of_utf_16: b"\xff\xfe<\0", None => "UTF-16LE" Bom false;
        the_header_decides_over_the_element:
            "<meta charset=gbk>", Some("text/html;charset=\"Shift_JIS\"") => "Shift_JIS" Header false;
        an_element_names_it: "<meta charset=gbk>", Some("text/html") => "GBK" Meta false;
        an_element_names_it_by_its_content:
            "<META content='text/html; charset=EUC-JP' http-equiv=Content-Type>", None => "EUC-JP" Meta false;
        content_without_its_http_equiv_names_nothing:
            "<meta content='text/html; charset=EUC-JP'>", None => "windows-1252" Default false;
        utf_16_by_an_element_is_utf_8: "<meta charset=utf-16be>", None => "UTF-8" Meta false;
        user_defined_by_an_element_is_windows_1252:
            "<meta charset=x-user-defined>", None => "windows-1252" Meta false;
        nothing_is_windows_1252: "<p>text", None => "windows-1252" Default false;
        an_unknown_label_falls_back_and_is_flagged:
            "<meta charset=klingon>", Some("text/html; charset=x-none") => "windows-1252" Default true;
        an_unknown_label_of_the_header_leaves_the_element:
            "<meta charset=koi8-r>", Some("text/html; charset=x-none") => "KOI8-R" Meta true;
        comments_hide_elements:
            "<!-- <meta charset=gbk> --><meta charset=big5>", None => "Big5" Meta false;
        the_shortest_comment_ends: "<!--><meta charset=big5>", None => "Big5" Meta false;
        attributes_hide_elements:
            "<p title='<meta charset=gbk>'><meta charset=big5>", None => "Big5" Meta false;
        the_first_attribute_of_a_name_counts:
            "<meta charset=gbk charset=big5>", None => "GBK" Meta false;
        an_element_without_an_encoding_is_passed:
            "<meta name=robots content=noindex><meta/charset=big5 />", None => "Big5" Meta false;
        beyond_1024_bytes_nothing_counts:
            format!("{}<meta charset=gbk>", " ".repeat(1020)), None => "windows-1252" Default false;
        a_cut_element_names_nothing: "<meta charset=gb", None => "windows-1252" Default false;
        an_element_cut_behind_its_label_names_nothing:
            "<meta charset=gbk ", None => "windows-1252" Default false;
        an_xml_declaration_names_it:
            "<?xml version=\"1.0\" encoding=\"Shift_JIS\"?><html>", None => "Shift_JIS" Xml false;
        quotes_and_blanks_of_an_xml_declaration:
            "<?xmlencoding \n=\x01'gbk'>", Some("text/html") => "GBK" Xml false;
        the_header_decides_over_an_xml_declaration:
            "<?xml encoding='gbk'?>", Some("text/html; charset=big5") => "Big5" Header false;
        an_element_decides_over_an_xml_declaration:
            "<?xml encoding='gbk'?><meta charset=big5>", None => "Big5" Meta false;
        an_element_without_a_known_label_leaves_the_xml_declaration:
            "<?xml encoding='gbk'?><meta charset=klingon>", None => "GBK" Xml true;
        a_cut_comment_leaves_the_xml_declaration:
            "<?xml encoding='gbk'?><!-- <meta charset=big5>", None => "GBK" Xml false;
        utf_16_by_an_xml_declaration_is_utf_8:
            "<?xml encoding='utf-16'?>", None => "UTF-8" Xml false;
        an_unknown_label_of_an_xml_declaration_is_flagged:
            "<?xml encoding='klingon'?>", None => "windows-1252" Default true;
        an_xml_declaration_in_utf_16_names_it_low_byte_first:
            b"<\0?\0x\0m\0l\0", None => "UTF-16LE" Xml false;
        an_xml_declaration_in_utf_16_names_it_high_byte_first:
            b"\0<\0?\0x\0m\0l", None => "UTF-16BE" Xml false;
    }

    #[test]
    fn what_is_no_xml_declaration_names_nothing() {
        for text in [
            " <?xml encoding='gbk'?>",
            "<?XML encoding='gbk'?>",
            "<?xml ENCODING='gbk'?>",
            "<?xml encoding='gbk'?",
            "<?xml?> encoding='gbk'>",
            "<?xml encoding=gbk?>",
            "<?xml encoding=' gbk'?>",
            "<?xml encoding='gbk\"?>",
            "<?xml encodingencoding='gbk'?>",
        ] {
            let found = detect(text.as_bytes(), None);
            assert_eq!(found.source, EncodingSource::Default, "{text}");
        }
        let long = format!("<?xml encoding='gbk'{}?>", " ".repeat(1024));
        assert_eq!(
            detect(long.as_bytes(), None).source,
            EncodingSource::Default
        );
    }

    #[test]
    fn labels_end_at_blanks_and_semicolons() {
        for (text, expected) in [
            ("text/html; charset=utf-8; x", Some("utf-8")),
            ("charset charset = 'a b'", Some("a b")),
            ("charset='a", None),
            ("charset=", None),
            ("text/html", None),
        ] {
            assert_eq!(charset(text.as_bytes()), expected.map(str::as_bytes));
        }
    }
}
