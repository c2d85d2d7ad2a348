//! The codings that a head names, whether or not they are applied to the body.

use super::coding::Coding;
use super::finding::{Finding, Findings};
use super::head::Head;
use super::mime::before;

/// The most codings that are decoded of one body: 5, as in curl. A real response names at most two,
/// and each additional one would let a response of a few bytes cost another decoding up to the
/// limit.
pub const MAX_CODINGS: usize = 5;

/// The codings that a head names.
#[derive(Default)]
pub(super) struct NamedCodings {
    /// At most [`MAX_CODINGS`], in the order in which the server applied them.
    pub(super) codings: Vec<Coding>,
    /// Whether the head has a `Transfer-Encoding` field, whatever it names.
    pub(super) has_transfer: bool,
}

impl NamedCodings {
    /// Parses the lists of `Content-Encoding` and `Transfer-Encoding`, and adds findings on unknown
    /// codings and too many of them.
    pub(super) fn parse(head: &Head, block: &[u8], findings: &mut Findings) -> NamedCodings {
        let mut named = NamedCodings::default();
        for value in head.get_all(block, "Content-Encoding") {
            named.add_list(value, false, findings);
        }
        for value in head.get_all(block, "Transfer-Encoding") {
            named.has_transfer = true;
            named.add_list(value, true, findings);
        }
        if findings.contains(Finding::TooManyCodings) {
            named.codings.clear();
        }
        named
    }

    fn add_list(&mut self, list: &[u8], is_transfer: bool, findings: &mut Findings) {
        for item in list.split(|&b| b == b',') {
            let name = before(b';', item);
            if name.is_empty() || name.eq_ignore_ascii_case(b"identity") {
                continue;
            }
            match coding_named(name, is_transfer) {
                None => findings.insert(Finding::CodingUnknown),
                Some(_) if self.codings.len() == MAX_CODINGS => {
                    findings.insert(Finding::TooManyCodings);
                }
                Some(coding) => self.codings.push(coding),
            }
        }
    }
}

/// Returns the coding of that name (RFC 9110, 8.4.1; RFC 9112, 7.2), without regard to ASCII case.
fn coding_named(name: &[u8], is_transfer: bool) -> Option<Coding> {
    const NAMES: [(&[u8], Coding); 6] = [
        (b"gzip", Coding::Gzip),
        (b"x-gzip", Coding::Gzip),
        (b"deflate", Coding::Deflate),
        (b"br", Coding::Brotli),
        (b"zstd", Coding::Zstd),
        (b"chunked", Coding::Chunked),
    ];
    let mut codings = NAMES.into_iter();
    let (_, coding) = codings.find(|(known, _)| name.eq_ignore_ascii_case(known))?;
    (is_transfer || coding != Coding::Chunked).then_some(coding)
}

#[cfg(test)]
mod tests {
    use super::Coding::{Brotli, Chunked, Deflate, Gzip, Zstd};
    use super::*;

    fn named(fields: &str) -> (Vec<Coding>, Vec<Finding>) {
        let block = format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n");
        let mut head = Head::default();
        head.parse(block.as_bytes());
        let mut findings = Findings::new();
        let named = NamedCodings::parse(&head, block.as_bytes(), &mut findings);
        assert_eq!(
            named.has_transfer,
            fields.contains("\nTransfer") || fields.starts_with("Tr")
        );
        let outermost_first = named.codings.into_iter().rev();
        (outermost_first.collect(), findings.iter().collect())
    }

    macro_rules! names {
        ($($name:ident, $fields:expr, $codings:expr, $findings:expr;)+) => {
            $(
                #[test]
                fn $name() {
                    let (codings, findings): (&[Coding], &[Finding]) = (&$codings, &$findings);
                    assert_eq!(named($fields), (codings.to_vec(), findings.to_vec()));
                }
            )+
        };
    }

    names! {
        nothing, "Content-Type: gzip", [], [];
        empty_value, "Content-Encoding:", [], [];
        identity, "Content-Encoding: identity", [], [];
        any_case, "content-ENCODING: GZip", [Gzip], [];
        old_name, "Content-Encoding: x-gzip", [Gzip], [];
        parameters, "Content-Encoding: gzip;q=1.0", [Gzip], [];
        rightmost_first, "Content-Encoding: br, zstd ,deflate,", [Deflate, Zstd, Brotli], [];
        list_in_two_fields, "Content-Encoding: br\r\nContent-Encoding: gzip", [Gzip, Brotli], [];
        folded_list, "Content-Encoding: br,\r\n gzip", [Gzip, Brotli], [];
        transfer, "Transfer-Encoding: gzip, chunked", [Chunked, Gzip], [];
        transfer_before_content, "Transfer-Encoding: chunked\r\nContent-Encoding: br", [Chunked, Brotli], [];
        chunked_content, "Content-Encoding: chunked", [], [Finding::CodingUnknown];
        charset_as_coding, "Content-Encoding: UTF-8", [], [Finding::CodingUnknown];
        unknown_beside_known, "Content-Encoding: gzip, x", [Gzip], [Finding::CodingUnknown];
        five, "Content-Encoding: br,br,br,br,br", [Brotli; 5], [];
        six, "Content-Encoding: br,br,br,br,br,br", [], [Finding::TooManyCodings];
        history, "X-Crawler-Content-Encoding: gzip\r\nX-Transfer-Encoding: chunked", [], [];
    }
}
