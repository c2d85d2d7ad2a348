//! The head of a response: status code, fields as spans, and the offset of the body.

use std::ops::Range;

use bstr::ByteSlice;
use memchr::memchr;

use super::finding::{Finding, Findings};
use crate::archive::warc::{decimal, trimmed};

/// Bytes of a head whose fields are recorded: 64 KiB.
///
/// Servers accept 8 to 32 KiB of request head and browsers about 256 KiB of response head; a real
/// robots.txt has less than 2 KiB. The limit bounds the memory of a [`Head`] to one megabyte (a
/// field has at least two bytes). Fields beyond it are ignored, but the end of the head is still
/// searched for: the rest of a head must not be taken for a body.
pub const MAX_HEAD_BYTES: usize = 64 * 1024;

/// The head of one response. It can be parsed into again: its memory is reused.
///
/// It has spans only. Its accessors take the block that was parsed; with another block they return
/// wrong bytes or none, but never panic.
#[derive(Clone, Debug, Default)]
pub struct Head {
    /// The status code, from 100 to 999, or `None` if the status line has no such number.
    pub status: Option<u16>,
    /// Name and value of each.
    fields: Vec<(Range<usize>, Range<usize>)>,
    /// The offset of the body in the block.
    pub body_offset: usize,
    /// The findings on the head.
    pub findings: Findings,
}

impl Head {
    /// Parses the head at the start of `block`.
    ///
    /// Cannot fail: without a status line the body begins at 0, without an empty line it is empty.
    /// Empty lines before the status line are ignored, and so are informational responses (RFC
    /// 9110, 15.2). Takes time linear in the block.
    pub fn parse(&mut self, block: &[u8]) {
        self.fields.clear();
        self.findings = Findings::new();
        self.status = None;
        self.body_offset = 0;
        let mut start = block
            .iter()
            .take_while(|&&b| matches!(b, b'\r' | b'\n'))
            .count();
        if !is_status_line(&block[start..]) {
            self.findings.insert(Finding::StatusLineMissing);
            return;
        }
        loop {
            self.parse_one(block, start);
            // A 101 switches to another protocol, so it is final.
            let is_interim = matches!(self.status, Some(100 | 102..=199));
            if !(is_interim && is_status_line(&block[self.body_offset..])) {
                return;
            }
            start = self.body_offset;
        }
    }

    /// Returns the value of the first field `name` (without regard to ASCII case), without
    /// surrounding white space.
    ///
    /// A folded value is returned as it is, with its line ends.
    pub fn get<'b>(&self, block: &'b [u8], name: &str) -> Option<&'b [u8]> {
        self.get_all(block, name).next()
    }

    /// Returns the values of all fields `name`, in order; see [`get`](Head::get).
    pub fn get_all<'b>(&self, block: &'b [u8], name: &str) -> impl Iterator<Item = &'b [u8]> {
        self.fields(block)
            .filter(move |(field, _)| field.eq_ignore_ascii_case(name.as_bytes()))
            .map(|(_, value)| value)
    }

    /// Returns all fields in order, as name and value without surrounding white space.
    pub fn fields<'b>(&self, block: &'b [u8]) -> impl Iterator<Item = (&'b [u8], &'b [u8])> {
        let text = |span: &Range<usize>| block.get(span.clone()).unwrap_or_default();
        let spans = self.fields.iter();
        spans.map(move |(name, value)| (text(name), text(value)))
    }

    /// Parses one head that begins with a status line at `start`, replacing what was parsed before.
    fn parse_one(&mut self, block: &[u8], start: usize) {
        self.fields.clear();
        let mut at = start;
        while at < block.len() {
            // The last line of a block may lack its end.
            let end = memchr(b'\n', &block[at..]).map(|length| at + length);
            let next = end.map_or(block.len(), |end| end + 1);
            let line = block[at..end.unwrap_or(next)].trim_end_with(|c| c == '\r');
            if at == start {
                self.parse_status(line);
            } else if line.is_empty() && end.is_some() {
                self.body_offset = next;
                return;
            } else if next - start > MAX_HEAD_BYTES {
                self.findings.insert(Finding::HeadTooLong);
            } else {
                self.parse_field(block, at..at + line.len());
            }
            at = next;
        }
        self.findings.insert(Finding::HeadUnterminated);
        self.body_offset = block.len();
    }

    fn parse_status(&mut self, line: &[u8]) {
        let code = line
            .split(|b| is_blank(*b))
            .skip(1)
            .find(|word| !word.is_empty())
            .unwrap_or_default();
        let digits = code.iter().take_while(|b| b.is_ascii_digit()).count();
        // The text after the digits does not count: some servers send a sub-status (`403.1`) or no
        // blank (`200OK`).
        let number = decimal(&code[..digits]).filter(|_| digits == 3);
        let status = number.and_then(|number| u16::try_from(number).ok());
        self.status = status.filter(|&status| status >= 100);
        if self.status.is_none() {
            self.findings.insert(Finding::StatusCodeInvalid);
        }
    }

    fn parse_field(&mut self, block: &[u8], line: Range<usize>) {
        let text = &block[line.clone()];
        if text.is_empty() {
            return;
        }
        if is_blank(text[0])
            && let Some((_, value)) = self.fields.last_mut()
        {
            self.findings.insert(Finding::FieldFolded);
            let folded = trimmed(block, line);
            if value.start == value.end {
                *value = folded;
            } else if !folded.is_empty() {
                value.end = folded.end;
            }
            return;
        }
        match memchr(b':', text) {
            Some(colon) if !text[..colon].trim_ascii().is_empty() => {
                let name = trimmed(block, line.start..line.start + colon);
                let value = trimmed(block, line.start + colon + 1..line.end);
                self.fields.push((name, value));
            }
            _ => self.findings.insert(Finding::FieldWithoutColon),
        }
    }
}

/// Returns true if and only if `bytes` begins as a status line does: `HTTP/`, or `ICY ` as
/// streaming servers write.
fn is_status_line(bytes: &[u8]) -> bool {
    let starts_with = |prefix: &[u8]| {
        bytes
            .get(..prefix.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(prefix))
    };
    starts_with(b"HTTP/") || starts_with(b"ICY ")
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(block: &[u8]) -> Head {
        let mut head = Head::default();
        head.parse(block);
        head
    }

    fn findings(head: &Head) -> Vec<Finding> {
        head.findings.iter().collect()
    }

    macro_rules! status {
        ($($name:ident, $line:expr, $want:expr;)+) => {
            $(
                #[test]
                fn $name() {
                    let block = [$line.as_slice(), b"\r\nA: 1\r\n\r\nbody"].concat();
                    let head = parse(&block);
                    let want: Option<u16> = $want;
                    assert_eq!(head.status, want);
                    assert_eq!(
                        head.findings.contains(Finding::StatusCodeInvalid),
                        want.is_none()
                    );
                    assert_eq!(&block[head.body_offset..], b"body");
                    assert_eq!(head.get(&block, "a"), Some(&b"1"[..]));
                }
            )+
        };
    }

    status! {
        status_of_http_1_1, b"HTTP/1.1 200 OK", Some(200);
        status_of_http_1_0, b"HTTP/1.0 200 OK", Some(200);
        status_of_http_2, b"HTTP/2 200", Some(200);
        status_of_http_2_0_with_reason, b"HTTP/2.0 404 Not Found", Some(404);
        status_of_icy, b"ICY 200 OK", Some(200);
        status_in_lower_case, b"http/1.1 301 Moved", Some(301);
        status_after_two_spaces, b"HTTP/1.1  200 OK", Some(200);
        status_after_a_tab, b"HTTP/1.1\t200 OK", Some(200);
        status_without_reason, b"HTTP/1.1 200", Some(200);
        status_with_blank_and_no_reason, b"HTTP/1.1 200 ", Some(200);
        status_with_sub_status, b"HTTP/1.1 403.1 Forbidden", Some(403);
        status_nobody_registered, b"HTTP/1.1 999 Denied", Some(999);
        status_of_four_digits_is_none, b"HTTP/1.1 2000 OK", None;
        status_zero_is_none, b"HTTP/1.1 0", None;
        status_below_100_is_none, b"HTTP/1.1 099", None;
        status_word_is_none, b"HTTP/1.1 OK", None;
        status_negative_is_none, b"HTTP/1.1 -200", None;
        status_line_without_anything_is_none, b"HTTP/1.1", None;
        status_of_many_digits_is_none, b"HTTP/1.1 99999999999999999999999", None;
    }

    #[test]
    fn block_without_status_line_is_all_body() {
        for block in [
            &b"User-agent: *\nDisallow: /\n"[..],
            b"",
            b"\n\nUser-agent: *\n",
            b"HTT",
            b"HTTP 200",
        ] {
            let head = parse(block);
            assert_eq!((head.body_offset, head.status), (0, None));
            assert_eq!(findings(&head), [Finding::StatusLineMissing]);
        }
    }

    #[test]
    fn line_feed_alone_ends_lines_and_the_head() {
        for block in [
            &b"HTTP/1.1 200 OK\nA: b\n\nbody"[..],
            b"HTTP/1.1 200 OK\r\nA: b\n\r\nbody",
            b"HTTP/1.1 200 OK\nA: b\r\n\nbody",
            b"\r\n\nHTTP/1.1 200 OK\r\r\nA: b\r\r\n\r\r\nbody",
        ] {
            let head = parse(block);
            assert_eq!(head.get(block, "a"), Some(&b"b"[..]));
            assert_eq!(&block[head.body_offset..], b"body");
            assert!(head.findings.is_empty());
        }
    }

    #[test]
    fn body_may_begin_with_an_empty_line() {
        let block = b"HTTP/1.1 200 OK\r\n\r\n\r\nbody";
        assert_eq!(&block[parse(block).body_offset..], b"\r\nbody");
    }

    #[test]
    fn names_and_values_are_trimmed_and_names_ignore_case() {
        let block =
            b"HTTP/1.1 200 OK\r\nCONTENT-type \t:\t text/plain \t\r\nEmpty:\r\nNone:x\r\n\r\n";
        let head = parse(block);
        assert_eq!(head.get(block, "Content-Type"), Some(&b"text/plain"[..]));
        assert_eq!(head.get(block, "empty"), Some(&b""[..]));
        assert_eq!(head.get(block, "none"), Some(&b"x"[..]));
        assert_eq!(head.get(block, "content"), None);
        assert!(head.findings.is_empty());
    }

    #[test]
    fn the_first_of_several_fields_counts_and_all_are_available() {
        let block = b"HTTP/1.1 200 OK\r\nA: 1\r\nB: x\r\na: 2\r\n\r\n";
        let head = parse(block);
        assert_eq!(head.get(block, "A"), Some(&b"1"[..]));
        assert_eq!(head.get_all(block, "A").collect::<Vec<_>>(), [b"1", b"2"]);
        assert_eq!(head.fields(block).count(), 3);
    }

    #[test]
    fn invalid_lines_are_ignored_with_a_finding() {
        let block = b"HTTP/1.1 200 OK\r\nno colon here\r\n: no name\r\nX-Latin: \xe9\r\n\
            \xffname: v\r\n\r\nbody";
        let head = parse(block);
        assert_eq!(head.get(block, "X-Latin"), Some(&b"\xe9"[..]));
        assert_eq!(head.fields(block).count(), 2);
        assert_eq!(findings(&head), [Finding::FieldWithoutColon]);
        assert_eq!(&block[head.body_offset..], b"body");
    }

    #[test]
    fn folded_lines_belong_to_the_field_before() {
        let block = b"HTTP/1.1 200 OK\r\nA: one\r\n  two\r\n\tthree\r\n \r\nB:\r\n x\r\n\r\nbody";
        let head = parse(block);
        assert_eq!(head.get(block, "a"), Some(&b"one\r\n  two\r\n\tthree"[..]));
        assert_eq!(head.get(block, "b"), Some(&b"x"[..]));
        assert_eq!(findings(&head), [Finding::FieldFolded]);
        assert_eq!(&block[head.body_offset..], b"body");
    }

    #[test]
    fn folded_line_without_a_field_before_is_no_field() {
        let block = b"HTTP/1.1 200 OK\r\n folded\r\nA: 1\r\n\r\n";
        let head = parse(block);
        assert_eq!(findings(&head), [Finding::FieldWithoutColon]);
        assert_eq!(head.get(block, "a"), Some(&b"1"[..]));
    }

    #[test]
    fn head_without_an_empty_line_has_no_body() {
        for block in [
            &b"HTTP/1.1 200 OK"[..],
            b"HTTP/1.1 200 OK\r\n",
            b"HTTP/1.1 200 OK\r\nA: 1",
            b"HTTP/1.1 200 OK\r\nA: 1\r\n\r",
        ] {
            let head = parse(block);
            assert_eq!(head.status, Some(200));
            assert_eq!(head.body_offset, block.len());
            assert_eq!(findings(&head), [Finding::HeadUnterminated]);
        }
    }

    #[test]
    fn fields_beyond_the_limit_are_ignored_but_the_body_is_found() {
        let mut block = b"HTTP/1.1 200 OK\r\nA: 1\r\nLong: ".to_vec();
        block.resize(block.len() + MAX_HEAD_BYTES, b'x');
        block.extend_from_slice(b"\r\nB: 2\r\n\r\nbody");
        let head = parse(&block);
        assert_eq!(head.get(&block, "a"), Some(&b"1"[..]));
        assert_eq!(head.get(&block, "b"), None);
        assert_eq!(findings(&head), [Finding::HeadTooLong]);
        assert_eq!(&block[head.body_offset..], b"body");
    }

    #[test]
    fn informational_responses_are_ignored() {
        let block = b"HTTP/1.1 100 Continue\r\nA: 1\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n\
            HTTP/1.1 200 OK\r\nA: 2\r\n\r\nbody";
        let head = parse(block);
        assert_eq!(head.status, Some(200));
        assert_eq!(head.get(block, "a"), Some(&b"2"[..]));
        assert_eq!(&block[head.body_offset..], b"body");
        assert_eq!(parse(b"HTTP/1.1 100 Continue\r\n\r\n").status, Some(100));
    }

    #[test]
    fn a_head_can_be_reused() {
        let mut head = Head::default();
        head.parse(b"HTTP/1.1 500 No\r\nA: 1\r\nbad\r\n\r\n");
        let block = b"HTTP/1.1 200 OK\r\n\r\n";
        head.parse(block);
        assert_eq!((head.status, head.fields(block).count()), (Some(200), 0));
        assert!(head.findings.is_empty());
    }

    #[test]
    fn no_cut_of_a_block_panics() {
        let block = b"\r\nHTTP/1.1 200 OK\r\nA : b\r\n c\r\nno\r\n:\r\n\r\nbody";
        let mut head = Head::default();
        for start in 0..block.len() {
            for end in start..=block.len() {
                let part = &block[start..end];
                head.parse(part);
                assert!(head.body_offset <= part.len());
                head.fields(b"another block").for_each(drop);
            }
        }
    }
}
