//! The parser: a body to lines.
//!
//! Parsing cannot fail, and it decides nothing: which lines count depends on the dialect.
//!
//! The body is searched for NUL and for bytes above 0x7F once as a whole; only in a body that has
//! them each line is searched too. Line ends, separators and comments are found in one pass, and
//! nothing is allocated but the vector of lines.

use memchr::{memchr, memchr_iter, memchr2_iter};

use super::{BodyKind, Directive, Field, Line, LineEnding, Span, Terminator, scan::LineMarks};

/// The most bytes of a body that are parsed. Offsets are 32 bits wide, and the largest means
/// "none".
pub const MAX_BODY_LEN: usize = u32::MAX as usize - 1;

/// The most lines of a body that are parsed, without the empty one after the last line end: more
/// than fit in the 500 KiB that most dialects read.
pub const MAX_LINES: usize = 512 * 1024;

/// The UTF-8 byte order mark.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The lines of one body, reusable for the next.
#[derive(Clone, Debug, Default)]
pub struct RobotsTxt {
    lines: Vec<Line>,
    /// Bytes of the body up to the end of the last of `lines`.
    parsed_len: u32,
    line_count: u32,
    bom_len: u32,
    line_ending: LineEnding,
    kind: BodyKind,
    is_ascii: bool,
    has_nul: bool,
}

/// Parses `body` into `robots`, whose former content is dropped and whose memory is reused.
///
/// Cannot fail: any bytes are lines. Bytes beyond [`MAX_BODY_LEN`] are left out, and lines beyond
/// [`MAX_LINES`] are only counted. Memory is 40 bytes a line, 20 MiB at most.
// Long, since calls in its loop would cost every line of every file.
pub fn parse(body: &[u8], robots: &mut RobotsTxt) {
    let body = &body[..body.len().min(MAX_BODY_LEN)];
    robots.lines.clear();
    robots.bom_len = byte_order_mark_len(body);
    robots.kind = BodyKind::sniff(body);
    robots.is_ascii = body.is_ascii();
    robots.has_nul = memchr(0, body).is_some();
    let is_plain = robots.is_ascii && !robots.has_nul;
    if robots.lines.capacity() == 0 {
        // Exact, so that one allocation is enough.
        let is_alone = |&at: &usize| body.get(at + 1) != Some(&b'\n');
        let n =
            memchr_iter(b'\n', body).count() + memchr_iter(b'\r', body).filter(is_alone).count();
        robots.lines.reserve_exact(n.min(MAX_LINES) + 1);
    }

    let mut marks = LineMarks::new(body);
    let mut content_start = robots.bom_len as usize;
    let mut start = 0;
    // For each terminator whether a line has it.
    let mut seen = [false; 4];
    let mut further_lines = 0;
    loop {
        let (mut comment, mut colon) = (None, None);
        let end = loop {
            let Some(mark) = marks.next() else {
                break body.len();
            };
            match body[mark] {
                b':' if comment.is_none() && colon.is_none() => colon = Some(mark - content_start),
                b'#' if comment.is_none() => comment = Some(mark - content_start),
                b':' | b'#' => {}
                // The line feed of a CR LF was passed with its carriage return.
                _ if mark < start => {}
                _ => break mark,
            }
        };
        let terminator = terminator_at(body, end);
        let text = &body[content_start..end];
        let directive = Directive::at_marks(text, content_start as u32, comment, colon);
        let field = match colon {
            Some(_) => Field::from_key(directive.key().of(body)),
            None => Field::Unknown,
        };
        robots.lines.push(Line {
            text: Span::from_indexes(start..end),
            directive,
            terminator,
            field,
            has_nul: !is_plain && memchr(0, text).is_some(),
            has_non_ascii: !is_plain && !body[start..end].is_ascii(),
        });
        seen[terminator as usize] = true;
        start = end + terminator.len() as usize;
        content_start = start;
        if terminator == Terminator::None {
            break;
        }
        if robots.lines.len() >= MAX_LINES && start < body.len() {
            further_lines = count_lines(&body[start..], &mut seen);
            break;
        }
    }
    robots.parsed_len = start as u32;
    let is_last_empty = robots
        .lines
        .last()
        .is_some_and(|line| line.full().is_empty());
    robots.line_count = robots.lines.len() as u32 - u32::from(is_last_empty) + further_lines;
    robots.line_ending = match seen {
        [false, false, false, _] => LineEnding::None,
        [true, false, false, _] => LineEnding::Lf,
        [false, true, false, _] => LineEnding::Cr,
        [false, false, true, _] => LineEnding::CrLf,
        _ => LineEnding::Mixed,
    };
}

impl RobotsTxt {
    /// Returns an empty model, which has no line until [`parse`] fills it.
    pub fn new() -> RobotsTxt {
        RobotsTxt::default()
    }

    /// Returns the lines in order, at most [`MAX_LINES`] and an empty one. The last is always
    /// there, even empty: `a\n` has two. The number of a line is its index plus 1.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Returns the number of lines as people count them: an empty line after the last line end does
    /// not count, so `a\n` has one and an empty body has none. Those beyond [`MAX_LINES`]
    /// count.
    pub fn line_count(&self) -> u32 {
        self.line_count
    }

    /// Returns the length of the lines in bytes: that of the body, unless it has more than
    /// [`MAX_LINES`].
    pub fn parsed_len(&self) -> u32 {
        self.parsed_len
    }

    /// Returns which line ends the body has.
    pub fn line_ending(&self) -> LineEnding {
        self.line_ending
    }

    /// Returns true if and only if the body begins with the UTF-8 byte order mark.
    pub fn has_bom(&self) -> bool {
        self.bom_len as usize == BYTE_ORDER_MARK.len()
    }

    /// Returns how many bytes of the byte order mark are at the start, 0 to 3. The content of the
    /// first line begins after them.
    pub fn bom_len(&self) -> u32 {
        self.bom_len
    }

    /// Returns what the body looks like.
    pub fn kind(&self) -> BodyKind {
        self.kind
    }

    /// Returns true if and only if no byte is above 0x7F.
    pub fn is_ascii(&self) -> bool {
        self.is_ascii
    }

    /// Returns true if and only if the body has a NUL byte.
    pub fn has_nul(&self) -> bool {
        self.has_nul
    }
}

/// Returns the terminator at `end`, the offset of a CR, of an LF or of the end of the body.
fn terminator_at(body: &[u8], end: usize) -> Terminator {
    match (body.get(end), body.get(end + 1)) {
        (None, _) => Terminator::None,
        (Some(b'\n'), _) => Terminator::Lf,
        (_, Some(b'\n')) => Terminator::CrLf,
        _ => Terminator::Cr,
    }
}

/// Returns the number of lines of `rest` as people count them, and notes how they end.
fn count_lines(rest: &[u8], seen: &mut [bool; 4]) -> u32 {
    let mut count = 0;
    let mut start = 0;
    for end in memchr2_iter(b'\n', b'\r', rest) {
        // The line feed of a CR LF was passed with its carriage return.
        if end >= start {
            let terminator = terminator_at(rest, end);
            seen[terminator as usize] = true;
            start = end + terminator.len() as usize;
            count += 1;
        }
    }
    count + u32::from(start < rest.len())
}

fn byte_order_mark_len(body: &[u8]) -> u32 {
    body.iter()
        .zip(BYTE_ORDER_MARK)
        .take_while(|(byte, mark)| byte == mark)
        .count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::random::Random;

    fn parsed(body: &[u8]) -> RobotsTxt {
        let mut robots = RobotsTxt::new();
        parse(body, &mut robots);
        robots
    }

    fn texts(body: &[u8]) -> Vec<&[u8]> {
        parsed(body)
            .lines()
            .iter()
            .map(|line| line.text.of(body))
            .collect()
    }

    #[test]
    fn lf_cr_and_crlf_end_a_line_and_lf_cr_ends_two() {
        assert_eq!(texts(b"a\nb\rc\r\nd"), [&b"a"[..], b"b", b"c", b"d"]);
        assert_eq!(texts(b"a\n\rb"), [&b"a"[..], b"", b"b"]);
        assert_eq!(texts(b"a\r\r\nb"), [&b"a"[..], b"", b"b"]);
    }

    #[test]
    fn the_last_line_is_always_there() {
        assert_eq!(texts(b""), [b""]);
        assert_eq!(texts(b"a\n"), [&b"a"[..], b""]);
        let counts =
            [&b""[..], b"a", b"a\n", b"a\n\n", b"\n"].map(|body| parsed(body).line_count());
        assert_eq!(counts, [0, 1, 1, 2, 1]);
    }

    #[test]
    fn line_ending_names_the_only_kind_or_mixed() {
        let name = |body: &[u8]| parsed(body).line_ending().as_str();
        let names = [&b"a"[..], b"a\n", b"a\r\n", b"a\rb", b"a\nb\r\n"].map(name);
        assert_eq!(names, ["none", "lf", "crlf", "cr", "mixed"]);
    }

    #[test]
    fn a_byte_order_mark_is_text_but_not_content() {
        let body = b"\xef\xbb\xbfallow: /\n";
        let robots = parsed(body);
        assert!(robots.has_bom());
        assert_eq!(robots.lines()[0].text.start, 0);
        assert_eq!(robots.lines()[0].field, Field::Allow);
        let partial = parsed(b"\xef\xbballow: /");
        assert_eq!((partial.has_bom(), partial.bom_len()), (false, 2));
        assert_eq!(partial.lines()[0].field, Field::Allow);
    }

    #[test]
    fn octets_are_noted_on_the_lines_that_have_them() {
        let robots = parsed(b"a\nb\0\n\xc3\xa9\n");
        let facts: Vec<_> = robots
            .lines()
            .iter()
            .map(|line| (line.has_nul, line.has_non_ascii))
            .collect();
        assert_eq!(
            facts,
            [(false, false), (true, false), (false, true), (false, false)]
        );
        assert!(robots.has_nul() && !robots.is_ascii());
    }

    #[test]
    fn lines_beyond_the_limit_are_counted_and_left_out() {
        for (unit, name) in [("\n", "lf"), ("a\r\n", "crlf"), (":\r", "cr")] {
            let most = parsed(unit.repeat(MAX_LINES).as_bytes());
            assert_eq!(most.lines().len(), MAX_LINES + 1);
            assert_eq!(most.parsed_len() as usize, MAX_LINES * unit.len());
            assert_eq!(most.line_count() as usize, MAX_LINES);
            let more = parsed((unit.repeat(MAX_LINES + 7) + "end").as_bytes());
            assert_eq!(more.lines().len(), MAX_LINES);
            assert_eq!(more.parsed_len() as usize, MAX_LINES * unit.len());
            assert_eq!(more.line_count() as usize, MAX_LINES + 8);
            assert_eq!(more.line_ending().as_str(), name);
        }
        let mixed = parsed(("\n".repeat(MAX_LINES) + "\r").as_bytes());
        assert_eq!(mixed.line_ending().as_str(), "mixed");
    }

    #[test]
    fn joined_lines_are_the_body_and_spans_stay_inside() {
        let mut random = Random::new(1);
        let mut robots = RobotsTxt::new();
        let alphabet = b"\n\r\r\n:# \t\0\xef\xbb\xbfaA/*$%x";
        for round in 0..20_000 {
            let body: Vec<u8> = (0..random.below(40))
                .map(|_| match round % 3 {
                    0 => random.byte(),
                    _ => random.pick(alphabet),
                })
                .collect();
            parse(&body, &mut robots);
            let joined: Vec<u8> = robots
                .lines()
                .iter()
                .flat_map(|line| line.full().of(&body).to_vec())
                .collect();
            assert_eq!(joined, body);
            for line in robots.lines() {
                let text = line.text;
                for span in [line.content(), line.key(), line.value()] {
                    assert!(text.start <= span.start && span.start <= span.end);
                    assert!(span.end <= text.end, "{body:?}");
                }
                assert!(
                    line.comment()
                        .is_none_or(|span| body[span.start as usize] == b'#')
                );
            }
        }
    }
}
