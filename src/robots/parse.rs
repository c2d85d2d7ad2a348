//! The parser: a body to lines.
//!
//! Enters: a body and a [`RobotsTxt`] to fill. Leaves: its lines and the facts of the whole file.
//! Parsing cannot fail, and it decides nothing: which lines count is for a dialect.
//!
//! The body is scanned for NUL and for bytes above 0x7F once as a whole; only a body that has them
//! pays for asking line by line. Line ends, separators and comments are found in one pass, and
//! nothing is allocated beyond the vector of lines.

use memchr::memchr;

use super::{BodyKind, Directive, Field, Line, LineEnding, Span, Terminator, scan::Marks};

/// The most bytes of a body that are parsed. Offsets are 32 bits wide, and the largest is kept to
/// say "none".
pub const MAX_BODY_LEN: usize = u32::MAX as usize - 1;

/// The UTF-8 byte order mark.
const BYTE_ORDER_MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];

/// The lines of one body, reusable for the next.
#[derive(Clone, Debug, Default)]
pub struct RobotsTxt {
    lines: Vec<Line>,
    bom_len: u32,
    line_ending: LineEnding,
    kind: BodyKind,
    is_ascii: bool,
    has_nul: bool,
}

/// Parses `body` into `robots`, whose former content is dropped and whose memory is kept.
///
/// Cannot fail: any bytes are lines. Bytes beyond [`MAX_BODY_LEN`] are left out. Memory is 40 bytes
/// a line at most, so the caller who bounds bodies bounds it.
pub fn parse(body: &[u8], robots: &mut RobotsTxt) {
    let body = &body[..body.len().min(MAX_BODY_LEN)];
    robots.lines.clear();
    robots.bom_len = byte_order_mark_len(body);
    robots.kind = BodyKind::sniff(body);
    robots.is_ascii = body.is_ascii();
    robots.has_nul = memchr(0, body).is_some();
    let is_plain = robots.is_ascii && !robots.has_nul;

    let mut marks = Marks::new(body);
    let mut content_start = robots.bom_len as usize;
    let mut start = 0;
    let mut seen = [false; 3];
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
        let mut line = Line::new(Span::new(start, end), terminator, directive, field);
        if !is_plain {
            line.note_octets(memchr(0, text).is_some(), !body[start..end].is_ascii());
        }
        robots.lines.push(line);
        match terminator {
            Terminator::Lf => seen[0] = true,
            Terminator::CrLf => seen[1] = true,
            Terminator::Cr => seen[2] = true,
            Terminator::None => break,
        }
        start = end + terminator.len() as usize;
        content_start = start;
    }
    robots.line_ending = match seen {
        [false, false, false] => LineEnding::None,
        [true, false, false] => LineEnding::Lf,
        [false, true, false] => LineEnding::CrLf,
        [false, false, true] => LineEnding::Cr,
        _ => LineEnding::Mixed,
    };
}

impl RobotsTxt {
    /// Returns an empty model, which holds no line until [`parse`] fills it.
    pub fn new() -> RobotsTxt {
        RobotsTxt::default()
    }

    /// Returns the lines in order. The last is always there, even empty: `a\n` has two. The number
    /// of a line is its index plus 1.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Returns the number of lines as a person counts them: behind the last line end an empty line
    /// does not count, so `a\n` has one and an empty body has none.
    pub fn line_count(&self) -> u32 {
        let is_last_empty = self.lines.last().is_some_and(|line| line.text().is_empty());
        self.lines.len() as u32 - u32::from(is_last_empty)
    }

    /// Returns which line ends stand in the body.
    pub fn line_ending(&self) -> LineEnding {
        self.line_ending
    }

    /// Returns true if and only if the body begins with the UTF-8 byte order mark.
    pub fn has_bom(&self) -> bool {
        self.bom_len as usize == BYTE_ORDER_MARK.len()
    }

    /// Returns how many bytes of the byte order mark stand at the start, 0 to 3. The content of the
    /// first line begins behind them.
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

    /// Returns true if and only if a NUL byte stands in the body.
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

fn byte_order_mark_len(body: &[u8]) -> u32 {
    body.iter()
        .zip(BYTE_ORDER_MARK)
        .take_while(|&(&byte, mark)| byte == mark)
        .count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(body: &[u8]) -> RobotsTxt {
        let mut robots = RobotsTxt::new();
        parse(body, &mut robots);
        robots
    }

    fn texts(body: &[u8]) -> Vec<&[u8]> {
        parsed(body)
            .lines()
            .iter()
            .map(|line| line.text().of(body))
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
        assert_eq!(robots.lines()[0].text().start, 0);
        assert_eq!(robots.lines()[0].field(), Field::Allow);
        let partial = parsed(b"\xef\xbballow: /");
        assert_eq!((partial.has_bom(), partial.bom_len()), (false, 2));
        assert_eq!(partial.lines()[0].field(), Field::Allow);
    }

    #[test]
    fn octets_are_noted_on_the_lines_that_have_them() {
        let robots = parsed(b"a\nb\0\n\xc3\xa9\n");
        let facts: Vec<_> = robots
            .lines()
            .iter()
            .map(|line| (line.has_nul(), line.has_non_ascii()))
            .collect();
        assert_eq!(
            facts,
            [(false, false), (true, false), (false, true), (false, false)]
        );
        assert!(robots.has_nul() && !robots.is_ascii());
    }

    #[test]
    fn joined_lines_are_the_body_and_spans_stay_inside() {
        let mut state = 0x2545_F491_4F6C_DD1Du64;
        let mut robots = RobotsTxt::new();
        let alphabet = b"\n\r\r\n:# \t\0\xef\xbb\xbfaA/*$%x";
        for round in 0..20_000 {
            let mut next = || {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                state as usize
            };
            let len = next() % 40;
            let body: Vec<u8> = (0..len)
                .map(|_| match round % 3 {
                    0 => next() as u8,
                    _ => alphabet[next() % alphabet.len()],
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
                let text = line.text();
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
